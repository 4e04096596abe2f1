//! Order between the grids of one launch (CUDA Programming Guide, "CUDA Dynamic Parallelism": "Parent and Child GridOrder",
//! "Memory Coherence and Consistency").
//!
//! All grids that kernels launch count as one launch with more blocks, so whatever races inside a launch races between
//! them. A grid's threads begin with what the launching thread knew and had done, and with all that grids before it in
//! its stream have done; a grid in a tail stream begins with all that its parent and its parent's other children have
//! done. Nothing that a parent does later is ordered with its child.

use crate::order::clock::View;
use crate::order::warp::WarpOrder;
use machine::registers::{Mask, lanes};
use machine::run::launch::Launch;
use machine::watch::At;
use std::rc::Rc;

/// The grids of a launch whose kernels launch others, by number.
#[derive(Debug)]
pub struct GridOrder {
    grids: Vec<Grid>,
    nothing: Rc<View>,
}

/// A grid as order sees it.
#[derive(Clone, Debug, Default)]
struct Grid {
    /// Its blocks: the first, and one past the last.
    blocks: (u64, u64),
    /// What its threads begin with.
    start: Rc<View>,
    /// What those of its threads that have ended knew of other grids, and what the grids that it launched have done.
    end: View,
    parent: u32,
    /// Those that it launched and that are complete.
    children: Vec<u32>,
    /// Its parent is complete: what it has done is among what that one has.
    is_kept_by_parent: bool,
}

impl Grid {
    fn new(launch: &Launch, start: Rc<View>) -> Grid {
        let first = launch.first_block();
        Grid { blocks: (first, first + launch.blocks()), start, ..Grid::default() }
    }

    /// All that lies behind those who come after it.
    fn done(&self) -> View {
        let mut all = self.end.clone();
        all.join(&self.start);
        all.add_whole(self.blocks);
        all
    }
}

impl GridOrder {
    /// The host's own grid.
    pub fn new(launch: &Launch) -> GridOrder {
        let grids = if launch.code.launches { vec![Grid::new(launch, Rc::default())] } else { Vec::new() };
        GridOrder { grids, nothing: Rc::default() }
    }

    /// What a thread of the host's own grid knows when it begins.
    pub fn nothing(&self) -> &Rc<View> {
        &self.nothing
    }

    /// A lane launches a grid, which begins with all that the lane knows and has done.
    pub fn launched(&mut self, at: &At, warp: &mut WarpOrder, lane: usize, child: &Launch) {
        let view = warp.hand_over(at.block, at.warp, lane);
        debug_assert_eq!(self.grids.len(), child.number as usize);
        self.grids.push(Grid::new(child, Rc::new(view)));
    }

    pub fn begins(&mut self, grid: u32, after: &[u32]) {
        for &before in after {
            let mut before = &self.grids[before as usize];
            while before.is_kept_by_parent {
                before = &self.grids[before.parent as usize];
            }
            let done = before.done();
            Rc::make_mut(&mut self.grids[grid as usize].start).join(&done);
        }
    }

    pub fn ends(&mut self, grid: u32, parent: u32) {
        let done = self.grids[grid as usize].done();
        let above = &mut self.grids[parent as usize];
        above.end.join(&done);
        above.children.push(grid);
        self.grids[grid as usize].parent = parent;
        // A launch may go on for ever: what its grids knew must not be kept for each of them.
        for child in std::mem::take(&mut self.grids[grid as usize].children) {
            let child = &mut self.grids[child as usize];
            (child.start, child.end, child.is_kept_by_parent) = (self.nothing.clone(), View::default(), true);
        }
    }

    /// What the threads of a grid begin with.
    pub fn start_of(&self, grid: u32) -> Rc<View> {
        self.grids[grid as usize].start.clone()
    }

    /// Lanes of a grid that others may come after have ended.
    pub fn leaves(&mut self, at: &At, warp: &WarpOrder, mask: Mask) {
        let Some(grid) = self.grids.get_mut(at.launch.number as usize) else { return };
        for lane in lanes(mask) {
            if !Rc::ptr_eq(&warp.views()[lane], &grid.start) {
                grid.end.join_outside(&warp.views()[lane], grid.blocks);
            }
        }
    }
}
