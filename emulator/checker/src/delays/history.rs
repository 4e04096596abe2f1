//! The writes of a location that a load may still read, and the positions in the coherence order that a store may take.
//! The rules are in the PTX ISA, "Memory Consistency Model": causality order, coherence order, and the axioms
//! Coherence, Atomicity and Causality.
//!
//! A location's writes are kept in coherence order. A load may read any write that is not hidden from it. A write is
//! hidden if a later one, or a load that read a later one, happens before the load. A store comes after every write
//! that happens before it, or that a load before it has read. As a rule it comes last, or else before some that ran
//! earlier. It never comes between a read-modify-write and the write that it read. For read-modify-writes see
//! [`crate::delays::updates`].
//!
//! Happens-before is given by the same views as for races, and in addition by the order of `fence.sc`
//! ([`FencesSc`](crate::order::fences::FencesSc)). The ISA makes that order part of causality order. Here it limits
//! values and does not silence a race: it may differ from run to run, and a verdict on two accesses must not.
//!
//! Imprecision errs towards newer values. Weak loads keep to coherence too, which the ISA requires of morally strong
//! ones only. A load gets the latest write where accesses of different sizes overlap, and in locations beyond the first
//! 2^16. It also gets the latest for 16-byte accesses, and more than seven writes back. Everything before a launch
//! happens before each of its threads, except for the launches that it overlaps with (see [`crate::delays::overlap`]).
//!
//! One location gets an older value, or a store that is not the latest, at most [`PATIENCE`] times in a row, so that
//! every write is seen in the end.

use crate::delays::followers::Followers;
use crate::delays::overlap::{EarlierAccesses, EarlierWrite, EarlierWrites};
use crate::order::clock::View;
use crate::order::launches::Past;
use crate::order::release::{Reach, ReleasedView, SyncVar};
use crate::sites::touched::Clock;
use machine::memory::history::{DEPTH, MOST_PLACES};
use machine::registers::{Mask, lanes};
use rustc_hash::FxHashMap;
use std::cell::Cell;
use std::collections::VecDeque;

const PATIENCE: u32 = 256;

/// The strength of an access, which determines the accesses that it is morally strong with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strength {
    Weak,
    /// Strong, of its block's scope.
    Narrow,
    /// Strong, of device scope or wider.
    Wide,
}

/// An access of one thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DelayStep {
    pub block: u64,
    pub warp: u32,
    pub lane: u32,
    pub clock: Clock,
    pub strength: Strength,
}

impl DelayStep {
    /// True if the two are morally strong, given that they are of the same size and location.
    fn meets(self, other: DelayStep) -> bool {
        let strong = self.strength != Strength::Weak && other.strength != Strength::Weak;
        strong && (self.block == other.block || self.strength == Strength::Wide && other.strength == Strength::Wide)
    }

    /// True if it happens before the next step of `thread`, whose view is `view`.
    fn happens_before(self, thread: DelayStep, view: &View) -> bool {
        (self.block, self.warp, self.lane) == (thread.block, thread.warp, thread.lane)
            || view.clock_with_fences(self.block, self.warp, self.lane as usize) >= self.clock
    }
}

/// One write, or the value before the first.
#[derive(Debug, Default)]
struct DelayedWrite {
    by: Option<DelayStep>,
    /// The releases of the location after this write.
    released: SyncVar,
    /// Undefined bits of its value.
    undefined: u64,
    /// True for a read-modify-write, which has read the write before it.
    updates: bool,
    /// The time of the write, as counted by [`Followers`].
    since: u64,
    readers: Vec<ReadingLanes>,
    /// The launches that have accessed it, if it is the write of an earlier launch.
    earlier: Option<EarlierAccesses>,
}

/// Lanes of a warp that have made the same read of a write for the first time.
#[derive(Debug)]
struct ReadingLanes {
    /// The read by one of these lanes.
    by: DelayStep,
    lanes: Mask,
    since: u64,
}

impl DelayedWrite {
    /// True if the write, or a read of it, happens before the next step of `thread`: older writes are hidden from it.
    fn is_hiding(&self, thread: DelayStep, view: &View) -> bool {
        self.by.is_some_and(|by| by.happens_before(thread, view))
            || self.earlier.as_ref().is_some_and(|earlier| earlier.is_before(view))
            || self.readers.iter().any(|reader| {
                lanes(reader.lanes)
                    .any(|lane| DelayStep { lane: lane as u32, ..reader.by }.happens_before(thread, view))
            })
    }
}

