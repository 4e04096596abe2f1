//! `pct`: probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi and Nagarakatte,
//! 2010). Everything runs strictly by random priorities, and at `depth` - 1 random moments
//! what is running drops below all others. A bug that needs `depth` steps in a certain order is
//! found with a probability that can be stated, because so few choices were made.
//!
//! Here blocks have priorities, warps have them within their block, and the groups of a
//! diverged warp by their lowest lane. A change drops one of the three, or splits the group
//! that runs. How long a launch will take is not known, so the moments are drawn with every
//! order of magnitude alike, up to 2^[`MAGNITUDES`] warp instructions.
//!
//! Fair: what has run for [`PATIENCE`] instructions without stopping may be waiting for somebody, and drops too. Where
//! that happens again and again, patience gets short.

use super::api::{BinaryChoice, ChoicePoint, Event, PartsAt, Schedule, TurnOf};
use super::coin::{Coin, mix, shuffled};
use crate::registers::Mask;
use rustc_hash::FxHashMap;

const MAGNITUDES: u64 = 14;
const PATIENCE: u64 = 2048;
/// Long enough for a critical section.
const LITTLE_PATIENCE: u64 = 32;
/// Blocks under way at once.
const RESIDENTS: u64 = 8;

/// The owner of a priority: a block, a warp of it, a lane of that.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum PriorityOwner {
    Block(u64),
    Warp(u64, usize),
    Lane(u64, usize, u32),
}

pub struct Pct {
    seed: u64,
    coin: Coin,
    /// Warp instructions after which something changes; the next one last.
    changes: Vec<u64>,
    steps: u64,
    /// Instructions since something dropped.
    streak: u64,
    patience: u64,
    /// The turn that was given last.
    turn: u64,
    /// The levels that have dropped, each with how many had dropped before it.
    dropped: FxHashMap<PriorityOwner, u64>,
    drops: u64,
    block: u64,
    warp: usize,
    lane: u32,
    splits: bool,
}

impl Pct {
    pub fn new(seed: u64, depth: u32) -> Pct {
        let mut coin = Coin::new(seed);
        let mut changes: Vec<u64> = (1..depth)
            .map(|_| {
                let magnitude = coin.below(MAGNITUDES);
                (1 << magnitude) + coin.below(1 << magnitude)
            })
            .collect();
        changes.sort_unstable_by(|a, b| b.cmp(a));
        Pct {
            seed: coin.next(),
            coin,
            changes,
            steps: 0,
            streak: 0,
            patience: PATIENCE,
            turn: 0,
            dropped: FxHashMap::default(),
            drops: 0,
            block: 0,
            warp: 0,
            lane: 0,
            splits: false,
        }
    }

    /// The higher goes first. What has dropped is below the rest, the latest lowest.
    fn priority(&self, level: PriorityOwner) -> (bool, u64) {
        match self.dropped.get(&level) {
            Some(&nth) => (false, u64::MAX - nth),
            None => {
                let (block, warp, lane) = match level {
                    PriorityOwner::Block(block) => (block, 0, 0),
                    PriorityOwner::Warp(block, warp) => (block, warp as u64 + 1, 0),
                    PriorityOwner::Lane(block, warp, lane) => (block, warp as u64 + 1, u64::from(lane) + 1),
                };
                (true, mix(self.seed ^ mix(block ^ mix(warp ^ mix(lane)))))
            }
        }
    }

    fn drop(&mut self, level: PriorityOwner) {
        self.drops += 1;
        self.dropped.insert(level, self.drops);
    }

    fn levels(&self) -> [PriorityOwner; 3] {
        let (block, warp, lane) = (self.block, self.warp, self.lane);
        [PriorityOwner::Block(block), PriorityOwner::Warp(block, warp), PriorityOwner::Lane(block, warp, lane)]
    }

    /// Applies the changes that are due after this many more instructions.
    fn ran(&mut self, instructions: u64) {
        self.steps += instructions;
        self.streak += instructions;
        while self.changes.last().is_some_and(|&change| change <= self.steps) {
            self.changes.pop();
            self.streak = 0;
            match self.coin.below(4) {
                3 => self.splits = true,
                level => self.drop(self.levels()[level as usize]),
            }
        }
        if instructions < self.turn {
            // It stopped by itself: it met a barrier, called, branched apart, or ended.
            self.patience = (2 * self.patience).min(PATIENCE);
        }
        if self.streak >= self.patience {
            self.streak = 0;
            self.patience = (self.patience / 8).max(LITTLE_PATIENCE);
            // Whatever it waits for is in another block, another warp or another lane.
            self.levels().into_iter().for_each(|level| self.drop(level));
        }
    }
}

impl Schedule for Pct {
    fn residents(&mut self, most: u64) -> u64 {
        most.min(RESIDENTS)
    }

    fn begins(&self, nth: u64, of: u64) -> u64 {
        shuffled(self.seed, nth, of)
    }

    fn choose(&mut self, question: ChoicePoint) -> usize {
        let best = match question {
            ChoicePoint::Block(resident) => {
                let best = (0..resident.len()).max_by_key(|&nth| self.priority(PriorityOwner::Block(resident[nth])));
                best.inspect(|&nth| self.block = resident[nth])
            }
            ChoicePoint::Warp { ready, .. } => {
                let best =
                    (0..ready.len()).max_by_key(|&nth| self.priority(PriorityOwner::Warp(self.block, ready[nth])));
                best.inspect(|&nth| self.warp = ready[nth])
            }
            ChoicePoint::Group { groups, ready } => {
                let lane = |nth: usize| groups[ready[nth]].mask.trailing_zeros();
                let priority = |&nth: &usize| self.priority(PriorityOwner::Lane(self.block, self.warp, lane(nth)));
                let best = (0..ready.len()).max_by_key(priority);
                best.inspect(|&nth| self.lane = lane(nth))
            }
            ChoicePoint::Grid(ready) => Some(self.coin.one_of(ready)),
            ChoicePoint::Copy(under_way) => Some(self.coin.some_one(under_way)),
            ChoicePoint::Back(_) | ChoicePoint::Behind(_) => Some(0),
        };
        best.expect("there is an answer")
    }

    /// A block's turn is as long as that of the group that runs first.
    fn slice(&mut self, _: TurnOf) -> u64 {
        let next = self.changes.last().map_or(u64::MAX, |change| change.saturating_sub(self.steps));
        self.turn = next.min(self.patience.saturating_sub(self.streak)).max(1);
        self.turn
    }

    fn decide(&mut self, question: BinaryChoice) -> bool {
        match question {
            BinaryChoice::Begins => self.coin.one_in(2),
            BinaryChoice::Converges => true,
            BinaryChoice::Wrote | BinaryChoice::HoldsBack => false,
        }
    }

    fn parts(&mut self, mask: Mask, at: PartsAt) -> Mask {
        if at == PartsAt::Turn && std::mem::take(&mut self.splits) { self.coin.some_of(mask) } else { 0 }
    }

    fn observe(&mut self, event: Event) {
        if let Event::Ran(instructions) = event {
            self.ran(instructions);
        }
    }
}
