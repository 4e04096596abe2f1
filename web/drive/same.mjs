// What the emulator answers in Chromium, in the worker of the site's pages, is what it answers without a browser: letter by letter.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { build } from "esbuild";

/** Pages that ask at the same time. */
const PAGES = 2;

/** The page's own way to its worker, as a script that gives it to whoever drives the page. */
export async function way() {
  const made = await build({
    stdin: {
      contents: `import { Emulator, inPage, unpacked } from "./src/live/emulator";
        globalThis.ask = { Emulator, inPage, unpacked };`,
      resolveDir: ".",
    },
    bundle: true,
    write: false,
    format: "iife",
    target: "es2022",
  });
  return made.outputFiles[0].text;
}

/** In the page: brings the site's emulator. */
export async function bring() {
  await new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = "emulator.js";
    script.onload = resolve;
    script.onerror = () => reject(new Error("the site has no emulator.js"));
    document.head.append(script);
  });
}

/** In the page: a worker with it. */
async function connect() {
  const { inPage, unpacked } = globalThis.ask;
  let hear;
  const line = inPage((heard) => hear(heard));
  const exchange = (message) =>
    new Promise((resolve) => {
      hear = resolve;
      line.post(message);
    });
  globalThis.exchange = exchange;
  return exchange(await unpacked(globalThis.packedEmulator));
}

/** In the page: asks one after the other, and gives a hash of each answer. The answers of a piece may have many megabytes. */
async function askAll(requests) {
  const hashes = [];
  for (const request of requests) {
    const heard = await globalThis.exchange(request);
    const text = heard.said ?? `trap: ${heard.trap}`;
    const hash = await globalThis.crypto.subtle.digest("SHA-256", new globalThis.TextEncoder().encode(text));
    hashes.push([...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, "0")).join(""));
  }
  return hashes;
}

const askOne = async (request) => (await globalThis.exchange(request)).said ?? "";
const hash = (bytes) => createHash("sha256").update(bytes).digest("hex");

/** Requests and answers, in pieces that begin with a recording. */
export function pieces(requests, answers) {
  const found = [];
  assert.equal(requests.length, answers.length);
  requests.forEach((request, at) => {
    if (request.startsWith('{"do":"load"')) found.push([]);
    found.at(-1).push([request, answers[at]]);
  });
  return found;
}

export async function driveSame(visit, all) {
  const script = await way();
  const left = [...all].reverse();
  const from = performance.now();
  let asked = 0;
  const work = async (page) => {
    await page.evaluate(script);
    await page.evaluate(bring);
    assert.deepEqual(await page.evaluate(connect), { ready: true });
    for (let piece = left.pop(); piece; piece = left.pop()) {
      const requests = piece.map(([request]) => request);
      const hashes = await page.evaluate(askAll, requests);
      for (const [at, [request, expected]] of piece.entries()) {
        if (hashes[at] !== hash(expected)) throw new Error(await difference(page, piece[0][0], request, expected));
      }
      asked += piece.length - 1;
    }
  };
  await Promise.all(Array.from({ length: PAGES }, () => visit("index.html", {}, work)));
  const seconds = ((performance.now() - from) / 1000).toFixed(1);
  console.log(`${asked} runs in Chromium took ${seconds} s`);
}

async function difference(page, load, request, answer) {
  const expected = String(answer);
  await page.evaluate(askOne, load);
  const heard = await page.evaluate(askOne, request);
  let at = 0;
  while (at < expected.length && expected[at] === heard[at]) at++;
  const near = (text) => text.slice(Math.max(0, at - 60), at + 100);
  return `another answer in Chromium to ${request.slice(0, 200)}\nhere:  ${near(expected)}\nthere: ${near(heard)}`;
}
