// A finding on the page: which event is its access (1), which is (2), and which lane and cell of it.

import type { Found } from "../trace";
import { isOf, whoOf } from "../trace";
import type { Touched } from "./cells";
import type { Model } from "./model";

export interface Mark {
  /** From 1, as in the report. */
  number: number;
  /** The event, where the trace has it. */
  at: number | undefined;
  lane: number | undefined;
  file: string | undefined;
  line: number | undefined;
  cells: Touched[];
}

export function marksOf(model: Model, found: Found): Mark[] {
  return found.finding.accesses.map((access, index) => {
    const at = found.accesses[index] ?? undefined;
    const lane = access.thread ? access.thread.linear % 32 : undefined;
    const touched = at === undefined ? [] : model.touched(at);
    const cells = lane === undefined ? [] : touched.filter((one) => one.lane === lane);
    const { file, line } = access.location ?? {};
    return { number: index + 1, at, lane, file, line, cells };
  });
}

export const isRace = (found: Found): boolean => found.finding.slug.startsWith("race-");

/** Findings that are bugs, then the others; as indices into the trace's list. */
export function shownFindings(model: Model): number[] {
  const all = model.trace.findings.map((found, index) => ({ found, index }));
  const errors = all.filter(({ found }) => found.finding.severity === "error");
  return (errors.length > 0 ? errors : all).map(({ index }) => index);
}

/** Where a reader should begin: where the finding is complete, else at the first thing that a kernel does. */
export function beginning(model: Model, found: Found | undefined): number {
  const is_by_warp = (at: number | null | undefined): at is number =>
    at !== undefined && at !== null && whoOf(model.event(at)) !== undefined;
  const headline = found?.accesses[found.finding.headline ?? -1];
  const last = Math.max(-1, ...(found?.accesses ?? []).filter(is_by_warp));
  for (const at of [headline, found?.at, last < 0 ? undefined : last]) if (is_by_warp(at)) return at;
  if (found?.at !== undefined && found.at !== null) return found.at;
  const first = model.stops.find((stop) => whoOf(model.event(stop)) || isOf(model.event(stop), "opens"));
  return first ?? model.stops[0] ?? 0;
}
