//! The accesses of a word that its cell has no room for.
//!
//! Property: reads do not race with reads, and strong accesses of device scope or wider, of the same bytes and size, do
//! not race with each other. So a new access is not compared with lists of such accesses.
//!
//! A [`ShadowCell`](crate::fast::cell::ShadowCell) holds the last write and the last read. That suffices while each
//! access happens after the one before, as with the epochs of FastTrack. [`WordAccesses`] holds the rest: several
//! unordered readers, several atomic operations, threads that share a word in parts, and what strong reads have
//! observed. For the readers it corresponds to FastTrack's read vector clock, but it keeps the accesses themselves. One
//! entry represents many lanes of a warp that made the same access at the same clock.
//!
//! # Example
//!
//! Lane 0 of each of five warps of a block accesses one word of global memory. The numbers are those of the warps. The
//! results of the atomic additions are not used.
//!
//! | access | cell: write, read | `WordAccesses` |
//! |---|---|---|
//! | warp 0 stores 0 | 0, none | none |
//! | after a barrier, warp 1 adds atomically | 1, none | `plain`: 0 |
//! | warp 2 adds, not ordered after warp 1 | 2, none | `plain`: 0; `newest`: 1; `chains`: a run of both adds |
//! | after a barrier, warp 3 reads | 2, 3 | unchanged |
//! | warp 4 reads, not ordered after warp 3 | 2, 4 | `newest`: 3; `kept[1].alike[0]`: 1; the rest unchanged |
//!
//! # Invariants
//!
//! - An access that the cell drops is kept here until a newer one represents it, or until it has been reported and the
//!   list is long ([`crate::fast::record`]).
//! - `newest` is in no list; the next entry moves it to one.
//! - Without `is_listed`, all lists of `kept` are empty.
//! - All entries of `alike` for one half of the word are of the bytes and size in `ways` of that half, so that they
//!   cannot race with each other. Without `is_mixed`, this includes all of `kept` and `newest`.
//! - Without `writes`, every access here is a read, except for those in `far`.

use crate::fast::chains::Chains;
use crate::fast::entries::{Entries, EntryKey, key};
use crate::fast::readers::{Readers, UnorderedBlocks};
use crate::fast::write_chain::{ChainAccess, WriteChain};
use crate::sites::touched::{AccessInfo, Clock, RecordedAccess, StrongClass};
use machine::registers::{Mask, lanes};
use rustc_hash::FxHashMap;

/// The reads, or the writes, of a word.
#[derive(Clone, Debug, Default)]
struct KeptAccesses {
    /// Strong accesses of device scope or wider, of the same bytes and size; those of the upper half of the word are
    /// separate. A million atomic additions to a counter, or volatile loads and stores of it, cannot race among
    /// themselves. So a new one is not compared with them.
    alike: [Entries; 2],
    others: Entries,
}

impl KeptAccesses {
    fn lists(&self) -> impl Iterator<Item = &Entries> {
        self.alike.iter().chain([&self.others])
    }

    fn lists_mut(&mut self) -> impl Iterator<Item = &mut Entries> {
        self.alike.iter_mut().chain([&mut self.others])
    }
}

/// A strong access by another block, and the other lanes that have made it.
type OtherBlockAccess = (RecordedAccess, Mask);

type Reads<'a> = &'a mut dyn Iterator<Item = RecordedAccess>;

/// The accesses of one cell: see the module documentation.
#[derive(Clone, Debug, Default)]
pub struct WordAccesses {
    /// The entry added last, which may still grow lane by lane: a warp's 32 additions are one entry.
    newest: Option<(EntryKey, Mask)>,
    /// Bytes and size of the entries in `alike`, by half of the word.
    ways: [Option<StrongClass>; 2],
    /// The reads, then the writes.
    kept: [KeptAccesses; 2],
    /// True if `kept` may have entries. Most words have only `newest`.
    is_listed: bool,
    /// True if an entry of `kept`, or `newest`, may differ from `ways`.
    is_mixed: bool,
    /// A plain write that strong ones have followed, such as the one that sets a counter to zero.
    pub plain: RecordedAccess,
    /// For reads and for writes, the last strong access (with its other lanes) by another block than that of the access
    /// which represents it now. A narrow access of the latter block races with this one only.
    far: Option<Box<[Option<OtherBlockAccess>; 2]>>,
    /// False if all are reads. No other read races with these.
    pub writes: bool,
    /// Strong reads since the last write, except the one that the cell holds: by warp, the first of each thread.
    observers: FxHashMap<u32, Vec<(Clock, AccessInfo, Mask)>>,
    /// The observers of the writes before the last.
    chains: Chains,
}

