// A run as a replay token names it: `random/7`, and with the choices of a game `steps/0@w2.1,w2.0x3`. trial/src/kept.rs reads it.

import type { Choice, Run } from "./answer";

/** What was asked, by its first answer's letter; the launch stands before it unless it is the first. */
const LETTERS: Record<string, string> = {
  block: "b",
  warp: "w",
  group: "g",
  grid: "k",
  copy: "c",
  back: "o",
  behind: "d",
  begins: "n",
  converges: "j",
  wrote: "r",
  "holds-back": "h",
  parts: "p",
};

export function runToken({ policy, choices = [] }: Pick<Run, "policy" | "choices">): string {
  const seed = "seed" in policy ? (policy.seed ?? 0) : 0;
  const made = choices.length > 0 ? `@${choicesText(choices)}` : "";
  return `${policy.kind}/${seed}${made}`;
}

/** Equal neighbours are written once, with their number. */
function choicesText(choices: Choice[]): string {
  const runs: { text: string; times: number }[] = [];
  for (const choice of choices) {
    const text = choiceText(choice);
    const last = runs.at(-1);
    if (last?.text === text) last.times++;
    else runs.push({ text, times: 1 });
  }
  return runs.map(({ text, times }) => (times === 1 ? text : `${text}x${times}`)).join(",");
}

function choiceText({ launch, kind, answers, pick }: Choice): string {
  const text = `${LETTERS[kind] ?? "?"}${answers}.${pick}`;
  return launch === 1 ? text : `${launch}:${text}`;
}
