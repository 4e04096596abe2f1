//! Order between the grids of one launch (CUDA Programming Guide, "CUDA Dynamic Parallelism": "Parent and Child Grids",
//! "Memory Coherence and Consistency").
//!
//! All grids that kernels launch count as one launch with more blocks, so whatever races inside a launch races between
//! them. A grid's threads begin with what the launching thread knew and had done, and with all that grids before it in
//! its stream have done; a grid in a tail stream begins with all that its parent and its parent's other children have
//! done. Nothing that a parent does later is ordered with its child.

use crate::checks::{BlockState, Checker, WarpState};
use crate::order::clock::View;
use machine::memory::space::Space;
use machine::registers::Mask;
use machine::run::launch::Launch;
use machine::watch::At;
use std::rc::Rc;

/// A grid as order sees it.
#[derive(Clone, Debug, Default)]
pub struct Grid {
    /// Its blocks: the first, and one past the last.
    blocks: (u64, u64),
    /// What its threads begin with.
    start: Rc<View>,
    /// What those of its threads that have ended knew of other grids, and what the grids that it launched have done.
    end: View,
}

impl Grid {
    fn new(launch: &Launch, start: Rc<View>) -> Grid {
        let first = launch.first_block();
        Grid { blocks: (first, first + launch.blocks()), start, end: View::default() }
    }

    /// All that lies behind those who come after it.
    fn done(&self) -> View {
        let mut all = self.end.clone();
        all.join(&self.start);
        all.add_whole(self.blocks);
        all
    }
}

impl Checker<'_> {
    /// The host's own grid.
    pub fn root(launch: &Launch) -> Vec<Grid> {
        if launch.code.launches { vec![Grid::new(launch, Rc::default())] } else { Vec::new() }
    }

    /// A lane launches a grid, which begins with all that the lane knows and has done.
    pub fn launched(&mut self, at: &At, warp: &mut WarpState, lane: usize, child: &Launch) {
        let mut view = (*warp.views[lane]).clone();
        warp.tell(&mut view, at.block, at.warp, 1 << lane);
        warp.clock += 1;
        debug_assert_eq!(self.grids.len(), child.number as usize);
        self.grids.push(Grid::new(child, Rc::new(view)));
    }

    pub fn begins(&mut self, grid: u32, after: &[u32]) {
        for &before in after {
            let done = self.grids[before as usize].done();
            Rc::make_mut(&mut self.grids[grid as usize].start).join(&done);
        }
    }

    pub fn ends(&mut self, grid: u32, parent: u32) {
        let done = self.grids[grid as usize].done();
        self.grids[parent as usize].end.join(&done);
    }

    /// What the threads of a grid begin with.
    pub fn start_of(&self, grid: u32) -> Rc<View> {
        self.grids[grid as usize].start.clone()
    }

    /// Lanes of a grid that others may come after have ended.
    pub fn leaves(&mut self, at: &At, warp: &WarpState, mask: Mask) {
        let Some(grid) = self.grids.get_mut(at.launch.number as usize) else { return };
        for lane in machine::registers::lanes(mask) {
            if !Rc::ptr_eq(&warp.views[lane], &grid.start) {
                grid.end.join_outside(&warp.views[lane], grid.blocks);
            }
        }
    }

    /// A buffer for the arguments of a launch has been some other launch's before.
    pub fn fresh(&mut self, launch: &Launch, address: u64, bytes: u64) {
        let Some(base) = launch.memory.region(address).map(|region| region.base()) else { return };
        let offset = address - base;
        self.state.memory(base).0.cells.forget(offset, bytes);
        if let Some(bits) = self.state.bits.get_mut(base) {
            bits.fill(offset, bytes, true);
        }
        if let Some(delays) = &mut self.delays {
            delays.visible.forget(address, bytes);
        }
    }

    /// The device runtime has written a result of its own.
    pub fn written(&mut self, space: Space, base: u64, address: u64, bytes: u64, block: &mut BlockState) {
        let bits = if space == Space::Shared { block.bits.as_mut() } else { self.state.bits.get_mut(base) };
        if let Some(bits) = bits {
            bits.fill(address - base, bytes, false);
        }
    }
}
