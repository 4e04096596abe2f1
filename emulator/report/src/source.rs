//! The sources that a report shows.

/// A source file as the reader knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source<'a> {
    /// The path to show, which may be shorter than the one in the PTX.
    pub path: &'a str,
    pub text: &'a str,
}
