//! Who set a word last that compare-and-swaps try: the holder of a lock.
//!
//! A try that fails, or that puts back what was there, sets nothing, yet it counts as an update where races are judged, so the
//! last recorded update of a lock is as a rule somebody's try. Kept for reports of threads that wait for ever; words beyond
//! what is kept have no holder here, so that it errs towards saying nothing.

use super::sync::{Place, Thread};
use crate::exec::Op;
use crate::exec::atomic::{Atomic, Operation};
use crate::machine::code::Code;
use crate::memory::space::Space;
use crate::registers::{Mask, Registers, lanes};
use crate::watch::Touch;
use rustc_hash::FxHashMap;

/// Words that are kept.
const MOST: usize = 4096;

/// By word of 4 bytes: who set it, and at which site.
#[derive(Default)]
pub struct Holders {
    words: FxHashMap<Place, (Thread, u32)>,
    /// Words were left out: nothing is known of those that are not kept.
    is_full: bool,
}

/// What is known of the last writer of a word that was last touched by a try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holder {
    Thread(Thread, u32),
    /// No thread of the launch has set it.
    Nobody,
    Unknown,
}

impl Holders {
    /// The lanes of `mask` write; `tries` says that it is an operation that locks are taken with.
    pub fn wrote(&mut self, touch: &Touch, mask: Mask, tries: bool, site: u32) {
        let (block, warp) = (touch.at.block, touch.at.warp);
        let tag = (touch.space == Space::Shared).then_some(block);
        for lane in lanes(mask) {
            let first = touch.addresses[lane] & !3;
            let end = touch.addresses[lane] + u64::from(touch.bytes * touch.elements);
            for word in (first..end).step_by(4) {
                let holder = ((block, warp, lane as u32), site);
                if let Some(known) = self.words.get_mut(&(tag, word)) {
                    *known = holder;
                } else if tries && self.words.len() < MOST {
                    self.words.insert((tag, word), holder);
                } else {
                    self.is_full |= tries;
                }
            }
        }
    }

    /// True before the first try.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    pub fn of(&self, (block, address): Place) -> Holder {
        match self.words.get(&(block, address & !3)) {
            Some(&(thread, site)) => Holder::Thread(thread, site),
            None if self.is_full => Holder::Unknown,
            None => Holder::Nobody,
        }
    }
}

/// True for an operation that may leave the word as it was: a compare-and-swap or an exchange.
pub fn tries(code: &Code, pc: u32) -> bool {
    let op = &code.instrs[pc as usize].op;
    matches!(op, Op::Atomic(it) if matches!(it.operation, Operation::CompareExchange | Operation::Exchange))
}

/// Lanes of `mask` whose exchange, or compare-and-swap that succeeds, puts another value in place of what is there; lanes
/// going one after the other.
pub fn changing(touch: &Touch, atomic: &Atomic, regs: &Registers, mask: Mask) -> Mask {
    let new = match atomic.operation {
        Operation::Exchange => atomic.src[0],
        Operation::CompareExchange => atomic.swap,
        _ => return mask,
    };
    let (Some(region), true) = (touch.region, touch.bytes <= 8) else { return mask };
    let kept = u64::MAX >> (64 - 8 * touch.bytes);
    let mut written: Vec<(u64, u64)> = Vec::new();
    let mut changed = 0;
    for lane in lanes(mask) {
        let (address, new) = (touch.addresses[lane], regs.get(new, lane) & kept);
        let old = written.iter().rev().find(|(known, _)| *known == address).map(|(_, value)| *value);
        if old.unwrap_or_else(|| region.load_sized(address, touch.bytes)) != new {
            changed |= 1 << lane;
        }
        written.push((address, new));
    }
    changed
}
