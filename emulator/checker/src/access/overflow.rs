//! Accesses that a cell has no room for: several unordered readers, several atomics, threads
//! that share a word in parts. One entry stands for many lanes of a warp.

use crate::access::cell::Cell;
use crate::access::chains::Chains;
use crate::access::entries::{Common, Entries, key};
use crate::access::readers::Readers;
use crate::access::write_chain::WriteChain;
use crate::sites::touched::{Clock, How, Touched, Way};
use machine::registers::{Mask, lanes};
use rustc_hash::FxHashMap;

/// What is kept of reads, or of writes.
#[derive(Clone, Debug, Default)]
struct Kept {
    /// Strong accesses of device scope, of one size and the same bytes. Where they are of half the word, those of the
    /// other half are apart. A million atomic additions to a counter, or volatile loads and stores of it, cannot race
    /// among themselves. So a new one need not look at them.
    alike: [Entries; 2],
    others: Entries,
}

impl Kept {
    fn lists(&self) -> impl Iterator<Item = &Entries> {
        self.alike.iter().chain([&self.others])
    }

    fn lists_mut(&mut self) -> impl Iterator<Item = &mut Entries> {
        self.alike.iter_mut().chain([&mut self.others])
    }
}

/// An access by another block, and the lanes that have made it beside its own.
type Far = (Touched, Mask);

type Reads<'a> = &'a mut dyn Iterator<Item = Touched>;

