//! Counts of a kernel's launches, from one extra run on the emulator: in order, so that they are exact.
//!
//! The counters and their names are the emulator's (`emulator/machine/src/counters.rs`).

use emulator::counters::{Counted, Counter};
use std::ops::Index;

/// One run's launches, in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Elements of the run.
    pub size: usize,
    pub launches: Vec<CountedLaunch>,
    total: Counted,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountedLaunch {
    pub kernel: String,
    pub counted: Counted,
}

impl Counts {
    pub fn of(size: usize, launches: Vec<CountedLaunch>) -> Counts {
        let mut total = Counted::default();
        launches.iter().for_each(|launch| total.absorb(&launch.counted));
        Counts { size, launches, total }
    }

    /// All launches together.
    pub fn total(&self) -> &Counted {
        &self.total
    }

    /// The launches of one kernel together.
    pub fn of_kernel(&self, name: &str) -> Counted {
        let mut sum = Counted::default();
        let its = self.launches.iter().filter(|launch| launch.kernel == name);
        its.for_each(|launch| sum.absorb(&launch.counted));
        sum
    }
}

/// Indexes the counts of all launches together.
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
            let mut counted = Counted::default();
            counted.totals[Counter::Blocks] = blocks;
            CountedLaunch { kernel: kernel.to_string(), counted }
        };
        let counts = Counts::of(7, vec![launch("a", 1), launch("b", 10), launch("a", 100)]);
        assert_eq!((counts[Counter::Blocks], counts.size), (111, 7));
        assert_eq!(counts.of_kernel("a")[Counter::Blocks], 101);
        assert_eq!(counts.of_kernel("c"), Counted::default());
    }
}
