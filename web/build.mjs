// `node build.mjs FOLDER`: the pages, each in one HTML file.
//
// - `player.html`: a run, step by step. `{{run}}` stands where a lesson puts its run.
// - `learn.html`: the course in the browser. `{{nonce}}` stands where the server says that script and style are its own.

import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { notices } from "./notices.mjs";

const [out] = process.argv.slice(2);
if (!out) throw new Error("usage: node build.mjs FOLDER");

/** The text, and the files that it is made of. */
async function bundled(entry) {
  const made = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: "iife",
    target: "es2022",
    // What is stored has no character that an editor does not show, such as those that turn the direction of a text.
    charset: "ascii",
    legalComments: "none",
    logLevel: "warning",
  });
  // esbuild leaves control characters as they are; they stand in strings and in templates, where an escape means the same.
  const escape = (one) => `\\x${one.charCodeAt(0).toString(16).padStart(2, "0")}`;
  const text = made.outputFiles[0].text.trim().replace(/[^\P{Cc}\n]/gu, escape);
  return { text, inputs: Object.keys(made.metafile.inputs) };
}

const hash = (text) => `sha256-${createHash("sha256").update(text).digest("base64")}`;

/** `places`: what must stand in the page once, or so many times. */
async function page(name, { template, script, style, places }) {
  const [{ text: code, inputs }, { text: looks }] = [await bundled(script), await bundled(style)];
  if (/<\/script|<!--/i.test(code) || /<\/style/i.test(looks)) throw new Error("the script would end early");
  // The player allows exactly this script and this style.
  const parts = { SCRIPT_HASH: hash(code), STYLE_HASH: hash(looks), STYLE_TEXT: looks, SCRIPT_TEXT: code };
  const text = (await readFile(template, "utf8"))
    .replace(/(?:SCRIPT|STYLE)_(?:HASH|TEXT)/g, (part) => parts[part])
    .replace("<head>\n", `<head>\n${await notices(inputs)}`);
  for (const [place, times] of Object.entries(places)) {
    if (text.split(place).length !== times + 1) throw new Error(`${name} must have ${place} ${times} times`);
  }
  await writeFile(join(out, name), text);
}

await mkdir(out, { recursive: true });
await page("player.html", {
  template: "src/template.html",
  script: "src/main.ts",
  style: "src/style.css",
  places: { "{{run}}": 1, "{{emulator}}": 1 },
});
await page("learn.html", {
  template: "src/learn/template.html",
  script: "src/learn/main.ts",
  style: "src/learn/learn.css",
  places: { "{{nonce}}": 2 },
});
