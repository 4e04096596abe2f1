//! Comparisons of the thread whose access is judged with accesses that the fast checker keeps.
//!
//! Property: a view that has reached a clock of a warp's lane has reached all its earlier ones, so one comparison
//! settles all accesses of that lane up to this clock.

use crate::access::actor::Current;
use crate::fast::cell::ShadowCell;
use crate::fast::side_table::SideTable;
use crate::sites::touched::{AccessInfo, Clock, RecordedAccess};
use machine::registers::Mask;

impl Current<'_> {
    /// As `ordered`, but by the vector clock alone. False for an access that stands for several lanes.
    #[inline(always)]
    pub fn knows_of(&self, earlier: RecordedAccess) -> bool {
        match earlier.launch() {
            Some(launch) => self.actor.is_after(launch, self.lane),
            None => !earlier.info.is_spread() && self.knows(self.view(), earlier.warp(), earlier.lane(), earlier.clock),
        }
    }

    /// True if an access by that warp and the current one are morally strong, by a quick look: two wide scopes, or one
    /// block. False where morally strong pairs are wanted as hints.
    #[inline(always)]
    pub fn is_strong_with(&self, warp: u32, earlier: AccessInfo, new: AccessInfo) -> bool {
        !self.actor.wants_hints()
            && new.scope().is_some()
            && earlier.is_like_strong(new)
            && (earlier.is_wide() && new.is_wide() || self.is_in_its_block(warp))
    }

    /// True for a strong access by another block of its launch.
    #[inline(always)]
    pub fn is_far(&self, old: RecordedAccess) -> bool {
        old.info.scope().is_some() && !old.info.is_older() && !old.info.is_spread() && !self.is_in_its_block(old.warp())
    }

    /// True if all accesses in the side table that can race with `new` are in the current thread's view.
    pub fn knows_all_of(&self, overflow: &mut SideTable, cell: &ShadowCell, new: AccessInfo) -> bool {
        self.are_all(overflow, cell, new, |warp, clock, _, lanes| self.knows_all(warp, lanes, clock))
    }

    /// Like `knows_all_of`, but an entry may also touch other bytes than `new`, or be the thread's own.
    #[inline(always)]
    pub fn comes_after_all_of(&self, overflow: &mut SideTable, cell: &ShadowCell, new: AccessInfo) -> bool {
        self.are_all(overflow, cell, new, |warp, clock, info, lanes| {
            let is_own = || warp == self.actor.warp() && lanes == 1 << self.lane;
            info.bytes() & new.bytes() == 0 || is_own() || self.knows_all(warp, lanes, clock)
        })
    }

    /// True if `is` holds for all accesses in the side table that can race with `new`. Counts the comparisons.
    #[inline(always)]
    fn are_all(
        &self,
        overflow: &mut SideTable,
        cell: &ShadowCell,
        new: AccessInfo,
        is: impl Fn(u32, Clock, AccessInfo, Mask) -> bool,
    ) -> bool {
        let mut looks = 0;
        let all = overflow.all_against(cell, new, |(warp, clock, info, lanes)| {
            looks += 1;
            !info.is_older() && is(warp, clock, info, lanes)
        });
        overflow.looks += looks;
        all
    }
}
