//! A remedy applied to CUDA source text.

use crate::Unfit;
use finding::Edit;

/// Replaces what stands from `start` up to `end` by `text`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TextEdit {
    pub start: At,
    pub end: At,
    pub text: String,
}

/// A place between characters; line and column from 1, columns in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct At {
    pub line: u32,
    pub column: u32,
}

/// How the file changes, in order from its top.
pub fn text_edits(source: &str, kernel: &str, remedy: &[Edit]) -> Result<Vec<TextEdit>, Unfit> {
    let _ = (source, kernel, remedy);
    Err(Unfit::Unreadable)
}
