//! Texts of `cargo toolkit`, in the language of the process: `messages/` holds the words.

use std::path::Path;

pub static WORDS: words::Catalogue = words::catalogue!["toolkit"];

/// `say!("key", name = value)`: a message in the language of this process.
macro_rules! say {
    ($($rest:tt)+) => { words::say!($crate::WORDS, words::Language::current(), $($rest)+) };
}

pub(crate) fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// Returns the text that an error is added to: `cannot create /folder`.
pub(crate) fn cannot(doing: &str, path: &Path) -> String {
    say!("cannot", doing, path = shown(path))
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_key_has_words_and_all_words_a_key() {
        words::check::assert_fits(&super::WORDS, env!("CARGO_MANIFEST_DIR"), &[]);
    }
}
