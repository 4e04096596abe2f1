//! Why a run counts as wrong.

use serde::{Deserialize, Serialize};
use std::fmt::{self, Debug};

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

    /// Returns a short text: only the first difference of a wrong answer.
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
            Wrong::Answer(mismatch) => fmt::Display::fmt(mismatch, f),
            Wrong::Stopped(error) => f.write_str(&say!("device-stopped", error)),
            Wrong::Died(how) => f.write_str(&say!("process-died", how)),
            Wrong::StillRunning(seconds) => f.write_str(&say!("still-running", seconds = *seconds)),
        }
    }
}

/// A wrong answer. A trial counts it; it is no failure of the program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mismatch {
    /// One difference: `element 1 is 9, expected 2`.
    pub first: String,
    /// The part that a short report leaves out: `2 of 3 are wrong`.
    pub more: Option<String>,
    /// Which element of what the host has copied it is.
    pub at: Option<ElementAt>,
}

/// An element of what the host has copied.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ElementAt {
    pub index: usize,
    /// The number of elements.
    pub of: usize,
    /// The value, as Rust writes it.
    pub got: String,
}

impl Mismatch {
    pub fn new(first: impl Into<String>) -> Mismatch {
        Mismatch { first: first.into(), more: None, at: None }
    }

    pub fn and(self, more: String) -> Mismatch {
        Mismatch { more: Some(more), ..self }
    }

    /// It is element `index` of `all`.
    pub fn at<T: Debug>(self, index: usize, all: &[T]) -> Mismatch {
        let at = all.get(index).map(|got| ElementAt { index, of: all.len(), got: format!("{got:?}") });
        Mismatch { at, ..self }
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.first)?;
        self.more.iter().try_for_each(|more| write!(f, "; {more}"))
    }
}

impl std::error::Error for Mismatch {}
