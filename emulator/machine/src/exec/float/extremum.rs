//! `min` and `max` of floats (PTX ISA, "Floating Point Instructions" and "Half Precision Floating Point Instructions").
//!
//! -0 is less than +0. The minimum or maximum of a number and a NaN is the number, unless `.NaN` is given. A NaN result
//! is the canonical one. With `.xorsign.abs` the magnitudes are compared and the result, if it is a number, takes the
//! exclusive or of the two signs.
//!
//! Single and half formats share one function on words: a half is in the upper half of a word, where its sign, exponent
//! and fraction have the same order as those of an `f32`.

use super::half::{self, Binary16, Brain16, both};
use super::round::Single;
use super::{double, single};
use crate::lanes::{LaneFn, binary, ternary};
use ptx::ast::Type;

const SIGN: u32 = 0x8000_0000;

/// A format whose values fit into a word, by the bits of two of them there.
trait WordFormat: Copy + 'static {
    const INFINITY: u32;
    const NAN: u32;
}

impl WordFormat for Single {
    const INFINITY: u32 = 0x7f80_0000;
    const NAN: u32 = single::NAN;
}
impl WordFormat for Binary16 {
    const INFINITY: u32 = 0x7c00_0000;
    const NAN: u32 = (half::NAN as u32) << 16;
}
impl WordFormat for Brain16 {
    const INFINITY: u32 = 0x7f80_0000;
    const NAN: u32 = (half::NAN as u32) << 16;
}

// The modifiers of a form that is not plain, as bits of the word that its lane function gets as a third source.
/// `.ftz`.
pub const FTZ: u32 = 1;
/// `.NaN`.
pub const PROPAGATES: u32 = 2;
/// `.xorsign.abs`.
pub const XORSIGN: u32 = 4;

/// Maps the bits of a number to an integer of the same order, with -0 below +0.
#[inline(always)]
fn total_order(bits: u32) -> i32 {
    (bits ^ ((bits as i32 >> 31) as u32 >> 1)) as i32
}

/// Returns the minimum or, if `MAX`, the maximum of two words.
#[inline(always)]
fn extremum<W: WordFormat, const MAX: bool>(a: u32, b: u32, options: u32) -> u32 {
    let flushed = |bits: u32| if options & FTZ != 0 && bits & W::INFINITY == 0 { bits & SIGN } else { bits };
    let (a, b) = (flushed(a), flushed(b));
    let (magnitude, sign) = if options & XORSIGN != 0 { (!SIGN, (a ^ b) & SIGN) } else { (!0, 0) };
    let (a, b) = (a & magnitude, b & magnitude);
    let is_nan = |bits: u32| bits & !SIGN > W::INFINITY;
    let (a_nan, b_nan) = (is_nan(a), is_nan(b));
    let ordered = if (total_order(a) < total_order(b)) != MAX { a } else { b };
    let number = if b_nan { a } else { ordered };
    let number = if a_nan { b } else { number } | sign;
    let invalid = (a_nan & b_nan) | ((a_nan | b_nan) & (options & PROPAGATES != 0));
    if invalid { W::NAN } else { number }
}

#[inline(always)]
fn extremum_half<W: WordFormat, const MAX: bool>(a: u16, b: u16, options: u32) -> u16 {
    (extremum::<W, MAX>(u32::from(a) << 16, u32::from(b) << 16, options) >> 16) as u16
}

#[inline(always)]
fn extremum_double<const MAX: bool>(a: f64, b: f64) -> u64 {
    let total_order = |x: f64| x.to_bits() as i64 ^ ((x.to_bits() as i64 >> 63) as u64 >> 1) as i64;
    let ordered = if (total_order(a) < total_order(b)) != MAX { a } else { b };
    let number = if a.is_nan() {
        b
    } else if b.is_nan() {
        a
    } else {
        ordered
    };
    double::result(number, [a, b])
}

/// Returns the lane function for a type: of two sources in the plain form, without modifiers, and else of three.
fn lane_function<const MAX: bool>(ty: Type, is_plain: bool) -> Option<LaneFn> {
    use Type::*;
    Some(match (ty, is_plain) {
        (F32, true) => binary(|a: u32, b: u32| extremum::<Single, MAX>(a, b, 0)),
        (F16, true) => binary(|a: u16, b: u16| extremum_half::<Binary16, MAX>(a, b, 0)),
        (Bf16, true) => binary(|a: u16, b: u16| extremum_half::<Brain16, MAX>(a, b, 0)),
        (F16x2, true) => binary(|a: u32, b: u32| both(a, b, |a, b| extremum_half::<Binary16, MAX>(a, b, 0))),
        (Bf16x2, true) => binary(|a: u32, b: u32| both(a, b, |a, b| extremum_half::<Brain16, MAX>(a, b, 0))),
        (F64, true) => binary(|a: f64, b: f64| extremum_double::<MAX>(a, b)),
        (F32, false) => ternary(|a: u32, b: u32, c: u32| extremum::<Single, MAX>(a, b, c)),
        (F16, false) => ternary(|a: u16, b: u16, c: u32| extremum_half::<Binary16, MAX>(a, b, c)),
        (Bf16, false) => ternary(|a: u16, b: u16, c: u32| extremum_half::<Brain16, MAX>(a, b, c)),
        (F16x2, false) => ternary(|a: u32, b: u32, c: u32| both(a, b, |a, b| extremum_half::<Binary16, MAX>(a, b, c))),
        (Bf16x2, false) => ternary(|a: u32, b: u32, c: u32| both(a, b, |a, b| extremum_half::<Brain16, MAX>(a, b, c))),
        _ => return None,
    })
}

/// Returns the lane function of `min` or `max`, or `None` if there is none. Unless `options` is 0, the function reads
/// it as a third source.
pub fn kernel(opcode: &str, ty: Type, options: u32) -> Option<LaneFn> {
    // `bf16` has no `.ftz`.
    if options & FTZ != 0 && matches!(ty, Type::Bf16 | Type::Bf16x2) {
        return None;
    }
    if opcode == "max" { lane_function::<true>(ty, options == 0) } else { lane_function::<false>(ty, options == 0) }
}
