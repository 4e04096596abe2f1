//! Floats to and from integers, and to other floats.
//!
//! To an integer: a value beyond the type's range takes the nearest end of it. A NaN gives 0,
//! but from `.f64`, or to a 64-bit integer, it gives the sign bit alone (0x8000...), as the
//! ISA's table says. From a wide integer or between floats the value goes through `f64`,
//! rounded to odd where it does not fit, so that the last rounding is the only one.

use super::{ConversionSteps, CvtModifiers};
use crate::exec::float::exact::Exact;
use crate::exec::float::half::{self, Binary16, Brain16, Half};
use crate::exec::float::round::{self, Nearest, Rounding, RoundingMode, Single, by_rounding, integral};
use crate::exec::float::single;
use crate::lanes::{LaneFn, unary};
use crate::watch::flow;
use ptx::ast::Type;

/// To an integer of the same format.
fn whole<M: RoundingMode>(ty: Type, ftz: bool) -> LaneFn {
    match (ty, ftz) {
        (Type::F32, false) => unary(|a: f32| single::result(integral::<M>(f64::from(a)) as f32)),
        (Type::F32, true) => unary(|a: f32| single::result(integral::<M>(f64::from(single::flush::<true>(a))) as f32)),
        (Type::F16, _) => unary(|a: u16| Binary16::narrow(integral::<M>(Binary16::widen(a)))),
        (Type::Bf16, _) => unary(|a: u16| Brain16::narrow(integral::<M>(Brain16::widen(a)))),
        _ => unary(|a: f64| integral::<M>(a)),
    }
}

/// Toward zero, as Rust's `as` does it: out of range to the nearest end. `$nan` where the ISA asks for the sign bit.
macro_rules! truncated {
    ($from:ty, $to:expr, [$($variant:ident = $int:ty, $special:expr;)*]) => {
        match $to {
            $(Type::$variant => unary(|a: $from| {
                let nan: $int = if $special { 1 << (<$int>::BITS - 1) } else { 0 };
                if a.is_nan() { nan } else { a as $int }
            }),)*
            other => unreachable!(".{other} is no integer"),
        }
    };
}

fn truncated(to: Type, from: Type) -> LaneFn {
    match from {
        Type::F64 => truncated!(f64, to, [
            U8 = u8, true; S8 = i8, true; U16 = u16, true; S16 = i16, true;
            U32 = u32, true; S32 = i32, true; U64 = u64, true; S64 = i64, true;
        ]),
        _ => truncated!(f32, to, [
            U8 = u8, false; S8 = i8, false; U16 = u16, false; S16 = i16, false;
            U32 = u32, false; S32 = i32, false; U64 = u64, true; S64 = i64, true;
        ]),
    }
}

/// Into a wider format. `.ftz` is for the side that is an `f32`.
fn widened(to: Type, from: Type, ftz: bool) -> LaneFn {
    match (to, from, ftz) {
        (Type::F32, Type::F16, _) => unary(|a: u16| single::result(Binary16::widen(a) as f32)),
        (Type::F32, _, false) => unary(|a: u16| single::result(Brain16::widen(a) as f32)),
        (Type::F32, _, true) => unary(|a: u16| single::flush_bits(single::result(Brain16::widen(a) as f32))),
        (_, Type::F16, _) => unary(Binary16::widen),
        (_, Type::Bf16, _) => unary(Brain16::widen),
        (_, _, false) => unary(|a: f32| f64::from(a)),
        (_, _, true) => unary(|a: f32| f64::from(single::flush::<true>(a))),
    }
}

/// An `f64`, rounded to odd or exact, in a narrower format.
fn narrowed<M: RoundingMode>(to: Type, ftz: bool) -> LaneFn {
    match (to, ftz) {
        (Type::F16, _) => unary(half::narrow::<Binary16, M>),
        (Type::Bf16, _) => unary(half::narrow::<Brain16, M>),
        (_, false) => unary(|a: f64| single::result(round::round::<Single, M>(a) as f32)),
        (_, true) => unary(|a: f64| single::flush_bits(single::result(round::round::<Single, M>(a) as f32))),
    }
}

/// An `f32` as a half: the usual case, in one step.
fn halved<M: RoundingMode>(to: Type, ftz: bool) -> LaneFn {
    match (to, ftz) {
        (Type::F16, false) => unary(|a: f32| half::narrow::<Binary16, M>(f64::from(a))),
        (Type::F16, true) => unary(|a: f32| half::narrow::<Binary16, M>(f64::from(single::flush::<true>(a)))),
        (_, false) => unary(|a: f32| half::narrow::<Brain16, M>(f64::from(a))),
        (_, true) => unary(|a: f32| half::narrow::<Brain16, M>(f64::from(single::flush::<true>(a)))),
    }
}

