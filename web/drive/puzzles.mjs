// The exercises of the site: a wrong answer is told so, a right one is, and then the run is there to be walked through.

import assert from "node:assert/strict";
import { reads } from "./page.mjs";

const WIDE = { viewport: { width: 1280, height: 900 } };
/** Seeds that are tried, as a student would. */
const MOST = 40;

const status = (page) => page.locator(".puzzle [role=status]").textContent();

/** Once it says something else than before. */
async function told(page, before) {
  await page.waitForFunction(
    (before) => document.querySelector(".puzzle [role=status]").textContent !== before,
    before,
    { timeout: 30_000 },
  );
  return status(page);
}

async function breaks(page, { axe }) {
  await reads(page, axe);
  const press = async () => {
    const before = await status(page);
    await page.getByRole("button", { name: "Try it" }).click();
    return told(page, before);
  };
  assert.match(await press(), /^The run in-order does not show/);
  assert.ok((await page.locator(".lanes svg").count()) === 1, "the run is not shown");
  await page.locator("select").selectOption("adversarial");
  for (let seed = 1; seed <= MOST; seed++) {
    await page.locator("input[type=number]").fill(`${seed}`);
    if (/^Solved/.test(await press())) break;
  }
  assert.match(await status(page), /^Solved. The run adversarial \d+ shows/);
  await page.getByRole("button", { name: "Español" }).click();
  assert.match(await status(page), /^Resuelto/);
  await reads(page, axe);
}

async function predicts(page, { axe }) {
  await reads(page, axe);
  const { questions } = await page.evaluate(() => JSON.parse(document.getElementById("exercise").textContent));
  const answer = async (text) => {
    const inputs = page.locator(".puzzle input");
    assert.equal(await inputs.count(), questions.length);
    for (const [at, { answer }] of questions.entries()) await inputs.nth(at).fill(text(answer));
    const before = await status(page);
    await page.getByRole("button", { name: "Try it" }).click();
    return told(page, before);
  };
  assert.equal(await page.locator(".lanes").count(), 0);
  assert.match(await answer(() => "98765"), /^Not right yet: answers 1, 2/);
  assert.match(await answer((right) => ` ${right} `), /^Solved/);
  await page.locator(".lanes svg").waitFor();
  await reads(page, axe);
}

export async function drivePuzzles(visit, links, tools) {
  assert.ok(links.length > 0, "no exercises");
  for (const link of links) {
    await visit(link, WIDE, async (page) => {
      await page.locator(".puzzle").waitFor();
      const is_break = (await page.locator("select").count()) > 0;
      await (is_break ? breaks : predicts)(page, tools);
    });
  }
  console.log(`${links.length} exercises can be solved`);
}
