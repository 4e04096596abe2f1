//! The last accesses of one word.
//!
//! Property: as long as each access of a word happens after the one before, a later access that happens after the last
//! write and the last read happens after all (FastTrack's epochs).

use crate::sites::touched::RecordedAccess;
use machine::registers::Mask;

/// The last accesses of four bytes.
#[derive(Clone, Copy, Debug, Default)]
pub struct ShadowCell {
    pub write: RecordedAccess,
    /// The lanes that made this same strong write at this clock of their warp, or 0. Not 0 only if every earlier access
    /// of the word that is kept is either a similar one or in the view of these lanes, so that they can be judged as
    /// one.
    pub lanes: Mask,
    pub read: RecordedAccess,
    /// Index into the side table, or 0. [`SideTable`](crate::fast::side_table::SideTable) encodes and decodes it.
    pub more: u32,
}

impl ShadowCell {
    #[inline]
    pub fn is_untouched(&self) -> bool {
        self.write.info.is_none() && self.read.info.is_none() && self.more == 0
    }
}
