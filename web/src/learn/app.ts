// The page of `cargo learn web`: one exercise at a time. Its file, what the server knows of it, and what the student does.

import { button, el } from "../view/dom";
import * as api from "./api";
import type { Mark, Now, Opened } from "./api";
import { Editor } from "./editor";
import { ListView } from "./list";
import { Below } from "./run";
import { sameMarks, VerdictView } from "./verdict";
import { say } from "./words";

/** Before the server is asked again, if it did not answer. */
const PATIENCE = 2000;

export class App {
  private readonly title = el("h1", { tabindex: "-1" });
  private readonly facts = el("p", { class: "facts" });
  private readonly state = el("span", { class: "told", role: "status" });
  private readonly notice = el("div", { role: "alert" });
  private readonly asked = el("section", { class: "asked" });
  private readonly hints = el("section", { class: "hints", "aria-live": "polite" });
  private readonly list = new ListView();
  private readonly below = new Below();
  private readonly editor: Editor;
  private readonly verdict: VerdictView;
  private readonly resetPlace = el("span");
  private readonly solutionPlace = el("span");
  /** How many exercises were asked for: only the last one is shown. */
  private turn = 0;
  private exercise: Opened | undefined;
  /** The file on disk, as this page knows it. */
  private version = "";
  private marks: Mark[] = [];
  private listening = new AbortController();
  private isSaving = false;
  private savesAgain = false;
  /** What was typed into other exercises, and is in no file. */
  private readonly drafts = new Map<string, { text: string; version: string }>();
  private known: api.List | undefined;

  constructor(nonce: string) {
    this.editor = new Editor(nonce, () => this.typed(), "leave-editor");
    this.verdict = new VerdictView({
      again: (isVerbose) => void this.does(() => api.judge(this.name(), isVerbose)),
      fix: () => void this.does(() => api.fix(this.name())),
      run: () => this.below.run(this.name(), this.version),
      explain: (kind) => void this.does(async () => this.below.explain(kind, (await api.explain(kind)).text)),
    });
  }

