// What a page holds besides the trace: what only the program that made it knows.

import type { Trace } from "./trace";

export type Language = "en" | "es";

/** A text in each language. */
export type Said = Record<Language, string>;

export interface Page {
  version: 1;
  language: Language;
  lesson: string;
  kernel: string;
  /** What the reader types to make this run again. */
  command: string;
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
}

export interface FindingSaid {
  message: Said;
  why: Said;
  /** What each access did, by whom. */
  deeds: Said[];
  /** The whole report, as the terminal has it. */
  report: Said;
}

export interface Source {
  path: string;
  text: string;
  /** First and last line of each kernel that ran. */
  kernels: [number, number][];
}
