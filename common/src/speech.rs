//! Texts of a lesson for a person, in the language of the process: `messages/` holds the words.

use crate::table::kernel_file::KernelFile;
use words::{Catalogue, Language, MessageValues};

pub(crate) static WORDS: Catalogue = words::catalogue!["options", "errors", "answers", "report", "table", "counters"];

/// Translations of what kernel files' headers say in English, by the file's name.
static WANTED: Catalogue = Catalogue::new([&[], &[("es/wanted.ftl", include_str!("../messages/es/wanted.ftl"))]]);

/// Returns the description of the right answer: the header's words, or their translation.
pub(crate) fn wanted(file: &KernelFile) -> Option<String> {
    let words = file.wanted()?;
    let language = Language::current();
    Some(if WANTED.has(language, file.name) { WANTED.say(language, file.name, &MessageValues::new()) } else { words })
}

/// True if a reader of this language is told so in it.
pub(crate) fn is_translated(file: &KernelFile, language: Language) -> bool {
    language == Language::English || file.wanted().is_none() || WANTED.has(language, file.name)
}

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
