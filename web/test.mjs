// `node test.mjs`: bundles the tests of `test/` and runs them with node's own runner.

import { spawnSync } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";

const folder = await mkdtemp(join(tmpdir(), "player-"));
const names = (await readdir("test")).filter((name) => name.endsWith(".test.ts"));
await build({
  entryPoints: names.map((name) => `test/${name}`),
  bundle: true,
  platform: "node",
  format: "esm",
  outdir: folder,
  outExtension: { ".js": ".mjs" },
  logLevel: "warning",
});
const files = names.map((name) => join(folder, name.replace(/\.ts$/, ".mjs")));
const { status } = spawnSync(process.execPath, ["--test", ...files], { stdio: "inherit" });
await rm(folder, { recursive: true });
process.exit(status ?? 1);
