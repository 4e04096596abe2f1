//! The plain race checker: it keeps every access, and compares each new one with all earlier ones of its word.
//!
//! It is the [rule](crate::rule) with nothing else: complete, and as slow as that is. `fast` keeps a few accesses of
//! each word and must come to the same verdict; tests compare the two. For any launch it is switched on by
//! [`Judgement::Rule`](machine::types::Judgement).
//!
//! # Observation order
//!
//! The PTX ISA defines it for morally strong accesses ("Memory Consistency Model", "Observation Order"). A write
//! precedes each read of its value. If such a read is part of an atomic read-modify-write, it also precedes whatever
//! that one's write precedes. Causality order includes it, so an access does not race with a write that an access
//! before it has observed. Here that is a walk over the reads-from relation ([`WordHistory::is_observed`]).
//!
//! Which write a read gets is not a matter of time alone. Some schedules let loads read older values and stores take
//! earlier positions: then [`Current::back`] is the number of writes that come later in coherence order.

use crate::access::actor::{Actor, Current};
use crate::access::race::{Race, distance};
use crate::access::warp_access::WarpAccess;
use crate::rule::{self, RaceChecker, covers};
use crate::sites::touched::{AccessInfo, RecordedAccess, RecordedKind};
use rustc_hash::FxHashMap;

/// All accesses of one memory region, by the offset of the word.
#[derive(Clone, Debug)]
pub struct History {
    words: FxHashMap<u64, WordHistory>,
    /// True if races of covered accesses are found as well.
    finds_covered: bool,
}

/// The accesses of four bytes.
#[derive(Clone, Debug, Default)]
struct WordHistory {
    /// The launch, or for shared memory the era, of the latest access.
    era: u32,
    /// In the order in which they were emulated.
    accesses: Vec<Access>,
    /// The indices of the writes, in coherence order.
    writes: Vec<usize>,
}

#[derive(Clone, Debug)]
struct Access {
    touched: RecordedAccess,
    /// True for a compare-and-swap that fails. It writes nothing, but races as a write does.
    fails: bool,
    /// The index of the write whose value it reads; `None` for the value before the first.
    reads: Option<usize>,
    /// The indices of the accesses that read the value of this write.
    readers: Vec<usize>,
    /// The bytes in which a later access stands for this one: whatever races with this one races with that one, and the
    /// two are ordered or have been reported.
    covered: u32,
    /// The other block whose strong accesses cover it, if they are of that block only. A narrow access of that block is
    /// morally strong with those, and may race with this one alone.
    covered_from: Option<u64>,
}

impl Access {
    fn new(touched: RecordedAccess) -> Access {
        Access { touched, fails: false, reads: None, readers: Vec::new(), covered: 0, covered_from: None }
    }

    /// Marks this as covered by `new`, the current access.
    fn cover(&mut self, current: &Current, new: RecordedAccess) {
        let block = current.actor.at().block;
        let is_from_afar = new.info.scope().is_some() && current.is_far(self.touched);
        match is_from_afar && self.covered_from.is_none_or(|other| other == block) {
            true => self.covered_from = Some(block),
            false => self.covered |= new.info.bytes(),
        }
    }

    /// True if a later access stands for this one: if `new`, the current access, races with this one, it races with
    /// that one too.
    fn is_covered(&self, current: &Current, new: AccessInfo) -> bool {
        let is_narrow = new.scope().is_some() && !new.is_wide();
        let covers = |block: u64| !is_narrow || block != current.actor.at().block;
        self.touched.info.bytes() & !self.covered & new.bytes() == 0 || self.covered_from.is_some_and(covers)
    }
}

impl History {
    pub fn new(finds_covered: bool) -> History {
        History { words: FxHashMap::default(), finds_covered }
    }

    /// Records an access of launch `era` that is not judged: by the host, or a read whose value had an effect later.
    pub fn add(&mut self, offset: u64, era: u32, new: RecordedAccess) {
        let word = self.word(offset, era, true);
        if new.info.writes() {
            word.writes.push(word.accesses.len());
        }
        word.accesses.push(Access::new(new));
    }

