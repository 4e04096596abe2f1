// A game: a person decides whose turn it is, up to the end of the run or of their patience. It knows nothing of how it is drawn.
//
// The emulator makes one run from a list of choices. So each step is a run from the start with one choice more, going back is a run
// with one less, and nothing has to be undone.

import type { Block, Choice, Group, Options, Ran, Run, Told } from "./answer";
import type { Emulator } from "./emulator";
import { type End, type Expected, endOf, errorsOf, keyOf } from "./outcome";

/** A turn lasts up to the next thing that other threads can see. */
const BY_EVENTS = { kind: "steps" } as const;
const BOUND = { events: 1 << 16, bytes: 1 << 23 };

/** One that may go next. */
export interface Option {
  block: Block;
  /** `undefined` where it is about blocks. */
  warp: number | undefined;
  /** Its lanes that can go on, by where they stand. */
  groups: Group[];
}

/** Who may go next, and what they are. */
export interface Question {
  of: Options["of"];
  launch: number;
  options: Option[];
}

export interface State {
  /** Choices that led here, those that nobody was asked for among them. */
  choices: Choice[];
  question: Question | undefined;
  /** Absent while there is a question. */
  end: End | undefined;
  errors: Told[];
  /** Those that the step before did not have. */
  fresh: Told[];
  ran: Ran;
  /** What the run was asked to be. */
  step: Step;
}

/** The given choices are of another kernel, or of another emulator. */
export class Misfit extends Error {
  constructor(
    /** Which one it is, from 0. */
    readonly place: number,
    message: string,
  ) {
    super(message);
  }
}

/** A run that led to a state. */
type Step = Pick<Run, "policy" | "choices" | "asks">;

export class Game {
  /** What was done, and how much of it counts: the rest can be done again. */
  private steps: Step[] = [];
  private done = 0;
  private now: State | undefined;

  constructor(
    private readonly emulator: Emulator,
    private readonly expected: Expected,
    private readonly fuel?: number,
  ) {}

  get state(): State {
    if (!this.now) throw new Error("the game has not begun");
    return this.now;
  }

  get canGoBack(): boolean {
    return this.done > 1;
  }

  get canGoOn(): boolean {
    return this.done < this.steps.length;
  }

  /** How many steps a person has made. */
  get length(): number {
    return Math.max(0, this.done - 1);
  }

  /** A new game, which may begin with choices of an earlier one. */
  begin(choices: Choice[] = []): Promise<State> {
    return this.take([{ policy: BY_EVENTS, choices, asks: true }], 1);
  }

  /** Option `pick` of the question goes next, from 0. */
  choose(pick: number): Promise<State> {
    const { question, choices } = this.state;
    const answers = question?.options.length ?? 0;
    if (!question || !(pick in question.options)) throw new Error(`there is no option ${pick}`);
    // The kind is a name in the singular: one of the blocks is a block.
    const choice = { launch: question.launch, kind: question.of.replace(/s$/, ""), answers, pick };
    return this.further({ policy: BY_EVENTS, choices: [...choices, choice], asks: true });
  }

  /** From here on nobody is asked: all take turns, or a coin decides with this seed. */
  finish(seed?: number): Promise<State> {
    return this.further({ policy: { ...BY_EVENTS, seed }, choices: this.state.choices, asks: false });
  }

  back(): Promise<State> {
    if (!this.canGoBack) throw new Error("this is the start");
    return this.take(this.steps, this.done - 1);
  }

  /** What was taken back is done again. */
  redo(): Promise<State> {
    if (!this.canGoOn) throw new Error("nothing was taken back");
    return this.take(this.steps, this.done + 1);
  }

  private further(step: Step): Promise<State> {
    return this.take([...this.steps.slice(0, this.done), step], this.done + 1);
  }

  /** Nothing changes if there is no answer. */
  private async take(steps: Step[], done: number): Promise<State> {
    const step = steps[done - 1] as Step;
    const ran = await this.emulator.run({ ...step, fuel: this.fuel, trace: BOUND });
    if (ran.stop?.why === "misfit") {
      const { place, given, asked } = ran.stop;
      const there = asked ? `${asked[1]} times ${asked[0]}` : "nothing";
      throw new Misfit(place, `choice ${place} is one of ${given.answers} times ${given.kind}, and there is ${there}`);
    }
    const before = done > this.done ? this.now?.errors : undefined;
    this.now = { ...stateOf(ran, this.expected, before), step };
    this.steps = steps;
    this.done = done;
    return this.now;
  }
}

function stateOf(ran: Ran, expected: Expected, before: Told[] = []): Omit<State, "step"> {
  const known = new Set(before.map(keyOf));
  const errors = errorsOf(ran);
  const fresh = errors.filter((error) => !known.has(keyOf(error)));
  return { choices: ran.choices, question: questionOf(ran), end: endOf(ran, expected), errors, fresh, ran };
}

function questionOf({ stop, trace }: Ran): Question | undefined {
  if (stop?.why !== "unanswered") return undefined;
  // The device counts the grids that kernels launch as launches too.
  const earlier = trace?.launches.slice(0, -1) ?? [];
  const launch = earlier.reduce((sum, { grids }) => sum + Math.max(1, grids.length), 1);
  return { of: stop.of, launch, options: optionsOf(stop) };
}

function optionsOf(options: Options): Option[] {
  switch (options.of) {
    case "blocks":
      return options.blocks.map((block) => ({ block, warp: undefined, groups: [] }));
    case "warps":
      return options.warps.map(({ warp, groups }) => ({ block: options.block, warp, groups }));
    case "groups":
      return options.groups.map((group) => ({ block: options.block, warp: options.warp, groups: [group] }));
  }
}
