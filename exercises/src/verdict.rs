//! The verdict on an answer.

use crate::reason::Reason;
use serde::{Deserialize, Serialize};
use tell::sarif::Problem;

/// Characters of a reason in one line.
const MOST_OF_REASON: usize = 160;

/// One judgement, as it goes from the judging process to the one that shows it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    pub passed: bool,
    /// Why not. The first is the main one.
    pub kinds: Vec<Reason>,
    /// The text to show.
    pub text: String,
    /// Launch sequences that were run.
    pub runs: u64,
    /// The text has notes: what fails nothing and is worth a word.
    #[serde(default)]
    pub has_notes: bool,
    /// The offset in bytes at which its line about the exercise begins in the text. The part before tells of the run,
    /// and may hold what the student's program said.
    #[serde(default)]
    pub line_at: Option<usize>,
    /// The run that shows it.
    pub replay: Option<String>,
    /// The findings of that run, for editors and code hosts.
    #[serde(default)]
    pub problems: Vec<Problem>,
    /// Instructions of the busiest thread, and elements that one thread accessed, where an answer is right and was
    /// counted.
    #[serde(default)]
    pub busiest: (u64, u64),
    /// System calls and files that it tried to use and was refused.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<String>,
    /// A digest that tells its code from another's; where asked for.
    #[serde(default)]
    pub code: Option<String>,
}

impl Verdict {
    pub fn failed(kind: Reason, text: String) -> Verdict {
        Verdict { kinds: vec![kind], text: ended(text), ..Verdict::default() }
    }

    pub fn passed(text: String, runs: u64) -> Verdict {
        Verdict { passed: true, text: ended(text), runs, ..Verdict::default() }
    }

    /// Rejected: what tells of it, the rest of the line about the exercise, and what is said after that.
    pub fn unsolved(kinds: &[Reason], told: &str, line: &str, more: &str) -> Verdict {
        let text = ended(format!("{told}{}\n{more}", say!("unsolved", line)));
        Verdict { kinds: kinds.to_vec(), text, line_at: Some(told.len()), ..Verdict::default() }
    }

    /// Right: what tells of it, the rest of the line about the exercise, and what is said after that.
    pub fn solved(told: &str, line: &str, more: &str, runs: u64) -> Verdict {
        let text = format!("{told}{}\n{more}", say!("solved", line));
        Verdict { line_at: Some(told.len()), ..Verdict::passed(text, runs) }
    }

    /// With this above it.
    pub fn below(self, above: &str) -> Verdict {
        Verdict { text: format!("{above}{}", self.text), line_at: self.line_at.map(|at| at + above.len()), ..self }
    }

    /// The line about the exercise; the first one where none is known.
    pub fn line(&self) -> &str {
        let from = self.line_at.filter(|at| self.text.is_char_boundary(*at)).unwrap_or(0);
        self.text[from..].lines().next().unwrap_or_default()
    }

    /// Returns the text; with `colour`, its line about the exercise in green or red.
    pub fn painted(&self, colour: bool) -> String {
        let mut text = ended(self.text.clone());
        if let Some(begin) = self.line_at.filter(|at| colour && text.is_char_boundary(*at)) {
            let end = text[begin..].find('\n').map_or(text.len(), |length| begin + length);
            text.insert_str(end, "\x1b[0m");
            text.insert_str(begin, if self.passed { "\x1b[1;32m" } else { "\x1b[1;31m" });
        }
        text
    }

    /// With a line about what it tried and was refused, if anything, before the line about the exercise.
    pub fn with_refused(mut self, refused: Vec<String>) -> Verdict {
        if !refused.is_empty() {
            let line = say!("refused", what = refused.join(", ")) + "\n\n";
            let at = self.line_at.filter(|at| self.text.is_char_boundary(*at)).unwrap_or(0);
            self.text.insert_str(at, &line);
            self.line_at = self.line_at.map(|at| at + line.len());
            self.refused = refused;
        }
        self
    }

    /// Returns why the answer was rejected, in one line: the first line of the text that says so. Empty for a right
    /// one.
    pub fn reason(&self) -> String {
        if self.passed {
            return String::new();
        }
        if !self.refused.is_empty() {
            return say!("refused", what = self.refused.join(", "));
        }
        let lines = || self.text.lines().map(str::trim).filter(|line| !line.is_empty());
        let says_why = |line: &&str| line.starts_with("error") || line.contains(": error");
        let line = lines().find(says_why).or_else(|| lines().next()).unwrap_or_default();
        line.chars().filter(|c| !c.is_control()).take(MOST_OF_REASON).collect()
    }

    /// True if it was rejected for this reason, among others.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_verdicts_own_line_is_painted_in_the_process_that_shows_it() {
        let told = "solved: said the program\nnot solved yet: it said\n\n";
        let sent =
            |verdict: &Verdict| -> Verdict { serde_json::from_str(&serde_json::to_string(verdict).unwrap()).unwrap() };
        let unsolved = sent(&Verdict::unsolved(&[Reason::Answer], told, "x.rs (answer)", "It ran."));
        assert_eq!(unsolved.painted(true), format!("{told}\x1b[1;31mnot solved yet: x.rs (answer)\x1b[0m\nIt ran.\n"));
        assert_eq!(unsolved.painted(false), format!("{told}not solved yet: x.rs (answer)\nIt ran.\n"));
        let solved = sent(&Verdict::solved(told, "x.rs", "idea: none", 3));
        assert_eq!(solved.painted(true), format!("{told}\x1b[1;32msolved: x.rs\x1b[0m\nidea: none\n"));
    }

    #[test]
    fn a_reason_is_one_line_and_a_right_answer_has_none() {
        let reason = |text: &str| Verdict::failed(Reason::Answer, text.to_string()).reason();
        assert_eq!(
            reason("printed by the kernel:\n   7\n\nerror[race-global]: a race\n"),
            "error[race-global]: a race"
        );
        assert_eq!(reason("x.cu(3): error: expected a \";\"\n"), "x.cu(3): error: expected a \";\"");
        assert_eq!(reason("nothing was handed in for x\nThere is y\n"), "nothing was handed in for x");
        assert_eq!(Verdict::solved("", "x.cu", "", 3).reason(), "");
    }

    #[test]
    fn a_stored_verdict_that_does_not_say_where_its_line_is_stays_plain() {
        let stored = r#"{"passed":true,"kinds":[],"text":"solved: x.cu\n","runs":1,"replay":null}"#;
        let verdict: Verdict = serde_json::from_str(stored).unwrap();
        assert_eq!(verdict.painted(true), "solved: x.cu\n");
    }
}
