//! Which instructions write and read a register.

use super::place::FunctionCode;
use ptx::ast::{Base, Instruction, Operand, RegId};

/// All registers in an operand.
fn registers(operand: &Operand, found: &mut Vec<RegId>) {
    match operand {
        Operand::Register(it) | Operand::NotRegister(it) | Operand::NegatedRegister(it) => found.push(*it),
        Operand::Element(it, _) | Operand::Part(it, _) | Operand::NegatedPart(it, _) => found.push(*it),
        Operand::Address { base: Base::Register(it), .. } => found.push(*it),
        Operand::Vector(all) | Operand::List(all) | Operand::Bracket(all) => {
            all.iter().for_each(|it| registers(it, found));
        }
        Operand::Pair(one, other) => [one, other].into_iter().for_each(|it| registers(it, found)),
        _ => {}
    }
}

/// An address that comes first is read, and so is all that a store or a branch names.
fn writes_first(instruction: &Instruction) -> bool {
    let reads = ["st", "red", "bra", "brx", "bar", "barrier", "membar", "fence", "ret", "exit", "trap"];
    let first = instruction.operands.first();
    let is_address = matches!(first, Some(Operand::Address { .. } | Operand::Bracket(_)));
    let is_call = instruction.opcode == "call";
    let is_list = matches!(first, Some(Operand::List(_)));
    !is_address
        && !reads.contains(&instruction.opcode.as_str())
        && (!is_call || is_list && instruction.operands.len() > 1)
}

pub(super) fn writes(instruction: &Instruction) -> Vec<RegId> {
    let mut found = Vec::new();
    if let Some(first) = instruction.operands.first().filter(|_| writes_first(instruction)) {
        registers(first, &mut found);
    }
    found
}

pub(super) fn reads(instruction: &Instruction) -> Vec<RegId> {
    let mut found: Vec<RegId> = instruction.guard.iter().map(|guard| guard.register).collect();
    let skipped = usize::from(writes_first(instruction));
    instruction.operands.iter().skip(skipped).for_each(|it| registers(it, &mut found));
    found
}

impl FunctionCode<'_> {
    pub fn writers(&self, register: RegId) -> Vec<usize> {
        let all = self.body.instructions.iter().enumerate();
        all.filter(|(_, it)| writes(it).contains(&register)).map(|(at, _)| at).collect()
    }

    pub fn readers(&self, register: RegId) -> Vec<usize> {
        let all = self.body.instructions.iter().enumerate();
        all.filter(|(_, it)| reads(it).contains(&register)).map(|(at, _)| at).collect()
    }

    /// Returns the instruction that writes a register, where there is only one.
    pub fn writer(&self, register: RegId) -> Option<usize> {
        let mut writers = self.writers(register).into_iter();
        writers.next().filter(|_| writers.next().is_none())
    }

    pub fn name(&self, register: RegId) -> &str {
        &self.body.registers[register.0 as usize].name
    }
}

pub(super) fn register(operand: Option<&Operand>) -> Option<RegId> {
    match operand {
        Some(Operand::Register(it)) => Some(*it),
        _ => None,
    }
}

pub(super) fn base(address: &Operand) -> Option<RegId> {
    match address {
        Operand::Address { base: Base::Register(it), .. } => Some(*it),
        _ => None,
    }
}

/// Loads and stores of memory that others may see.
pub(super) fn is_access(instruction: &Instruction, opcode: &str) -> bool {
    let own = |it: &String| it.starts_with("param") || it == "local" || it == "const";
    instruction.opcode == opcode && !instruction.modifiers.iter().any(own)
}
