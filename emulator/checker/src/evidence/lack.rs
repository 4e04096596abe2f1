//! What two threads that race lack where no flag joins them: a barrier that takes in both, or one lock. All of it this run has
//! shown.

use crate::evidence::flags::Beside;
use crate::order::release::Location;
use machine::registers::Mask;

/// What two threads that race lack, beside the fences of a flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lack {
    Beside(Beside),
    /// The first one's thread ended here, before the barrier that the second one's has passed.
    Ended {
        end: u32,
        barrier: u32,
    },
    /// At the warp's barrier at this site these lanes met, and the other's is not one of them.
    Lane {
        barrier: u32,
        met: Mask,
    },
    /// As `Lane`, and the other lane had ended at the second site.
    LaneEnded {
        barrier: u32,
        end: u32,
    },
    /// Both lanes have traded registers here, which orders no memory.
    Trade {
        site: u32,
    },
    /// A word that was taken by a compare-and-swap or an exchange is set back by a plain store.
    PlainUnlock {
        taken: u32,
        store: u32,
    },
    /// The locks that each holds, as far as they are locks.
    Locks([Option<Location>; 2]),
}
