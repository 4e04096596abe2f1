//! Why a run counts as wrong.

use crate::check::Mismatch;
use serde::{Deserialize, Serialize};
use std::fmt;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Wrong {
    Answer(Mismatch),
    /// The device failed with this error of the driver's, and the context is lost.
    Stopped(String),
    /// Its process died: how, in the system's words.
    Died(String),
    /// Its process was ended after so many seconds.
    StillRunning(u64),
}

impl Wrong {
    /// By the device, and not by a wrong answer.
    pub fn is_stopped(&self) -> bool {
        matches!(self, Wrong::Stopped(_))
    }

    /// Of a wrong answer the first difference only.
    pub fn in_short(&self) -> String {
        match self {
            Wrong::Answer(mismatch) => mismatch.first.clone(),
            _ => self.to_string(),
        }
    }
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Wrong::Answer(mismatch) => mismatch.fmt(f),
            Wrong::Stopped(error) => f.write_str(&say!("device-stopped", error)),
            Wrong::Died(how) => f.write_str(&say!("process-died", how)),
            Wrong::StillRunning(seconds) => f.write_str(&say!("still-running", seconds = *seconds)),
        }
    }
}
