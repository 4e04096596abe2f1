//! The streams of one grid.

use std::collections::VecDeque;

/// A stream of one grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stream {
    /// The NULL stream of a block.
    Block(u64),
    /// The per-thread default stream: block and thread.
    Thread(u64, u32),
    /// Created by the grid.
    Named(u64),
    FireAndForget,
    Tail,
}

/// An entry of a stream, which takes effect once all earlier ones are done.
pub(super) enum StreamEntry {
    /// A grid, by its node.
    Grid(usize),
    /// Reaches a mark, which an event has recorded.
    Record(u64),
    /// Waits until a mark is reached.
    Wait(u64),
}

/// The entries of a stream that are not done.
#[derive(Default)]
pub(super) struct StreamQueue {
    pub entries: VecDeque<StreamEntry>,
    /// True if the first entry is a grid that may run.
    pub is_busy: bool,
    /// The complete grids that the next entry is ordered after.
    pub after: Vec<u32>,
    /// True if no thread is left that can add entries.
    pub is_closed: bool,
}

impl StreamQueue {
    /// Returns true if the stream does nothing any more.
    pub fn is_finished(&self) -> bool {
        self.is_closed && self.entries.is_empty()
    }

    /// Orders the next entry after these grids, too.
    pub fn order_after(&mut self, grids: &[u32]) {
        for grid in grids {
            if !self.after.contains(grid) {
                self.after.push(*grid);
            }
        }
    }

    /// Removes the first entry, a grid, which is complete now.
    pub fn finish_grid(&mut self, number: u32) {
        self.is_busy = false;
        self.entries.pop_front();
        self.after = vec![number];
    }
}
