//! `in-order`: what hardware mostly does. Blocks and warps run one after the other, each
//! as far as it can; a diverged warp runs its deepest call and lowest address first, so
//! that branches meet again as early as the code allows. Where a group uses up its slice
//! while others of its warp could run, it may be spinning until one of them acts: then
//! another goes next, and slices are short for as long as that goes on. They are as short
//! where a warp or a block may be spinning until another warp or block acts.

use super::Schedule;
use super::patience::Patience;
use crate::run::warp::Group;

/// Long enough for a critical section.
const SHORT: u64 = 64;
const BLOCK_SLICE: u64 = 1 << 16;
/// Where several blocks are under way, one of them has used up a slice and may be waiting for another.
const SHORT_BLOCK_SLICE: u64 = 1 << 11;

pub struct InOrder {
    patience: Patience,
    block: usize,
    blocks: usize,
}

impl Default for InOrder {
    fn default() -> Self {
        InOrder { patience: Patience::new(SHORT / 2), block: 0, blocks: 1 }
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
        if let Some(another) = self.patience.another(ready) {
            return another;
        }
        // Frames are numbered as calls are made, so a deeper call has a higher number.
        let order = |&&at: &&usize| (std::cmp::Reverse(groups[at].frame), groups[at].pc);
        *ready.iter().min_by_key(order).expect("some group is ready")
    }

    fn slice(&mut self) -> u64 {
        self.patience.slice()
    }

    fn spent(&mut self) {
        self.patience.spent();
    }

    fn lingers(&mut self) {
        self.patience.shorten();
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
