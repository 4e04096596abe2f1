// A finding on the page: which event is its access (1), which is (2), and which lane and cell of it.

import type { Found } from "../trace";
import { isOf, whoOf } from "../trace";
import { has, mask } from "./bits";
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
    const at = ofThreads(model, found, index) ?? found.accesses[index] ?? undefined;
    const lane = access.thread ? access.thread.linear % 32 : undefined;
    const touched = at === undefined ? [] : model.touched(at);
    const cells = lane === undefined ? [] : touched.filter((one) => one.lane === lane);
    const { file, line } = access.location ?? {};
    return { number: index + 1, at, lane, file, line, cells };
  });
}

/** Where the first of several threads did it: the last time before the finding. */
function ofThreads(model: Model, found: Found, index: number): number | undefined {
  const access = found.finding.accesses[index];
  const first = access?.action?.threads?.[0]?.[0];
  if (!access || access.thread || first === undefined) return undefined;
  const until = found.at ?? model.trace.events.length;
  for (let stop = model.stopAt(until); stop >= 0; stop--) {
    const at = model.stops[stop] ?? 0;
    const who = whoOf(model.event(at));
    if (who?.warp !== first >> 5 || !has(mask(who.lanes), first & 31)) continue;
    const place = model.line(at);
    if (place?.line !== access.location?.line || place?.file !== access.location?.file) continue;
    const index = model.blockOf(who.block, at)?.index;
    const is_there = found.finding.place?.block?.every((one, axis) => one === index?.[axis]) ?? true;
    if (is_there) return at;
  }
  return undefined;
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
  const marks = found ? marksOf(model, found).map((mark) => mark.at) : [];
  const headline = marks[found?.finding.headline ?? -1];
  const last = Math.max(-1, ...marks.filter(is_by_warp));
  for (const at of [headline, found?.at, last < 0 ? undefined : last]) if (is_by_warp(at)) return at;
  if (found?.at !== undefined && found.at !== null) return found.at;
  const first = model.stops.find((stop) => whoOf(model.event(stop)) || isOf(model.event(stop), "opens"));
  return first ?? model.stops[0] ?? 0;
}
