// `node build.mjs FILE`: the player in one HTML file. `{{run}}` stands where a lesson puts its run.

import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { build } from "esbuild";

const [out] = process.argv.slice(2);
if (!out) throw new Error("usage: node build.mjs FILE");

async function bundled(entry) {
  const made = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: "es2022",
    charset: "utf8",
    legalComments: "none",
    logLevel: "warning",
  });
  return made.outputFiles[0].text.trim();
}

// The page allows exactly this script and this style.
const hash = (text) => `sha256-${createHash("sha256").update(text).digest("base64")}`;

const script = await bundled("src/main.ts");
const style = await bundled("src/style.css");
if (/<\/script|<!--/i.test(script) || /<\/style/i.test(style)) throw new Error("the script would end early");
const parts = { SCRIPT_HASH: hash(script), STYLE_HASH: hash(style), STYLE_TEXT: style, SCRIPT_TEXT: script };
const template = await readFile("src/template.html", "utf8");
const page = template.replace(/(?:SCRIPT|STYLE)_(?:HASH|TEXT)/g, (name) => parts[name]);
if (page.split("{{run}}").length !== 2) throw new Error("there must be one place for the run");
await mkdir(dirname(out), { recursive: true });
await writeFile(out, page);
