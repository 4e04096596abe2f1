//! The counters of a kernel's launches. They come from a separate run on the emulator, in order, so that they are
//! exact.
//!
//! The counters and their names are the emulator's (`emulator/machine/src/counters.rs`).

use emulator::counters::{Counter, LaunchCounts};
use std::ops::Index;

/// The counters of one run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// The number of elements of the run.
    pub size: usize,
    /// In the order of the launches.
    pub launches: Vec<CountedLaunch>,
    total: LaunchCounts,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountedLaunch {
    pub kernel: String,
    pub counted: LaunchCounts,
}

impl Counts {
    /// Adds up the launches of a run with `size` elements.
    pub fn of(size: usize, launches: Vec<CountedLaunch>) -> Counts {
        let mut total = LaunchCounts::default();
        launches.iter().for_each(|launch| total.absorb(&launch.counted));
        Counts { size, launches, total }
    }

    /// Returns the sum over all launches.
    pub fn total(&self) -> &LaunchCounts {
        &self.total
    }

    /// Returns the sum over the launches of one kernel.
    pub fn of_kernel(&self, name: &str) -> LaunchCounts {
        let mut sum = LaunchCounts::default();
        let launches = self.launches.iter().filter(|launch| launch.kernel == name);
        launches.for_each(|launch| sum.absorb(&launch.counted));
        sum
    }
}

/// Indexes the sums over all launches.
impl Index<Counter> for Counts {
    type Output = u64;
    fn index(&self, counter: Counter) -> &u64 {
        &self.total[counter]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn launches_add_up_whole_and_by_kernel() {
        let launch = |kernel: &str, blocks| {
            let mut counted = LaunchCounts::default();
            counted.totals[Counter::Blocks] = blocks;
            CountedLaunch { kernel: kernel.to_string(), counted }
        };
        let counts = Counts::of(7, vec![launch("a", 1), launch("b", 10), launch("a", 100)]);
        assert_eq!((counts[Counter::Blocks], counts.size), (111, 7));
        assert_eq!(counts.of_kernel("a")[Counter::Blocks], 101);
        assert_eq!(counts.of_kernel("c"), LaunchCounts::default());
    }
}
