//! What the lanes of a warp do together: with another mask, another width, or earlier.

use super::place::Code;
use super::text::{Statement, Text};
use super::values::{is_access, reads, writes};
use crate::Unfit;
use finding::SourceLocation;
use ptx::ast::{Instruction, Operand, Type};

fn is_together(instruction: &Instruction) -> bool {
    let has = |name: &str| instruction.modifiers.iter().any(|it| it == name);
    match instruction.opcode.as_str() {
        "shfl" | "vote" | "match" | "redux" | "elect" => has("sync"),
        "bar" => has("warp"),
        _ => false,
    }
}

fn found(code: &Code, at: &SourceLocation, fits: fn(&Instruction) -> bool) -> Vec<usize> {
    code.own(at).into_iter().filter(|it| fits(&code.body.instructions[*it])).collect()
}

/// In all of them the mask stands last.
pub(super) fn change_mask(code: &Code, text: &mut Text, at: &SourceLocation, mask: u32) -> Result<bool, Unfit> {
    let all = found(code, at, is_together);
    for index in &all {
        let mut statement = text.statement(code.body, *index)?;
        *statement.operands.last_mut().ok_or(code.other_thing(at))? = format!("{mask:#010x}");
        text.replace(code.body, *index, &statement)?;
    }
    Ok(!all.is_empty())
}

/// `shfl.sync` takes the width as a segment mask over a clamp (PTX ISA, "shfl.sync").
pub(super) fn change_width(code: &Code, text: &mut Text, at: &SourceLocation, width: u32) -> Result<bool, Unfit> {
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

/// Done before the branch into a new register; the old one gets it where it did. What it needs is computed there too.
pub(super) fn hoist(code: &Code, text: &mut Text, at: &SourceLocation, above: &SourceLocation) -> Result<bool, Unfit> {
    let all = found(code, at, |it| is_together(it) && it.opcode != "bar");
    let branches = found(code, above, |it| it.opcode == "bra" && it.guard.is_some());
    for index in &all {
        let instruction = &code.body.instructions[*index];
        let unfit = || code.other_thing(at);
        let parts = |it: &&usize| {
            **it < *index
                && code.block(**it) != code.block(*index)
                && code.flow.dominates(code.block(**it), code.block(*index))
        };
        let branch = *branches.iter().rfind(parts).ok_or_else(unfit)?;
        let (written, second) = match instruction.operands.first() {
            Some(Operand::Register(it)) => (*it, None),
            Some(Operand::Pair(one, other)) => match (&**one, &**other) {
                (Operand::Register(it), Operand::Register(second)) => (*it, Some(*second)),
                (Operand::Register(it), Operand::Sink) => (*it, None),
                _ => return Err(unfit()),
            },
            _ => return Err(unfit()),
        };
        // A second result, which says whether there was a partner, is not renamed.
        let is_renamed = second.is_none_or(|second| code.writer(second) == Some(*index));
        if instruction.guard.is_some() || !is_renamed {
            return Err(unfit());
        }
        let mut moved = Vec::new();
        needed(code, *index, branch, &mut moved).ok_or_else(unfit)?;
        moved.sort_unstable();
        moved.dedup();
        for moved in moved {
            // Another shuffle may need it too, and has taken it along.
            if !text.is_deleted(code.body, moved)? {
                let statement = text.statement(code.body, moved)?;
                text.insert_before(code.body, branch, &statement.to_string())?;
                text.delete(code.body, moved)?;
            }
        }
        let ty = code.body.registers[written.0 as usize].ty;
        let fresh = text.register(code.function, &ty.to_string())?;
        let mut statement = text.statement(code.body, *index)?;
        let second = second.map(|it| format!("|{}", code.name(it))).unwrap_or_default();
        statement.operands[0] = format!("{fresh}{second}");
        text.insert_before(code.body, branch, &statement.to_string())?;
        let mov = if ty == Type::Pred { "mov.pred".into() } else { format!("mov.b{}", ty.bytes() * 8) };
        text.replace(code.body, *index, &Statement::new(mov, &[code.name(written), &fresh]))?;
    }
    Ok(!all.is_empty())
}

/// What stands behind the branch and has to come along: arithmetic, and loads that no store comes before.
fn needed(code: &Code, index: usize, branch: usize, moved: &mut Vec<usize>) -> Option<()> {
    for register in reads(&code.body.instructions[index]) {
        let writers = code.writers(register);
        if writers.iter().all(|it| *it < branch || *it > index) {
            continue;
        }
        let [writer] = writers[..] else { return None };
        let instruction = &code.body.instructions[writer];
        let changes = ["st", "atom", "red", "call", "bar", "barrier"];
        let between = &code.body.instructions[branch..writer];
        let is_load = is_access(instruction, "ld") && !between.iter().any(|it| changes.contains(&it.opcode.as_str()));
        let is_free = !super::place::is_effect(instruction) && instruction.opcode != "mbarrier" || is_load;
        if !is_free || instruction.guard.is_some() || writes(instruction).len() != 1 {
            return None;
        }
        if !moved.contains(&writer) {
            needed(code, writer, branch, moved)?;
            moved.push(writer);
        }
    }
    Some(())
}