impl WordAccesses {
    /// Adds an access, and the same access by other lanes of its warp.
    pub fn add(&mut self, touched: RecordedAccess, others: Mask) {
        if touched.info.is_spread() {
            touched.parts().for_each(|part| self.add_part(part, 0));
        } else {
            self.add_part(touched, others);
        }
    }

    /// Takes the reads of a word that has only been read so far. This entry must be empty.
    pub fn take_reads(&mut self, readers: &mut Readers) {
        self.newest = readers.newest.take();
        std::mem::swap(&mut self.kept[0].others, &mut readers.others);
        (self.is_listed, self.is_mixed) = (true, true);
        readers.clear();
    }

    fn add_part(&mut self, touched: RecordedAccess, others: Mask) {
        let lanes = others | 1 << touched.lane();
        if touched.info.writes() && touched.info.scope().is_none() && self.plain.info.is_none() {
            self.plain = touched;
            self.writes = true;
        } else if !self.grow(touched, lanes) {
            self.writes |= touched.info.writes();
            if let Some((key, lanes)) = self.newest.replace((key(touched), lanes)) {
                let is_alike = self.is_alike(key.2);
                let kept = &mut self.kept[usize::from(key.2.writes())];
                let entries = if is_alike { &mut kept.alike[half(key.2)] } else { &mut kept.others };
                entries.add(key, lanes);
                self.is_listed = true;
            }
            let way = &mut self.ways[half(touched.info)];
            *way = way.or(touched.info.wide_way());
            self.is_mixed |= !self.is_alike(touched.info);
        }
    }

    /// True if the first update kept here is of another block than `new`. All entries are then wide strong accesses of
    /// its bytes and size, and there is no plain write and no strong read of the last write.
    #[inline]
    pub fn has_update_beside(&self, new: RecordedAccess, blocks: UnorderedBlocks) -> bool {
        let newest = self.newest.filter(|((.., info), _)| info.writes());
        let mut updates = self.kept[1].alike[half(new.info)].iter().chain(newest).map(|((warp, ..), _)| warp);
        self.plain.info.is_none()
            && self.observers.is_empty()
            && self.is_all_alike(new.info)
            && updates.next().is_some_and(|first| blocks.are_two([first, new.warp()].into_iter()))
    }

    /// Keeps `old`, made by the lanes `others` too, which an access of another block is about to replace.
    pub fn keep_far(&mut self, old: RecordedAccess, others: Mask) {
        self.far.get_or_insert_default()[usize::from(old.info.writes())] = Some((old, others));
    }

    /// False if no access here can race with one made like this.
    pub fn may_race(&self, new: AccessInfo) -> bool {
        self.writes || new.writes() || self.far.as_ref().is_some_and(|far| far[1].is_some())
    }

    /// Records a strong read of the last write.
    pub fn observe(&mut self, read: RecordedAccess) {
        for part in read.parts() {
            let (observers, lane) = (self.observers.entry(part.warp()).or_default(), 1 << part.lane());
            if observers.iter().any(|(_, info, lanes)| lanes & lane != 0 && info.observes_as(part.info)) {
                continue;
            }
            match observers.iter_mut().find(|(clock, info, _)| (*clock, *info) == (part.clock, part.info)) {
                Some((.., lanes)) => *lanes |= lane,
                None => observers.push((part.clock, part.info, lane)),
            }
        }
    }

    /// Records that the word's last write is an update by these lanes, with `last` as the last of them.
    pub fn join(&mut self, last: RecordedAccess, lanes: Mask) {
        if lanes & lanes.wrapping_sub(1) != 0 {
            self.chains.of_mut(first(last.info)).join(last, lanes);
        }
    }

