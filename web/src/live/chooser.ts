// A game: a person decides whose turn it is, up to the end of the run or of their patience. It knows nothing of how it is drawn.
//
// The emulator makes one run from a list of choices. So each step is a run from the start with one choice more, going back is a run
// with one less, and nothing has to be undone.

import type { Block, Choice, Group, Options, Other, Policy, Ran, Run, Told } from "./answer";
import type { Emulator } from "./emulator";
import { type End, type Expected, endOf, errorsOf, keyOf } from "./outcome";

/** A turn lasts up to the next thing that other threads can see. */
const BY_EVENTS = { kind: "steps" } as const;
/** And what the programming model leaves open is a choice, too. */
const FREELY = { kind: "free-steps" } as const;
const BOUND = { events: 1 << 16, bytes: 1 << 23 };

/** One that may go next. */
export interface Option {
  block: Block;
  /** `undefined` where it is about blocks. */
  warp: number | undefined;
  /** Its lanes that can go on, by where they stand. */
  groups: Group[];
}

/** What a person may be asked besides whose turn it is, and the kinds of choices that it takes. */
export const ALSO = {
  values: ["back"],
  stores: ["behind"],
  lanes: ["parts", "converges"],
  copies: ["copy"],
  grids: ["grid", "begins"],
} as const;

export type Also = keyof typeof ALSO;

const kindsOf = (also: Iterable<Also>): string[] => [...also].flatMap((one) => ALSO[one]);

/** Who may go next, and what they are; or something else, which `other` says. */
export interface Question {
  kind: string;
  launch: number;
  answers: number;
  options: Option[];
  other: Other | undefined;
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
type Step = Pick<Run, "policy" | "choices" | "asks" | "also">;

export class Game {
  /** What was done, and how much of it counts: the rest can be done again. */
  private steps: Step[] = [];
  private done = 0;
  private now: State | undefined;
  private wanted: ReadonlySet<Also> = new Set();

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

  /** What the person is asked besides whose turn it is. */
  get also(): ReadonlySet<Also> {
    return this.wanted;
  }

  private get policy(): Policy {
    return this.wanted.size > 0 ? FREELY : BY_EVENTS;
  }

  /** A new game, which may begin with choices of an earlier one. */
  begin(choices: Choice[] = []): Promise<State> {
    return this.take([this.asking(choices)], 1);
  }

  /** The same game with other questions; a new one if it was played without these choices, or is without them now. */
  ask(also: Iterable<Also>): Promise<State> {
    const before = this.policy;
    this.wanted = new Set(also);
    if (!this.now || this.policy !== before) return this.begin();
    const { choices = [] } = this.now.step;
    return this.take([...this.steps.slice(0, this.done - 1), this.asking(choices)], this.done);
  }

  private asking(choices: Choice[]): Step {
    return { policy: this.policy, choices, asks: true, also: kindsOf(this.wanted) };
  }

  /** Option `pick` of the question is taken, from 0. */
  choose(pick: number): Promise<State> {
    const { question, choices } = this.state;
    if (!question || pick < 0 || pick >= question.answers) throw new Error(`there is no option ${pick}`);
    const { launch, kind, answers } = question;
    return this.further(this.asking([...choices, { launch, kind, answers, pick }]));
  }

  /** From here on nobody is asked: all take turns, or a coin decides with this seed. */
  finish(seed?: number): Promise<State> {
    return this.further({ policy: { ...this.policy, seed } as Policy, choices: this.state.choices, asks: false });
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
  const options = optionsOf(stop);
  // The kind is a name in the singular: one of the blocks is a block.
  if (stop.of !== "other") return { kind: stop.of.replace(/s$/, ""), launch, answers: options.length, options, other: undefined };
  const { kind, answers, lanes } = stop;
  return { kind, launch, answers, options, other: { kind, answers, lanes } };
}

function optionsOf(options: Options): Option[] {
  switch (options.of) {
    case "blocks":
      return options.blocks.map((block) => ({ block, warp: undefined, groups: [] }));
    case "warps":
      return options.warps.map(({ warp, groups }) => ({ block: options.block, warp, groups }));
    case "groups":
      return options.groups.map((group) => ({ block: options.block, warp: options.warp, groups: [group] }));
    case "other":
      return [];
  }
}
