//! Floating-point arithmetic of every format (PTX ISA, "Floating Point Instructions",
//! "Half Precision Floating Point Instructions"). Here modifiers are checked; what each
//! instruction computes is in the files below.
//!
//! An `add` or `mul` without a rounding rounds to nearest, unless the assembler contracts such a pair to one `fma`:
//! `program/contract.rs` has the rule. Left to others: `f32x2` and mixed
//! precision (`add.f32.f16`), which need sm_100, and `fma.oob`.

mod approximate;
mod double;
pub(in crate::exec) mod exact;
mod extremum;
pub mod fused;
pub mod half;
pub mod round;
mod sign;
pub mod single;

use super::op::{Alu, Op};
use crate::decode::{Constant, Decoder, Modifiers, Refused};
use crate::lanes::{Args, LaneFn, unary};
use crate::registers::{Reg, Width};
use crate::watch::flow::{self, UndefinedFlow};
use half::both;
use ptx::ast::{Instruction, Type};
use round::Rounding;

pub const OPCODES: &[&str] = &[
    "add", "sub", "mul", "fma", "mad", "div", "abs", "neg", "min", "max", "rcp", "sqrt", "rsqrt", "sin", "cos", "lg2",
    "ex2", "tanh", "copysign", "testp",
];

pub fn decode(instruction: &Instruction, decoder: &mut Decoder) -> Result<Op, Refused> {
    let mut modifiers = Modifiers::new(&instruction.modifiers);
    let ty = modifiers.ty()?;
    match instruction.opcode.as_str() {
        "add" | "sub" | "mul" | "fma" | "mad" => arithmetic(instruction, decoder, modifiers, ty),
        "abs" | "neg" => {
            let ftz = modifiers.take("ftz");
            let found = sign::kernel(&instruction.opcode, ty, ftz);
            whole(instruction, decoder, modifiers, ty, &[ty], found)
        }
        "copysign" => whole(instruction, decoder, modifiers, ty, &[ty; 2], sign::copysign(ty)),
        "min" | "max" => extremum(instruction, decoder, modifiers, ty),
        "testp" => testp(instruction, decoder, modifiers, ty),
        _ => function(instruction, decoder, modifiers, ty),
    }
}

fn no_such_form(instruction: &Instruction, ty: Type) -> Refused {
    Refused::malformed(format!("{} has no such form for .{ty}", instruction.opcode))
}

/// The instruction in one step, if it exists and no modifier is left.
fn whole(
    instruction: &Instruction,
    decoder: &mut Decoder,
    modifiers: Modifiers,
    ty: Type,
    sources: &[Type],
    found: Option<(LaneFn, UndefinedFlow)>,
) -> Result<Op, Refused> {
    modifiers.finish()?;
    let (kernel, flow) = found.ok_or_else(|| no_such_form(instruction, ty))?;
    Ok(Op::Alu(Alu::of(instruction, decoder, kernel, flow, ty, sources)?))
}

fn arithmetic(
    instruction: &Instruction,
    decoder: &mut Decoder,
    mut modifiers: Modifiers,
    ty: Type,
) -> Result<Op, Refused> {
    let opcode = instruction.opcode.as_str();
    let rounding = modifiers.take_map(Rounding::parse);
    let ftz = modifiers.take("ftz");
    let clamp = Clamp::take(&mut modifiers, ty)?;
    modifiers.finish()?;
    let fused = matches!(opcode, "fma" | "mad");
    if fused && rounding.is_none() {
        return Err(Refused::malformed(format!("{opcode} needs a rounding modifier")));
    }
    if clamp == Some(Clamp::Relu) && opcode != "fma" {
        return Err(Refused::malformed(".relu is for fma"));
    }
    let rounding = rounding.unwrap_or(Rounding::Nearest);
    let kernel = match ty {
        Type::F32 => single::kernel(opcode, rounding, ftz),
        Type::F64 if !ftz => double::kernel(opcode, rounding),
        _ if rounding == Rounding::Nearest => half::kernel(opcode, ty, ftz),
        _ => None,
    };
    let kernel = kernel.ok_or_else(|| no_such_form(instruction, ty))?;
    let sources: &[Type] = if fused { &[ty; 3] } else { &[ty; 2] };
    let alu = Alu::of(instruction, decoder, kernel, flow_of(ty), ty, sources)?;
    Ok(match clamp {
        None => Op::Alu(alu),
        Some(clamp) => {
            let last = clamp.step(ty, alu.args.d, alu.args.d)?;
            Op::Steps([alu, last].into())
        }
    })
}

/// An undefined bit spoils a number; in a packed one, its own half.
pub fn flow_of(ty: Type) -> UndefinedFlow {
    fn by_halves(_: [u64; 4], u: [u64; 4]) -> u64 {
        let any = u[0] | u[1] | u[2];
        let spoilt = |half: u64| if any & half != 0 { half } else { 0 };
        spoilt(0xffff) | spoilt(0xffff_0000)
    }
    if matches!(ty, Type::F16x2 | Type::Bf16x2) { by_halves } else { flow::all }
}