    /// Records that `others` fail a compare-and-swap right after `one`, the word's last access, in the same step up to
    /// `last`. Does the same as [`WordAccesses::add`] and [`WordAccesses::wrote`] for each. Returns false, having done
    /// nothing, if `one` was the first of its step.
    pub fn fails_alike(&mut self, one: RecordedAccess, others: Mask, last: RecordedAccess) -> bool {
        let is_known = self.newest.is_some_and(|(newest, _)| newest == key(one));
        let done = is_known && self.chains.of_mut(first(one.info)).fails_alike(one, others);
        done && self.grow(one, (others | 1 << one.lane()) & !(1 << last.lane()))
    }

    /// Does the same as [`WordAccesses::wrote`] for an update of the word that drops the value that it finds, if
    /// nothing has read `old`. Otherwise returns false.
    #[inline(always)]
    pub fn runs_on(&mut self, old: RecordedAccess, new: RecordedAccess) -> bool {
        new.info.size() >= 4
            && self.observers.is_empty()
            && self.chains.parts().all(WriteChain::is_unused)
            && self.chains.word.runs_on(old, new)
    }

    /// Ends a run, before an access that has to distinguish its writes.
    pub fn settle(&mut self) {
        if !self.chains.word.is_run() {
            return;
        }
        self.kept[1].alike[0].sort();
        let writes = self.kept[1].alike[0].iter().chain(self.newest);
        self.chains.word.settle(writes.map(|((warp, clock, info), lanes)| (warp, clock, info, lanes)));
    }

    /// True if a read may have observed the last write, a strong store that the cell no longer holds.
    #[inline(always)]
    pub fn is_observed(&self, info: AccessInfo) -> bool {
        !self.observers.is_empty() || self.chain(info).is_read()
    }

    /// Records the strong write `new`, which later reads observe. `old` was the last write, and `read` the last read of
    /// it. `new` may be a compare-and-swap that failed.
    pub fn wrote(
        &mut self,
        old: RecordedAccess,
        read: RecordedAccess,
        new: ChainAccess,
        links: impl Fn(RecordedAccess, RecordedAccess) -> bool,
    ) {
        let info = new.access.info;
        self.begin(old);
        if first(info) == 0 && !self.chains.has_parts() && self.observers.is_empty() && read.info.is_none() {
            // No read so far: this is the path of most words.
            return self.chains.word.wrote(std::iter::empty(), new, links);
        }
        // Creates the chain, so that `note` below visits it.
        self.chains.of_mut(first(info));
        self.note(read, |chain, byte, reads| {
            if byte == first(info) {
                chain.wrote(reads, new, &links);
            } else if !new.fails {
                chain.cut(info.bytes(), reads, &links);
            }
        });
        // A compare-and-swap that fails is also a read, and leaves all other reads as they are.
        if new.fails {
            self.leave(|other| first(other) != first(info), read);
        } else {
            self.leave(|other| other.bytes() & info.bytes() == 0, read);
        }
    }

    /// Returns true if no chain of strong writes is kept and no strong read has observed the word.
    #[inline(always)]
    pub fn is_unobserved(&self) -> bool {
        self.observers.is_empty() && self.chains.are_unused()
    }

    /// Records the weak write `by`: later reads of its bytes observe none of the strong writes before it. `old` and
    /// `read` are as in [`WordAccesses::wrote`].
    pub fn hide(
        &mut self,
        old: RecordedAccess,
        read: RecordedAccess,
        by: AccessInfo,
        links: impl Fn(RecordedAccess, RecordedAccess) -> bool,
    ) {
        self.begin(old);
        self.note(read, |chain, _, reads| chain.cut(by.bytes(), reads, &links));
        self.leave(|other| other.bytes() & by.bytes() == 0, read);
    }

    /// Calls `tell` with each chain, its first byte, and the reads of its last write.
    fn note(&mut self, read: RecordedAccess, mut tell: impl FnMut(&mut WriteChain, usize, Reads)) {
        for (byte, chain) in self.chains.iter_mut() {
            let reads =
                self.observers.iter().flat_map(each).chain(read.parts().filter(|read| read.info.scope().is_some()));
            tell(chain, byte, &mut reads.filter(|read| first(read.info) == byte));
        }
    }

    fn begin(&mut self, old: RecordedAccess) {
        old.parts().for_each(|part| self.chains.of_mut(first(part.info)).begin(part));
    }

