//! The evidence from which causes are derived: the sites and calls of threads, flags and locks between them, and where
//! threads diverged, met and ended. One file affects more than messages: `compared` dismisses plain loads that a
//! compare-and-swap checks.

pub mod apart;
pub mod barrier_sites;
pub mod compared;
pub mod exited;
pub mod flags;
pub mod here;
pub mod lack;
pub mod lockset;
#[cfg(not(target_family = "wasm"))]
pub mod loose;
pub mod partings;
pub mod polls;
pub mod rejoin;
pub mod warp;
pub mod ways;
