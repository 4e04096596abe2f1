//! Fixes that can be tried: a remedy is applied to a kernel's PTX, which is run again, and to its source, which is
//! shown.
//!
//! No I/O, and no judgement: [`candidates`] lists what may help, [`patch`] and [`source`] apply it, [`search`] goes
//! through it, and whoever runs kernels tells whether the result is right.
//!
//! Advice is the code that chooses what to try: `diagnose/src/remedies.rs`, [`candidates`], [`search`], and of
//! [`source`] `guesses`, `suggest` and `together`. It stays small, and a test counts its lines; all else here applies
//! an edit that it is given, and the rest of `diagnose` says what has happened.

pub mod candidates;
mod instructions;
pub mod patch;
pub mod search;
pub mod source;
pub mod versions;

use std::fmt;

/// Why a remedy cannot be applied. It is then not tried, and not told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unfit {
    /// The text does not parse.
    Unreadable,
    /// No instruction or statement of this kernel is where the edit points.
    NothingThere { line: u32 },
    /// There is something, which this edit does not fit.
    OtherThing { line: u32 },
    /// In another file, such as a header.
    OtherFile { file: String },
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unfit::Unreadable => f.write_str("the text cannot be read"),
            Unfit::NothingThere { line } => write!(f, "nothing to change in line {line}"),
            Unfit::OtherThing { line } => write!(f, "line {line} holds something that this edit does not fit"),
            Unfit::OtherFile { file } => write!(f, "{file} is another file"),
        }
    }
}

impl std::error::Error for Unfit {}
