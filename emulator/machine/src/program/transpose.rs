//! `movmatrix` (PTX ISA, "Warp-level matrix transpose instruction"): transposes a matrix of 8 by 8 elements of 16 bits,
//! of which each lane holds two in one register.
//!
//! Lane 4q+w holds elements 2w and 2w+1 of row q. In the transposed matrix these come from column q of rows 2w and
//! 2w+1, which lanes 8w+q/2 and 8w+4+q/2 hold. So the instruction becomes two shuffles. If a lane is absent, the report
//! names the shuffle. Counters count the steps.

use super::replacement::{Replacement, number};
use ptx::ast::{Instruction, Operand, Type};

pub fn concerns(instruction: &Instruction) -> bool {
    instruction.opcode == "movmatrix"
}

/// Replaces a `movmatrix`. Returns `None` for any other instruction and for forms that are not supported.
pub fn of(instruction: &Instruction, steps: &mut Replacement) -> Option<()> {
    let words: Vec<&str> = instruction.modifiers.iter().map(String::as_str).collect();
    let [to @ Operand::Register(_), from @ Operand::Register(_)] = &instruction.operands[..] else { return None };
    if !concerns(instruction) || words != ["sync", "aligned", "m8n8", "trans", "b16"] {
        return None;
    }
    let lane = steps.make("mov.u32", Type::U32, vec![Operand::Special("%laneid".into())]);
    let within = steps.make("and.b32", Type::U32, vec![lane.clone(), number(3)]);
    let first = steps.make("shl.b32", Type::U32, vec![within, number(3)]);
    let row_pair = steps.make("shr.u32", Type::U32, vec![lane.clone(), number(3)]);
    let first = steps.make("add.u32", Type::U32, vec![first, row_pair]);
    let second = steps.make("add.u32", Type::U32, vec![first.clone(), number(4)]);
    let is_odd = steps.make("and.b32", Type::U32, vec![lane, number(4)]);
    let shift = steps.make("shl.b32", Type::U32, vec![is_odd, number(2)]);
    let halves = [first, second].map(|lane| {
        let sources = vec![from.clone(), lane, number(31), number(-1)];
        let pair = steps.make("shfl.sync.idx.b32", Type::B32, sources);
        let half = steps.make("shr.u32", Type::U32, vec![pair, shift.clone()]);
        steps.make("cvt.u16.u32", Type::U16, vec![half])
    });
    steps.push("mov.b32", vec![to.clone(), Operand::Vector(halves.to_vec())]);
    Some(())
}
