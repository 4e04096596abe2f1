//! Formats of tensor-core operands: `tf32`, and pairs of `e4m3` or `e5m2` bytes.
//!
//! The two byte formats keep a sign bit; `e4m3` has no infinity, and its only NaN is 0x7f (or
//! 0xff). Values of both are `f16` values, so they are coded and read through `f16`.
//! Conversion to them always saturates (`.satfinite`).

use crate::decode::{Decoder, Modifiers, Refused};
use crate::exec::float::half::{self, Binary16, Half, high, low, pack};
use crate::exec::float::round::{self, FloatFormat, Nearest, RoundingMode, TowardZero};
use crate::exec::float::single;
use crate::exec::op::{Alu, Op};
use crate::lanes::{LaneFn, binary, unary};
use crate::watch::flow;
use ptx::ast::{Instruction, Type};

pub const FORMATS: &[&str] = &["tf32", "e4m3x2", "e5m2x2"];

/// A byte: 1 + 4 + 3 bits, numbers up to 448.
#[derive(Clone, Copy)]
struct E4m3;

/// A byte: 1 + 5 + 2 bits, the upper half of an `f16`.
#[derive(Clone, Copy)]
struct E5m2;

/// `f32` with the fraction of an `f16`.
#[derive(Clone, Copy)]
struct Tf32;

impl FloatFormat for E4m3 {
    const FRACTION: i64 = 3;
    const LEAST: i64 = -6;
    const MOST: f64 = 448.0;
}
impl FloatFormat for E5m2 {
    const FRACTION: i64 = 2;
    const LEAST: i64 = -14;
    const MOST: f64 = 57344.0;
}
impl FloatFormat for Tf32 {
    const FRACTION: i64 = 10;
    const LEAST: i64 = -126;
    const MOST: f64 = f32::from_bits(0x7f7f_e000) as f64;
}

/// A byte format, coded and read by way of `f16` bits.
trait Byte: FloatFormat {
    /// A number that the format has, given as an `f16`.
    fn code(half: u16) -> u8;
    fn read(byte: u8) -> u16;
}

impl Byte for E4m3 {
    #[inline(always)]
    fn code(half: u16) -> u8 {
        let magnitude = half & 0x7fff;
        // Below 2^-6 the byte counts steps of 2^-9.
        let subnormal = (Binary16::widen(magnitude) * 512.0) as u16;
        let normal = (magnitude >> 7).wrapping_sub(8 << 3);
        let number = if magnitude < 0x2400 { subnormal } else { normal };
        (half >> 8 & 0x80 | number) as u8
    }

    #[inline(always)]
    fn read(byte: u8) -> u16 {
        let magnitude = u16::from(byte & 0x7f);
        let subnormal = Binary16::narrow(f64::from(magnitude) / 512.0);
        let number = if magnitude < 8 { subnormal } else { (magnitude << 7) + (8 << 10) };
        if magnitude == 0x7f { half::NAN } else { u16::from(byte & 0x80) << 8 | number }
    }
}

impl Byte for E5m2 {
    #[inline(always)]
    fn code(half: u16) -> u8 {
        (half >> 8) as u8
    }

    #[inline(always)]
    fn read(byte: u8) -> u16 {
        let half = u16::from(byte) << 8;
        if half & 0x7fff > Binary16::INFINITY { half::NAN } else { half }
    }
}

/// Rounded to nearest; beyond the largest number, that number; a NaN to 0x7f.
#[inline(always)]
fn byte<F: Byte, const RELU: bool>(x: f64) -> u8 {
    let x = if RELU && x <= 0.0 { 0.0 } else { x };
    let rounded = round::round::<F, Nearest>(x).max(-F::MOST).min(F::MOST);
    if x.is_nan() { 0x7f } else { F::code(Binary16::narrow(rounded)) }
}

fn from_singles<F: Byte, const RELU: bool>() -> LaneFn {
    binary(|a: f32, b: f32| u16::from(byte::<F, RELU>(f64::from(a))) << 8 | u16::from(byte::<F, RELU>(f64::from(b))))
}

