//! Findings: what a checker says about a kernel, and how it is shown.

mod finding;
pub mod names;
mod parameters;
pub mod render;
pub mod threads;

pub use finding::{
    Access, Argument, Finding, LaunchSite, Slug, SourceLocation, ThreadName, explain_an_answer, numbered,
};
pub use parameters::parameter_name;
