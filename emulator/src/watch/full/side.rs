//! Accesses that a cell has no room for: several unordered readers, several atomics, threads
//! that share a word in parts. One entry stands for many lanes of a warp.

use super::cells::{Cell, How, Touched, Way};
use super::chain::Chain;
use super::clock::Clock;
use crate::registers::{Mask, lanes};
use rustc_hash::FxHashMap;

/// Warp, clock and how: what all lanes of an entry have in common.
type Key = (u32, Clock, How);

/// Lanes by key. Most cells have few: these are looked through, and only a longer list is hashed.
#[derive(Clone, Debug, Default)]
struct Entries {
    few: Vec<(Key, Mask)>,
    many: FxHashMap<Key, Mask>,
}

/// The longest list that is looked through.
const FEW: usize = 12;

impl Entries {
    fn add(&mut self, key: Key, lanes: Mask) {
        if let Some((_, known)) = self.few.iter_mut().find(|(known, _)| *known == key) {
            *known |= lanes;
        } else if self.few.len() < FEW && self.many.is_empty() {
            self.few.push((key, lanes));
        } else {
            *self.many.entry(key).or_insert(0) |= lanes;
        }
    }

    fn iter(&self) -> impl Iterator<Item = (Key, Mask)> {
        self.few.iter().copied().chain(self.many.iter().map(|(&key, &lanes)| (key, lanes)))
    }

    fn retain(&mut self, keep: impl Fn(How) -> bool) {
        self.few.retain(|&((.., how), _)| keep(how));
        self.many.retain(|&(.., how), _| keep(how));
    }

    fn is_empty(&self) -> bool {
        self.few.is_empty() && self.many.is_empty()
    }

    fn clear(&mut self) {
        self.few.clear();
        self.many.clear();
    }
}

/// One cell's accesses.
#[derive(Clone, Debug, Default)]
pub struct More {
    /// The entry added to last, still growing lane by lane: a warp's 32 additions are one.
    newest: Option<(Key, Mask)>,
    /// Strong accesses of device scope, of one size and the same bytes, and where they are of half the word, those of the
    /// other half apart: a million atomic additions to a counter, or volatile loads and stores of it, cannot race among
    /// themselves, and a new one need not look at them.
    alike: [Entries; 2],
    ways: [Option<Way>; 2],
    others: Entries,
    /// The plain write that strong ones have followed, as where a counter was set to zero.
    pub plain: Touched,
    /// False if all are reads, which no other read races with.
    pub writes: bool,
    /// Strong reads since the last write, but for the one that the cell holds: the first of each thread.
    observers: Vec<(u32, Clock, How, Mask)>,
    /// What has observed the writes before the last, by half of the word.
    chains: [Chain; 2],
}

impl More {
    /// Adds an access, and the same one by other lanes of its warp.
    pub fn add(&mut self, touched: Touched, others: Mask) {
        if touched.how.is_spread() {
            touched.parts().for_each(|part| self.add_part(part, 0));
        } else {
            self.add_part(touched, others);
        }
    }

    fn add_part(&mut self, touched: Touched, others: Mask) {
        let lanes = others | 1 << touched.lane();
        if touched.how.writes() && touched.how.scope().is_none() && self.plain.how.is_none() {
            self.plain = touched;
            self.writes = true;
        } else if !self.grow(touched, lanes) {
            self.writes |= touched.how.writes();
            if let Some((key, lanes)) = self.newest.replace((key(touched), lanes)) {
                let kept = if self.is_alike(key.2) { &mut self.alike[half(key.2)] } else { &mut self.others };
                kept.add(key, lanes);
            }
            let way = &mut self.ways[half(touched.how)];
            *way = way.or(touched.how.way());
        }
    }

    /// Notes a strong read of the last write.
    pub fn observe(&mut self, read: Touched) {
        for part in read.parts() {
            let (warp, lane) = (part.warp(), 1 << part.lane());
            let same = |(known, _, how, lanes): &&(u32, Clock, How, Mask)| {
                *known == warp && lanes & lane != 0 && how.bytes() == part.how.bytes()
            };
            if self.observers.iter().any(|known| same(&known)) {
                continue;
            }
            let alike = |(known, clock, how, _): &&mut (u32, Clock, How, Mask)| {
                (*known, *clock, *how) == (warp, part.clock, part.how)
            };
            match self.observers.iter_mut().find(alike) {
                Some((.., lanes)) => *lanes |= lane,
                None => self.observers.push((warp, part.clock, part.how, lane)),
            }
        }
    }

    /// What reads from now on reads `new`, a strong write. `old`, by these lanes too, was the last write, and `read` the last read
    /// of that. A compare-and-swap may have failed.
    pub fn wrote(
        &mut self,
        (old, lanes): (Touched, Mask),
        read: Touched,
        new: (Touched, bool),
        links: impl Fn(Touched, Touched) -> bool,
    ) {
        let observers = std::mem::take(&mut self.observers);
        let reads = observers.iter().flat_map(each).chain(read.parts().filter(|read| read.how.scope().is_some()));
        let which = half(new.0.how);
        let reads = reads.filter(|read| half(read.how) == which);
        self.chains[which].wrote((old, lanes), reads, new, links);
        if new.0.how.size() >= 4 && !new.1 {
            self.chains[1 - which].cut();
        }
        self.observers = observers;
        self.observers.clear();
    }

