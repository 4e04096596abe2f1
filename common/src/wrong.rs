//! Why a run counts as wrong.

use serde::{Deserialize, Serialize};
use std::fmt;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Wrong {
    /// The answer, in the words of the comparison.
    Answer(String),
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
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Wrong::Answer(why) => f.write_str(why),
            Wrong::Stopped(error) => f.write_str(&say!("device-stopped", error)),
            Wrong::Died(how) => f.write_str(&say!("process-died", how)),
            Wrong::StillRunning(seconds) => f.write_str(&say!("still-running", seconds = *seconds)),
        }
    }
}
