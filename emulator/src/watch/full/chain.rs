//! Who has observed which of a word's strong writes, beyond the last one (PTX ISA, "Memory Consistency Model": observation
//! order, which causality order takes in).
//!
//! A read observes the write that it reads, and the writes before that one as far as these were handed on by updates. Another
//! write later changes nothing about it: what is ordered behind the read stays behind what it has observed. Of a word's
//! strong writes and reads the last few are kept, with numbers; for what is older see [`super::observation`]. It errs both ways there, and
//! only there.

use super::cells::{How, Kind, Touched};
use super::clock::Clock;
use crate::registers::{Mask, lanes};

/// Accesses that are kept.
const RECENT: usize = 16;

/// Of them, reads of one write.
const READS: usize = 6;

/// Numbers begin here: there may be writes before the first that is numbered.
const FIRST: u32 = 16;

/// A strong access by lanes of a warp.
#[derive(Clone, Copy, Debug)]
struct Recent {
    warp: u32,
    clock: Clock,
    how: How,
    lanes: Mask,
    /// A compare-and-swap that fails: to its races a write, and else a read.
    fails: bool,
    /// Its number, if it writes; else that of the write that it has read.
    at: u32,
    /// The first write that who reads that one has observed.
    since: u32,
}

impl Recent {
    fn is(&self, other: Touched) -> bool {
        (self.warp, self.clock, self.how) == (other.warp(), other.clock, other.how)
    }

    /// The first of them.
    fn touched(&self) -> Touched {
        Touched { thread: self.warp * 32 + self.lanes.trailing_zeros(), clock: self.clock, how: self.how }
    }

    fn observes(&self, write: u32) -> bool {
        match self.how.kind() {
            Kind::Write => false,
            Kind::Atomic if !self.fails => (self.since..self.at).contains(&write),
            _ => (self.since..=self.at).contains(&write),
        }
    }
}

/// The strong writes of a word, or of half of it.
#[derive(Clone, Debug)]
pub struct Chain {
    latest: Option<Touched>,
    /// The number of the latest.
    at: u32,
    since: u32,
    recent: Vec<Recent>,
    is_counted: bool,
}

impl Default for Chain {
    fn default() -> Chain {
        Chain { latest: None, at: FIRST, since: FIRST, recent: Vec::new(), is_counted: true }
    }
}

impl Chain {
    /// `new` is written, and hands on what it finds there if it `links` to that. `old` was the word's last write, by these lanes
    /// too, and `reads` have read it. A compare-and-swap that `fails` only reads; to its races it is a write.
    pub fn wrote(
        &mut self,
        (old, lanes): (Touched, Mask),
        reads: impl Iterator<Item = Touched>,
        (new, fails): (Touched, bool),
        links: impl Fn(Touched, Touched) -> bool,
    ) {
        self.begin(old, new);
        let others = if self.latest.is_some_and(|latest| latest.is_beside(old)) { lanes | 1 << old.lane() } else { 0 };
        self.is_counted &= others.count_ones() < 2;
        if let Some(latest) = self.latest {
            if new.how.bytes() & latest.how.bytes() == 0 {
                // A part of the word that is not followed.
                return;
            }
            self.note((latest, false), others, self.at, self.since);
            for read in reads.filter(|&read| links(latest, read)).take(READS) {
                self.note((read, false), 0, self.at, self.since);
            }
        }
        let is_linked = self.latest.is_some_and(|latest| links(latest, new));
        if fails {
            let since = if is_linked { self.since } else { self.at + 1 };
            return self.note((new, true), 0, self.at, since);
        }
        self.at += 1;
        if !is_linked {
            self.since = self.at;
        }
        self.latest = Some(new);
        self.note((new, false), 0, self.at, self.since);
    }

    /// Something else has been written there: who reads it has observed nothing that came before.
    pub fn cut(&mut self) {
        (self.latest, self.at, self.since) = (None, self.at + 1, self.at + 2);
    }

    /// What comes first is the word's last write, if it is like `new`.
    fn begin(&mut self, old: Touched, new: Touched) {
        if self.latest.is_none() && old.how.is_like_strong(new.how) {
            self.latest = Some(old);
            self.since = self.at;
            self.note((old, false), 0, self.at, self.since);
        }
    }

    /// A read has found the write `back` before the latest, which is `old`.
    pub fn looked_back(&mut self, old: Touched, read: Touched, back: u32, links: impl Fn(Touched, Touched) -> bool) {
        self.begin(old, read);
        let at = self.at.wrapping_sub(back);
        let is_it = |known: &&Recent| {
            known.how.writes() && !known.fails && known.at == at && known.how.bytes() == read.how.bytes()
        };
        let found = self.recent.iter().find(is_it).filter(|known| links(known.touched(), read));
        if let Some(since) = found.map(|known| known.since).filter(|_| self.is_counted) {
            self.note((read, false), 0, at, since);
        }
    }

    /// A store has come in behind the last `back` writes, the latest of which is `old`.
    pub fn wrote_behind(&mut self, old: Touched, new: Touched, back: u32) {
        self.begin(old, new);
        let number = self.at.wrapping_sub(back) + 1;
        let later = |at: &mut u32| *at += u32::from(*at >= number);
        self.recent.iter_mut().for_each(|known| (later(&mut known.at), later(&mut known.since)).0);
        later(&mut self.since);
        self.at += 1;
        if new.how.scope().is_some() {
            self.note((new, false), 0, number, number);
        }
    }

