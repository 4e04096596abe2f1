// An exercise in which nothing is programmed: predict what a run gives, or name the schedule under which a kernel goes wrong.

import type { Policy, Ran, Recording, Sources } from "../live/answer";
import type { Emulator } from "../live/emulator";
import { endOf, errorsOf } from "../live/outcome";
import { BOUND, inWordsOf, pageOfSchedule } from "../live/shown";
import type { Page, Said } from "../page";
import { start } from "../start";
import { el, rich } from "../view/dom";
import { inWords, say } from "../words";

/** What exercises/src/site.rs writes. */
export interface PuzzleData {
  version: 1;
  name: string;
  kernel: string;
  kind: "break" | "predict";
  title: Said;
  /** The file as it is handed out. */
  file: Said;
  path: string;
  idea: Said;
  questions: { text: Said; answer: string }[];
  /** What a run must show that breaks it: `answer`, or the kind of a finding. */
  shows?: string;
  recording: Recording;
  sources: Sources;
  expected?: string[];
}

const SCHEDULES = ["in-order", "reverse", "random", "pct", "adversarial"] as const;
type Schedule = (typeof SCHEDULES)[number];

function policyOf(schedule: Schedule, seed: number): Policy {
  if (schedule === "in-order" || schedule === "reverse") return { kind: schedule };
  return schedule === "pct" ? { kind: "pct", seed, depth: 3 } : { kind: schedule, seed };
}

