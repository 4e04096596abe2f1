//! A list of one word's accesses in the [side table](crate::fast::side_table): one entry represents many lanes of a
//! warp.
//!
//! Property: accesses of one warp at one clock in one manner differ by their lanes alone. Whatever races with a strong
//! access also races with a later one of its thread that was made alike, unless it has observed the later one.

use crate::sites::touched::{AccessInfo, Clock, RecordedAccess, RecordedKind};
use machine::registers::Mask;

/// The key of an entry, common to all its lanes: warp, clock and manner.
pub type EntryKey = (u32, Clock, AccessInfo);

#[inline(always)]
pub fn key(touched: RecordedAccess) -> EntryKey {
    (touched.warp(), touched.clock, touched.info)
}

/// Lanes by key. Most words have few keys: these are searched linearly. Further entries of a longer list are appended
/// as they come, and sorted when the list is read. A counter may get many additions, and as a rule nothing reads the
/// list until all are made.
#[derive(Clone, Debug, Default)]
pub struct Entries {
    list: Vec<(EntryKey, Mask)>,
    /// The number of entries at the beginning that are searched linearly.
    few: u32,
    /// The number of entries at the beginning that are either among `few` or sorted.
    sorted: u32,
}

/// The greatest number of entries that are searched linearly.
const FEW: usize = 12;

/// A list is thinned out once it has this many entries beyond those that are searched linearly.
const MANY: usize = 20;

/// New entries are sorted once they are as many as the sorted ones, and the list has at least this length.
const UNSORTED: usize = 32;

impl Entries {
    #[inline(always)]
    pub fn add(&mut self, key: EntryKey, lanes: Mask) {
        let few = self.few as usize;
        let mut has_warp = false;
        for (known, of) in &mut self.list[..few] {
            has_warp |= known.0 == key.0;
            if *known == key {
                *of |= lanes;
                return;
            }
        }
        if few == FEW || self.list.len() != few {
            return self.add_beyond(key, lanes);
        }
        if has_warp {
            self.make_way(key, lanes);
        }
        self.list.push((key, lanes));
        (self.few, self.sorted) = (self.list.len() as u32, self.list.len() as u32);
    }

    /// Removes earlier strong accesses of the same threads that were made alike, since the new one represents them.
    fn make_way(&mut self, key: EntryKey, lanes: Mask) {
        self.list.retain_mut(|(known, of)| {
            if known.0 == key.0 && known.1 <= key.1 && stands_for(key.2, known.2) {
                *of &= !lanes;
            }
            *of != 0
        });
    }

    fn add_beyond(&mut self, key: EntryKey, lanes: Mask) {
        match self.list.last_mut() {
            Some((last, of)) if *last == key => *of |= lanes,
            _ => self.list.push((key, lanes)),
        }
        let (len, sorted) = (self.list.len(), self.sorted as usize);
        self.sorted = sorted.min(len - 1) as u32;
        if len >= (2 * sorted).max(UNSORTED) {
            self.sort();
        }
    }

    /// Sorts the new entries, and merges those with equal keys. Of a thread's strong accesses made alike only the last
    /// stays. The result does not depend on the order and the parts in which they came.
    #[inline(always)]
    pub fn sort(&mut self) {
        if self.sorted as usize != self.list.len() {
            self.sort_beyond();
        }
    }

    #[inline(never)]
    fn sort_beyond(&mut self) {
        let beyond = &mut self.list[self.few as usize..];
        let class = |&((warp, _, info), _): &(EntryKey, Mask)| (warp, info.stood_for());
        // Most of it is in order already.
        beyond.sort_by_key(|entry| (class(entry), entry.0.1, entry.0.2));
        // Lanes that a later or equal entry has.
        let mut later = 0;
        let mut first = beyond.len();
        for at in (0..beyond.len()).rev() {
            let (key, lanes) = beyond[at];
            let next = beyond.get(first);
            let is_equal = next.is_some_and(|(next, _)| *next == key);
            let is_strong = key.2.scope().is_some() && !key.2.is_older();
            let is_alike = is_strong && next.is_some_and(|next| class(next) == class(&beyond[at]));
            let lanes = if is_alike { lanes & !later } else { lanes };
            later = if is_alike { later | lanes } else { lanes };
            if is_equal {
                beyond[first].1 |= lanes;
            } else if lanes != 0 {
                first -= 1;
                beyond[first] = (key, lanes);
            }
        }
        let few = self.few as usize;
        self.list.drain(few..few + first);
        self.sorted = self.list.len() as u32;
    }

    pub fn iter(&self) -> impl Iterator<Item = (EntryKey, Mask)> {
        self.list.iter().copied()
    }

