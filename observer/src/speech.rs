//! Texts of this crate for a person, on stderr.

use words::{Catalogue, Language};

pub(crate) static WORDS: Catalogue = words::catalogue!["observer"];

/// `say!("key", name = value)`: a message in the program's language.
macro_rules! say {
    ($($rest:tt)+) => { words::say!($crate::speech::WORDS, $crate::speech::language(), $($rest)+) };
}

/// The language that the program has chosen. One that knows nothing of languages gets the environment's.
pub(crate) fn language() -> Language {
    Language::of_process()
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_key_has_words_and_all_words_a_key() {
        words::check::assert_fits(&super::WORDS, env!("CARGO_MANIFEST_DIR"), &[]);
    }
}
