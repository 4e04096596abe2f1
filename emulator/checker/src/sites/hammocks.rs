//! Branches that only choose between values.
//!
//! A compiler may turn `x = p ? a : b` into a `selp`, or into a branch around a few moves. So the effect of a value on
//! such a branch must count no more than its effect as the operand of a `selp`. A *hammock* is a branch whose paths
//! rejoin before either of them does anything but compute: then the branch affects only the registers that they write.

use machine::code::{InstrGuard, KernelCode};
use machine::exec::Op;
use machine::exec::branch::BranchOp;
use machine::exec::operands::results;
use machine::registers::Reg;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// The greatest number of instructions of a hammock.
const MOST: usize = 128;

#[derive(Debug)]
pub struct Hammock {
    /// The first instruction that all paths reach.
    pub join: u32,
    /// The registers that some path writes.
    pub written: Vec<Reg>,
}

/// The hammocks of a kernel's code, by their branch. They are searched for on demand: as a rule there is none.
#[derive(Debug, Default)]
pub struct Hammocks {
    known: FxHashMap<u32, Option<Rc<Hammock>>>,
}

impl Hammocks {
    /// Returns the hammock that the branch at `pc` begins.
    pub fn at(&mut self, code: &KernelCode, pc: u32) -> Option<Rc<Hammock>> {
        self.known.entry(pc).or_insert_with(|| find(code, pc).map(Rc::new)).clone()
    }
}

fn find(code: &KernelCode, branch: u32) -> Option<Hammock> {
    let instr = &code.instrs[branch as usize];
    if instr.guard == InstrGuard::Always || !matches!(instr.op, Op::Branch(BranchOp::To(_))) {
        return None;
    }
    let near = walk(code, branch, None)?;
    let (join, region) = near.iter().find_map(|&join| {
        let region = walk(code, branch, Some(join))?;
        let computes = |pc: &u32| *pc != branch && only_computes(&code.instrs[*pc as usize].op);
        region.iter().all(computes).then_some((join, region))
    })?;
    let mut written = Vec::new();
    for pc in region {
        results(&code.instrs[pc as usize].op, |reg| {
            if !written.contains(&reg) {
                written.push(reg);
            }
        });
    }
    // A branch around nothing does not come from a choice.
    (!written.is_empty()).then_some(Hammock { join, written })
}

fn only_computes(op: &Op) -> bool {
    matches!(op, Op::Alu(_) | Op::Steps(_) | Op::Branch(BranchOp::To(_)) | Op::Nop)
}

/// Returns the instructions reachable from a branch, nearest first, up to `join` and through instructions that only
/// compute. `None` if `join` is given and there are more than [`MOST`].
fn walk(code: &KernelCode, branch: u32, join: Option<u32>) -> Option<Vec<u32>> {
    let next = |pc: u32| {
        let instr = &code.instrs[pc as usize];
        instr.targets().iter().copied().chain(instr.falls_through().then_some(pc + 1))
    };
    let mut seen: FxHashSet<u32> = FxHashSet::default();
    let mut found: Vec<u32> = Vec::new();
    let mut at = 0;
    let mut todo: Vec<u32> = next(branch).collect();
    loop {
        for pc in todo.drain(..) {
            if Some(pc) != join && (pc as usize) < code.instrs.len() && seen.insert(pc) {
                found.push(pc);
            }
        }
        let Some(&pc) = found.get(at) else { return Some(found) };
        at += 1;
        if only_computes(&code.instrs[pc as usize].op) {
            todo.extend(next(pc));
        }
        if found.len() > MOST {
            // Too large a region to compute. When searching for the join, the nearest instructions suffice.
            return if join.is_some() { None } else { Some(found) };
        }
    }
}
