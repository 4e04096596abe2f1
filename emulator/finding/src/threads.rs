//! Sets of a block's threads.

/// Threads of one block, by linear index: a mask for each warp. In JSON the first and the last of each unbroken run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json", serde(from = "Vec<[u32; 2]>", into = "Vec<[u32; 2]>"))]
#[cfg_attr(feature = "schema", schemars(with = "Vec<[u32; 2]>"))]
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

    pub fn join(&mut self, other: &Threads) {
        (0..).zip(&other.warps).for_each(|(warp, mask)| self.add(warp, *mask));
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
    pub fn runs(&self) -> Vec<(u32, u32)> {
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

impl From<Threads> for Vec<[u32; 2]> {
    fn from(threads: Threads) -> Vec<[u32; 2]> {
        threads.runs().into_iter().map(|(first, last)| [first, last]).collect()
    }
}

impl From<Vec<[u32; 2]>> for Threads {
    fn from(runs: Vec<[u32; 2]>) -> Threads {
        let mut threads = Threads::default();
        let all = runs.into_iter().flat_map(|[first, last]| first..=last);
        all.for_each(|thread| threads.add(thread / 32, 1 << (thread % 32)));
        threads
    }
}

/// Blocks of one grid.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Blocks {
    pub grid: [u32; 3],
    /// Numbers in the grid, `x` fastest: the first and the last of each run.
    pub runs: Vec<(u64, u64)>,
}

impl Blocks {
    /// `blocks` are numbers in ascending order.
    pub fn new(grid: [u32; 3], blocks: impl Iterator<Item = u64>) -> Blocks {
        let mut runs: Vec<(u64, u64)> = Vec::new();
        for block in blocks {
            match runs.last_mut() {
                Some((_, last)) if *last + 1 == block => *last = block,
                _ => runs.push((block, block)),
            }
        }
        Blocks { grid, runs }
    }

    pub fn count(&self) -> u64 {
        self.runs.iter().map(|(first, last)| last - first + 1).sum()
    }

    /// Their indices.
    pub fn iter(&self) -> impl Iterator<Item = [u32; 3]> {
        let [x, y, _] = self.grid.map(|n| u64::from(n.max(1)));
        let all = self.runs.iter().flat_map(|(first, last)| *first..=*last);
        all.map(move |block| [(block % x) as u32, (block / x % y) as u32, (block / x / y) as u32])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_go_on_from_warp_to_warp() {
        let mut threads = Threads::of_warp(0, 0xffff_0000);
        threads.add(1, 0x1);
        threads.add(2, 0x8000_0000);
        assert_eq!(threads.runs(), [(16, 32), (95, 95)]);
        assert_eq!((threads.first(), threads.count()), (16, 18));
        assert_eq!(Threads::from(Vec::from(threads.clone())), threads);
        assert!(threads.meets(&Threads::of_warp(1, 1)) && !threads.meets(&Threads::of_warp(1, 2)));
    }
}
