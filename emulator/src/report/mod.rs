//! Findings: what a checker says about a kernel, and how it is shown.

mod finding;

pub use finding::{Access, Finding, Slug, SourceLocation, ThreadName};
