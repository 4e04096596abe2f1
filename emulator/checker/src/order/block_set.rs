//! Blocks all of whose past is known, as a set that costs what it differs by: copies share what they have in common.
//!
//! Kernels may launch grid after grid, and each grid begins with all that those before it have done. Of grids that run side by
//! side the numbers alternate, so ranges would be as many as grids, for each grid.

use std::rc::Rc;

/// Parts of one part.
const PARTS: usize = 16;

/// So often is the whole divided. Blocks beyond are of launches whose accesses are not judged.
const LEVELS: u32 = 6;

#[derive(Clone, Debug, Default)]
pub struct BlockSet(Part);

#[derive(Clone, Debug, Default)]
enum Part {
    #[default]
    None,
    All,
    /// 64 blocks.
    Some(u64),
    Parts(Rc<[Part; PARTS]>),
}

/// Blocks in a part of that level.
fn span(level: u32) -> u64 {
    64 << (4 * level)
}

impl BlockSet {
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        matches!(self.0, Part::None)
    }

    #[inline]
    pub fn contains(&self, block: u64) -> bool {
        if self.is_empty() || block >= span(LEVELS) {
            return false;
        }
        let (mut part, mut level) = (&self.0, LEVELS);
        loop {
            match part {
                Part::None => return false,
                Part::All => return true,
                Part::Some(blocks) => return blocks >> (block % 64) & 1 != 0,
                Part::Parts(parts) => {
                    level -= 1;
                    part = &parts[(block / span(level)) as usize % PARTS];
                }
            }
        }
    }

    /// Adds blocks: the first, and one past the last.
    pub fn add(&mut self, (first, end): (u64, u64)) {
        self.0.add(LEVELS, first.min(span(LEVELS)), end.min(span(LEVELS)));
    }

    pub fn covers(&self, other: &BlockSet) -> bool {
        self.0.covers(&other.0)
    }

    pub fn join(&mut self, other: &BlockSet) {
        if !self.covers(other) {
            self.0 = self.0.with(&other.0);
        }
    }
}

impl Part {
    fn add(&mut self, level: u32, first: u64, end: u64) {
        if first >= end {
            return;
        }
        if end - first == span(level) {
            *self = Part::All;
        } else if level == 0 {
            self.add_some((u64::MAX >> (64 - (end - first))) << first);
        } else if !matches!(self, Part::All) {
            if !matches!(self, Part::Parts(_)) {
                *self = Part::Parts(Rc::default());
            }
            let Part::Parts(parts) = self else { unreachable!("just made") };
            let (parts, below) = (Rc::make_mut(parts), span(level - 1));
            for at in first / below..end.div_ceil(below) {
                let from = at * below;
                parts[at as usize].add(level - 1, first.max(from) - from, end.min(from + below) - from);
            }
            if parts.iter().all(|part| matches!(part, Part::All)) {
                *self = Part::All;
            }
        }
    }

    fn add_some(&mut self, blocks: u64) {
        *self = match *self {
            Part::All => Part::All,
            Part::Some(known) if known | blocks == u64::MAX => Part::All,
            Part::Some(known) => Part::Some(known | blocks),
            _ => Part::Some(blocks),
        };
    }

    fn covers(&self, other: &Part) -> bool {
        match (self, other) {
            (_, Part::None) | (Part::All, _) => true,
            (Part::Some(mine), Part::Some(theirs)) => theirs & !mine == 0,
            (Part::Parts(mine), Part::Parts(theirs)) => {
                Rc::ptr_eq(mine, theirs) || mine.iter().zip(theirs.iter()).all(|(mine, theirs)| mine.covers(theirs))
            }
            _ => false,
        }
    }

    fn is(&self, other: &Part) -> bool {
        match (self, other) {
            (Part::None, Part::None) | (Part::All, Part::All) => true,
            (Part::Some(mine), Part::Some(theirs)) => mine == theirs,
            (Part::Parts(mine), Part::Parts(theirs)) => Rc::ptr_eq(mine, theirs),
            _ => false,
        }
    }

    /// Both together, which is one of them wherever that has the other.
    fn with(&self, other: &Part) -> Part {
        match (self, other) {
            (_, Part::None) | (Part::All, _) => self.clone(),
            (Part::None, _) | (_, Part::All) => other.clone(),
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
            (_, Part::Some(blocks)) => {
                let mut both = self.clone();
                both.add_some(*blocks);
                both
            }
            _ => self.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use machine::schedule::split_mix;
    use std::collections::BTreeSet;

    #[test]
    fn it_says_the_same_as_a_list_of_its_blocks() {
        let mut seed = 7;
        let mut sets = vec![(BlockSet::default(), BTreeSet::new()); 4];
        for _ in 0..400 {
            let (dice, to, from) =
                (split_mix(&mut seed), split_mix(&mut seed) as usize % 4, split_mix(&mut seed) as usize % 4);
            if dice % 3 == 0 {
                let (other, blocks) = sets[from].clone();
                sets[to].0.join(&other);
                sets[to].1.extend(blocks);
            } else {
                let first = dice % 5000;
                let end = first + [1, 1, 7, 64, 300, 2048][(dice >> 32) as usize % 6];
                sets[to].0.add((first, end));
                sets[to].1.extend(first..end);
            }
            for (set, blocks) in &sets {
                let told: Vec<u64> = (0..7200).filter(|block| set.contains(*block)).collect();
                assert_eq!(told, blocks.iter().copied().collect::<Vec<u64>>());
            }
            let covers = sets[from].1.is_subset(&sets[to].1);
            assert_eq!(sets[to].0.covers(&sets[from].0), covers);
        }
    }

    #[test]
    fn whole_grids_are_one_part_and_what_has_the_other_is_shared() {
        let mut set = BlockSet::default();
        (0..1024).rev().for_each(|block| set.add((block, block + 1)));
        let mut same = BlockSet::default();
        same.add((0, 1024));
        assert!(set.covers(&same) && same.covers(&set));
        let mut more = same.clone();
        more.add((5000, 5001));
        let both = same.0.with(&more.0);
        assert!(both.is(&more.0));
        set.add((0, span(LEVELS)));
        assert!(set.0.is(&Part::All) && set.contains(1 << 29) && !set.contains(1 << 30));
        assert!(set.covers(&more));
    }
}
