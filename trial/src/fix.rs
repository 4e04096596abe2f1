//! Results of trying to fix a finding, or a wrong answer that has none.

use emulator::finding::{Remedy, TextEdit};
use serde::{Deserialize, Serialize};

/// The result of trying to fix a finding.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Fix {
    /// Nothing was tried: what the cause suggests is all that there is.
    #[default]
    Untried,
    /// With these changes no run shows a finding, and all answers are right. `took_compiler`: one was started to find
    /// them. `is_answer_known`: else all runs have only left the same memory.
    Tried { remedy: Remedy, edits: Vec<TextEdit>, runs: u64, took_compiler: bool, is_answer_known: bool },
    /// The fix of the kernel's first finding leaves nothing of this one.
    WithFirst,
    /// This many changes were tried, and none is enough.
    NoneHolds { tried: usize },
}

impl Fix {
    /// The changes that hold.
    pub fn edits(&self) -> &[TextEdit] {
        match self {
            Fix::Tried { edits, .. } => edits,
            _ => &[],
        }
    }

    /// Returns the state of the fix for a report; `source` is the text that the changes are of.
    pub fn state(&self, source: &str) -> report::FixState {
        match self {
            // A change that was tried in vain is no fix.
            Fix::Untried | Fix::NoneHolds { .. } => report::FixState::Idea,
            Fix::Tried { edits, runs, is_answer_known, .. } => report::FixState::Tried {
                changes: report::changes(edits, source),
                runs: *runs,
                is_answer_known: *is_answer_known,
            },
            Fix::WithFirst => report::FixState::WithFirst,
        }
    }
}
