//! Requests of a page.

use emulator::choices::{ChoiceKind, ScheduleChoice};
use emulator::{Policy, Recording};
use serde::Deserialize;
use std::collections::BTreeMap;

/// Thread instructions that a launch may take, where a page does not say: some seconds in a browser.
const FUEL: u64 = 1 << 24;

#[derive(Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case")]
pub enum EmulatorRequest {
    /// From now on this is what runs. `sources` has the texts of its files, by the names that the PTX gives them.
    Load {
        recording: Box<Recording>,
        #[serde(default)]
        sources: BTreeMap<String, String>,
    },
    Run(RequestedRun),
}

#[derive(Clone, Debug, Deserialize)]
pub struct RequestedRun {
    pub policy: Schedule,
    /// Thread instructions that a launch may take, and a 1024th more for each thread that ends.
    #[serde(default = "fuel")]
    pub fuel: u64,
    /// The choices of the schedule that are kept: all others are as in order ([`Policy::Replay`]).
    #[serde(default)]
    pub keep: Option<Vec<u64>>,
    /// Choices that are made first, in order.
    #[serde(default)]
    pub choices: Vec<ScheduleChoice>,
    /// True if the run stops at the first choice about whose turn it is that is not given.
    #[serde(default)]
    pub asks: bool,
    /// Then it stops at choices of these kinds too.
    #[serde(default)]
    pub also: Vec<ChoiceKind>,
    /// True if the run counts what the launches do; then it looks for nothing but bounds and alignment.
    #[serde(default)]
    pub counts: bool,
    /// A trace up to this bound, where one is wanted.
    pub trace: Option<TraceBound>,
}

impl RequestedRun {
    /// True if its choices are those of a person. All others only make the answer long: an adversarial run has a
    /// hundred thousand.
    pub fn tells_choices(&self) -> bool {
        !self.choices.is_empty() || matches!(self.policy, Schedule::Steps { .. } | Schedule::FreeSteps { .. })
    }
}

fn fuel() -> u64 {
    FUEL
}

/// Which thread goes next ([`Policy`]).
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Schedule {
    InOrder,
    Reverse,
    /// By events, for a person who chooses.
    Steps {
        seed: Option<u64>,
    },
    /// And all that is open is a choice.
    FreeSteps {
        seed: Option<u64>,
    },
    Random {
        seed: u64,
    },
    Pct {
        seed: u64,
        depth: u32,
    },
    Adversarial {
        seed: u64,
    },
}

impl From<Schedule> for Policy {
    fn from(schedule: Schedule) -> Policy {
        match schedule {
            Schedule::InOrder => Policy::InOrder,
            Schedule::Reverse => Policy::Reverse,
            Schedule::Steps { seed } => Policy::Steps { seed, free: false },
            Schedule::FreeSteps { seed } => Policy::Steps { seed, free: true },
            Schedule::Random { seed } => Policy::Random { seed },
            Schedule::Pct { seed, depth } => Policy::Pct { seed, depth },
            Schedule::Adversarial { seed } => Policy::Adversarial { seed },
        }
    }
}

/// The bound of a trace ([`trace::Bound`]).
#[derive(Clone, Debug, Deserialize)]
pub struct TraceBound {
    pub events: usize,
    pub bytes: usize,
}

impl From<TraceBound> for trace::Bound {
    fn from(TraceBound { events, bytes }: TraceBound) -> trace::Bound {
        trace::Bound { events, bytes }
    }
}
