//! Many runs at once: one size, one schedule, and a seed for each.

use crate::kept::Kept;
use crate::run_id::RunId;
use crate::schedule::Schedule;
use emulator::Policy;
use std::ops::Range;

/// Several runs that share a size, and so their input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batch {
    pub size: usize,
    /// On a GPU, which has no such choice, `in-order` stands for the hardware's own.
    pub schedule: Schedule,
    /// One run for each. On a GPU they only number the launches.
    pub seeds: Range<u64>,
    /// These runs' times are the ones to report.
    pub is_timed: bool,
    /// `None`: all choices are the schedule's.
    pub keep: Option<Kept>,
}

impl Batch {
    /// The emulator's schedule of the run with this seed.
    pub fn policy(&self, seed: u64) -> Policy {
        Kept::of(self.keep.as_ref(), self.schedule.policy(seed))
    }

    /// One run of this size, in order.
    pub fn in_order(size: usize) -> Batch {
        RunId::in_order(size).batch()
    }

    /// Its run with this seed.
    pub fn run(&self, seed: u64) -> RunId {
        RunId { schedule: self.schedule, seed, size: self.size, keep: self.keep.clone() }
    }
}

/// Thread instructions that any launch may take.
pub const FUEL: u64 = 1 << 30;

/// Those of a launch of a run of this size.
pub fn fuel(size: usize) -> u64 {
    FUEL + 4096 * size as u64
}

/// Up to this many elements the emulator checks everything; beyond, bounds and alignment only.
pub const FULL_CHECKS_UP_TO: usize = 1 << 20;
