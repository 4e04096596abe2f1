//! `adversarial`: as badly as the programming model permits. A group may be split before any
//! instruction and not only at branches. A warp is left standing right after it has stored
//! something or before it arrives at a barrier, while others overtake it. A load or an atomic
//! operation may get an older value where the memory model allows one (`memory/history.rs`). A
//! store may come in behind one that ran before it.
//!
//! One way of being nasty hides another: a warp in splinters hardly ever spins long enough to
//! see an old flag. So each seed draws a mood, which says how much of each there is.
//!
//! In some runs one block is held back, once, for much longer: a wait that gives up after some
//! hundred tries works until somebody really is that late.
//!
//! Fair: who is left standing is only passed over, never excluded, and for a limited number
//! of turns; every other choice is a coin's.

use super::api::{BinaryChoice, ChoicePoint, Event, PartsAt, Schedule, ScheduleTraits, TurnOf};
use super::coin::{Coin, shuffled};
use crate::registers::Mask;

/// Blocks under way at once.
const RESIDENTS: u64 = 8;

/// In one of so many runs a block is held back.
const HOLDS: u64 = 2;
/// At one of the first 2^5 writes and barriers, every order of magnitude alike.
const HOLD_BEGINS: u64 = 5;
/// Others run for 2^12 to 2^15 warp instructions meanwhile.
const HOLD_LASTS: (u64, u64) = (12, 15);

/// The strength and the kind of the adversary.
struct Mood {
    /// Longest slice.
    slice: u64,
    /// One turn in so many begins by splitting the group.
    split: u64,
    /// A warp that has just written is passed over for up to 2^`park` turns.
    park: u64,
    /// Loads and atomic operations in eight that get an older value where there is one; stores in sixteen that come in
    /// behind others.
    older: u64,
    /// The last block and warp go first, mostly.
    backwards: bool,
}

/// One block that is held back.
struct HeldBlock {
    /// Writes and barriers, of any block, until it begins.
    events: u64,
    /// Warp instructions of others that it lasts.
    lasts: u64,
    /// None before it begins.
    block: Option<u64>,
}

impl HeldBlock {
    /// With a coin of its own: the other choices of a seed do not hang on it.
    fn draw(seed: u64) -> Option<HeldBlock> {
        let mut coin = Coin::new(!seed);
        coin.one_in(HOLDS).then(|| HeldBlock {
            events: 1 << coin.below(1 + HOLD_BEGINS),
            lasts: 1 << (HOLD_LASTS.0 + coin.below(1 + HOLD_LASTS.1 - HOLD_LASTS.0)),
            block: None,
        })
    }
}

pub struct Adversarial {
    seed: u64,
    coin: Coin,
    mood: Mood,
    block: u64,
    /// Blocks under way beside it.
    others: usize,
    warp: usize,
    /// Block, warp, and the turn from which on it counts again.
    parked: Vec<(u64, usize, u64)>,
    turns: u64,
    hold: Option<HeldBlock>,
}

impl Adversarial {
    pub fn new(seed: u64) -> Adversarial {
        let hold = HeldBlock::draw(seed);
        let mut coin = Coin::new(seed);
        let mood = Mood {
            slice: 1 << coin.below(6),
            split: 2 << coin.below(7),
            park: 1 + coin.below(8),
            older: [1, 4, 7][coin.below(3) as usize],
            backwards: coin.one_in(3),
        };
        Adversarial { seed: coin.next(), coin, mood, block: 0, others: 0, warp: 0, parked: Vec::new(), turns: 0, hold }
    }

    /// One of `count`: the last one mostly, where this run goes backwards.
    fn pick(&mut self, count: usize) -> usize {
        if self.mood.backwards && !self.coin.one_in(4) {
            return count - 1;
        }
        self.coin.one_of(count)
    }

    fn is_about_to_hold(&self) -> bool {
        self.others > 0 && self.hold.as_ref().is_some_and(|hold| hold.block.is_none())
    }

    /// Passes over the block that is held back, unless it is alone.
    fn block(&mut self, resident: &[u64]) -> usize {
        let mut nth = self.pick(resident.len());
        self.others = resident.len() - 1;
        let held = self.hold.as_ref().and_then(|hold| hold.block);
        if held == Some(resident[nth]) && self.others > 0 {
            nth = (nth + 1 + self.coin.one_of(self.others)) % resident.len();
        }
        self.block = resident[nth];
        nth
    }

    /// The block that runs has written, or comes to a barrier.
    fn may_hold(&mut self) {
        if self.is_about_to_hold()
            && let Some(hold) = &mut self.hold
        {
            hold.events -= 1;
            hold.block = (hold.events == 0).then_some(self.block);
        }
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
    fn traits(&self) -> ScheduleTraits {
        ScheduleTraits { is_adverse: true, ..ScheduleTraits::default() }
    }

    fn residents(&mut self, most: u64) -> u64 {
        most.min(RESIDENTS)
    }

    fn begins(&self, nth: u64, of: u64) -> u64 {
        shuffled(self.seed, nth, of)
    }

    fn choose(&mut self, question: ChoicePoint) -> usize {
        match question {
            ChoicePoint::Block(resident) => self.block(resident),
            ChoicePoint::Warp { ready, .. } => self.warp(ready),
            ChoicePoint::Grid(_) | ChoicePoint::Group { .. } => self.coin.one_of(question.answers()),
            ChoicePoint::Copy(under_way) => self.coin.some_one(under_way),
            ChoicePoint::Back(most) => self.older(8, most),
            ChoicePoint::Behind(places) => self.older(16, places),
        }
    }

    fn slice(&mut self, of: TurnOf) -> u64 {
        match of {
            // Nothing comes between a write and being held back for it.
            TurnOf::Block if self.is_about_to_hold() => 1,
            TurnOf::Block => 1 << self.coin.below(8),
            TurnOf::Group => 1 + self.coin.below(self.mood.slice),
        }
    }

    fn decide(&mut self, question: BinaryChoice) -> bool {
        match question {
            BinaryChoice::Begins | BinaryChoice::Converges => self.coin.one_in(2),
            BinaryChoice::Wrote | BinaryChoice::HoldsBack => {
                self.may_hold();
                self.park()
            }
        }
    }

    fn parts(&mut self, mask: Mask, _: PartsAt) -> Mask {
        if self.coin.one_in(self.mood.split) { self.coin.some_of(mask) } else { 0 }
    }

    fn observe(&mut self, event: Event) {
        let (Event::Ran(instructions), Some(hold)) = (event, &mut self.hold) else { return };
        if hold.block.is_some() {
            hold.lasts = hold.lasts.saturating_sub(instructions);
        }
        if hold.lasts == 0 {
            self.hold = None;
        }
    }
}
