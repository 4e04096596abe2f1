// `node drive/learn.mjs PROGRAM [PICTURE]`: `cargo learn web` in Chromium, used as a student uses it.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { axe, complaintsOf, launch } from "./chromium.mjs";

const [program, picture] = process.argv.slice(2);
if (!program) throw new Error("usage: node drive/learn.mjs PROGRAM [PICTURE]");

const NAME = "02_sync/missing_barrier";
const WIDE = { viewport: { width: 1280, height: 900 } };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true };
/** A verdict may take so long on a machine that has other things to do. */
const VERDICT = { timeout: 120_000 };

// Cargo's, of the program that started this one; `cargo learn` would look for its catalogue there.
delete process.env.CARGO_MANIFEST_DIR;

const folder = mkdtempSync(join(tmpdir(), "learn-web-"));
const words = (language) => ["--dir", "my-exercises", "--lang", language];
const file = join(folder, "my-exercises", `${NAME}.cu`);
const list = () =>
  execFileSync(program, [...words("en"), "list"], { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });

async function serve(language) {
  const child = spawn(program, [...words(language), "web", "--no-open"], { cwd: folder, stdio: ["pipe", "pipe", "inherit"] });
  for await (const line of createInterface({ input: child.stdout })) {
    const [address] = line.match(/http:\/\/127\.0\.0\.1:\d+\/open\?token=\w+/) ?? [];
    if (address) return { child, address, origin: new URL(address).origin };
  }
  throw new Error("no address is printed");
}

const status = (page) => page.locator(".verdict-line");

async function readable(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run(document, { iframes: false }));
  const told = violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html).join(", ").slice(0, 300)}`);
  assert.deepEqual(told, []);
}

async function ready(page) {
  await page.waitForFunction(() => performance.getEntriesByName("ready").length > 0);
}

/** The broken file: both lines of the race are marked, and its run can be played. */
async function failing(page, origin) {
  assert.equal(new URL(page.url()).search, "", "the address still has the token");
  await page.goto(`${origin}/#${NAME}`);
  await page.locator(".verdict-line.bad").waitFor(VERDICT);
  assert.match(await status(page).textContent(), /not solved yet.*race-shared/);
  const marked = await page.locator(".cm-line.marked").allTextContents();
  assert.deepEqual(marked.map((line) => line.trim()), ["tile[i] = data[i];", "data[i] = tile[n - 1 - i];"]);
  const notes = (await page.locator(".mark-note").allTextContents()).join("\n");
  assert.ok(notes.includes("(1)") && notes.includes("(2)") && notes.includes("race-shared"), notes);
  await readable(page);
  if (picture) await page.screenshot({ path: picture });

  await page.getByRole("button", { name: "Play this run" }).click();
  const frame = page.frameLocator("iframe");
  await frame.locator("h1").waitFor();
  assert.match(await frame.locator("h1").textContent(), /Data race on tile\[/);
  const before = await frame.locator(".count").textContent();
  await frame.locator("h1").click();
  await page.keyboard.press("ArrowLeft");
  assert.notEqual(await frame.locator(".count").textContent(), before, "the run does not step");
  assert.match(await frame.locator(".code").textContent(), /turn_round/);
  // The emulator runs in the frame, which has no origin; the student's kernel can be made wrong by hand, or by 100 schedules.
  await frame.getByRole("button", { name: "Start a game" }).click();
  await frame.locator(".option").first().click(VERDICT);
  await frame.locator(".facts", { hasText: "step 1." }).waitFor();
  await frame.getByRole("button", { name: "100 schedules" }).click();
  await frame.locator(".game p", { hasText: /^100 schedules: \d+ wrong, 100 reported\.$/ }).waitFor(VERDICT);
  const [own] = await Promise.all([
    page.context().waitForEvent("page"),
    page.getByRole("link", { name: "Open it in a window of its own" }).click(),
  ]);
  await own.locator("h1", { hasText: "Data race on tile[" }).waitFor();
  // It has no origin, so it cannot ask the server for anything.
  assert.equal(await own.evaluate(() => window.origin), "null");
  await own.close();
  await page.getByRole("button", { name: "Close" }).click();
  assert.equal(await page.locator("iframe").count(), 0);
  await page.getByRole("button", { name: "What is race-shared?" }).click();
  assert.match(await page.locator(".below pre").textContent(), /race/);
  await page.getByRole("button", { name: "Close" }).click();

  await page.getByRole("button", { name: "Solution" }).click();
  await page.getByRole("button", { name: "No" }).click();
  await page.getByRole("button", { name: "Solution" }).click();
  await page.getByRole("button", { name: "Yes" }).click();
  await page.locator(".below pre", { hasText: "__syncthreads();" }).waitFor();
  await page.getByRole("button", { name: "Close" }).click();
  await page.getByRole("button", { name: "Hint" }).click();
  await page.locator(".hints p").waitFor();
  assert.match(list(), /missing_barrier .*\(1 hint\)/);
}

