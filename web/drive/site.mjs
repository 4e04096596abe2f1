// `node drive/site.mjs SITE REQUESTS ANSWERS EVERY`: opens the site in Chromium, from disk, and asks its emulator what the file has.
// Of the kernels' pages every EVERYth is opened.

import { readFileSync } from "node:fs";
import { axe, launch } from "./chromium.mjs";
import { driveIndex } from "./index.mjs";
import { driveSame, pieces } from "./same.mjs";
import { driveTrouble } from "./trouble.mjs";
import { Windows } from "./window.mjs";

const [folder, requests, answers, every] = process.argv.slice(2);
if (!every) throw new Error("usage: node drive/site.mjs SITE REQUESTS ANSWERS EVERY");

const browser = await launch();
const windows = new Windows(browser, folder);
const visit = windows.visit.bind(windows);

/** Lines as bytes: all answers together are longer than a text may be. */
function lines(path) {
  const bytes = readFileSync(path);
  const found = [];
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(10, from);
    found.push(bytes.subarray(from, end));
    from = end + 1;
  }
  return found;
}

await driveIndex(visit, { axe, every: Number(every) });
await driveTrouble(visit, folder);
await driveSame(visit, pieces(lines(requests).map(String), lines(answers)));
await browser.close();
if (windows.failures > 0) throw new Error(`${windows.failures} things are wrong with the site`);
