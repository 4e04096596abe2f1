//! What a lesson prints: text for a student, JSON for a script.

pub mod bars;
pub mod counters;
pub mod json;
pub mod proof;
pub mod text;
mod wrap;

use crate::module::Kernel;
use crate::outcome::Outcome;
use crate::verdict::Verdict;
use std::io::Write;
use std::path::PathBuf;

/// To stdout, with colours and broken lines only on a terminal. A reader that has gone away is no reason to fail.
pub fn say(text: &str) {
    let columns = rustix::termios::tcgetwinsize(std::io::stdout()).map_or(0, |size| usize::from(size.ws_col));
    let mut stdout = anstream::stdout().lock();
    let _ = stdout.write_all(wrap::fit(text, columns).as_bytes()).and_then(|()| stdout.flush());
}

/// One kernel's results, ready to print.
pub struct Reported {
    pub kernel: Kernel,
    pub outcome: Outcome,
    pub verdict: Verdict,
    /// `--input`, where the row read it.
    pub input: Option<PathBuf>,
    /// On a GPU: the median over the timed runs.
    pub time_ms: Option<f64>,
    pub gb_per_s: Option<f64>,
    /// Of the driver's own copy, measured in the same run.
    pub share_of_copy: Option<f64>,
}
