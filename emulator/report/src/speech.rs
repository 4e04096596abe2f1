//! Texts for a person, in the language of the reader: `messages/` holds the words.

/// Pages lack copies of tensors, products of warpgroups, the check of expected bytes, hints, and counters.
pub(crate) static WORDS: words::Catalogue = words::catalogue![
    "race",
    "memory",
    "undefined",
    "barrier",
    "waiting",
    #[cfg(not(target_family = "wasm"))]
    "bulk",
    #[cfg(not(target_family = "wasm"))]
    "warpgroup",
    "launch",
    #[cfg(not(target_family = "wasm"))]
    "hint",
    "action",
    "place",
    "frame",
    #[cfg(not(target_family = "wasm"))]
    "counter",
];

/// `say!(reader, "key", name = value)`: a message in the reader's language.
macro_rules! say {
    ($reader:expr, $($rest:tt)+) => { words::say!($crate::speech::WORDS, $reader.language, $($rest)+) };
}
