//! Races: pairs of accesses that nothing orders, and morally strong pairs where hints are wanted.

use crate::order::clock::TooNarrow;
use crate::order::copies::whereabouts;
use crate::sites::touched::RecordedAccess;
use finding::{Distance, MapFences};
use machine::run::launch::Launch;

/// The thread that has read what the first access's thread released.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReleaseSeen {
    /// The second access's thread, at this site.
    At(u32),
    /// Another thread, before a barrier that both passed.
    BeforeBarrier,
}

/// A proxy fence that is missing between two accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MissingProxyFence {
    /// For the asynchronous proxy.
    Async,
    /// For the tensormap proxy.
    Map(MapFences),
}

/// Two accesses that nothing orders.
#[derive(Clone, Copy, Debug)]
pub struct Race {
    pub first: RecordedAccess,
    pub second: RecordedAccess,
    /// The scopes that are too narrow: the accesses would be ordered, or morally strong, if these reached both blocks.
    pub narrow: Option<TooNarrow>,
    /// The read that a fence would have to follow for the accesses to be ordered.
    pub unfenced: Option<ReleaseSeen>,
    /// The site of an earlier strong write of the same word by the thread of a plain load.
    pub own_update: Option<u32>,
    /// The proxy fence that is missing if the accesses are ordered, but not for the proxy of the second one.
    pub proxy: Option<MissingProxyFence>,
    /// True if the accesses are morally strong, hence no race, and nothing else orders them.
    pub is_allowed: bool,
    /// The number of the earlier launch among the device's, from 1, if the first access is of another launch.
    pub launch: Option<u32>,
}

impl Race {
    pub fn of(first: RecordedAccess, second: RecordedAccess) -> Race {
        Race {
            first,
            second,
            narrow: None,
            unfenced: None,
            own_update: None,
            proxy: None,
            is_allowed: false,
            launch: None,
        }
    }
}

/// Returns whether the threads of a race are in one warp, in one block, or in different blocks.
pub fn distance(launch: &Launch, race: &Race) -> Distance {
    let ((first_block, first), (second_block, second)) =
        (whereabouts(launch, race.first.thread), whereabouts(launch, race.second.thread));
    match (first_block == second_block, first / 32 == second / 32) {
        (true, true) => Distance::Warp,
        (true, false) => Distance::Block,
        (false, _) => Distance::Grid,
    }
}
