// `node site.mjs FOLDER`: what all pages of the site share: the player as a plain script, and its style.

import { build } from "esbuild";

const [folder] = process.argv.slice(2);
if (!folder) throw new Error("usage: node site.mjs FOLDER");

await build({
  entryPoints: { player: "src/site/main.ts", site: "src/site/site.css" },
  outdir: folder,
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  logLevel: "warning",
});
