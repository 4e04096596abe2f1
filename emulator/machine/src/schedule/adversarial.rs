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

use super::Schedule;
use super::coin::{Coin, shuffled};
use crate::run::warp::Group;

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
        self.coin.below(count as u64) as usize
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
    fn residents(&mut self, most: u64) -> u64 {
        most.min(RESIDENTS)
    }

    fn begins(&mut self, nth: u64, of: u64) -> u64 {
        shuffled(self.seed, nth, of)
    }

    fn block(&mut self, resident: &[u64]) -> usize {
        let at = self.pick(resident.len());
        self.block = resident[at];
        at
    }

    fn grid(&mut self, ready: usize) -> usize {
        self.coin.below(ready as u64) as usize
    }

    fn launched(&mut self) -> bool {
        self.coin.one_in(2)
    }

    fn block_slice(&mut self) -> u64 {
        1 << self.coin.below(8)
    }

    fn warp(&mut self, ready: &[usize], _: usize) -> usize {
        self.turns += 1;
        let (now, block) = (self.turns, self.block);
        self.parked.retain(|&(.., until)| until > now);
        let is_free = |warp: &usize| !self.parked.iter().any(|parked| (parked.0, parked.1) == (block, *warp));
        let free: Vec<usize> = ready.iter().copied().filter(is_free).collect();
        let among = if free.is_empty() { ready } else { &free };
        self.warp = among[self.pick(among.len())];
        self.warp
    }

    fn group(&mut self, _: &[Group], ready: &[usize]) -> usize {
        ready[self.coin.below(ready.len() as u64) as usize]
    }

    fn slice(&mut self) -> u64 {
        1 + self.coin.below(self.mood.slice)
    }

    fn converges(&mut self) -> bool {
        self.coin.one_in(2)
    }

    fn stops_to_converge(&self) -> bool {
        false
    }

    fn moves(&mut self, under_way: usize) -> Option<usize> {
        self.coin.some_one(under_way)
    }

    fn split(&mut self, mask: u32) -> u32 {
        if self.coin.one_in(self.mood.split) { self.coin.some_of(mask) } else { 0 }
    }

    fn divide(&mut self, mask: u32) -> u32 {
        self.split(mask)
    }

    fn is_adverse(&self) -> bool {
        true
    }

    fn wrote(&mut self) -> bool {
        self.park()
    }

    fn holds_back(&mut self) -> bool {
        self.park()
    }

    fn older(&mut self, most: u32) -> u32 {
        if self.coin.below(8) < self.mood.older { 1 + self.coin.below(u64::from(most)) as u32 } else { 0 }
    }

    fn behind(&mut self, places: u32) -> u32 {
        if self.coin.below(16) < self.mood.older { 1 + self.coin.below(u64::from(places)) as u32 } else { 0 }
    }
}
