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
  let last = -1;
  return found.finding.accesses.map((access, index) => {
    const known = ofThreads(model, found, index) ?? found.accesses[index] ?? undefined;
    // Who waits in a loop does so often: the first time after what has a lower number.
    const at = (last < 0 || access.action?.kind !== "waits" ? undefined : firstAfter(model, found, index, last)) ?? known;
    if (isSet(found) && at !== undefined) last = Math.max(last, at);
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

/** Threads have set what others wait for. */
const isSet = ({ finding }: Found): boolean => finding.accesses.some(({ action }) => action?.kind === "set");

/** Where any of several threads does it, after an event or in it. */
function firstAfter(model: Model, found: Found, index: number, after: number): number | undefined {
  const access = found.finding.accesses[index];
  const threads = access?.action?.threads ?? [];
  return model.stops.find((at) => {
    const who = at >= after ? whoOf(model.event(at)) : undefined;
    const place = who && model.line(at);
    if (!who || place?.line !== access?.location?.line || place?.file !== access?.location?.file) return false;
    const lanes = mask(who.lanes);
    return threads.some(([first, last]) => {
      for (let thread = first; thread <= last; thread++) if (thread >> 5 === who.warp && has(lanes, thread & 31)) return true;
      return false;
    });
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
  const marks = found ? marksOf(model, found).map((mark) => mark.at) : [];
  // Locks: where one who holds the first waits for the next.
  const waits = found && isSet(found) ? found.finding.accesses.findIndex(({ action }) => action?.kind === "waits") : -1;
  const headline = marks[found?.finding.headline ?? waits];
  const last = Math.max(-1, ...marks.filter(is_by_warp));
  for (const at of [headline, found?.at, last < 0 ? undefined : last]) if (is_by_warp(at)) return at;
  if (found?.at !== undefined && found.at !== null) return found.at;
  const first = model.stops.find((stop) => whoOf(model.event(stop)) || isOf(model.event(stop), "opens"));
  return first ?? model.stops[0] ?? 0;
}
