//! What is said of an answer.

use serde::{Deserialize, Serialize};

/// One judgement, as it goes from the judging process to the one that shows it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    pub passed: bool,
    /// Why not: slugs of findings, `answer`, `budget`, `idle`, `compile`, `launch`, `unsupported`, `todo`, `limit`. The first is
    /// the main one.
    pub kinds: Vec<String>,
    /// What to show.
    pub text: String,
    /// Launch sequences that were run.
    pub runs: u64,
    /// The run that shows it.
    pub replay: Option<String>,
}

impl Verdict {
    pub fn failed(kind: &str, text: String) -> Verdict {
        Verdict { kinds: vec![kind.to_string()], text: ended(text), ..Verdict::default() }
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
    pub fn is(&self, kind: &str) -> bool {
        self.kinds.iter().any(|known| known == kind)
    }

    pub fn main_kind(&self) -> &str {
        self.kinds.first().map_or("passed", String::as_str)
    }
}

fn ended(mut text: String) -> String {
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text
}
