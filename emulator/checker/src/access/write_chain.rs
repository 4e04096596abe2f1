//! Who has observed which of a word's strong writes, beyond the last one (PTX ISA, "Memory Consistency Model": observation
//! order, which causality order takes in).
//!
//! A read observes the write that it reads, and the writes before that one as far as these were handed on by updates. Another
//! write later changes nothing about it: what is ordered behind the read stays behind what it has observed. Of a word's
//! strong writes and reads the last few are kept, with numbers; for what is older see [`crate::access::observation`]. It errs both ways there, and
//! towards a report where a read finds a write in the midst of a warp's updates.
//!
//! It is long because a third of it is tests.

use crate::sites::touched::{Clock, How, TouchKind, Touched};
use machine::registers::{Mask, lanes};
use std::collections::VecDeque;

/// Accesses that are kept.
pub const RECENT: usize = 16;

/// Of them, entries of reads of one write.
const READS: usize = 6;

/// Numbers begin here: there may be writes before the first that is numbered.
const FIRST: u32 = 16;

/// A strong access by lanes of a warp. Updates of one warp that follow one another are one entry and have one number: of them
/// the last lane has observed the others, and so has whoever observes that one.
#[derive(Clone, Copy, Debug)]
struct Recent {
    warp: u32,
    clock: Clock,
    how: How,
    lanes: Mask,
    /// The lane that came last.
    last: u32,
    /// A compare-and-swap that fails: to its races a write, and else a read.
    fails: bool,
    /// Its number, if it writes; else that of the write that it has read.
    at: u32,
    /// The oldest write that is observed along with `at`: updates hand on every write from here to there.
    since: u32,
}

impl Recent {
    fn is(&self, other: Touched) -> bool {
        (self.warp, self.clock, self.how) == (other.warp(), other.clock, other.how)
    }

    fn touched(&self, lane: u32) -> Touched {
        Touched { thread: self.warp * 32 + lane, clock: self.clock, how: self.how }
    }

