// Masks of lanes, and values as their type is read. Everything comes as hexadecimal text.

import type { Hex, ValueType } from "../trace";

export const WARP = 32;

export const mask = (lanes: Hex): number => Number.parseInt(lanes, 16) >>> 0;

export const has = (lanes: number, lane: number): boolean => ((lanes >>> lane) & 1) === 1;

export const without = (lanes: number, others: number): number => (lanes & ~others) >>> 0;

export const both = (lanes: number, others: number): number => (lanes | others) >>> 0;

export function lanesOf(lanes: number): number[] {
  return Array.from({ length: WARP }, (_, lane) => lane).filter((lane) => has(lanes, lane));
}

/** First and last of each unbroken run of ascending numbers. */
export function runs(numbers: number[]): [number, number][] {
  const found: [number, number][] = [];
  for (const number of numbers) {
    const last = found.at(-1);
    if (last && last[1] + 1 === number) last[1] = number;
    else found.push([number, number]);
  }
  return found;
}

const range = ([first, last]: [number, number]) => (first === last ? `${first}` : `${first}-${last}`);

/** `0-15, 17` */
export const numbers = (list: number[]): string => runs(list).map(range).join(", ");

export const lanesText = (lanes: number): string => numbers(lanesOf(lanes));

const view = new DataView(new ArrayBuffer(8));

/** A value as its type is read: ints signed where nobody says otherwise, since nvcc loads both kinds alike. */
export function value(bits: bigint, type: ValueType, isUnsigned = false): string {
  const wide = BigInt.asUintN(64, bits);
  if (isUnsigned && /^[bu](32|64)$/.test(type)) return `${BigInt.asUintN(Number(type.slice(1)), wide)}`;
  view.setBigUint64(0, wide);
  switch (type) {
    case "f32":
      return float(view.getFloat32(4), 7);
    case "f64":
      return float(view.getFloat64(0), 15);
    case "f16":
      return float(half(Number(wide & 0xffffn)), 4);
    case "bf16":
      view.setUint32(0, Number(wide & 0xffffn) << 16);
      return float(view.getFloat32(0), 3);
    case "u8":
    case "b8":
      return `${BigInt.asUintN(8, wide)}`;
    case "u16":
    case "b16":
      return `${BigInt.asUintN(16, wide)}`;
    case "s8":
      return `${BigInt.asIntN(8, wide)}`;
    case "s16":
      return `${BigInt.asIntN(16, wide)}`;
    case "u32":
    case "s32":
    case "b32":
      return `${BigInt.asIntN(32, wide)}`;
    case "u64":
    case "s64":
    case "b64":
      return `${BigInt.asIntN(64, wide)}`;
    default:
      return `0x${wide.toString(16)}`;
  }
}

function float(number: number, digits: number): string {
  if (!Number.isFinite(number)) return Number.isNaN(number) ? "NaN" : number > 0 ? "inf" : "-inf";
  if (Number.isInteger(number) && Math.abs(number) < 1e7) return Object.is(number, -0) ? "-0.0" : `${number}.0`;
  return `${Number(number.toPrecision(digits))}`;
}

function half(bits: number): number {
  const sign = bits >> 15 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
