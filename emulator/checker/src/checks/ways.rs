//! Tracks the branches that lanes take, and compares the lanes where the paths rejoin.

use super::{BlockState, Checker, WarpState};
use crate::evidence::rejoin::mark;
use crate::evidence::ways::LeftLanes;
use machine::exec::Op;
use machine::exec::branch::{BranchOp, Callee};
use machine::registers::{Mask, Registers, lanes};
use machine::watch::At;

impl Checker<'_> {
    /// Handles a group at an instruction where paths diverge or rejoin, or at an aligned barrier, according to its
    /// `marks`.
    #[cold]
    pub(super) fn goes_its_way(
        &mut self,
        at: &At,
        block: &mut BlockState,
        warp: &mut WarpState,
        (regs, marks): (&Registers, u8),
        mask: Mask,
        exec: Mask,
    ) {
        let op = &at.launch.code.instrs[at.pc as usize].op;
        if marks & mark::REJOINS != 0 {
            let left = warp.ways.rejoin(at.warp, at.pc, at.frame, mask);
            self.compare(at, block, warp, &left);
        }
        if marks & mark::PARTS != 0 {
            let site = warp.trace.site(&mut self.trace.sites, at);
            let parting = self.trace.rejoins.parting(at.pc);
            for (way, mask) in ways(op, regs, mask, exec) {
                warp.ways.part(site, at.frame, parting, way, mask);
            }
        }
        if marks & mark::RETURNS != 0 && exec != 0 {
            let left = warp.ways.come_back(at.launch.code, at.warp, at.frame, exec);
            self.compare(at, block, warp, &left);
        }
        warp.ways.settle();
    }

    fn compare(&mut self, at: &At, block: &mut BlockState, warp: &mut WarpState, left: &[LeftLanes]) {
        for left in left {
            if let Some(parted) = warp.ways.compare(left)
                && warp.astray == 0
            {
                self.findings.skipped(at, &self.trace.sites, &parted, true);
            }
            if let Some(parted) = block.ways.compare_warps(left) {
                self.notes.skipped(at, &self.trace.sites, &parted, false);
            }
        }
    }
}

/// Returns the paths of the lanes: one for those that run the instruction, another for the rest. Lanes that branch to
/// different targets by a table come again, one target at a time.
fn ways(op: &Op, regs: &Registers, mask: Mask, exec: Mask) -> [(u64, Mask); 2] {
    let chosen = match op {
        Op::Branch(BranchOp::Table(table)) => Some(table.0),
        Op::Call(call) => match call.callee {
            Callee::Indirect(reg) => Some(reg),
            _ => None,
        },
        _ => None,
    };
    let (Some(reg), true) = (chosen, exec != 0) else { return [(0, mask & !exec), (1, exec)] };
    let first = regs.get(reg, exec.trailing_zeros() as usize);
    let same = lanes(exec).filter(|lane| regs.get(reg, *lane) == first).fold(0, |same, lane| same | 1 << lane);
    [(0, mask & !exec), (first.wrapping_add(1), same)]
}
