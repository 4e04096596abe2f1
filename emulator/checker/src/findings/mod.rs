//! The findings, as data.

pub mod array;
pub mod barriers;
pub mod clue;
pub mod constant;
pub mod divergence;
#[cfg(not(target_family = "wasm"))]
pub mod hints;
#[cfg(target_family = "wasm")]
#[path = "no_hints.rs"]
pub mod hints;
pub mod incoming;
pub mod left;
pub mod list;
pub mod race;
pub mod skipped;
pub mod values;
