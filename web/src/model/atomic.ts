// What an atomic operation leaves behind, as far as its operand says it.

import type { ValueType } from "../trace";

const bitsOf: Partial<Record<ValueType, number>> = {
  b8: 8,
  b16: 16,
  b32: 32,
  b64: 64,
  u8: 8,
  u16: 16,
  u32: 32,
  u64: 64,
  s8: 8,
  s16: 16,
  s32: 32,
  s64: 64,
};

/** `undefined` where more is needed: a compare-and-swap has a second operand. */
export function left(operation: string, type: ValueType, old: bigint, operand: bigint): bigint | undefined {
  if (operation === "exchange") return operand;
  if (type === "f32") return leftFloat(operation, old, operand);
  const bits = bitsOf[type];
  if (!bits) return undefined;
  const [a, b] = [BigInt.asUintN(bits, old), BigInt.asUintN(bits, operand)];
  const signed = type.startsWith("s");
  const less = signed ? BigInt.asIntN(bits, a) < BigInt.asIntN(bits, b) : a < b;
  switch (operation) {
    case "add":
      return BigInt.asUintN(bits, a + b);
    case "and":
      return a & b;
    case "or":
      return a | b;
    case "xor":
      return a ^ b;
    case "min":
      return less ? a : b;
    case "max":
      return less ? b : a;
    case "increment":
      return a >= b ? 0n : a + 1n;
    case "decrement":
      return a === 0n || a > b ? b : a - 1n;
    default:
      return undefined;
  }
}

const view = new DataView(new ArrayBuffer(4));

function leftFloat(operation: string, old: bigint, operand: bigint): bigint | undefined {
  if (operation !== "add") return undefined;
  const read = (bits: bigint) => {
    view.setUint32(0, Number(BigInt.asUintN(32, bits)));
    return view.getFloat32(0);
  };
  view.setFloat32(0, read(old) + read(operand));
  return BigInt(view.getUint32(0));
}
