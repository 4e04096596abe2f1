//! Branches that only choose between values ([`crate::sites::hammocks`]): a condition that is undefined, or depends on
//! a speculative read, affects the registers written inside, and does so where the paths join.

use super::{Checker, WarpState};
use crate::sites::hammocks::Hammock;
use crate::speculation::taint::ReadSet;
use crate::undefined::origins::OriginId;
use machine::registers::{Mask, Registers};
use machine::watch::At;
use std::rc::Rc;

/// Lanes inside a hammock, with the origins of the condition in each.
#[derive(Debug)]
pub struct PendingJoin {
    hammock: Rc<Hammock>,
    frame: u32,
    undefined: Vec<(usize, OriginId)>,
    reads: Vec<(usize, ReadSet)>,
}

impl Checker<'_> {
    /// Called for a branch that depends on undefined values or speculative reads. Returns whether the branch begins a
    /// hammock.
    pub(super) fn enter_hammock(
        &mut self,
        at: &At,
        warp: &mut WarpState,
        undefined: Vec<(usize, OriginId)>,
        reads: Vec<(usize, ReadSet)>,
    ) -> bool {
        let Some(hammock) = self.trace.hammocks.at(at.launch.code, at.pc) else { return false };
        warp.pending_joins.push(PendingJoin { hammock, frame: at.frame, undefined, reads });
        true
    }

    /// Called before an instruction of a warp that is inside a hammock: applies the conditions of lanes that have
    /// reached the join.
    #[inline(never)]
    pub(super) fn leave_hammocks(&mut self, at: &At, warp: &mut WarpState, regs: &Registers, mask: Mask) {
        let WarpState { pending_joins, undefined, reads, .. } = warp;
        let mut used = Vec::new();
        let is_here = |lane: usize| mask >> lane & 1 != 0;
        for pending in pending_joins.iter_mut().filter(|it| (it.hammock.join, it.frame) == (at.pc, at.frame)) {
            let here: Vec<_> = pending.undefined.extract_if(.., |(lane, _)| is_here(*lane)).collect();
            for &reg in &pending.hammock.written {
                undefined.registers.undefine_for(regs, reg, &here);
            }
            for (lane, set) in pending.reads.extract_if(.., |(lane, _)| is_here(*lane)) {
                for &reg in &pending.hammock.written {
                    used.push((lane, reads.tainted.join(regs, reg, lane, set, &mut self.speculation.sets)));
                }
            }
        }
        pending_joins.retain(|it| !(it.undefined.is_empty() && it.reads.is_empty()));
        used.into_iter().for_each(|(lane, reads)| self.record_use(lane, reads));
    }
}
