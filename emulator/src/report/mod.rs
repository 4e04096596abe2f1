//! Findings: what a checker says about a kernel, and how it is shown.

mod finding;
pub(crate) mod names;
mod parameters;
pub(crate) mod place;
pub mod render;
pub(crate) mod threads;

pub use finding::{Access, Argument, Finding, LaunchSite, Slug, SourceLocation, ThreadName, explain_an_answer};
pub use parameters::parameter_name;
