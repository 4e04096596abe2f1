// What came of a run: how it ended, and what was found in it.

import type { Ran, Told } from "./answer";

/**
 * The host read what it should, or something else; nobody knows what it should read; or the kernel was ended before its end, by a
 * deadlock for example.
 */
export type End = "right" | "wrong" | "unknown" | "stopped";

/** What the host should read, in order, each in base64; absent where nobody knows. */
export type Expected = string[] | undefined;

/** `undefined`: the run is not at its end. */
export function endOf({ stop, launches, reads }: Ran, expected: Expected): End | undefined {
  if (stop) return undefined;
  if (launches.some(({ fault }) => fault !== null)) return "stopped";
  if (!expected) return "unknown";
  return reads.length === expected.length && reads.every((read, at) => read === expected[at]) ? "right" : "wrong";
}

/** What is reported as a bug. */
export function errorsOf({ launches, of_host }: Ran): Told[] {
  const all = [...launches.flatMap(({ findings }) => findings), ...of_host];
  return all.filter(({ finding }) => finding.severity === "error");
}

/** Two findings of one bug have the same key, in any run. */
export function keyOf({ finding }: Pick<Told, "finding">): string {
  const places = finding.accesses.map(({ location }) => (location ? `${location.file}:${location.line}` : "?"));
  return [finding.slug, finding.kernel, ...places.sort()].join(" ");
}
