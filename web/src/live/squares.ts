// The picture of a survey: a square for each schedule, by colour and by sign.

import { button, el } from "../view/dom";
import { inWords, say } from "../words";
import { endSaid, nameOf } from "./shown";
import { isWrong, type Result, summary } from "./survey";

/** In one row. */
const COLUMNS = 20;

export class Squares {
  readonly root = el("div", { class: "survey" });
  results: Result[] = [];
  /** The one whose run is shown. */
  chosen: number | undefined;

  constructor(private readonly show: (at: number) => void) {
    this.root.addEventListener("keydown", (event) => this.key(event));
  }

  reset(): void {
    const { results } = this;
    if (results.length === 0) {
      this.root.replaceChildren();
      return;
    }
    const { runs, wrong, reported } = summary(results);
    const rows = Array.from({ length: Math.ceil(results.length / COLUMNS) }, (_, row) => {
      const of_row = results.slice(row * COLUMNS, (row + 1) * COLUMNS);
      return el("div", { role: "row" }, ...of_row.map((result, at) => this.square(result, row * COLUMNS + at)));
    });
    const key = (kind: string, sign: string, text: string) =>
      el("span", {}, el("span", { class: `square ${kind}`, "aria-hidden": "true" }, sign), ` ${text} `);
    this.root.replaceChildren(
      el("p", { role: "status" }, say("survey-said", { runs, wrong, reported })),
      el("div", { class: "squares", role: "grid", "aria-label": say("survey", { count: runs }) }, ...rows),
      el(
        "p",
        { class: "keys" },
        key("right", "", say("key-right")),
        key("wrong", "✗", say("key-wrong")),
        key("right reported", "", say("key-reported")),
      ),
    );
  }

  private square(result: Result, at: number): Element {
    const is_reported = result.reported.length > 0;
    const name = `${nameOf(result.policy)}: ${inWords(endSaid(result.end))}${is_reported ? `, ${say("reported")}` : ""}`;
    const kind = `square ${isWrong(result) ? "wrong" : "right"}${is_reported ? " reported" : ""}`;
    const tabindex = at === (this.chosen ?? 0) ? 0 : -1;
    const pressed = { class: kind, role: "gridcell", tabindex, "aria-selected": `${at === this.chosen}` };
    return button(name, () => this.show(at), pressed, isWrong(result) ? "✗" : "");
  }

  /** The arrows go from square to square. */
  private key(event: KeyboardEvent): void {
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -COLUMNS, ArrowDown: COLUMNS }[event.key];
    if (step === undefined) return;
    const all = [...this.root.querySelectorAll<HTMLElement>("[role=gridcell]")];
    const next = all[all.indexOf(event.target as HTMLElement) + step];
    event.preventDefault();
    next?.focus();
  }
}
