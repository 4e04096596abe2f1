//! The origins of undefined bits.
//!
//! Bits are undefined because nothing has written them, or because a shuffle took them from a lane that was absent. An
//! absent lane has exited, is not in the mask, or has no thread (PTX ISA, "shfl.sync"). The shadows keep only the bits.
//! Here a number is kept in addition, for registers and memory. With it a report can show the load of the unwritten
//! value, or the shuffle. A register that was never written has no number. A number counts only while its bits are
//! undefined, so it need not be removed when they are defined again. If both kinds meet in one value, the absent lane
//! is named.

use crate::evidence::partings::WentAway;
use crate::sites::LaunchPlace;
use finding::{AbsentLane, Gone, MemoryAccess, MemoryPlace, ThreadName};
use machine::registers::{Mask, Reg, Registers, WARP, Width, lanes};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::collections::hash_map::Entry;

/// The number of an origin in [`Origins`]; 0: a register never written. The least of several is the most useful in a
/// report.
pub type OriginId = u32;

/// Set in the numbers of loads.
const LOADED: OriginId = 1 << 31;

/// The value that an omitted access should have provided: nothing that depends on it alone is reported. It is the
/// greatest number, since any other origin is more useful.
pub const LEFT_OUT: OriginId = OriginId::MAX;

/// A shuffle that took the value of a lane that was not there.
#[derive(Clone, Copy, Debug)]
pub struct AbsentRead {
    pub launch_place: LaunchPlace,
    pub taker: ThreadName,
    pub from: u32,
    pub absent: AbsentLane,
    /// The reason for the lane's absence, if it is a lane.
    pub away: Option<WentAway>,
    /// The site of the `activemask` that gave its mask, if one did.
    pub asked: Option<u32>,
    /// True if the lane reaches the same instruction with others.
    pub comes: bool,
}

/// A load of a value that nothing had written.
#[derive(Clone, Debug)]
pub struct UnwrittenLoad {
    pub launch_place: LaunchPlace,
    pub loader: ThreadName,
    pub memory: MemoryAccess,
    pub place: MemoryPlace,
    /// The threads of the block that had ended before, if they matter.
    pub gone: Option<Gone>,
}

/// An absence, and the store that put its value into memory.
#[derive(Clone, Copy, Debug)]
pub struct AbsenceTrace {
    pub absence: AbsentRead,
    pub stored: Option<(LaunchPlace, ThreadName)>,
}

/// The number of absences up to which these are distinguished by thread.
const MOST: usize = 1 << 16;

/// The number of absences for which it is recorded if the absent lane comes later after all.
const MOST_MISSED: usize = 64;

/// The number of loads of unwritten memory up to which these are distinguished by thread.
const MOST_LOADS: usize = 1 << 10;

/// The greatest number of words of memory whose loads are kept.
const MOST_WORDS: usize = 1 << 16;

/// The origins by number.
#[derive(Debug, Default)]
pub struct Origins {
    traces: Vec<AbsenceTrace>,
    absences: FxHashMap<(LaunchPlace, [u32; 3], u32, u32), OriginId>,
    /// One of each place, for when there are too many.
    places: FxHashMap<LaunchPlace, OriginId>,
    stores: FxHashMap<(OriginId, LaunchPlace), OriginId>,
    unwritten: Vec<UnwrittenLoad>,
    loads: FxHashMap<(LaunchPlace, [u32; 3], u32), OriginId>,
    /// One of each place, for when there are too many.
    loading: FxHashMap<LaunchPlace, OriginId>,
    /// True if a write of this launch was omitted: unwritten values may result from that.
    pub(super) has_lost: bool,
    /// True if work that might have written any memory was not run.
    pub(super) misses_work: bool,
}

impl Origins {
    /// True if no absent lane was recorded.
    pub fn is_empty(&self) -> bool {
        self.traces.is_empty()
    }

    fn push(&mut self, trace: AbsenceTrace) -> OriginId {
        self.traces.push(trace);
        self.traces.len() as OriginId
    }

    pub fn absent(&mut self, absence: AbsentRead) -> OriginId {
        let AbsentRead { launch_place, taker, from, .. } = absence;
        let key = (launch_place, taker.block, taker.linear, from);
        if let Some(&known) = self.absences.get(&key) {
            return known;
        }
        if let (true, Some(&known)) = (self.traces.len() >= MOST, self.places.get(&launch_place)) {
            return known;
        }
        let new = self.push(AbsenceTrace { absence, stored: None });
        self.absences.insert(key, new);
        self.places.entry(launch_place).or_insert(new);
        new
    }

    /// Records that the lanes `met` have reached a shuffle. Any of them that was absent when another lane read it there
    /// came too late, which its absence now records.
    pub fn come(&mut self, launch_place: LaunchPlace, block: [u32; 3], warp: u32, met: Mask) {
        let is_it = |it: &&mut AbsenceTrace| {
            let AbsentRead { taker, from, .. } = it.absence;
            it.absence.launch_place == launch_place
                && (taker.block, taker.linear / 32) == (block, warp)
                && met >> from & 1 != 0
        };
        self.traces.iter_mut().take(MOST_MISSED).filter(is_it).for_each(|it| it.absence.comes = true);
    }

