//! `adversarial`: as badly as the programming model permits. A group may be split before any
//! instruction and not only at branches; a warp is left standing right after it has stored
//! something or before it arrives at a barrier, while others overtake it; a load or an atomic operation may get
//! an older value where the memory model allows one (`memory/history.rs`), and a store may come
//! in behind one that ran before it.
//!
//! One way of being nasty hides another: a warp in splinters hardly ever spins long enough to
//! see an old flag. So each seed draws a mood, which says how much of each there is.
//!
//! Fair: who is left standing is only passed over, never excluded, and for a limited number
//! of turns; every other choice is a coin's.

use super::coin::{Coin, shuffled};
use super::{Doubt, Manner, Of, PartsAt, Question, Schedule};
use crate::registers::Mask;

/// Blocks under way at once.
const RESIDENTS: u64 = 8;

/// How nasty, and in which way.
struct Mood {
    /// Longest slice.
    slice: u64,
    /// One turn in so many begins by splitting the group.
    split: u64,
    /// A warp that has just written is passed over for up to 2^`park` turns.
    park: u64,
    /// Loads and atomic operations in eight that get an older value where there is one; stores in sixteen that come in behind others.
    older: u64,
    /// The last block and warp go first, mostly.
    backwards: bool,
}

pub struct Adversarial {
    seed: u64,
    coin: Coin,
    mood: Mood,
    block: u64,
    warp: usize,
    /// Block, warp, and the turn from which on it counts again.
    parked: Vec<(u64, usize, u64)>,
    turns: u64,
}

impl Adversarial {
    pub fn new(seed: u64) -> Adversarial {
        let mut coin = Coin::new(seed);
        let mood = Mood {
            slice: 1 << coin.below(6),
            split: 2 << coin.below(7),
            park: 1 + coin.below(8),
            older: [1, 4, 7][coin.below(3) as usize],
            backwards: coin.one_in(3),
        };
        Adversarial { seed: coin.next(), coin, mood, block: 0, warp: 0, parked: Vec::new(), turns: 0 }
    }

    /// One of `count`: the last one mostly, where this run goes backwards.
    fn pick(&mut self, count: usize) -> usize {
        if self.mood.backwards && !self.coin.one_in(4) {
            return count - 1;
        }
        self.coin.one_of(count)
    }

    /// Passes over the warps that are left standing, unless all are.
    fn warp(&mut self, ready: &[usize]) -> usize {
        self.turns += 1;
        let (now, block) = (self.turns, self.block);
        self.parked.retain(|&(.., until)| until > now);
        let is_free = |nth: &usize| !self.parked.iter().any(|parked| (parked.0, parked.1) == (block, ready[*nth]));
        let free: Vec<usize> = (0..ready.len()).filter(is_free).collect();
        let nth = if free.is_empty() { self.pick(ready.len()) } else { free[self.pick(free.len())] };
        self.warp = ready[nth];
        nth
    }

    /// One of so many others, numbered from 1, as often as the mood has it in `of` times; else 0.
    fn older(&mut self, of: u64, others: usize) -> usize {
        if self.coin.below(of) < self.mood.older { 1 + self.coin.one_of(others) } else { 0 }
    }

    /// Half the time passes over the warp that ran last, for a while.
    fn park(&mut self) -> bool {
        let parks = self.coin.one_in(2);
        if parks {
            let until = self.turns + (1 << self.coin.below(self.mood.park));
            self.parked.push((self.block, self.warp, until));
        }
        parks
    }
}

impl Schedule for Adversarial {
    fn manner(&self) -> Manner {
        Manner { is_adverse: true, ..Manner::default() }
    }

    fn residents(&mut self, most: u64) -> u64 {
        most.min(RESIDENTS)
    }

    fn begins(&self, nth: u64, of: u64) -> u64 {
        shuffled(self.seed, nth, of)
    }

    fn choose(&mut self, question: Question) -> usize {
        match question {
            Question::Block(resident) => {
                let nth = self.pick(resident.len());
                self.block = resident[nth];
                nth
            }
            Question::Warp { ready, .. } => self.warp(ready),
            Question::Grid(_) | Question::Group { .. } => self.coin.one_of(question.answers()),
            Question::Copy(under_way) => self.coin.some_one(under_way),
            Question::Back(most) => self.older(8, most),
            Question::Behind(places) => self.older(16, places),
        }
    }

    fn slice(&mut self, of: Of) -> u64 {
        match of {
            Of::Block => 1 << self.coin.below(8),
            Of::Group => 1 + self.coin.below(self.mood.slice),
        }
    }

    fn may(&mut self, doubt: Doubt) -> bool {
        match doubt {
            Doubt::Begins | Doubt::Converges => self.coin.one_in(2),
            Doubt::Wrote | Doubt::HoldsBack => self.park(),
        }
    }

    fn parts(&mut self, mask: Mask, _: PartsAt) -> Mask {
        if self.coin.one_in(self.mood.split) { self.coin.some_of(mask) } else { 0 }
    }
}
