//! The coherence order of the recent strong writes of a word, and which accesses have observed each of them (PTX ISA,
//! "Memory Consistency Model": observation order, which causality order includes).
//!
//! Property: a read observes the write that it reads, and earlier ones only through updates, each of which reads the
//! write right before its own. So the writes that it observes are consecutive in coherence order.
//!
//! FastTrack needs only the last write of a location. Observation order needs more. A read observes the write that it
//! reads, and the writes before that one as far as updates (atomic read-modify-writes) hand them on. A later write does
//! not change this: what happens after the read also happens after all that it has observed. So a [`WriteChain`]
//! numbers the strong writes in coherence order and keeps the last [`RECENT`] strong writes and reads.
//!
//! # Example
//!
//! All accesses are strong, of device scope, and of the whole word.
//!
//! | access | `at` | `since` | entries added to `recent` |
//! |---|---|---|---|
//! | thread 1 stores A | 16 | 16 | A: number 16 |
//! | thread 2 reads A | 16 | 16 | none: reads come with the write that replaces the value |
//! | thread 3 updates A to B | 17 | 16 | the read: observes 16; B: number 17, observes 16 |
//! | thread 4 reads B | 17 | 16 | none |
//! | thread 5 stores C | 18 | 18 | the read: observes 16 and 17; C: number 18 |
//!
//! [`WriteChain::observers`] then gives threads 2, 3 and 4 for A, thread 4 for B, and none for C. While B was the
//! latest write, [`WriteChain::hands_on`] gave B for number 16: a read of B observes A too. The store C ends that.
//!
//! # Invariants
//!
//! - Numbers increase in coherence order. A write at an earlier position gets its number there, and the numbers of the
//!   later writes move up by one.
//! - An entry observes the numbers `since..=at`, or `since..at` if it is an update. A store observes nothing. The range
//!   may be empty.
//! - Consecutive updates of one warp by one instruction at one clock, with no read between them, share a number. Of
//!   these, the last lane has observed the others.
//! - During a run ([`WriteChain::runs_on`]) `recent` is empty, and all writes of the run have the number `at`.
//! - `latest` is `None` before the first strong write and after a weak write has replaced it ([`WriteChain::cut`]).
//!
//! # Imprecision
//!
//! A write that is no longer in `recent` has no number; [`crate::fast::observation`] says what holds for it. That
//! errs both ways. A read of a write in the midst of a warp's joined updates observes only what these hand on. This
//! errs towards a report.

use crate::sites::touched::{AccessInfo, Clock, RecordedAccess, RecordedKind};
use machine::registers::{Mask, lanes};
use std::collections::VecDeque;

/// The number of entries kept in [`WriteChain::recent`].
pub const RECENT: usize = 16;

/// The number of those entries that may be reads of one write.
const READS: usize = 6;

/// The first number of a write. Writes may precede the first numbered one, so it is more than the depth to which
/// schedules look back.
const FIRST: u32 = 16;

/// A strong access by lanes of one warp. Consecutive updates of one warp that are joined are one entry with one number:
/// the last lane has observed the others, and so has whatever observes the last.
#[derive(Clone, Copy, Debug)]
struct Recent {
    warp: u32,
    clock: Clock,
    info: AccessInfo,
    lanes: Mask,
    /// The lane that came last.
    last: u32,
    /// True for a compare-and-swap that fails. For races it counts as a write, for observation as a read.
    fails: bool,
    /// The number of this write, or of the write that this access reads.
    at: u32,
    /// The number of the oldest write that is observed along with `at`: updates hand on every write from there to `at`.
    since: u32,
}

impl Recent {
    fn is_same_step(&self, other: RecordedAccess) -> bool {
        (self.warp, self.clock, self.info) == (other.warp(), other.clock, other.info)
    }

    fn touched(&self, lane: u32) -> RecordedAccess {
        RecordedAccess { thread: self.warp * 32 + lane, clock: self.clock, info: self.info }
    }

