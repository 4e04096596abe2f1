// A game in the page: the emulator starts, a person makes the broken kernel wrong and cannot make the correct one so, and 100 schedules
// are seen.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { reads } from "./page.mjs";

const WIDE = { viewport: { width: 1280, height: 900 }, colorScheme: "light" };

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, colorScheme: "dark" };

const end = (page) => page.locator(".game .end").textContent();
const steps = (page) => page.locator(".lanes svg").getAttribute("aria-label");

async function begin(page) {
  await page.getByRole("button", { name: "Start a game" }).click();
  await page.locator(".option").first().waitFor();
  const options = await page.locator(".option").allTextContents();
  assert.deepEqual(
    options.map((text) => /warp \d/.exec(text)?.[0]),
    ["warp 0", "warp 1"],
  );
}

/** By its key, once the step before is done. */
async function press(page, key, step) {
  await page.keyboard.press(key);
  await page.waitForFunction((wanted) => document.querySelector(".facts").textContent.includes(wanted), `step ${step}.`);
}

/** The lesson makes the page's game again, and its page goes on with it. */
function playedInTerminal(command, file, race = /data race on `?s\[32\]`?/) {
  const { stdout, stderr } = spawnSync("sh", ["-c", `${command} --device emulator --lang en --web '${file}'`], {
    cwd: "..",
    encoding: "utf8",
  });
  assert.match(stdout, race, stderr);
  return stdout;
}

async function goesOn(page) {
  await page.getByRole("button", { name: "Start a game" }).click();
  await page.locator(".game .reported").waitFor();
  assert.match(await page.locator(".game .reported").textContent(), /data race on s\[32\]/);
  await page.getByRole("button", { name: "New game" }).click();
  await page.waitForFunction(() => document.querySelectorAll(".slug").length === 0);
  await page.locator(".option").first().waitFor();
}

async function broken(page, axe, again) {
  await begin(page);
  await reads(page, axe);
  assert.equal(await page.locator(".game .reported").count(), 0);
  // Warp 0 reads what warp 1 has not written yet.
  await page.locator(".option").first().click();
  // Keys that come fast count too.
  await page.keyboard.type("112");
  await press(page, "2", 5);
  assert.match(await page.locator(".game .reported").textContent(), /data race on s\[32\]/);
  assert.match(await page.locator("h1").textContent(), /Data race on s\[32\]/);
  assert.match(await page.locator(".note").first().textContent(), /thread 32 \(warp 1\) writes 32/);
  const command = await page.locator("header details code").last().textContent();
  assert.match(command, /--replay reverse\/broken\/steps\/0@w2\.[0-9w.,x]+\/64$/);
  playedInTerminal(command, again);
  // Back is as before, and forward is as it was.
  const after = await steps(page);
  await press(page, "Backspace", 4);
  assert.equal(await page.locator(".slug").count(), 0);
  await page.getByRole("button", { name: "Redo" }).click();
  await page.locator(".slug").waitFor();
  assert.equal(await steps(page), after);
  await page.getByRole("button", { name: "Finish in turns" }).click();
  assert.equal(await end(page), "The answer is wrong.");
  await page.getByRole("button", { name: "Español" }).click();
  assert.equal(await end(page), "El resultado es incorrecto.");
  await page.getByRole("button", { name: "English" }).click();
  await surveyed(page, /^100 schedules: (\d\d) wrong, 100 reported\.$/);
  await reads(page, axe);
  await page.locator('.square.wrong[role="gridcell"]').first().click();
  await page.locator('.square[aria-selected="true"]').waitFor();
  assert.match(await page.locator(".facts").textContent(), /schedule in-order.*answer is wrong/);
  await page.getByRole("button", { name: "Show my game" }).click();
  assert.match(await page.locator(".facts").textContent(), /^Your game/);
  await times(page);
}

async function correct(page) {
  await begin(page);
  for (let step = 1; (await page.locator(".option").count()) > 0; step++) await press(page, `${1 + (step % 2)}`, step);
  assert.equal(await end(page), "The answer is right.");
  assert.equal(await page.locator(".game .reported").count(), 0);
  await surveyed(page, /^100 schedules: 0 wrong, 0 reported\.$/);
}

