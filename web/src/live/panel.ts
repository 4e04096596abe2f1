// The panel of the game: who may go next, as buttons; what came of it; and a survey of many schedules.

import { lanesText } from "../model/bits";
import type { Page } from "../page";
import { button, capital, el, rich } from "../view/dom";
import { inWords, say, type Word } from "../words";
import type { Group } from "./answer";
import { asked, SWITCHES } from "./asked";
import { type Also, Game, type Option } from "./chooser";
import type { Emulator } from "./emulator";
import { BOUND, endSaid, inWordsOf, pageOfGame, pageOfSchedule } from "./shown";
import { Squares } from "./squares";
import { survey } from "./survey";

const SCHEDULES = 100;
/** Of a survey, results that are drawn at once. */
const AT_ONCE = 5;

/** Shows a run: at its end, or where its finding is. */
export type Show = (run: Page, where: "end" | "finding") => void;

export class Panel {
  readonly root = el("section", { class: "game", "aria-labelledby": "game-title" });
  private readonly squares = new Squares((at) => void this.during(() => this.showSchedule(at)));
  private emulator: Emulator | undefined;
  private game: Game | undefined;
  private survey: AbortController | undefined;
  private is_busy = false;
  /** The last of what is to be done. */
  private turn: Promise<void> = Promise.resolve();
  private trouble = "";
  /** The page shows the game, and no other run. */
  private shows_game = false;

  constructor(
    private readonly page: Page,
    /** Brings the emulator, with the page's recording loaded. */
    private readonly bring: () => Promise<Emulator>,
    private readonly show: Show,
  ) {
    document.addEventListener("keydown", (event) => this.key(event));
  }

  /** The language has changed, or the game. */
  reset(): void {
    const { game } = this;
    this.root.classList.toggle("playing", game !== undefined || this.squares.results.length > 0);
    this.root.replaceChildren(
      el("h2", { id: "game-title" }, say("game")),
      ...(game ? this.played(game) : this.before()).filter((part) => part !== undefined),
      el("p", { class: "trouble", role: "alert" }, this.trouble),
      this.squares.root,
    );
    this.squares.reset();
  }

  private before(): Element[] {
    return [
      el("p", {}, say("game-about")),
      el("p", { class: "tools" }, this.tool(say("game-start"), () => this.start(), false, "start"), this.surveyButton()),
    ];
  }

  private played(game: Game): (Element | undefined)[] {
    const { question, fresh, end } = game.state;
    const reported = fresh.map(({ message, finding }) =>
      el("p", { class: "reported" }, `${say("reported")}: `, ...rich(inWords(message)), " ", el("code", {}, finding.slug)),
    );
    const came = end && el("p", { class: `end ${end}` }, `${capital(inWords(endSaid(end)))}.`);
    const other = question?.other && asked(pageOfGame(this.page, game.state, game.length), question.other);
    const who = other?.question ?? say("game-who");
    const options = other
      ? other.answers.map((answer, at) => this.answer(answer, at))
      : (question?.options ?? []).map((option, at) => this.option(option, at));
    return [
      el("div", { role: "status" }, came, ...reported),
      question && el("h3", {}, who),
      other?.about ? el("p", { class: "about" }, ...rich(other.about)) : undefined,
      question && el("div", { class: "options", role: "group", "aria-label": who }, ...options),
      el(
        "p",
        { class: "tools" },
        this.tool(say("game-back"), () => game.back(), !game.canGoBack, "back"),
        this.tool(say("game-redo"), () => game.redo(), !game.canGoOn),
        this.tool(say("game-turns"), () => game.finish(), !question),
        this.tool(say("game-random"), () => game.finish(1 + Math.floor(Math.random() * 1e6)), !question),
        this.tool(say("game-new"), () => game.begin(), game.state.step.choices?.length === 0),
        this.surveyButton(),
        this.shows_game
          ? button(say("game-recorded"), () => this.showRecorded(), {}, say("game-recorded"))
          : button(say("game-shown"), () => this.showGame(game), {}, say("game-shown")),
      ),
      this.switches(game),
      el("p", { class: "keys" }, say("game-keys")),
    ];
  }

  /** What else the reader chooses. */
  private switches(game: Game): Element {
    const one = ([also, word]: [Also, Word]) => {
      const box = el("input", { type: "checkbox", name: word, checked: game.also.has(also) });
      box.addEventListener("change", () => {
        const wanted = new Set(game.also);
        if (box.checked) wanted.add(also);
        else wanted.delete(also);
        void this.during(() => game.ask(wanted));
      });
      return el("label", {}, box, ` ${say(word)}`);
    };
    const about = el("p", { class: "keys" }, say("also-about"));
    return el("fieldset", { class: "also" }, el("legend", {}, say("also")), ...SWITCHES.map(one), about);
  }

  /** An answer to something else than whose turn it is. */
  private answer(text: string, at: number): Element {
    const number = at < 9 ? el("kbd", { "aria-hidden": "true" }, `${at + 1}`) : undefined;
    const made = el("button", { type: "button", class: "option" }, number, el("b", {}, text));
    made.addEventListener("click", () => void this.during(() => this.game?.choose(at)));
    return made;
  }

  private option({ block, warp, groups }: Option, at: number): Element {
    const grids = this.game?.state.ran.trace?.launches.at(-1)?.grids ?? [];
    const hasBlocks = grids.length > 1 || grids.some(({ grid }) => grid.some((extent) => extent > 1));
    const [x, y, z] = block.index;
    const place = say("block", { block: y === 0 && z === 0 ? x : `(${block.index.join(",")})` });
    const name = warp === undefined ? [place] : [...(hasBlocks ? [place] : []), say("warp", { warp })];
    const number = at < 9 ? el("kbd", { "aria-hidden": "true" }, `${at + 1}`) : undefined;
    const stands = groups.map((group) => this.stands(group));
    const made = el("button", { type: "button", class: "option" }, number, el("b", {}, name.join(", ")), " ", ...stands);
    made.addEventListener("click", () => void this.during(() => this.game?.choose(at)));
    return made;
  }

