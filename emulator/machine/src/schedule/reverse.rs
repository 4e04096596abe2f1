//! `reverse`: what `in-order` does first comes last. The last block begins first and runs
//! alone as far as it can; in it the last warp, and in a diverged warp the group of the
//! highest lane. Groups that meet do not join before something makes them: whatever a later
//! thread hopes an earlier one has done is not done yet.
//!
//! Fair as `in-order` is: a group that uses up its slice while others of its warp could run
//! gives way, and slices get short for as long as that goes on.

use super::Schedule;
use super::patience::Patience;
use crate::run::warp::Group;

/// Long enough for a critical section.
const SHORT: u64 = 32;
const BLOCK_SLICE: u64 = 1 << 16;

pub struct Reverse {
    patience: Patience,
    block: usize,
}

impl Default for Reverse {
    fn default() -> Self {
        Reverse { patience: Patience::new(SHORT), block: 0 }
    }
}

impl Schedule for Reverse {
    fn residents(&mut self, _: u64) -> u64 {
        1
    }

    fn begins(&mut self, nth: u64, of: u64) -> u64 {
        of - 1 - nth
    }

    fn block(&mut self, resident: &[u64]) -> usize {
        self.block = (self.block + 1) % resident.len();
        self.block
    }

    fn grid(&mut self, ready: usize) -> usize {
        ready - 1
    }

    fn launched(&mut self) -> bool {
        true
    }

    fn block_slice(&mut self) -> u64 {
        BLOCK_SLICE
    }

    fn warp(&mut self, ready: &[usize], last: usize) -> usize {
        let highest = ready[ready.len() - 1];
        ready.iter().rev().copied().find(|&warp| warp < last).unwrap_or(highest)
    }

    fn group(&mut self, groups: &[Group], ready: &[usize]) -> usize {
        if let Some(another) = self.patience.another(ready) {
            return another;
        }
        *ready.iter().max_by_key(|&&at| groups[at].mask).expect("some group is ready")
    }

    fn slice(&mut self) -> u64 {
        self.patience.slice()
    }

    fn spent(&mut self) {
        self.patience.spent();
    }

    fn converges(&mut self) -> bool {
        false
    }

    fn stops_to_converge(&self) -> bool {
        false
    }

    fn moves(&mut self, under_way: usize) -> Option<usize> {
        Some(under_way - 1)
    }

    fn split(&mut self, _: u32) -> u32 {
        0
    }
}
