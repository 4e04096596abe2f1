// What the emulator is asked and what it answers, as JSON: see emulator/browser/src/request.rs and answer.rs.

import type { FindingSaid, Said } from "../page";
import type { Finding, Location, Trace, Triple } from "../trace";

/** What a program asked of its device; only the emulator reads it. */
export interface Recording {
  programs: string[][];
  next: number;
  commands: { do: string; [of: string]: unknown }[];
}

/** Texts of the files that reports quote, by the names that the PTX gives them. */
export type Sources = Record<string, string>;

export type Policy =
  | { kind: "in-order" | "reverse" }
  /** Without a seed, blocks, warps and lanes take turns. */
  | { kind: "steps"; seed?: number }
  /** The same, and all that the programming model leaves open is a choice too. */
  | { kind: "free-steps"; seed?: number }
  | { kind: "random" | "adversarial"; seed: number }
  | { kind: "pct"; seed: number; depth: number };

export interface Bound {
  events: number;
  bytes: number;
}

export interface Run {
  policy: Policy;
  /** Thread instructions that a launch may take while no thread of it ends. */
  fuel?: number;
  choices?: Choice[];
  /** Of the schedule's own choices, those that are kept: where there are some, all others are as in order. */
  keep?: number[] | undefined;
  /** Whether the run stops at the first choice about whose turn it is that is not given. */
  asks?: boolean;
  /** With `asks`, it stops at choices of these kinds too. */
  also?: string[];
  /** Whether it is counted what the launches do. */
  counts?: boolean;
  trace?: Bound;
}

export type Request = { do: "load"; recording: Recording; sources: Sources } | ({ do: "run" } & Run);

export type Answer = { kind: "loaded" } | ({ kind: "ran" } & Ran) | { kind: "error"; error: Said };

export interface Ran {
  launches: Launch[];
  of_host: Told[];
  /** What the host read, in order, each in base64. */
  reads: string[];
  /** Those of a person, and of the schedule of turns. */
  choices: Choice[];
  stop: Stop | null;
  trace?: Trace;
  /** What the source calls each array of the trace; `null` where that is not known. */
  arrays: (string | null)[];
}

export interface Launch {
  findings: Told[];
  notes: Told[];
  printed: string;
  /** What ended the kernel, if something did. */
  fault: string | null;
  warp_instructions: number;
  thread_instructions: number;
  counts?: Counts;
}

/** What a launch did, counted, by the names of docs/output.md. */
export interface Counts {
  totals: Record<string, number>;
  lines: { file: string; line: number; totals: Record<string, number> }[];
  atomic_addresses: number;
  busiest_address: number;
  writers: Record<string, number>;
}

/** A finding in words and as data. */
export interface Told extends FindingSaid {
  finding: Finding;
}

export interface Choice {
  /** The launch, as the device counts them. */
  launch: number;
  kind: string;
  answers: number;
  pick: number;
}

export type Stop =
  | ({ why: "unanswered" } & Options)
  | { why: "misfit"; place: number; given: Choice; asked: [string, number] | null };

export type Options =
  | { of: "blocks"; blocks: Block[] }
  | { of: "warps"; block: Block; warps: { warp: number; groups: Group[] }[] }
  | { of: "groups"; block: Block; warp: number; groups: Group[] }
  | ({ of: "other" } & Other);

/** A choice that is not about whose turn it is. */
export interface Other {
  kind: string;
  answers: number;
  /** The lanes that it is about, where it is about lanes. */
  lanes: number;
}

export interface Block {
  /** Counted through all grids of the launch. */
  number: number;
  kernel: string;
  index: Triple;
}

/** Lanes that stand at one instruction. */
export interface Group {
  /** A bit each. */
  lanes: number;
  location: Location | null;
  called_from: Location[];
  ptx_line: number;
}
