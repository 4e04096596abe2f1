// What counts as a right answer to an exercise of the site.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Ran, Told } from "../src/live/answer";
import { isBroken, isRight } from "../src/site/puzzle";

test("numbers are compared by value and words by their letters", () => {
  const right = [
    ["64", " 64 "],
    ["64", "0x40"],
    ["1024", "1_024"],
    ["0.5", ".5"],
    ["race-shared", "`Race-Shared`"],
  ];
  for (const [one, other] of right) assert.ok(isRight(one ?? "", other ?? ""), `${one} ${other}`);
  const wrong = [
    ["64", "65"],
    ["0", ""],
    ["0", " "],
    ["none", "0"],
    ["race-shared", "race"],
  ];
  for (const [one, other] of wrong) assert.ok(!isRight(one ?? "", other ?? ""), `${one} ${other}`);
});

test("a run breaks a kernel by what the exercise asks for, and by nothing else", () => {
  const found = (slug: string, severity: string) => ({ finding: { slug, severity } }) as unknown as Told;
  const ran = (reads: string[], ...findings: Told[]) =>
    ({ launches: [{ findings, fault: null }], of_host: [], reads, stop: null }) as unknown as Ran;
  assert.ok(isBroken(ran(["b"]), "answer", ["a"]));
  assert.ok(!isBroken(ran(["a"], found("race-shared", "error")), "answer", ["a"]));
  assert.ok(isBroken(ran(["a"], found("livelock", "error")), "livelock", ["a"]));
  assert.ok(!isBroken(ran(["b"], found("livelock", "note")), "livelock", ["a"]));
});