  async start(): Promise<void> {
    const press = (word: string, what: () => void, attributes = {}) => button(word, what, attributes, word);
    const tools = el(
      "div",
      { class: "buttons tools" },
      press(say("save"), () => this.save(), { class: "main", "aria-keyshortcuts": "Control+S" }),
      el("kbd", {}, say("save-key")),
      press(say("hint"), () => void this.does(async () => this.showHints(await api.hint(this.name())))),
      press(say("next"), () => this.next()),
      this.solutionPlace,
      this.resetPlace,
      this.state,
    );
    const left = el(
      "div",
      { class: "work" },
      tools,
      this.notice,
      this.editor.view.dom,
      el("p", { class: "told", id: "leave-editor" }, say("leave-editor")),
    );
    const right = el("div", { class: "side" }, this.verdict.root, this.hints, this.asked);
    document.body.replaceChildren(
      el("header", {}, this.title, this.facts, this.list.root),
      el("main", {}, left, right, this.below.root),
    );
    this.offers();
    addEventListener("hashchange", () => void this.open(this.wanted()));
    addEventListener("keydown", (event) => {
      if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === "s") {
        event.preventDefault();
        this.save();
      }
    });
    addEventListener("beforeunload", (event) => {
      if (this.editor.isDirty() || this.drafts.size > 0) event.preventDefault();
    });
    const list = await api.list();
    this.known = list;
    if (list.missing) this.warn(`${say("no-compiler")}: ${list.missing}`);
    await this.open(this.wanted() || list.next);
    performance.mark("ready");
  }

  private wanted(): string {
    return decodeURIComponent(location.hash.slice(1));
  }

  private name(): string {
    return this.exercise?.name ?? "";
  }

  private async open(name: string): Promise<void> {
    if (!name || name === this.name()) return;
    const turn = ++this.turn;
    await this.does(async () => {
      const opened = await api.open(name);
      // Another one was asked for meanwhile.
      if (turn !== this.turn) return;
      this.keepDraft();
      this.notice.replaceChildren();
      this.below.close();
      this.list.close();
      this.verdict.clear();
      const draft = this.drafts.get(name);
      this.drafts.delete(name);
      this.shows(opened, draft);
      history.replaceState(null, "", `#${name}`);
      this.title.focus();
    });
  }

  /** What is not saved stays in the page until it is. */
  private keepDraft(): void {
    if (this.exercise && this.editor.isDirty()) {
      this.drafts.set(this.name(), { text: this.editor.text(), version: this.version });
    }
  }

  private shows(opened: Opened, draft?: { text: string; version: string }): void {
    this.exercise = opened;
    if (this.known) this.list.show(this.known, opened.name);
    this.version = draft?.version ?? opened.version;
    this.marks = [];
    this.title.textContent = opened.title;
    document.title = `${opened.title} – cargo learn`;
    const { kind, minutes, file } = opened;
    this.facts.textContent = `${opened.name}: ${say(`kind-${kind}`)}, ${say("minutes", { minutes })}. ${file}`;
    this.editor.open(opened.text, draft?.text ?? opened.text, opened.code, say("editor", { file }));
    this.showHints(opened.hints);
    const questions = opened.questions.map((text) => el("li", {}, text));
    const asked = questions.length > 0 && [
      el("h2", {}, say("questions")),
      el("p", {}, say("question")),
      el("ol", {}, ...questions),
    ];
    this.asked.replaceChildren(...(asked || []));
    this.offers();
    this.listening.abort();
    this.listening = new AbortController();
    void this.listen(opened.name, this.listening.signal);
  }

  /** Hears of verdicts and of changes on disk, until another exercise is open. */
  private async listen(name: string, signal: AbortSignal): Promise<void> {
    let seen: number | undefined;
    let known = this.version;
    let isLost = false;
    for (;;) {
      try {
        const now = await api.now(name, seen, known, signal);
        if (signal.aborted) return;
        seen = now.number;
        known = now.version;
        if (isLost) this.notice.replaceChildren();
        isLost = false;
        await this.hear(now);
      } catch (error) {
        if (signal.aborted) return;
        if (!isLost) this.warn(error instanceof api.Refused ? error.message : say("lost"));
        isLost = true;
        await new Promise((resolve) => setTimeout(resolve, PATIENCE));
      }
    }
  }

  private async hear(now: Now): Promise<void> {
    this.verdict.show(now);
    const { verdict } = now;
    const isOfThis = verdict !== null && verdict.version === this.version && !now.is_judging;
    const marks = isOfThis ? verdict.marks : now.is_judging ? this.marks : [];
    if (!sameMarks(marks, this.marks)) this.editor.mark(marks);
    this.marks = marks;
    if (this.known?.standing !== now.standing) {
      this.known = await api.list();
      this.list.show(this.known, this.name());
    }
    if (now.version !== this.version && !this.isSaving) await this.changedOnDisk();
  }

  /** Somebody else has saved the file. What was typed here is not lost by it. */
  private async changedOnDisk(): Promise<void> {
    const opened = await api.open(this.name());
    if (opened.version === this.version) return;
    if (!this.editor.isDirty()) this.takes(opened);
    else this.conflict(opened);
  }

  private takes(held: api.Changed): void {
    this.version = held.version;
    this.notice.replaceChildren();
    this.editor.take(held.text);
  }

  private conflict(held: api.Changed): void {
    if (this.notice.dataset["of"] === held.version && this.notice.childElementCount > 0) return;
    const press = (word: string, what: () => void) => button(word, what, {}, word);
    this.warn(
      say("changed"),
      press(say("take-theirs"), () => this.takes(held)),
      press(say("keep-mine"), () => {
        this.version = held.version;
        this.notice.replaceChildren();
        this.save();
      }),
      el("details", {}, el("summary", {}, say("is-theirs")), el("pre", { tabindex: "0" }, held.text)),
    );
    this.notice.dataset["of"] = held.version;
  }

  private save(): void {
    const name = this.name();
    if (!name) return;
    // One after the other: each says which version it changes.
    this.savesAgain = this.isSaving;
    if (this.isSaving) return;
    this.isSaving = true;
    const text = this.editor.send();
    void this.does(async () => {
      try {
        const { version } = await api.save(name, text, this.version);
        if (name !== this.name()) return;
        this.version = version;
        this.editor.arrived();
        this.notice.replaceChildren();
        this.below.close();
      } catch (error) {
        if (!(error instanceof api.Refused) || !error.changed) throw error;
        if (name === this.name()) this.conflict(error.changed);
      }
    }).finally(() => {
      this.isSaving = false;
      if (this.savesAgain && name === this.name() && this.notice.childElementCount === 0) this.save();
    });
  }

  private next(): void {
    void this.does(async () => {
      const { name, why } = await api.next(this.name());
      if (name) await this.open(name);
      else this.warn(why);
    });
  }

  /** What cannot be undone by a second press asks first. */
  private offers(): void {
    this.offer(this.solutionPlace, say("solution"), say("solution-sure"), () => this.solution());
    this.offer(this.resetPlace, say("reset"), say("reset-sure"), () => this.reset());
  }

  private offer(place: HTMLElement, word: string, question: string, act: () => void): void {
    const again = () => this.offer(place, word, question, act);
    const ask = () => {
      const then = (what: () => void) => () => {
        again();
        what();
      };
      const yes = button(say("yes"), then(act), {}, say("yes"));
      const no = button(say("no"), then(() => place.querySelector("button")?.focus()), {}, say("no"));
      const sure = { role: "group", class: "sure", "aria-label": word };
      place.replaceChildren(el("span", sure, question, " ", yes, " ", no));
      no.focus();
    };
    place.replaceChildren(button(word, ask, {}, word));
  }

  private solution(): void {
    void this.does(async () => {
      const title = say("solution-of", { title: this.exercise?.title ?? "" });
      this.below.text(title, (await api.solution(this.name())).text);
    });
  }

  private reset(): void {
    void this.does(async () => {
      const { exercise, said } = await api.reset(this.name());
      this.verdict.clear();
      this.below.close();
      this.shows(exercise);
      this.notice.replaceChildren();
      if (said) this.warn(said);
    });
  }

  private showHints({ taken }: api.Hints): void {
    const hints = taken.map((hint) => el("p", {}, hint));
    this.hints.replaceChildren(...(hints.length > 0 ? [el("h2", {}, say("hints")), ...hints] : []));
  }

  private typed(): void {
    this.state.textContent = say(this.editor.isDirty() ? "not-saved" : "saved");
  }

  private warn(text: string, ...more: HTMLElement[]): void {
    delete this.notice.dataset["of"];
    this.notice.replaceChildren(el("div", { class: "notice" }, el("p", {}, text), ...more));
  }

  /** Does something, and says so if it does not work. */
  private async does(what: () => Promise<unknown>): Promise<void> {
    try {
      await what();
    } catch (error) {
      this.warn(error instanceof api.Refused ? say("failed", { why: error.message }) : say("lost"));
    }
  }
}
