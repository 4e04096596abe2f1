// Pages from disk, each in a window of its own, which fail on whatever a page complains about.

import { complaintsOf } from "./chromium.mjs";

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
    const complaints = complaintsOf(page, (url) => /^(file|blob):/.test(url));
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
