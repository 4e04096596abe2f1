//! The history of a warp and of a block, as far as causes need it.

use crate::evidence::barrier_sites::BarrierSites;
use crate::evidence::compared::{ComparedLoads, OpenLoads};
use crate::evidence::exited::{Exited, PassedBarrier};
use crate::evidence::partings::{Met, Partings};
use crate::sites::{CallChain, Sites};
use machine::registers::{Mask, lanes};
use machine::watch::At;

/// The history of a warp.
#[derive(Debug, Default)]
pub struct WarpTrace {
    /// The calls that led to each frame.
    calls: Vec<CallChain>,
    loads: OpenLoads,
    exists: Mask,
    exited: Mask,
    partings: Partings,
    /// The site where it has arrived at a barrier of the block; below, the last barrier that it has passed.
    arrived: u32,
    passed: PassedBarrier,
}

/// The history of a block.
#[derive(Debug, Default)]
pub struct BlockTrace {
    exited: Exited,
    barrier_sites: Vec<BarrierSites>,
}

impl WarpTrace {
    pub fn begin(&mut self, exists: Mask) {
        (self.exists, self.exited) = (exists, 0);
        self.partings.clear();
        (self.arrived, self.passed) = (0, PassedBarrier::default());
        self.calls.clear();
    }

    /// Records that the call instruction at `call` leads to frame `frame`.
    pub fn called(&mut self, sites: &mut Sites, call: &At, frame: u32) {
        let outer = self.calls.get(call.frame as usize).copied().unwrap_or(0);
        if self.calls.len() <= frame as usize {
            self.calls.resize(frame as usize + 1, 0);
        }
        self.calls[frame as usize] = sites.call(outer, call.pc);
    }

    #[inline(always)]
    pub fn site(&self, sites: &mut Sites, at: &At) -> u32 {
        sites.of(at, &self.calls)
    }

    /// Returns its plain loads that no compare-and-swap has checked yet.
    pub fn open_loads(&mut self) -> &mut OpenLoads {
        &mut self.loads
    }

    /// Returns the lanes that have a thread.
    pub fn exists(&self) -> Mask {
        self.exists
    }

    /// Returns those of them that have not ended.
    pub fn live(&self) -> Mask {
        self.exists & !self.exited
    }

    pub fn partings(&self) -> &Partings {
        &self.partings
    }

    /// Returns the last barrier of the block that it has passed.
    pub fn passed(&self) -> &PassedBarrier {
        &self.passed
    }

    pub fn leave(&mut self, pc: u32, lanes: Mask) {
        self.partings.leave(pc, lanes);
    }

    pub fn part(&mut self, site: u32, one: Mask, other: Mask) {
        self.partings.part(site, one, other);
    }

    /// Records that lanes meet at a `.sync` instruction.
    pub fn meet(&mut self, site: u32, met: Mask, orders: bool, clock: u32) {
        self.partings.meet(Met { site, met, gone: self.exited, orders, clock });
    }

    /// Records that lanes end at `site`.
    pub fn exit(&mut self, at: &At, site: u32, mask: Mask, block: &mut BlockTrace, checked: &mut ComparedLoads) {
        self.exited |= mask;
        for (site, mask) in self.partings.left(site, mask, at) {
            self.partings.end(site, mask);
            block.exited.ended(at.warp, mask, site);
        }
        lanes(mask).for_each(|lane| checked.end(&mut self.loads, lane));
    }
}

impl BlockTrace {
    pub fn begin(&mut self) {
        self.exited.clear();
        self.barrier_sites.clear();
        self.barrier_sites.resize(machine::exec::barrier::BARRIERS + 1, BarrierSites::default());
    }

    /// Returns the threads that have ended.
    #[inline]
    pub fn exited(&self) -> &Exited {
        &self.exited
    }

    /// Records that lanes of a warp arrive at a barrier of the block at `site`.
    pub fn arrive(&mut self, at: &At, id: usize, site: u32, warp: &mut WarpTrace) {
        warp.arrived = site;
        self.barrier_sites[id].arrive(at, id, site);
    }

    /// Completes a barrier. Returns the sites from which warps arrived at it.
    pub fn complete(&mut self, id: usize) -> BarrierSites {
        self.exited.completed();
        std::mem::take(&mut self.barrier_sites[id])
    }

    /// Records that lanes continue after the barrier that has just completed.
    pub fn release(&self, warp: &mut WarpTrace, mask: Mask) {
        warp.passed = self.exited.passed(mask, warp.arrived, warp.passed);
    }
}
