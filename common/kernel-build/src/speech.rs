//! Texts of a build for a person, in English or Spanish: `messages/` holds the words.
//!
//! A build script has no `--lang`. It speaks as the environment says; a program that has chosen a language keeps it.

use words::{Catalogue, Language};

pub(crate) static WORDS: Catalogue = words::catalogue!["build"];

pub(crate) fn language() -> Language {
    Language::of_process()
}

/// `say!("key", name = value)`: a message in the reader's language.
macro_rules! say {
    ($($rest:tt)+) => { words::say!($crate::speech::WORDS, $crate::speech::language(), $($rest)+) };
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_key_has_words_and_all_words_a_key() {
        words::check::assert_fits(&super::WORDS, env!("CARGO_MANIFEST_DIR"), &[]);
    }
}
