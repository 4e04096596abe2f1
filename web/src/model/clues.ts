// What a finding is about besides its accesses: where a flag is set and where it is seen, with what is missing there; and blocks that
// have not begun.

import type { Found, Location, Missing } from "../trace";
import { isOf } from "../trace";
import type { Mark } from "./marks";
import type { Model } from "./model";

export interface Clue {
  /** What happens in the line. */
  is: "sets" | "sees";
  /** No fence orders it. */
  lacks: boolean;
  file: string;
  line: number;
  /** The event, where the trace has it. */
  at: number | undefined;
}

export function cluesOf(model: Model, found: Found, marks: Mark[]): Clue[] {
  const missing = found.finding.cause?.relation?.missing;
  if (!missing) return [];
  const until = Math.max(-1, ...marks.map(({ at }) => at ?? -1));
  const from = Math.min(...marks.map(({ at }) => at ?? 0));
  const clue = (is: Clue["is"], lacks: boolean, place: Location | null | undefined): Clue[] =>
    place ? [{ is, lacks, file: place.file, line: place.line, at: lastAccess(model, place, from, until) }] : [];
  switch (missing.kind) {
    case "fence-before-flag":
      return [...clue("sets", true, missing.set), ...clue("sees", !missing.acquired, missing.look)];
    case "fence-after-look":
      return clue("sees", true, seenAt(missing));
    default:
      return [];
  }
}

const seenAt = ({ seen, look }: Missing) => seen ?? look;

/** The last access of a line between two events. */
function lastAccess(model: Model, place: Location, from: number, until: number): number | undefined {
  for (let stop = model.stopAt(until); stop >= 0; stop--) {
    const at = model.stops[stop] ?? 0;
    if (at < from) return undefined;
    const line = model.line(at);
    if (isOf(model.event(at), "access") && line?.line === place.line && line.file === place.file) return at;
  }
  return undefined;
}

/** Blocks of the launch at an event that never begin in this run. */
export function blocksNotBegun(model: Model, at: number): number[] {
  const number = model.launchOf(at);
  const [grid, other] = model.trace.launches[number]?.grids ?? [];
  // Of a trace that is cut nobody knows; grids that kernels launch begin when they may.
  if (!grid || other || model.trace.left_out > 0) return [];
  const [x, y, z] = grid.grid;
  const all = Array.from({ length: Math.min(x * y * z, 1 << 10) }, (_, block) => grid.first_block + block);
  return all.filter((block) => !model.begun.has(`${number}/${block}`));
}
