//! The terminal that stdout is, if it is one.

use crate::fit::{cut, fit};
use rustix::termios::tcgetwinsize;
use std::io::{IsTerminal, stderr, stdout};
use std::os::fd::AsFd;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TerminalSize {
    pub rows: usize,
    pub columns: usize,
}

/// The size of a terminal that does not tell it.
pub const USUAL: TerminalSize = TerminalSize { rows: 24, columns: 80 };

/// The terminal's size; `None` where stdout is a pipe or a file.
pub fn size() -> Option<TerminalSize> {
    stdout().is_terminal().then(|| size_of(&stdout()))
}

fn size_of(terminal: &impl AsFd) -> TerminalSize {
    let told = tcgetwinsize(terminal).map_or((0, 0), |size| (usize::from(size.ws_row), usize::from(size.ws_col)));
    let or_named = |told: usize, name: &str, usual: usize| match told {
        0 => std::env::var(name).ok().and_then(|text| text.parse().ok()).filter(|size| *size > 0).unwrap_or(usual),
        told => told,
    };
    TerminalSize { rows: or_named(told.0, "LINES", USUAL.rows), columns: or_named(told.1, "COLUMNS", USUAL.columns) }
}

/// Writes text to stdout: laid out for the terminal, or as it is where there is none.
pub fn print(text: &str) {
    let Some(size) = size() else { return tell::put(text) };
    let mut all = fit(text, size.columns).join("\n");
    if text.ends_with('\n') {
        all.push('\n');
    }
    tell::put(&all);
}

/// A line on stderr that tells what takes long. Where stderr is no terminal, nothing is written.
#[derive(Default)]
pub struct ProgressLine {
    is_shown: bool,
}

impl ProgressLine {
    pub fn show(&mut self, line: &str) {
        if stderr().is_terminal() {
            words::to_stderr(&format!("\r\x1b[K{}", cut(line, size_of(&stderr()).columns)));
            self.is_shown = true;
        }
    }

    /// Takes the line away.
    pub fn clear(&mut self) {
        if std::mem::take(&mut self.is_shown) {
            words::to_stderr("\r\x1b[K");
        }
    }
}