    /// What reads from now on reads a weak write.
    pub fn hide(&mut self) {
        self.observers.clear();
        self.chains.iter_mut().for_each(Chain::cut);
    }

    pub fn chain(&self, how: How) -> &Chain {
        &self.chains[half(how)]
    }

    pub fn chain_mut(&mut self, how: How) -> &mut Chain {
        &mut self.chains[half(how)]
    }

    pub fn observers(&self) -> impl Iterator<Item = Touched> {
        self.observers.iter().flat_map(each)
    }

    /// Adds lanes to the newest entry, if they are of that entry.
    #[inline(always)]
    fn grow(&mut self, touched: Touched, more: Mask) -> bool {
        match &mut self.newest {
            Some((newest, lanes)) if *newest == key(touched) => {
                *lanes |= more;
                true
            }
            _ => false,
        }
    }

    #[inline(always)]
    fn is_alike(&self, how: How) -> bool {
        self.ways[half(how)].is_some_and(|way| how.is_wide() && how.is_like(way))
    }

    /// By half, true if nothing that was made in its one way can race with `new`.
    #[inline(always)]
    fn passed_over(&self, new: How) -> [bool; 2] {
        let passed = |way: Option<Way>| {
            way.is_none_or(|way| new.is_wide() && new.is_like(way) || new.bytes() & way.bytes() == 0)
        };
        [passed(self.ways[0]), passed(self.ways[1])]
    }

    /// True if nothing here but the plain write that comes back can race with a strong write made in the same way.
    #[inline(always)]
    pub fn is_all_alike(&self, how: How) -> bool {
        self.others.is_empty()
            && (self.ways[half(how)].is_none() || self.is_alike(how))
            && self.passed_over(how) == [true; 2]
            && self.newest.is_none_or(|((.., newest), _)| self.is_alike(newest))
    }

    /// The entries that can race with `new`.
    pub fn against(&self, new: How) -> impl Iterator<Item = (u32, Clock, How, Mask)> {
        let passed_over = self.passed_over(new);
        let newest = self.newest.iter();
        let newest = newest.filter(move |((.., how), _)| !(passed_over[half(*how)] && self.is_alike(*how))).copied();
        let alike = self.alike.iter().zip(passed_over).filter(|(_, passed_over)| !passed_over);
        let alike = alike.flat_map(|(alike, _)| alike.iter());
        let plain = (!self.plain.how.is_none()).then(|| (key(self.plain), 1 << self.plain.lane()));
        let entries = alike.chain(self.others.iter()).chain(newest).chain(plain);
        entries.map(|((warp, clock, how), lanes)| (warp, clock, how, lanes))
    }

    pub fn retain(&mut self, keep: impl Fn(How) -> bool) {
        self.alike.iter_mut().for_each(|alike| alike.retain(&keep));
        self.newest = self.newest.take().filter(|((.., how), _)| keep(*how));
        self.others.retain(&keep);
        if !keep(self.plain.how) {
            self.plain = Touched::default();
        }
    }

    pub fn is_empty(&self) -> bool {
        self.newest.is_none()
            && self.alike.iter().all(Entries::is_empty)
            && self.others.is_empty()
            && self.plain.how.is_none()
    }

    /// Keeps the tables' room: blocks that follow one another fill them alike.
    fn clear(&mut self) {
        (self.newest, self.ways, self.plain, self.writes) = (None, [None; 2], Touched::default(), false);
        self.observers.clear();
        self.chains.iter_mut().for_each(Chain::clear);
        self.alike.iter_mut().for_each(Entries::clear);
        self.others.clear();
    }
}

fn each(&(warp, clock, how, mask): &(u32, Clock, How, Mask)) -> impl Iterator<Item = Touched> {
    lanes(mask).map(move |lane| Touched { thread: warp * 32 + lane as u32, clock, how })
}

/// 1 for what lies in the upper half of the word.
#[inline(always)]
fn half(how: How) -> usize {
    usize::from(how.bytes() & 0b11 == 0)
}

#[inline(always)]
fn key(touched: Touched) -> Key {
    (touched.warp(), touched.clock, touched.how)
}

/// Side table: what cells refer to by index.
#[derive(Clone, Debug, Default)]
pub struct Side {
    list: Vec<More>,
    free: Vec<u32>,
}

impl Side {
    pub fn get(&mut self, cell: &mut Cell) -> &mut More {
        if cell.more == 0 {
            cell.more = self.free.pop().unwrap_or_else(|| {
                self.list.push(More::default());
                self.list.len() as u32
            });
        }
        &mut self.list[cell.more as usize - 1]
    }

    pub fn existing(&mut self, cell: &Cell) -> Option<&mut More> {
        self.list.get_mut((cell.more as usize).checked_sub(1)?)
    }

    pub fn release(&mut self, cell: &mut Cell) {
        if cell.more != 0 {
            self.list[cell.more as usize - 1].clear();
            self.free.push(cell.more);
            cell.more = 0;
        }
    }
}