#[derive(Debug, Default)]
struct Writes {
    /// In coherence order; the last one is in memory.
    writes: VecDeque<DelayedWrite>,
    /// The number of consecutive loads that got an older value, and stores that took an earlier position.
    missed: Cell<u32>,
}

impl Writes {
    /// True if `thread`'s update may be inserted between the update at `at` and the write that this one read. Two
    /// conditions:
    ///
    /// - What a release hands on through the two must reach as far through the new one, and no farther.
    /// - All that has observed the update at `at` would be ordered after the new one. Such accesses were judged without
    ///   it, so all of them must be morally strong with it.
    ///
    /// Consecutive updates of one warp count as one in [`crate::fast::write_chain`], and stay together.
    fn takes_between(&self, at: usize, thread: DelayStep) -> bool {
        let (before, next) = (&self.writes[at - 1], &self.writes[at]);
        let Some(by) = next.by.filter(|by| next.updates && by.meets(thread)) else { return false };
        let hands_on = before.by.is_none_or(|before| before.meets(by) == before.meets(thread));
        let meets = |write: &DelayedWrite| {
            write.by.is_some_and(|by| by.meets(thread)) && write.readers.iter().all(|reader| reader.by.meets(thread))
        };
        let warp = |write: &DelayedWrite| write.by.map(|by| (by.block, by.warp, by.clock));
        let mut pairs = self.writes.range(at..).zip(self.writes.range(at + 1..));
        hands_on && self.writes.range(at..).all(meets) && !pairs.any(|(a, b)| b.updates && warp(a) == warp(b))
    }

    /// Returns true if `release`, between the update at `at` and the write before it, can reach no thread any more.
    /// That is known if all threads that have observed the updates from there on are of device scope or wider, have
    /// ended, and have used nothing that they acquired by them. A reader of narrower scope counts as one that it may
    /// reach.
    fn is_done_from(&self, at: usize, (followers, release): (&Followers, Reach)) -> bool {
        let mut updates = self.writes.range(at..).take_while(|write| write.updates);
        let is_done = |by: DelayStep, lanes, since| {
            by.strength == Strength::Wide && followers.are_done(by.block, by.warp, lanes, since, release)
        };
        updates.all(|write| {
            write.by.is_none_or(|by| is_done(by, 1 << by.lane, write.since))
                && write.readers.iter().all(|reader| is_done(reader.by, reader.lanes, reader.since))
        })
    }
}

/// The writes of one block's shared memory, or of global memory, in one launch.
#[derive(Debug, Default)]
pub struct Histories {
    places: FxHashMap<u64, Writes>,
    /// The size of the accesses in each aligned eight bytes; 0 if sizes differ.
    sizes: FxHashMap<u64, u32>,
}

impl Histories {
    /// Records the size of an access. Returns false if sizes are mixed: such a location gives no older values, and its
    /// history is dropped.
    fn note_size(&mut self, address: u64, bytes: u32, writes: bool) -> bool {
        let is_full = self.sizes.len() >= MOST_PLACES;
        let mut fits = true;
        for eight in address / 8..=(address + u64::from(bytes) - 1) / 8 {
            let size = match self.sizes.get_mut(&eight) {
                Some(size) => size,
                None if writes && !is_full => self.sizes.entry(eight).or_insert(bytes),
                None => {
                    fits = false;
                    continue;
                }
            };
            if *size != bytes || bytes > 8 {
                *size = 0;
                (0..8).for_each(|byte| drop(self.places.remove(&(8 * eight + byte))));
                fits = false;
            }
        }
        fits
    }

    /// Records a write, which is the latest; `undefined` are the undefined bits of the value that it has overwritten.
    pub fn wrote(
        &mut self,
        address: u64,
        bytes: u32,
        (by, since): (DelayStep, u64),
        released: SyncVar,
        undefined: u64,
        updates: bool,
    ) {
        if !self.note_size(address, bytes, true) {
            return;
        }
        let place = self.places.entry(address).or_default();
        if place.writes.is_empty() {
            place.writes.push_back(DelayedWrite::default());
        }
        place.writes.back_mut().expect("just made").undefined = undefined;
        if place.writes.len() > DEPTH {
            place.writes.pop_front();
        }
        place.writes.push_back(DelayedWrite { by: Some(by), since, released, updates, ..DelayedWrite::default() });
        place.missed.set(0);
    }

    /// Records a store before the last `back` writes; `undefined` are the undefined bits of its own value.
    pub fn wrote_behind(&mut self, address: u64, back: u32, by: (DelayStep, u64), released: SyncVar, undefined: u64) {
        let (by, since) = by;
        self.put(address, back, DelayedWrite { by: Some(by), since, released, undefined, ..DelayedWrite::default() });
    }

