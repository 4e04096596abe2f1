//! `f64` arithmetic with every rounding (PTX ISA, "Floating Point Instructions").
//!
//! NaNs keep their payload: the result is the first operand that is one, made quiet. A NaN
//! out of numbers (`0 * inf`) is 0xfff8000000000000. Which of two payloads wins is not in the ISA.

use super::exact;
use super::round::{Rounding, RoundingMode, by_rounding};
use crate::lanes::{LaneFn, binary, ternary, unary};

const INVALID: u64 = 0xfff8_0000_0000_0000;

/// The bits of a result that came from `sources`.
#[inline(always)]
pub fn result<const N: usize>(x: f64, sources: [f64; N]) -> u64 {
    let mut nan = INVALID;
    for source in sources.iter().rev() {
        nan = if source.is_nan() { source.to_bits() | 1 << 51 } else { nan };
    }
    if x.is_nan() { nan } else { x.to_bits() }
}

/// The processor's answer for `.rn`, the exact way for the others.
macro_rules! rounded {
    ($mode:ident, $nearest:expr, $exact:ident($($source:expr),*)) => {
        result(
            match $mode::ROUNDING {
                Rounding::Nearest => $nearest,
                directed => exact::$exact($($source,)* directed),
            },
            [$($source),*],
        )
    };
}

fn of<M: RoundingMode>(opcode: &str) -> Option<LaneFn> {
    Some(match opcode {
        "add" => binary(|a: f64, b: f64| rounded!(M, a + b, add(a, b))),
        // `a - b` and not `a + -b`: a NaN `b` keeps its sign.
        "sub" => binary(|a: f64, b: f64| {
            let difference = match M::ROUNDING {
                Rounding::Nearest => a - b,
                directed => exact::add(a, -b, directed),
            };
            result(difference, [a, b])
        }),
        "mul" => binary(|a: f64, b: f64| rounded!(M, a * b, mul(a, b))),
        "fma" | "mad" => ternary(|a: f64, b: f64, c: f64| rounded!(M, a.mul_add(b, c), fma(a, b, c))),
        "div" => binary(|a: f64, b: f64| rounded!(M, a / b, div(a, b))),
        "rcp" => unary(|a: f64| {
            let reciprocal = match M::ROUNDING {
                Rounding::Nearest => 1.0 / a,
                directed => exact::div(1.0, a, directed),
            };
            result(reciprocal, [a])
        }),
        "sqrt" => unary(|a: f64| rounded!(M, a.sqrt(), sqrt(a))),
        _ => return None,
    })
}

/// The lane function of an opcode; [`None`] for one that has no rounded form.
pub fn kernel(opcode: &str, rounding: Rounding) -> Option<LaneFn> {
    by_rounding!(rounding, M, of::<M>(opcode))
}

/// `.sat`: into [0, 1]; a NaN to +0.
#[inline(always)]
pub fn saturate(x: f64) -> f64 {
    if x > 0.0 { if x < 1.0 { x } else { 1.0 } } else { 0.0 }
}