/// An operation on a result after its rounding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clamp {
    /// `.sat`: into [0, 1], a NaN to +0.
    Saturate,
    /// `.relu`: negative numbers to +0.
    Relu,
}

impl Clamp {
    /// `.sat` or `.relu` of a type that has it.
    fn take(modifiers: &mut Modifiers, ty: Type) -> Result<Option<Clamp>, Refused> {
        use Type::*;
        let clamp = match modifiers.take_one_of(&["sat", "relu"]) {
            Some("sat") if matches!(ty, F32 | F16 | F16x2) => Clamp::Saturate,
            Some("relu") if matches!(ty, F16 | F16x2 | Bf16 | Bf16x2) => Clamp::Relu,
            Some(name) => return Err(Refused::malformed(format!(".{name} does not go with .{ty}"))),
            None => return Ok(None),
        };
        Ok(Some(clamp))
    }

    /// The step that clamps `a` into `d`.
    pub fn step(self, ty: Type, d: Reg, a: Reg) -> Result<Alu, Refused> {
        use half::{Binary16, Brain16, relu, saturate};
        let kernel = match (self, ty) {
            (Clamp::Saturate, Type::F32) => unary(single::saturate),
            (Clamp::Saturate, Type::F64) => unary(double::saturate),
            (Clamp::Saturate, Type::F16) => unary(saturate),
            (Clamp::Saturate, Type::F16x2) => unary(|a: u32| both(a, 0, |a, _| saturate(a))),
            (Clamp::Relu, Type::F16) => unary(relu::<Binary16>),
            (Clamp::Relu, Type::Bf16) => unary(relu::<Brain16>),
            (Clamp::Relu, Type::F16x2) => unary(|a: u32| both(a, 0, |a, _| relu::<Binary16>(a))),
            (Clamp::Relu, Type::Bf16x2) => unary(|a: u32| both(a, 0, |a, _| relu::<Brain16>(a))),
            _ => return Err(Refused::malformed(format!(".{ty} has no such clamp"))),
        };
        Ok(Alu { kernel, args: Args { d, a, ..Args::default() }, flow: flow_of(ty) })
    }
}

fn extremum(
    instruction: &Instruction,
    decoder: &mut Decoder,
    mut modifiers: Modifiers,
    ty: Type,
) -> Result<Op, Refused> {
    if instruction.operands.len() == 4 {
        return Err(Refused::Unsupported("three operands".into()));
    }
    let mut options = 0;
    for (name, bit) in [("ftz", extremum::FTZ), ("NaN", extremum::PROPAGATES), ("xorsign", extremum::XORSIGN)] {
        options |= if modifiers.take(name) { bit } else { 0 };
    }
    if modifiers.take("abs") != (options & extremum::XORSIGN != 0) {
        return Err(Refused::malformed(".xorsign and .abs go together"));
    }
    modifiers.finish()?;
    let kernel = extremum::kernel(&instruction.opcode, ty, options).ok_or_else(|| no_such_form(instruction, ty))?;
    let mut alu = Alu::of(instruction, decoder, kernel, flow_of(ty), ty, &[ty; 2])?;
    if options != 0 {
        alu.args.c = decoder.constant(Constant::Bits(u64::from(options)), Width::Word);
    }
    Ok(Op::Alu(alu))
}

fn testp(instruction: &Instruction, decoder: &mut Decoder, mut modifiers: Modifiers, ty: Type) -> Result<Op, Refused> {
    let class = modifiers.take_one_of(sign::CLASSES).ok_or_else(|| Refused::malformed("testp needs a class"))?;
    modifiers.finish()?;
    let kernel = sign::testp(class, ty).ok_or_else(|| no_such_form(instruction, ty))?;
    let mut alu = Alu::of(instruction, decoder, kernel, flow::all, Type::Pred, &[ty])?;
    alu.args.b = alu.args.a;
    Ok(Op::Alu(alu))
}

/// Division, roots and transcendental functions: rounded, or `.approx`, or (div) `.full`.
fn function(
    instruction: &Instruction,
    decoder: &mut Decoder,
    mut modifiers: Modifiers,
    ty: Type,
) -> Result<Op, Refused> {
    let opcode = instruction.opcode.as_str();
    let rounding = modifiers.take_map(Rounding::parse);
    let style = modifiers.take_one_of(&["approx", "full"]);
    let ftz = modifiers.take("ftz");
    let kernel = match (style, rounding) {
        (Some("approx"), None) => approximate::kernel(opcode, ty, ftz),
        (Some("full"), None) if opcode == "div" => approximate::kernel("div.full", ty, ftz),
        (None, Some(rounding)) => match ty {
            Type::F32 => single::kernel(opcode, rounding, ftz),
            Type::F64 if !ftz => double::kernel(opcode, rounding),
            _ => None,
        },
        _ => None,
    };
    let sources: &[Type] = if opcode == "div" { &[ty; 2] } else { &[ty] };
    whole(instruction, decoder, modifiers, ty, sources, kernel.map(|kernel| (kernel, flow_of(ty))))
}

#[cfg(test)]
mod tests;