/** Types the fix, with the keyboard alone. */
async function fixing(page) {
  const todo = page.locator(".cm-line", { hasText: "TODO" });
  await todo.click();
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await page.keyboard.type("__syncthreads();");
  assert.equal(await page.locator(".tools .told").textContent(), "not saved");
  await page.keyboard.press("Control+s");
  await page.locator(".verdict-line.good").waitFor(VERDICT);
  assert.match(await status(page).textContent(), /solved/);
  assert.equal(await page.locator(".cm-line.marked").count(), 0);
  assert.match(readFileSync(file, "utf8"), /\n {4}__syncthreads\(\);\n/);
  assert.match(list(), /\[x\] missing_barrier/);
  assert.match(await page.locator(".list summary").textContent(), /1 of \d+ solved/);
  // The editor is no trap.
  await page.locator(".cm-content").focus();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.closest(".cm-editor")), null);
}

/** The file changes in another editor, before and after something is typed here. */
async function conflict(page) {
  const typed = () => page.locator(".cm-content").textContent();
  writeFileSync(file, `// theirs\n${readFileSync(file, "utf8")}`);
  await page.waitForFunction(() => document.querySelector(".cm-content").textContent.startsWith("// theirs"));
  await page.locator(".cm-line").first().click();
  await page.keyboard.press("Home");
  await page.keyboard.type("// mine, ");
  writeFileSync(file, `// theirs again\n`);
  await page.locator(".notice").waitFor();
  assert.ok((await typed()).startsWith("// mine, // theirs"), "what was typed is lost");
  await page.keyboard.press("Control+s");
  await page.waitForTimeout(500);
  assert.equal(readFileSync(file, "utf8"), "// theirs again\n");
  await page.getByRole("button", { name: "Write mine over it" }).click();
  await page.locator(".tools .told", { hasText: /^saved$/ }).waitFor();
  assert.equal(await page.locator(".notice").count(), 0);
  assert.ok(readFileSync(file, "utf8").startsWith("// mine, // theirs"));
}

/** A file, and what a compiler says of it, are shown as text. */
async function hostile(page) {
  const text = "</script><script>alert(1)</script><img src=x onerror=alert(2)>";
  await page.locator(".cm-content").focus();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(`extern "C" __global__ void turn_round(int* data, int n) { "${text}" }\n#error ${text}\n`);
  await page.keyboard.press("Control+s");
  await page.locator(".verdict-line", { hasText: "does not compile" }).waitFor(VERDICT);
  assert.ok((await page.locator(".verdict pre").textContent()).includes(text));
  assert.ok((await page.locator(".mark-note").count()) > 0, "the compiler's line is not marked");
  assert.equal(await page.locator("img").count(), 0);
  // The page's own policy forbids what is not the page's.
  const ran = await page.evaluate(() => {
    const script = document.createElement("script");
    script.textContent = "window.ran = true";
    document.body.append(script);
    return window.ran === true;
  });
  assert.equal(ran, false);
}

async function startsAgain(page) {
  await page.getByRole("button", { name: "Start again" }).click();
  await page.getByRole("button", { name: "Yes" }).click();
  await page.locator(".notice", { hasText: "missing_barrier.mine-1.cu" }).waitFor();
  assert.match(await page.locator(".cm-content").textContent(), /TODO/);
  await page.getByRole("button", { name: "Next exercise" }).click();
  await page.locator("h1", { hasText: "Who went first?" }).waitFor();
  assert.equal(await page.locator(".asked li").count(), 5);
}

