//! Progress of `grade` on stderr, in a terminal and in a log.

use crate::terminal::ProgressLine;
use crate::toolchain::{self, Recipe};
use std::io::IsTerminal;
use std::time::Duration;

/// Between two reports of cargo's progress in a terminal, where the next one takes the line of the last.
const SECOND: Duration = Duration::from_secs(1);

/// Between two reports of cargo's progress in a log.
const INTERVAL: Duration = Duration::from_secs(30);

/// The number of students graded so far, printed on stderr: in a terminal on one line that changes, else on a line for
/// each tenth of the class.
pub struct StudentProgress {
    done: usize,
    of: usize,
    is_terminal: bool,
}

impl StudentProgress {
    pub fn new(of: usize) -> StudentProgress {
        let progress = StudentProgress { done: 0, of, is_terminal: std::io::stderr().is_terminal() };
        if progress.is_terminal {
            progress.print("");
        }
        progress
    }

    pub fn one_more(&mut self) {
        self.done += 1;
        if self.is_terminal {
            // The next one takes its line.
            self.print(if self.done == self.of { "\n" } else { "" });
        } else if is_tenth(self.done, self.of) {
            self.print("\n");
        }
    }

    fn print(&self, end: &str) {
        let begin = if self.is_terminal { "\r" } else { "" };
        words::to_stderr(&format!("{begin}{}{end}", say!("grade-progress", ready = self.done, of = self.of)));
    }
}

/// Returns true for ten of the numbers from 1 to `of`, or for all if there are fewer; the last one is among them.
fn is_tenth(done: usize, of: usize) -> bool {
    done * 10 / of > (done - 1) * 10 / of
}

/// Returns the recipe that programs of the host are built with. Cargo takes minutes for it the first time, and how far
/// it is goes to stderr.
pub fn host_recipe() -> Result<Recipe, String> {
    let is_terminal = std::io::stderr().is_terminal();
    let mut line = ProgressLine::default();
    let recipe = toolchain::recipe_watched(if is_terminal { SECOND } else { INTERVAL }, |building, passed| {
        let text = toolchain::progress_text(building, passed);
        match is_terminal {
            true => line.show(&text),
            false => words::to_stderr(&format!("{text}\n")),
        }
    });
    line.clear();
    recipe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_has_ten_lines_or_one_for_each_student() {
        let told = |of: usize| (1..=of).filter(|done| is_tenth(*done, of)).collect::<Vec<_>>();
        assert_eq!(told(3), [1, 2, 3]);
        assert_eq!(told(40), [4, 8, 12, 16, 20, 24, 28, 32, 36, 40]);
        assert_eq!((told(301).len(), told(301).last()), (10, Some(&301)));
    }
}
