// Reads the run out of the page, and puts the parts together.

import { Panel } from "./live/panel";
import type { Language, Page } from "./page";
import { el } from "./view/dom";
import { RunView } from "./view/run";
import { say, speak } from "./words";

function start(page: Page, packed: string): void {
  let run: RunView | undefined;
  const foot = el("p", { class: "keys" });
  const show = (shown: Page, where: "end" | "finding") => {
    run?.end();
    run = new RunView(shown, where, change);
    // The panel stays where it is, so its buttons keep the focus.
    if (panel?.root.isConnected) {
      document.querySelector("body > header")?.replaceWith(run.header);
      document.querySelector("body > main")?.replaceWith(run.main);
    } else {
      document.body.replaceChildren(run.header, ...(panel ? [panel.root] : []), run.main, el("footer", {}, foot));
    }
  };
  const change = (language: Language) => {
    speak(language);
    document.documentElement.lang = language;
    foot.textContent = say("keys");
    run?.reset();
    panel?.reset();
  };
  const panel = page.game && packed ? new Panel(page, packed, show) : undefined;
  change(page.language);
  show(page, "finding");
  performance.mark("ready");
}

const data = document.getElementById("run")?.textContent;
if (data) start(JSON.parse(data) as Page, document.getElementById("emulator")?.textContent ?? "");
