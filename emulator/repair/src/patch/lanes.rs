//! Changes of what the lanes of a warp do together: another mask, another width, or an earlier place.

use super::place::{FunctionCode, is_effect};
use super::text::{PtxStatement, Text};
use super::values::{is_access, reads, writes};
use crate::Unfit;
use finding::SourceLocation;
use ptx::ast::{Instruction, Type};

fn is_together(instruction: &Instruction) -> bool {
    let has = |name: &str| instruction.modifiers.iter().any(|it| it == name);
    match instruction.opcode.as_str() {
        "shfl" | "vote" | "match" | "redux" | "elect" => has("sync"),
        "bar" => has("warp"),
        _ => false,
    }
}

fn found(code: &FunctionCode, at: &SourceLocation, fits: fn(&Instruction) -> bool) -> Vec<usize> {
    code.own(at).into_iter().filter(|it| fits(&code.body.instructions[*it])).collect()
}

/// In all of them the mask stands last.
pub(super) fn change_mask(code: &FunctionCode, text: &mut Text, at: &SourceLocation, mask: u32) -> Result<bool, Unfit> {
    let all = found(code, at, is_together);
    for index in &all {
        let mut statement = text.statement(code.body, *index)?;
        *statement.operands.last_mut().ok_or(code.other_thing(at))? = format!("{mask:#010x}");
        text.replace(code.body, *index, &statement)?;
    }
    Ok(!all.is_empty())
}

/// Changes the number of threads that a barrier waits for. A barrier of the whole block has none; a vote has it between
/// other operands.
pub(super) fn change_count(
    code: &FunctionCode,
    text: &mut Text,
    at: &SourceLocation,
    threads: u32,
) -> Result<bool, Unfit> {
    let counts = |it: &Instruction| {
        let is_vote = it.modifiers.iter().any(|it| it == "red" || it == "warp");
        matches!(it.opcode.as_str(), "bar" | "barrier") && !is_vote && it.operands.len() == 2
    };
    let all = found(code, at, counts);
    for index in &all {
        let mut statement = text.statement(code.body, *index)?;
        statement.operands[1] = threads.to_string();
        text.replace(code.body, *index, &statement)?;
    }
    Ok(!all.is_empty())
}

/// `shfl.sync` takes the width as a segment mask over a clamp (PTX ISA, "shfl.sync").
pub(super) fn change_width(
    code: &FunctionCode,
    text: &mut Text,
    at: &SourceLocation,
    width: u32,
) -> Result<bool, Unfit> {
    if !width.is_power_of_two() || width > 32 {
        return Err(code.other_thing(at));
    }
    let all = found(code, at, |it| it.opcode == "shfl");
    for index in &all {
        let is_up = code.body.instructions[*index].modifiers.iter().any(|it| it == "up");
        let clamp = if is_up { 0 } else { 31 };
        let mut statement = text.statement(code.body, *index)?;
        *statement.operands.get_mut(3).ok_or(code.other_thing(at))? = ((32 - width) << 8 | clamp).to_string();
        text.replace(code.body, *index, &statement)?;
    }
    Ok(!all.is_empty())
}

/// Done before the branch, and what it needs is computed there too. Where the register that it writes has other values
/// as well, it gets this one where it did.
pub(super) fn hoist(
    code: &FunctionCode,
    text: &mut Text,
    at: &SourceLocation,
    above: &SourceLocation,
) -> Result<bool, Unfit> {
    let all = found(code, at, |it| is_together(it) && it.opcode != "bar");
    let branches = found(code, above, |it| it.opcode == "bra" && it.guard.is_some());
    let unfit = || code.other_thing(at);
    let mut moved = Vec::new();
    for &index in &all {
        let instruction = &code.body.instructions[index];
        let (from, flow) = (code.block(index), &code.flow);
        let parts = |it: &&usize| **it < index && code.block(**it) != from && flow.dominates(code.block(**it), from);
        let branch = *branches.iter().rfind(parts).ok_or_else(unfit)?;
        if instruction.guard.is_some() {
            return Err(unfit());
        }
        let mut needs = Vec::new();
        needed(code, index, branch, &moved, &mut needs).ok_or_else(unfit)?;
        needs.sort_unstable();
        for need in needs {
            up(code, text, need, branch)?;
            moved.push(need);
        }
        let written = writes(instruction);
        if written.iter().all(|it| code.writer(*it) == Some(index)) {
            up(code, text, index, branch)?;
            moved.push(index);
            continue;
        }
        let [written] = written[..] else { return Err(unfit()) };
        let ty = code.body.registers[written.0 as usize].ty;
        let fresh = text.register(code.function, &ty.to_string())?;
        let mut statement = text.statement(code.body, index)?;
        statement.operands[0].clone_from(&fresh);
        text.insert_before(code.body, branch, &statement.to_string())?;
        let mov = if ty == Type::Pred { "mov.pred".into() } else { format!("mov.b{}", ty.bytes() * 8) };
        text.replace(code.body, index, &PtxStatement::new(mov, &[code.name(written), &fresh]))?;
    }
    Ok(!all.is_empty())
}

fn up(code: &FunctionCode, text: &mut Text, index: usize, branch: usize) -> Result<(), Unfit> {
    let statement = text.statement(code.body, index)?;
    text.insert_before(code.body, branch, &statement.to_string())?;
    text.delete(code.body, index)
}

/// The instructions after the branch that have to move along, if they have not: arithmetic, and loads that no store
/// comes before.
fn needed(code: &FunctionCode, index: usize, branch: usize, moved: &[usize], needs: &mut Vec<usize>) -> Option<()> {
    for register in reads(&code.body.instructions[index]) {
        let mut writers = code.writers(register).into_iter().filter(|it| (branch..index).contains(it));
        let Some(writer) = writers.next() else { continue };
        if moved.contains(&writer) || needs.contains(&writer) {
            continue;
        }
        let instruction = &code.body.instructions[writer];
        let changes = ["st", "atom", "red", "call", "bar", "barrier"];
        let between = &code.body.instructions[branch..writer];
        let is_load = is_access(instruction, "ld") && !between.iter().any(|it| changes.contains(&it.opcode.as_str()));
        let is_free = !is_effect(instruction) || is_load;
        if code.writer(register) != Some(writer) || !is_free || instruction.guard.is_some() {
            return None;
        }
        needed(code, writer, branch, moved, needs)?;
        needs.push(writer);
    }
    Some(())
}
