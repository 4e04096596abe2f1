// One page: what it shows, how it is walked through, who can read it, and how long it takes.

import assert from "node:assert/strict";
import { NOISE, READY } from "./pages.mjs";

const WIDE = { viewport: { width: 1280, height: 800 } };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true };

export async function drivePage(visit, wanted, { axe, pictures }) {
  const { name } = wanted;
  await visit(name, { ...WIDE, colorScheme: "light" }, async (page) => {
    await shows(page, wanted);
    if (wanted.says) await saysAtOnce(page, wanted.says);
    if (pictures && wanted.picture) await page.screenshot({ path: `${pictures}/${wanted.picture}` });
    await walks(page, wanted);
    await times(page, wanted);
    await reads(page, axe);
    await speaks(page);
  });
  await visit(name, { ...WIDE, colorScheme: "dark" }, (page) => reads(page, axe));
  await visit(name, { ...PHONE, colorScheme: "light" }, async (page) => {
    const widths = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.ok(widths[0] <= widths[1], `a phone scrolls sideways: ${widths}`);
    if (wanted.says) await saysAtOnce(page, wanted.onPhone ?? wanted.says);
    await reads(page, axe);
  });
}

const said = (page) => page.locator(".said").textContent();
const line = (page) => page.locator(".line.current .number").textContent();
const place = async (page) => Number((await page.locator(".count").textContent()).split(" / ")[0]);

async function shows(page, { title, slug, marks, arrow }) {
  assert.ok((await page.locator("h1").textContent()).includes(title), `the title has no ${title}`);
  if (slug) assert.equal(await page.locator(".slug").textContent(), slug);
  assert.equal(await page.locator("button.mark").count(), marks);
  if (arrow !== undefined) assert.equal(await page.locator(".missing path").count(), arrow ? 1 : 0);
  if (arrow) assert.match(await page.locator(".missing text").innerHTML(), /no order/);
  assert.ok((await said(page)).length > 10);
}

/** What is in sight before anybody scrolls, and nothing lies above it. */
async function saysAtOnce(page, wanted) {
  const seen = await page.evaluate(() => {
    const isFree = (one) => {
      const { left, top, width, height } = one.getBoundingClientRect();
      const at = (part) => document.elementFromPoint(left + Math.min(width, 120) / 2, top + part * height);
      return [0.1, 0.9].every((part) => one.contains(at(part)) || at(part)?.closest("svg, .line") === one.closest("svg, .line"));
    };
    const parts = "h1, .lesson, .why, .line code, .note, .lanes text, .told, .said, .warp li";
    return [...document.querySelectorAll(parts)].filter(isFree).map((one) => one.textContent);
  });
  for (const text of wanted) assert.ok(seen.some((one) => one.includes(text)), `not in sight: ${text}`);
}

async function walks(page, { first, second, barrier, ordered }) {
  for (const [number, expected] of [
    [1, first],
    [2, second],
  ]) {
    if (!expected) continue;
    await page
      .locator("button.mark")
      .nth(number - 1)
      .click();
    const text = await said(page);
    assert.ok(text.startsWith(`(${number})`) && text.toLowerCase().includes(expected.said), text);
    const noted = page.locator(".line.current + .note");
    assert.ok(
      (await noted.first().textContent()).includes(`(${number})`),
      "the line of the access is not the current one",
    );
    assert.match(text, new RegExp(`Line ${(await line(page)).trim()}\\.`));
    const cell = page.locator(`.cell.race[aria-label^="${expected.cell}: ${expected.value}"]`);
    assert.equal(await cell.count(), 1, `${expected.cell} is not ${expected.value} at (${number})`);
  }
  await page.locator("body").click({ position: { x: 2, y: 2 } });
  await page.keyboard.press("Home");
  assert.equal(await place(page), 1);
  const count = Number((await page.locator(".count").textContent()).split(" / ")[1]);
  if (count > 1) {
    const before = await said(page);
    await page.keyboard.press("ArrowRight");
    assert.equal(await place(page), 2);
    assert.notEqual(await page.locator(".lanes svg").getAttribute("aria-label"), before);
    await page.keyboard.press("ArrowLeft");
    assert.equal(await said(page), before);
    await page.keyboard.press("Space");
    await page.waitForFunction(() => document.querySelector(".count").textContent.startsWith("2 /"), undefined, {
      timeout: 5000,
    });
    await page.keyboard.press("Space");
  }
  if (barrier) assert.equal(await page.locator(".lanes .bar").count(), 1);
  if (ordered) {
    const says = async () => (await page.locator(".ordered title").allTextContents()).some((text) => text.includes(ordered));
    while (!(await says())) {
      assert.ok((await place(page)) < count, `no arrow: ${ordered}`);
      await page.keyboard.press("ArrowRight");
    }
  }
  await page.keyboard.press("End");
  assert.equal(await place(page), count);
}

/** Every step from the start, at most 200. */
async function times(page, { name, step }) {
  const taken = await page.evaluate(() => {
    const press = (key) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    press("Home");
    performance.clearMeasures("show");
    for (let number = 0; number < 200; number++) press("ArrowRight");
    const steps = performance.getEntriesByName("show").map((entry) => entry.duration);
    return { steps: steps.sort((a, b) => a - b), ready: performance.getEntriesByName("ready")[0].startTime };
  });
  const middle = taken.steps[taken.steps.length >> 1];
  const ready = taken.ready.toFixed(0);
  console.log(
    `${name}: ready after ${ready} ms, a step is drawn in ${middle.toFixed(1)} ms (longest ${taken.steps.at(-1).toFixed(1)})`,
  );
  assert.ok(taken.ready < NOISE * READY, `ready after ${ready} ms`);
  assert.ok(middle < NOISE * step, `a step takes ${middle} ms`);
}

/** No barrier to anybody that axe knows of. */
export async function reads(page, axe) {
  await page.evaluate(axe);
  // It would fetch style sheets to look at them; a page allows that to nobody.
  const { violations } = await page.evaluate(() => window.axe.run({ preload: false }));
  const told = violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes
        .slice(0, 3)
        .map((node) => node.html.slice(0, 160))
        .join(" | ")}`,
  );
  assert.deepEqual(told, []);
}

async function speaks(page) {
  const before = await page.locator("h1").textContent();
  await page.getByRole("button", { name: "Español" }).click();
  assert.equal(await page.evaluate(() => document.documentElement.lang), "es");
  assert.notEqual(await page.locator("h1").textContent(), before);
  assert.equal(await page.locator("#source-title").textContent(), "Código");
}
