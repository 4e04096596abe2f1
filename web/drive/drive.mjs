// `node drive/drive.mjs FOLDER [PICTURES]`: opens the pages that lessons have written there in Chromium, and uses them as a reader does.

import { readFileSync } from "node:fs";
import { driveGame } from "./game.mjs";
import { driveHostile } from "./hostile.mjs";
import { drivePage } from "./page.mjs";
import { pages } from "./pages.mjs";
import { launch, Windows } from "./window.mjs";

const [folder, pictures] = process.argv.slice(2);
if (!folder) throw new Error("usage: node drive/drive.mjs FOLDER [PICTURES]");

const browser = await launch();
const windows = new Windows(browser, folder);
const visit = windows.visit.bind(windows);
const axe = readFileSync("node_modules/axe-core/axe.min.js", "utf8");

for (const wanted of pages) await drivePage(visit, wanted, { axe, pictures });
await driveGame(visit, { axe });
await driveHostile(visit, folder);
await browser.close();
if (windows.failures > 0) throw new Error(`${windows.failures} things are wrong with the pages`);
console.log(`${pages.length} pages are as they should be`);