/// One cell's accesses.
#[derive(Clone, Debug, Default)]
pub struct More {
    /// The entry added to last, still growing lane by lane: a warp's 32 additions are one.
    newest: Option<(Common, Mask)>,
    /// How the alike ones are made, by half.
    ways: [Option<Way>; 2],
    /// Reads, and writes.
    kept: [Kept; 2],
    /// There may be some in `kept`: most words have no more than the newest.
    is_listed: bool,
    /// An entry of `kept`, or the newest, is not alike.
    is_mixed: bool,
    /// The plain write that strong ones have followed, as where a counter was set to zero.
    pub plain: Touched,
    /// Of reads, and of writes: the last strong one, and others' lanes, by another block than what stands in for it now. A narrow
    /// access of that block races with this one alone.
    far: Option<Box<[Option<Far>; 2]>>,
    /// False if all are reads, which no other read races with.
    pub writes: bool,
    /// Strong reads since the last write, but for the one that the cell holds: by warp, the first of each thread.
    observers: FxHashMap<u32, Vec<(Clock, How, Mask)>>,
    /// What has observed the writes before the last.
    chains: Chains,
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
                let is_alike = self.is_alike(key.2);
                let kept = &mut self.kept[usize::from(key.2.writes())];
                let entries = if is_alike { &mut kept.alike[half(key.2)] } else { &mut kept.others };
                entries.add(key, lanes);
                self.is_listed = true;
            }
            let way = &mut self.ways[half(touched.how)];
            *way = way.or(touched.how.wide_way());
            self.is_mixed |= !self.is_alike(touched.how);
        }
    }

    /// One of another block is about to stand in for `old`, made by these lanes too.
    pub fn keep_far(&mut self, old: Touched, others: Mask) {
        self.far.get_or_insert_default()[usize::from(old.how.writes())] = Some((old, others));
    }

    /// False if nothing here can race with an access made like this.
    pub fn may_race(&self, new: How) -> bool {
        self.writes || new.writes() || self.far.as_ref().is_some_and(|far| far[1].is_some())
    }

    /// Notes a strong read of the last write.
    pub fn observe(&mut self, read: Touched) {
        for part in read.parts() {
            let (observers, lane) = (self.observers.entry(part.warp()).or_default(), 1 << part.lane());
            if observers.iter().any(|(_, how, lanes)| lanes & lane != 0 && how.observes_as(part.how)) {
                continue;
            }
            match observers.iter_mut().find(|(clock, how, _)| (*clock, *how) == (part.clock, part.how)) {
                Some((.., lanes)) => *lanes |= lane,
                None => observers.push((part.clock, part.how, lane)),
            }
        }
    }

    /// The word's last write is an update by these lanes, `last` the last of them.
    pub fn join(&mut self, last: Touched, lanes: Mask) {
        if lanes & lanes.wrapping_sub(1) != 0 {
            self.chains.of_mut(first(last.how)).join(last, lanes);
        }
    }

    /// `one` is the word's last access, a compare-and-swap that has failed, and `others` follow it in its step, up to `last`: the
    /// same as [`More::add`] and [`More::wrote`] for each. False, and nothing done, if `one` was the step's first.
    pub fn fails_alike(&mut self, one: Touched, others: Mask, last: Touched) -> bool {
        let is_known = self.newest.is_some_and(|(newest, _)| newest == key(one));
        let done = is_known && self.chains.of_mut(first(one.how)).fails_alike(one, others);
        done && self.grow(one, (others | 1 << one.lane()) & !(1 << last.lane()))
    }

    /// The same as [`More::wrote`] for an update of the word that drops what it finds, where nobody has read `old`; else false.
    #[inline(always)]
    pub fn runs_on(&mut self, old: Touched, new: Touched) -> bool {
        new.how.size() >= 4
            && self.observers.is_empty()
            && self.chains.parts().all(WriteChain::is_unused)
            && self.chains.word.runs_on(old, new)
    }

    /// Ends a run, before something that tells its writes apart.
    pub fn settle(&mut self) {
        if !self.chains.word.is_run() {
            return;
        }
        self.kept[1].alike[0].sort();
        let writes = self.kept[1].alike[0].iter().chain(self.newest);
        self.chains.word.settle(writes.map(|((warp, clock, how), lanes)| (warp, clock, how, lanes)));
    }

    /// True if something may have observed the last write, which is a strong store and is not in the cell.
    #[inline(always)]
    pub fn is_observed(&self, how: How) -> bool {
        !self.observers.is_empty() || self.chain(how).is_read()
    }

    /// What reads from now on reads `new`, a strong write. `old` was the last write, and `read` the last read
    /// of that. A compare-and-swap may have failed.
    pub fn wrote(
        &mut self,
        old: Touched,
        read: Touched,
        new: (Touched, bool),
        links: impl Fn(Touched, Touched) -> bool,
    ) {
        let how = new.0.how;
        self.begin(old);
        if first(how) == 0 && !self.chains.has_parts() && self.observers.is_empty() && read.how.is_none() {
            // Nobody has read: most words go this way.
            return self.chains.word.wrote(std::iter::empty(), new, links);
        }
        // So that it is among those that are told.
        self.chains.of_mut(first(how));
        self.note(read, |chain, byte, reads| {
            if byte == first(how) {
                chain.wrote(reads, new, &links);
            } else if !new.1 {
                chain.cut(how.bytes(), reads, &links);
            }
        });
        // What fails to swap has read as well, and leaves all other reads as they are.
        if new.1 {
            self.leave(|other| first(other) != first(how), read);
        } else {
            self.leave(|other| other.bytes() & how.bytes() == 0, read);
        }
    }

    /// A weak write `by` has come: where it has written, later reads observe none of the strong writes before it. `old` and
    /// `read` are the same as above.
    pub fn hide(&mut self, old: Touched, read: Touched, by: How, links: impl Fn(Touched, Touched) -> bool) {
        self.begin(old);
        self.note(read, |chain, _, reads| chain.cut(by.bytes(), reads, &links));
        self.leave(|other| other.bytes() & by.bytes() == 0, read);
    }

    /// Shows each chain, by its first byte, the reads of what was there.
    fn note(&mut self, read: Touched, mut tell: impl FnMut(&mut WriteChain, usize, Reads)) {
        for (byte, chain) in self.chains.iter_mut() {
            let reads =
                self.observers.iter().flat_map(each).chain(read.parts().filter(|read| read.how.scope().is_some()));
            tell(chain, byte, &mut reads.filter(|read| first(read.how) == byte));
        }
    }

    fn begin(&mut self, old: Touched) {
        old.parts().for_each(|part| self.chains.of_mut(first(part.how)).begin(part));
    }

    /// Keeps of the reads since the last write those that have read what is still there. `read` was the last.
    fn leave(&mut self, stays: impl Fn(How) -> bool, read: Touched) {
        self.observers.retain(|_, list| {
            list.retain(|(_, how, _)| stays(*how));
            !list.is_empty()
        });
        read.parts().filter(|read| read.how.scope().is_some() && stays(read.how)).for_each(|read| self.observe(read));
    }

    /// True if strong writes made like this are followed.
    pub fn follows(&self, how: How) -> bool {
        self.chain(how).follows(how)
    }

    pub fn chain(&self, how: How) -> &WriteChain {
        self.chains.of(first(how))
    }

    pub fn chain_mut(&mut self, how: How) -> &mut WriteChain {
        self.chains.of_mut(first(how))
    }

    /// What these warps have observed; without a list, all. One of the lanes that have read alike, and all of them.
    pub fn observers(&self, warps: Option<impl Iterator<Item = u32>>) -> impl Iterator<Item = (Touched, Mask)> {
        let all = if warps.is_none() { Some(self.observers.iter()) } else { None };
        let some = warps.into_iter().flatten().filter_map(|warp| self.observers.get_key_value(&warp));
        let entry = |warp: u32, &(clock, how, mask): &(Clock, How, Mask)| {
            (Touched { thread: warp * 32 + mask.trailing_zeros(), clock, how }, mask)
        };
        some.chain(all.into_iter().flatten()).flat_map(move |(&warp, list)| list.iter().map(move |it| entry(warp, it)))
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
        !self.is_mixed && (self.ways[half(how)].is_none() || self.is_alike(how)) && self.passed_over(how) == [true; 2]
    }

    /// Before [`More::against`]: sorts the lists that are looked through there.
    #[inline(always)]
    pub fn sort(&mut self, new: How) {
        self.lists_against(new).for_each(Entries::sort);
    }

    /// The lists with entries that can race with `new`.
    fn lists_against(&mut self, new: How) -> impl Iterator<Item = &mut Entries> {
        let passed_over = self.passed_over(new);
        // Reads do not race with each other.
        let kept = if self.is_listed { &mut self.kept[usize::from(!new.writes())..] } else { &mut [] };
        let lists = kept.iter_mut().flat_map(Kept::lists_mut);
        lists.zip(skipped(passed_over)).filter(|(_, is_skipped)| !is_skipped).map(|(entries, _)| entries)
    }

    /// The entries that can race with `new`.
    pub fn against(&self, new: How) -> impl Iterator<Item = (u32, Clock, How, Mask)> {
        // Reads do not race with each other.
        self.of_lists(usize::from(!new.writes()), new)
    }

    /// All that write.
    pub fn writes(&self) -> impl Iterator<Item = (u32, Clock, How, Mask)> {
        let kept = self.kept[1].lists().flat_map(Entries::iter).chain(self.newest);
        kept.map(|((warp, clock, how), lanes)| (warp, clock, how, lanes)).filter(|(_, _, how, _)| how.writes())
    }

    fn of_lists(&self, from: usize, new: How) -> impl Iterator<Item = (u32, Clock, How, Mask)> {
        let passed_over = self.passed_over(new);
        let newest = self.newest.iter();
        let newest = newest.filter(move |((.., how), _)| !(passed_over[half(*how)] && self.is_alike(*how))).copied();
        let kept = if self.is_listed { &self.kept[from..] } else { &[] };
        let lists = kept.iter().flat_map(Kept::lists);
        let lists = lists.zip(skipped(passed_over)).filter(|(_, is_skipped)| !is_skipped);
        let plain = (!self.plain.how.is_none()).then(|| (key(self.plain), 1 << self.plain.lane()));
        let is_narrow = new.scope().is_some() && !new.is_wide();
        let far = self.far.iter().filter(move |_| is_narrow).flat_map(move |far| far[from..].iter().flatten());
        let far = far.map(|&(touched, others)| (key(touched), others | 1 << touched.lane()));
        let entries = lists.flat_map(|(entries, _)| entries.iter()).chain(newest).chain(plain).chain(far);
        entries.map(|((warp, clock, how), lanes)| (warp, clock, how, lanes))
    }

    pub fn retain(&mut self, keep: impl Fn(How) -> bool) {
        self.kept.iter_mut().flat_map(Kept::lists_mut).for_each(|entries| entries.retain(&keep));
        self.newest = self.newest.take().filter(|((.., how), _)| keep(*how));
        if !keep(self.plain.how) {
            self.plain = Touched::default();
        }
        for far in self.far.iter_mut().flat_map(|far| far.iter_mut()) {
            *far = far.take().filter(|(touched, _)| keep(touched.how));
        }
        self.is_mixed = self.kept.iter().any(|kept| !kept.others.is_empty())
            || self.newest.is_some_and(|((.., newest), _)| !self.is_alike(newest));
    }

    /// Lets go of entries of long lists, where they can race with `new`.
    pub fn thin_out(&mut self, new: Touched, keep: impl Fn(Common, Mask) -> bool) {
        self.lists_against(new.how).for_each(|entries| entries.thin_out(new, &keep));
    }

    pub fn is_empty(&self) -> bool {
        self.newest.is_none()
            && self.kept.iter().flat_map(Kept::lists).all(Entries::is_empty)
            && self.plain.how.is_none()
            && self.far.iter().flat_map(|far| far.iter()).all(Option::is_none)
    }

    /// Keeps the tables' room: blocks that follow one another fill them alike.
    fn clear(&mut self) {
        (self.newest, self.ways, self.plain) = (None, [None; 2], Touched::default());
        self.far = None;
        (self.writes, self.is_mixed) = (false, false);
        self.observers.clear();
        self.chains.iter_mut().for_each(|(_, chain)| chain.clear());
        if std::mem::take(&mut self.is_listed) {
            self.kept.iter_mut().flat_map(Kept::lists_mut).for_each(Entries::clear);
        }
    }
}

