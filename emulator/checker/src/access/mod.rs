//! An access that is judged: the warp that makes it, the words that it touches, and the race that it may be part of.

pub mod actor;
pub mod race;
pub mod row;
pub mod warp_access;
