//! `f16` and `bf16`, single and packed (PTX ISA, "Half Precision Floating Point Instructions").
//!
//! Each operation rounds once: it is computed in `f64` with rounding to odd, and then rounded to the format. It never
//! goes through `f32`, where a `bf16` fma would round twice. NaN results are 0x7fff. A packed instruction is the same
//! function on the two halves of a word.

use super::round::{self, FloatFormat, Nearest, RoundingMode, product, sum};
use crate::lanes::{LaneFn, binary, ternary};
use ptx::ast::Type;

/// The canonical NaN of both formats.
pub const NAN: u16 = 0x7fff;

/// A 16-bit format, by its bits.
pub trait Half: FloatFormat {
    /// The bits of infinity: an exponent field of all ones.
    const INFINITY: u16;
    /// Returns the value of the bits.
    fn widen(bits: u16) -> f64;
    /// Returns the bits of a value that the format can represent, so that nothing is rounded.
    fn narrow(x: f64) -> u16;
}

/// `.f16`: 1 + 5 + 10 bits.
#[derive(Clone, Copy)]
pub struct Binary16;

/// `.bf16`: the upper half of an `f32`.
#[derive(Clone, Copy)]
pub struct Brain16;

impl FloatFormat for Binary16 {
    const FRACTION: i64 = 10;
    const LEAST: i64 = -14;
    const MOST: f64 = 65504.0;
}

impl FloatFormat for Brain16 {
    const FRACTION: i64 = 7;
    const LEAST: i64 = -126;
    const MOST: f64 = f32::from_bits(0x7f7f_0000) as f64;
}

impl Half for Binary16 {
    const INFINITY: u16 = 0x7c00;

    #[inline(always)]
    fn widen(bits: u16) -> f64 {
        // The fields move to where `f32` has them, and the exponent by the difference of the biases. Subnormals are
        // converted as integers, multiples of 2^-24: processors are slow with subnormal operands.
        let magnitude = u32::from(bits & 0x7fff);
        let subnormal = (magnitude as i32 as f32 * f32::from_bits((127 - 24) << 23)).to_bits();
        let normal = (magnitude << 13) + (112 << 23);
        let finite = if magnitude < 0x0400 { subnormal } else { normal };
        let wide = if magnitude >= 0x7c00 { magnitude << 13 | 0x7f80_0000 } else { finite };
        f64::from(f32::from_bits(wide | u32::from(bits & 0x8000) << 16))
    }

    #[inline(always)]
    fn narrow(x: f64) -> u16 {
        let bits = (x as f32).to_bits();
        let magnitude = bits & 0x7fff_ffff;
        // In the sum with 0.5, the last bits of the fraction count multiples of 2^-24, as a subnormal's do.
        let subnormal = (f32::from_bits(magnitude) + 0.5).to_bits().wrapping_sub(0x3f00_0000);
        let normal = (magnitude >> 13).wrapping_sub(112 << 10);
        let finite = if magnitude < 0x3880_0000 { subnormal } else { normal };
        let number = if magnitude >= 0x4780_0000 { 0x7c00 } else { finite };
        if x.is_nan() { NAN } else { (bits >> 16 & 0x8000 | number) as u16 }
    }
}

impl Half for Brain16 {
    const INFINITY: u16 = 0x7f80;

    #[inline(always)]
    fn widen(bits: u16) -> f64 {
        f64::from(f32::from_bits(u32::from(bits) << 16))
    }

    #[inline(always)]
    fn narrow(x: f64) -> u16 {
        if x.is_nan() { NAN } else { ((x as f32).to_bits() >> 16) as u16 }
    }
}

/// Rounds a value, which was rounded to odd, to format `F`.
#[inline(always)]
pub fn narrow<F: Half, M: RoundingMode>(x: f64) -> u16 {
    F::narrow(round::round::<F, M>(x))
}

/// Flushes subnormals to zero of the same sign, if `FTZ`.
#[inline(always)]
pub fn flush<F: Half, const FTZ: bool>(bits: u16) -> u16 {
    if FTZ && bits & F::INFINITY == 0 { bits & 0x8000 } else { bits }
}

#[inline(always)]
fn operand<F: Half, const FTZ: bool>(bits: u16) -> f64 {
    F::widen(flush::<F, FTZ>(bits))
}

#[inline(always)]
fn result<F: Half, const FTZ: bool>(x: f64) -> u16 {
    flush::<F, FTZ>(narrow::<F, Nearest>(x))
}

