// Many schedules of one kernel: how many go wrong, and in how many something is reported.

import type { Policy } from "./answer";
import { type Emulator, NoAnswer } from "./emulator";
import { type End, type Expected, endOf, errorsOf, keyOf } from "./outcome";

/** Thread instructions without an end: a schedule of many should not take seconds. */
const FUEL = 1 << 22;

export interface Result {
  policy: Policy;
  /** "none": the emulator was ended, since the run took too long. */
  end: End | "none";
  /** A key for each bug that was reported. */
  reported: string[];
}

/** In order and in reverse, then each of the schedules that have a seed in turn. */
export function policies(count: number): Policy[] {
  const policy = (at: number): Policy => {
    if (at < 2) return { kind: at === 0 ? "in-order" : "reverse" };
    const seed = Math.floor((at - 2) / 3);
    switch ((at - 2) % 3) {
      case 0:
        return { kind: "random", seed };
      case 1:
        return { kind: "pct", seed, depth: 3 };
      default:
        return { kind: "adversarial", seed };
    }
  };
  return Array.from({ length: count }, (_, at) => policy(at));
}

/** One result after the other, until all are there or `stop` says so. */
export async function* survey(
  emulator: Emulator,
  count: number,
  expected: Expected,
  stop?: AbortSignal,
): AsyncGenerator<Result, void> {
  for (const policy of policies(count)) {
    if (stop?.aborted) return;
    yield await result(emulator, policy, expected);
  }
}

async function result(emulator: Emulator, policy: Policy, expected: Expected): Promise<Result> {
  try {
    const ran = await emulator.run({ policy, fuel: FUEL });
    return { policy, end: endOf(ran, expected) ?? "none", reported: [...new Set(errorsOf(ran).map(keyOf))] };
  } catch (error) {
    // The next one gets a fresh worker.
    if (error instanceof NoAnswer && error.why !== "refused") return { policy, end: "none", reported: [] };
    throw error;
  }
}

export interface Summary {
  runs: number;
  wrong: number;
  reported: number;
}

/** A kernel that was ended has given no right answer. */
export const isWrong = ({ end }: Result): boolean => end === "wrong" || end === "stopped" || end === "none";

export function summary(results: Result[]): Summary {
  const count = (is: (result: Result) => boolean) => results.filter(is).length;
  return { runs: results.length, wrong: count(isWrong), reported: count(({ reported }) => reported.length > 0) };
}