    /// Keeps those reads since the last write that `stays` accepts, since what they have read is still there. `read`
    /// was the last.
    fn leave(&mut self, stays: impl Fn(AccessInfo) -> bool, read: RecordedAccess) {
        self.observers.retain(|_, list| {
            list.retain(|(_, info, _)| stays(*info));
            !list.is_empty()
        });
        read.parts().filter(|read| read.info.scope().is_some() && stays(read.info)).for_each(|read| self.observe(read));
    }

    /// True if the chain's last write is a strong one of the same bytes and size.
    pub fn follows(&self, info: AccessInfo) -> bool {
        self.chain(info).follows(info)
    }

    pub fn chain(&self, info: AccessInfo) -> &WriteChain {
        self.chains.of(first(info))
    }

    pub fn chain_mut(&mut self, info: AccessInfo) -> &mut WriteChain {
        self.chains.of_mut(first(info))
    }

    /// Returns the strong reads of the last write by these warps, or by all if `warps` is `None`. Each is one lane of
    /// an entry and all lanes of it.
    pub fn observers(&self, warps: Option<impl Iterator<Item = u32>>) -> impl Iterator<Item = (RecordedAccess, Mask)> {
        let all = if warps.is_none() { Some(self.observers.iter()) } else { None };
        let some = warps.into_iter().flatten().filter_map(|warp| self.observers.get_key_value(&warp));
        let entry = |warp: u32, &(clock, info, mask): &(Clock, AccessInfo, Mask)| {
            (RecordedAccess { thread: warp * 32 + mask.trailing_zeros(), clock, info }, mask)
        };
        some.chain(all.into_iter().flatten()).flat_map(move |(&warp, list)| list.iter().map(move |it| entry(warp, it)))
    }

    /// Adds lanes to the newest entry and returns true, if it is the same access.
    #[inline(always)]
    fn grow(&mut self, touched: RecordedAccess, more: Mask) -> bool {
        match &mut self.newest {
            Some((newest, lanes)) if *newest == key(touched) => {
                *lanes |= more;
                true
            }
            _ => false,
        }
    }

    #[inline(always)]
    fn is_alike(&self, info: AccessInfo) -> bool {
        self.ways[half(info)].is_some_and(|way| info.is_wide() && info.is_like(way))
    }

    /// By half of the word, true if no access in that half's `alike` list can race with `new`.
    #[inline(always)]
    fn passed_over(&self, new: AccessInfo) -> [bool; 2] {
        let passed = |way: Option<StrongClass>| {
            way.is_none_or(|way| new.is_wide() && new.is_like(way) || new.bytes() & way.bytes() == 0)
        };
        [passed(self.ways[0]), passed(self.ways[1])]
    }

    /// True if no entry here, except perhaps `plain`, can race with a wide strong write made like `info`.
    #[inline(always)]
    pub fn is_all_alike(&self, info: AccessInfo) -> bool {
        !self.is_mixed
            && (self.ways[half(info)].is_none() || self.is_alike(info))
            && self.passed_over(info) == [true; 2]
    }

    /// Sorts the lists that [`WordAccesses::against`] reads. To be called before it.
    #[inline(always)]
    pub fn sort(&mut self, new: AccessInfo) {
        self.lists_against(new).for_each(Entries::sort);
    }

    /// Returns the lists with entries that can race with `new`.
    fn lists_against(&mut self, new: AccessInfo) -> impl Iterator<Item = &mut Entries> {
        let passed_over = self.passed_over(new);
        // Reads do not race with each other.
        let kept = if self.is_listed { &mut self.kept[usize::from(!new.writes())..] } else { &mut [] };
        let lists = kept.iter_mut().flat_map(KeptAccesses::lists_mut);
        lists.zip(skipped(passed_over)).filter(|(_, is_skipped)| !is_skipped).map(|(entries, _)| entries)
    }

    /// Returns the entries that can race with `new`.
    pub fn against(&self, new: AccessInfo) -> impl Iterator<Item = (u32, Clock, AccessInfo, Mask)> {
        // Reads do not race with each other.
        self.of_lists(usize::from(!new.writes()), new)
    }

    /// Returns all entries that write, except `plain` and `far`.
    pub fn writes(&self) -> impl Iterator<Item = (u32, Clock, AccessInfo, Mask)> {
        let kept = self.kept[1].lists().flat_map(Entries::iter).chain(self.newest);
        kept.map(|((warp, clock, info), lanes)| (warp, clock, info, lanes)).filter(|(_, _, info, _)| info.writes())
    }

