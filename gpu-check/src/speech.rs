//! Texts of this crate for a person.

use words::{Catalogue, Language};

pub static WORDS: Catalogue = words::catalogue!["gpu-check"];

/// `say!("key", name = value)`: a message in the program's language.
macro_rules! say {
    ($($rest:tt)+) => { words::say!($crate::speech::WORDS, $crate::speech::language(), $($rest)+) };
}

/// The language that was asked for, or the environment's.
pub fn language() -> Language {
    Language::of_process()
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_key_has_words_and_all_words_a_key() {
        words::check::assert_fits(&super::WORDS, env!("CARGO_MANIFEST_DIR"), &[]);
    }
}
