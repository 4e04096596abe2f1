//! What is said of an answer.

use crate::reason::Reason;
use serde::{Deserialize, Serialize};

/// One judgement, as it goes from the judging process to the one that shows it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    pub passed: bool,
    /// Why not. The first is the main one.
    pub kinds: Vec<Reason>,
    /// What to show.
    pub text: String,
    /// Launch sequences that were run.
    pub runs: u64,
    /// The text has notes: what fails nothing and is worth a word.
    #[serde(default)]
    pub has_notes: bool,
    /// Bytes of the text that tell of the run; behind them it says that it is not solved.
    #[serde(skip)]
    pub told: usize,
    /// The run that shows it.
    pub replay: Option<String>,
}

impl Verdict {
    pub fn failed(kind: Reason, text: String) -> Verdict {
        Verdict { kinds: vec![kind], text: ended(text), ..Verdict::default() }
    }

    pub fn passed(text: String, runs: u64) -> Verdict {
        Verdict { passed: true, text: ended(text), runs, ..Verdict::default() }
    }

    /// The text, where there are colours with its line about the exercise in green or red.
    pub fn painted(&self, colour: bool) -> String {
        let paint = |line: &str| match line {
            _ if !colour => line.to_string(),
            line if line.starts_with("solved: ") => format!("\x1b[1;32m{line}\x1b[0m"),
            line if line.starts_with("not solved yet: ") => format!("\x1b[1;31m{line}\x1b[0m"),
            line => line.to_string(),
        };
        self.text.split_inclusive('\n').map(|line| paint(line.trim_end_matches('\n')) + "\n").collect()
    }

    /// Whether it was rejected for this reason, among others.
    pub fn is(&self, kind: Reason) -> bool {
        self.kinds.contains(&kind)
    }

    pub fn main_kind(&self) -> Option<Reason> {
        self.kinds.first().copied()
    }
}

fn ended(mut text: String) -> String {
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text
}
