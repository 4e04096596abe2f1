// What a page holds besides the trace: what only the program that made it knows.

import type { Choice, Recording, Run, Sources } from "./live/answer";
import type { Trace } from "./trace";

export type Language = "en" | "es";

/** A text in each language. */
export type Said = Record<Language, string>;

export interface Page {
  version: 1;
  language: Language;
  lesson: string;
  kernel: string;
  /** What the reader types to make this run again, if anything does. */
  command?: string | undefined;
  /** The same for any run of the kernel: `{run}` is its schedule, its seed and its choices. */
  any_command?: string | undefined;
  /** The run: its schedule and its size. */
  run: Said;
  /** The answer of this run in words, and whether it was right. */
  answer: { is_right: boolean; said: Said };
  /** For each finding of the trace, its words. */
  findings: FindingSaid[];
  /** For each array of the trace, what the source calls it. */
  arrays: string[];
  sources: Source[];
  trace: Trace;
  /** What the emulator is asked to make this run. */
  made?: Pick<Run, "policy" | "fuel" | "keep"> | undefined;
  /** What is said at the top if nothing was found. */
  title?: Said | undefined;
  /** What it takes to make other runs of the kernel in the page. */
  game?: PageGame;
}

export interface PageGame {
  recording: Recording;
  sources: Sources;
  /** What the host should read, in order, each in base64. */
  expected?: string[];
  /** A game begins with these. */
  choices?: Choice[];
}

export interface FindingSaid {
  message: Said;
  why: Said;
  /** What each access did, by whom. */
  deeds: Said[];
  /** The whole report, as the terminal has it. */
  report: Said;
  /** What fixes it, or may; absent where a student is to think first. */
  fix?: Said;
}

export interface Source {
  path: string;
  text: string;
  /** First and last line of each kernel that ran. */
  kernels: [number, number][];
}