/** Whoever goes next: a coin, the same in each run. What a read returns: the latest value, and of the message an older one. */
async function readsOld(page) {
  await page.evaluate(async () => {
    let coin = 7;
    for (let turn = 0; turn < 500; turn++) {
      const options = document.querySelectorAll(".option");
      if (options.length === 0) return;
      const is_whose = document.querySelector(".game h3").textContent === "Who goes next?";
      const is_old = document.querySelector(".game .about")?.textContent.includes("reads message") ?? false;
      coin = (Math.imul(coin, 1664525) + 1013904223) >>> 0;
      const pick = is_whose ? Math.floor((coin / 2 ** 32) * options.length) : is_old ? options.length - 1 : 0;
      const before = document.querySelector(".facts").textContent;
      options[pick].click();
      while (document.querySelector(".facts").textContent === before) await new Promise((done) => window.setTimeout(done, 5));
    }
    throw new Error("a game without an end");
  });
}

/** A flag without fences: no turn makes it wrong, and an older value does. */
async function freely(page, axe, again) {
  await page.getByRole("button", { name: "Start a game" }).click();
  await page.locator(".option").first().waitFor();
  await page.getByRole("button", { name: "Finish at random" }).click();
  await page.locator(".game .end").waitFor();
  assert.equal(await end(page), "The answer is right.");
  const box = page.getByLabel("older values that a read may return");
  await box.focus();
  await page.keyboard.press("Space");
  await page.waitForFunction(() => document.querySelectorAll(".option").length > 0);
  assert.ok(await box.isChecked());
  assert.ok(await box.evaluate((one) => one === document.activeElement), "the switch keeps the focus");
  await readsOld(page);
  assert.equal(await end(page), "The answer is wrong.");
  await reads(page, axe);
  const command = await page.locator("header details code").last().textContent();
  assert.match(command, /--replay flag\/broken\/free-steps\/0@[0-9a-z.,]*\bo2\.1\b/);
  assert.match(playedInTerminal(command, again, /data race on `?\*message`?/), /1 of 1/);
}

/** The page of such a game: it goes on where it stood, with all switches. */
async function freelyAgain(page) {
  await page.getByRole("button", { name: "Start a game" }).click();
  await page.locator(".game .reported").waitFor();
  await page.getByRole("button", { name: "Finish in turns" }).click();
  await page.locator(".game .end").waitFor();
  assert.equal(await end(page), "The answer is wrong.");
  assert.equal(await page.locator(".also input:checked").count(), 5);
}

/** On a phone's width, and in the dark. */
async function narrow(page, axe) {
  await begin(page);
  await surveyed(page, /^100 schedules/);
  const widths = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.ok(widths[0] <= widths[1], `a phone scrolls sideways: ${widths}`);
  await reads(page, axe);
}

async function surveyed(page, wanted) {
  await page.getByRole("button", { name: "100 schedules" }).click();
  await page.locator("button.survey-start").waitFor({ timeout: 60_000 });
  assert.match(await page.locator(".survey [role=status]").textContent(), wanted);
  assert.equal(await page.locator(".squares [role=gridcell]").count(), 100);
}

async function times(page) {
  const [steps, [survey]] = await page.evaluate(() =>
    ["step", "survey"].map((name) => performance.getEntriesByName(name).map((entry) => entry.duration)),
  );
  const [first, ...others] = steps;
  const middle = others.sort((a, b) => a - b)[others.length >> 1];
  const text = [first, middle, survey].map((time) => time.toFixed(0));
  console.log(`a game: begins after ${text[0]} ms, a step takes ${text[1]} ms, 100 schedules ${text[2]} ms`);
}

export async function driveGame(visit, { axe, folder }) {
  await visit("reverse.html", WIDE, (page) => broken(page, axe, `${folder}/again.html`));
  await visit("again.html", WIDE, goesOn);
  await visit("reverse_correct.html", WIDE, correct);
  await visit("flag.html", WIDE, (page) => freely(page, axe, `${folder}/free.html`));
  await visit("free.html", WIDE, freelyAgain);
  await visit("reverse.html", PHONE, (page) => narrow(page, axe));
}