/** Numbers by value, hexadecimal ones too; words by their letters. */
export function isRight(right: string, given: string): boolean {
  const plain = given.trim().replace(/[_'`]/g, "");
  const [one, other] = [Number(right), Number(plain)];
  if (plain !== "" && !Number.isNaN(one) && !Number.isNaN(other)) return one === other;
  return right.toLowerCase() === plain.toLowerCase();
}

/** Whether a run shows what it should. */
export function isBroken(ran: Ran, shows: string, expected: string[] | undefined): boolean {
  if (shows === "answer") return endOf(ran, expected) === "wrong";
  return errorsOf(ran).some(({ finding }) => finding.slug === shows);
}

export class Puzzle {
  readonly root = el("section", { class: "puzzle", "aria-labelledby": "puzzle-title" });
  private readonly page: Page;
  private readonly given: string[];
  private schedule: Schedule = "in-order";
  private seed = "1";
  /** What is said of the last try, in the language that is spoken. */
  private verdict: (() => Node[]) | undefined;
  private is_solved = false;
  private show: ReturnType<typeof start> | undefined;

  constructor(
    private readonly data: PuzzleData,
    private readonly language: Page["language"],
    private readonly bring: () => Promise<Emulator>,
    private readonly above: () => Element,
  ) {
    this.given = data.questions.map(() => "");
    const lines = data.file.en.split("\n").length;
    this.page = {
      version: 1,
      language,
      lesson: data.name,
      kernel: data.kernel,
      run: { en: "", es: "" },
      answer: { is_right: true, said: { en: "", es: "" } },
      findings: [],
      arrays: [],
      sources: [{ path: data.path, text: data.file.en, kernels: [[1, lines]] }],
      trace: { version: 1, launches: [], sites: [], arrays: [], events: [], findings: [], left_out: 0, time: 0 },
      game: { recording: data.recording, sources: data.sources, ...(data.expected ? { expected: data.expected } : {}) },
    };
    this.reset();
    document.title = inWords(data.title);
  }

  /** The language has changed, or the verdict. */
  reset(): void {
    const { data } = this;
    const lines = inWords(data.file).trimEnd().split("\n");
    const first = lines.findIndex((line) => !line.startsWith("//"));
    const comment = lines.slice(0, first).filter((line) => !/^\/\/ (ANSWER|SCHEDULE|SIZES):/.test(line));
    const task = comment.map((line) => line.replace(/^\/\/ ?/, "")).join("\n");
    const code = lines.slice(first).join("\n").trim();
    this.root.replaceChildren(
      el("h1", { id: "puzzle-title" }, ...rich(inWords(data.title))),
      el("pre", { class: "task", tabindex: "0", "aria-label": say("puzzle-task") }, task.trim()),
      ...(this.show ? [] : [el("pre", { tabindex: "0", "aria-label": say("source") }, code)]),
      data.kind === "break" ? this.tries() : this.questions(),
      el("p", { role: "status", class: this.is_solved ? "good" : "bad" }, ...(this.verdict?.() ?? [])),
      ...(this.is_solved ? [el("p", {}, ...rich(inWords(data.idea)))] : []),
    );
  }

  private form(submit: () => void, ...children: Element[]): Element {
    const form = el("form", {}, ...children, el("button", { type: "submit" }, say("puzzle-try")));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      submit();
    });
    return form;
  }

  private tries(): Element {
    const options = SCHEDULES.map((name) => el("option", { value: name, selected: name === this.schedule }, name));
    const schedule = el("select", {}, ...options);
    schedule.addEventListener("change", () => {
      this.schedule = SCHEDULES.find((name) => name === schedule.value) ?? "in-order";
    });
    const seed = el("input", { type: "number", min: "0", max: `${2 ** 32}`, required: true, value: this.seed });
    seed.addEventListener("input", () => {
      this.seed = seed.value;
    });
    return this.form(
      () => void this.run(),
      el("label", {}, `${say("puzzle-schedule")} `, schedule),
      el("label", {}, `${say("puzzle-seed")} `, seed),
    );
  }

  private questions(): Element {
    const all = this.data.questions.map(({ text }, number) => {
      const input = el("input", { value: this.given[number], autocomplete: "off", required: true });
      input.addEventListener("input", () => {
        this.given[number] = input.value;
      });
      return el("label", {}, el("span", {}, ...rich(inWords(text))), input);
    });
    return this.form(() => void this.check(), ...all);
  }

  private async run(): Promise<void> {
    const policy = policyOf(this.schedule, Number(this.seed));
    const name = "seed" in policy ? `${policy.kind} ${policy.seed}` : policy.kind;
    const shows = this.data.shows ?? "";
    await this.attempt(async (emulator) => {
      const ran = await emulator.run({ policy, trace: BOUND });
      this.is_solved = isBroken(ran, shows, this.data.expected);
      const { is_solved } = this;
      const what = () => (shows === "answer" ? say("puzzle-wrong-answer") : `\`${shows}\``);
      this.verdict = () => rich(say(is_solved ? "puzzle-broken" : "puzzle-not-broken", { name, what: what() }));
      this.play(pageOfSchedule(this.page, ran, policy));
    });
  }

  private async check(): Promise<void> {
    const wrong = this.data.questions.flatMap(({ answer }, at) => (isRight(answer, this.given[at] ?? "") ? [] : [at + 1]));
    this.is_solved = wrong.length === 0;
    if (!this.is_solved) {
      this.verdict = () => rich(say("puzzle-wrong", { numbers: wrong.join(", ") }));
      this.reset();
      return;
    }
    this.verdict = () => rich(say("puzzle-right"));
    // Now the run may be seen.
    await this.attempt(async (emulator) => {
      const policy: Policy = { kind: "in-order" };
      this.play(pageOfSchedule(this.page, await emulator.run({ policy, trace: BOUND }), policy));
    });
  }

  private async attempt(work: (emulator: Emulator) => Promise<void>): Promise<void> {
    try {
      await work(await this.bring());
    } catch (error) {
      this.is_solved = false;
      this.verdict = () => rich(say("no-run", { why: inWordsOf(error) }));
    }
    this.reset();
  }

  private play(page: Page): void {
    const head = () => {
      this.reset();
      return el("div", {}, this.above(), this.root);
    };
    if (this.show) this.show(page, "finding");
    else this.show = start({ ...page, language: this.language }, this.bring, head);
  }
}
