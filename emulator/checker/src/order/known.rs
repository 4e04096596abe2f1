//! The clocks of blocks, as a tree whose copies share equal parts, so that a copy costs only what differs.
//!
//! Threads that pass on a lock have acquired the clocks of all that held it before, and a grid those of all its
//! ancestors, however deep. So two views are long and differ little.
//!
//! Kernels may launch grid after grid, and each grid begins after all that those before it have done. Blocks that are
//! included as a whole are one part, however many. The numbers of grids that run side by side alternate, so each grid
//! would need as many ranges as there are grids.

use crate::order::warp_seen::{WarpSeen, count_compared};
use crate::sites::touched::Clock;
use machine::registers::Mask;
use std::rc::Rc;

/// The number of children of an inner part.
const PARTS: usize = 16;

#[derive(Clone, Debug, Default)]
pub struct Known {
    /// The smallest part that includes all entries. Level 0 are single blocks.
    root: Part,
    level: u32,
    /// The number of the root among the parts of its level.
    at: u64,
    /// True if some blocks are included as a whole.
    has_whole: bool,
}

#[derive(Clone, Debug, Default)]
enum Part {
    #[default]
    None,
    /// All accesses of its blocks.
    All,
    /// The warps of a block.
    Block(Rc<Vec<WarpSeen>>),
    Parts(Rc<[Part; PARTS]>),
}

/// Returns the number of the part that contains part `at`, so many levels above it.
fn above(at: u64, levels: u32) -> u64 {
    at.checked_shr(4 * levels).unwrap_or(0)
}

/// Returns the first and the last block of a part.
fn range(level: u32, at: u64) -> (u64, u64) {
    let first = at.checked_shl(4 * level).unwrap_or(0);
    (first, first | !u64::MAX.checked_shl(4 * level).unwrap_or(0))
}

impl Known {
    /// Returns the part of that level, which is at most the root's, and of that number.
    #[inline(always)]
    fn part(&self, to: u32, at: u64) -> &Part {
        if above(at, self.level - to) != self.at {
            return &Part::None;
        }
        let (mut part, mut level) = (&self.root, self.level);
        while level != to
            && let Part::Parts(parts) = part
        {
            level -= 1;
            part = &parts[above(at, level - to) as usize % PARTS];
        }
        part
    }

    /// Returns the result of `look` for the clocks of a warp; `whole`, if its block is included as a whole, and
    /// `nothing`, if it has no entry.
    #[inline(always)]
    pub fn look<T>(&self, block: u64, warp: u32, whole: T, nothing: T, look: impl FnOnce(&WarpSeen) -> T) -> T {
        match self.part(0, block) {
            Part::All => whole,
            Part::Block(warps) => warps.get(warp as usize).map_or(nothing, look),
            _ => nothing,
        }
    }

    /// Raises the root until it contains the blocks from the first to the last.
    fn hold(&mut self, (first, last): (u64, u64)) {
        if self.is_empty() {
            (self.level, self.at) = (0, first);
        }
        while above(first, self.level) != self.at || above(last, self.level) != self.at {
            if !self.is_empty() {
                let mut parts: [Part; PARTS] = Default::default();
                parts[self.at as usize % PARTS] = std::mem::take(&mut self.root);
                self.root = Part::Parts(Rc::new(parts));
            }
            (self.level, self.at) = (self.level + 1, above(self.at, 1));
        }
    }

    /// Adds the accesses of lanes of a warp up to `clock`.
    pub fn raise(&mut self, block: u64, warp: u32, mask: Mask, clock: Clock) {
        self.hold((block, block));
        let mut part = &mut self.root;
        for level in (0..self.level).rev() {
            if matches!(part, Part::All) {
                return;
            }
            part = &mut part.parts_mut()[above(block, level) as usize % PARTS];
        }
        if matches!(part, Part::None) {
            *part = Part::Block(Rc::default());
        }
        if let Part::Block(warps) = part {
            let warps = Rc::make_mut(warps);
            if warps.len() <= warp as usize {
                warps.resize(warp as usize + 1, WarpSeen::default());
            }
            warps[warp as usize].raise(mask, clock);
        }
    }

    /// Adds all accesses of blocks: the first, and one past the last.
    pub fn add_whole(&mut self, (first, end): (u64, u64)) {
        if first < end {
            self.hold((first, end - 1));
            self.root.set(self.level, self.at, (first, end - 1), &Part::All);
            self.has_whole = true;
        }
    }

