// All views of one run, which end together when another run takes their place.

import { beginning, shownFindings } from "../model/marks";
import { Model } from "../model/model";
import type { Language, Page } from "../page";
import { say } from "../words";
import { App, type Part } from "./app";
import { el } from "./dom";
import { HeaderView } from "./header";
import { LanesView } from "./lanes";
import { MemoryView } from "./memory";
import { Names } from "./names";
import { NowView } from "./now";
import { PlayerView } from "./player";
import { SourceView } from "./source";

export class RunView {
  readonly header: Element;
  readonly main: Element;
  private readonly app: App;
  private readonly parts: Part[];
  private readonly source: SourceView;
  private readonly state = el("div", { class: "state" });
  private readonly ended = new AbortController();

  constructor(page: Page, where: "end" | "finding", speak: (language: Language) => void) {
    const model = new Model(page.trace);
    const go = (at: number) => {
      app.at = at;
      this.each("show");
    };
    const choose = (finding: number) => this.choose(finding, "finding");
    const app = new App(model, page, new Names(model, page), go, choose, where === "end");
    this.app = app;
    const [header, now, memory] = [new HeaderView(app, speak), new NowView(app), new MemoryView(app)];
    const source = new SourceView(app);
    this.source = source;
    const [lanes, player] = [new LanesView(app), new PlayerView(app, this.ended.signal)];
    this.state.append(memory.root, now.root);
    this.header = header.root;
    this.main = el("main", {}, player.root, source.root, lanes.root, this.state);
    this.parts = [header, source, memory, now, lanes, player];
    window.addEventListener("resize", () => this.each("show"), { signal: this.ended.signal });
    this.choose(shownFindings(model)[0], where);
  }

  /** The language or the finding has changed. */
  reset(): void {
    document.title = say("title", { kernel: this.app.page.kernel });
    this.each("reset");
  }

  /** It stands in the page now, so its parts have their sizes. */
  placed(): void {
    this.each("show");
    this.source.placed();
  }

  end(): void {
    this.ended.abort();
  }

  private choose(finding: number | undefined, where: "end" | "finding"): void {
    const { app } = this;
    app.look(finding);
    app.at = where === "end" ? (app.model.stops.at(-1) ?? 0) : beginning(app.model, app.found);
    // A finding that is not about memory is about lanes.
    const is_about_lanes = app.found !== undefined && app.model.event(app.at).kind !== "access";
    this.state.classList.toggle("lanes-first", is_about_lanes);
    this.reset();
    if (this.main.isConnected) this.source.placed();
  }

  private each(what: "reset" | "show"): void {
    const from = performance.now();
    for (const part of this.parts) part[what]();
    performance.measure(what, { start: from });
  }
}