    /// The lanes that have observed a write.
    fn observers(&self, write: u32) -> Mask {
        let updates = self.how.kind() == TouchKind::Atomic && !self.fails;
        let has_observed = match self.how.kind() {
            TouchKind::Write => false,
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

/// The strong writes of a word, or of a part of it, that begin at one byte.
#[derive(Clone, Debug)]
pub struct WriteChain {
    latest: Option<Touched>,
    /// The number of the latest.
    at: u32,
    since: u32,
    recent: VecDeque<Recent>,
    /// From this number on each stands for one write.
    counted: u32,
    /// Something has read the latest, or has failed to swap it.
    is_read: bool,
    /// All writes so far are a run, see [`WriteChain::runs_on`].
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

    /// `new` is written, and hands on what it finds there if it `links` to that; `reads` have read what was there. A
    /// compare-and-swap that `fails` only reads; to its races it is a write.
    pub fn wrote(
        &mut self,
        reads: impl Iterator<Item = Touched>,
        (new, fails): (Touched, bool),
        links: impl Fn(Touched, Touched) -> bool,
    ) {
        if let Some(latest) = self.latest {
            self.note_reads(reads.filter(|&read| links(latest, read)));
        }
        let is_linked = self.latest.is_some_and(|latest| links(latest, new));
        if fails {
            let since = if is_linked { self.since } else { self.at + 1 };
            self.is_read = true;
            return self.note((new, true), self.at, since);
        }
        if is_linked && !self.is_read && self.latest.is_some_and(|latest| latest.is_beside(new)) {
            return self.join(new, 1 << new.lane());
        }
        self.at += 1;
        if !is_linked {
            self.since = self.at;
        }
        (self.latest, self.is_read) = (Some(new), false);
        self.push((new, false), self.at, self.since);
    }

    /// Reads of the latest write: one entry for all lanes of a warp that read alike.
    fn note_reads(&mut self, reads: impl Iterator<Item = Touched>) {
        let mut entries = 0;
        for read in reads {
            self.is_read = true;
            let is_known = |known: &Recent| known.is(read) && (known.at, known.fails) == (self.at, false);
            if !self.recent.iter().any(is_known) {
                entries += 1;
                if entries > READS {
                    break;
                }
            }
            self.note((read, false), self.at, self.since);
        }
    }

    /// These lanes have made the word's last write, an update, one after the other up to `last`.
    pub fn join(&mut self, last: Touched, lanes: Mask) {
        self.begin(last);
        if self.latest.is_none_or(|latest| !latest.is_beside(last)) {
            return;
        }
        self.latest = Some(last);
        if self.run {
            return;
        }
        let at = self.at;
        let is_it = |known: &&mut Recent| known.is(last) && known.at == at && !known.fails;
        if let Some(known) = self.recent.iter_mut().rev().find(is_it) {
            known.lanes |= lanes;
            known.last = last.lane();
        }
        self.counted = at;
    }

    /// Begins a run, or goes on with it: `new` hands on `old`, the first write that is followed or one of the run, drops the
    /// value that it finds, and comes where nothing looks back. Nothing is kept of them: none has observed another, and who
    /// reads the last has observed all. False if it is no run.
    #[inline(always)]
    pub fn runs_on(&mut self, old: Touched, new: Touched) -> bool {
        if !self.run {
            if !self.is_unused() || old.how.kind() != TouchKind::Write {
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

    /// A run ends, of which these are the writes.
    pub fn settle(&mut self, writes: impl Iterator<Item = (u32, Clock, How, Mask)>) {
        let Some(latest) = self.latest.filter(|_| self.run) else { return };
        let (at, since) = (self.at, self.since);
        (self.run, self.counted) = (false, at);
        for (warp, clock, how, lanes) in writes.filter(|(.., how, _)| how.is_alike_write(latest.how)) {
            let last = 31 - lanes.leading_zeros();
            self.keep(Recent { warp, clock, how, lanes, last, fails: false, at, since });
        }
        self.push((latest, false), at, since);
    }

    /// Something else has been written to those bytes: who reads it has observed nothing that came before. `reads` have read
    /// what was there.
    pub fn cut(&mut self, bytes: u32, reads: impl Iterator<Item = Touched>, links: impl Fn(Touched, Touched) -> bool) {
        let Some(latest) = self.latest.filter(|latest| latest.how.bytes() & bytes != 0) else { return };
        self.note_reads(reads.filter(|&read| links(latest, read)));
        (self.latest, self.at, self.since, self.is_read) = (None, self.at + 1, self.at + 2, false);
    }

    /// True if it follows strong writes made like this.
    pub fn follows(&self, how: How) -> bool {
        self.latest.is_some_and(|latest| latest.how.is_like_strong(how))
    }

    /// What comes first is the word's last write.
    pub fn begin(&mut self, write: Touched) {
        if self.latest.is_none() && write.how.scope().is_some() && !write.how.is_older() {
            (self.latest, self.since) = (Some(write), self.at);
            self.push((write, false), self.at, self.since);
        }
    }

    fn begin_like(&mut self, old: Touched, new: Touched) {
        if old.how.is_like_strong(new.how) {
            self.begin(old);
        }
    }

    /// From which write on a look at the one of that number finds them handed on, if that is known and strong.
    fn since(&self, at: u32, read: Touched, links: impl Fn(Touched, Touched) -> bool) -> Option<u32> {
        let is_it = |known: &&Recent| {
            known.how.writes()
                && !known.fails
                && known.at == at
                && at >= self.counted
                && known.how.bytes() == read.how.bytes()
        };
        let found = self.recent.iter().find(is_it).filter(|known| links(known.touched(known.last), read));
        found.map(|known| known.since)
    }

    /// A read, or a compare-and-swap that fails, has found the write `back` before the latest, which is `old`.
    pub fn looked_back(
        &mut self,
        old: Touched,
        (read, fails): (Touched, bool),
        back: u32,
        links: impl Fn(Touched, Touched) -> bool,
    ) {
        self.begin_like(old, read);
        let at = self.at.wrapping_sub(back);
        if let Some(since) = self.since(at, read, links) {
            self.note((read, fails), at, since);
        }
    }

    /// A store has come in behind the last `back` writes, the latest of which is `old`.
    pub fn wrote_behind(&mut self, old: Touched, new: Touched, back: u32) {
        self.begin_like(old, new);
        let number = self.at.wrapping_sub(back) + 1;
        self.make_room(number, false);
        if new.how.scope().is_some() {
            self.push((new, false), number, number);
        }
    }

    /// An update has found the write behind which it comes in. If what comes next is an update too, that has now found this one.
    pub fn updated_behind(&mut self, old: Touched, new: Touched, back: u32, links: impl Fn(Touched, Touched) -> bool) {
        self.begin_like(old, new);
        let number = self.at.wrapping_sub(back) + 1;
        if number <= self.counted {
            // Where it stands is not known.
            return;
        }
        let since = self.since(number - 1, new, &links).unwrap_or(number);
        let is_next = |known: &&Recent| known.how.writes() && !known.fails && known.at == number;
        let next = self.recent.iter().find(is_next).map(|known| known.touched(known.last));
        self.make_room(number, next.is_some_and(|next| links(new, next)));
        self.push((new, false), number, since);
    }

    /// The writes from `number` on get the next number. The first of them is in the midst of what it hands on, or begins that.
    fn make_room(&mut self, number: u32, is_handed_on: bool) {
        let later = |at: &mut u32| *at += u32::from(*at >= number);
        let begins_later = |since: &mut u32| *since += u32::from(*since >= number + u32::from(is_handed_on));
        self.recent.iter_mut().for_each(|known| (later(&mut known.at), begins_later(&mut known.since)).0);
        begins_later(&mut self.since);
        later(&mut self.counted);
        self.at += 1;
    }

    /// A read, or a compare-and-swap that fails, by what may be one more lane of its warp.
    fn note(&mut self, (read, fails): (Touched, bool), at: u32, since: u32) {
        match self.recent.iter_mut().rev().find(|known| known.is(read) && (known.at, known.fails) == (at, fails)) {
            Some(known) => known.lanes |= 1 << read.lane(),
            None => self.push((read, fails), at, since),
        }
    }

    /// Adds `others` to the compare-and-swaps that have failed as `one`, the last of them. False if there is no such entry.
    pub fn fails_alike(&mut self, one: Touched, others: Mask) -> bool {
        let at = self.at;
        let is_it = |known: &&mut Recent| known.is(one) && (known.at, known.fails) == (at, true);
        let known = self.recent.iter_mut().rev().find(is_it);
        known.map(|known| known.lanes |= others).is_some()
    }

    fn push(&mut self, (touched, fails): (Touched, bool), at: u32, since: u32) {
        let (warp, clock, how, last) = (touched.warp(), touched.clock, touched.how, touched.lane());
        self.keep(Recent { warp, clock, how, lanes: 1 << last, last, fails, at, since });
    }

    fn keep(&mut self, recent: Recent) {
        if self.recent.len() == RECENT {
            self.recent.pop_front();
        }
        self.recent.push_back(recent);
    }

    /// True if such a write of lanes of that warp is still known.
    pub fn knows(&self, warp: u32, clock: Clock, how: How) -> bool {
        self.recent.iter().any(|known| (known.warp, known.clock, known.how) == (warp, clock, how))
    }

    /// The number of a write that is still known. A compare-and-swap that fails might have been the next.
    pub fn number(&self, write: Touched) -> Option<u32> {
        if self.run {
            return self.latest.filter(|latest| write.how.is_alike_write(latest.how)).map(|_| self.at);
        }
        let is_it = |known: &&Recent| known.is(write) && known.lanes >> write.lane() & 1 != 0;
        self.recent.iter().rev().find(is_it).map(|known| known.at + u32::from(known.fails))
    }

    /// The latest write, if it hands on the one of that number.
    pub fn hands_on(&self, write: u32) -> Option<Touched> {
        self.latest.filter(|_| self.since <= write)
    }

    /// Something has read the latest write, or has failed to swap it.
    pub fn is_read(&self) -> bool {
        self.is_read
    }

    /// What has observed the write of that number.
    pub fn observers(&self, write: u32) -> impl Iterator<Item = Touched> {
        self.recent
            .iter()
            .flat_map(move |known| lanes(known.observers(write)).map(move |lane| known.touched(lane as u32)))
    }

    /// True if something `ordered` has observed the write of that number: it says which of an entry's lanes are, by the entry's
    /// place, one of its accesses, and its lanes.
    pub fn is_observed_by(&self, write: u32, ordered: impl Fn(usize, Touched, Mask) -> Mask) -> bool {
        self.recent.iter().enumerate().any(|(at, known)| {
            let observers = known.observers(write);
            observers != 0 && ordered(at, known.touched(known.last), known.lanes) & observers != 0
        })
    }

    /// Of lanes that have made a write like this one those that have its [number](WriteChain::number), or none as it has none.
    pub fn beside(&self, write: Touched, lanes: Mask) -> Mask {
        if self.run {
            return lanes;
        }
        let mut later = 0;
        for known in self.recent.iter().rev().filter(|known| known.is(write)) {
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
mod tests {
    use super::*;
    use machine::exec::memory::Scope;

    fn strong(thread: u32, kind: TouchKind) -> Touched {
        Touched { thread, clock: 1, how: How::new(thread, 0xf, kind, Some(Scope::Device), 4) }
    }

    /// Updates and reads observe, plain stores do not.
    fn links(_: Touched, by: Touched) -> bool {
        by.how.kind() != TouchKind::Write
    }

    fn none() -> impl Iterator<Item = Touched> {
        std::iter::empty()
    }

    fn observers(chain: &WriteChain, write: Touched) -> Vec<u32> {
        chain.observers(chain.number(write).unwrap()).map(|by| by.thread).collect()
    }

    #[test]
    fn who_has_observed_a_write_stays_known_behind_another() {
        let [first, second] = [1, 2].map(|thread| strong(thread, TouchKind::Write));
        let mut chain = WriteChain::default();
        let reads = [strong(3, TouchKind::Read)].into_iter();
        chain.begin(first);
        chain.wrote(reads, (second, false), links);
        assert_eq!(observers(&chain, first), [3]);
        assert_eq!(observers(&chain, second), [0u32; 0]);
        assert_eq!(chain.hands_on(chain.number(first).unwrap()), None);
        assert_eq!(chain.hands_on(chain.number(second).unwrap()), Some(second));
    }

    #[test]
    fn updates_hand_on_until_a_store_comes_between() {
        let (first, update, store) =
            (strong(1, TouchKind::Write), strong(2, TouchKind::Atomic), strong(3, TouchKind::Write));
        let mut chain = WriteChain::default();
        chain.begin(first);
        chain.wrote(none(), (update, false), links);
        assert_eq!(observers(&chain, first), [2]);
        assert_eq!(chain.hands_on(chain.number(first).unwrap()), Some(update));
        chain.wrote(none(), (store, false), links);
        let last = strong(4, TouchKind::Atomic);
        chain.wrote(none(), (last, false), links);
        assert_eq!((observers(&chain, first), observers(&chain, store)), (vec![2], vec![4]));
        chain.cut(0xf, none(), links);
        assert_eq!(chain.hands_on(chain.number(store).unwrap()), None);
    }

    #[test]
    fn a_swap_that_fails_reads_and_changes_nothing() {
        let (first, fails) = (strong(1, TouchKind::Write), strong(2, TouchKind::Atomic));
        let mut chain = WriteChain::default();
        chain.begin(first);
        chain.wrote(none(), (fails, true), links);
        assert_eq!(observers(&chain, first), [2]);
        assert_eq!(chain.hands_on(chain.number(first).unwrap()), Some(first));
    }

    #[test]
    fn reads_of_older_values_and_late_stores_find_their_place() {
        let [first, second, late] = [1, 2, 3].map(|thread| strong(thread, TouchKind::Write));
        let mut chain = WriteChain::default();
        chain.begin(first);
        chain.wrote(none(), (second, false), links);
        chain.looked_back(second, (strong(4, TouchKind::Read), false), 1, links);
        assert_eq!(observers(&chain, first), [4]);
        chain.wrote_behind(second, late, 1);
        chain.looked_back(second, (strong(5, TouchKind::Read), false), 1, links);
        chain.looked_back(second, (strong(6, TouchKind::Read), false), 2, links);
        assert_eq!((observers(&chain, late), observers(&chain, first)), (vec![5], vec![4, 6]));
    }

    #[test]
    fn a_late_update_has_found_the_write_before_it_and_is_found_by_an_update_behind_it() {
        let (first, next, late) =
            (strong(1, TouchKind::Write), strong(2, TouchKind::Atomic), strong(3, TouchKind::Atomic));
        let mut chain = WriteChain::default();
        chain.begin(first);
        chain.wrote(none(), (next, false), links);
        chain.updated_behind(next, late, 1, links);
        assert_eq!((observers(&chain, first), observers(&chain, late)), (vec![2, 3], vec![2]));
        // The same where the first write is not known, and before a store, which finds nothing.
        for (next, found) in [(next, vec![2]), (strong(4, TouchKind::Write), vec![])] {
            let mut chain = WriteChain::default();
            chain.updated_behind(next, late, 1, links);
            assert_eq!(observers(&chain, late), found);
            assert_eq!(chain.hands_on(chain.number(late).unwrap()).is_some(), !found.is_empty());
        }
    }

    #[test]
    fn who_looks_back_finds_a_write_and_no_swap_that_failed_behind_it() {
        let write = |thread| strong(thread, TouchKind::Write);
        let (fails, read) = (strong(90, TouchKind::Atomic), strong(91, TouchKind::Read));
        let chain_of = |writes: u32, back: u32| {
            let mut chain = WriteChain::default();
            chain.begin(write(1));
            chain.wrote(none(), (fails, true), links);
            (2..=writes).for_each(|thread| chain.wrote(none(), (write(thread), false), links));
            chain.looked_back(write(writes), (read, false), back, links);
            chain
        };
        let chain = chain_of(3, 1);
        assert_eq!((observers(&chain, write(1)), observers(&chain, write(2))), (vec![90], vec![91]));
        // The first write is forgotten, and the swap is not.
        let chain = chain_of(RECENT as u32, RECENT as u32 - 1);
        assert_eq!(chain.number(write(1)), None);
        assert!(chain.observers(FIRST).all(|by| by.thread == 90));
    }

    #[test]
    fn updates_of_a_warp_are_one_until_somebody_reads_them() {
        let update = |thread| Touched { how: strong(9, TouchKind::Atomic).how, ..strong(thread, TouchKind::Atomic) };
        let mut chain = WriteChain::default();
        chain.begin(update(1));
        chain.wrote(none(), (update(2), false), links);
        assert_eq!((chain.number(update(1)), observers(&chain, update(1))), (chain.number(update(2)), vec![2]));
        let other = strong(40, TouchKind::Atomic);
        chain.wrote(none(), (other, false), links);
        // What looks back to the last of them has found all, and what looks back further nobody knows what.
        chain.looked_back(other, (strong(50, TouchKind::Read), false), 1, links);
        chain.looked_back(other, (strong(60, TouchKind::Read), false), 2, links);
        assert_eq!(observers(&chain, update(1)), [2, 40, 50]);
        chain.wrote(none(), (strong(41, TouchKind::Atomic), true), links);
        chain.wrote(none(), (update(3), false), links);
        assert_ne!(chain.number(update(3)), chain.number(update(2)));
        for (write, lane) in
            [1, 2, 3, 5, 40].into_iter().flat_map(|thread| (0..32).map(move |lane| (update(thread), lane)))
        {
            let is_beside = chain.number(write.by(lane)) == chain.number(write);
            assert_eq!(chain.beside(write, !0) >> lane & 1 != 0, is_beside, "{write:?} {lane}");
        }
    }

    #[test]
    fn a_run_is_one_write_and_its_members_are_known_when_it_ends() {
        let [first, second, third] = [1, 40, 70].map(|thread| strong(thread, TouchKind::Write));
        let mut chain = WriteChain::default();
        assert!(chain.runs_on(first, second) && chain.runs_on(second, third));
        let number = chain.number(first).expect("one of the run");
        assert_eq!((chain.number(third), observers(&chain, first).len()), (Some(number), 0));
        assert_eq!((chain.hands_on(number), chain.number(strong(1, TouchKind::Read))), (Some(third), None));
        chain.settle([(0, 1, first.how, 1 << 1), (1, 1, second.how, 1 << 8)].into_iter());
        chain.wrote([strong(9, TouchKind::Read)].into_iter(), (strong(3, TouchKind::Write), false), links);
        assert_eq!([first, second, third].map(|write| observers(&chain, write)), [[9], [9], [9]]);
        assert_eq!(chain.hands_on(number), None);
        // What is known of others goes on by the long way.
        assert!(!chain.runs_on(third, second));
    }

    #[test]
    fn of_readers_entries_are_counted_and_not_lanes() {
        let read = |thread| Touched { how: strong(9, TouchKind::Read).how, ..strong(thread, TouchKind::Read) };
        let mut chain = WriteChain::default();
        let first = strong(64, TouchKind::Write);
        chain.begin(first);
        chain.wrote((0..32).map(read), (strong(65, TouchKind::Write), false), links);
        assert_eq!(observers(&chain, first).len(), 32);
    }

    #[test]
    fn observers_that_are_ordered_are_found_as_one_by_one() {
        let mut chain = WriteChain::default();
        let first = strong(1, TouchKind::Write);
        chain.begin(first);
        for thread in 2..20 {
            let kind = [TouchKind::Atomic, TouchKind::Atomic, TouchKind::Write][thread as usize % 3];
            chain.wrote(
                [strong(thread + 40, TouchKind::Read)].into_iter(),
                (strong(thread, kind), thread % 5 == 0),
                links,
            );
        }
        let is_ordered = |touched: Touched| touched.thread % 3 == 1;
        let of = |_, of: Touched, mask| lanes(mask).filter(|&lane| is_ordered(of.by(lane))).map(|lane| 1 << lane).sum();
        let each = |number| chain.observers(number).any(is_ordered);
        let numbers = || FIRST..FIRST + 20;
        assert!(numbers().all(|number| chain.is_observed_by(number, of) == each(number)));
        assert!(numbers().any(each) && !numbers().all(each));
    }

    #[test]
    fn what_is_long_past_is_forgotten() {
        let mut chain = WriteChain::default();
        let write = |thread| strong(thread, TouchKind::Write);
        chain.begin(write(0));
        (0..40).for_each(|thread| chain.wrote(none(), (write(thread + 1), false), links));
        assert_eq!((chain.number(write(1)), chain.number(write(40)).is_some()), (None, true));
    }
}