    /// Returns the entries of all blocks but these: the first, and one past the last.
    pub fn outside(&self, (first, end): (u64, u64)) -> Known {
        let mut outside = self.clone();
        if first < end {
            outside.root.set(self.level, self.at, (first, end - 1), &Part::None);
        }
        outside
    }

    pub fn is_empty(&self) -> bool {
        matches!(self.root, Part::None)
    }

    /// Returns the blocks that have an entry; `None` if some are included as a whole.
    pub fn blocks(&self) -> Option<impl Iterator<Item = u64>> {
        let mut open = vec![(self.level, self.at, &self.root)];
        let next = move || {
            while let Some((level, at, part)) = open.pop() {
                match part {
                    Part::Parts(parts) => {
                        let last = range(1, at).1;
                        open.extend(parts.iter().rev().zip(0..).map(|(part, back)| (level - 1, last - back, part)));
                    }
                    Part::Block(_) => return Some(at),
                    Part::None | Part::All => {}
                }
            }
            None
        };
        (!self.has_whole).then(|| std::iter::from_fn(next))
    }

    /// True if joining `other` would change nothing. A thread that spins acquires the same again and again.
    pub fn covers(&self, other: &Known) -> bool {
        self.covers_part(other.level, other.at, &other.root)
    }

    fn covers_part(&self, level: u32, at: u64, theirs: &Part) -> bool {
        match theirs {
            _ if level <= self.level => self.part(level, at).covers(theirs),
            Part::None => true,
            Part::Parts(parts) => {
                parts.iter().zip(range(1, at).0..).all(|(part, at)| self.covers_part(level - 1, at, part))
            }
            _ => false,
        }
    }

    /// Joins `other` to this.
    pub fn join(&mut self, other: &Known) {
        if other.is_empty() {
            return;
        }
        if self.is_empty() {
            self.clone_from(other);
            return;
        }
        self.has_whole |= other.has_whole;
        let mut other = other.clone();
        self.hold(range(other.level, other.at));
        other.hold(range(self.level, self.at));
        self.root = self.root.with(&other.root);
    }
}

impl Part {
    /// Returns its children, to be changed. Must not be called for a single block, which has none.
    fn parts_mut(&mut self) -> &mut [Part; PARTS] {
        if !matches!(self, Part::Parts(_)) {
            *self = Part::Parts(Rc::new(std::array::from_fn(|_| self.clone())));
        }
        match self {
            Part::Parts(parts) => Rc::make_mut(parts),
            _ => unreachable!("just made"),
        }
    }

    /// Sets all of those blocks to `to`: included as a whole, or without an entry.
    fn set(&mut self, level: u32, at: u64, blocks: (u64, u64), to: &Part) {
        let (first, last) = range(level, at);
        if blocks.1 < first || last < blocks.0 || self.is(to) {
            return;
        }
        if blocks.0 <= first && last <= blocks.1 {
            *self = to.clone();
            return;
        }
        let parts = self.parts_mut();
        parts.iter_mut().zip(range(1, at).0..).for_each(|(part, at)| part.set(level - 1, at, blocks, to));
        if parts.iter().all(|part| part.is(to)) {
            *self = to.clone();
        }
    }

    fn covers(&self, other: &Part) -> bool {
        match (self, other) {
            (_, Part::None) | (Part::All, _) => true,
            (Part::Block(mine), Part::Block(theirs)) => {
                Rc::ptr_eq(mine, theirs)
                    || theirs.len() <= mine.len()
                        && mine.iter().zip(theirs.iter()).all(|(mine, theirs)| mine.covers(theirs))
            }
            (Part::Parts(mine), Part::Parts(theirs)) if Rc::ptr_eq(mine, theirs) => true,
            (Part::Parts(mine), Part::Parts(theirs)) => {
                count_compared();
                mine.iter().zip(theirs.iter()).all(|(mine, theirs)| mine.covers(theirs))
            }
            _ => false,
        }
    }

    /// True if both are the same value or share one allocation.
    fn is(&self, other: &Part) -> bool {
        match (self, other) {
            (Part::None, Part::None) | (Part::All, Part::All) => true,
            (Part::Block(mine), Part::Block(theirs)) => Rc::ptr_eq(mine, theirs),
            (Part::Parts(mine), Part::Parts(theirs)) => Rc::ptr_eq(mine, theirs),
            _ => false,
        }
    }