/// What a warp has observed, lane by lane.
fn each<'a>((&warp, observers): (&'a u32, &'a Vec<(Clock, How, Mask)>)) -> impl Iterator<Item = Touched> + 'a {
    observers.iter().flat_map(move |&(clock, how, mask)| {
        lanes(mask).map(move |lane| Touched { thread: warp * 32 + lane as u32, clock, how })
    })
}

/// Of the lists of reads and of writes, one after the other, those that are not looked at.
fn skipped([lower, upper]: [bool; 2]) -> impl Iterator<Item = bool> {
    [lower, upper, false].into_iter().cycle()
}

/// 1 for what lies in the upper half of the word.
#[inline(always)]
fn half(how: How) -> usize {
    usize::from(how.bytes() & 0b11 == 0)
}

/// The first byte of the word that it touches.
#[inline(always)]
pub fn first(how: How) -> usize {
    how.bytes().trailing_zeros() as usize % 4
}

/// Overflow table: what cells refer to by index.
#[derive(Clone, Debug, Default)]
pub struct Overflow {
    list: Vec<More>,
    free: Vec<u32>,
    readers: Vec<Readers>,
    free_readers: Vec<u32>,
    /// How many accesses were looked at one by one since that was last [asked](Overflow::take_looks).
    pub looks: u64,
}

