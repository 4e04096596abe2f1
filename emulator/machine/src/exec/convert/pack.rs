//! Two numbers into one register: `cvt.f16x2.f32`, `cvt.bf16x2.f32` and `cvt.pack`.
//!
//! The first source goes into the upper part.

use super::{CvtModifiers, float};
use crate::decode::{Decoder, Modifiers, Refused};
use crate::exec::float::half::{Binary16, Brain16, Half, both, narrow, pack};
use crate::exec::float::round::{Rounding, TowardZero};
use crate::exec::float::{Clamp, flow_of};
use crate::exec::op::{Alu, Op};
use crate::lanes::{Args, LaneFn, binary, ternary, unary};
use crate::watch::flow;
use ptx::ast::{Instruction, Type};

fn packed<F: Half>(rounding: Rounding) -> Option<LaneFn> {
    Some(match rounding {
        Rounding::Nearest => binary(|a: f32, b: f32| pack(float::nearest_half::<F>(b), float::nearest_half::<F>(a))),
        Rounding::Zero => {
            binary(|a: f32, b: f32| pack(narrow::<F, TowardZero>(f64::from(b)), narrow::<F, TowardZero>(f64::from(a))))
        }
        _ => return None,
    })
}

fn upper_and_lower(_: [u64; 4], u: [u64; 4]) -> u64 {
    (if u[0] != 0 { 0xffff_0000 } else { 0 }) | (if u[1] != 0 { 0xffff } else { 0 })
}

/// `cvt.{rn,rz}{.relu}{.satfinite}.f16x2.f32 d, a, b`, and the same to `.bf16x2`.
pub fn halves(
    instruction: &Instruction,
    decoder: &mut Decoder,
    wanted: &CvtModifiers,
    to: Type,
    from: Type,
) -> Result<Op, Refused> {
    let no = || Refused::malformed(format!("no such cvt.{to}.{from}"));
    if from != Type::F32 || wanted.ftz || wanted.saturates || wanted.integral.is_some() {
        return Err(no());
    }
    let rounding = wanted.rounding.ok_or_else(no)?;
    let kernel = if to == Type::F16x2 { packed::<Binary16>(rounding) } else { packed::<Brain16>(rounding) };
    let first = Alu::of(instruction, decoder, kernel.ok_or_else(no)?, upper_and_lower, to, &[from; 2])?;
    let d = first.args.d;
    let mut steps = vec![first];
    if wanted.finite {
        let kernel = match to {
            Type::F16x2 => unary(|a: u32| both(a, 0, |a, _| float::finite::<Binary16>(a))),
            _ => unary(|a: u32| both(a, 0, |a, _| float::finite::<Brain16>(a))),
        };
        steps.push(Alu { kernel, args: Args { d, a: d, ..Args::default() }, flow: flow_of(to) });
    }
    if wanted.relu {
        steps.push(Clamp::Relu.step(to, d, d)?);
    }
    Ok(if steps.len() == 1 { Op::Alu(steps.remove(0)) } else { Op::Steps(steps.into()) })
}

/// `a` clamped to so many bits.
#[inline(always)]
fn clamped<const BITS: u32, const SIGNED: bool>(a: i32) -> u32 {
    let (least, most) = if SIGNED { (-(1 << (BITS - 1)), (1 << (BITS - 1)) - 1) } else { (0, (1 << BITS) - 1) };
    a.max(least).min(most) as u32 & ((1 << BITS) - 1)
}

#[inline(always)]
fn joined<const BITS: u32, const SIGNED: bool>(a: i32, b: i32) -> u32 {
    clamped::<BITS, SIGNED>(a) << BITS | clamped::<BITS, SIGNED>(b)
}

/// Returns the kernel that packs two values, and moves up by two fields those that were there before.
fn pushed<const BITS: u32, const SIGNED: bool>() -> LaneFn {
    ternary(|a: i32, b: i32, c: u32| c << (2 * BITS) | joined::<BITS, SIGNED>(a, b))
}

/// `cvt.pack.sat.type.s32 d, a, b` and, for narrower types, `cvt.pack.sat.type.s32.b32 d, a, b, c`.
pub fn decode(instruction: &Instruction, decoder: &mut Decoder, mut modifiers: Modifiers) -> Result<Op, Refused> {
    const NARROW: &[&str] = &["u8", "s8", "u4", "s4", "u2", "s2", "u16", "s16"];
    let saturates = modifiers.take("sat");
    let to = modifiers.take_one_of(NARROW).unwrap_or_default();
    let from = modifiers.take("s32");
    let old = modifiers.take("b32");
    modifiers.finish()?;
    let kernel = match (to, old) {
        _ if !saturates || !from => None,
        ("u16", false) => Some(binary(|a: i32, b: i32| joined::<16, false>(a, b))),
        ("s16", false) => Some(binary(|a: i32, b: i32| joined::<16, true>(a, b))),
        ("u8", true) => Some(pushed::<8, false>()),
        ("s8", true) => Some(pushed::<8, true>()),
        ("u4", true) => Some(pushed::<4, false>()),
        ("s4", true) => Some(pushed::<4, true>()),
        ("u2", true) => Some(pushed::<2, false>()),
        ("s2", true) => Some(pushed::<2, true>()),
        _ => None,
    };
    let kernel = kernel.ok_or_else(|| Refused::malformed("no such cvt.pack"))?;
    let sources: &[Type] = if old { &[Type::S32, Type::S32, Type::B32] } else { &[Type::S32; 2] };
    Ok(Op::Alu(Alu::of(instruction, decoder, kernel, flow::all, Type::B32, sources)?))
}
