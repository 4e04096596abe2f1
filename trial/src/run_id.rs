//! One run, exactly: with a kernel and its input, all that a run depends on. A replay token
//! ([`ReplayToken`](crate::token::ReplayToken)) writes it.

use crate::batch::Batch;
use crate::kept::Kept;
use crate::schedule::Schedule;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunId {
    pub schedule: Schedule,
    pub seed: u64,
    /// Elements.
    pub size: usize,
    /// The choices of the schedule that are kept; `None`: all. A child process, which reports its runs, is asked for
    /// whole ones.
    #[serde(skip)]
    pub keep: Option<Kept>,
}

impl RunId {
    /// The run that comes first of all.
    pub fn in_order(size: usize) -> RunId {
        RunId { schedule: Schedule::InOrder, seed: 0, size, keep: None }
    }

    /// The same run with all choices of its schedule.
    pub fn whole(self) -> RunId {
        RunId { keep: None, ..self }
    }

    /// Returns a batch with this run alone.
    pub fn batch(self) -> Batch {
        let RunId { schedule, seed, size, keep } = self;
        Batch { size, schedule, seeds: seed..seed + 1, is_timed: false, keep }
    }
}
