//! What outlives a launch.

pub mod host;
pub mod state;
