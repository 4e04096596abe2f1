//! What has been found so far, as data.

pub mod array;
pub mod barriers;
pub mod clue;
pub mod divergence;
pub mod hints;
pub mod list;
pub mod race;
pub mod skipped;
pub mod values;