    fn of_lists(&self, from: usize, new: AccessInfo) -> impl Iterator<Item = (u32, Clock, AccessInfo, Mask)> {
        let passed_over = self.passed_over(new);
        let newest = self.newest.iter();
        let newest = newest.filter(move |((.., info), _)| !(passed_over[half(*info)] && self.is_alike(*info))).copied();
        let kept = if self.is_listed { &self.kept[from..] } else { &[] };
        let lists = kept.iter().flat_map(KeptAccesses::lists);
        let lists = lists.zip(skipped(passed_over)).filter(|(_, is_skipped)| !is_skipped);
        let plain = (!self.plain.info.is_none()).then(|| (key(self.plain), 1 << self.plain.lane()));
        let is_narrow = new.scope().is_some() && !new.is_wide();
        let far = self.far.iter().filter(move |_| is_narrow).flat_map(move |far| far[from..].iter().flatten());
        let far = far.map(|&(touched, others)| (key(touched), others | 1 << touched.lane()));
        let entries = lists.flat_map(|(entries, _)| entries.iter()).chain(newest).chain(plain).chain(far);
        entries.map(|((warp, clock, info), lanes)| (warp, clock, info, lanes))
    }

    pub fn retain(&mut self, keep: impl Fn(AccessInfo) -> bool) {
        self.kept.iter_mut().flat_map(KeptAccesses::lists_mut).for_each(|entries| entries.retain(&keep));
        self.newest = self.newest.take().filter(|((.., info), _)| keep(*info));
        if !keep(self.plain.info) {
            self.plain = RecordedAccess::default();
        }
        for far in self.far.iter_mut().flat_map(|far| far.iter_mut()) {
            *far = far.take().filter(|(touched, _)| keep(touched.info));
        }
        self.is_mixed = self.kept.iter().any(|kept| !kept.others.is_empty())
            || self.newest.is_some_and(|((.., newest), _)| !self.is_alike(newest));
    }

    /// Drops entries of long lists that can race with `new`, where `keep` is false.
    pub fn thin_out(&mut self, new: RecordedAccess, keep: impl Fn(EntryKey, Mask) -> bool) {
        self.lists_against(new.info).for_each(|entries| entries.thin_out(new, &keep));
    }

    pub fn is_empty(&self) -> bool {
        self.newest.is_none()
            && self.kept.iter().flat_map(KeptAccesses::lists).all(Entries::is_empty)
            && self.plain.info.is_none()
            && self.far.iter().flat_map(|far| far.iter()).all(Option::is_none)
    }

    /// Removes all entries, and keeps the allocations: consecutive blocks fill them alike.
    pub fn clear(&mut self) {
        (self.newest, self.ways, self.plain) = (None, [None; 2], RecordedAccess::default());
        self.far = None;
        (self.writes, self.is_mixed) = (false, false);
        self.observers.clear();
        self.chains.iter_mut().for_each(|(_, chain)| chain.clear());
        if std::mem::take(&mut self.is_listed) {
            self.kept.iter_mut().flat_map(KeptAccesses::lists_mut).for_each(Entries::clear);
        }
    }
}

/// Returns what a warp has observed, one access for each lane.
fn each<'a>(
    (&warp, observers): (&'a u32, &'a Vec<(Clock, AccessInfo, Mask)>),
) -> impl Iterator<Item = RecordedAccess> + 'a {
    observers.iter().flat_map(move |&(clock, info, mask)| {
        lanes(mask).map(move |lane| RecordedAccess { thread: warp * 32 + lane as u32, clock, info })
    })
}

/// For each list of [`KeptAccesses::lists`], over and over, returns true if it is passed over. The list `others` never
/// is.
fn skipped([lower, upper]: [bool; 2]) -> impl Iterator<Item = bool> {
    [lower, upper, false].into_iter().cycle()
}

/// Returns 1 for an access within the upper half of the word, otherwise 0.
#[inline(always)]
fn half(info: AccessInfo) -> usize {
    usize::from(info.bytes() & 0b11 == 0)
}

/// Returns the first byte of the word that an access touches.
#[inline(always)]
pub fn first(info: AccessInfo) -> usize {
    info.bytes().trailing_zeros() as usize % 4
}
