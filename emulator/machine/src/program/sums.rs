//! `mov.u32 %r1, %r2+4`: a source that is a sum becomes an `add` of its own, as ptxas makes one.
//!
//! The manual has `register + constant` in addresses alone. ptxas takes it for any integer source.

use super::replacement::{Replacement, number};
use ptx::ast::{Instruction, Operand, Register, Type};

pub fn concerns(instruction: &Instruction) -> bool {
    instruction.operands.iter().any(|operand| matches!(operand, Operand::Sum(..)))
}

pub fn of(instruction: &mut Instruction, steps: &mut Replacement) {
    // The first operand is written, or is an address.
    for operand in instruction.operands.iter_mut().skip(1) {
        let Operand::Sum(register, offset) = *operand else { continue };
        let Some(ty) = integer(&steps.registers[register.0 as usize]) else { continue };
        *operand = steps.make(&format!("add.{ty}"), ty, vec![Operand::Register(register), number(offset)]);
    }
}

/// The type that such a register is added in.
fn integer(register: &Register) -> Option<Type> {
    match register.ty {
        Type::B16 | Type::U16 | Type::S16 => Some(Type::U16),
        Type::B32 | Type::U32 | Type::S32 => Some(Type::U32),
        Type::B64 | Type::U64 | Type::S64 => Some(Type::U64),
        _ => None,
    }
    .filter(|_| register.vector == 1)
}
