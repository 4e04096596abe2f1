//! `alloca`, `stacksave`, `stackrestore` (PTX ISA, "Stack Manipulation Instructions").
//!
//! Their execution is in `run/stack.rs`. Pointers have 32 or 64 bits, as the type says: the stack's addresses fit both.

pub use super::op::stack::StackOp;
use super::op::{IS_WHOLE, Op};
use crate::decode::{Decoder, Modifiers, Refused};
use ptx::ast::{Immediate, Instruction, Operand, Type};

pub const OPCODES: &[&str] = &["alloca", "stacksave", "stackrestore"];

pub fn decode(instruction: &Instruction, decoder: &mut Decoder) -> Result<Op, Refused> {
    if !IS_WHOLE {
        return Err(Refused::unsupported());
    }
    let mut modifiers = Modifiers::new(&instruction.modifiers);
    let ty = modifiers.ty()?;
    modifiers.finish()?;
    if !matches!(ty, Type::U32 | Type::U64) {
        return Err(Refused::malformed(format!("an address is no .{ty}")));
    }
    let operands = &instruction.operands;
    Ok(Op::Stack(match instruction.opcode.as_str() {
        "alloca" => {
            decoder.arity(instruction, 2..=3)?;
            let align = operands.get(2).map_or(Ok(8), alignment)?;
            let size = decoder.source(&operands[1], ty)?;
            StackOp::Allocate { d: decoder.dest(&operands[0], ty)?, size, align }
        }
        "stacksave" => {
            decoder.arity(instruction, 1..=1)?;
            StackOp::Save { d: decoder.dest(&operands[0], ty)? }
        }
        _ => {
            decoder.arity(instruction, 1..=1)?;
            StackOp::Restore { a: decoder.source(&operands[0], ty)? }
        }
    }))
}

fn alignment(operand: &Operand) -> Result<u64, Refused> {
    match operand {
        Operand::Immediate(Immediate::Int(align)) if (0..=23).any(|power| *align == 1 << power) => Ok(*align as u64),
        _ => Err(Refused::malformed("an alignment is a power of two up to 2^23")),
    }
}