    /// Returns the lanes that have observed the write with this number.
    fn observers(&self, write: u32) -> Mask {
        let updates = self.info.kind() == RecordedKind::Atomic && !self.fails;
        let has_observed = match self.info.kind() {
            RecordedKind::Write => false,
            _ if updates => (self.since..self.at).contains(&write),
            _ => (self.since..=self.at).contains(&write),
        };
        let is_joined = self.lanes & self.lanes.wrapping_sub(1) != 0;
        if has_observed {
            self.lanes
        } else if self.at == write && updates && is_joined {
            1 << self.last
        } else {
            0
        }
    }
}

/// An access to the word of a chain.
#[derive(Clone, Copy)]
pub struct ChainAccess {
    pub access: RecordedAccess,
    /// It is a compare-and-swap that fails: it observes a write, and is none.
    pub fails: bool,
}

impl ChainAccess {
    pub fn of(access: RecordedAccess) -> ChainAccess {
        ChainAccess { access, fails: false }
    }

    pub fn failed_swap(access: RecordedAccess) -> ChainAccess {
        ChainAccess { access, fails: true }
    }
}

/// The strong writes of a word, or of a part of it, that begin at the same byte. See the module documentation.
#[derive(Clone, Debug)]
pub struct WriteChain {
    latest: Option<RecordedAccess>,
    /// The number of the latest write.
    at: u32,
    since: u32,
    recent: VecDeque<Recent>,
    /// The lowest number that can be found by counting writes back from the latest. It and lower ones may represent
    /// several joined updates; of those with this number, the last is found.
    counted: u32,
    /// True if a read, or a compare-and-swap that fails, has read the latest write.
    is_read: bool,
    /// True if all writes so far form a run: see [`WriteChain::runs_on`].
    run: bool,
}

impl Default for WriteChain {
    fn default() -> WriteChain {
        WriteChain::new()
    }
}

impl WriteChain {
    pub const fn new() -> WriteChain {
        WriteChain {
            latest: None,
            at: FIRST,
            since: FIRST,
            recent: VecDeque::new(),
            counted: 0,
            is_read: false,
            run: false,
        }
    }

    /// Records the write `new`, which observes the latest write if it `links` to that. `reads` are the reads of the
    /// latest write so far. A compare-and-swap that `fails` is only a read here; for races it counts as a write.
    pub fn wrote(
        &mut self,
        reads: impl Iterator<Item = RecordedAccess>,
        ChainAccess { access: new, fails }: ChainAccess,
        links: impl Fn(RecordedAccess, RecordedAccess) -> bool,
    ) {
        if let Some(latest) = self.latest {
            self.note_reads(reads.filter(|&read| links(latest, read)));
        }
        let is_linked = self.latest.is_some_and(|latest| links(latest, new));
        if fails {
            let since = if is_linked { self.since } else { self.at + 1 };
            self.is_read = true;
            return self.note(ChainAccess::failed_swap(new), self.at, since);
        }
        if is_linked && !self.is_read && self.latest.is_some_and(|latest| latest.is_beside(new)) {
            return self.join(new, 1 << new.lane());
        }
        self.at += 1;
        if !is_linked {
            self.since = self.at;
        }
        (self.latest, self.is_read) = (Some(new), false);
        self.push(ChainAccess::of(new), self.at, self.since);
    }

    /// Records reads of the latest write: one entry for all lanes of a warp that made the same read.
    fn note_reads(&mut self, reads: impl Iterator<Item = RecordedAccess>) {
        let mut entries = 0;
        for read in reads {
            self.is_read = true;
            let is_known = |known: &Recent| known.is_same_step(read) && (known.at, known.fails) == (self.at, false);
            if !self.recent.iter().any(is_known) {
                entries += 1;
                if entries > READS {
                    break;
                }
            }
            self.note(ChainAccess::of(read), self.at, self.since);
        }
    }

