// Small traces, written by hand.

import type { Event, LaneAccess, Trace, ValueType } from "../src/trace";

/** An event without its time, which nothing depends on. */
type Timeless = Event extends infer E ? (E extends Event ? Omit<E, "time"> : never) : never;

export function run(events: Timeless[], more: Partial<Trace> = {}): Trace {
  const grids = [{ kernel: "k", grid: [2, 1, 1] as const, block: [64, 1, 1] as const, first_block: 0 }];
  const launch = { kernel: "k", first: 0, end: events.length, is_traced: true, fault: null, grids };
  return {
    version: 1,
    launches: [launch],
    sites: [10, 11, 12].map((line) => ({
      location: { file: "k.cu", line, column: 1 },
      called_from: [],
      ptx_line: line,
    })),
    arrays: [
      { space: "shared", kind: "shared", name: "s", kernel: "k" },
      { space: "global", kind: "argument", number: 1, kernel: "k" },
    ],
    events: events.map((event, time) => ({ ...event, time })),
    findings: [],
    left_out: 0,
    time: events.length,
    ...more,
  } as unknown as Trace;
}

export const begins = (block = 0): Timeless => ({ kind: "block-begins", in_block: block });

export const who = (warp: number, lanes: string, site: number, block = 0) => ({ block, warp, lanes, site });

interface Access {
  does: "load" | "store" | "atomic";
  array: number;
  /** Lane, index, value, and what was found. */
  by: [number, number, string, string?][];
  warp?: number;
  block?: number;
  site?: number;
  bytes?: number;
  type?: ValueType;
  operation?: string;
  elements?: number;
}

export function access({ does, array, by, ...rest }: Access): Timeless {
  const lanes = by.reduce((mask, [lane]) => (mask | (1 << lane)) >>> 0, 0);
  const by_lane: LaneAccess[] = by.map(([lane, index, value, found]) => ({
    lane,
    array,
    index,
    values: [value],
    ...(found === undefined ? {} : { found: [found] }),
  }));
  return {
    kind: "access",
    ...who(rest.warp ?? 0, `0x${lanes.toString(16)}`, rest.site ?? 0, rest.block ?? 0),
    does,
    operation: rest.operation ?? null,
    space: array === 0 ? "shared" : "global",
    scope: null,
    bytes: rest.bytes ?? 4,
    elements: rest.elements ?? 1,
    type: rest.type ?? "u32",
    by_lane,
  };
}
