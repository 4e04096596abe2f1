//! The state that outlives a launch.

pub mod host;
mod padding;
pub mod state;
