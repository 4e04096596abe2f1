// The verdict: one line, what tells of the run, and what one can do about it.

import { button, el } from "../view/dom";
import type { Mark, Now, Verdict } from "./api";
import { say } from "./words";

export interface Wishes {
  /** Judge again, with everything or with the first finding only. */
  again: (isVerbose: boolean) => void;
  fix: () => void;
  run: () => void;
  explain: (kind: string) => void;
}

/** Reasons that are no findings have no page that explains them. */
const PLAIN = ["answer", "budget", "idle", "compile", "launch", "unsupported", "todo", "limit", "exit", "fault", "missing", "error"];

export class VerdictView {
  /** Read out when it changes. */
  private readonly line = el("p", { role: "status", class: "verdict-line" });
  private readonly rest = el("div");
  readonly root: HTMLElement;
  private shown = "";

  constructor(private readonly wishes: Wishes) {
    this.root = el(
      "section",
      { class: "verdict", "aria-labelledby": "verdict-title" },
      el("h2", { id: "verdict-title" }, say("verdict")),
      this.line,
      this.rest,
    );
  }

  clear(): void {
    this.shown = "";
    this.set(say("judging"), "waits");
    this.rest.replaceChildren();
  }

  show(now: Now): void {
    const { verdict, is_judging } = now;
    if (is_judging) this.set(say(now.is_building ? "building" : "judging"), "waits");
    else if (!verdict) this.set(say("no-verdict"), "waits");
    else this.set(verdict.line || verdict.told.split("\n")[0] || "", verdict.passed ? "good" : "bad");
    const is_older = verdict !== null && (is_judging || verdict.version !== now.version);
    const key = JSON.stringify([verdict, is_older, is_judging]);
    // What has the focus stays.
    if (key === this.shown) return;
    this.shown = key;
    const isIn = this.rest.contains(document.activeElement);
    this.rest.replaceChildren(...(verdict ? this.parts(verdict, is_older) : []));
    this.rest.classList.toggle("older", is_older);
    if (isIn) this.rest.querySelector("button")?.focus();
  }

  private set(text: string, kind: "good" | "bad" | "waits"): void {
    const mark = { good: "✓ ", bad: "✗ ", waits: "" }[kind];
    if (this.line.textContent !== mark + text) this.line.textContent = mark + text;
    this.line.className = `verdict-line ${kind}`;
  }

  private parts(verdict: Verdict, is_older: boolean): HTMLElement[] {
    const { wishes } = this;
    const parts: HTMLElement[] = [];
    if (is_older) parts.push(el("p", { class: "told" }, say("of-older")));
    if (verdict.told.trim()) parts.push(report(verdict.told));
    if (verdict.more.trim()) parts.push(el("p", { class: "more" }, verdict.more.trim()));
    if (verdict.fix) {
      const { is_over, text } = verdict.fix;
      const words = is_over ? text.trimEnd() || say("no-fix") : say("trying-fix");
      parts.push(el("pre", { class: "fix", tabindex: "0", role: "status" }, words));
    }
    const press = (word: string, what: () => void) => button(word, what, {}, word);
    const [kind] = verdict.kinds;
    const buttons = [
      verdict.has_run && !is_older && press(say("show-run"), wishes.run),
      kind && !PLAIN.includes(kind) && press(say("explain", { kind }), () => wishes.explain(kind)),
      verdict.can_fix && !verdict.fix && !is_older && press(say("try-fix"), wishes.fix),
      press(say("again"), () => wishes.again(verdict.is_verbose)),
      !verdict.passed &&
        press(say(verdict.is_verbose ? "first-only" : "all"), () => wishes.again(!verdict.is_verbose)),
    ];
    parts.push(el("div", { class: "buttons" }, ...buttons.map((one) => one || undefined)));
    return parts;
  }
}

/** A report as the terminal has it; the lines that say what is wrong stand out. */
function report(text: string): HTMLElement {
  const lines = text.trimEnd().split("\n");
  const line = (text: string) => {
    const kind = /^error/.test(text) ? "bad" : /^\s+\|\s+\^/.test(text) ? "deed" : undefined;
    return el("span", { class: kind }, `${text}\n`);
  };
  return el("pre", { tabindex: "0", "aria-label": say("report") }, ...lines.map(line));
}

/** Whether two verdicts mark the same. */
export const sameMarks = (a: Mark[], b: Mark[]): boolean => JSON.stringify(a) === JSON.stringify(b);
