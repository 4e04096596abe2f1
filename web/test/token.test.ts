import assert from "node:assert/strict";
import test from "node:test";
import { runToken } from "../src/live/token";

const warp = (pick: number, launch = 1) => ({ launch, kind: "warp", answers: 2, pick });

test("a schedule has its seed, and equal choices are written once", () => {
  assert.equal(runToken({ policy: { kind: "in-order" } }), "in-order/0");
  assert.equal(runToken({ policy: { kind: "pct", seed: 3, depth: 3 } }), "pct/3");
  assert.equal(runToken({ policy: { kind: "steps" }, choices: [] }), "steps/0");
  const choices = [warp(0), warp(0), warp(1), warp(1, 2)];
  assert.equal(runToken({ policy: { kind: "steps", seed: 7 }, choices }), "steps/7@w2.0x2,w2.1,2:w2.1");
});

test("each kind of choice has the letter that the lessons read", () => {
  const kinds = "block warp group grid copy back behind begins converges wrote holds-back parts".split(" ");
  const choices = kinds.map((kind) => ({ launch: 1, kind, answers: 2, pick: 1 }));
  const token = runToken({ policy: { kind: "steps" }, choices });
  assert.equal(token, "steps/0@b2.1,w2.1,g2.1,k2.1,c2.1,o2.1,d2.1,n2.1,j2.1,r2.1,h2.1,p2.1");
});
