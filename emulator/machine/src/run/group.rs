//! A group of threads, as a warp keeps it and a schedule sees it.

use crate::exec::warp::CollectiveKind;
use crate::registers::Mask;

/// The state of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wait {
    Ready,
    /// At a block barrier, by number.
    Barrier(u8),
    /// At a `.sync` instruction of this kind, for these lanes.
    Members(CollectiveKind, Mask),
}

/// Threads of a warp that stand at the same instruction of the same call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    pub pc: u32,
    pub mask: Mask,
    /// Index into the frames of its warp.
    pub frame: u32,
    pub wait: Wait,
}