    /// Records an update before the last `back` writes. It hands on the release that it has observed, and the updates
    /// after it hand on what it has `released` itself. Returns true if they are updates up to the latest write.
    pub fn updated_behind(
        &mut self,
        (address, bytes): (u64, u32),
        back: u32,
        (by, since): (DelayStep, u64),
        reach: Reach,
        released: &[ReleasedView],
    ) -> bool {
        let mut found = self.older(address, back).map(|(found, _)| found.clone()).unwrap_or_default();
        found.update(reach, bytes, released);
        self.put(
            address,
            back,
            DelayedWrite { by: Some(by), since, released: found, updates: true, ..DelayedWrite::default() },
        );
        let Some(place) = self.places.get_mut(&address) else { return false };
        let later = place.writes.len().saturating_sub(back as usize);
        let updates = place.writes.range_mut(later..).take_while(|write| write.updates);
        updates.map(|write| write.released.hand_on(bytes, released)).count() == back as usize
    }

    fn put(&mut self, address: u64, back: u32, write: DelayedWrite) {
        let Some(place) = self.places.get_mut(&address) else { return };
        let Some(at) = place.writes.len().checked_sub(back as usize) else { return };
        place.writes.insert(at, write);
        if place.writes.len() > DEPTH + 1 {
            place.writes.pop_front();
        }
        place.missed.set(place.missed.get() + 1);
    }

    /// Returns the numbers of last writes before which a store of `thread` may take its position: bit `n` stands for
    /// `n`, from 1 on.
    pub fn behind(&self, address: u64, bytes: u32, thread: DelayStep, view: &View) -> u8 {
        let most = self.furthest_back(address, bytes, thread, view) as usize;
        let Some(place) = self.places.get(&address).filter(|_| most != 0) else { return 0 };
        let next = |back: &usize| &place.writes[place.writes.len() - back];
        (1..=most).filter(|back| !next(back).updates).map(|back| 1 << back).sum()
    }

    /// Returns, as [`Histories::behind`], the positions for an update of `thread` that leaves the value as it is and
    /// has another update after it. That one has now read from it. If it releases something, `followers` determine if
    /// that can still have an effect.
    pub fn between(
        &self,
        address: u64,
        bytes: u32,
        (thread, view): (DelayStep, &View),
        followers: Option<(&Followers, Reach)>,
    ) -> u8 {
        let most = self.furthest_back(address, bytes, thread, view) as usize;
        let Some(place) = self.places.get(&address).filter(|_| most != 0) else { return 0 };
        let fits = |back: &usize| {
            let at = place.writes.len() - back;
            place.takes_between(at, thread) && followers.is_none_or(|followers| place.is_done_from(at, followers))
        };
        (1..=most).filter(fits).map(|back| 1 << back).sum()
    }

    /// Returns how many writes before the latest a load of `thread` may look back.
    pub fn furthest_back(&self, address: u64, bytes: u32, thread: DelayStep, view: &View) -> u32 {
        let Some(place) = self.places.get(&address).filter(|_| self.sizes.get(&(address / 8)) == Some(&bytes)) else {
            return 0;
        };
        if place.missed.get() >= PATIENCE {
            return 0;
        }
        let hidden = place.writes.iter().rev().position(|write| write.is_hiding(thread, view));
        hidden.unwrap_or(place.writes.len() - 1) as u32
    }

    /// Records that `thread` reads the write `back` before the latest.
    pub fn reads(&mut self, address: u64, bytes: u32, back: u32, (thread, since): (DelayStep, u64)) {
        if !self.note_size(address, bytes, false) {
            return;
        }
        let Some(place) = self.places.get_mut(&address) else { return };
        place.missed.set(if back == 0 { 0 } else { place.missed.get() + 1 });
        let Some(at) = place.writes.len().checked_sub(1 + back as usize) else { return };
        let readers = &mut place.writes[at].readers;
        let is_alike = |by: DelayStep| DelayStep { lane: thread.lane, clock: thread.clock, ..by } == thread;
        // The first time gives the strictest limit.
        if readers.iter().any(|reader| reader.lanes >> thread.lane & 1 != 0 && is_alike(reader.by)) {
            return;
        }
        match readers.iter_mut().find(|reader| reader.since == since && is_alike(reader.by)) {
            Some(reader) => reader.lanes |= 1 << thread.lane,
            None => readers.push(ReadingLanes { by: thread, lanes: 1 << thread.lane, since }),
        }
    }

