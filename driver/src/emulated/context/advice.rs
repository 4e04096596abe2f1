//! Advice of a program about its managed memory, and the places that it was prefetched to (CUDA Driver API, "Unified
//! Addressing"). It changes nothing but the attributes of such memory.

use std::collections::BTreeMap;

/// Advice holds for whole pages.
const PAGE: u64 = 4096;

/// A place that advice can name, as a location's type and number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct AdvisedPlace {
    pub(crate) kind: u32,
    pub(crate) id: i32,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Advice {
    pub(crate) is_read_mostly: bool,
    pub(crate) preferred: Option<AdvisedPlace>,
    /// By the device, and by the host.
    pub(crate) accessed_by: [bool; 2],
    pub(crate) prefetched_to: Option<AdvisedPlace>,
}

/// Advice by the first address of a stretch of pages, up to the next stretch.
#[derive(Default)]
pub(crate) struct AdviceMap(BTreeMap<u64, Advice>);

impl AdviceMap {
    fn at(&self, address: u64) -> Advice {
        self.0.range(..=address).next_back().map_or_else(Advice::default, |(_, advice)| *advice)
    }

    /// Changes the advice about all pages of a range.
    pub(crate) fn change(&mut self, address: u64, bytes: u64, change: impl Fn(&mut Advice)) {
        let (start, end) = (address / PAGE * PAGE, (address + bytes).next_multiple_of(PAGE));
        let after = self.at(end);
        let first = self.at(start);
        self.0.insert(start, first);
        self.0.insert(end, after);
        self.0.range_mut(start..end).for_each(|(_, advice)| change(advice));
        self.merge(start, end);
    }

    /// Removes stretches between these that are as the one before them.
    fn merge(&mut self, start: u64, end: u64) {
        let mut before = start.checked_sub(1).map_or_else(Advice::default, |address| self.at(address));
        for key in self.0.range(start..=end).map(|(key, _)| *key).collect::<Vec<_>>() {
            if self.0[&key] == before {
                self.0.remove(&key);
            } else {
                before = self.0[&key];
            }
        }
    }

    /// Forgets the advice about memory that goes.
    pub(crate) fn forget(&mut self, address: u64, bytes: u64) {
        if !self.0.is_empty() {
            self.change(address, bytes, |advice| *advice = Advice::default());
        }
    }

    /// Returns the advice about each stretch of a range.
    pub(crate) fn within(&self, address: u64, bytes: u64) -> Vec<Advice> {
        let later = self.0.range(address + 1..address + bytes).map(|(_, advice)| *advice);
        std::iter::once(self.at(address)).chain(later).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advice_holds_for_the_pages_that_it_was_given_for() {
        let mut map = AdviceMap::default();
        let is_read_mostly =
            |map: &AdviceMap, pages: u64| map.within(0, pages * PAGE).iter().map(|it| it.is_read_mostly).collect();
        let of = |map: &AdviceMap, pages: u64| -> Vec<bool> { is_read_mostly(map, pages) };
        map.change(PAGE + 1, 1, |advice| advice.is_read_mostly = true);
        assert_eq!(of(&map, 4), [false, true, false]);
        map.change(2 * PAGE, PAGE, |advice| advice.is_read_mostly = true);
        assert_eq!(of(&map, 4), [false, true, false]);
        map.forget(PAGE, PAGE);
        assert_eq!((of(&map, 2), map.at(2 * PAGE).is_read_mostly), (vec![false], true));
        map.forget(0, 4 * PAGE);
        assert!(map.0.is_empty());
    }
}
