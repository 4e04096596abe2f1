//! Threads that ended before a barrier which the rest of the block has passed, for advice alone: a barrier does not wait for
//! them, and orders nothing that they have done. The latest few are kept; of older ones nothing is said.

use crate::order::release::Thread;
use finding::Threads;
use machine::code::{Code, Guard, Instr};
use machine::exec::Op;
use machine::exec::branch::Branch;
use machine::registers::Mask;
use machine::watch::At;
use std::collections::VecDeque;

/// Which branches of a kernel lead straight to a thread's end: there the compiler has put what `return` was in the source, or
/// the end of a branch with nothing behind it. All of them jump to one `ret`, whose line says nothing of them.
#[derive(Debug)]
pub struct ExitBranches {
    /// By instruction, for those who take the branch and for those who go on.
    ends: Vec<(bool, bool)>,
}

/// Instructions between a branch and the end, at most.
const LAST_STEPS: u32 = 16;

impl ExitBranches {
    pub fn new(code: &Code) -> ExitBranches {
        let of = |(instr, pc): (&Instr, u32)| match &instr.op {
            Op::Branch(Branch::To(target)) => (ends(code, *target), instr.guard != Guard::Always && ends(code, pc + 1)),
            _ => (false, false),
        };
        ExitBranches { ends: code.instrs.iter().zip(0..).map(of).collect() }
    }

    /// The lanes that go to their end, of those that take a branch and those that go on.
    #[inline(always)]
    pub fn of(&self, at: &At, taken: Mask, on: Mask) -> Mask {
        let (by_jump, by_going_on) = self.ends[at.pc as usize];
        if at.frame != 0 || !(by_jump || by_going_on) {
            return 0;
        }
        (if by_jump { taken } else { 0 }) | (if by_going_on { on } else { 0 })
    }
}

/// True if a thread at `pc` can only end, and does nothing before that others could see.
pub fn ends(code: &Code, mut pc: u32) -> bool {
    for _ in 0..LAST_STEPS {
        match code.instrs.get(pc as usize) {
            Some(Instr { op: Op::Return | Op::Exit, guard: Guard::Always, .. }) => return true,
            Some(Instr { op: Op::Branch(Branch::To(target)), guard: Guard::Always, .. }) => pc = *target,
            Some(Instr { op: Op::Alu(_) | Op::Steps(_) | Op::Nop, .. }) => pc += 1,
            _ => return false,
        }
    }
    false
}

/// Endings that are kept of one block.
const MOST: usize = 64;

/// One block's.
#[derive(Debug, Default)]
pub struct Exited {
    /// Barriers that have completed.
    barriers: u32,
    list: VecDeque<Ending>,
    /// Some have been forgotten.
    are_more: bool,
}

#[derive(Debug)]
struct Ending {
    warp: u32,
    mask: Mask,
    site: u32,
    /// How many barriers had completed.
    barriers: u32,
}

/// The last barrier of the block that lanes of a warp have passed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Passed {
    /// Where the warp has arrived.
    pub site: u32,
    mask: Mask,
    number: u32,
}

impl Passed {
    /// Where a lane's warp arrived at it.
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

    /// True if every thread that has ended is known: another has passed what is behind it.
    pub fn is_complete(&self) -> bool {
        !self.are_more
    }

    pub fn completed(&mut self) {
        self.barriers += 1;
    }

    /// Who ended before a barrier that others have passed, and where from, if it was one place.
    pub fn gone_before(&self, passed: &Passed) -> Option<(Threads, u32)> {
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

    pub fn ended(&mut self, warp: u32, mask: Mask, site: u32) {
        if self.list.len() == MOST {
            self.list.pop_front();
            self.are_more = true;
        }
        self.list.push_back(Ending { warp, mask, site, barriers: self.barriers });
    }

    /// Lanes of a warp go on from the barrier that has just completed, at which it arrived at `site`.
    pub fn passed(&self, mask: Mask, site: u32, before: Passed) -> Passed {
        // A warp whose lanes have parted goes on group by group.
        let others = if before.number == self.barriers { before.mask } else { 0 };
        Passed { site, mask: mask | others, number: self.barriers }
    }

    /// Where `first` ended, before the barrier that `second` has passed.
    pub fn before(&self, passed: &Passed, first: Thread, second: Thread) -> Option<u32> {
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
        let early = ended.passed(!0, 10, Passed::default());
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
