//! Places in the code that are "before" and "after" a statement of the source.

use super::flow;
use super::place::FunctionCode;
use super::text::Text;
use crate::Unfit;
use finding::{Position, SourceLocation};
use std::collections::BTreeSet;

/// A place for a statement.
#[derive(Clone, Debug, PartialEq)]
enum InsertionPoint {
    Before(usize),
    After(usize),
    /// On the way from some blocks into another one.
    Into {
        block: usize,
        from: BTreeSet<usize>,
    },
}

/// The effects of one copy of a statement, in text order.
pub(super) struct InsertedCopy {
    pub effects: Vec<usize>,
    pub is_loop: bool,
}

pub(super) fn insert(code: &FunctionCode, text: &mut Text, position: &Position, inserted: &str) -> Result<bool, Unfit> {
    let gaps = gaps(code, position)?;
    let (Position::Before { at: SourceLocation { line, .. } }
    | Position::After { at: SourceLocation { line, .. } }
    | Position::Between { first: SourceLocation { line, .. }, .. }) = *position;
    for gap in &gaps {
        match gap {
            InsertionPoint::Before(index) => text.insert_before(code.body, *index, inserted)?,
            InsertionPoint::After(index) => text.insert_after(code.body, *index, inserted)?,
            InsertionPoint::Into { block, from } => into(code, text, *block, from, inserted, line)?,
        }
    }
    Ok(!gaps.is_empty())
}

/// Between what each copy of the line loads and what it stores.
pub(super) fn split(code: &FunctionCode, text: &mut Text, at: &SourceLocation, inserted: &str) -> Result<bool, Unfit> {
    let mut is_done = false;
    for group in code.effects(at) {
        let mut last_load = None;
        for index in group {
            match code.body.instructions[index].opcode.as_str() {
                "ld" => last_load = Some(index),
                "st" => {
                    let load = last_load.take().filter(|load| code.block(*load) == code.block(index));
                    load.ok_or(code.other_thing(at))?;
                    text.insert_before(code.body, index, inserted)?;
                    is_done = true;
                }
                "bra" => {}
                _ => return Err(code.other_thing(at)),
            }
        }
    }
    Ok(is_done)
}

fn gaps(code: &FunctionCode, position: &Position) -> Result<Vec<InsertionPoint>, Unfit> {
    match position {
        Position::Before { at } => copies(code, at).iter().map(|copy| before(code, at, copy)).collect(),
        Position::After { at } => copies(code, at).iter().map(|copy| after(code, at, copy)).collect(),
        // If the second is reached by as many threads as the first, all of them are still there.
        Position::Between { first, second } => {
            let before = gaps(code, &Position::Before { at: second.clone() });
            let starts: Vec<usize> = copies(code, first).iter().map(|copy| code.block(copy.effects[0])).collect();
            let is_reached = |gap: &InsertionPoint| match gap {
                InsertionPoint::Before(index) => {
                    starts.is_empty() || starts.iter().any(|start| code.flow.post_dominates(code.block(*index), *start))
                }
                _ => false,
            };
            match before {
                Ok(gaps) if !gaps.is_empty() && gaps.iter().all(is_reached) => Ok(gaps),
                _ => gaps(code, &Position::After { at: first.clone() }),
            }
        }
    }
}

/// The copies of what begins in a line.
pub(super) fn copies(code: &FunctionCode, at: &SourceLocation) -> Vec<InsertedCopy> {
    code.effects(at).into_iter().flat_map(|effects| apart(code, effects)).collect()
}

/// Copies that stand in one function. A new one begins where the first effect comes again.
fn apart(code: &FunctionCode, mut effects: Vec<usize>) -> Vec<InsertedCopy> {
    let ends_round = |effects: &[usize]| effects.iter().any(|it| code.is_backward(*it));
    let is_loop = ends_round(&effects);
    if !is_loop {
        // The compiler may have begun earlier what a loop around it repeats.
        let deepest = effects.iter().map(|it| code.flow.depth(*it)).max();
        effects.retain(|it| Some(code.flow.depth(*it)) == deepest);
    }
    // Two loads of one statement come together, and so do a loop and what is left of its rounds.
    let is_new = |last: usize, effect: usize| {
        code.are_copies(effects[0], effect)
            && (acts_between(code, last, effect) || !is_loop && !code.are_copies(last, effect))
            && !(is_loop && code.flow.share_loop(last, effect))
    };
    let parts: Vec<&[usize]> = effects.chunk_by(|last, effect| !is_new(*last, *effect)).collect();
    let is_whole = is_loop && !parts.iter().all(|part| ends_round(part));
    let parts = if is_whole { vec![&effects[..]] } else { parts };
    parts.into_iter().map(|part| InsertedCopy { effects: part.to_vec(), is_loop }).collect()
}

fn acts_between(code: &FunctionCode, first: usize, second: usize) -> bool {
    code.body.instructions[first + 1..second].iter().any(super::place::is_effect)
}

