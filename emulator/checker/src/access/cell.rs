//! The last accesses of one word.

use crate::sites::touched::Touched;
use machine::registers::Mask;

/// The last accesses of four bytes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cell {
    pub write: Touched,
    /// Lanes that made this same strong write at this clock of their warp, if nothing but the like of it
    /// can race with another; else 0.
    pub lanes: Mask,
    pub read: Touched,
    /// Where in the side table, or 0. Only that knows how ([`Overflow`](crate::access::overflow::Overflow)).
    pub more: u32,
}

impl Cell {
    #[inline]
    pub fn is_untouched(&self) -> bool {
        self.write.how.is_none() && self.read.how.is_none() && self.more == 0
    }
}
