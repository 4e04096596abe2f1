//! The progress of a long trial: one line on stderr that replaces itself, on a terminal only, from the first second on.

use std::io::{IsTerminal, Write};
use std::sync::Mutex;
use std::time::{Duration, Instant};
use trial::Batch;

pub struct RunsProgress {
    label: String,
    /// 0 if it is not known.
    total: u64,
    /// `None` where nobody looks.
    state: Option<Mutex<ProgressState>>,
}

struct ProgressState {
    done: u64,
    /// When a line may be shown next.
    next: Instant,
    is_shown: bool,
}

/// Trials shorter than this say nothing.
const PATIENCE: Duration = Duration::from_secs(1);
const EVERY: Duration = Duration::from_millis(100);

impl RunsProgress {
    pub fn new(label: &str, plan: &[Batch]) -> RunsProgress {
        let total = plan.iter().map(|batch| batch.seeds.end - batch.seeds.start).sum();
        let start = || Mutex::new(ProgressState { done: 0, next: Instant::now() + PATIENCE, is_shown: false });
        RunsProgress { label: label.to_string(), total, state: std::io::stderr().is_terminal().then(start) }
    }

    /// The progress of a search for executions, whose number nobody knows.
    pub fn of_search(label: &str) -> RunsProgress {
        RunsProgress::new(label, &[])
    }

    pub fn none() -> RunsProgress {
        RunsProgress { label: String::new(), total: 0, state: None }
    }

    /// One run is done, or one execution visited.
    pub fn step(&self) {
        self.show(1);
    }

    /// Shows the line again, with `more` runs or executions done.
    pub fn show(&self, more: u64) {
        let Some(state) = &self.state else { return };
        let mut state = state.lock().expect("nothing panics with this lock");
        state.done += more;
        let now = Instant::now();
        if now >= state.next {
            state.next = now + EVERY;
            state.is_shown = true;
            // A terminal that has gone away is no reason to fail.
            let _ = write!(std::io::stderr(), "\r\x1b[K{}", self.line(state.done));
        }
    }

    fn line(&self, done: u64) -> String {
        if self.total == 0 {
            return say!("progress-executions", kernel = &self.label, done);
        }
        const WIDTH: u64 = 24;
        let full = (WIDTH * done / self.total).min(WIDTH) as usize;
        let bar = format!("{}{}", "#".repeat(full), ".".repeat(WIDTH as usize - full));
        say!("progress", kernel = &self.label, bar, done, total = self.total)
    }
}

/// Takes the line away.
impl Drop for RunsProgress {
    fn drop(&mut self) {
        let shown = self.state.take().and_then(|state| state.into_inner().ok()).is_some_and(|state| state.is_shown);
        if shown {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_how_much_is_done() {
        let progress = RunsProgress { label: "sum_correct".to_string(), total: 48, state: None };
        assert_eq!(progress.line(12), "sum_correct [######..................] 12 of 48 runs");
        assert_eq!(progress.line(48), "sum_correct [########################] 48 of 48 runs");
    }
}
