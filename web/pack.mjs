// `node pack.mjs MODULE FILE`: the emulator's module, packed as a page carries it. Any gzip unpacks it; zopfli takes seconds for it and
// makes it a twentieth smaller than gzip's best.

import { readFile, writeFile } from "node:fs/promises";
import zopfli from "@gfx/zopfli";

const [module, out] = process.argv.slice(2);
if (!module || !out) throw new Error("usage: node pack.mjs MODULE FILE");
await writeFile(out, await zopfli.gzipAsync(await readFile(module), { numiterations: 5 }));
