//! Times of the lessons' kernels on a GPU, beside what a professional would call: CUB, Thrust and the driver's own
//! copy.
//!
//! `jobs/` has a file for each job, with the table of its methods. `measure` checks and times them, on inputs of
//! `data`; `run` makes records of the times, `output` and `merge` what people and other programs read. `docs/bench.md`
//! has the rules.

/// `say!("key", name = value)`: a message in the reader's language.
macro_rules! say {
    ($($rest:tt)+) => { words::say!($crate::WORDS, words::Language::current(), $($rest)+) };
}

/// From `messages/`.
pub static WORDS: words::Catalogue = words::catalogue!["bench"];

pub mod cli;
pub mod data;
pub mod device;
pub mod jobs;
mod library;
pub mod measure;
pub mod merge;
mod nvml;
pub mod output;
pub mod record;
pub mod run;
pub mod stats;

#[cfg(test)]
mod tests {
    #[test]
    fn every_key_has_words_and_all_words_a_key() {
        let computed: Vec<String> = crate::cli::OPTIONS.iter().map(|name| format!("option-{name}")).collect();
        words::check::assert_fits(&crate::WORDS, env!("CARGO_MANIFEST_DIR"), &computed);
    }
}