    /// Returns the number of `origin` after a store.
    pub fn stored(&mut self, origin: OriginId, launch_place: LaunchPlace, thread: ThreadName) -> OriginId {
        let Some(trace) = self.trace(origin) else { return origin };
        if let Some(&known) = self.stores.get(&(origin, launch_place)) {
            return known;
        }
        if self.traces.len() >= MOST {
            return origin;
        }
        let new = self.push(AbsenceTrace { stored: Some((launch_place, thread)), ..trace });
        self.stores.insert((origin, launch_place), new);
        new
    }

    /// Returns the number of a load by `loader` of a value that nothing has written; `load` returns its details.
    pub fn load(
        &mut self,
        launch_place: LaunchPlace,
        loader: ThreadName,
        load: impl FnOnce() -> UnwrittenLoad,
    ) -> OriginId {
        if self.has_lost || self.misses_work {
            return LEFT_OUT;
        }
        self.found(launch_place, loader, load)
    }

    /// As `load`, even if a store may have been omitted: what depends on it is reported anyway.
    pub fn found(
        &mut self,
        launch_place: LaunchPlace,
        loader: ThreadName,
        load: impl FnOnce() -> UnwrittenLoad,
    ) -> OriginId {
        let key = (launch_place, loader.block, loader.linear);
        if let Some(&known) = self.loads.get(&key) {
            return known;
        }
        if let (true, Some(&known)) = (self.unwritten.len() >= MOST_LOADS, self.loading.get(&launch_place)) {
            return known;
        }
        let new = self.unwritten.len() as OriginId | LOADED;
        self.unwritten.push(load());
        self.loads.insert(key, new);
        self.loading.entry(launch_place).or_insert(new);
        new
    }

    pub fn unwritten(&self, origin: OriginId) -> Option<&UnwrittenLoad> {
        self.unwritten.get(origin.checked_sub(LOADED)? as usize)
    }

    pub fn trace(&self, origin: OriginId) -> Option<AbsenceTrace> {
        self.traces.get((origin as usize).checked_sub(1)?).copied()
    }
}

/// Origins of the values in a warp's registers, by register and lane.
#[derive(Debug, Default)]
pub struct RegisterOrigins {
    known: FxHashMap<usize, [OriginId; WARP]>,
}

/// Predicates are numbered separately from slots.
const PREDICATES: usize = 1 << (usize::BITS - 1);

/// Returns a number for each register of a warp's window.
pub fn place(regs: &Registers, reg: Reg) -> usize {
    match reg.width {
        Width::Pred => PREDICATES + regs.pred_base + reg.index as usize,
        _ => regs.base + reg.index as usize,
    }
}

/// Returns the numbers of a frame's registers, with so many slots and predicates.
pub fn frame(regs: &Registers, slots: usize, preds: usize) -> impl Iterator<Item = usize> + Clone {
    let first_pred = PREDICATES + regs.pred_base;
    (regs.base..regs.base + slots).chain(first_pred..first_pred + preds)
}

/// Returns the origin to report among several.
pub fn telling(origins: impl Iterator<Item = OriginId>) -> OriginId {
    origins.filter(|&origin| origin != 0).min().unwrap_or(0)
}

impl RegisterOrigins {
    pub fn clear(&mut self) {
        self.known.clear();
    }

    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    pub fn get(&self, regs: &Registers, reg: Reg, lane: usize) -> OriginId {
        if self.is_empty() || !reg.is_some() {
            return 0;
        }
        self.known.get(&place(regs, reg)).map_or(0, |lanes| lanes[lane])
    }

    pub fn set(&mut self, regs: &Registers, reg: Reg, lane: usize, origin: OriginId) {
        if origin != 0 && reg.is_some() {
            self.known.entry(place(regs, reg)).or_insert([0; WARP])[lane] = origin;
        } else if !self.is_empty() {
            self.drop(place(regs, reg), 1 << lane);
        }
    }

    /// Returns the origin of undefined sources: an absent lane before a load.
    pub fn first(&self, regs: &Registers, sources: &[Reg], undefined: &[u64], lane: usize) -> OriginId {
        if self.is_empty() {
            return 0;
        }
        let guilty = sources.iter().zip(undefined).filter(|(_, bits)| **bits != 0);
        telling(guilty.map(|(&reg, _)| self.get(regs, reg, lane)))
    }

    /// Records that a frame's registers are new for these lanes. Each is looked up, since in a deep recursion there are
    /// many more entries than a frame has.
    pub fn forget(&mut self, mask: Mask, frame: impl Iterator<Item = usize>) {
        frame.for_each(|place| self.drop(place, mask));
    }

