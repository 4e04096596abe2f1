//! The order between the grids of one launch (CUDA Programming Guide, "CUDA Dynamic Parallelism": "Parent and Child
//! GridOrder", "Memory Coherence and Consistency").
//!
//! All grids that kernels launch count as one launch with more blocks, so that races between them are races within the
//! launch. A grid's threads begin after everything in the launching thread's view, the accesses of that thread, and all
//! accesses of earlier grids in their stream. A grid in a tail stream begins after all accesses of its parent and of
//! its parent's other children. Nothing that a parent does later is ordered with its child.

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
    /// The grids that are not complete.
    running: FxHashMap<u32, Grid>,
    /// The views after complete grids, as long as others may come after them. A launch may go on for ever, so nothing
    /// may be kept for each of its grids.
    done: FxHashMap<u32, Rc<View>>,
    nothing: Rc<View>,
}

/// The order of one grid.
#[derive(Debug)]
struct Grid {
    /// Its blocks: the first, and one past the last.
    blocks: (u64, u64),
    /// The view with which its threads begin.
    start: Rc<View>,
    /// The entries of its ended threads' views for other grids, and the accesses of the grids that it has launched.
    end: View,
}

impl Grid {
    fn new(launch: &Launch, start: Rc<View>) -> Grid {
        let first = launch.first_block();
        Grid { blocks: (first, first + launch.blocks()), start, end: View::default() }
    }

    /// Returns the view of threads that come after the grid.
    fn done(&self) -> View {
        let mut all = self.end.clone();
        all.join(&self.start);
        all.add_whole(self.blocks);
        all
    }
}

impl GridOrder {
    /// Returns the order with the grid that the host has launched.
    pub fn new(launch: &Launch) -> GridOrder {
        let own = launch.code.launches.then(|| (launch.number, Grid::new(launch, Rc::default())));
        GridOrder { running: own.into_iter().collect(), done: FxHashMap::default(), nothing: Rc::default() }
    }

    /// Returns the view of a thread of that grid when it begins.
    pub fn nothing(&self) -> &Rc<View> {
        &self.nothing
    }

    /// Records that a lane launches a grid, which begins with the lane's view and accesses.
    pub fn launched(&mut self, at: &At, warp: &mut WarpOrder, lane: usize, child: &Launch) {
        let view = warp.hand_over(at.block, at.warp, lane);
        self.running.insert(child.number, Grid::new(child, Rc::new(view)));
    }

    pub fn begins(&mut self, grid: u32, after: &[u32]) {
        for before in after {
            // A grid in a tail stream comes after its parent, which is not complete without it.
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

    /// Drops all complete grids but these, since others may come only after these.
    pub fn keeps(&mut self, complete: &[u32]) {
        self.done = complete.iter().filter_map(|grid| self.done.remove_entry(grid)).collect();
    }

    /// Returns the view with which the threads of a grid begin.
    pub fn start_of(&self, grid: u32) -> Rc<View> {
        self.running[&grid].start.clone()
    }

    /// Records that lanes have ended, if others may come after their grid.
    pub fn leaves(&mut self, at: &At, warp: &WarpOrder, mask: Mask) {
        let Some(grid) = self.running.get_mut(&at.launch.number) else { return };
        for lane in lanes(mask) {
            if !Rc::ptr_eq(&warp.views()[lane], &grid.start) {
                grid.end.join_outside(&warp.views()[lane], grid.blocks);
            }
        }
    }
}
