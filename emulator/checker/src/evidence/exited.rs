//! Threads that ended before a barrier which the rest of the block has passed, for advice only: a barrier does not wait
//! for them, and orders none of their accesses. The latest few are kept; older ones are not reported.

use crate::order::release::Thread;
use finding::Threads;
use machine::code::{Instr, InstrGuard, KernelCode};
use machine::exec::Op;
use machine::exec::branch::BranchOp;
use machine::registers::Mask;
use machine::watch::At;
use std::collections::VecDeque;

/// The branches of a kernel that lead straight to a thread's end. They come from a `return` in the source, or from the
/// end of a branch with nothing after it. All of them jump to one `ret`, whose line does not distinguish them.
#[derive(Debug)]
pub struct ExitBranches {
    /// By instruction: true for lanes that take the branch, and for lanes that do not, if they end.
    ends: Vec<(bool, bool)>,
}

/// The greatest number of instructions between a branch and the end.
const LAST_STEPS: u32 = 16;

impl ExitBranches {
    pub fn new(code: &KernelCode) -> ExitBranches {
        let of = |(instr, pc): (&Instr, u32)| match &instr.op {
            Op::Branch(BranchOp::To(target)) => {
                (ends(code, *target), instr.guard != InstrGuard::Always && ends(code, pc + 1))
            }
            _ => (false, false),
        };
        ExitBranches { ends: code.instrs.iter().zip(0..).map(of).collect() }
    }

    /// Returns the lanes that end, among those that take a branch and those that do not.
    #[inline(always)]
    pub fn of(&self, at: &At, taken: Mask, on: Mask) -> Mask {
        let (by_jump, by_going_on) = self.ends[at.pc as usize];
        if at.frame != 0 || !(by_jump || by_going_on) {
            return 0;
        }
        (if by_jump { taken } else { 0 }) | (if by_going_on { on } else { 0 })
    }
}

/// True if a thread at `pc` can only end, and does nothing before that other threads could see.
pub fn ends(code: &KernelCode, mut pc: u32) -> bool {
    for _ in 0..LAST_STEPS {
        match code.instrs.get(pc as usize) {
            Some(Instr { op: Op::Return | Op::Exit, guard: InstrGuard::Always, .. }) => return true,
            Some(Instr { op: Op::Branch(BranchOp::To(target)), guard: InstrGuard::Always, .. }) => pc = *target,
            Some(Instr { op: Op::Alu(_) | Op::Steps(_) | Op::Sleep(_) | Op::GridDependency(_) | Op::Nop, .. }) => {
                pc += 1
            }
            _ => return false,
        }
    }
    false
}

/// The greatest number of endings that are kept for a block.
const MOST: usize = 64;

/// The ended threads of one block.
#[derive(Debug, Default)]
pub struct Exited {
    /// The number of barriers that have completed.
    barriers: u32,
    list: VecDeque<ExitedLanes>,
    /// True if some have been dropped.
    are_more: bool,
}

#[derive(Debug)]
struct ExitedLanes {
    warp: u32,
    mask: Mask,
    site: u32,
    /// The number of barriers that had completed.
    barriers: u32,
}

/// The last barrier of the block that lanes of a warp have passed.
#[derive(Clone, Copy, Debug, Default)]
pub struct PassedBarrier {
    /// The site where the warp has arrived.
    pub site: u32,
    mask: Mask,
    number: u32,
}

impl PassedBarrier {
    /// Returns the site where a lane's warp arrived at it.
    pub fn last(&self, lane: u32) -> Option<u32> {
        (self.mask >> lane & 1 != 0).then_some(self.site)
    }
}

impl Exited {
    pub fn clear(&mut self) {
        self.barriers = 0;
        self.list.clear();
        self.are_more = false;
    }

    /// True if every thread that has ended is kept: the others have passed the completed barriers.
    pub fn is_complete(&self) -> bool {
        !self.are_more
    }

    pub fn completed(&mut self) {
        self.barriers += 1;
    }

    /// Returns the threads that ended before a barrier that others have passed, and where, if it was one site.
    pub fn gone_before(&self, passed: &PassedBarrier) -> Option<(Threads, u32)> {
        let mut gone = self.list.iter().filter(|end| end.barriers < passed.number).peekable();
        let site = gone.peek()?.site;
        let mut threads = Threads::default();
        for end in gone {
            if end.site != site {
                return None;
            }
            threads.add(end.warp, end.mask);
        }
        Some((threads, site))
    }

    /// Returns the sites where threads have ended so far.
    pub fn places(&self) -> Vec<u32> {
        let mut places: Vec<u32> = self.list.iter().map(|end| end.site).collect();
        places.sort_unstable();
        places.dedup();
        places
    }

    /// Returns the threads that have ended at `site` so far.
    pub fn threads(&self, site: u32) -> Threads {
        let mut threads = Threads::default();
        for end in self.list.iter().filter(|end| end.site == site) {
            threads.add(end.warp, end.mask);
        }
        threads
    }

    pub fn ended(&mut self, warp: u32, mask: Mask, site: u32) {
        if self.list.len() == MOST {
            self.list.pop_front();
            self.are_more = true;
        }
        self.list.push_back(ExitedLanes { warp, mask, site, barriers: self.barriers });
    }

    /// Returns the record that lanes of a warp have passed the barrier that has just completed, at which the warp
    /// arrived at `site`.
    pub fn passed(&self, mask: Mask, site: u32, before: PassedBarrier) -> PassedBarrier {
        // A warp whose lanes have diverged continues group by group.
        let others = if before.number == self.barriers { before.mask } else { 0 };
        PassedBarrier { site, mask: mask | others, number: self.barriers }
    }

    /// Returns the site where `first` ended, before the barrier that `second` has passed.
    pub fn before(&self, passed: &PassedBarrier, first: Thread, second: Thread) -> Option<u32> {
        let (block, warp, lane) = first;
        if block != second.0 || passed.mask >> second.2 & 1 == 0 {
            return None;
        }
        let end = self.list.iter().find(|end| end.warp == warp && end.mask >> lane & 1 != 0)?;
        (end.barriers < passed.number).then_some(end.site)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_those_count_that_ended_before_the_barrier_of_their_own_block() {
        let (first, second) = ((0, 2, 3), (0, 0, 0));
        let mut ended = Exited::default();
        ended.completed();
        let early = ended.passed(!0, 10, PassedBarrier::default());
        ended.ended(2, 1 << 3, 20);
        assert_eq!(ended.before(&early, first, second), None);
        ended.completed();
        let late = ended.passed(1, 30, early);
        assert_eq!(ended.before(&late, first, second), Some(20));
        assert_eq!(ended.before(&late, (0, 2, 4), second), None);
        assert_eq!(ended.before(&late, first, (0, 0, 1)), None, "a lane that has not passed it");
        assert_eq!(ended.before(&late, (1, 2, 3), second), None);
    }
}
