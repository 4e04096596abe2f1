//! Strong accesses of a thread with no fence between them, as the code shows (PTX ISA, "Memory Consistency Model":
//! program order alone orders no relaxed accesses of two locations).
//!
//! Two threads may see such accesses in a different order. With a fence on both sides they may not, and whichever order
//! the accesses of one location come in is then up to the kernel. A store before a load needs `fence.sc`. The search
//! ends at a call, and identifies a location by its register and offset: this errs towards silence.

use crate::evidence::polls::is_polled;
use machine::code::{InstrGuard, KernelCode};
use machine::exec::Op;
use machine::exec::branch::BranchOp;
use machine::exec::memory::{Ordering, Scope, Semantics};
use machine::registers::Reg;

/// The marks of an instruction, one bit each.
pub mod mark {
    /// Another strong access of the same thread comes before or after it, with no fence between; or its update is in
    /// two parts.
    pub const LOOSE: u8 = 1;
    /// A strong store and a later strong load of the same thread, with no fence between.
    pub const LATE: u8 = 2;
    /// A fence is next to it.
    pub const FENCED: u8 = 4;
    /// It writes a location again that its thread has written.
    pub const REPEATS: u8 = 8;
}

/// The marks by instruction: for threads of one block, and for those of different blocks.
pub struct Loose([Vec<u8>; 2]);

struct StrongAccess {
    at: (Reg, i64),
    reads: bool,
    writes: bool,
    semantics: Semantics,
}

fn strong(op: &Op) -> Option<StrongAccess> {
    let (at, reads, writes, semantics) = match op {
        Op::Load(it) => ((it.base, it.offset), true, false, it.semantics),
        Op::Store(it) => ((it.base, it.offset), false, true, it.semantics),
        Op::Atomic(it) => ((it.base, it.offset), it.looked_at, true, it.semantics),
        _ => return None,
    };
    semantics.is_strong().then_some(StrongAccess { at, reads, writes, semantics })
}

impl Loose {
    pub fn new(code: &KernelCode) -> Loose {
        Loose([Scope::Block, Scope::Device].map(|least| {
            let mut marks = vec![0; code.instrs.len()];
            for pc in 0..marks.len() {
                if matches!(&code.instrs[pc].op, Op::Fence(it) if it.semantics.scope >= least) {
                    mark_behind(code, pc, &mut marks);
                }
                if let Some(from) = strong(&code.instrs[pc].op) {
                    follow(code, pc, &from, least, &mut marks);
                }
            }
            // A loose one may show at locations that others handle correctly.
            if marks.iter().any(|said| said & (mark::LOOSE | mark::LATE) != 0) {
                marks.iter_mut().for_each(|said| *said &= mark::LOOSE | mark::LATE);
            }
            marks
        }))
    }

    /// Returns the marks of either of two instructions.
    pub fn of(&self, pcs: [u32; 2], is_one_block: bool) -> u8 {
        let marks = &self.0[usize::from(!is_one_block)];
        pcs.iter().fold(0, |all, &pc| all | marks[pc as usize])
    }
}

/// Marks the accesses after the one at `pc`, up to the next fence on each path.
fn follow(code: &KernelCode, pc: usize, from: &StrongAccess, least: Scope, marks: &mut [u8]) {
    if from.semantics.acquires() {
        marks[pc] |= mark::FENCED;
        return;
    }
    let mut seen = vec![false; marks.len()];
    // Each with a flag: a fence that lets loads overtake stores has been passed.
    let mut open = vec![(pc + 1, false)];
    while let Some((next, is_fenced)) = open.pop() {
        if next >= seen.len() || std::mem::replace(&mut seen[next], true) {
            continue;
        }
        let instr = &code.instrs[next];
        let mut is_fenced = is_fenced;
        match &instr.op {
            Op::Fence(it) if it.semantics.scope >= least => {
                marks[pc] |= mark::FENCED;
                is_fenced = true;
                if it.semantics.ordering == Ordering::Sc || !from.writes {
                    continue;
                }
            }
            Op::Branch(branch) => {
                let to = match branch {
                    BranchOp::To(target) => std::slice::from_ref(target),
                    BranchOp::Table(table) => &table.1[..],
                };
                open.extend(to.iter().map(|&target| (target as usize, is_fenced)));
                if instr.guard == InstrGuard::Always {
                    continue;
                }
            }
            // A barrier orders only the threads of its block.
            Op::Barrier(_) | Op::Mbarrier(_) if least == Scope::Block => continue,
            Op::Call(_) | Op::Exit | Op::Return | Op::Trap if instr.guard == InstrGuard::Always => continue,
            op => {
                if let Some(to) = strong(op) {
                    let said = between(from, &to, is_fenced, is_polled(code, next as u32));
                    marks[pc] |= said;
                    marks[next] |= if to.at == from.at { 0 } else { said };
                    if to.semantics.acquires() || to.semantics.releases() {
                        continue;
                    }
                }
            }
        }
        open.push((next + 1, is_fenced));
    }
}

/// Marks the first strong access after a fence.
fn mark_behind(code: &KernelCode, fence: usize, marks: &mut [u8]) {
    let mut line =
        (fence + 1..code.instrs.len()).take_while(|&pc| !matches!(code.instrs[pc].op, Op::Exit | Op::Return));
    if let Some(first) = line.find(|&pc| strong(&code.instrs[pc].op).is_some()) {
        marks[first] |= mark::FENCED;
    }
}

/// Returns the marks of an access and a later one of its thread.
fn between(from: &StrongAccess, to: &StrongAccess, is_fenced: bool, waits: bool) -> u8 {
    if to.at == from.at {
        // A load and a store instead of one update; or a value that is stored again.
        let update = if from.reads && !to.reads && !is_fenced { mark::LOOSE } else { 0 };
        return update | if from.writes && to.writes { mark::REPEATS } else { 0 };
    }
    let is_late = from.writes && !from.reads && !to.writes;
    match (is_late, is_fenced || to.semantics.releases()) {
        (true, _) if waits => 0,
        (true, _) => mark::LATE,
        (false, true) => 0,
        (false, false) => mark::LOOSE,
    }
}