/** A page of another origin on the same machine: the browser would send it the cookie. */
async function otherPage(context, origin) {
  const other = createServer((_, response) => response.setHeader("Content-Type", "text/html").end("<p>other</p>"));
  await new Promise((done) => other.listen(0, "127.0.0.1", done));
  const page = await context.newPage();
  await page.goto(`http://127.0.0.1:${other.address().port}/`);
  const before = list();
  const got = await page.evaluate(async (origin) => {
    const send = (init) => fetch(`${origin}/api/hint`, { method: "POST", credentials: "include", ...init }).then(() => "sent", () => "refused");
    const body = JSON.stringify({ name: "02_sync/missing_barrier" });
    const plain = await send({ body, mode: "no-cors" });
    const asJson = await send({ body, headers: { "Content-Type": "application/json" } });
    const read = await fetch(`${origin}/api/list`, { credentials: "include" }).then((reply) => reply.text(), () => "refused");
    const frame = document.createElement("iframe");
    frame.src = `${origin}/`;
    await new Promise((done) => {
      frame.onload = done;
      document.body.append(frame);
    });
    let framed = "hidden";
    try {
      framed = frame.contentDocument?.body.textContent ?? "hidden";
    } catch {
      // Another origin, as it should be.
    }
    return { plain, asJson, read, framed };
  }, origin);
  assert.deepEqual({ ...got, plain: "" }, { plain: "", asJson: "refused", read: "refused", framed: "hidden" });
  assert.equal(list(), before, "another page has taken a hint");
  await page.close();
  other.close();
}

const browser = await launch();
const complaints = [];
const servers = [];
try {
  const { child, address, origin } = await serve("en");
  servers.push(child);
  const isOurs = (url) => url.startsWith(`${origin}/`) || /^(data|blob):/.test(url);
  const context = await browser.newContext({ locale: "en-US", ...WIDE, colorScheme: "light" });
  const page = await context.newPage();
  const said = complaintsOf(page, isOurs);
  await page.goto(address);
  await page.waitForURL(`${origin}/**`);
  await ready(page);
  await failing(page, origin);
  await fixing(page);
  await readable(page);
  await conflict(page);
  await readable(page);
  const [allowed] = [said.length];
  await hostile(page);
  // That the policy forbids the test's own script, and that a save was refused with 409, are no complaints.
  const expected = /Content Security Policy|status of 409/;
  assert.ok(said.length > allowed, "the policy forbids nothing");
  await startsAgain(page);
  await otherPage(context, origin);
  complaints.push(...said.filter((one) => !expected.test(one)));
  const cookies = await context.cookies();
  assert.ok(cookies.every((one) => one.httpOnly && one.sameSite === "Strict") && cookies.length === 1);

  for (const settings of [{ ...WIDE, colorScheme: "dark" }, { ...PHONE, colorScheme: "light" }]) {
    const other = await browser.newContext({ locale: "en-US", ...settings });
    await other.addCookies(cookies);
    const page = await other.newPage();
    const said = complaintsOf(page, isOurs);
    await page.goto(`${origin}/#${NAME}`);
    await page.locator(".verdict-line.bad").waitFor(VERDICT);
    await page.locator(".list summary").click();
    const widths = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.ok(widths[0] <= widths[1], `the page scrolls sideways: ${widths}`);
    await readable(page);
    complaints.push(...said);
    await other.close();
  }

  // Without the cookie there is nothing to see.
  const stranger = await (await browser.newContext()).newPage();
  const refused = await stranger.goto(`${origin}/`);
  assert.equal(refused.status(), 403);

  const spanish = await serve("es");
  servers.push(spanish.child);
  const inSpanish = await (await browser.newContext({ locale: "es-MX" })).newPage();
  await inSpanish.goto(spanish.address);
  await ready(inSpanish);
  await inSpanish.locator("h2", { hasText: "Veredicto" }).waitFor();
  assert.equal(await inSpanish.evaluate(() => document.documentElement.lang), "es");
} finally {
  await browser.close();
  for (const child of servers) child.kill();
  rmSync(folder, { recursive: true, force: true });
}
for (const complaint of complaints) console.log(`FAIL ${complaint}`);
if (complaints.length > 0) throw new Error(`${complaints.length} things are wrong with cargo learn web`);
console.log("cargo learn web is as it should be");