    /// Drops the accesses of a range, which is new memory.
    pub fn forget(&mut self, offset: u64, bytes: u64) {
        self.words.retain(|word, _| !(offset & !3..offset + bytes).contains(word));
    }

    /// Returns a word's accesses. Those of an earlier launch or era are marked so, or dropped if the memory does not
    /// outlive its launch.
    fn word(&mut self, offset: u64, era: u32, outlives: bool) -> &mut WordHistory {
        let word = self.words.entry(offset).or_default();
        let old = std::mem::replace(&mut word.era, era);
        if old != era && outlives {
            word.accesses.iter_mut().for_each(|access| access.touched = access.touched.of_launch(old));
        } else if old != era {
            *word = WordHistory { era, ..WordHistory::default() };
        }
        word
    }
}

/// The plain checker of one memory region.
pub struct PlainChecker<'m> {
    pub history: &'m mut History,
    /// The address at which the region begins.
    pub base: u64,
    /// The launch, or for shared memory the era, of the accesses that are judged.
    pub era: u32,
}

impl RaceChecker for PlainChecker<'_> {
    fn judge(&mut self, actor: &Actor, access: &WarpAccess, found: &mut impl FnMut(&Current, u32, Race, u64)) {
        let finds_covered = self.history.finds_covered;
        access.for_each_word(actor, self.base, |current, element, offset, new| {
            let word = self.history.word(offset, self.era, actor.outlives());
            let races = word.races(current, new, finds_covered);
            word.cover(current, new, &races);
            word.record(current, new);
            first_of_each(current, races).into_iter().for_each(|race| found(current, element, race, offset));
        });
    }

    fn judge_read(&mut self, current: &Current, offset: u64, new: RecordedAccess, found: &mut impl FnMut(Race)) {
        let finds_covered = self.history.finds_covered;
        let races = self.history.word(offset, self.era, current.actor.outlives()).races(current, new, finds_covered);
        first_of_each(current, races).into_iter().for_each(found);
    }

    fn note_read(&mut self, offset: u64, read: RecordedAccess) {
        self.history.add(offset, self.era, read);
    }
}

/// Returns the first race of each launch, earlier instruction, distance and kind of cause.
fn first_of_each(current: &Current, mut races: Vec<Race>) -> Vec<Race> {
    let kind = |race: &Race| {
        let distance = distance(current.actor.at().launch, race);
        (race.launch, race.first.info.site(), distance, race.narrow.is_some())
    };
    races.sort_by_key(|race| (kind(race), race.first.thread, race.first.clock));
    races.dedup_by_key(|race| kind(race));
    races
}

impl WordHistory {
    /// Returns the races of `new` with the accesses so far.
    fn races(&self, current: &Current, new: RecordedAccess, finds_covered: bool) -> Vec<Race> {
        let race = |(number, earlier): (usize, &Access)| {
            let race = rule::race(current, earlier.touched, new)?;
            (!self.is_observed(current, number)).then_some(Race { own_update: self.own_update(&race), ..race })
        };
        let may_race =
            |(_, earlier): &(usize, &Access)| finds_covered || !earlier.is_covered(current, new.info) && !earlier.fails;
        self.accesses.iter().enumerate().filter(may_race).filter_map(race).collect()
    }

    /// Marks the accesses that `new` covers.
    fn cover(&mut self, current: &Current, new: RecordedAccess, races: &[Race]) {
        for earlier in &mut self.accesses {
            let old = earlier.touched;
            let is_as_strong =
                new.info.scope().is_none() || covers(new.info, old.info) && current.reaches_as_far(old, new);
            // A compare-and-swap that fails writes nothing.
            let conflicts_as = is_as_strong && !current.fails() && (new.info.writes() || !old.info.writes());
            let is_settled = || current.ordered(old) || races.iter().any(|race| race.first == old);
            if old != new && conflicts_as && is_settled() {
                earlier.cover(current, new);
            }
        }
    }