  private stands({ lanes, location, called_from, ptx_line }: Group): Element {
    const places = [...called_from].reverse();
    if (location) places.push(location);
    // Where the kernel itself stands: functions of headers have no source here.
    const known = places.filter(({ file }) => this.page.sources.some(({ path }) => path === file));
    const place = known.at(-1);
    const source = this.page.sources.find(({ path }) => path === place?.file);
    const code = source?.text.split("\n")[(place?.line ?? 0) - 1]?.trim() ?? "";
    const line = place ? say("line", { line: place.line }).toLowerCase() : `PTX ${ptx_line}`;
    const list = say("lanes-short", { lanes: lanesText(lanes >>> 0) });
    return el("span", { class: "stands" }, `${list}, ${line} `, el("code", {}, code));
  }

  private tool(name: string, work: () => Promise<unknown>, is_off: boolean, kind?: string): Element {
    return button(name, () => void this.during(work), { class: kind, disabled: is_off }, name);
  }

  private surveyButton(): Element {
    if (this.survey) return button(say("survey-stop"), () => this.survey?.abort(), { class: "survey-stop" }, say("survey-stop"));
    const name = say("survey", { count: SCHEDULES });
    return button(name, () => void this.look(), { class: "survey-start" }, name);
  }

  /** A button is pressed: not while something else is under way, since it may mean another option by then. */
  private async during(work: () => Promise<unknown> | undefined): Promise<void> {
    if (!this.is_busy) await this.inTurn(work);
  }

  /** One thing at a time, in order. */
  private inTurn(work: () => Promise<unknown> | undefined): Promise<void> {
    this.is_busy = true;
    const done = this.turn.then(() => this.perform(work));
    this.turn = done;
    return done;
  }

  /** What goes wrong is told, and the game stays as it was. */
  private async perform(work: () => Promise<unknown> | undefined): Promise<void> {
    this.is_busy = true;
    this.trouble = "";
    const focus = this.focused();
    try {
      const before = this.game?.state;
      const from = performance.now();
      await work();
      performance.measure("step", { start: from });
      const { game } = this;
      if (game && game.state !== before) this.showGame(game);
    } catch (error) {
      this.trouble = say("game-trouble", { why: inWordsOf(error) });
    }
    this.is_busy = false;
    this.reset();
    this.refocus(focus);
  }

  private async ready(): Promise<Emulator> {
    this.emulator ??= await this.bring();
    return this.emulator;
  }

  private async start(): Promise<void> {
    const game = new Game(await this.ready(), this.page.game?.expected);
    // A run that was played with these choices goes on with them.
    if (this.page.made?.policy.kind === "free-steps") await game.ask(SWITCHES.map(([also]) => also));
    await game.begin(this.page.game?.choices);
    this.game = game;
  }

  private async look(): Promise<void> {
    const stop = new AbortController();
    this.survey = stop;
    this.trouble = "";
    this.squares.results = [];
    this.squares.chosen = undefined;
    this.reset();
    const from = performance.now();
    try {
      for await (const result of survey(await this.ready(), SCHEDULES, this.page.game?.expected, stop.signal)) {
        this.squares.results.push(result);
        if (this.squares.results.length % AT_ONCE === 0) this.squares.reset();
      }
    } catch (error) {
      this.trouble = say("game-trouble", { why: inWordsOf(error) });
    }
    performance.measure("survey", { start: from });
    this.survey = undefined;
    this.reset();
  }

  private showGame(game: Game): void {
    this.squares.chosen = undefined;
    this.shows_game = true;
    this.show(pageOfGame(this.page, game.state, game.length), "end");
    this.reset();
  }

  private showRecorded(): void {
    this.squares.chosen = undefined;
    this.shows_game = false;
    this.show(this.page, "finding");
    this.reset();
  }

  private async showSchedule(at: number): Promise<void> {
    const result = this.squares.results[at];
    if (!result) return;
    const ran = await (await this.ready()).run({ policy: result.policy, trace: BOUND });
    this.squares.chosen = at;
    this.shows_game = false;
    this.show(pageOfSchedule(this.page, ran, result.policy), "finding");
  }

  private key(event: KeyboardEvent): void {
    const { game } = this;
    if (!game || event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
    const pick = "123456789".indexOf(event.key);
    const has = () => pick < (game.state.question?.answers ?? 0);
    // Keys that come fast count one after the other.
    if (event.key === "Backspace") void this.inTurn(() => (game.canGoBack ? game.back() : undefined));
    else if (pick >= 0) void this.inTurn(() => (has() ? game.choose(pick) : undefined));
    else return;
    event.preventDefault();
  }

  /** Which of the panel's buttons and switches has the focus, if one has; switches by name, since buttons come and go above them. */
  private focused(): { at: number; name: string } {
    const on = document.activeElement as HTMLElement;
    const all = [...this.root.querySelectorAll<HTMLElement>("button, input")];
    return { at: all.indexOf(on), name: on instanceof HTMLInputElement ? on.name : "" };
  }

  /** What was drawn anew keeps the focus. */
  private refocus({ at, name }: { at: number; name: string }): void {
    if (at < 0) return;
    const all = [...this.root.querySelectorAll<HTMLButtonElement | HTMLInputElement>("button, input")];
    const same = name ? all.find((one) => one.name === name) : all[at];
    const next = same?.disabled === false ? same : all.find((one) => !one.disabled);
    next?.focus();
  }
}