fn before(code: &FunctionCode, at: &SourceLocation, copy: &InsertedCopy) -> Result<InsertionPoint, Unfit> {
    let entry = copy.effects[0];
    if !copy.is_loop {
        return Ok(InsertionPoint::Before(entry));
    }
    // The statement is the loop: before all of its rounds, not in each.
    let own = own_loops(code, at, copy)?;
    let around = own.iter().filter(|it| it.blocks.contains(&code.block(entry))).max_by_key(|it| it.blocks.len());
    let Some(around) = around else { return Ok(InsertionPoint::Before(entry)) };
    let entering = code.flow.before[around.header].iter().copied();
    let from = entering.filter(|from| !around.blocks.contains(from)).collect();
    Ok(InsertionPoint::Into { block: around.header, from })
}

/// The loops that the statement is. The compiler makes up to two of one: whole rounds, and what is left of them. More
/// of them may be copies, of which it is open where each ends.
fn own_loops<'c>(
    code: &'c FunctionCode,
    at: &SourceLocation,
    copy: &InsertedCopy,
) -> Result<Vec<&'c flow::Loop>, Unfit> {
    let back = |it: &&usize| code.is_backward(**it);
    let headers: BTreeSet<usize> = copy
        .effects
        .iter()
        .filter(back)
        .flat_map(|it| {
            let targets = flow::targets(code.body, &code.body.instructions[*it]);
            targets.into_iter().map(|to| code.block(to))
        })
        .collect();
    let own: Vec<_> = code.flow.loops.iter().filter(|it| headers.contains(&it.header)).collect();
    if own.is_empty() || own.len() > 2 { Err(code.other_thing(at)) } else { Ok(own) }
}

fn after(code: &FunctionCode, at: &SourceLocation, copy: &InsertedCopy) -> Result<InsertionPoint, Unfit> {
    if copy.is_loop {
        own_loops(code, at, copy)?;
    }
    let flow = &code.flow;
    let entry = code.block(copy.effects[0]);
    // The first block in which all is done, or done but for what stands straight in it.
    let is_done = |block: usize, effect: usize| {
        let instruction = &code.body.instructions[effect];
        let goes_on = !flow::is_branch(instruction) && !flow::is_end(instruction);
        let own = code.block(effect);
        if own == block { goes_on } else { flow.post_dominates(block, own) }
    };
    let mut later = flow.later(entry).take_while(|it| *it != flow.exit());
    let block = later.find(|block| copy.effects.iter().all(|effect| is_done(*block, *effect)));
    let block = block.ok_or(code.other_thing(at))?;
    if let Some(last) = copy.effects.iter().rfind(|it| code.block(**it) == block) {
        return Ok(InsertionPoint::After(*last));
    }
    // Early returns and the end of a function meet in one place: it is open which of them the statement is.
    let first = flow.blocks[block].clone().find(|it| super::place::is_effect(&code.body.instructions[*it]));
    if !copy.is_loop && first.is_some_and(|it| flow::is_end(&code.body.instructions[it])) {
        return Err(code.other_thing(at));
    }
    let from = flow.before[block].iter().copied().filter(|from| flow.dominates(entry, *from)).collect();
    Ok(InsertionPoint::Into { block, from })
}

/// Puts a statement where `from` go into `block`, and nobody else passes.
fn into(
    code: &FunctionCode,
    text: &mut Text,
    block: usize,
    from: &BTreeSet<usize>,
    inserted: &str,
    line: u32,
) -> Result<(), Unfit> {
    let first = code.flow.blocks[block].start;
    let unfit = Unfit::OtherThing { line };
    if from.is_empty() || block == 0 {
        return Err(unfit);
    }
    if code.flow.before[block].iter().all(|it| from.contains(it)) {
        return text.insert_before(code.body, first, inserted);
    }
    // Those who come by a branch go to a new label instead, in front of the old one or, where others fall into that,
    // behind everything.
    let branches = from.iter().map(|it| code.flow.blocks[*it].end - 1);
    let comes = |it: &usize| flow::targets(code.body, &code.body.instructions[*it]).contains(&first);
    let branches: Vec<usize> = branches.filter(comes).collect();
    let last = code.body.instructions.len() - 1;
    let ends = flow::is_end(&code.body.instructions[last]) && code.body.instructions[last].guard.is_none();
    let is_apart = code.flow.falls_into(block) && !from.contains(&(block - 1));
    if is_apart && !ends {
        return Err(unfit);
    }
    let label = format!("${}", text.fresh());
    let mut old_label = String::new();
    for branch in &branches {
        if code.body.instructions[*branch].opcode != "bra" || text.is_changed(code.body, *branch)? {
            return Err(unfit);
        }
        let mut statement = text.statement(code.body, *branch)?;
        old_label = std::mem::replace(&mut statement.operands, vec![label.clone()]).concat();
        text.replace(code.body, *branch, &statement)?;
    }
    let inserted = if branches.is_empty() { inserted.to_string() } else { format!("{label}:\n\t{inserted}") };
    if is_apart {
        return text.insert_after(code.body, last, &format!("{inserted}\n\tbra.uni \t{old_label};"));
    }
    text.insert_behind(code.body, first - 1, &inserted)
}
