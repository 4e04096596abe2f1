//! Accesses of older launches that a word's cell no longer holds.
//!
//! Property: of older launches the rule compares the order of the launches alone. So an access stands for another one
//! that it represents ([`represents`]), if its launch is the same or ordered after.
//!
//! A cell keeps the last write and the last read. A launch that reads a word displaces the read of an older launch, and
//! its atomic operation displaces an older one. Between streams nothing may order the two, although they do not race. A
//! third launch can then be ordered after the second and still race with the first. So the first one is kept here.

use crate::access::actor::{Actor, Current};
use crate::access::race::Race;
use crate::access::warp_access::WarpAccess;
use crate::fast::cells::{Cells, LINE};
use crate::fast::checker::FastChecker;
use crate::order::launches::Past;
use crate::rule::{self, covers};
use crate::sites::touched::{AccessInfo, RecordedAccess};
use rustc_hash::FxHashMap;

/// The greatest number of accesses kept for a word: about one for each stream and kind.
const MOST_OF_WORD: usize = 8;

/// The greatest number of words of an allocation for which any are kept.
const MOST_WORDS: usize = 1 << 16;

/// An access of an older launch, and the launch that has displaced it.
#[derive(Clone, Copy, Debug)]
struct DisplacedAccess {
    access: RecordedAccess,
    by: u32,
}

/// The displaced accesses of one allocation, by the offset of each word.
#[derive(Clone, Debug, Default)]
pub struct Displaced {
    by_word: FxHashMap<u64, Vec<DisplacedAccess>>,
    /// The last launch that has searched for words to drop.
    pruned: u32,
}

impl Displaced {
    /// Returns the accesses of a word that were displaced before launch `era` and that `held`, the accesses of its
    /// cell, do not represent.
    fn against(
        &self,
        word: u64,
        era: u32,
        held: [RecordedAccess; 2],
        past: &Past,
    ) -> impl Iterator<Item = RecordedAccess> {
        let entries = self.by_word.get(&word).into_iter().flatten().filter(move |entry| entry.by != era);
        entries.map(|entry| entry.access).filter(move |&old| !held.iter().any(|&by| stands_for(by, old, past)))
    }

    /// Returns all accesses kept for a word.
    pub fn of_word(&self, word: u64) -> impl Iterator<Item = RecordedAccess> {
        self.by_word.get(&word).into_iter().flatten().map(|entry| entry.access)
    }

    /// Keeps an access that launch `by` is about to displace.
    pub fn add(&mut self, word: u64, access: RecordedAccess, by: u32, past: &Past) {
        let is_past =
            |entry: &DisplacedAccess| entry.access.launch().is_some_and(|launch| past.is_before(launch, false));
        if self.by_word.len() >= MOST_WORDS && !self.by_word.contains_key(&word) {
            // Drop the words whose accesses all happen before the current launch: these race least often with later
            // launches.
            if std::mem::replace(&mut self.pruned, by) != by {
                self.by_word.retain(|_, entries| !entries.iter().all(is_past));
            }
            if self.by_word.len() >= MOST_WORDS {
                return;
            }
        }
        let entries = self.by_word.entry(word).or_default();
        entries.retain(|entry| !stands_for(access, entry.access, past));
        if entries.len() == MOST_OF_WORD {
            let least = entries.iter().position(is_past).unwrap_or(0);
            entries.remove(least);
        }
        entries.push(DisplacedAccess { access, by });
    }

    /// Drops the accesses that a write covers and is ordered after: whatever races with them later races with the write
    /// as well.
    fn drop_covered(&mut self, word: u64, current: &Current, new: RecordedAccess) {
        if let Some(entries) = self.by_word.get_mut(&word) {
            entries.retain(|entry| !(covers(new.info, entry.access.info) && current.ordered(entry.access)));
            if entries.is_empty() {
                self.by_word.remove(&word);
            }
        }
    }

    /// Keeps those accesses from `start` to `end` that launch `by` is about to displace and that nothing orders before
    /// it.
    pub fn displace(
        &mut self,
        cells: &Cells,
        (start, end): (u64, u64),
        by: u32,
        past: &Past,
        is_displaced: impl Fn(RecordedAccess) -> bool,
    ) {
        let mut word = start & !3;
        while word < end {
            let (is_row, held) = cells.older(word, by);
            let is_open = |old: &RecordedAccess| old.launch().is_some_and(|launch| !past.is_before(launch, false));
            let mut is_settled = true;
            for old in held.into_iter().filter(is_open).filter(|&old| is_displaced(old)) {
                self.add(word, old, by, past);
                is_settled = false;
            }
            word = if is_row && is_settled { (word / LINE + 1) * LINE } else { word + 4 };
        }
    }

    /// Drops all accesses of a range.
    pub fn forget(&mut self, offset: u64, bytes: u64) {
        self.by_word.retain(|word, _| !(offset & !3..offset + bytes).contains(word));
    }
}

/// True if whatever races with `old` races with `new` too, which is of the same launch or of one ordered after it.
fn stands_for(new: RecordedAccess, old: RecordedAccess, past: &Past) -> bool {
    let is_after = |(first, second)| first == second || past.orders(first, second);
    represents(new.info, old.info) && old.launch().zip(new.launch()).is_some_and(is_after)
}

/// True if an access that conflicts with one made like `old` also conflicts with one made like `new`.
fn represents(new: AccessInfo, old: AccessInfo) -> bool {
    let is_as_strong = new.scope().is_none() || new.scope() == old.scope() && new.size() == old.size();
    !new.is_none() && old.bytes() & !new.bytes() == 0 && is_as_strong && (new.writes() || !old.writes())
}

impl FastChecker<'_> {
    /// Judges an access of global memory against those accesses of older launches that later ones have displaced,
    /// before [`FastChecker::judge`] judges it against the cells. Keeps those that it is about to displace itself.
    #[inline(never)]
    pub fn judge_displaced(
        &mut self,
        actor: &Actor,
        access: &WarpAccess,
        found: &mut impl FnMut(&Current, u32, Race, u64),
    ) {
        let Some(past) = actor.past() else { return };
        let FastChecker { cells, displaced, base, era, .. } = self.parts();
        // The last line whose words are all known to need no comparison.
        let mut settled = None;
        access.for_each_word(actor, base, |current, element, word, new| {
            let line = word / LINE;
            if settled == Some(line) {
                return;
            }
            let (is_row, held) = cells.older(word, era);
            let is_open = |old: RecordedAccess| !old.info.is_none() && !current.ordered(old);
            if displaced.by_word.is_empty() && !held.into_iter().any(is_open) {
                settled = (is_row && (!past.overlaps() || actor.is_alike())).then_some(line);
                return;
            }
            for old in displaced.against(word, era, held, past) {
                if let Some(race) = rule::race(current, old, new) {
                    found(current, element, race, word);
                }
            }
            for old in held.into_iter().filter(|&old| is_open(old)) {
                // A race is reported now. A write stays in its cell as long as the word is only read.
                if rule::race(current, old, new).is_none() && (new.info.writes() || !old.info.writes()) {
                    displaced.add(word, old, era, past);
                }
            }
            if new.info.writes() && !current.fails() {
                displaced.drop_covered(word, current, new);
            }
        });
    }
}
