// Recordings that a page cannot run to their end: each ends with a word, the page stays alive, and the next run is made.

import assert from "node:assert/strict";
import { readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { bring, way } from "./same.mjs";

const WIDE = { viewport: { width: 1280, height: 900 } };
const FROM = "lesson02/reverse_broken.html";
/** Milliseconds: the page gives the emulator 20 seconds. */
const MOST = 40_000;

const kernel = (body) => `.version 8.0\n.target sm_90\n.address_size 64\n.visible .entry trouble()\n{\n${body}\n}\n`;
const ENDLESS = kernel("LOOP:\n bra LOOP;");
const WAITING = kernel(`.reg .pred %p; .reg .u32 %r; .shared .align 4 .u32 flag;
LOOP:
 ld.volatile.shared.u32 %r, [flag];
 setp.eq.u32 %p, %r, 7;
 @!%p bra LOOP;
 ret;`);
/** So many blocks in blocks that whoever reads them by recursion runs out of stack. */
const DEEP = kernel("{".repeat(1e6) + "}".repeat(1e6));
const EMPTY = kernel(" ret;");

/** Each: what the host asks, and what the page says then. */
const TROUBLES = [
  { name: "malformed", ptx: "this is no PTX", says: /PTX, line 1: / },
  { name: "unknown", ptx: kernel(" frobnicate.u32;"), says: /frobnicate/ },
  { name: "endless", ptx: ENDLESS, game: /does not reach its end/ },
  { name: "waiting", ptx: WAITING, block: [64, 1, 1], game: /does not reach its end/ },
  { name: "huge", ptx: EMPTY, grid: [2147483647, 1, 1], says: /it took too long/ },
  { name: "large", ptx: ENDLESS, grid: [65535, 65535, 1], block: [1024, 1, 1], game: /does not reach its end/ },
  { name: "block", ptx: EMPTY, block: [2000, 1, 1], says: /2000/ },
  { name: "memory", ptx: EMPTY, memory: 3 * 2 ** 30, says: /that much memory/ },
  { name: "deep", ptx: DEEP, says: /64 levels of nesting/ },
];

const recording = ({ ptx, grid = [1, 1, 1], block = [32, 1, 1], memory }) => ({
  programs: [[ptx]],
  next: 1 << 20,
  commands: [
    { do: "module", program: 0, addresses: [] },
    ...(memory ? [{ do: "allocate", address: 1 << 20, bytes: memory, place: "device" }] : []),
    {
      do: "launch",
      module: 0,
      kernel: 0,
      config: { grid, block, dynamic_shared: 0, cooperative: false },
      parameters: "",
      order: ORDER,
    },
  ],
});

let ORDER;

export async function driveTrouble(visit, folder) {
  const text = readFileSync(`${folder}/${FROM}`, "utf8");
  const [, before, data, after] = text.match(/^([\s\S]* id="run">)([^<]*)(<\/script>[\s\S]*)$/);
  ORDER = JSON.parse(data).game.recording.commands.find((command) => command.do === "launch").order;
  for (const trouble of TROUBLES) {
    const page = JSON.parse(data);
    page.game = { recording: recording(trouble), sources: {} };
    page.findings = [];
    const name = `lesson02/trouble-${trouble.name}.html`;
    writeFileSync(`${folder}/${name}`, before + JSON.stringify(page).replaceAll("<", "\\u003c") + after);
    await visit(name, WIDE, (page) => ends(page, trouble));
    unlinkSync(`${folder}/${name}`);
  }
  const huge = recording(TROUBLES.find(({ name }) => name === "huge"));
  const script = await way();
  await visit("index.html", WIDE, async (page) => {
    await page.evaluate(script);
    await page.evaluate(bring);
    const { recording } = JSON.parse(data).game;
    assert.deepEqual(await page.evaluate(afresh, { huge, good: recording }), ["trap", "limit", "ran"]);
  });
}

/** In the page: after a worker that fails, and after one that was ended, the next run is made by a fresh one. */
async function afresh({ huge, good }) {
  const { Emulator, inPage, unpacked } = globalThis.ask;
  let workers = 0;
  const failing = (hear) => {
    const worker = new globalThis.Worker(globalThis.URL.createObjectURL(new globalThis.Blob(["throw new Error('a trap')"])));
    worker.onerror = (event) => {
      event.preventDefault();
      hear({ trap: event.message });
    };
    return { post: (message) => worker.postMessage(message), end: () => worker.terminate() };
  };
  const connect = (hear) => (workers++ === 0 ? failing : inPage)(hear);
  const emulator = new Emulator(await unpacked(globalThis.packedEmulator), connect, 3000);
  const came = async (work) => {
    try {
      return (await work()).kind;
    } catch (error) {
      return error.why;
    }
  };
  const run = { policy: { kind: "in-order" } };
  const trap = await came(() => emulator.load(good, {}));
  await emulator.load(huge, {});
  const limit = await came(() => emulator.run(run));
  await emulator.load(good, {});
  return [trap, limit, await came(() => emulator.run(run))];
}

async function ends(page, { name, says, game }) {
  const from = performance.now();
  if (says) {
    await page.locator(".wait .trouble").waitFor({ timeout: MOST });
    const text = await page.locator(".wait .trouble").textContent();
    console.log(`${name}: ${text}`);
    assert.match(text, says);
  } else {
    await page.locator("h1").waitFor({ timeout: MOST });
    await page.getByRole("button", { name: "Start a game" }).click();
    await page.locator(".game .end, .option").first().waitFor({ timeout: MOST });
    if (await page.locator(".option").count()) await page.getByRole("button", { name: "Finish in turns" }).click();
    await page.locator(".game .end").waitFor({ timeout: MOST });
    assert.match(await page.locator(".game .end").textContent(), game);
  }
  console.log(`${name}: said after ${((performance.now() - from) / 1000).toFixed(1)} s`);
}
