//! min and max of floats (PTX ISA, "Floating Point Instructions" and "Half Precision
//! Floating Point Instructions").
//!
//! -0 is less than +0. One NaN operand loses against a number, unless `.NaN` is given; a NaN
//! result is the canonical one. With `.xorsign.abs` the magnitudes are compared and the
//! result, if a number, takes the exclusive or of the two signs.
//!
//! Single and half formats share one function on words: a half stands in the upper half of
//! a word, where its sign, exponent and fraction lie as in an `f32`.

use super::half::{self, Binary16, Brain16, both};
use super::round::Single;
use super::{double, single};
use crate::lanes::{Kernel, binary, ternary};
use ptx::ast::Type;

const SIGN: u32 = 0x8000_0000;

/// The layout of a format's bits in a word.
trait Word: Copy + 'static {
    const INFINITY: u32;
    const NAN: u32;
}

impl Word for Single {
    const INFINITY: u32 = 0x7f80_0000;
    const NAN: u32 = single::NAN;
}
impl Word for Binary16 {
    const INFINITY: u32 = 0x7c00_0000;
    const NAN: u32 = (half::NAN as u32) << 16;
}
impl Word for Brain16 {
    const INFINITY: u32 = 0x7f80_0000;
    const NAN: u32 = (half::NAN as u32) << 16;
}

/// Modifiers of the plain form: bits of a word that stands in every lane.
pub const FTZ: u32 = 1;
pub const PROPAGATES: u32 = 2;
pub const XORSIGN: u32 = 4;

/// The order of numbers, -0 below +0, as the order of integers.
#[inline(always)]
fn key(bits: u32) -> i32 {
    (bits ^ ((bits as i32 >> 31) as u32 >> 1)) as i32
}

#[inline(always)]
fn pick<W: Word, const MAX: bool>(a: u32, b: u32, options: u32) -> u32 {
    let flushed = |bits: u32| if options & FTZ != 0 && bits & W::INFINITY == 0 { bits & SIGN } else { bits };
    let (a, b) = (flushed(a), flushed(b));
    let (magnitude, sign) = if options & XORSIGN != 0 { (!SIGN, (a ^ b) & SIGN) } else { (!0, 0) };
    let (a, b) = (a & magnitude, b & magnitude);
    let is_nan = |bits: u32| bits & !SIGN > W::INFINITY;
    let (a_nan, b_nan) = (is_nan(a), is_nan(b));
    let ordered = if (key(a) < key(b)) != MAX { a } else { b };
    let number = if b_nan { a } else { ordered };
    let number = if a_nan { b } else { number } | sign;
    let invalid = (a_nan & b_nan) | ((a_nan | b_nan) & (options & PROPAGATES != 0));
    if invalid { W::NAN } else { number }
}

#[inline(always)]
fn pick_half<W: Word, const MAX: bool>(a: u16, b: u16, options: u32) -> u16 {
    (pick::<W, MAX>(u32::from(a) << 16, u32::from(b) << 16, options) >> 16) as u16
}

#[inline(always)]
fn pick_double<const MAX: bool>(a: f64, b: f64) -> u64 {
    let key = |x: f64| x.to_bits() as i64 ^ ((x.to_bits() as i64 >> 63) as u64 >> 1) as i64;
    let ordered = if (key(a) < key(b)) != MAX { a } else { b };
    let number = if a.is_nan() {
        b
    } else if b.is_nan() {
        a
    } else {
        ordered
    };
    double::result(number, [a, b])
}

fn of<const MAX: bool>(ty: Type, plain: bool) -> Option<Kernel> {
    use Type::*;
    Some(match (ty, plain) {
        (F32, true) => binary(|a: u32, b: u32| pick::<Single, MAX>(a, b, 0)),
        (F16, true) => binary(|a: u16, b: u16| pick_half::<Binary16, MAX>(a, b, 0)),
        (Bf16, true) => binary(|a: u16, b: u16| pick_half::<Brain16, MAX>(a, b, 0)),
        (F16x2, true) => binary(|a: u32, b: u32| both(a, b, |a, b| pick_half::<Binary16, MAX>(a, b, 0))),
        (Bf16x2, true) => binary(|a: u32, b: u32| both(a, b, |a, b| pick_half::<Brain16, MAX>(a, b, 0))),
        (F64, true) => binary(|a: f64, b: f64| pick_double::<MAX>(a, b)),
        (F32, false) => ternary(|a: u32, b: u32, c: u32| pick::<Single, MAX>(a, b, c)),
        (F16, false) => ternary(|a: u16, b: u16, c: u32| pick_half::<Binary16, MAX>(a, b, c)),
        (Bf16, false) => ternary(|a: u16, b: u16, c: u32| pick_half::<Brain16, MAX>(a, b, c)),
        (F16x2, false) => ternary(|a: u32, b: u32, c: u32| both(a, b, |a, b| pick_half::<Binary16, MAX>(a, b, c))),
        (Bf16x2, false) => ternary(|a: u32, b: u32, c: u32| both(a, b, |a, b| pick_half::<Brain16, MAX>(a, b, c))),
        _ => return None,
    })
}

/// `min` or `max`. Where `options` is not 0 the kernel reads it as a third source.
pub fn kernel(opcode: &str, ty: Type, options: u32) -> Option<Kernel> {
    if options & FTZ != 0 && matches!(ty, Type::Bf16 | Type::Bf16x2) {
        return None;
    }
    if opcode == "max" { of::<true>(ty, options == 0) } else { of::<false>(ty, options == 0) }
}