fn from_halves<F: Byte, const RELU: bool>() -> LaneFn {
    unary(|a: u32| {
        let [upper, lower] = [high(a), low(a)].map(|half| byte::<F, RELU>(Binary16::widen(half)));
        u16::from(upper) << 8 | u16::from(lower)
    })
}

fn to_halves<F: Byte, const RELU: bool>() -> LaneFn {
    unary(|a: u16| {
        let [upper, lower] = [(a >> 8) as u8, a as u8].map(|byte| {
            let half = F::read(byte);
            if RELU { half::relu::<Binary16>(half) } else { half }
        });
        pack(lower, upper)
    })
}

/// `$kernel::<format, relu>()`.
macro_rules! by_format {
    ($format:expr, $relu:expr, $kernel:ident) => {
        match ($format, $relu) {
            ("e4m3x2", false) => $kernel::<E4m3, false>(),
            ("e4m3x2", true) => $kernel::<E4m3, true>(),
            (_, false) => $kernel::<E5m2, false>(),
            (_, true) => $kernel::<E5m2, true>(),
        }
    };
}

/// A conversion in which `format`, taken already, is one of the types.
pub fn decode(
    instruction: &Instruction,
    decoder: &mut Decoder,
    mut modifiers: Modifiers,
    format: &str,
) -> Result<Op, Refused> {
    // The destination's type is written first.
    let written_first = instruction.modifiers.iter().position(|modifier| modifier == format)
        < instruction.modifiers.iter().position(|modifier| Type::parse(modifier).is_some());
    let other = modifiers.ty()?;
    let rounding = modifiers.take_one_of(&["rn", "rz", "rna"]);
    let relu = modifiers.take("relu");
    let finite = modifiers.take("satfinite");
    modifiers.finish()?;
    let (kernel, to, sources): (_, _, &[Type]) = match (format, other) {
        ("tf32", Type::F32) if written_first => (tensor(rounding, relu, finite), Type::B32, &[Type::F32]),
        ("tf32", _) => (None, Type::B32, &[]),
        (_, Type::F32) if written_first && finite => {
            (Some(by_format!(format, relu, from_singles)), Type::B16, &[Type::F32, Type::F32])
        }
        (_, Type::F16x2) if written_first && finite => {
            (Some(by_format!(format, relu, from_halves)), Type::B16, &[Type::F16x2])
        }
        (_, Type::F16x2) if !written_first && !finite => {
            (Some(by_format!(format, relu, to_halves)), Type::F16x2, &[Type::B16])
        }
        _ => (None, Type::B32, &[]),
    };
    let kernel = kernel.filter(|_| format == "tf32" || rounding == Some("rn"));
    let kernel = kernel.ok_or_else(|| Refused::malformed(format!("no such cvt with .{format} and .{other}")))?;
    Ok(Op::Alu(Alu::of(instruction, decoder, kernel, flow::all, to, sources)?))
}

fn tensor(rounding: Option<&str>, relu: bool, finite: bool) -> Option<LaneFn> {
    Some(match (rounding?, relu, finite) {
        ("rna", false, false) => unary(|a: f32| away(a)),
        ("rna", false, true) => unary(|a: f32| match away(a) {
            infinite if infinite & 0x7fff_ffff == 0x7f80_0000 => infinite - 0x2000,
            finite => finite,
        }),
        ("rn", false, false) => unary(|a: f32| tensor_of::<Nearest>(a)),
        ("rz", false, false) => unary(|a: f32| tensor_of::<TowardZero>(a)),
        ("rn", true, false) => unary(|a: f32| tensor_of::<Nearest>(if a <= 0.0 { 0.0 } else { a })),
        ("rz", true, false) => unary(|a: f32| tensor_of::<TowardZero>(if a <= 0.0 { 0.0 } else { a })),
        _ => return None,
    })
}

/// To nearest; from the middle, away from zero.
#[inline(always)]
fn away(a: f32) -> u32 {
    if a.is_nan() { single::NAN } else { a.to_bits().wrapping_add(0x1000) & !0x1fff }
}

#[inline(always)]
fn tensor_of<M: RoundingMode>(a: f32) -> u32 {
    single::result(round::round::<Tf32, M>(f64::from(a)) as f32)
}
