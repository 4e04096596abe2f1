// `node pack.mjs MODULE FILE`: the emulator's module, packed as a page carries it.

import { readFile, writeFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";

const [module, out] = process.argv.slice(2);
if (!module || !out) throw new Error("usage: node pack.mjs MODULE FILE");
await writeFile(out, gzipSync(await readFile(module), { level: 9 }));