    /// Returns the release of the write `back` before the latest, and the undefined bits of its value.
    pub fn older(&self, address: u64, back: u32) -> Option<(&SyncVar, u64)> {
        let writes = &self.places.get(&address)?.writes;
        let write = writes.get(writes.len().checked_sub(1 + back as usize)?)?;
        Some((&write.released, write.undefined))
    }

    /// Removes the writes to these bytes, which are new memory.
    pub fn forget(&mut self, address: u64, bytes: u64) {
        for eight in address / 8..(address + bytes).div_ceil(8) {
            self.sizes.remove(&eight);
            (8 * eight..8 * eight + 8).for_each(|byte| drop(self.places.remove(&byte)));
        }
    }

    pub fn clear(&mut self) {
        self.places.clear();
        self.sizes.clear();
    }

    /// Returns the writes of these histories as those of `launch`, which is over, for one that may overlap with it.
    pub fn into_earlier(self, launch: u32) -> EarlierWrites {
        let mut writes = Vec::new();
        for (&address, place) in &self.places {
            writes.extend(place.writes.iter().map(|write| {
                let now = (write.by.is_some() || !write.readers.is_empty()).then_some((launch, launch));
                let earlier = write.earlier.as_ref().map(|earlier| earlier.launches);
                let launches = earlier.map_or(now, |(first, last)| Some((first, now.map_or(last, |now| now.1))));
                EarlierWrite { address, undefined: write.undefined, updates: write.updates, launches }
            }));
        }
        EarlierWrites { writes, sizes: self.sizes }
    }

