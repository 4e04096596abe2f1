//! Two accesses that nothing orders.

use crate::order::clock::TooNarrow;
use crate::order::copies::whereabouts;
use crate::sites::touched::Touched;
use finding::Distance;
use machine::run::launch::Launch;

/// Who has read what the first access's thread released.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// The second access's thread, at this site.
    At(u32),
    /// Another thread, before a barrier that both passed.
    BeforeBarrier,
}

/// Two accesses that nothing orders.
#[derive(Clone, Copy, Debug)]
pub struct Race {
    pub first: Touched,
    pub second: Touched,
    /// They would be ordered, or strong, if these reached both blocks.
    pub narrow: Option<TooNarrow>,
    /// They would be ordered if a fence followed what has been seen.
    pub unfenced: Option<Seen>,
    /// The site of a strong write of the same word that the thread of a plain load has made before.
    pub own_update: Option<u32>,
    /// They are morally strong, and race with nobody: nothing else orders them.
    pub is_allowed: bool,
    /// The earlier launch, by its number among the device's, from 1, where the first access is of another one.
    pub launch: Option<u32>,
}

impl Race {
    pub fn of(first: Touched, second: Touched) -> Race {
        Race { first, second, narrow: None, unfenced: None, own_update: None, is_allowed: false, launch: None }
    }
}

/// How far apart the threads of a race are.
pub fn distance(launch: &Launch, race: &Race) -> Distance {
    let ((first_block, first), (second_block, second)) =
        (whereabouts(launch, race.first.thread), whereabouts(launch, race.second.thread));
    match (first_block == second_block, first / 32 == second / 32) {
        (true, true) => Distance::Warp,
        (true, false) => Distance::Block,
        (false, _) => Distance::Grid,
    }
}
