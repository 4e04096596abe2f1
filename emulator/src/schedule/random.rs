//! `random`: every choice by a seeded coin. Blocks, warps and groups interleave in short
//! slices; a branch that all lanes take still splits the warp one time in [`SPLIT`]; groups
//! that meet stay apart one time in [`APART`].

use super::Schedule;
use crate::machine::warp::Group;

/// One uniform branch in so many splits the group.
const SPLIT: u64 = 16;
/// One meeting in so many does not join the groups.
const APART: u64 = 4;
/// Blocks under way at once.
const RESIDENTS: u64 = 8;

pub struct Random {
    state: u64,
}

impl Random {
    pub fn new(seed: u64) -> Random {
        Random { state: seed }
    }

    /// SplitMix64 (Steele, Lea and Flood, 2014): small, and good enough for coins.
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, count: u64) -> u64 {
        self.next() % count
    }
}

impl Schedule for Random {
    fn residents(&mut self, most: u64) -> u64 {
        most.min(RESIDENTS)
    }

    fn block(&mut self, count: usize) -> usize {
        self.below(count as u64) as usize
    }

    fn block_slice(&mut self) -> u64 {
        // Mostly short, now and then long enough to finish a block.
        1 << self.below(10)
    }

    fn warp(&mut self, ready: &[usize], _: usize) -> usize {
        ready[self.below(ready.len() as u64) as usize]
    }

    fn group(&mut self, _: &[Group], ready: &[usize]) -> usize {
        ready[self.below(ready.len() as u64) as usize]
    }

    fn slice(&mut self) -> u64 {
        1 + self.below(32)
    }

    fn converges(&mut self) -> bool {
        self.below(APART) != 0
    }

    fn stops_to_converge(&self) -> bool {
        false
    }

    fn split(&mut self, mask: u32) -> u32 {
        if self.below(SPLIT) != 0 {
            return 0;
        }
        self.next() as u32 & mask
    }
}
