//! The emulator's schedules by name.

use emulator::Policy;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The depth of `pct`: one more than the changes of priority in a run.
const PCT_DEPTH: u32 = 3;

/// Which runnable thread goes next: the emulator's schedules by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Schedule {
    /// Converge as early as possible: what hardware mostly does.
    InOrder,
    /// The last block, warp and lanes first.
    Reverse,
    /// Split and interleave by seed.
    Random,
    /// Random priorities, and few changes of them.
    Pct,
    /// Split anywhere, overtake writers, and read old values.
    Adversarial,
    /// Turns of a game on a page, which end where others could see something. Only tokens name it.
    Steps,
    /// As `Steps`, where older values, late stores and lanes that part are choices too.
    FreeSteps,
}

impl Schedule {
    pub const ALL: [Schedule; 5] =
        [Schedule::InOrder, Schedule::Reverse, Schedule::Random, Schedule::Pct, Schedule::Adversarial];

    /// The schedules of games on a page: only tokens name them.
    pub const OF_GAMES: [Schedule; 2] = [Schedule::Steps, Schedule::FreeSteps];

    pub fn as_str(self) -> &'static str {
        match self {
            Schedule::InOrder => "in-order",
            Schedule::Reverse => "reverse",
            Schedule::Random => "random",
            Schedule::Pct => "pct",
            Schedule::Adversarial => "adversarial",
            Schedule::Steps => "steps",
            Schedule::FreeSteps => "free-steps",
        }
    }

    /// True if a seed makes a difference.
    pub fn takes_seed(self) -> bool {
        !matches!(self, Schedule::InOrder | Schedule::Reverse)
    }

    /// Returns the emulator's policy for it.
    pub fn policy(self, seed: u64) -> Policy {
        match self {
            Schedule::InOrder => Policy::InOrder,
            Schedule::Reverse => Policy::Reverse,
            Schedule::Random => Policy::Random { seed },
            Schedule::Pct => Policy::Pct { seed, depth: PCT_DEPTH },
            Schedule::Adversarial => Policy::Adversarial { seed },
            // In turns, or by a coin.
            Schedule::Steps | Schedule::FreeSteps => {
                Policy::Steps { seed: (seed != 0).then_some(seed), free: self == Schedule::FreeSteps }
            }
        }
    }
}

/// In order, in reverse, and `random` and `adversarial` with so many seeds each: those that end soonest first.
pub fn policies(seeds: u64) -> impl Iterator<Item = Policy> {
    let seeded = (0..seeds).flat_map(|seed| [Policy::Random { seed }, Policy::Adversarial { seed }]);
    [Policy::InOrder, Policy::Reverse].into_iter().chain(seeded)
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Schedule {
    type Err = String;
    fn from_str(name: &str) -> Result<Self, String> {
        Schedule::ALL.into_iter().find(|schedule| schedule.as_str() == name).ok_or_else(|| {
            let letters = |text: &str| text.replace(|c: char| !c.is_alphanumeric(), "").to_lowercase();
            let given = letters(name);
            let is_near = |schedule: &Schedule| !given.is_empty() && letters(schedule.as_str()).starts_with(&given);
            match Schedule::ALL.into_iter().find(is_near) {
                Some(near) => say!("no-schedule-near", name, near = near.as_str()),
                None => say!("no-schedule", name, all = Schedule::ALL.map(Schedule::as_str).join(", ")),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schedule_that_is_written_otherwise_is_guessed() {
        for (given, near) in [("in", "in-order"), ("InOrder", "in-order"), ("PCT", "pct"), ("rand", "random")] {
            let why = given.parse::<Schedule>().unwrap_err();
            assert_eq!(why, format!("no schedule `{given}`. Did you mean `{near}`?"));
        }
        for given in ["", "-", "orderly"] {
            assert!(given.parse::<Schedule>().unwrap_err().contains(": in-order, "), "{given}");
        }
    }
}
