//! `random`: every choice by a seeded coin. Blocks, warps and groups interleave in short
//! slices; a branch that all lanes take still splits the warp one time in [`SPLIT`]; groups
//! that meet stay apart one time in [`APART`].

use super::api::{BinaryChoice, ChoicePoint, PartsAt, Schedule, TurnOf};
use super::coin::Coin;
use crate::registers::Mask;

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

    fn choose(&mut self, question: ChoicePoint) -> usize {
        match question {
            ChoicePoint::Block(_) | ChoicePoint::Grid(_) | ChoicePoint::Warp { .. } | ChoicePoint::Group { .. } => {
                self.coin.one_of(question.answers())
            }
            ChoicePoint::Copy(under_way) => self.coin.some_one(under_way),
            ChoicePoint::Back(_) | ChoicePoint::Behind(_) => 0,
        }
    }

    fn slice(&mut self, of: TurnOf) -> u64 {
        match of {
            // Mostly short, now and then long enough to finish a block.
            TurnOf::Block => 1 << self.coin.below(10),
            TurnOf::Group => 1 + self.coin.below(32),
        }
    }

    fn decide(&mut self, question: BinaryChoice) -> bool {
        match question {
            BinaryChoice::Begins => self.coin.one_in(2),
            BinaryChoice::Converges => !self.coin.one_in(APART),
            BinaryChoice::Wrote | BinaryChoice::HoldsBack => false,
        }
    }

    fn parts(&mut self, mask: Mask, at: PartsAt) -> Mask {
        if at == PartsAt::Branch && self.coin.one_in(SPLIT) { self.coin.some_of(mask) } else { 0 }
    }
}
