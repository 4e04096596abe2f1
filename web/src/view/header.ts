// What ran and what came of it, in words; and the finding's accesses, each with a button that goes there.

import { shownFindings } from "../model/marks";
import type { Language } from "../page";
import { inWords, say, spoken, type Word } from "../words";
import type { App, Part } from "./app";
import { button, capital, el, rich } from "./dom";

export class HeaderView implements Part {
  readonly root = el("header");

  constructor(
    private readonly app: App,
    private readonly speak: (language: Language) => void,
  ) {}

  reset(): void {
    const { page, said, found } = this.app;
    const is_good = !said && page.answer.is_right;
    const message = said ? inWords(said.message) : page.title ? inWords(page.title) : say(this.summary());
    const { left_out } = page.trace;
    const cut = left_out > 0 ? ` ${say("left-out", { kept: page.trace.events.length, count: left_out })}` : "";
    const slug = found ? el("span", { class: "slug" }, found.finding.slug) : undefined;
    this.root.replaceChildren(
      el(
        "div",
        { class: "top" },
        el("p", { class: "lesson" }, `${page.lesson} · `, el("code", {}, page.kernel), ` · ${this.grid()} `, slug),
        this.languages(),
      ),
      el("h1", { class: is_good ? "good" : "bad" }, is_good ? "✓ " : "✗ ", ...rich(capital(message))),
      el("p", { class: "facts" }, ...rich(`${inWords(page.run)} ${capital(inWords(page.answer.said))}.${cut}`)),
      ...this.why(),
      ...this.others(),
      this.report(),
    );
  }

  /** How many threads there are: of the first launch. */
  private grid(): string {
    const [first] = this.app.page.trace.launches[0]?.grids ?? [];
    const product = (extents: number[]) => extents.reduce((one, other) => one * other, 1);
    if (!first) return "";
    const blocks = product(first.grid);
    const threads = product(first.block);
    const is_ordinary = this.app.found?.finding.cause?.kind === "not-cooperative";
    return say(is_ordinary ? "launch-ordinary" : blocks === 1 ? "launch-one" : "launch-of", { blocks, threads });
  }

  private why(): Element[] {
    const { said } = this.app;
    return said && inWords(said.why) ? [el("p", { class: "why" }, ...rich(capital(inWords(said.why))))] : [];
  }

  /** What is known where nothing was found. */
  private summary(): Word {
    const { trace, answer } = this.app.page;
    if (trace.launches.some((launch) => !launch.is_traced)) return "not-recorded";
    return answer.is_right ? "no-finding" : "no-finding-wrong";
  }

  show(): void {}

  private languages(): Element {
    const one = (language: Language, name: string) =>
      button(name, () => this.speak(language), { lang: language, "aria-pressed": `${spoken() === language}` }, name);
    return el(
      "div",
      { class: "languages", role: "group", "aria-label": say("language") },
      one("en", "English"),
      one("es", "Español"),
    );
  }

  /** One button for each finding, where there are several. */
  private others(): Element[] {
    const { app } = this;
    const all = shownFindings(app.model).slice(0, 8);
    if (all.length < 2) return [];
    const buttons = all.map((finding, index) => {
      const is_this = app.model.trace.findings[finding] === app.found;
      const name = say("finding", { number: index + 1 });
      const slug = app.model.trace.findings[finding]?.finding.slug ?? "";
      return button(
        `${name}: ${slug}`,
        () => app.choose(finding),
        { "aria-pressed": `${is_this}` },
        `${name}: ${slug}`,
      );
    });
    return [el("div", { class: "findings", role: "group", "aria-label": say("findings") }, ...buttons)];
  }

  private report(): Element {
    const { said, page } = this.app;
    const text = said ? inWords(said.report) : "";
    const summary = said?.fix ? [...rich(capital(inWords(said.fix))), ` · ${say("whole-report")}`] : [say("more-words")];
    return el(
      "details",
      {},
      el("summary", {}, ...summary),
      text ? el("pre", { tabindex: "0", "aria-label": say("report") }, text) : undefined,
      page.command ? el("p", {}, say("again"), " ", el("code", {}, page.command)) : undefined,
    );
  }
}
