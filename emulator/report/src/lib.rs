//! Findings in words: the one place where data becomes English.
//!
//! Pure: nothing here looks at a kernel, a device or a file. `words` has a file for each family of causes; each cause gets all of
//! its sentences in one arm of a `match`, so that a new variant does not compile without them, and another language is another
//! such set.

mod names;
mod parameters;
mod render;
mod words;

pub use names::Names;
pub use parameters::parameter_name;
pub use render::{Paint, Remarks, Source, hint, render};
pub use words::action::action;
pub use words::launch::{refusal, shape_error};
pub use words::place::allocation;
pub use words::threads::threads;
pub use words::value::written;
pub use words::{Said, help, message, place, said, why};
