// A run of a game as the player's views take it.

import type { FindingSaid, Page, Said } from "../page";
import type { Found, Trace } from "../trace";
import { inWords, said, say } from "../words";
import type { Policy, Ran, Run } from "./answer";
import type { State } from "./chooser";
import { NoAnswer } from "./emulator";
import type { End } from "./outcome";
import { endOf, errorsOf, keyOf } from "./outcome";
import { runToken } from "./token";

/** How much a trace keeps: as much as one of `--trace`. */
export const BOUND = { events: 1 << 16, bytes: 1 << 23 };

const NOTHING: FindingSaid = { message: { en: "", es: "" }, why: { en: "", es: "" }, deeds: [], report: { en: "", es: "" } };
const EMPTY: Trace = {
  version: 1,
  launches: [],
  sites: [],
  arrays: [],
  events: [],
  findings: [],
  left_out: 0,
  time: 0,
};

/** What came of a run, or that it is not at its end. */
export function endSaid(end: End | "none" | undefined): Said {
  switch (end) {
    case undefined:
      return said("game-open");
    case "right":
      return said("game-right");
    case "wrong":
      return said("game-wrong");
    case "unknown":
      return said("game-unknown");
    case "stopped":
    case "none":
      return said("game-stopped");
  }
}

/** `random 3` */
export function nameOf(policy: Policy): string {
  return "seed" in policy && policy.seed !== undefined ? `${policy.kind} ${policy.seed}` : policy.kind;
}

/** A game so far. */
export function pageOfGame(page: Page, { ran, end, step }: State, length: number): Page {
  return pageOf(page, ran, step, said("game-step", { step: length }), end);
}

/** A run under a schedule of the emulator's own. */
export function pageOfSchedule(page: Page, ran: Ran, policy: Policy): Page {
  const run = said("game-schedule", { schedule: nameOf(policy) });
  return pageOf(page, ran, { policy }, run, endOf(ran, page.game?.expected));
}

function pageOf(page: Page, ran: Ran, asked: Pick<Run, "policy" | "choices">, run: Said, end: End | undefined): Page {
  const { trace = EMPTY } = ran;
  const is_right = end !== "wrong" && end !== "stopped";
  return {
    ...page,
    command: page.any_command?.replace("{run}", runToken(asked)),
    run,
    answer: { is_right, said: endSaid(end) },
    title: end === "right" ? undefined : is_right ? said("game-nothing") : undefined,
    findings: trace.findings.map((found) => saidOf(ran, found)),
    arrays: ran.arrays.map((name, at) => name ?? `#${at}`),
    trace,
  };
}

function saidOf(ran: Ran, { finding }: Found): FindingSaid {
  const all = [...errorsOf(ran), ...ran.launches.flatMap(({ notes }) => notes)];
  const text = JSON.stringify(finding);
  const key = keyOf({ finding });
  return all.find((told) => JSON.stringify(told.finding) === text) ?? all.find((told) => keyOf(told) === key) ?? NOTHING;
}

/** Why there is no answer. */
export function inWordsOf(error: unknown): string {
  if (!(error instanceof NoAnswer)) return error instanceof Error ? error.message : "?";
  if (error.why === "limit") return say("game-limit");
  return error.why === "trap" ? say("game-trap", { why: error.message }) : inWords(error.said);
}