    fn drop(&mut self, place: usize, mask: Mask) {
        if let Entry::Occupied(mut known) = self.known.entry(place) {
            lanes(mask).for_each(|lane| known.get_mut()[lane] = 0);
            if *known.get() == [0; WARP] {
                known.remove();
            }
        }
    }

    /// Records that `to` is undefined in these lanes because `from` is.
    pub fn spread(&mut self, regs: &Registers, from: Reg, to: Reg, mask: Mask) {
        if !self.is_empty() {
            lanes(mask).for_each(|lane| self.set(regs, to, lane, self.get(regs, from, lane)));
        }
    }
}

/// Origins of bytes in memory: for each word a mask of bytes, and the origin of the last of them.
#[derive(Debug, Default)]
pub struct MemoryOrigins {
    words: BTreeMap<u64, (u8, OriginId)>,
}

/// Returns the bytes of a word that lie in a range.
fn inside(word: u64, address: u64, bytes: u64) -> u8 {
    let range = address..address.saturating_add(bytes);
    (0..4).filter(|byte| range.contains(&(word + byte))).fold(0, |mask, byte| mask | 1 << byte)
}

/// Returns the words of a range, each with a mask of the bytes that lie in it.
fn words(address: u64, bytes: u64) -> impl Iterator<Item = (u64, u8)> {
    (address & !3..address + bytes).step_by(4).map(move |word| (word, inside(word, address, bytes)))
}

impl MemoryOrigins {
    pub fn clear(&mut self) {
        if !self.is_empty() {
            self.words.clear();
        }
    }

    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    pub fn set(&mut self, address: u64, bytes: u64, origin: OriginId) {
        let is_too_many = origin & LOADED != 0 && origin != LEFT_OUT && self.words.len() >= MOST_WORDS;
        if origin == 0 || is_too_many {
            return self.forget(address, bytes);
        }
        for (word, mask) in words(address, bytes) {
            let known = self.words.entry(word).or_insert((0, origin));
            *known = (known.0 | mask, origin);
        }
    }

    pub fn forget(&mut self, address: u64, bytes: u64) {
        let known: Vec<u64> = self.range(address, bytes).map(|(&word, _)| word).collect();
        for word in known {
            let entry = self.words.get_mut(&word).expect("just found");
            entry.0 &= !inside(word, address, bytes);
            if entry.0 == 0 {
                self.words.remove(&word);
            }
        }
    }

    /// Returns the words that a range touches.
    fn range(&self, address: u64, bytes: u64) -> std::collections::btree_map::Range<'_, u64, (u8, OriginId)> {
        self.words.range(address & !3..address.saturating_add(bytes))
    }

    /// Returns the origin of a few bytes: an absent lane before a load.
    pub fn get(&self, address: u64, bytes: u64) -> OriginId {
        telling(self.within(address, bytes).map(|(_, origin)| origin))
    }

    /// Returns all bytes of a range that have an origin, by address.
    pub fn within(&self, address: u64, bytes: u64) -> impl Iterator<Item = (u64, OriginId)> {
        self.range(address, bytes).flat_map(move |(&word, &(mask, origin))| {
            let mask = mask & inside(word, address, bytes);
            (0..4).filter(move |byte| mask >> byte & 1 != 0).map(move |byte| (word + byte, origin))
        })
    }

    pub fn copy(&mut self, to: u64, from: u64, bytes: u64) {
        if self.is_empty() {
            return;
        }
        let moved: Vec<_> = self.within(from, bytes).collect();
        self.forget(to, bytes);
        moved.into_iter().for_each(|(byte, origin)| self.set(to + (byte - from), 1, origin));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_of_a_word_are_told_apart() {
        let mut memory = MemoryOrigins::default();
        memory.set(6, 4, 7);
        assert_eq!((memory.get(4, 2), memory.get(7, 1), memory.get(8, 4), memory.get(10, 2)), (0, 7, 7, 0));
        memory.set(8, 1, 0);
        assert_eq!(memory.within(0, 100).collect::<Vec<_>>(), [(6, 7), (7, 7), (9, 7)]);
        memory.copy(101, 6, 4);
        assert_eq!(memory.within(100, 8).map(|(byte, _)| byte).collect::<Vec<_>>(), [101, 102, 104]);
    }

    #[test]
    fn a_register_and_a_predicate_of_one_number_are_two() {
        let (mut origins, mut regs) = (RegisterOrigins::default(), Registers::default());
        regs.base = 8;
        let (word, pred) = (Reg::new(3, Width::Word), Reg::new(3, Width::Pred));
        origins.set(&regs, word, 5, 9);
        assert_eq!((origins.get(&regs, word, 5), origins.get(&regs, pred, 5), origins.get(&regs, word, 6)), (9, 0, 0));
        origins.spread(&regs, word, pred, 1 << 5);
        origins.forget(!0, frame(&regs, 4, 0));
        assert_eq!((origins.get(&regs, word, 5), origins.get(&regs, pred, 5)), (0, 9));
    }
}
