//! `random`: every choice by a seeded coin. Blocks, warps and groups interleave in short
//! slices; a branch that all lanes take still splits the warp one time in [`SPLIT`]; groups
//! that meet stay apart one time in [`APART`].

use super::Schedule;
use super::coin::Coin;
use crate::run::warp::Group;

/// One uniform branch in so many splits the group.
pub const SPLIT: u64 = 16;
/// One meeting in so many does not join the groups.
pub const APART: u64 = 4;
/// Blocks under way at once.
const RESIDENTS: u64 = 8;

pub struct Random {
    coin: Coin,
}

impl Random {
    pub fn new(seed: u64) -> Random {
        Random { coin: Coin::new(seed) }
    }
}

impl Schedule for Random {
    fn residents(&mut self, most: u64) -> u64 {
        most.min(RESIDENTS)
    }

    fn block(&mut self, resident: &[u64]) -> usize {
        self.coin.below(resident.len() as u64) as usize
    }

    fn grid(&mut self, ready: usize) -> usize {
        self.coin.below(ready as u64) as usize
    }

    fn launched(&mut self) -> bool {
        self.coin.one_in(2)
    }

    fn block_slice(&mut self) -> u64 {
        // Mostly short, now and then long enough to finish a block.
        1 << self.coin.below(10)
    }

    fn warp(&mut self, ready: &[usize], _: usize) -> usize {
        ready[self.coin.below(ready.len() as u64) as usize]
    }

    fn group(&mut self, _: &[Group], ready: &[usize]) -> usize {
        ready[self.coin.below(ready.len() as u64) as usize]
    }

    fn slice(&mut self) -> u64 {
        1 + self.coin.below(32)
    }

    fn converges(&mut self) -> bool {
        self.coin.below(APART) != 0
    }

    fn stops_to_converge(&self) -> bool {
        false
    }

    fn moves(&mut self, under_way: usize) -> Option<usize> {
        self.coin.some_one(under_way)
    }

    fn split(&mut self, mask: u32) -> u32 {
        if self.coin.one_in(SPLIT) { self.coin.some_of(mask) } else { 0 }
    }
}
