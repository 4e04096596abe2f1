// `node drive/drive.mjs FOLDER [PICTURES]`: opens the pages that lessons have written there in Chromium, and uses them as a reader does.

import { axe, launch } from "./chromium.mjs";
import { driveGame } from "./game.mjs";
import { driveHostile } from "./hostile.mjs";
import { drivePage } from "./page.mjs";
import { pages } from "./pages.mjs";
import { Windows } from "./window.mjs";

const [folder, pictures] = process.argv.slice(2);
if (!folder) throw new Error("usage: node drive/drive.mjs FOLDER [PICTURES]");

const browser = await launch();
const windows = new Windows(browser, folder);
const visit = windows.visit.bind(windows);

for (const wanted of pages) await drivePage(visit, wanted, { axe, pictures });
await driveGame(visit, { axe, folder });
await driveHostile(visit, folder);
await browser.close();
if (windows.failures > 0) throw new Error(`${windows.failures} things are wrong with the pages`);
console.log(`${pages.length} pages are as they should be`);
