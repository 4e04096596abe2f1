//! Findings in words: the one place where data becomes English or Spanish.
//!
//! Pure: nothing here looks at a kernel, a device or a file. The words stand in `messages/`, a file for each family of
//! causes: a cause is `KEY` (what happened and what is missing), `KEY.why` and `KEY.fix`, by [`finding::Cause::key`].
//! `words` give them their values. A cause without words in both languages fails a test.

// Before the others, which use its macro.
#[macro_use]
mod speech;

mod causes;
mod ends;
mod fewer;
mod fix;
mod layout;
mod names;
mod parameters;
mod phrase;
#[cfg(feature = "demangle")]
mod python;
mod reader;
mod render;
mod shapes;
mod source;

pub use causes::launch::{refusal, shape_error};
pub use causes::{FindingTexts, fix, message, place, said, said_without_fix, why};
pub use fix::{Change, ChangeKind, FixState, changes, labelled};
pub use names::{readable, whole as whole_name};
pub use parameters::parameter_name;
pub use phrase::action::action;
pub use phrase::place::{allocation, of as named_place};
pub use phrase::threads::threads;
pub use phrase::value::written;
pub use reader::Reader;
pub use render::{Paint, Remarks, deed_alone, deed_of, hint, remark, render};
pub use source::Source;
pub use words::Language;

use speech::WORDS;

/// Returns what a counter counts, or a ratio compares, by its name.
pub fn counter(name: &str, language: Language) -> String {
    WORDS.say(language, &counter_key(name), &words::MessageValues::new())
}

fn counter_key(name: &str) -> String {
    format!("counter-{}", name.replace('.', "-"))
}
