// What the words and signs in the swim lanes mean: of those that are in the picture, no others.

import type { Event } from "../trace";
import { say, type Word } from "../words";
import { el } from "./dom";

/** Sign by sign; a word is what stands in a box. */
const SIGNS: [Word, (event: Event) => boolean][] = [
  ["sign-read", (event) => event.kind === "access" && event.does === "load"],
  ["sign-write", (event) => event.kind === "access" && event.does === "store"],
  ["sign-atomic", (event) => event.kind === "access" && event.does === "atomic"],
  ["sign-copy", (event) => event.kind === "access" && event.does.startsWith("copy")],
  ["sign-object", (event) => event.kind === "access" && event.does === "use-object"],
  ["sign-waits", (event) => event.kind === "arrives" && event.waits],
  ["sign-arrives", (event) => event.kind === "arrives" && !event.waits],
  ["sign-bar", (event) => event.kind === "opens"],
  ["sign-fence", (event) => event.kind === "fence"],
  ["sign-split", (event) => event.kind === "split"],
  ["sign-join", (event) => event.kind === "join"],
  ["sign-mask", (event) => event.kind === "active-mask"],
  ["sign-shuffle", (event) => event.kind === "meets" && event.function.includes("shfl")],
  ["sign-vote", (event) => event.kind === "meets" && !event.function.includes("shfl")],
  ["sign-exits", (event) => event.kind === "exits"],
  ["sign-launches", (event) => event.kind === "launches"],
  ["sign-grid", (event) => event.kind.startsWith("grid")],
  ["sign-host", (event) => event.kind === "host"],
  ["sign-other", (event) => event.kind === "copied" || event.kind === "phase-completes"],
];

/** A sign and its meaning stand together on a line. */
export function legend(
  shown: Event[],
  { line, isParted, hasGaps }: { line: number | undefined; isParted: boolean; hasGaps: boolean },
): Element[] {
  const words: Word[] = line === undefined ? [] : ["sign-line"];
  for (const [word, is] of SIGNS) if (shown.some(is)) words.push(word);
  if (isParted) words.push("sign-strip");
  if (hasGaps) words.push("sign-gap");
  return words.map((word) => {
    const [sign, meaning] = say(word, { line: line ?? "" }).split(": ");
    return el("span", { class: "sign" }, el("b", {}, sign), ` ${meaning ?? ""}`);
  });
}
