// `node drive/drive.mjs FOLDER [PICTURES]`: opens the pages that lessons have written there in Chromium, and uses them as a reader does.

import { axe, complaintsOf, launch } from "./chromium.mjs";
import { driveGame } from "./game.mjs";
import { driveHostile } from "./hostile.mjs";
import { drivePage } from "./page.mjs";
import { pages } from "./pages.mjs";

const [folder, pictures] = process.argv.slice(2);
if (!folder) throw new Error("usage: node drive/drive.mjs FOLDER [PICTURES]");

const browser = await launch();
let failures = 0;

/** Opens a file in a window of its own, and fails on whatever the page complains about. */
async function visit(name, { refused, ...settings }, drive) {
  const context = await browser.newContext({ locale: "en-US", ...settings });
  const page = await context.newPage();
  const complaints = complaintsOf(page, (url) => /^(file|blob):/.test(url));
  try {
    await page.goto(`file://${folder}/${name}`);
    await drive(page);
  } catch (error) {
    complaints.push(error.stack);
  }
  // What the page itself must refuse, and says so.
  const refusals = refused ? complaints.filter((one) => refused.test(one)) : [];
  if (refused && refusals.length !== 1) complaints.push(`refuses ${refusals.length} things`);
  for (const one of refusals) complaints.splice(complaints.indexOf(one), 1);
  for (const complaint of complaints) console.log(`FAIL ${name}: ${complaint}`);
  failures += complaints.length;
  await context.close();
}

for (const wanted of pages) await drivePage(visit, wanted, { axe, pictures });
await driveGame(visit, { axe, folder });
await driveHostile(visit, folder);
await browser.close();
if (failures > 0) throw new Error(`${failures} things are wrong with the pages`);
console.log(`${pages.length} pages are as they should be`);
