//! Races by a comparison of all pairs of accesses: no shadow memory, no clocks. Byte by byte, and by the two lines.

use crate::kernel::{BYTES, Kernel, Kind, Step, address};
use emulator::finding::Slug;
use std::collections::BTreeSet;
use std::rc::Rc;

/// By thread, up to which step all that it did is known.
type Knows = Rc<Vec<usize>>;

/// One access of one thread.
pub struct Access {
    /// The place in the kernel's text.
    place: usize,
    step: usize,
    block: u32,
    thread: usize,
    kind: Kind,
    wide: Option<bool>,
    /// Its first byte in the window, and how many. Elements of a plain vector are one access.
    first: u32,
    size: u32,
    /// The bytes of each of its elements.
    element: u32,
    /// The steps of each thread that happen before it.
    knows: Knows,
}

impl Access {
    /// True if `other`, of the same launch, is ordered before this one.
    fn is_after(&self, other: &Access) -> bool {
        other.step < self.step && other.thread == self.thread || other.step < self.knows[other.thread]
    }

    fn is_unordered(&self, other: &Access) -> bool {
        self.thread != other.thread && !self.is_after(other) && !other.is_after(self)
    }

    /// Returns the slug of a race with `other`: if both are strong and of the same bytes, it is their scopes that do
    /// not meet.
    fn slug(&self, other: &Access, shared: bool) -> Slug {
        match (self.wide.and(other.wide), (self.first, self.size) == (other.first, other.size), shared) {
            (Some(_), true, _) => Slug::RaceScope,
            (.., true) => Slug::RaceShared,
            _ => Slug::RaceGlobal,
        }
    }

    fn reads(&self) -> bool {
        matches!(self.kind, Kind::Load | Kind::Fetch)
    }

    fn writes(&self) -> bool {
        self.kind != Kind::Load
    }

    /// True if both are strong, of the same bytes, in scopes that meet.
    fn is_strong_beside(&self, other: &Access, same_block: bool) -> bool {
        let meet = |(a, b): (bool, bool)| same_block || a && b;
        self.wide.zip(other.wide).is_some_and(meet) && (self.first, self.size) == (other.first, other.size)
    }

    /// The bytes that both touch, where one of them writes and they are not morally strong.
    fn conflict(&self, other: &Access, same_block: bool) -> std::ops::Range<u32> {
        if !(self.writes() || other.writes()) || self.is_strong_beside(other, same_block) {
            return 0..0;
        }
        self.first.max(other.first)..(self.first + self.size).min(other.first + other.size)
    }
}

/// All accesses of a launch.
pub struct Accesses {
    all: Vec<Access>,
    /// By byte of the window.
    at: Vec<Vec<u32>>,
}

impl Accesses {
    pub fn new(kernel: &Kernel) -> Accesses {
        Accesses::of(accesses(kernel))
    }

    /// In the order of the kernel's steps.
    pub fn of(all: Vec<Access>) -> Accesses {
        let mut at = vec![Vec::new(); BYTES as usize];
        for (number, access) in all.iter().enumerate() {
            (access.first..access.first + access.size).for_each(|byte| at[byte as usize].push(number as u32));
        }
        Accesses { all, at }
    }

    /// Those that touch a byte.
    fn at(&self, byte: u32) -> impl Iterator<Item = &Access> {
        self.at[byte as usize].iter().map(|&number| &self.all[number as usize])
    }

    fn iter(&self) -> impl Iterator<Item = &Access> {
        self.all.iter()
    }
}