/// Beside a cell's index: it is one of [`Readers`].
const READERS: u32 = 1 << 31;

impl Overflow {
    #[inline(always)]
    pub fn take_looks(&mut self) -> u64 {
        std::mem::take(&mut self.looks)
    }

    pub fn get(&mut self, cell: &mut Cell) -> &mut More {
        if cell.more == 0 {
            cell.more = self.vacant();
        } else if cell.more & READERS != 0 {
            self.widen(cell);
        }
        &mut self.list[cell.more as usize - 1]
    }

    fn vacant(&mut self) -> u32 {
        self.free.pop().unwrap_or_else(|| {
            self.list.push(More::default());
            self.list.len() as u32
        })
    }

    pub fn existing(&mut self, cell: &mut Cell) -> Option<&mut More> {
        if cell.more == 0 { None } else { Some(self.get(cell)) }
    }

    /// True if one of what is kept beside the cell writes.
    #[inline(always)]
    pub fn has_writes(&self, cell: &Cell) -> bool {
        cell.more != 0 && cell.more & READERS == 0 && self.list[cell.more as usize - 1].writes
    }

    /// As [`More::add`], for a read.
    #[inline(always)]
    pub fn add_read(&mut self, cell: &mut Cell, read: Touched, others: Mask) {
        let is_plain = read.how.scope().is_none() && !read.how.is_older() && !read.how.is_spread();
        if !is_plain || cell.more != 0 && cell.more & READERS == 0 {
            return self.get(cell).add(read, others);
        }
        if cell.more == 0 {
            cell.more = READERS | self.vacant_readers();
        }
        self.readers[(cell.more & !READERS) as usize].add(read, others | 1 << read.lane());
    }

    fn vacant_readers(&mut self) -> u32 {
        self.free_readers.pop().unwrap_or_else(|| {
            self.readers.push(Readers::default());
            self.readers.len() as u32 - 1
        })
    }

    /// From here on the cell has more than plain reads.
    #[inline(never)]
    fn widen(&mut self, cell: &mut Cell) {
        let old = cell.more & !READERS;
        cell.more = self.vacant();
        let (more, readers) = (&mut self.list[cell.more as usize - 1], &mut self.readers[old as usize]);
        more.newest = readers.newest.take();
        std::mem::swap(&mut more.kept[0].others, &mut readers.others);
        (more.is_listed, more.is_mixed) = (true, true);
        self.free_readers.push(old);
    }

    /// True if `is` holds for all that is kept beside the cell and can race with `new`.
    pub fn all_against(&self, cell: &Cell, new: How, mut is: impl FnMut((u32, Clock, How, Mask)) -> bool) -> bool {
        if cell.more == 0 {
            return true;
        }
        if cell.more & READERS == 0 {
            return self.list[cell.more as usize - 1].against(new).all(is);
        }
        let readers = &self.readers[(cell.more & !READERS) as usize];
        let mut all = readers.others.iter().chain(readers.newest);
        !new.writes() || all.all(|((warp, clock, how), lanes)| is((warp, clock, how, lanes)))
    }

    pub fn release(&mut self, cell: &mut Cell) {
        let more = std::mem::take(&mut cell.more);
        if more & READERS != 0 {
            let readers = &mut self.readers[(more & !READERS) as usize];
            readers.clear();
            self.free_readers.push(more & !READERS);
        } else if more != 0 {
            self.list[more as usize - 1].clear();
            self.free.push(more);
        }
    }
}
