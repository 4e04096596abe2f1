//! The search for a fix, in a process beside the judge's.

use super::POLL_INTERVAL;
use super::process::{JudgeProcess, TimeLimit};
use crate::tried::FixText;
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

/// A search for a fix. Dropping it kills its process.
pub struct FixInProgress {
    pub(super) process: JudgeProcess,
    time_limit: TimeLimit,
}

impl FixInProgress {
    /// `process` has been given the task.
    pub(super) fn new(process: JudgeProcess, limit: Duration) -> FixInProgress {
        let time_limit = TimeLimit::start(&process, limit);
        FixInProgress { process, time_limit }
    }

    /// Waits up to `wait` for the text about the fix. Returns `None` if there is none yet, and an empty text if no fix
    /// was found within the limits.
    pub fn poll(&self, wait: Duration) -> Option<FixText> {
        let answer = match self.process.receive(wait) {
            Err(RecvTimeoutError::Timeout) if !self.time_limit.is_reached(&self.process) => return None,
            answer => answer.unwrap_or_default(),
        };
        let text: Result<Result<FixText, String>, _> = serde_json::from_str(&answer);
        Some(text.unwrap_or_else(|error| Err(error.to_string())).unwrap_or_default())
    }

    /// Waits until the search has ended.
    pub fn wait(&self) -> FixText {
        loop {
            if let Some(text) = self.poll(POLL_INTERVAL) {
                return text;
            }
        }
    }
}
