//! Basic blocks of one function, what dominates what, and its loops.

use ptx::ast::{Body, Instruction, Operand};
use std::collections::BTreeSet;
use std::ops::Range;

pub(super) struct PtxFlow {
    /// Instructions of each block, in text order.
    pub blocks: Vec<Range<usize>>,
    /// Block of each instruction.
    pub block_of: Vec<usize>,
    pub before: Vec<Vec<usize>>,
    dominator: Vec<Option<usize>>,
    post_dominator: Vec<Option<usize>>,
    pub loops: Vec<Loop>,
}

pub(super) struct Loop {
    pub header: usize,
    pub blocks: BTreeSet<usize>,
}

/// Returns the targets of a branch, as instructions' indices; all targets of a table.
pub(super) fn targets(body: &Body, instruction: &Instruction) -> Vec<usize> {
    let at = |label: &ptx::ast::LabelId| body.labels[label.0 as usize].target as usize;
    let mut found = Vec::new();
    for operand in &instruction.operands {
        match operand {
            Operand::Label(label) => found.push(at(label)),
            Operand::Symbol { name, .. } if instruction.opcode == "brx" => {
                let table = body.branch_targets.iter().find(|(table, _)| table == name);
                found.extend(table.iter().flat_map(|(_, labels)| labels.iter().map(at)));
            }
            _ => {}
        }
    }
    found
}

pub(super) fn is_branch(instruction: &Instruction) -> bool {
    matches!(instruction.opcode.as_str(), "bra" | "brx")
}

/// Ends its thread, or its function. `trap` does not count: what stands behind one is reached by all the others.
pub(super) fn is_end(instruction: &Instruction) -> bool {
    matches!(instruction.opcode.as_str(), "ret" | "exit")
}

impl PtxFlow {
    pub fn of(body: &Body) -> PtxFlow {
        let count = body.instructions.len();
        let mut starts: BTreeSet<usize> = body.labels.iter().map(|label| label.target as usize).collect();
        starts.insert(0);
        let ends = body.instructions.iter().enumerate().filter(|(_, it)| is_branch(it) || is_end(it));
        starts.extend(ends.map(|(at, _)| at + 1));
        let starts: Vec<usize> = starts.into_iter().filter(|start| *start < count).collect();
        let end = |at: usize| starts.get(at + 1).copied().unwrap_or(count);
        let blocks: Vec<Range<usize>> = starts.iter().enumerate().map(|(at, start)| *start..end(at)).collect();
        let block_of: Vec<usize> =
            blocks.iter().enumerate().flat_map(|(at, block)| block.clone().map(move |_| at)).collect();

        // One more block stands for the end of the function.
        let exit = blocks.len();
        let mut after = vec![Vec::new(); exit + 1];
        let mut before = vec![Vec::new(); exit + 1];
        for (at, block) in blocks.iter().enumerate() {
            let last = &body.instructions[block.end - 1];
            let mut next: BTreeSet<usize> = BTreeSet::new();
            if is_branch(last) {
                next.extend(targets(body, last).iter().map(|to| block_of.get(*to).copied().unwrap_or(exit)));
            }
            if is_end(last) {
                next.insert(exit);
            }
            if last.guard.is_some() || !is_branch(last) && !is_end(last) {
                next.insert((at + 1).min(exit));
            }
            for to in next {
                after[at].push(to);
                before[to].push(at);
            }
        }
        let dominator = dominators(0, &after, &before);
        let post_dominator = dominators(exit, &before, &after);
        let mut flow = PtxFlow { blocks, block_of, before, dominator, post_dominator, loops: Vec::new() };
        for (from, next) in after.iter().enumerate() {
            let headers: Vec<usize> = next.iter().copied().filter(|to| flow.dominates(*to, from)).collect();
            for header in headers {
                let blocks = around(header, from, &flow.before);
                match flow.loops.iter_mut().find(|it| it.header == header) {
                    Some(known) => known.blocks.extend(blocks),
                    None => flow.loops.push(Loop { header, blocks }),
                }
            }
        }
        flow
    }

    pub fn exit(&self) -> usize {
        self.blocks.len()
    }

    pub fn dominates(&self, a: usize, b: usize) -> bool {
        chain(&self.dominator, b).any(|it| it == a)
    }

    pub fn post_dominates(&self, a: usize, b: usize) -> bool {
        chain(&self.post_dominator, b).any(|it| it == a)
    }

    /// The block itself, and what all that pass it pass later, nearest first.
    pub fn later(&self, block: usize) -> impl Iterator<Item = usize> + '_ {
        chain(&self.post_dominator, block)
    }

    pub fn depth(&self, instruction: usize) -> usize {
        self.loops.iter().filter(|it| it.blocks.contains(&self.block_of[instruction])).count()
    }

    /// Returns true if some loop around one instruction does not end before the other.
    pub fn share_loop(&self, one: usize, other: usize) -> bool {
        let (one, other) = (self.block_of[one], self.block_of[other]);
        self.loops.iter().any(|it| it.blocks.contains(&one) && it.blocks.contains(&other))
    }

    /// Returns true if what stands before a block in the text goes on into it.
    pub fn falls_into(&self, block: usize) -> bool {
        block > 0 && self.before[block].contains(&(block - 1))
    }
}

/// A loop: all from where its header is reached again, without passing the header.
fn around(header: usize, from: usize, before: &[Vec<usize>]) -> BTreeSet<usize> {
    let mut blocks = BTreeSet::from([header]);
    let mut open = vec![from];
    while let Some(block) = open.pop() {
        if blocks.insert(block) {
            open.extend(&before[block]);
        }
    }
    blocks
}

fn chain(dominator: &[Option<usize>], from: usize) -> impl Iterator<Item = usize> + '_ {
    std::iter::successors(Some(from), |at| dominator[*at].filter(|next| next != at))
}

/// The nearest dominator of each block that `root` reaches (Cooper, Harvey, Kennedy: "A simple, fast dominance
/// algorithm").
fn dominators(root: usize, after: &[Vec<usize>], before: &[Vec<usize>]) -> Vec<Option<usize>> {
    let mut order = Vec::new();
    let mut seen = BTreeSet::from([root]);
    let mut open = vec![(root, 0)];
    while let Some((block, next)) = open.pop() {
        match after[block].get(next) {
            Some(to) => {
                open.push((block, next + 1));
                if seen.insert(*to) {
                    open.push((*to, 0));
                }
            }
            None => order.push(block),
        }
    }
    let mut rank = vec![0; after.len()];
    for (at, block) in order.iter().enumerate() {
        rank[*block] = at;
    }
    let mut found = vec![None; after.len()];
    found[root] = Some(root);
    loop {
        let mut changed = false;
        for block in order.iter().rev().filter(|block| **block != root) {
            let mut known = before[*block].iter().copied().filter(|it| found[*it].is_some());
            let Some(first) = known.next() else { continue };
            let nearest = known.fold(first, |mut a, mut b| {
                while a != b {
                    let lower = if rank[a] < rank[b] { &mut a } else { &mut b };
                    *lower = found[*lower].expect("a block that has been reached");
                }
                a
            });
            changed |= found[*block] != Some(nearest);
            found[*block] = Some(nearest);
        }
        if !changed {
            return found;
        }
    }
}
