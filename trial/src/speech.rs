//! Texts about a run, in the language of the process: `messages/` holds the words.

use words::Catalogue;

pub(crate) static WORDS: Catalogue = words::catalogue!["runs"];

/// `say!("key", name = value)`: a message in the language of this process.
macro_rules! say {
    ($($rest:tt)+) => { words::say!($crate::speech::WORDS, words::Language::current(), $($rest)+) };
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_key_has_words_and_all_words_a_key() {
        words::check::assert_fits(&super::WORDS, env!("CARGO_MANIFEST_DIR"), &[]);
    }
}
