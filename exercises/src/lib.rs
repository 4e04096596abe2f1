//! `cargo learn`: exercises in CUDA concurrency, judged on the emulated GPU.
//!
//! `catalog/` holds the exercises (AUTHORS.md describes the format); [`catalog`], [`spec`] and [`spanish`] read them; [`judge`]
//! says whether an answer is right, in a process of its own ([`child`]; [`confine`] for programs of the host); [`tried`]
//! looks for what fixes it; [`verify`] holds the catalogue to what it promises. [`desk`] and [`progress`] are the student's side:
//! copies that updates leave alone, and what is solved. [`grade`] judges a class. [`web`] is the course in
//! a browser. [`new`] and [`pack`] are for authors.
//!
//! What people read stands in `messages/`, in English and in Spanish.

/// `say!("key", name = value)`: a message in this process's language.
#[macro_export]
macro_rules! say {
    ($($rest:tt)+) => { $crate::words::say!($crate::WORDS, $crate::Language::current(), $($rest)+) };
}

pub mod answer;
pub mod arguments;
pub mod budget;
pub mod case;
pub mod catalog;
pub mod cheats;
pub mod child;
pub mod compile;
pub mod confine;
pub mod desk;
pub mod doctor;
pub mod expression;
pub mod grade;
pub mod headers;
pub mod host;
pub mod judge;
pub mod judging;
pub mod marks;
pub mod mutants;
pub mod new;
pub mod pack;
pub mod progress;
pub mod puzzle;
pub mod reason;
pub mod report;
pub mod sandbox;
pub mod session;
pub mod shown_run;
pub mod site;
pub mod spanish;
pub mod spec;
pub mod stage;
pub mod stored;
pub mod toolchain;
pub mod tried;
pub mod values;
pub mod verdict;
pub mod verify;
pub mod watch;
pub mod web;

pub use words::{self, Language};

pub static WORDS: words::Catalogue = words::catalogue!["help", "verdict", "session", "grade", "author", "tools", "web"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_message_is_said_and_there_in_both_languages() {
        words::check::assert_fits(&WORDS, env!("CARGO_MANIFEST_DIR"), &arguments::keys());
    }
}