    #[inline(always)]
    pub fn retain(&mut self, keep: impl Fn(AccessInfo) -> bool) {
        if !self.list.is_empty() {
            self.retain_some(keep);
        }
    }

    fn retain_some(&mut self, keep: impl Fn(AccessInfo) -> bool) {
        self.sort();
        let few = self.list[..self.few as usize].iter().filter(|((.., info), _)| keep(*info)).count();
        self.list.retain(|((.., info), _)| keep(*info));
        (self.few, self.sorted) = (few as u32, self.list.len() as u32);
    }

    /// Shortens a long list; its first few entries stay. Drops earlier accesses of `new`'s thread that were made in the
    /// same way, since all that happens after `new` happens after these too.
    pub fn thin_out(&mut self, new: RecordedAccess, keep: impl Fn(EntryKey, Mask) -> bool) {
        let mut few = self.few as usize;
        if self.list.len() < few + MANY {
            return;
        }
        self.sort();
        if self.list.len() < few + MANY {
            return;
        }
        self.list.retain_mut(|(key, lanes)| {
            if few != 0 {
                few -= 1;
                return true;
            }
            if (key.0, key.2) == (new.warp(), new.info) {
                *lanes &= !(1 << new.lane());
            }
            *lanes != 0 && keep(*key, *lanes)
        });
        self.sorted = self.list.len() as u32;
    }

    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    pub fn clear(&mut self) {
        self.list.clear();
        (self.few, self.sorted) = (0, 0);
    }
}

/// True if whatever races with a strong access made like `old` also races with a later one of its thread made like
/// `new`. Compare-and-swaps must be equal, since one may fail where the other does not, and each is reported with its
/// line.
#[inline(always)]
fn stands_for(new: AccessInfo, old: AccessInfo) -> bool {
    new.scope().is_some()
        && !old.is_older()
        && (new == old || new.kind() == RecordedKind::Write && new.is_alike_write(old) && old.kind() == new.kind())
}

#[cfg(test)]
mod tests {
    use super::*;
    use machine::exec::memory::Scope;

    fn info(site: u32, kind: RecordedKind, scope: Option<Scope>) -> AccessInfo {
        AccessInfo::new(site, 0xf, kind, scope, 4)
    }

    fn sorted(all: &[(EntryKey, Mask)]) -> Vec<(EntryKey, Mask)> {
        let mut entries = Entries::default();
        // The linear part is separate, in order of insertion.
        (0..FEW as u32).for_each(|warp| entries.add((1000 + warp, 1, info(1, RecordedKind::Read, None)), 1));
        all.iter().for_each(|&(key, lanes)| entries.add(key, lanes));
        entries.sort();
        entries.iter().skip(FEW).collect()
    }

    #[test]
    fn a_later_strong_access_stands_for_those_of_its_thread_made_alike() {
        let add = info(7, RecordedKind::Write, Some(Scope::Device));
        let all = [((3, 1, add), 0b0111), ((3, 2, add), 0b0010), ((4, 1, add), 0b1), ((3, 5, add), 0b1001)];
        assert_eq!(
            sorted(&all),
            [((3, 1, add), 0b0100), ((3, 2, add), 0b0010), ((3, 5, add), 0b1001), ((4, 1, add), 0b1)]
        );
    }

    #[test]
    fn of_other_accesses_all_stay() {
        let device = Some(Scope::Device);
        let ways = [(RecordedKind::Read, None), (RecordedKind::Write, None), (RecordedKind::Atomic, device)];
        let all: Vec<_> =
            ways.iter().zip(1..).map(|(&(kind, scope), site)| ((3, 2, info(site, kind, scope)), 1)).collect();
        let earlier = ((3, 1, info(1, RecordedKind::Read, None)), 1);
        let mut want = [&all[..], &[earlier]].concat();
        let got = sorted(&want);
        want.sort_by_key(|(key, _)| (key.2, key.1));
        assert_eq!(got, want);
    }

    #[test]
    fn a_long_list_is_no_longer_for_being_written_down_in_another_order() {
        let ways =
            [info(1, RecordedKind::Write, Some(Scope::Device)), info(2, RecordedKind::Write, Some(Scope::Device))];
        let all: Vec<_> =
            (0..4000u32).map(|at| ((at * 7 % 5, at / 50, ways[at as usize % 2]), 1 << (at * 11 % 32))).collect();
        let mut turned = all.clone();
        turned.reverse();
        let got = sorted(&all);
        assert!(got.len() <= 5 * 32, "{} entries", got.len());
        assert_eq!(got, sorted(&turned));
    }
}
