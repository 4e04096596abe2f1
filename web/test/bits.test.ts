import assert from "node:assert/strict";
import test from "node:test";
import { left } from "../src/model/atomic";
import { lanesText, mask, numbers, value } from "../src/model/bits";
import type { ValueType } from "../src/trace";

test("masks are lanes in runs", () => {
  assert.equal(lanesText(mask("0xffffffff")), "0-31");
  assert.equal(lanesText(mask("0x8000000b")), "0-1, 3, 31");
  assert.equal(numbers([]), "");
});

test("bits are read as their type", () => {
  const cases: [bigint, ValueType, string][] = [
    [0x43000000n, "f32", "128.0"],
    [0x3dcccccdn, "f32", "0.1"],
    [0x7fc00000n, "f32", "NaN"],
    [0xff800000n, "f32", "-inf"],
    [0x3ff0000000000000n, "f64", "1.0"],
    [0x3c00n, "f16", "1.0"],
    [0x0001n, "f16", "5.96e-8"],
    [0x3f80n, "bf16", "1.0"],
    [0xffffffffn, "u32", "-1"],
    [0xffn, "u8", "255"],
    [0xffn, "s8", "-1"],
    [0xffffn, "b16", "65535"],
    [0xffffffffffffffffn, "s64", "-1"],
    [10n, "other", "0xa"],
  ];
  for (const [bits, type, text] of cases) assert.equal(value(bits, type), text, type);
  assert.equal(value(0xffffffffn, "u32", true), "4294967295");
  assert.equal(value(0xffffffffn, "f32", true), "NaN");
});

test("an atomic operation leaves what PTX says", () => {
  const cases: [string, ValueType, bigint, bigint, bigint | undefined][] = [
    ["add", "u32", 0xffffffffn, 2n, 1n],
    ["add", "f32", 0x3f800000n, 0x40000000n, 0x40400000n],
    ["exchange", "b32", 5n, 9n, 9n],
    ["min", "s32", 0xffffffffn, 1n, 0xffffffffn],
    ["min", "u32", 0xffffffffn, 1n, 1n],
    ["max", "s32", 0xffffffffn, 1n, 1n],
    ["and", "b32", 6n, 3n, 2n],
    ["or", "b32", 6n, 3n, 7n],
    ["xor", "b32", 6n, 3n, 5n],
    ["increment", "u32", 3n, 3n, 0n],
    ["decrement", "u32", 0n, 7n, 7n],
    ["compare-exchange", "b32", 0n, 1n, undefined],
  ];
  for (const [operation, type, old, operand, want] of cases) {
    assert.equal(left(operation, type, old, operand), want, `${operation} ${type}`);
  }
});