/// All that a launch of the kernel makes of accesses, elements of strong vectors one by one, each with what is ordered
/// before it. Of blocks that do not meet two stand for all.
fn accesses(kernel: &Kernel) -> Vec<Access> {
    let of_block = kernel.threads as usize;
    let nothing: Knows = Rc::new(vec![0; 2 * of_block]);
    let mut knows = vec![nothing; 2 * of_block];
    let mut all = Vec::new();
    for (step, (round, place, what)) in kernel.unrolled().enumerate() {
        // The threads that release what they have done, and those that acquire it.
        let warps = |mask: u32| move |thread: &usize| mask >> (thread % of_block / 32) & 1 != 0;
        let blocks = || (0..2).map(|block| block * of_block..(block + 1) * of_block);
        let groups: Vec<(Vec<usize>, Vec<usize>)> = match what {
            Step::Barrier => blocks().map(|block| (block.clone().collect(), block.collect())).collect(),
            Step::Some { arrive, wait } => {
                let part = |block: std::ops::Range<usize>, mask| block.filter(warps(mask)).collect();
                blocks().map(|block| (part(block.clone(), arrive | wait), part(block, wait))).collect()
            }
            Step::WarpBarrier(mask) => {
                let lanes = |warp: std::ops::Range<usize>| -> Vec<usize> {
                    warp.clone().filter(|thread| mask >> (thread - warp.start) & 1 != 0).collect()
                };
                let warps = blocks().flat_map(|block| {
                    let end = block.end;
                    block.step_by(32).map(move |first| first..end.min(first + 32))
                });
                warps.map(lanes).map(|lanes| (lanes.clone(), lanes)).collect()
            }
            Step::Access { .. } => Vec::new(),
        };
        for (bring, get) in groups {
            let mut union = vec![0; 2 * of_block];
            for &who in &bring {
                union.iter_mut().zip(knows[who].iter()).for_each(|(all, one)| *all = (*all).max(*one));
            }
            bring.iter().for_each(|&who| union[who] = step);
            let union = Rc::new(union);
            get.iter().for_each(|&who| knows[who] = union.clone());
        }
        let Step::Access { way, base, stride, from, to, every, packed, flip, keep, drift, blocks } = what else {
            continue;
        };
        let elements = if way.wide.is_some() { way.elements } else { 1 };
        let size = way.size / elements;
        for block in (0..2).filter(|block| blocks >> block & 1 != 0) {
            for tid in (from..to.min(kernel.threads)).filter(|tid| tid % every == 0) {
                let index = (if packed { tid / every } else { tid } ^ flip) & keep;
                let index = index.wrapping_add(round * drift);
                let thread = block as usize * of_block + tid as usize;
                let first = address(base, stride, way.size, index);
                all.extend((0..elements).map(|element| Access {
                    place,
                    step,
                    block,
                    thread,
                    kind: way.kind,
                    wide: way.wide,
                    first: first + size * element,
                    size,
                    element: way.size / way.elements,
                    knows: knows[thread].clone(),
                }));
            }
        }
    }
    all
}

/// A line of another launch, or by its place in this kernel, and a line of this one; and the slug.
pub type Pair = (Slug, Option<usize>, usize);

/// The verdict that the checker is to give on a launch.
pub struct Verdict {
    /// By byte, the pairs of lines of which it may be said that they race there.
    may: Vec<BTreeSet<Pair>>,
    /// Bytes of which one of these must be reported.
    must: Vec<bool>,
}

impl Verdict {
    pub fn new() -> Verdict {
        Verdict { may: vec![BTreeSet::new(); BYTES as usize], must: vec![false; BYTES as usize] }
    }

    /// Returns what is wrong with a report of these pairs.
    pub fn objection(&self, reported: &BTreeSet<Pair>) -> Option<String> {
        let all: BTreeSet<Pair> = self.may.iter().flatten().copied().collect();
        let false_alarm = reported.difference(&all).next().map(|pair| format!("a false alarm: {pair:?}"));
        let is_missed = |at: &usize| self.must[*at] && self.may[*at].is_disjoint(reported);
        let missed = || (0..BYTES as usize).find(is_missed);
        let miss = || missed().map(|at| format!("missed at byte {at}, one of {:?}", self.may[at]));
        false_alarm.or_else(miss)
    }