    /// Records that these lanes made the word's last write, an update, one after the other, with `last` as the last of
    /// them.
    pub fn join(&mut self, last: RecordedAccess, lanes: Mask) {
        self.begin(last);
        if self.latest.is_none_or(|latest| !latest.is_beside(last)) {
            return;
        }
        self.latest = Some(last);
        if self.run {
            return;
        }
        let at = self.at;
        let is_it = |known: &&mut Recent| known.is_same_step(last) && known.at == at && !known.fails;
        if let Some(known) = self.recent.iter_mut().rev().find(is_it) {
            known.lanes |= lanes;
            known.last = last.lane();
        }
        self.counted = at;
    }

    /// Begins or continues a run. `new` must drop the value that it finds, and no access may find an older value. Then
    /// `new` hands on `old`, which is the first write of the chain or belongs to the run. No entries are kept: no
    /// member has observed another, and a read of the last has observed all. Returns false if this is no run.
    #[inline(always)]
    pub fn runs_on(&mut self, old: RecordedAccess, new: RecordedAccess) -> bool {
        if !self.run {
            if !self.is_unused() || old.info.kind() != RecordedKind::Write {
                return false;
            }
            (self.run, self.since) = (true, self.at);
        }
        self.latest = Some(new);
        true
    }

    #[inline(always)]
    pub fn is_run(&self) -> bool {
        self.run
    }

    pub fn is_unused(&self) -> bool {
        self.latest.is_none() && self.recent.is_empty()
    }

    /// Ends a run, and makes an entry for each of its writes.
    pub fn settle(&mut self, writes: impl Iterator<Item = (u32, Clock, AccessInfo, Mask)>) {
        let Some(latest) = self.latest.filter(|_| self.run) else { return };
        let (at, since) = (self.at, self.since);
        (self.run, self.counted) = (false, at);
        for (warp, clock, info, lanes) in writes.filter(|(.., info, _)| info.is_alike_write(latest.info)) {
            let last = 31 - lanes.leading_zeros();
            self.keep(Recent { warp, clock, info, lanes, last, fails: false, at, since });
        }
        self.push(ChainAccess::of(latest), at, since);
    }

    /// Records a write to these bytes that is not strong: a later read of it observes none of the strong writes before.
    /// `reads` have read what was there.
    pub fn cut(
        &mut self,
        bytes: u32,
        reads: impl Iterator<Item = RecordedAccess>,
        links: impl Fn(RecordedAccess, RecordedAccess) -> bool,
    ) {
        let Some(latest) = self.latest.filter(|latest| latest.info.bytes() & bytes != 0) else { return };
        self.note_reads(reads.filter(|&read| links(latest, read)));
        (self.latest, self.at, self.since, self.is_read) = (None, self.at + 1, self.at + 2, false);
    }

    /// True if the latest write is a strong write of the same bytes and size.
    pub fn follows(&self, info: AccessInfo) -> bool {
        self.latest.is_some_and(|latest| latest.info.is_like_strong(info))
    }

    /// Makes the word's last write the first of the chain, if the chain has no latest write and `write` is a strong one
    /// of this launch.
    pub fn begin(&mut self, write: RecordedAccess) {
        let is_write = write.info.scope().is_some() && !write.info.is_older() && !self.has_failed(write);
        if self.latest.is_none() && is_write {
            (self.latest, self.since) = (Some(write), self.at);
            self.push(ChainAccess::of(write), self.at, self.since);
        }
    }

    /// True if this access is a compare-and-swap that has failed.
    fn has_failed(&self, access: RecordedAccess) -> bool {
        self.recent
            .iter()
            .any(|known| known.fails && known.is_same_step(access) && known.lanes >> access.lane() & 1 != 0)
    }

    fn begin_like(&mut self, old: RecordedAccess, new: RecordedAccess) {
        if old.info.is_like_strong(new.info) {
            self.begin(old);
        }
    }

    /// Returns the number of the oldest write that `read`, a read of the write number `at`, observes. `None` if that
    /// write is not known, or `read` does not link to it.
    fn oldest_observed(
        &self,
        at: u32,
        read: RecordedAccess,
        links: impl Fn(RecordedAccess, RecordedAccess) -> bool,
    ) -> Option<u32> {
        let is_it = |known: &&Recent| {
            known.info.writes()
                && !known.fails
                && known.at == at
                && at >= self.counted
                && known.info.bytes() == read.info.bytes()
        };
        let found = self.recent.iter().find(is_it).filter(|known| links(known.touched(known.last), read));
        found.map(|known| known.since)
    }

