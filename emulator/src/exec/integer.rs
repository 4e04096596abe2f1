//! Integer arithmetic (PTX ISA, "Integer Arithmetic Instructions").

use super::{Alu, Op};
use crate::decode::{Decoder, Modifiers, Refused};
use crate::lanes::{Args, Kernel, binary};
use crate::ptx::ast::{Instruction, Type};
use crate::watch::flow;

pub const OPCODES: &[&str] = &["add"];

pub fn decode(instruction: &Instruction, decoder: &mut Decoder) -> Result<Op, Refused> {
    let mut modifiers = Modifiers::new(&instruction.modifiers);
    let ty = modifiers.ty()?;
    modifiers.finish()?;
    decoder.arity(instruction, 3..=3)?;
    let kernel = add(ty).ok_or_else(Refused::unsupported)?;
    let args = Args {
        d: decoder.dest(&instruction.operands[0], ty)?,
        a: decoder.source(&instruction.operands[1], ty)?,
        b: decoder.source(&instruction.operands[2], ty)?,
        ..Args::default()
    };
    Ok(Op::Alu(Alu { kernel, args, flow: flow::carry }))
}

fn add(ty: Type) -> Option<Kernel> {
    Some(match ty {
        Type::U16 | Type::S16 => binary(|a: u16, b: u16| a.wrapping_add(b)),
        Type::U32 | Type::S32 => binary(|a: u32, b: u32| a.wrapping_add(b)),
        Type::U64 | Type::S64 => binary(|a: u64, b: u64| a.wrapping_add(b)),
        _ => return None,
    })
}
