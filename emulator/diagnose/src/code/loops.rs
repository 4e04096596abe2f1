//! Loops: whether an instruction stands in one, and those that do nothing but wait for what they load.

use super::Reading;
use checker::polls::{POLL, is_polled, is_quiet};
use machine::code::InstrGuard;
use machine::exec::Op;
use machine::exec::atomic::Operation;
use machine::exec::branch::BranchOp;
use machine::registers::{Reg, Width};
use std::ops::RangeInclusive;

/// The way in which a thread waits for what it loads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PollLoop {
    /// It looks again and again.
    Again,
    /// It has looked once, before the loop at this address, which does nothing and never ends: so compilers leave a
    /// loop that waits for a plain load.
    Once(u32),
}

impl Reading<'_> {
    pub fn is_in_loop(&self, pc: u32) -> bool {
        self.is_way_inside(pc, pc)
    }

    pub fn polled(&self, load: u32) -> Option<PollLoop> {
        // The value may say where to look next: a walk along pointers waits for nobody.
        if self.walks(load) {
            return None;
        }
        // A loop that ends by a count only adds up what it loads.
        let asking = || self.quiet_jumps(load + 1).filter(|(pc, _)| self.asks_for(*pc, load));
        let again = |(pc, target): (u32, u32)| target <= load && !self.moves(load, target..=pc);
        if is_polled(self.code, load) && asking().any(again) {
            return Some(PollLoop::Again);
        }
        let mut loops =
            asking().filter_map(|(pc, target)| [target, pc + 1].into_iter().find(|start| self.is_endless(*start)));
        loops.next().map(PollLoop::Once)
    }

    /// True if what is loaded decides whether a jump back leads to another round, in which one of these instructions
    /// is.
    pub fn decides_the_next(&self, load: u32, of_round: &[u32]) -> bool {
        self.quiet_jumps(load + 1)
            .any(|(pc, target)| self.asks_for(pc, load) && of_round.iter().any(|first| (target..=pc).contains(first)))
    }

    /// True for an atomic operation that only looks: one that adds 0, or combines with no bit.
    pub fn is_look(&self, pc: u32) -> bool {
        match self.op(pc) {
            Op::Atomic(it) => matches!(it.operation, Operation::Add | Operation::Or) && self.is_zero(pc, it.src[0]),
            _ => false,
        }
    }

    /// Returns the register with the address of a load or an atomic operation.
    fn base(&self, load: u32) -> Option<Reg> {
        match self.op(load) {
            Op::Load(it) => Some(it.base),
            Op::Atomic(it) => Some(it.base),
            _ => None,
        }
    }

    /// True if the address of a load is made of what it has loaded.
    fn walks(&self, load: u32) -> bool {
        let Some(base) = self.base(load) else { return false };
        self.made_of(load, base).is_some_and(|made| made.writers().any(|pc| pc == load))
    }

    /// True if a round of this loop may change the address of a load: it looks for a place, and waits at none.
    fn moves(&self, load: u32, round: RangeInclusive<u32>) -> bool {
        let made = self.base(load).and_then(|base| self.made_of(load, base));
        made.is_some_and(|made| {
            made.registers.iter().any(|(_, all)| all.len() > 1 && all.iter().any(|pc| round.contains(pc)))
        })
    }

    /// True if what was loaded decides whether the instruction is executed.
    pub fn asks_for(&self, pc: u32, load: u32) -> bool {
        let (InstrGuard::If(pred) | InstrGuard::Unless(pred)) = self.instr(pc).guard else { return false };
        let made = self.made_of(pc, Reg::new(pred, Width::Pred));
        made.is_some_and(|made| made.writers().any(|it| it == load))
    }

    /// True for a loop that does nothing that other threads could see, and that nothing leaves.
    fn is_endless(&self, start: u32) -> bool {
        let jump = self.quiet_jumps(start).next();
        jump.is_some_and(|(pc, target)| self.instr(pc).guard == InstrGuard::Always && (start..=pc).contains(&target))
    }

    /// The jumps soon behind an instruction, and where they lead, as far as nothing happens that other threads see.
    fn quiet_jumps(&self, start: u32) -> impl Iterator<Item = (u32, u32)> {
        let end = (start + POLL).min(self.code.instrs.len() as u32);
        let way = (start..end).take_while(|&pc| is_quiet(self.code, pc));
        way.filter_map(|pc| match self.op(pc) {
            Op::Branch(BranchOp::To(target)) => Some((pc, *target)),
            _ => None,
        })
    }
}
