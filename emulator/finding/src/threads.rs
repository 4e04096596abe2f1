//! Sets of a block's threads in words: "thread 3", "threads 0 and 1", "threads 0 to 15 and 32 to 47".

use std::fmt;

/// Threads of one block, by linear index: a mask for each warp.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Threads {
    warps: Vec<u32>,
}

impl Threads {
    pub fn of_warp(warp: u32, mask: u32) -> Threads {
        let mut threads = Threads::default();
        threads.add(warp, mask);
        threads
    }

    pub fn add(&mut self, warp: u32, mask: u32) {
        let warp = warp as usize;
        if self.warps.len() <= warp {
            self.warps.resize(warp + 1, 0);
        }
        self.warps[warp] |= mask;
    }

    pub fn meets(&self, other: &Threads) -> bool {
        self.warps.iter().zip(&other.warps).any(|(mine, theirs)| mine & theirs != 0)
    }

    pub fn is_empty(&self) -> bool {
        self.warps.iter().all(|mask| *mask == 0)
    }

    pub fn count(&self) -> u32 {
        self.warps.iter().map(|mask| mask.count_ones()).sum()
    }

    /// The lowest of them; 0 if there is none.
    pub fn first(&self) -> u32 {
        let first = self.warps.iter().zip(0..).find(|(mask, _)| **mask != 0);
        first.map_or(0, |(mask, warp)| 32 * warp + mask.trailing_zeros())
    }

    /// First and last of each unbroken run.
    fn runs(&self) -> Vec<(u32, u32)> {
        let mut runs: Vec<(u32, u32)> = Vec::new();
        for (mask, warp) in self.warps.iter().zip(0..) {
            for thread in (0..32).filter(|lane| mask >> lane & 1 != 0).map(|lane| 32 * warp + lane) {
                match runs.last_mut() {
                    Some((_, last)) if *last + 1 == thread => *last = thread,
                    _ => runs.push((thread, thread)),
                }
            }
        }
        runs
    }
}

/// Runs shown before the rest is counted.
const SHOWN: usize = 6;

impl fmt::Display for Threads {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let runs = self.runs();
        f.write_str(if self.count() == 1 { "thread " } else { "threads " })?;
        // Two neighbours are named one by one.
        let split = runs.into_iter().flat_map(|(first, last)| match last - first {
            1 => vec![(first, first), (last, last)],
            _ => vec![(first, last)],
        });
        let runs: Vec<(u32, u32)> = split.collect();
        let shown = if runs.len() > SHOWN { SHOWN - 1 } else { runs.len() };
        for (nth, (first, last)) in runs[..shown].iter().enumerate() {
            f.write_str(match nth {
                0 => "",
                nth if nth + 1 == runs.len() => " and ",
                _ => ", ",
            })?;
            match last - first {
                0 => write!(f, "{first}")?,
                _ => write!(f, "{first} to {last}")?,
            }
        }
        let rest: u32 = runs[shown..].iter().map(|(first, last)| last - first + 1).sum();
        if rest > 0 { write!(f, " and {rest} more") } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_go_on_from_warp_to_warp() {
        let mut threads = Threads::of_warp(0, 0xffff_0000);
        assert_eq!(threads.to_string(), "threads 16 to 31");
        threads.add(1, 0x1);
        threads.add(2, 0x8000_0000);
        assert_eq!(threads.to_string(), "threads 16 to 32 and 95");
        assert_eq!((threads.first(), threads.count()), (16, 18));
        assert_eq!(Threads::of_warp(1, 1).to_string(), "thread 32");
        assert_eq!(Threads::of_warp(0, 0b11).to_string(), "threads 0 and 1");
        assert_eq!(Threads::of_warp(0, 0b1101_1011).to_string(), "threads 0, 1, 3, 4, 6 and 7");
    }

    #[test]
    fn many_runs_are_counted() {
        let odd = Threads::of_warp(0, 0xaaaa_aaaa);
        assert_eq!(odd.to_string(), "threads 1, 3, 5, 7, 9 and 11 more");
        assert!(odd.meets(&Threads::of_warp(0, 2)) && !odd.meets(&Threads::of_warp(0, 1)));
    }
}
