//! Order between the grids of one launch (CUDA Programming Guide, "CUDA Dynamic Parallelism": "Parent and Child GridOrder",
//! "Memory Coherence and Consistency").
//!
//! All grids that kernels launch count as one launch with more blocks, so whatever races inside a launch races between
//! them. A grid's threads begin with what the launching thread knew and had done, and with all that earlier grids of
//! their stream have done. A grid in a tail stream begins with all that its parent and its parent's other children have
//! done. Nothing that a parent does later is ordered with its child.

use crate::order::clock::{View, joined};
use crate::order::warp::WarpOrder;
use machine::registers::{Mask, lanes};
use machine::run::launch::Launch;
use machine::watch::At;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The grids of a launch whose kernels launch others, by number.
#[derive(Debug)]
pub struct GridOrder {
    /// Those that are not complete.
    running: FxHashMap<u32, Grid>,
    /// What complete ones have done, as long as others may come after them. A launch may go on for ever: nothing must be kept
    /// for each grid of it.
    done: FxHashMap<u32, Rc<View>>,
    nothing: Rc<View>,
}

/// A grid as order sees it.
#[derive(Debug)]
struct Grid {
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

impl GridOrder {
    /// The host's own grid.
    pub fn new(launch: &Launch) -> GridOrder {
        let own = launch.code.launches.then(|| (launch.number, Grid::new(launch, Rc::default())));
        GridOrder { running: own.into_iter().collect(), done: FxHashMap::default(), nothing: Rc::default() }
    }

    /// What a thread of the host's own grid knows when it begins.
    pub fn nothing(&self) -> &Rc<View> {
        &self.nothing
    }

    /// A lane launches a grid, which begins with all that the lane knows and has done.
    pub fn launched(&mut self, at: &At, warp: &mut WarpOrder, lane: usize, child: &Launch) {
        let view = warp.hand_over(at.block, at.warp, lane);
        self.running.insert(child.number, Grid::new(child, Rc::new(view)));
    }

    pub fn begins(&mut self, grid: u32, after: &[u32]) {
        for before in after {
            // A grid in a tail stream comes after one that is not complete without it.
            let done = self.done.get(before).cloned().unwrap_or_else(|| Rc::new(self.running[before].done()));
            let grid = self.running.get_mut(&grid).expect("launched");
            grid.start = joined(&grid.start, &done);
        }
    }

    pub fn ends(&mut self, grid: u32, parent: u32) {
        let done = self.running.remove(&grid).expect("launched").done();
        self.running.get_mut(&parent).expect("complete only after its children").end.join(&done);
        self.done.insert(grid, Rc::new(done));
    }

    /// Of the complete grids others may come after these, and after no more.
    pub fn keeps(&mut self, complete: &[u32]) {
        self.done = complete.iter().filter_map(|grid| self.done.remove_entry(grid)).collect();
    }

    /// What the threads of a grid begin with.
    pub fn start_of(&self, grid: u32) -> Rc<View> {
        self.running[&grid].start.clone()
    }

    /// Lanes of a grid that others may come after have ended.
    pub fn leaves(&mut self, at: &At, warp: &WarpOrder, mask: Mask) {
        let Some(grid) = self.running.get_mut(&at.launch.number) else { return };
        for lane in lanes(mask) {
            if !Rc::ptr_eq(&warp.views()[lane], &grid.start) {
                grid.end.join_outside(&warp.views()[lane], grid.blocks);
            }
        }
    }
}