    fn note(&mut self, (touched, fails): (Touched, bool), others: Mask, at: u32, since: u32) {
        let lanes = others | 1 << touched.lane();
        match self.recent.iter_mut().rev().find(|known| known.is(touched) && (known.at, known.fails) == (at, fails)) {
            Some(known) => known.lanes |= lanes,
            None => {
                if self.recent.len() == RECENT {
                    self.recent.remove(0);
                }
                self.recent.push(Recent {
                    warp: touched.warp(),
                    clock: touched.clock,
                    how: touched.how,
                    lanes,
                    fails,
                    at,
                    since,
                });
            }
        }
    }

    /// True if such a write of lanes of that warp is still known.
    pub fn knows(&self, warp: u32, clock: Clock, how: How) -> bool {
        self.recent.iter().any(|known| (known.warp, known.clock, known.how) == (warp, clock, how))
    }

    /// The number of a write that is still known. A compare-and-swap that fails might have been the next.
    pub fn number(&self, write: Touched) -> Option<u32> {
        let is_it = |known: &&Recent| known.is(write) && known.lanes >> write.lane() & 1 != 0;
        self.recent.iter().rev().find(is_it).map(|known| known.at + u32::from(known.fails))
    }

    /// The latest write, if it hands on the one of that number.
    pub fn hands_on(&self, write: u32) -> Option<Touched> {
        self.latest.filter(|_| self.since <= write)
    }

    /// What has observed the write of that number.
    pub fn observers(&self, write: u32) -> impl Iterator<Item = Touched> {
        let observers = self.recent.iter().filter(move |known| known.observes(write));
        observers.flat_map(|&Recent { warp, clock, how, lanes: mask, .. }| {
            lanes(mask).map(move |lane| Touched { thread: warp * 32 + lane as u32, clock, how })
        })
    }

    pub fn clear(&mut self) {
        (self.latest, self.at, self.since, self.is_counted) = (None, FIRST, FIRST, true);
        self.recent.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::memory::Scope;

    fn strong(thread: u32, kind: Kind) -> Touched {
        Touched { thread, clock: 1, how: How::new(thread, 0xf, kind, Some(Scope::Gpu), 4) }
    }

    /// Updates and reads observe, plain stores do not.
    fn links(_: Touched, by: Touched) -> bool {
        by.how.kind() != Kind::Write
    }

    fn none() -> impl Iterator<Item = Touched> {
        std::iter::empty()
    }

    fn observers(chain: &Chain, write: Touched) -> Vec<u32> {
        chain.observers(chain.number(write).unwrap()).map(|by| by.thread).collect()
    }

    #[test]
    fn who_has_observed_a_write_stays_known_behind_another() {
        let [first, second] = [1, 2].map(|thread| strong(thread, Kind::Write));
        let mut chain = Chain::default();
        let reads = [strong(3, Kind::Read)].into_iter();
        chain.wrote((first, 0), reads, (second, false), links);
        assert_eq!(observers(&chain, first), [3]);
        assert_eq!(observers(&chain, second), []);
        assert_eq!(chain.hands_on(chain.number(first).unwrap()), None);
        assert_eq!(chain.hands_on(chain.number(second).unwrap()), Some(second));
    }

    #[test]
    fn updates_hand_on_until_a_store_comes_between() {
        let (first, update, store) = (strong(1, Kind::Write), strong(2, Kind::Atomic), strong(3, Kind::Write));
        let mut chain = Chain::default();
        chain.wrote((first, 0), none(), (update, false), links);
        assert_eq!(observers(&chain, first), [2]);
        assert_eq!(chain.hands_on(chain.number(first).unwrap()), Some(update));
        chain.wrote((update, 0), none(), (store, false), links);
        let last = strong(4, Kind::Atomic);
        chain.wrote((store, 0), none(), (last, false), links);
        assert_eq!((observers(&chain, first), observers(&chain, store)), (vec![2], vec![4]));
        chain.cut();
        assert_eq!(chain.hands_on(chain.number(store).unwrap()), None);
    }

    #[test]
    fn a_swap_that_fails_reads_and_changes_nothing() {
        let (first, fails) = (strong(1, Kind::Write), strong(2, Kind::Atomic));
        let mut chain = Chain::default();
        chain.wrote((first, 0), none(), (fails, true), links);
        assert_eq!(observers(&chain, first), [2]);
        assert_eq!(chain.hands_on(chain.number(first).unwrap()), Some(first));
    }

    #[test]
    fn reads_of_older_values_and_late_stores_find_their_place() {
        let [first, second, late] = [1, 2, 3].map(|thread| strong(thread, Kind::Write));
        let mut chain = Chain::default();
        chain.wrote((first, 0), none(), (second, false), links);
        chain.looked_back(second, strong(4, Kind::Read), 1, links);
        assert_eq!(observers(&chain, first), [4]);
        chain.wrote_behind(second, late, 1);
        chain.looked_back(second, strong(5, Kind::Read), 1, links);
        chain.looked_back(second, strong(6, Kind::Read), 2, links);
        assert_eq!((observers(&chain, late), observers(&chain, first)), (vec![5], vec![4, 6]));
    }

    #[test]
    fn what_is_long_past_is_forgotten() {
        let mut chain = Chain::default();
        let write = |thread| strong(thread, Kind::Write);
        (0..40).for_each(|thread| chain.wrote((write(thread), 0), none(), (write(thread + 1), false), links));
        assert_eq!((chain.number(write(1)), chain.number(write(40)).is_some()), (None, true));
    }
}
