//! The order that two threads that race lack, if no flag connects them: a barrier that includes both, or one lock. All
//! of it was observed in this run.

use crate::evidence::flags::BesideFlag;
use crate::order::release::Location;
use machine::registers::Mask;

/// The order that two threads that race lack, apart from the fences of a flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MissingOrder {
    Beside(BesideFlag),
    /// The thread of the first access ended here, before the barrier that the other thread has passed.
    Ended {
        end: u32,
        barrier: u32,
    },
    /// These lanes met at the warp's barrier at this site, and the other thread's lane is not one of them.
    Lane {
        barrier: u32,
        met: Mask,
    },
    /// As `Lane`, and the other lane had ended at the second site.
    LaneEnded {
        barrier: u32,
        end: u32,
    },
    /// Both lanes have exchanged registers here, which orders no memory.
    Trade {
        site: u32,
    },
    /// A word that was taken by a compare-and-swap or an exchange is released by a plain store.
    PlainUnlock {
        taken: u32,
        store: u32,
    },
    /// The lock that each holds, if any.
    Locks([Option<HeldLock>; 2]),
    /// Both threads take the same lock. The thread of the first access, or of the second, took it at `taken` and
    /// released it at `site` before its access.
    ReleasedEarly {
        taken: u32,
        site: u32,
        is_first: bool,
    },
}

/// A lock, and the site at which a thread took it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeldLock {
    pub place: Location,
    pub taken: u32,
}
