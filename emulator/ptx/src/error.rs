//! Why a text is not PTX.

use std::fmt;

/// Why a text is not PTX, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// From 1.
    pub line: u32,
    /// In characters, from 1.
    pub column: u32,
    /// The text that says what was found and what was expected.
    pub message: String,
    /// No newer PTX can mean this: the text is cut off, or says a thing twice.
    pub is_malformed: bool,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for Error {}