    /// Returns the number of the oldest write that the latest one's joined updates hand on, if `read` reads one of them
    /// that is `back` positions before the latest.
    fn oldest_joined(
        &self,
        back: u32,
        read: RecordedAccess,
        links: impl Fn(RecordedAccess, RecordedAccess) -> bool,
    ) -> Option<u32> {
        let is_it = |known: &&Recent| known.info.writes() && !known.fails && known.at == self.at;
        let latest = self.recent.iter().rev().find(is_it)?;
        let is_joined = back < latest.lanes.count_ones() && latest.since < latest.at;
        (is_joined && links(latest.touched(latest.last), read)).then_some(latest.since)
    }

    /// Records a read, or a compare-and-swap that fails, of the write `back` positions before the latest, which is
    /// `old`.
    pub fn looked_back(
        &mut self,
        old: RecordedAccess,
        entry: ChainAccess,
        back: u32,
        links: impl Fn(RecordedAccess, RecordedAccess) -> bool,
    ) {
        let ChainAccess { access: read, fails } = entry;
        self.begin_like(old, read);
        if let Some(since) = self.oldest_joined(back, read, &links).filter(|_| !fails) {
            return self.note(ChainAccess::of(read), self.at - 1, since);
        }
        let at = self.at.wrapping_sub(back);
        // A compare-and-swap that fails comes before the next write, also where it has observed none.
        let nothing = (fails && at >= self.counted).then_some(at.wrapping_add(1));
        if let Some(since) = self.oldest_observed(at, read, links).or(nothing) {
            self.note(entry, at, since);
        }
    }

    /// Records a store at an earlier position in the coherence order: before the last `back` writes, the latest of
    /// which is `old`.
    pub fn wrote_behind(&mut self, old: RecordedAccess, new: RecordedAccess, back: u32) {
        self.begin_like(old, new);
        let number = self.at.wrapping_sub(back) + 1;
        self.make_room(number, false);
        if new.info.scope().is_some() {
            self.push(ChainAccess::of(new), number, number);
        }
    }

    /// Records an update at an earlier position: before the last `back` writes, the latest of which is `old`. The
    /// update observes the write before that position. If the write after it is an update too, that one has now
    /// observed this one.
    pub fn updated_behind(
        &mut self,
        old: RecordedAccess,
        new: RecordedAccess,
        back: u32,
        links: impl Fn(RecordedAccess, RecordedAccess) -> bool,
    ) {
        self.begin_like(old, new);
        let number = self.at.wrapping_sub(back) + 1;
        if number <= self.counted {
            // The position is not known: joined updates share this number.
            return;
        }
        let since = self.oldest_observed(number - 1, new, &links).unwrap_or(number);
        let is_next = |known: &&Recent| known.info.writes() && !known.fails && known.at == number;
        let next = self.recent.iter().find(is_next).map(|known| known.touched(known.last));
        self.make_room(number, next.is_some_and(|next| links(new, next)));
        self.push(ChainAccess::of(new), number, since);
    }

    /// Moves the writes from `number` on up by one. If `is_handed_on`, the write now after the gap observes the write
    /// in it, so a range that begins at `number` includes the new write; otherwise that range moves up as well.
    fn make_room(&mut self, number: u32, is_handed_on: bool) {
        let later = |at: &mut u32| *at += u32::from(*at >= number);
        let begins_later = |since: &mut u32| *since += u32::from(*since >= number + u32::from(is_handed_on));
        for known in &mut self.recent {
            later(&mut known.at);
            begins_later(&mut known.since);
        }
        begins_later(&mut self.since);
        later(&mut self.counted);
        self.at += 1;
    }

