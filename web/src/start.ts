// Puts the parts of a page together: the run, and the game if there is one.

import type { Emulator } from "./live/emulator";
import { Panel, type Show } from "./live/panel";
import type { Language, Page } from "./page";
import { el } from "./view/dom";
import { RunView } from "./view/run";
import { say, speak } from "./words";

/**
 * `emulator` brings it with the page's recording loaded; `above` stands above the run, in the language that is spoken. What comes
 * back shows another run in the same place.
 */
export function start(page: Page, emulator?: () => Promise<Emulator>, above?: () => Element): Show {
  let run: RunView | undefined;
  const top = el("div");
  const foot = el("p", { class: "keys" });
  const show: Show = (shown, where) => {
    run?.end();
    run = new RunView(shown, where, change);
    // The panel stays where it is, so its buttons keep the focus.
    if (panel?.root.isConnected) {
      document.querySelector("body > header")?.replaceWith(run.header);
      document.querySelector("body > main")?.replaceWith(run.main);
    } else {
      const parts = [...(above ? [top] : []), run.header, ...(panel ? [panel.root] : []), run.main];
      document.body.replaceChildren(...parts, el("footer", {}, foot));
    }
    run.placed();
  };
  const change = (language: Language) => {
    speak(language);
    document.documentElement.lang = language;
    foot.textContent = say("keys");
    if (above) top.replaceChildren(above());
    run?.reset();
    panel?.reset();
  };
  const panel = page.game && emulator ? new Panel(page, emulator, show) : undefined;
  change(page.language);
  show(page, "finding");
  performance.mark("ready");
  return show;
}
