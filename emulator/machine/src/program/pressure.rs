//! An estimate of the registers that the assembler would allocate to a thread, for attributes and occupancy queries.
//! PTX registers are virtual, so it never refuses a launch.
//!
//! Counts the 32-bit registers live at once, taking each from its first mention to its
//! last in program order. Loops make that too small, `ptxas` rematerialises and makes it
//! too large; it is within a third for the course's kernels.

use crate::profile::MOST_REGISTERS;
use ptx::ast::{Base, Body, Instruction, Operand, RegId, Type};

/// Registers the hardware keeps for itself, and the unit of allocation.
const RESERVED: u32 = 8;
const UNIT: u32 = 8;

/// Returns the estimate for a body, without the limits that its kernel states.
pub fn registers(body: &Body) -> u32 {
    let mut span: Vec<Option<(usize, usize)>> = vec![None; body.registers.len()];
    for (at, instruction) in body.instructions.iter().enumerate() {
        mentions(instruction, &mut |reg| {
            let (_, last) = span[reg.0 as usize].get_or_insert((at, at));
            *last = at;
        });
    }
    let mut change = vec![0i64; body.instructions.len() + 1];
    for (register, span) in body.registers.iter().zip(&span) {
        if let (Some((first, last)), true) = (span, register.ty != Type::Pred) {
            let words = i64::from(register.ty.bytes().div_ceil(4) * register.vector);
            change[*first] += words;
            change[*last] -= words;
        }
    }
    let mut live = 0;
    let most = change.iter().fold(0, |most, step| {
        live += step;
        most.max(live)
    });
    (most as u32 + RESERVED).next_multiple_of(UNIT).min(MOST_REGISTERS)
}

/// Returns the number of mentions of each register in a body.
pub fn mention_counts(body: &Body) -> Vec<u32> {
    let mut counts = vec![0; body.registers.len()];
    for instruction in &body.instructions {
        mentions(instruction, &mut |reg| counts[reg.0 as usize] += 1);
    }
    counts
}

/// True if some register of `operand` is mentioned anywhere else in the body.
pub fn is_used(operand: &Operand, counts: &[u32]) -> bool {
    let mut used = false;
    operand_mentions(operand, &mut |reg| used |= counts[reg.0 as usize] > 1);
    used
}

/// Calls `found` for each register that an instruction mentions, its guard included.
pub(super) fn mentions(instruction: &Instruction, found: &mut impl FnMut(RegId)) {
    if let Some(guard) = &instruction.guard {
        found(guard.register);
    }
    for operand in &instruction.operands {
        operand_mentions(operand, found);
    }
}

pub(super) fn operand_mentions(operand: &Operand, found: &mut impl FnMut(RegId)) {
    match operand {
        Operand::Register(reg) | Operand::NotRegister(reg) | Operand::Element(reg, _) => found(*reg),
        Operand::Address { base: Base::Register(reg), .. } => found(*reg),
        Operand::Vector(list) | Operand::List(list) | Operand::Bracket(list) => {
            list.iter().for_each(|operand| operand_mentions(operand, found));
        }
        Operand::Pair(first, second) => {
            operand_mentions(first, found);
            operand_mentions(second, found);
        }
        _ => {}
    }
}
