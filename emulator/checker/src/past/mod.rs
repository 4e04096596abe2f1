//! What outlives a launch.

pub mod host;
pub mod records;
pub mod state;