    /// Adds the races of one launch. The run says whether a strong read has observed a write, and so whether what comes
    /// after it is ordered after that write. Where there is such a read, a race may be reported and need not.
    pub fn add_own(&mut self, kernel: &Kernel, all: &Accesses) {
        let looks: Vec<&Access> = all.iter().filter(|access| access.reads() && access.wide.is_some()).collect();
        for at in 0..BYTES {
            let here: Vec<&Access> = all.at(at).collect();
            for (number, new) in here.iter().enumerate() {
                for old in &here[..number] {
                    let same_block = old.block == new.block;
                    if kernel.shared && !same_block
                        || !new.is_unordered(old)
                        || !new.conflict(old, same_block).contains(&at)
                    {
                        continue;
                    }
                    let pair = (new.slug(old, kernel.shared), Some(old.place.min(new.place)), old.place.max(new.place));
                    let (may, must) = (&mut self.may[at as usize], &mut self.must[at as usize]);
                    may.insert(pair);
                    *must = *must || !is_observed(&looks, old, new) && !is_observed(&looks, new, old);
                }
            }
        }
    }

    /// Adds the races with an older operation of the host's that nothing orders before this launch.
    pub fn add_host(&mut self, old: &Operation, between: &[&Accesses], others: &[Operation], new: &Accesses) {
        let is_untouched = |at: u32| between.iter().all(|between| between.at(at).next().is_none());
        for at in (0..BYTES).filter(|at| old.touches(*at)) {
            let is_last = (at & !3..(at | 3) + 1).all(is_untouched) && !others.iter().any(|other| other.touches(at));
            for new in new.at(at).filter(|new| old.writes || new.writes()) {
                self.may[at as usize].insert((Slug::RaceGlobal, None, new.place));
                self.must[at as usize] |= is_last;
            }
        }
    }

    /// Adds the races with an older launch of the same memory that nothing orders before this one. Of an older launch
    /// the checker keeps a word's last write and read, so it may miss a race. It may not where all of that launch is of
    /// one kind and of whole words, and neither launches in between nor the host have touched them.
    pub fn add_between(&mut self, old: &Accesses, between: &[&Accesses], host: &[Operation], new: &Accesses) {
        for at in 0..BYTES {
            let word = || at & !3..(at | 3) + 1;
            let Some(first) = word().find_map(|at| old.at(at).next()) else { continue };
            // A strong load that got an older value is not kept.
            let is_kept = first.kind != Kind::Load || first.wide.is_none();
            let alike = |old: &Access| (old.kind, old.wide, old.size) == (first.kind, first.wide, first.size);
            let is_plain_to_see = is_kept
                && word().all(|at| old.at(at).all(alike))
                && word().all(|at| old.at(at).chain(new.at(at)).all(|access| access.element >= 4))
                && word().all(|at| between.iter().all(|between| between.at(at).next().is_none()))
                && !host.iter().any(|operation| operation.touches(at));
            for new in new.at(at) {
                if old.at(at).any(|old| new.conflict(old, false).contains(&at)) {
                    self.may[at as usize].insert((Slug::RaceGlobal, None, new.place));
                    self.must[at as usize] |= is_plain_to_see;
                }
            }
        }
    }
}

/// A copy or a fill that the host makes in a stream: whole words of the window.
#[derive(Clone, Copy, Debug)]
pub struct Operation {
    pub words: (u32, u32),
    pub writes: bool,
}

impl Operation {
    fn touches(&self, byte: u32) -> bool {
        (self.words.0..self.words.1).contains(&(byte / 4))
    }

    /// Returns two answers about a race with an older launch that nothing orders before it: it may be reported, and it
    /// must be.
    pub fn between(&self, old: &Accesses, between: &[&Accesses]) -> (bool, bool) {
        let races = |at: u32| self.touches(at) && old.at(at).any(|old| self.writes || old.writes());
        let word = |at: u32| at & !3..(at | 3) + 1;
        let is_kept = |at| word(at).all(|at| old.at(at).all(|old| old.kind != Kind::Load || old.wide.is_none()));
        let is_last = |at| word(at).all(|at| between.iter().all(|between| between.at(at).next().is_none()));
        let all = || (0..BYTES).filter(|at| races(*at));
        (all().next().is_some(), all().any(|at| is_kept(at) && is_last(at)))
    }
}

/// True if something before `by` may have observed what `write` wrote.
fn is_observed(looks: &[&Access], write: &Access, by: &Access) -> bool {
    let observes = |read: &&Access| read.is_strong_beside(write, read.block == write.block) && by.is_after(read);
    write.writes() && write.wide.is_some() && looks.iter().any(observes)
}