    /// Returns the histories of the current launch, which may overlap with those of `earlier`.
    pub fn after(earlier: EarlierWrites, past: &Past) -> Histories {
        let mut histories = Histories { sizes: earlier.sizes, ..Histories::default() };
        for EarlierWrite { address, undefined, updates, launches } in earlier.writes {
            let earlier = launches.map(|launches| EarlierAccesses::new(launches, past));
            let write = DelayedWrite { undefined, updates, earlier, ..DelayedWrite::default() };
            histories.places.entry(address).or_default().writes.push_back(write);
        }
        histories
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn step(warp: u32, clock: Clock) -> DelayStep {
        DelayStep { block: 0, warp, lane: 0, clock, strength: Strength::Wide }
    }

    fn knowing(of: &[DelayStep]) -> View {
        let mut view = View::default();
        of.iter().for_each(|step| view.raise(step.block, step.warp, 1 << step.lane, step.clock));
        view
    }

    #[test]
    fn a_write_in_the_past_hides_what_came_before_it() {
        let mut histories = Histories::default();
        histories.wrote(64, 4, (step(0, 1), 0), SyncVar::default(), 0, false);
        histories.wrote(64, 4, (step(0, 2), 0), SyncVar::default(), 0, false);
        let most = |histories: &Histories, view: &View| histories.furthest_back(64, 4, step(1, 1), view);
        assert_eq!(most(&histories, &View::default()), 2);
        assert_eq!(most(&histories, &knowing(&[step(0, 1)])), 1);
        assert_eq!(most(&histories, &knowing(&[step(0, 2)])), 0);
        // The writer itself, and a size that no write had.
        assert_eq!(histories.furthest_back(64, 4, step(0, 2), &View::default()), 0);
        assert_eq!(histories.furthest_back(64, 2, step(1, 1), &View::default()), 0);
    }

    #[test]
    fn a_read_in_the_past_hides_what_came_before_what_it_read() {
        let mut histories = Histories::default();
        histories.wrote(64, 4, (step(0, 1), 0), SyncVar::default(), 0, false);
        histories.reads(64, 4, 0, (step(2, 5), 0));
        histories.wrote(64, 4, (step(0, 1), 0), SyncVar::default(), 0, false);
        assert_eq!(histories.furthest_back(64, 4, step(2, 6), &View::default()), 1);
        assert_eq!(histories.furthest_back(64, 4, step(1, 1), &knowing(&[step(2, 5)])), 1);
        assert_eq!(histories.furthest_back(64, 4, step(1, 1), &knowing(&[step(2, 4)])), 2);
    }

    #[test]
    fn a_store_comes_in_behind_what_its_thread_does_not_know() {
        let mut histories = Histories::default();
        let behind = |histories: &Histories, view: &View| histories.behind(64, 4, step(3, 1), view);
        assert_eq!(behind(&histories, &View::default()), 0);
        histories.wrote(64, 4, (step(0, 1), 0), SyncVar::default(), 0, false);
        histories.wrote(64, 4, (step(1, 1), 0), SyncVar::default(), 0, true);
        histories.wrote(64, 4, (step(2, 1), 0), SyncVar::default(), 0, false);
        // Not between the second, a read-modify-write, and the first.
        assert_eq!(behind(&histories, &View::default()), 0b1010);
        assert_eq!(behind(&histories, &knowing(&[step(0, 1)])), 0b0010);
        histories.reads(64, 4, 0, (step(4, 1), 0));
        assert_eq!(behind(&histories, &knowing(&[step(4, 1)])), 0);
        histories.wrote_behind(64, 1, (step(3, 1), 0), SyncVar::default(), 5);
        assert_eq!(histories.older(64, 1).map(|older| older.1), Some(5));
        // Its own thread reads it or a later one, and stores before neither.
        assert_eq!(histories.furthest_back(64, 4, step(3, 1), &View::default()), 1);
        assert_eq!(behind(&histories, &View::default()), 0b0010);
        (0..PATIENCE).for_each(|_| histories.wrote_behind(64, 1, (step(3, 1), 0), SyncVar::default(), 0));
        assert_eq!(behind(&histories, &View::default()), 0);
    }

    #[test]
    fn between_updates_fits_what_hands_on_what_they_do() {
        let narrow = |warp| DelayStep { strength: Strength::Narrow, ..step(warp, 1) };
        let elsewhere = |step: DelayStep| DelayStep { block: 1, ..step };
        let between = |histories: &Histories, by: DelayStep| histories.between(64, 4, (by, &View::default()), None);
        let wrote = |histories: &mut Histories, by: DelayStep, updates: bool| {
            histories.wrote(64, 4, (by, 0), SyncVar::default(), 0, updates);
        };
        let mut histories = Histories::default();
        wrote(&mut histories, step(0, 1), false);
        wrote(&mut histories, step(1, 1), true);
        wrote(&mut histories, step(2, 1), true);
        // It is not needed before a store: the update after that has read the store.
        assert_eq!(between(&histories, step(3, 1)), 0b0110);
        assert_eq!((between(&histories, narrow(3)), between(&histories, elsewhere(narrow(3)))), (0b0110, 0));
        assert_eq!(between(&histories, step(1, 1)), 0b0010);
        // From another block no scope meets the narrow one.
        wrote(&mut histories, narrow(4), true);
        assert_eq!((between(&histories, step(3, 1)), between(&histories, elsewhere(step(3, 1)))), (0b1110, 0));
        // One warp's updates count as one, and there is no position before a write that is read weakly.
        wrote(&mut histories, narrow(4), true);
        assert_eq!(between(&histories, step(3, 1)), 0b0010);
        histories.reads(64, 4, 0, (DelayStep { strength: Strength::Weak, ..step(5, 1) }, 0));
        assert_eq!(between(&histories, step(3, 1)), 0);
    }

    #[test]
    fn where_sizes_mix_only_the_latest_is_left() {
        let mut histories = Histories::default();
        histories.wrote(64, 4, (step(0, 1), 0), SyncVar::default(), 0, false);
        histories.wrote(68, 2, (step(0, 1), 0), SyncVar::default(), 0, false);
        assert_eq!(histories.furthest_back(64, 4, step(1, 1), &View::default()), 0);
        histories.wrote(64, 4, (step(0, 1), 0), SyncVar::default(), 0, false);
        assert_eq!(histories.furthest_back(64, 4, step(1, 1), &View::default()), 0);
    }

    #[test]
    fn new_memory_has_no_older_values() {
        let mut histories = Histories::default();
        histories.wrote(64, 4, (step(0, 1), 0), SyncVar::default(), 0, false);
        histories.wrote(72, 8, (step(0, 1), 0), SyncVar::default(), 0, false);
        histories.forget(60, 8);
        let most = |address, bytes| histories.furthest_back(address, bytes, step(1, 1), &View::default());
        assert_eq!((most(64, 4), most(72, 8)), (0, 1));
    }

    #[test]
    fn what_is_missed_again_and_again_is_seen_in_the_end() {
        let mut histories = Histories::default();
        histories.wrote(64, 4, (step(0, 1), 0), SyncVar::default(), 0, false);
        (0..PATIENCE).for_each(|_| histories.reads(64, 4, 1, (step(1, 1), 0)));
        assert_eq!(histories.furthest_back(64, 4, step(1, 1), &View::default()), 0);
    }
}
