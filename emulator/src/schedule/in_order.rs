//! `in-order`: what hardware mostly does. Blocks and warps run one after the other, each
//! as far as it can; a diverged warp runs its deepest call and lowest address first, so
//! that branches meet again as early as the code allows.

use super::Schedule;
use crate::machine::warp::Group;

/// Long enough that ordinary code never notices, short enough that spinning code ends.
const SLICE: u64 = 4096;
const BLOCK_SLICE: u64 = 1 << 16;

#[derive(Default)]
pub struct InOrder {
    /// Picks since the lowest group went first by right; every so often another one does.
    picks: usize,
    block: usize,
}

impl Schedule for InOrder {
    fn residents(&mut self, _: u64) -> u64 {
        1
    }

    fn block(&mut self, count: usize) -> usize {
        self.block = (self.block + 1) % count;
        self.block
    }

    fn block_slice(&mut self) -> u64 {
        BLOCK_SLICE
    }

    fn warp(&mut self, ready: &[usize], last: usize) -> usize {
        ready.iter().copied().find(|&warp| warp > last).unwrap_or(ready[0])
    }

    fn group(&mut self, groups: &[Group], ready: &[usize]) -> usize {
        self.picks += 1;
        if ready.len() > 1 && self.picks.is_multiple_of(64) {
            return ready[self.picks / 64 % ready.len()];
        }
        // Frames are numbered as calls are made, so a deeper call has a higher number.
        let order = |&&at: &&usize| (std::cmp::Reverse(groups[at].frame), groups[at].pc);
        *ready.iter().min_by_key(order).expect("some group is ready")
    }

    fn slice(&mut self) -> u64 {
        SLICE
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
