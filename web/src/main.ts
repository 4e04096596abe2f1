// Reads the run out of the page, and puts the parts together.

import { beginning, shownFindings } from "./model/marks";
import { Model } from "./model/model";
import type { Language, Page } from "./page";
import { App, type Part } from "./view/app";
import { el } from "./view/dom";
import { HeaderView } from "./view/header";
import { LanesView } from "./view/lanes";
import { MemoryView } from "./view/memory";
import { Names } from "./view/names";
import { NowView } from "./view/now";
import { PlayerView } from "./view/player";
import { SourceView } from "./view/source";
import { say, speak } from "./words";

function start(page: Page): void {
  const model = new Model(page.trace);
  let parts: Part[] = [];
  const each = (what: "reset" | "show") => {
    const from = performance.now();
    for (const part of parts) part[what]();
    performance.measure(what, { start: from });
  };
  const go = (at: number) => {
    app.at = at;
    each("show");
  };
  const reset = () => {
    document.documentElement.lang = page_language;
    document.title = say("title", { kernel: page.kernel });
    foot.textContent = say("keys");
    each("reset");
  };
  const choose = (finding: number | undefined) => {
    app.look(finding);
    app.at = beginning(model, app.found);
    // A finding that is not about memory is about lanes.
    state.classList.toggle("lanes-first", app.found !== undefined && model.event(app.at).kind !== "access");
    reset();
  };
  let page_language: Language = page.language;
  const change = (language: Language) => {
    page_language = language;
    speak(language);
    reset();
  };
  speak(page_language);
  const app = new App(model, page, new Names(model, page), go, choose);
  const [header, source, now, memory] = [
    new HeaderView(app, change),
    new SourceView(app),
    new NowView(app),
    new MemoryView(app),
  ];
  const [lanes, player] = [new LanesView(app), new PlayerView(app)];
  const state = el("div", { class: "state" }, memory.root, now.root);
  const foot = el("p", { class: "keys" });
  const main = el("main", {}, lanes.root, source.root, state, player.root);
  document.body.replaceChildren(header.root, main, el("footer", {}, foot));
  parts = [header, source, memory, now, lanes, player];
  choose(shownFindings(model)[0]);
  window.addEventListener("resize", () => each("show"));
  performance.mark("ready");
}

const data = document.getElementById("run")?.textContent;
if (data) start(JSON.parse(data) as Page);
