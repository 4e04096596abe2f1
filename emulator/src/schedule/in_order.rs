//! `in-order`: what hardware mostly does. Blocks and warps run one after the other, each
//! as far as it can; a diverged warp runs its deepest call and lowest address first, so
//! that branches meet again as early as the code allows. Where a group uses up its slice
//! while others of its warp could run, it may be spinning until one of them acts: then
//! another goes next, and slices are short for as long as that goes on. They are as short
//! where a warp or a block may be spinning until another warp or block acts.

use super::Schedule;
use crate::machine::warp::Group;

/// Long enough that ordinary code never notices.
const SLICE: u64 = 4096;
/// Long enough for a critical section.
const SHORT: u64 = 64;
const BLOCK_SLICE: u64 = 1 << 16;
/// Where several blocks are under way, one of them has used up a slice and may be waiting for another.
const SHORT_BLOCK_SLICE: u64 = 1 << 11;

pub struct InOrder {
    slice: u64,
    /// The last group may have been spinning.
    spent: bool,
    /// Groups that went first out of turn.
    turns: u64,
    block: usize,
    blocks: usize,
}

impl Default for InOrder {
    fn default() -> Self {
        InOrder { slice: SLICE, spent: false, turns: 0, block: 0, blocks: 1 }
    }
}

impl Schedule for InOrder {
    fn residents(&mut self, _: u64) -> u64 {
        1
    }

    fn block(&mut self, resident: &[u64]) -> usize {
        self.block = (self.block + 1) % resident.len();
        self.blocks = resident.len();
        self.block
    }

    fn block_slice(&mut self) -> u64 {
        if self.blocks > 1 { SHORT_BLOCK_SLICE } else { BLOCK_SLICE }
    }

    fn warp(&mut self, ready: &[usize], last: usize) -> usize {
        ready.iter().copied().find(|&warp| last != usize::MAX && warp > last).unwrap_or(ready[0])
    }

    fn group(&mut self, groups: &[Group], ready: &[usize]) -> usize {
        if std::mem::take(&mut self.spent) {
            self.turns = self.turns.wrapping_add(1);
            // The turns of several warps interleave in any pattern. Scattered, each group of each warp gets some.
            let scattered = self.turns.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
            return ready[scattered as usize % ready.len()];
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

    fn lingers(&mut self) {
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
