//! Threads that ended before a barrier which the rest of the block has passed, for advice alone: a barrier does not wait for
//! them, and orders nothing that they have done. The latest few are kept; of older ones nothing is said.

use super::sync::Thread;
use crate::registers::Mask;
use std::collections::VecDeque;

/// Endings that are kept of one block.
const MOST: usize = 64;

/// One block's.
#[derive(Debug, Default)]
pub struct Ended {
    /// Barriers that have completed.
    barriers: u32,
    list: VecDeque<End>,
}

#[derive(Debug)]
struct End {
    warp: u32,
    mask: Mask,
    site: u32,
    /// How many barriers had completed.
    barriers: u32,
}

/// The last barrier of the block that lanes of a warp have passed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Passed {
    /// Where the warp has arrived.
    pub site: u32,
    mask: Mask,
    number: u32,
}

impl Ended {
    pub fn clear(&mut self) {
        self.barriers = 0;
        self.list.clear();
    }

    pub fn completed(&mut self) {
        self.barriers += 1;
    }

    pub fn ended(&mut self, warp: u32, mask: Mask, site: u32) {
        if self.list.len() == MOST {
            self.list.pop_front();
        }
        self.list.push_back(End { warp, mask, site, barriers: self.barriers });
    }

    /// Lanes of a warp go on from the barrier that has just completed, at which it arrived at `site`.
    pub fn passed(&self, mask: Mask, site: u32) -> Passed {
        Passed { site, mask, number: self.barriers }
    }

    /// Where `first` ended, before the barrier that `second` has passed.
    pub fn before(&self, passed: &Passed, first: Thread, second: Thread) -> Option<u32> {
        let (block, warp, lane) = first;
        if block != second.0 || passed.mask >> second.2 & 1 == 0 {
            return None;
        }
        let end = self.list.iter().find(|end| end.warp == warp && end.mask >> lane & 1 != 0)?;
        (end.barriers < passed.number).then_some(end.site)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_those_count_that_ended_before_the_barrier_of_their_own_block() {
        let (first, second) = ((0, 2, 3), (0, 0, 0));
        let mut ended = Ended::default();
        ended.completed();
        let early = ended.passed(!0, 10);
        ended.ended(2, 1 << 3, 20);
        assert_eq!(ended.before(&early, first, second), None);
        ended.completed();
        let late = ended.passed(1, 30);
        assert_eq!(ended.before(&late, first, second), Some(20));
        assert_eq!(ended.before(&late, (0, 2, 4), second), None);
        assert_eq!(ended.before(&late, first, (0, 0, 1)), None, "a lane that has not passed it");
        assert_eq!(ended.before(&late, (1, 2, 3), second), None);
    }
}
