//! What a cause needs to know: where threads stand and by which calls, flags and locks between them, who parted, met and ended
//! where. One file decides more than words: `compared` dismisses plain loads that a compare-and-swap checks.

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
