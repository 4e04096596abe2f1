//! Approximate functions (PTX ISA, "Floating Point Instructions": div, rcp, sqrt, rsqrt,
//! sin, cos, lg2, ex2, tanh, and the half forms of the last two).
//!
//! Hardware answers from tables, within a bound that the ISA gives. Here each is computed
//! in `f64` and rounded once, so its error is about half a unit in the last place: always
//! within the bound, and not bit for bit what a GPU says.
//!
//! | instruction | bound in the ISA |
//! |---|---|
//! | div.approx.f32 | 2 ulp for divisors of 2^-126 to 2^126; larger ones give 0, or NaN from an infinity |
//! | div.full.f32 | 2 ulp |
//! | rcp, sqrt (.approx.f32) | 1 ulp, 2^-23 relative |
//! | rsqrt.approx.f32 | 2^-22.9 relative |
//! | sin, cos (.approx.f32) | 2^-20.5 absolute within 2 pi |
//! | lg2.approx.f32 | 2^-22 absolute from 0.5 to 2, relative elsewhere |
//! | ex2.approx | 2^-22 relative for f32, 2^-9.9 for f16, 2^-7 for bf16 |
//! | tanh.approx | 2^-11 relative for f32, 2^-10.987 absolute for f16, 2^-8 for bf16 |
//! | rcp, rsqrt (.approx.ftz.f64) | about 2^-20 relative: the upper words of operand and result only |
//! | rsqrt.approx.f64 | none given; here that of `f64` |

use super::double;
use super::half::{self, Binary16, Brain16, Half, both};
use super::round::Nearest;
use super::single::{flush, result};
use crate::lanes::{LaneFn, binary, unary};
use ptx::ast::Type;

/// `f` of an `f32`, rounded once.
#[inline(always)]
fn single<const FTZ: bool>(x: f32, f: impl Fn(f64) -> f64) -> u32 {
    result(flush::<FTZ>(f(f64::from(flush::<FTZ>(x))) as f32))
}

/// `a * (1 / b)` as hardware forms it: the reciprocal of a huge `b` is subnormal, and flushed.
#[inline(always)]
fn divide<const FTZ: bool>(a: f32, b: f32) -> u32 {
    let (a, b) = (flush::<FTZ>(a), flush::<FTZ>(b));
    let huge = b.abs() > f32::from_bits((127 + 126) << 23) && b.abs() < f32::INFINITY;
    result(flush::<FTZ>(if huge { a * 0f32.copysign(b) } else { a / b }))
}

#[inline(always)]
fn divide_full<const FTZ: bool>(a: f32, b: f32) -> u32 {
    result(flush::<FTZ>(flush::<FTZ>(a) / flush::<FTZ>(b)))
}

fn single_kernel<const FTZ: bool>(opcode: &str) -> Option<LaneFn> {
    Some(match opcode {
        "div" => binary(|a: f32, b: f32| divide::<FTZ>(a, b)),
        "div.full" => binary(|a: f32, b: f32| divide_full::<FTZ>(a, b)),
        "rcp" => unary(|x: f32| single::<FTZ>(x, |x| 1.0 / x)),
        "sqrt" => unary(|x: f32| single::<FTZ>(x, f64::sqrt)),
        "rsqrt" => unary(|x: f32| single::<FTZ>(x, |x| 1.0 / x.sqrt())),
        "sin" => unary(|x: f32| single::<FTZ>(x, f64::sin)),
        "cos" => unary(|x: f32| single::<FTZ>(x, f64::cos)),
        "lg2" => unary(|x: f32| single::<FTZ>(x, f64::log2)),
        "ex2" => unary(|x: f32| single::<FTZ>(x, f64::exp2)),
        "tanh" if !FTZ => unary(|x: f32| single::<FTZ>(x, f64::tanh)),
        _ => return None,
    })
}

#[inline(always)]
fn half<F: Half, const FTZ: bool>(x: u16, f: impl Fn(f64) -> f64) -> u16 {
    half::flush::<F, FTZ>(half::narrow::<F, Nearest>(f(F::widen(half::flush::<F, FTZ>(x)))))
}

/// `ex2` flushes as a `bf16` and cannot as an `f16`; `tanh` never does.
fn half_kernel(opcode: &str, ty: Type, ftz: bool) -> Option<LaneFn> {
    use Type::*;
    Some(match (opcode, ty, ftz) {
        ("ex2", F16, false) => unary(|x: u16| half::<Binary16, false>(x, f64::exp2)),
        ("ex2", F16x2, false) => unary(|x: u32| both(x, 0, |x, _| half::<Binary16, false>(x, f64::exp2))),
        ("ex2", Bf16, true) => unary(|x: u16| half::<Brain16, true>(x, f64::exp2)),
        ("ex2", Bf16x2, true) => unary(|x: u32| both(x, 0, |x, _| half::<Brain16, true>(x, f64::exp2))),
        ("tanh", F16, false) => unary(|x: u16| half::<Binary16, false>(x, f64::tanh)),
        ("tanh", F16x2, false) => unary(|x: u32| both(x, 0, |x, _| half::<Binary16, false>(x, f64::tanh))),
        ("tanh", Bf16, false) => unary(|x: u16| half::<Brain16, false>(x, f64::tanh)),
        ("tanh", Bf16x2, false) => unary(|x: u32| both(x, 0, |x, _| half::<Brain16, false>(x, f64::tanh))),
        _ => return None,
    })
}

/// `f` of the upper word of an `f64`, to an upper word: 20 fraction bits, subnormals flushed, one NaN.
#[inline(always)]
fn gross(x: f64, f: impl Fn(f64) -> f64) -> u64 {
    const UPPER: u64 = !0 << 32;
    let flush = |x: f64| if x.to_bits() >> 52 & 0x7ff == 0 { 0f64.copysign(x) } else { x };
    let value = flush(f(flush(f64::from_bits(x.to_bits() & UPPER))));
    let nearest = value.to_bits().wrapping_add(1 << 31) & UPPER;
    // The upper word decides what is a NaN and what an infinity.
    if value.is_nan() { 0x7fff_ffff << 32 } else { nearest }
}

fn double_kernel(opcode: &str, ftz: bool) -> Option<LaneFn> {
    Some(match (opcode, ftz) {
        ("rcp", true) => unary(|x: f64| gross(x, |x| 1.0 / x)),
        ("rsqrt", true) => unary(|x: f64| gross(x, |x| 1.0 / x.sqrt())),
        ("rsqrt", false) => unary(|x: f64| double::result(1.0 / x.sqrt(), [x])),
        _ => return None,
    })
}

/// The lane function of `opcode.approx` (`div.full` under that name); [`None`] where there is none.
pub fn kernel(opcode: &str, ty: Type, ftz: bool) -> Option<LaneFn> {
    match ty {
        Type::F32 if ftz => single_kernel::<true>(opcode),
        Type::F32 => single_kernel::<false>(opcode),
        Type::F64 => double_kernel(opcode, ftz),
        _ => half_kernel(opcode, ty, ftz),
    }
}
