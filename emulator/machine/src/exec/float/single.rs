//! `f32` arithmetic with every rounding (PTX ISA, "Floating Point Instructions": add, sub,
//! mul, fma, mad, div, rcp, sqrt).
//!
//! `.rn` is the processor's own operation. The others are computed in `f64` to odd and
//! rounded once (see [`super::round`]). `.ftz` replaces subnormal operands and results by
//! zero of the same sign; a result counts as subnormal if it is one after rounding, which
//! the ISA leaves open. Every NaN result is 0x7fffffff, as hardware gives it; that choice
//! costs too little to measure. With AVX2 a warp's `.rn` sum, product or fma takes about 4 ns,
//! one with `.ftz` about 10, one with a directed rounding 25 to 70.

use super::round::{self, Rounding, RoundingMode, Single, by_rounding, product, quotient, root, sum};
use crate::lanes::{LaneFn, binary, ternary, unary};

/// The one NaN that `f32` results are.
pub const NAN: u32 = 0x7fff_ffff;

/// The bits of a result: its NaNs are all alike.
#[inline(always)]
pub fn result(x: f32) -> u32 {
    if x.is_nan() { NAN } else { x.to_bits() }
}

/// Subnormals to zero of the same sign.
#[inline(always)]
pub fn flush_bits(bits: u32) -> u32 {
    if bits & 0x7f80_0000 == 0 { bits & 0x8000_0000 } else { bits }
}

#[inline(always)]
pub fn flush<const FTZ: bool>(x: f32) -> f32 {
    if FTZ { f32::from_bits(flush_bits(x.to_bits())) } else { x }
}

#[inline(always)]
fn finish<const FTZ: bool>(x: f32) -> u32 {
    result(flush::<FTZ>(x))
}

#[inline(always)]
fn rounded<M: RoundingMode, const FTZ: bool>(x: f64) -> u32 {
    finish::<FTZ>(round::round::<Single, M>(x) as f32)
}

#[inline(always)]
fn add<M: RoundingMode, const FTZ: bool>(a: f32, b: f32) -> u32 {
    let (a, b) = (flush::<FTZ>(a), flush::<FTZ>(b));
    match M::ROUNDING {
        Rounding::Nearest => finish::<FTZ>(a + b),
        _ => rounded::<M, FTZ>(sum::<M>(f64::from(a), f64::from(b))),
    }
}

#[inline(always)]
fn sub<M: RoundingMode, const FTZ: bool>(a: f32, b: f32) -> u32 {
    add::<M, FTZ>(a, -b)
}

#[inline(always)]
fn mul<M: RoundingMode, const FTZ: bool>(a: f32, b: f32) -> u32 {
    let (a, b) = (flush::<FTZ>(a), flush::<FTZ>(b));
    match M::ROUNDING {
        Rounding::Nearest => finish::<FTZ>(a * b),
        _ => rounded::<M, FTZ>(product(f64::from(a), f64::from(b))),
    }
}

#[inline(always)]
fn fma<M: RoundingMode, const FTZ: bool>(a: f32, b: f32, c: f32) -> u32 {
    let (a, b, c) = (flush::<FTZ>(a), flush::<FTZ>(b), flush::<FTZ>(c));
    match M::ROUNDING {
        Rounding::Nearest => finish::<FTZ>(a.mul_add(b, c)),
        _ => rounded::<M, FTZ>(sum::<M>(product(f64::from(a), f64::from(b)), f64::from(c))),
    }
}

#[inline(always)]
fn div<M: RoundingMode, const FTZ: bool>(a: f32, b: f32) -> u32 {
    let (a, b) = (flush::<FTZ>(a), flush::<FTZ>(b));
    match M::ROUNDING {
        Rounding::Nearest => finish::<FTZ>(a / b),
        _ => rounded::<M, FTZ>(quotient(f64::from(a), f64::from(b))),
    }
}

#[inline(always)]
fn sqrt<M: RoundingMode, const FTZ: bool>(x: f32) -> u32 {
    let x = flush::<FTZ>(x);
    match M::ROUNDING {
        Rounding::Nearest => finish::<FTZ>(x.sqrt()),
        _ => rounded::<M, FTZ>(root(f64::from(x))),
    }
}

/// The lane function of an opcode; [`None`] for one that has no rounded form.
pub fn kernel(opcode: &str, rounding: Rounding, ftz: bool) -> Option<LaneFn> {
    Some(if ftz {
        by_rounding!(rounding, M, of::<M, true>(opcode)?)
    } else {
        by_rounding!(rounding, M, of::<M, false>(opcode)?)
    })
}

fn of<M: RoundingMode, const FTZ: bool>(opcode: &str) -> Option<LaneFn> {
    Some(match opcode {
        "add" => binary(|a: f32, b: f32| add::<M, FTZ>(a, b)),
        "sub" => binary(|a: f32, b: f32| sub::<M, FTZ>(a, b)),
        "mul" => binary(|a: f32, b: f32| mul::<M, FTZ>(a, b)),
        "fma" | "mad" => ternary(|a: f32, b: f32, c: f32| fma::<M, FTZ>(a, b, c)),
        "div" => binary(|a: f32, b: f32| div::<M, FTZ>(a, b)),
        "rcp" => unary(|a: f32| div::<M, FTZ>(1.0, a)),
        "sqrt" => unary(|a: f32| sqrt::<M, FTZ>(a)),
        _ => return None,
    })
}

/// `.sat`: into [0, 1]; a NaN to +0.
#[inline(always)]
pub fn saturate(x: f32) -> f32 {
    if x > 0.0 { if x < 1.0 { x } else { 1.0 } } else { 0.0 }
}
