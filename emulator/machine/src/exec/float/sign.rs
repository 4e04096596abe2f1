//! Instructions that only look at or change a sign or a class: neg, abs, copysign, testp (PTX ISA, "Floating Point
//! Instructions" and "Half Precision Floating Point Instructions").
//!
//! `neg` and `abs` keep a NaN's payload; the ISA leaves it open. `.ftz` forms flush first.

use super::half::{self, Binary16, both};
use super::single::flush_bits;
use crate::lanes::{LaneFn, binary, compare, unary};
use crate::watch::flow::{self, UndefinedFlow};
use ptx::ast::Type;

/// `neg` and `abs`; [`None`] where the type has no such form.
pub fn kernel(opcode: &str, ty: Type, ftz: bool) -> Option<(LaneFn, UndefinedFlow)> {
    use Type::*;
    if ftz {
        let kernel = match (opcode, ty) {
            ("neg", F32) => unary(|a: u32| flush_bits(a) ^ 0x8000_0000),
            ("abs", F32) => unary(|a: u32| flush_bits(a) & 0x7fff_ffff),
            ("neg", F16) => unary(|a: u16| half::flush::<Binary16, true>(a) ^ 0x8000),
            ("abs", F16) => unary(|a: u16| half::flush::<Binary16, true>(a) & 0x7fff),
            ("neg", F16x2) => unary(|a: u32| both(a, 0, |a, _| half::flush::<Binary16, true>(a) ^ 0x8000)),
            ("abs", F16x2) => unary(|a: u32| both(a, 0, |a, _| half::flush::<Binary16, true>(a) & 0x7fff)),
            _ => return None,
        };
        return Some((kernel, flow::all));
    }
    Some(match (opcode, ty) {
        ("neg", F32) => (unary(|a: u32| a ^ 0x8000_0000), flow::bitwise),
        ("neg", F64) => (unary(|a: u64| a ^ 1 << 63), flow::bitwise),
        ("neg", F16 | Bf16) => (unary(|a: u16| a ^ 0x8000), flow::bitwise),
        ("neg", F16x2 | Bf16x2) => (unary(|a: u32| a ^ 0x8000_8000), flow::bitwise),
        ("abs", F32) => (unary(|a: u32| a & 0x7fff_ffff), |_, u| u[0] & 0x7fff_ffff),
        ("abs", F64) => (unary(|a: u64| a & !(1 << 63)), |_, u| u[0] & !(1 << 63)),
        ("abs", F16 | Bf16) => (unary(|a: u16| a & 0x7fff), |_, u| u[0] & 0x7fff),
        ("abs", F16x2 | Bf16x2) => (unary(|a: u32| a & 0x7fff_7fff), |_, u| u[0] & 0x7fff_7fff),
        _ => return None,
    })
}

/// Minus `a` as an operand of a sum: a NaN of `.f64`, which the sum passes on, keeps its sign.
pub fn opposite(ty: Type) -> Option<(LaneFn, UndefinedFlow)> {
    match ty {
        Type::F64 => Some((unary(|a: u64| if f64::from_bits(a).is_nan() { a } else { a ^ 1 << 63 }), flow::bitwise)),
        _ => kernel("neg", ty, false),
    }
}

/// `copysign d, a, b`: the magnitude of `b` with the sign of `a`.
pub fn copysign(ty: Type) -> Option<(LaneFn, UndefinedFlow)> {
    const LOW: u32 = 0x7fff_ffff;
    const WIDE: u64 = u64::MAX >> 1;
    Some(match ty {
        Type::F32 => {
            (binary(|a: u32, b: u32| a & !LOW | b & LOW), |_, u| u[0] & u64::from(!LOW) | u[1] & u64::from(LOW))
        }
        Type::F64 => (binary(|a: u64, b: u64| a & !WIDE | b & WIDE), |_, u| u[0] & !WIDE | u[1] & WIDE),
        _ => return None,
    })
}

/// `testp.class`: a predicate. The kernel reads its operand twice over.
pub fn testp(class: &str, ty: Type) -> Option<LaneFn> {
    use std::num::FpCategory::*;
    Some(match (class, ty) {
        ("finite", Type::F32) => compare(|a: f32, _: f32| a.is_finite()),
        ("infinite", Type::F32) => compare(|a: f32, _: f32| a.is_infinite()),
        ("number", Type::F32) => compare(|a: f32, _: f32| !a.is_nan()),
        ("notanumber", Type::F32) => compare(|a: f32, _: f32| a.is_nan()),
        ("normal", Type::F32) => compare(|a: f32, _: f32| matches!(a.classify(), Normal | Zero)),
        ("subnormal", Type::F32) => compare(|a: f32, _: f32| a.classify() == Subnormal),
        ("finite", Type::F64) => compare(|a: f64, _: f64| a.is_finite()),
        ("infinite", Type::F64) => compare(|a: f64, _: f64| a.is_infinite()),
        ("number", Type::F64) => compare(|a: f64, _: f64| !a.is_nan()),
        ("notanumber", Type::F64) => compare(|a: f64, _: f64| a.is_nan()),
        ("normal", Type::F64) => compare(|a: f64, _: f64| matches!(a.classify(), Normal | Zero)),
        ("subnormal", Type::F64) => compare(|a: f64, _: f64| a.classify() == Subnormal),
        _ => return None,
    })
}

pub const CLASSES: &[&str] = &["finite", "infinite", "number", "notanumber", "normal", "subnormal"];
