//! The asynchronous copies of a warp that are under way, and what waits for them.

use crate::registers::{Mask, WARP, lanes};
use std::collections::VecDeque;

/// One thread's copy.
#[derive(Clone, Copy, Debug)]
pub struct UnderWay {
    pub warp: u32,
    pub lane: u32,
    /// Copies of a warp are numbered from 1, as they start.
    pub number: u32,
    /// In global and in shared memory.
    pub from: u64,
    pub to: u64,
    pub bytes: u32,
    /// Bytes from the source; the rest is zero.
    pub given: u32,
}

/// An arrival that waits for a lane's copies.
#[derive(Clone, Copy, Debug)]
pub struct Tracked {
    pub lane: u32,
    /// The last of the copies.
    pub last: u32,
    pub address: u64,
}

/// The copies that one thread has started.
#[derive(Clone, Debug, Default)]
struct Started {
    last: u32,
    /// The last copy of each group that has not been waited for, the oldest group first.
    groups: VecDeque<u32>,
}

/// The copies of one warp.
#[derive(Debug, Default)]
pub struct CopiesUnderWay {
    number: u32,
    under_way: VecDeque<UnderWay>,
    by_lane: Vec<Started>,
    /// Arrivals at barrier objects that wait for copies.
    tracked: Vec<Tracked>,
}

impl CopiesUnderWay {
    pub fn clear(&mut self) {
        *self = CopiesUnderWay::default();
    }

    /// Before the first copy: a place for what each lane starts.
    pub(super) fn prepare(&mut self) {
        self.by_lane.resize_with(WARP, Started::default);
    }

    /// The number of the copies that start now.
    pub(super) fn next_number(&mut self) -> u32 {
        self.number += 1;
        self.number
    }

    pub(super) fn start(&mut self, copy: UnderWay) {
        self.by_lane[copy.lane as usize].last = copy.number;
        self.under_way.push_back(copy);
    }

    #[inline]
    pub fn count(&self) -> usize {
        self.under_way.len()
    }

    pub fn take(&mut self, nth: usize) -> UnderWay {
        self.under_way.remove(nth).expect("there are more")
    }

    /// Takes out a lane's copies up to one.
    pub(super) fn take_until(&mut self, lane: u32, last: u32) -> Vec<UnderWay> {
        let is_theirs = |copy: &UnderWay| copy.lane == lane && copy.number <= last;
        let (done, left): (Vec<_>, _) = std::mem::take(&mut self.under_way).into_iter().partition(is_theirs);
        self.under_way = left.into();
        done
    }

    pub fn take_all_of(&mut self, mask: Mask) -> Vec<UnderWay> {
        let lanes = if self.under_way.is_empty() { lanes(0) } else { lanes(mask) };
        lanes.flat_map(|lane| self.take_until(lane as u32, u32::MAX)).collect()
    }

    /// A lane lets an arrival wait for all that it has started: the last of these.
    pub fn track(&mut self, lane: usize, address: u64) -> u32 {
        let last = self.by_lane.get(lane).map_or(0, |started| started.last);
        self.tracked.push(Tracked { lane: lane as u32, last, address });
        last
    }

    /// Takes out the arrivals that wait for nothing any more.
    pub fn take_tracked(&mut self) -> Vec<Tracked> {
        if self.tracked.is_empty() {
            return Vec::new();
        }
        let under_way = &self.under_way;
        let waits =
            |tracked: &Tracked| under_way.iter().any(|copy| copy.lane == tracked.lane && copy.number <= tracked.last);
        let (left, done) = std::mem::take(&mut self.tracked).into_iter().partition(waits);
        self.tracked = left;
        done
    }

    /// Takes out the copies that an object's arrivals wait for.
    pub fn take_tracked_by(&mut self, address: u64) -> Vec<UnderWay> {
        let theirs: Vec<Tracked> = self.tracked.iter().filter(|tracked| tracked.address == address).copied().collect();
        theirs.iter().flat_map(|tracked| self.take_until(tracked.lane, tracked.last)).collect()
    }

    pub(super) fn commit(&mut self, lane: usize) {
        let started = &mut self.by_lane[lane];
        started.groups.push_back(started.last);
    }

    /// The last copy of a lane that is over once only `left` of its groups are under way.
    pub(super) fn passes(&mut self, lane: usize, left: u32) -> Option<u32> {
        let groups = &mut self.by_lane[lane].groups;
        let over = groups.len().saturating_sub(left as usize);
        groups.drain(..over).next_back()
    }
}
