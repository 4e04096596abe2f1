// The index in both languages, and the pages that it links to, or a sample of them: each shows its run, and says nothing that it should not.

import assert from "node:assert/strict";
import { reads } from "./page.mjs";
import { drivePuzzles } from "./puzzles.mjs";

const WIDE = { viewport: { width: 1280, height: 900 } };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, colorScheme: "dark" };
/** Pages that are open at the same time. */
const AT_ONCE = 2;

const links = (page) => page.locator("td a").evaluateAll((all) => all.map((one) => one.getAttribute("href")));

export async function driveIndex(visit, { axe, every }) {
  let [found, puzzles] = [[], []];
  await visit("index.html", WIDE, async (page) => {
    await reads(page, axe);
    found = await links(page);
    puzzles = await page.locator("#exercises a").evaluateAll((all) => all.map((one) => one.getAttribute("href")));
    assert.equal(new Set(found).size, found.length);
    assert.ok(found.length > 200, `${found.length} links`);
    assert.equal(await page.locator("section").count(), 8);
    // There and back, by the links.
    await page.locator('a[href="lesson02/reverse_broken.html"]').click();
    await page.locator(".slug").waitFor();
    assert.equal(await page.locator(".slug").textContent(), "race-shared");
    await page.getByRole("link", { name: "All lessons" }).click();
    await page.getByRole("link", { name: "Español" }).click();
    assert.deepEqual(await links(page), found.map((link) => `${link}#es`));
    await page.locator('a[href="lesson02/reverse_broken.html#es"]').click();
    await page.locator(".slug").waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.lang), "es");
    assert.match(await page.locator("nav a").getAttribute("href"), /es\.html$/);
    await reads(page, axe);
  });
  await visit("es.html", PHONE, async (page) => {
    const widths = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.ok(widths[0] <= widths[1], `a phone scrolls sideways: ${widths}`);
    await reads(page, axe);
  });
  await all(
    visit,
    found.filter((_, at) => at % every === 0),
  );
  await drivePuzzles(visit, puzzles, { axe });
}

/** Each page shows a run at its finding, where it has one. */
async function all(visit, links) {
  const from = performance.now();
  const left = [...links];
  const times = [];
  const work = async () => {
    for (let link = left.pop(); link; link = left.pop()) {
      await visit(link, WIDE, async (page) => {
        await page.locator("h1").waitFor();
        const name = link.replace(/.*\/(.*)\.html/, "$1");
        assert.equal(await page.locator(".lesson code").textContent(), name);
        assert.equal(await page.locator(".trouble").textContent(), "");
        times.push(await page.evaluate(() => performance.getEntriesByName("ready")[0].startTime));
      });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  times.sort((a, b) => a - b);
  const middle = times[times.length >> 1]?.toFixed(0);
  const seconds = ((performance.now() - from) / 1000).toFixed(1);
  console.log(`${links.length} pages: ready after ${middle} ms (longest ${times.at(-1)?.toFixed(0)}), ${seconds} s in all`);
}
