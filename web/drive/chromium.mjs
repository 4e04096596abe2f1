// The browser that pages are opened in, and what it says against them.

import { existsSync, readFileSync } from "node:fs";
import { chromium } from "playwright-core";

const found = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

export async function launch() {
  const executablePath = found.find((path) => path && existsSync(path));
  if (!executablePath) throw new Error("no Chromium: install it, or name it in CHROMIUM");
  // Its sandbox refuses to run as root.
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  return chromium.launch({ executablePath, args });
}

export const axe = readFileSync("node_modules/axe-core/axe.min.js", "utf8");

/** Notes whatever a page complains about, and each request that `isAllowed` does not allow. */
export function complaintsOf(page, isAllowed) {
  const complaints = [];
  page.on("console", (message) => message.type() !== "log" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.stack ?? error.message));
  page.on("dialog", (dialog) => complaints.push(`a dialog: ${dialog.message()}`) && dialog.dismiss());
  page.on("request", (request) => isAllowed(request.url()) || complaints.push(`asks for ${request.url()}`));
  return complaints;
}
