//! `in-order`: what hardware mostly does. Blocks and warps run one after the other, each
//! as far as it can; a diverged warp runs its deepest call and lowest address first, so
//! that branches meet again as early as the code allows. Where a group uses up its slice
//! while others of its warp could run, it may be spinning until one of them acts: then
//! another goes next, and slices are short for as long as that goes on.

use super::Schedule;
use crate::machine::warp::Group;

/// Long enough that ordinary code never notices.
const SLICE: u64 = 4096;
/// Long enough for a critical section.
const SHORT: u64 = 64;
const BLOCK_SLICE: u64 = 1 << 16;

pub struct InOrder {
    slice: u64,
    /// The last group may have been spinning.
    spent: bool,
    /// Groups that went first out of turn.
    turns: usize,
    block: usize,
}

impl Default for InOrder {
    fn default() -> Self {
        InOrder { slice: SLICE, spent: false, turns: 0, block: 0 }
    }
}

impl Schedule for InOrder {
    fn residents(&mut self, _: u64) -> u64 {
        1
    }

    fn block(&mut self, resident: &[u64]) -> usize {
        self.block = (self.block + 1) % resident.len();
        self.block
    }

    fn block_slice(&mut self) -> u64 {
        BLOCK_SLICE
    }

    fn warp(&mut self, ready: &[usize], last: usize) -> usize {
        ready.iter().copied().find(|&warp| last != usize::MAX && warp > last).unwrap_or(ready[0])
    }

    fn group(&mut self, groups: &[Group], ready: &[usize]) -> usize {
        if std::mem::take(&mut self.spent) {
            self.turns += 1;
            return ready[self.turns % ready.len()];
        }
        // Frames are numbered as calls are made, so a deeper call has a higher number.
        let order = |&&at: &&usize| (std::cmp::Reverse(groups[at].frame), groups[at].pc);
        *ready.iter().min_by_key(order).expect("some group is ready")
    }

    fn slice(&mut self) -> u64 {
        self.slice = (2 * self.slice).min(SLICE);
        self.slice
    }

    fn spent(&mut self) {
        self.spent = true;
        self.slice = (self.slice / 8).max(SHORT / 2);
    }

    fn converges(&mut self) -> bool {
        true
    }

    fn stops_to_converge(&self) -> bool {
        true
    }

    fn split(&mut self, _: u32) -> u32 {
        0
    }
}