    /// Returns the join of both, which shares one of them if it covers the other.
    fn with(&self, other: &Part) -> Part {
        match (self, other) {
            (Part::Parts(mine), Part::Parts(theirs)) if !Rc::ptr_eq(mine, theirs) => {
                let parts: [Part; PARTS] = std::array::from_fn(|at| mine[at].with(&theirs[at]));
                let are = |those: &[Part; PARTS]| parts.iter().zip(those).all(|(part, that)| part.is(that));
                if are(mine) {
                    self.clone()
                } else if are(theirs) {
                    other.clone()
                } else if parts.iter().all(|part| matches!(part, Part::All)) {
                    Part::All
                } else {
                    Part::Parts(Rc::new(parts))
                }
            }
            _ if self.covers(other) => self.clone(),
            (Part::Block(mine), Part::Block(theirs)) if !other.covers(self) => {
                let both = |at| {
                    let [mine, theirs]: [Option<&WarpSeen>; 2] = [mine.get(at), theirs.get(at)];
                    mine.zip(theirs).map_or_else(
                        || mine.or(theirs).cloned().unwrap_or_default(),
                        |(mine, theirs)| mine.with(theirs),
                    )
                };
                Part::Block(Rc::new((0..mine.len().max(theirs.len())).map(both).collect()))
            }
            _ => other.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use machine::schedule::split_mix;
    use std::collections::BTreeMap;

    /// Returns the clocks of a block's only warp.
    fn clock(known: &Known, block: u64) -> Clock {
        known.look(block, 0, Clock::MAX, 0, |seen| seen.get(0))
    }

    fn plainly(known: &Known) -> BTreeMap<u64, Clock> {
        (0..7200).map(|block| (block, clock(known, block))).filter(|(_, clock)| *clock != 0).collect()
    }

    #[test]
    fn it_says_the_same_as_a_list_of_its_blocks() {
        let mut seed = 7;
        let mut all = vec![(Known::default(), BTreeMap::new()); 4];
        for _ in 0..600 {
            let [dice, to, from] = [split_mix(&mut seed), split_mix(&mut seed) % 4, split_mix(&mut seed) % 4];
            let (to, from, first) = (to as usize, from as usize, dice % 5000);
            let end = first + [1, 1, 7, 16, 64, 300, 2048][(dice >> 32) as usize % 7];
            let (other, blocks) = all[from].clone();
            let (known, plain) = &mut all[to];
            match dice % 5 {
                0 => {
                    known.join(&other);
                    blocks.iter().for_each(|(&block, &clock)| {
                        let mine: &mut Clock = plain.entry(block).or_default();
                        *mine = clock.max(*mine);
                    });
                }
                1 => {
                    known.add_whole((first, end));
                    plain.extend((first..end).map(|block| (block, Clock::MAX)));
                }
                2 => {
                    *known = known.outside((first, end));
                    plain.retain(|block, _| !(first..end).contains(block));
                }
                _ => {
                    let (block, clock) = ([first, dice % 20][dice as usize / 5 % 2], 1 + (dice >> 40) as Clock % 9);
                    known.raise(block, 0, 1, clock);
                    let mine: &mut Clock = plain.entry(block).or_default();
                    *mine = clock.max(*mine);
                }
            }
            for (known, plain) in &all {
                assert_eq!(plainly(known), *plain);
                if let Some(blocks) = known.blocks() {
                    assert!(blocks.eq(plain.keys().copied()));
                }
            }
            let covers = |mine: &BTreeMap<u64, Clock>, theirs: &BTreeMap<u64, Clock>| {
                theirs.iter().all(|(block, clock)| mine.get(block) >= Some(clock))
            };
            assert_eq!(all[to].0.covers(&all[from].0), covers(&all[to].1, &all[from].1));
        }
    }

    #[test]
    fn whole_grids_are_one_part_and_what_has_the_other_is_shared() {
        let mut set = Known::default();
        (0..1024).rev().for_each(|block| set.add_whole((block, block + 1)));
        let mut same = Known::default();
        same.add_whole((0, 1024));
        assert!(set.covers(&same) && same.covers(&set));
        let mut more = same.clone();
        more.raise(5000, 3, 0b10, 6);
        same.join(&more);
        assert!(same.root.is(&more.root) && same.covers(&set) && !set.covers(&same));
        more.add_whole((0, 1 << 16));
        assert!(matches!(more.root, Part::All) && more.covers(&same));
    }

    #[test]
    fn what_is_learnt_leaves_the_rest_shared() {
        let mut one = Known::default();
        (0..256).for_each(|block| one.raise(block, 0, 1, 1));
        let mut other = one.clone();
        other.raise(77, 0, 1, 2);
        let (Part::Parts(a), Part::Parts(b)) = (&one.root, &other.root) else { panic!("many blocks") };
        let shared = a.iter().zip(b.iter()).filter(|(a, b)| a.is(b)).count();
        assert_eq!(shared, 15);
    }
}
