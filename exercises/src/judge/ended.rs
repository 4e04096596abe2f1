//! A kernel that ended itself: where, and by which condition.

use super::trial::AnswerTrial;
use crate::stage::RunResults;
use emulator::{EndedAt, Fault};

/// Between a thread's number and the condition, and after the condition, in what a failed `assert` prints.
const BEFORE: &str = "] Assertion `";
const AFTER: &str = "` failed.";

impl AnswerTrial<'_> {
    /// The line with `assert` or `__trap()`; `None` where the kernel did not end itself.
    pub(super) fn ended(&self, outcome: &RunResults) -> Option<String> {
        let at = outcome.ended_at.as_ref()?;
        let place = at.location.as_ref();
        let code = place.and_then(|place| self.source(&place.file)).and_then(|_| self.line(place?.line));
        let condition = lines(&outcome.assertions).find_map(condition);
        let mut text = match (&outcome.fault, condition) {
            (Some(Fault::Assert), Some(condition)) => say!("error-assert", condition),
            (Some(Fault::Assert), None) => say!("error-assert", condition = "?"),
            _ => say!("error-trap", is_called = code.is_some_and(|code| code.contains("__trap"))),
        } + "\n";
        if let (Some(place), Some(code)) = (place, code) {
            let indent = code.len() - code.trim_start().len();
            let (line, shown) = (place.line, &self.task.shown);
            let mark = format!("   | {:indent$}^ {}", "", who(at));
            text += &format!("  --> {shown}:{line}\n{line:>2} | {code}\n{mark}\n");
        }
        Some(text)
    }
}

fn who(at: &EndedAt) -> String {
    let index = |[x, y, z]: [u32; 3]| if y + z == 0 { x.to_string() } else { format!("({x},{y},{z})") };
    say!("ended-thread", block = index(at.block), thread = index(at.thread))
}

fn lines(messages: &[u8]) -> impl Iterator<Item = String> {
    messages.split(|byte| *byte == b'\n').map(|line| String::from_utf8_lossy(line).into_owned())
}

/// Returns the condition in the line of a failed assertion.
fn condition(line: impl AsRef<str>) -> Option<String> {
    let (before, rest) = line.as_ref().split_once(BEFORE)?;
    let condition = rest.trim_end().strip_suffix(AFTER)?;
    before.contains(": block: [").then(|| condition.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_condition_of_an_assertion_is_found() {
        let message = b"/a b/x.cu:4: f: block: [0,0,0], thread: [3,0,0] Assertion `i < 3 && \"`\"` failed.\n";
        let found: Vec<String> = lines(message).filter_map(condition).collect();
        assert_eq!(found, ["i < 3 && \"`\""]);
    }
}
