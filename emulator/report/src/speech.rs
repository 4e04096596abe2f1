//! Texts for a person, in the language of the reader: `messages/` holds the words.

#[cfg(not(target_family = "wasm"))]
pub(crate) static WORDS: words::Catalogue = words::catalogue![
    "race",
    "memory",
    "undefined",
    "barrier",
    "waiting",
    "warpgroup",
    "launch",
    "hint",
    "action",
    "place",
    "frame",
    "counter"
];

/// A page runs no products of warpgroups, and gives no hints.
#[cfg(target_family = "wasm")]
pub(crate) static WORDS: words::Catalogue = words::catalogue![
    "race",
    "memory",
    "undefined",
    "barrier",
    "waiting",
    "launch",
    "action",
    "place",
    "frame",
    "counter"
];

/// `say!(reader, "key", name = value)`: a message in the reader's language.
macro_rules! say {
    ($reader:expr, $($rest:tt)+) => { words::say!($crate::speech::WORDS, $reader.language, $($rest)+) };
}
