//! What a cause needs to know: where threads stand and by which calls, flags and locks between them, who parted, met and ended
//! where. Two files decide more than words: `compared` dismisses plain loads that a compare-and-swap checks, and `barrier_sites`
//! makes notes.

pub mod apart;
pub mod barrier_sites;
pub mod compared;
pub mod exited;
pub mod flags;
pub mod here;
pub mod hints;
pub mod lack;
pub mod lockset;
pub mod partings;
pub mod polls;
pub mod sites;
pub mod warp;
