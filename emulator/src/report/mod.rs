//! Findings: what a checker says about a kernel, and how it is shown.

mod finding;
pub(crate) mod names;
pub mod render;
pub(crate) mod threads;

pub use finding::{Access, Finding, Slug, SourceLocation, ThreadName};
