// What the server is asked, and what it answers: `exercises/src/web/view.rs` has the same types.

import type { Language } from "./words";

export type Kind = "fix" | "fill" | "simplify" | "faster" | "choose" | "predict" | "count" | "break" | "host";

export interface List {
  language: Language;
  standing: string;
  solved: number;
  of: number;
  topics: { name: string; title: string; exercises: Item[] }[];
  next: string;
  missing: string | null;
}

export interface Item {
  name: string;
  title: string;
  kind: Kind;
  minutes: number;
  is_solved: boolean;
  is_blocked: boolean;
  hints: number;
}

export interface Opened {
  name: string;
  title: string;
  kind: Kind;
  minutes: number;
  file: string;
  code: "cpp" | "rust";
  text: string;
  version: string;
  questions: string[];
  hints: Hints;
  is_solved: boolean;
}

export interface Hints {
  taken: string[];
  are_all: boolean;
}

export interface Now {
  number: number;
  version: string;
  is_judging: boolean;
  is_building: boolean;
  verdict: Verdict | null;
  standing: string;
  is_solved: boolean;
}

export interface Verdict {
  version: string;
  passed: boolean;
  is_verbose: boolean;
  kinds: string[];
  told: string;
  line: string;
  more: string;
  marks: Mark[];
  has_run: boolean;
  fix: { is_over: boolean; text: string } | null;
  can_fix: boolean;
}

export interface Mark {
  line: number;
  text: string;
  is_main: boolean;
}

/** The file was changed by somebody else. */
export interface Changed {
  text: string;
  version: string;
}

/** What the server says against a request. */
export class Refused extends Error {
  constructor(
    message: string,
    readonly status: number,
    readonly changed?: Changed,
  ) {
    super(message);
  }
}

async function ask<T>(path: string, init: RequestInit): Promise<T> {
  const response = await fetch(path, init);
  const text = await response.text();
  const data = (text.startsWith("{") ? JSON.parse(text) : {}) as T & Partial<Changed> & { error?: string };
  if (response.ok) return data;
  const { version } = data;
  const changed = response.status === 409 && version !== undefined ? { text: data.text ?? "", version } : undefined;
  throw new Refused(data.error ?? text, response.status, changed);
}

function get<T>(what: string, values: Record<string, string>, signal?: AbortSignal): Promise<T> {
  const query = Object.entries(values).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return ask<T>(`/api/${what}?${query.join("&")}`, signal ? { signal } : {});
}

function post<T>(what: string, sent: object): Promise<T> {
  return ask<T>(`/api/${what}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(sent),
  });
}

export const list = () => get<List>("list", {});

export const open = (name: string) => get<Opened>("exercise", { name });

/** Waits until something is other than `seen` and `version`. */
export const now = (name: string, seen: number | undefined, version: string, signal: AbortSignal) =>
  get<Now>("now", { name, version, ...(seen === undefined ? {} : { seen: `${seen}` }) }, signal);

export const explain = (kind: string) => get<{ text: string }>("explain", { kind });

export const save = (name: string, text: string, version: string) =>
  post<{ version: string }>("save", { name, text, version });

export const judge = (name: string, is_verbose: boolean) => post<object>("judge", { name, is_verbose });

export const fix = (name: string) => post<object>("fix", { name });

export const hint = (name: string) => post<Hints>("hint", { name });

export const reset = (name: string) => post<{ exercise: Opened; said: string | null }>("reset", { name });

export const solution = (name: string) => post<{ text: string }>("solution", { name });

export const next = (name: string) => post<{ name: string | null; why: string }>("next", { name });

export const runAddress = (name: string, version: string) =>
  `/run?name=${encodeURIComponent(name)}&version=${encodeURIComponent(version)}`;
