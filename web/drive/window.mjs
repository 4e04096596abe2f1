// A Chromium, and pages in windows of their own, which fail on whatever a page complains about.

import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

export async function launch() {
  const found = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
  const executablePath = found.find((path) => path && existsSync(path));
  if (!executablePath) throw new Error("no Chromium: install it, or name it in CHROMIUM");
  // Its sandbox refuses to run as root.
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  return chromium.launch({ executablePath, args });
}

export class Windows {
  failures = 0;

  constructor(browser, folder) {
    this.browser = browser;
    this.folder = folder;
  }

  /** Opens a file and uses it; `refused` is what the page itself must refuse, and says so. */
  async visit(name, { refused, ...settings }, drive) {
    const context = await this.browser.newContext({ locale: "en-US", ...settings });
    const page = await context.newPage();
    const complaints = [];
    page.on("console", (message) => message.type() !== "log" && complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(error.stack ?? error.message));
    page.on("dialog", (dialog) => complaints.push(`a dialog: ${dialog.message()}`) && dialog.dismiss());
    page.on("request", (request) => /^(file|blob):/.test(request.url()) || complaints.push(`asks for ${request.url()}`));
    try {
      await page.goto(`file://${this.folder}/${name}`);
      await drive(page);
    } catch (error) {
      complaints.push(error.stack);
    }
    const refusals = refused ? complaints.filter((one) => refused.test(one)) : [];
    if (refused && refusals.length !== 1) complaints.push(`refuses ${refusals.length} things`);
    for (const one of refusals) complaints.splice(complaints.indexOf(one), 1);
    for (const complaint of complaints) console.log(`FAIL ${name}: ${complaint}`);
    this.failures += complaints.length;
    await context.close();
  }
}
