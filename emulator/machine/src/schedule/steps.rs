//! `steps`: for a person who chooses whose turn it is. A turn lasts up to the next thing that others could see: an
//! access to memory that several threads have, an atomic operation, a fence, a barrier, a shuffle, a branch that parts
//! lanes.
//!
//! If nobody chooses, blocks, warps and groups take turns, or a seeded coin decides. Both are fair: a thread that
//! spins does not starve another.

use super::api::{BinaryChoice, ChoicePoint, Schedule, ScheduleTraits, TurnOf};
use super::coin::Coin;

/// Blocks under way at once: more than a person can follow.
const RESIDENTS: u64 = 8;
/// Warp instructions of a turn at most: a loop may have nothing in it that others could see.
const LONG: u64 = 1 << 10;

pub struct Steps {
    coin: Option<Coin>,
    /// A person may also have older values read, stores come late and lanes part.
    is_free: bool,
    block: usize,
    group: usize,
}

impl Steps {
    /// Without a seed they take turns.
    pub fn new(seed: Option<u64>, is_free: bool) -> Steps {
        Steps { coin: seed.map(Coin::new), is_free, block: 0, group: 0 }
    }
}

impl Schedule for Steps {
    fn traits(&self) -> ScheduleTraits {
        ScheduleTraits { stops_to_converge: true, shows_each_event: true, is_adverse: self.is_free }
    }

    fn residents(&mut self, most: u64) -> u64 {
        most.min(RESIDENTS)
    }

    fn choose(&mut self, question: ChoicePoint) -> usize {
        if let (Some(coin), ChoicePoint::Block(_) | ChoicePoint::Warp { .. } | ChoicePoint::Group { .. }) =
            (&mut self.coin, &question)
        {
            return coin.one_of(question.answers());
        }
        match question {
            ChoicePoint::Block(resident) => {
                self.block = (self.block + 1) % resident.len();
                self.block
            }
            ChoicePoint::Warp { ready, last } => {
                ready.iter().position(|&warp| last != usize::MAX && warp > last).unwrap_or(0)
            }
            ChoicePoint::Group { ready, .. } => {
                self.group = (self.group + 1) % ready.len();
                self.group
            }
            ChoicePoint::Grid(_) | ChoicePoint::Copy(_) | ChoicePoint::Back(_) | ChoicePoint::Behind(_) => 0,
        }
    }

    fn slice(&mut self, _: TurnOf) -> u64 {
        LONG
    }

    fn decide(&mut self, question: BinaryChoice) -> bool {
        question == BinaryChoice::Converges
    }
}
