//! The values that memory held before its last few writes.
//!
//! A GPU's stores reach other threads one by one and late. Here a store takes effect at once, and
//! who reads may look back instead: to its thread that is the same. Or a write comes in behind
//! later ones, and memory keeps what it had. Values are kept only under a schedule that uses them,
//! for writes of 1 to 8 bytes. Which of them a thread may have is the checker's to say
//! (`checker/src/delays/history.rs`). It counts writes back from the latest, as this does.

use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// Writes that a load may look back.
pub const DEPTH: usize = 7;
/// Places that are remembered; of others a load gets the latest value.
pub const MOST_PLACES: usize = 1 << 16;

/// Older values by address, the oldest first.
#[derive(Debug, Default)]
pub struct OlderValues {
    places: FxHashMap<u64, VecDeque<u64>>,
}

impl OlderValues {
    /// `value` is about to be overwritten, or has just been.
    #[inline]
    pub fn keep(&mut self, address: u64, value: u64) {
        if self.places.len() >= MOST_PLACES && !self.places.contains_key(&address) {
            return;
        }
        let values = self.places.entry(address).or_default();
        if values.len() == DEPTH {
            values.pop_front();
        }
        values.push_back(value);
    }

    /// The value from before the last `back` writes (1: what the latest overwrote).
    #[inline]
    pub fn value(&self, address: u64, back: usize) -> Option<u64> {
        let values = self.places.get(&address)?;
        values.get(values.len().checked_sub(back)?).copied()
    }

    /// `value` is written behind the last `back` writes, of which [`OlderValues::value`] knows.
    pub fn put_behind(&mut self, address: u64, back: usize, value: u64) {
        let Some(values) = self.places.get_mut(&address) else { return };
        let Some(at) = (values.len() + 1).checked_sub(back) else { return };
        values.insert(at, value);
        if values.len() > DEPTH {
            values.pop_front();
        }
    }

    pub fn clear(&mut self) {
        self.places.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_counted_back_from_the_latest() {
        let mut history = OlderValues::default();
        (0..10).for_each(|value| history.keep(64, value));
        assert_eq!([1, 7].map(|back| history.value(64, back)), [Some(9), Some(3)]);
        assert_eq!([8, 11].map(|back| history.value(64, back)), [None, None]);
        assert_eq!(history.value(68, 1), None);
    }

    #[test]
    fn what_is_put_behind_writes_counts_as_before_them() {
        let mut history = OlderValues::default();
        // 1 and 2 have been overwritten; memory holds a third value.
        (1..3).for_each(|value| history.keep(64, value));
        history.put_behind(64, 1, 8);
        history.put_behind(64, 3, 9);
        assert_eq!([1, 2, 3, 4].map(|back| history.value(64, back)), [Some(8), Some(2), Some(9), Some(1)]);
        (0..DEPTH as u64).for_each(|_| history.put_behind(64, 1, 7));
        assert_eq!([1, DEPTH, DEPTH + 1].map(|back| history.value(64, back)), [Some(7), Some(7), None]);
    }
}