pub fn to_integer(chain: &mut ConversionSteps, wanted: &CvtModifiers, to: Type, mut from: Type) {
    if matches!(from, Type::F16 | Type::Bf16) {
        chain.then((widened(Type::F32, from, false), flow::all), Type::F32);
        from = Type::F32;
    }
    let rounding = wanted.integral.expect("checked");
    // Toward zero a subnormal is 0 with or without `.ftz`.
    if rounding != Rounding::Zero {
        chain.then((by_rounding!(rounding, M, whole::<M>(from, wanted.ftz)), flow::all), from);
    }
    chain.then((truncated(to, from), flow::all), to);
}

/// An integer as an `f32` or `f64`, rounded to nearest by the processor.
macro_rules! nearest {
    ($to:ty, $from:expr) => {
        match $from {
            Type::U8 => unary(|a: u8| a as $to),
            Type::S8 => unary(|a: i8| a as $to),
            Type::U16 => unary(|a: u16| a as $to),
            Type::S16 => unary(|a: i16| a as $to),
            Type::U32 => unary(|a: u32| a as $to),
            Type::S32 => unary(|a: i32| a as $to),
            Type::U64 => unary(|a: u64| a as $to),
            _ => unary(|a: i64| a as $to),
        }
    };
}

fn directed<M: RoundingMode>(from: Type) -> LaneFn {
    match from {
        Type::U64 => unary(|a: u64| Exact::integer(false, a).round(M::ROUNDING)),
        _ => unary(|a: i64| Exact::integer(a < 0, a.unsigned_abs()).round(M::ROUNDING)),
    }
}

pub fn from_integer(chain: &mut ConversionSteps, wanted: &CvtModifiers, to: Type, from: Type) {
    let rounding = wanted.rounding.expect("checked");
    match (to, rounding) {
        (Type::F32, Rounding::Nearest) => chain.then((nearest!(f32, from), flow::all), to),
        (Type::F64, _) if rounding == Rounding::Nearest || from.bytes() < 8 => {
            chain.then((nearest!(f64, from), flow::all), to);
        }
        (Type::F64, _) => chain.then((by_rounding!(rounding, M, directed::<M>(from)), flow::all), to),
        _ => {
            let odd = match from {
                Type::U64 => unary(|a: u64| round::integer(f64::from((a >> 32) as u32), a as u32)),
                Type::S64 => unary(|a: i64| round::integer(f64::from((a >> 32) as i32), a as u32)),
                exact => nearest!(f64, exact),
            };
            chain.then((odd, flow::all), Type::F64);
            chain.then((by_rounding!(rounding, M, narrowed::<M>(to, false)), flow::all), to);
        }
    }
}

pub fn between(chain: &mut ConversionSteps, wanted: &CvtModifiers, to: Type, mut from: Type) {
    let ftz = wanted.ftz;
    if to == from {
        let kernel = match (wanted.integral, to) {
            (Some(rounding), _) => by_rounding!(rounding, M, whole::<M>(to, ftz)),
            (None, Type::F32) if ftz => unary(single::flush_bits),
            (None, Type::F64) => unary(|a: u64| a),
            (None, Type::F32) => unary(|a: u32| a),
            (None, _) => unary(|a: u16| a),
        };
        let flow = if wanted.integral.is_some() || ftz { flow::all } else { flow::bitwise };
        chain.then((kernel, flow), to);
        return;
    }
    if to.bytes() > from.bytes() {
        chain.then((widened(to, from, ftz), flow::all), to);
        return;
    }
    if to.bytes() == from.bytes() {
        chain.then((widened(Type::F32, from, false), flow::all), Type::F32);
        from = Type::F32;
    }
    let rounding = wanted.rounding.unwrap_or(Rounding::Nearest);
    let kernel = match (to, from, rounding) {
        (Type::F32, _, Rounding::Nearest) if !ftz => unary(|a: f64| single::result(a as f32)),
        (_, Type::F64, _) => by_rounding!(rounding, M, narrowed::<M>(to, ftz)),
        _ => by_rounding!(rounding, M, halved::<M>(to, ftz)),
    };
    chain.then((kernel, flow::all), to);
    if wanted.finite {
        let kernel = match to {
            Type::F16 => unary(finite::<Binary16>),
            _ => unary(finite::<Brain16>),
        };
        chain.then((kernel, flow::all), to);
    }
}

/// `.satfinite`: the largest finite number for an infinity.
#[inline(always)]
pub fn finite<F: Half>(bits: u16) -> u16 {
    if bits & 0x7fff == F::INFINITY { bits - 1 } else { bits }
}

/// An `f32` as a half, for the packed forms.
#[inline(always)]
pub fn nearest_half<F: Half>(a: f32) -> u16 {
    half::narrow::<F, Nearest>(f64::from(a))
}