#[inline(always)]
fn add<F: Half, const FTZ: bool>(a: u16, b: u16) -> u16 {
    result::<F, FTZ>(sum::<Nearest>(operand::<F, FTZ>(a), operand::<F, FTZ>(b)))
}

#[inline(always)]
fn sub<F: Half, const FTZ: bool>(a: u16, b: u16) -> u16 {
    result::<F, FTZ>(sum::<Nearest>(operand::<F, FTZ>(a), -operand::<F, FTZ>(b)))
}

#[inline(always)]
fn mul<F: Half, const FTZ: bool>(a: u16, b: u16) -> u16 {
    result::<F, FTZ>(product(operand::<F, FTZ>(a), operand::<F, FTZ>(b)))
}

#[inline(always)]
fn fma<F: Half, const FTZ: bool>(a: u16, b: u16, c: u16) -> u16 {
    let product = product(operand::<F, FTZ>(a), operand::<F, FTZ>(b));
    result::<F, FTZ>(sum::<Nearest>(product, operand::<F, FTZ>(c)))
}

/// Returns `a + b` with one rounding, for atomics.
pub fn add_f16(a: u16, b: u16) -> u16 {
    add::<Binary16, false>(a, b)
}

/// Returns `a + b` with one rounding, for atomics.
pub fn add_bf16(a: u16, b: u16) -> u16 {
    add::<Brain16, false>(a, b)
}

#[inline(always)]
pub fn low(word: u32) -> u16 {
    word as u16
}

#[inline(always)]
pub fn high(word: u32) -> u16 {
    (word >> 16) as u16
}

#[inline(always)]
pub fn pack(low: u16, high: u16) -> u32 {
    u32::from(high) << 16 | u32::from(low)
}

/// Applies a function to the low halves of two words and to the high ones.
#[inline(always)]
pub fn both(a: u32, b: u32, f: impl Fn(u16, u16) -> u16) -> u32 {
    pack(f(low(a), low(b)), f(high(a), high(b)))
}

fn scalar<F: Half, const FTZ: bool>(opcode: &str) -> Option<LaneFn> {
    Some(match opcode {
        "add" => binary(|a: u16, b: u16| add::<F, FTZ>(a, b)),
        "sub" => binary(|a: u16, b: u16| sub::<F, FTZ>(a, b)),
        "mul" => binary(|a: u16, b: u16| mul::<F, FTZ>(a, b)),
        "fma" => ternary(|a: u16, b: u16, c: u16| fma::<F, FTZ>(a, b, c)),
        _ => return None,
    })
}

fn packed<F: Half, const FTZ: bool>(opcode: &str) -> Option<LaneFn> {
    Some(match opcode {
        "add" => binary(|a: u32, b: u32| both(a, b, add::<F, FTZ>)),
        "sub" => binary(|a: u32, b: u32| both(a, b, sub::<F, FTZ>)),
        "mul" => binary(|a: u32, b: u32| both(a, b, mul::<F, FTZ>)),
        "fma" => ternary(|a: u32, b: u32, c: u32| {
            pack(fma::<F, FTZ>(low(a), low(b), low(c)), fma::<F, FTZ>(high(a), high(b), high(c)))
        }),
        _ => return None,
    })
}

/// Returns the lane function of an opcode on a half type, or `None` if there is none. `bf16` has no `.ftz`.
pub fn kernel(opcode: &str, ty: Type, ftz: bool) -> Option<LaneFn> {
    match (ty, ftz) {
        (Type::F16, false) => scalar::<Binary16, false>(opcode),
        (Type::F16, true) => scalar::<Binary16, true>(opcode),
        (Type::F16x2, false) => packed::<Binary16, false>(opcode),
        (Type::F16x2, true) => packed::<Binary16, true>(opcode),
        (Type::Bf16, false) => scalar::<Brain16, false>(opcode),
        (Type::Bf16x2, false) => packed::<Brain16, false>(opcode),
        _ => None,
    }
}

/// Clamps an `f16` to [0, 1] and a NaN to +0, as `.sat` does.
#[inline(always)]
pub fn saturate(bits: u16) -> u16 {
    match bits {
        // From 1.0 up to infinity.
        0x3c00..=0x7c00 => 0x3c00,
        0..0x3c00 => bits,
        _ => 0,
    }
}

/// Clamps a negative number to +0 and makes a NaN canonical, as `.relu` does.
#[inline(always)]
pub fn relu<F: Half>(bits: u16) -> u16 {
    if bits & 0x7fff > F::INFINITY {
        NAN
    } else if bits & 0x8000 != 0 {
        0
    } else {
        bits
    }
}

#[cfg(test)]
mod tests;