    /// True if an access that happens before the current one has observed this write. A compare-and-swap that fails
    /// precedes the next write, so an access that has observed that write comes after both. A write of an older launch,
    /// whose thread is no longer known, counts as not observed.
    fn is_observed(&self, current: &Current, write: usize) -> bool {
        if self.accesses[write].touched.info.is_older() {
            return false;
        }
        let mut writes = vec![write];
        if self.accesses[write].fails {
            writes = self.next(write).into_iter().collect();
        }
        while let Some(number) = writes.pop() {
            let write = &self.accesses[number];
            for &reader in &write.readers {
                let by = &self.accesses[reader];
                if !current.actor.links(write.touched, by.touched) {
                    continue;
                }
                // A kernel can only rely on values that it looks at.
                let is_looked_at = by.touched.info.kind() != RecordedKind::Write;
                if is_looked_at && current.ordered(by.touched) {
                    return true;
                }
                if by.touched.info.writes() && !by.fails {
                    writes.push(reader);
                }
            }
        }
        false
    }

    fn record(&mut self, current: &Current, new: RecordedAccess) {
        let number = self.accesses.len();
        let (fails, is_update) = (current.fails(), current.actor.updates());
        let place = self.place(new.info, current.back());
        let reads = place.checked_sub(1).map(|at| self.writes[at]).filter(|_| is_update || !new.info.writes());
        let is_same =
            |known: &Access| (known.touched, known.reads, known.covered, known.covered_from) == (new, reads, 0, None);
        if (fails || !new.info.writes()) && self.accesses.iter().any(is_same) {
            // A loop that waits for a value reads it again, which adds nothing.
            return;
        }
        if let Some(write) = reads {
            self.accesses[write].readers.push(number);
        }
        self.accesses.push(Access { fails, reads, ..Access::new(new) });
        if new.info.writes() && !fails {
            let next = self.writes.get(place).copied();
            self.writes.insert(place, number);
            if let Some(next) = next.filter(|_| is_update) {
                self.hand_on(current, number, next);
            }
        }
    }

    /// Makes `next`, the update right after `new`, read the value of `new`. Both had read the same value before. A
    /// schedule lets an update take an earlier position only if the next one may have read what it writes.
    fn hand_on(&mut self, current: &Current, new: usize, next: usize) {
        let (reads, bytes) = (self.accesses[new].reads, self.accesses[new].touched.info.bytes());
        let Access { touched, reads: before, .. } = self.accesses[next];
        if before == reads && touched.info.bytes() == bytes && current.actor.is_update(touched) {
            self.accesses[next].reads = Some(new);
            self.accesses[new].readers.push(next);
            if let Some(write) = before {
                self.accesses[write].readers.retain(|&reader| reader != next);
            }
        }
    }

    /// Returns the write of these bytes after the one that a compare-and-swap has read.
    fn next(&self, swap: usize) -> Option<usize> {
        let swap = &self.accesses[swap];
        let read = self.writes.iter().position(|write| Some(*write) == swap.reads).map_or(0, |at| at + 1);
        let meets = |write: &&usize| self.accesses[**write].touched.info.bytes() & swap.touched.info.bytes() != 0;
        self.writes[read..].iter().find(meets).copied()
    }

    /// Returns the index in `writes` at which an access stands that comes before the last `back` writes of these bytes.
    fn place(&self, info: AccessInfo, back: u32) -> usize {
        let meets = |&at: &usize| self.accesses[self.writes[at]].touched.info.bytes() & info.bytes() != 0;
        (0..self.writes.len()).rev().filter(meets).nth(back as usize).map_or(0, |at| at + 1)
    }

    /// Returns the site of the last strong write of the word by the thread of a race's plain load.
    fn own_update(&self, race: &Race) -> Option<u32> {
        let is_plain_load = |it: &RecordedAccess| it.info.kind() == RecordedKind::Read && it.info.scope().is_none();
        let thread = [race.first, race.second].into_iter().find(is_plain_load)?.thread;
        let is_own = |it: &&RecordedAccess| it.thread == thread && it.info.writes() && it.info.scope().is_some();
        let own = self.accesses.iter().rev().map(|access| &access.touched).filter(|it| !it.info.is_older());
        own.filter(is_own).map(|it| it.info.site()).next()
    }
}