    /// Records a read, or a compare-and-swap that fails. It may be by one more lane of a known entry.
    fn note(&mut self, entry: ChainAccess, at: u32, since: u32) {
        let ChainAccess { access, fails } = entry;
        let is_it = |known: &&mut Recent| known.is_same_step(access) && (known.at, known.fails) == (at, fails);
        match self.recent.iter_mut().rev().find(is_it) {
            Some(known) => known.lanes |= 1 << access.lane(),
            None => self.push(entry, at, since),
        }
    }

    /// Adds the lanes `others` to the entry of the failed compare-and-swap `one`, the last of them. Returns false if
    /// there is no such entry.
    pub fn fails_alike(&mut self, one: RecordedAccess, others: Mask) -> bool {
        let at = self.at;
        let is_it = |known: &&mut Recent| known.is_same_step(one) && (known.at, known.fails) == (at, true);
        let known = self.recent.iter_mut().rev().find(is_it);
        known.map(|known| known.lanes |= others).is_some()
    }

    fn push(&mut self, entry: ChainAccess, at: u32, since: u32) {
        let ChainAccess { access, fails } = entry;
        let (warp, clock, info, last) = (access.warp(), access.clock, access.info, access.lane());
        self.keep(Recent { warp, clock, info, lanes: 1 << last, last, fails, at, since });
    }

    fn keep(&mut self, recent: Recent) {
        if self.recent.len() == RECENT {
            self.recent.pop_front();
        }
        self.recent.push_back(recent);
    }

    /// True if an entry of that warp, clock and manner of access is still kept.
    pub fn knows(&self, warp: u32, clock: Clock, info: AccessInfo) -> bool {
        self.recent.iter().any(|known| (known.warp, known.clock, known.info) == (warp, clock, info))
    }

    /// Returns the number of a write, if it is still kept. A compare-and-swap that fails gets the number after that of
    /// the write that it has read.
    pub fn number(&self, write: RecordedAccess) -> Option<u32> {
        if self.run {
            return self.latest.filter(|latest| write.info.is_alike_write(latest.info)).map(|_| self.at);
        }
        let is_it = |known: &&Recent| known.is_same_step(write) && known.lanes >> write.lane() & 1 != 0;
        self.recent.iter().rev().find(is_it).map(|known| known.at + u32::from(known.fails))
    }

    /// Returns the latest write, if a read of it also observes the write with this number.
    pub fn hands_on(&self, write: u32) -> Option<RecordedAccess> {
        self.latest.filter(|_| (self.since..=self.at).contains(&write))
    }

    /// True if a read, or a compare-and-swap that fails, has read the latest write.
    pub fn is_read(&self) -> bool {
        self.is_read
    }

    /// Returns the accesses that have observed the write with this number.
    pub fn observers(&self, write: u32) -> impl Iterator<Item = RecordedAccess> {
        self.recent
            .iter()
            .flat_map(move |known| lanes(known.observers(write)).map(move |lane| known.touched(lane as u32)))
    }

    /// True if an ordered access has observed the write with this number. `ordered` gets the index of an entry, one of
    /// its accesses, and its lanes, and returns those lanes that are ordered.
    pub fn is_observed_by(&self, write: u32, ordered: impl Fn(usize, RecordedAccess, Mask) -> Mask) -> bool {
        self.recent.iter().enumerate().any(|(at, known)| {
            let observers = known.observers(write);
            observers != 0 && ordered(at, known.touched(known.last), known.lanes) & observers != 0
        })
    }

    /// Returns the lanes whose write has the same [number](WriteChain::number) as `write`. If it has no number,
    /// returns those without one. All of `lanes` have made the same access.
    pub fn beside(&self, write: RecordedAccess, lanes: Mask) -> Mask {
        if self.run {
            return lanes;
        }
        let mut later = 0;
        for known in self.recent.iter().rev().filter(|known| known.is_same_step(write)) {
            if known.lanes >> write.lane() & 1 != 0 {
                return known.lanes & !later & lanes;
            }
            later |= known.lanes;
        }
        lanes & !later
    }

    pub fn clear(&mut self) {
        (self.latest, self.at, self.since, self.counted, self.is_read) = (None, FIRST, FIRST, 0, false);
        self.run = false;
        self.recent.clear();
    }
}

#[cfg(test)]
mod tests;
