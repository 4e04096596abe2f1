//! This lesson's own texts: `messages/` holds the words.

use common::words::Catalogue;

/// From `messages/`.
pub static WORDS: Catalogue = common::words::catalogue!["lesson"];

/// `say!("key", name = value)`: this lesson's own words, in the reader's language.
macro_rules! say {
    ($($rest:tt)+) => { common::words::say!($crate::speech::WORDS, common::words::Language::current(), $($rest)+) };
}
