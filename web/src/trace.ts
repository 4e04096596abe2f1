// What a trace is as JSON: see docs/trace.md. Kinds and fields that are not listed here are skipped.

/** Bits as hexadecimal text, since a number has no more than 53 of them. */
export type Hex = string;

export interface Trace {
  version: 1;
  launches: Launch[];
  sites: Site[];
  arrays: ArrayName[];
  events: Event[];
  findings: Found[];
  left_out: number;
  time: number;
}

export interface Launch {
  kernel: string;
  first: number;
  end: number;
  is_traced: boolean;
  fault: string | null;
  grids: Grid[];
}

export type Triple = [number, number, number];

export interface Grid {
  kernel: string;
  grid: Triple;
  block: Triple;
  first_block: number;
}

export interface Location {
  file: string;
  line: number;
  column: number;
}

export interface Site {
  location: Location | null;
  called_from: Location[];
  ptx_line: number;
}

export type Space = "generic" | "global" | "shared" | "local" | "param";

export type ArrayName = { space: Space } & (
  | { kind: "shared"; name: string; kernel: string }
  | { kind: "variable"; name: string }
  | { kind: "argument"; number: number; kernel: string }
);

export interface Found {
  at: number | null;
  accesses: (number | null)[];
  finding: Finding;
}

export interface Finding {
  slug: string;
  severity: "error" | "note" | "hint";
  kernel: string;
  accesses: FoundAccess[];
  place?: { block?: Triple };
  cause?: { kind: string; relation?: { missing?: Missing | null } };
  /** Which of them a report names in its header. */
  headline: number | null;
}

/** Where a flag is set and seen, if a fence is missing there. */
export interface Missing {
  kind: string;
  set?: Location | null;
  look?: Location | null;
  seen?: Location | null;
  acquired?: boolean;
}

export interface FoundAccess {
  location: Location | null;
  thread: { block: Triple; thread: Triple; linear: number } | null;
  /** Of several threads of a block: the first and the last of each run. */
  action?: { kind?: string; threads?: [number, number][] };
}

/** Lanes of a warp and where they stand; absent where no warp acts. */
export interface Who {
  block: number;
  warp: number;
  lanes: Hex;
  site: number;
}

export type Event = { time: number } & (
  | { kind: "block-begins"; in_block: number }
  | ({ kind: "turn" } & Who)
  | ({ kind: "step"; instructions: number; until: number } & Who)
  | ({ kind: "access" } & Access & Who)
  | ({ kind: "split"; others: Hex; at_branch: boolean } & Who)
  | ({ kind: "join"; groups: Hex[] } & Who)
  | ({ kind: "arrives"; barrier: number; waits: boolean } & Who)
  | { kind: "opens"; in_block: number; barrier: number; released: { warp: number; lanes: Hex }[] }
  | ({ kind: "fence"; scope: string; ordering: string } & Who)
  | ({ kind: "meets"; function: string; exchanges: Exchange[] } & Who)
  | ({ kind: "active-mask" } & Who)
  | ({ kind: "exits" } & Who)
  | ({ kind: "launches"; lane: number; grid: number } & Who)
  | { kind: "grid-begins"; grid: number; after: number[] }
  | { kind: "grid-ends"; grid: number }
  | { kind: "copied"; in_block: number; by_warp: number; by_lane: number; bytes: number; to: Hex }
  | { kind: "phase-completes"; address: Hex }
  | { kind: "host"; operation: string; writes: boolean; address: Hex; bytes: number }
);

export type Kind = Event["kind"];
export type EventOf<K extends Kind> = Extract<Event, { kind: K }>;

export type Does = "load" | "store" | "atomic" | "copy-from" | "copy-to" | "use-object";

export interface Access {
  does: Does;
  operation: string | null;
  space: Space;
  scope: string | null;
  bytes: number;
  elements: number;
  type: ValueType;
  by_lane: LaneAccess[];
}

export type ValueType =
  | "b8"
  | "b16"
  | "b32"
  | "b64"
  | "u8"
  | "u16"
  | "u32"
  | "u64"
  | "s8"
  | "s16"
  | "s32"
  | "s64"
  | "f16"
  | "bf16"
  | "f32"
  | "f64"
  | "other";

export interface LaneAccess {
  lane: number;
  /** An element of an array, or an address. */
  array?: number;
  index?: number | null;
  address?: Hex;
  values: Hex[];
  found?: Hex[];
  back?: number;
}

export interface Exchange {
  lane: number;
  brings: Hex;
  from?: number;
  gets: Hex;
}

export function isOf<K extends Kind>(event: Event, kind: K): event is EventOf<K> {
  return event.kind === kind;
}

/** Who acts in an event, if a warp does. */
export function whoOf(event: Event): Who | undefined {
  return "site" in event ? event : undefined;
}
