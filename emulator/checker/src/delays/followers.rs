//! Threads on which an observation can have no further effect.
//!
//! An update may be inserted between another update and the write that this one has read. Its release has then been
//! observed long ago by that thread, and by others, which would have acquired it at their next fence. So it may release
//! something only if that would have made no difference: each of them has ended, and has accessed nothing since it
//! acquired anything.

use machine::registers::{Mask, WARP, lanes};
use rustc_hash::FxHashMap;

#[derive(Debug, Default)]
pub struct Followers {
    /// The number of events so far.
    time: u64,
    /// The warps that have acquired something.
    warps: FxHashMap<(u64, u32), Box<LaneTimes>>,
    ended: FxHashMap<(u64, u32), Mask>,
}

#[derive(Debug, Default)]
struct LaneTimes {
    /// The time when each lane last acquired something; below, the value that this had when the lane last accessed
    /// something.
    acquired: [u64; WARP],
    used: [u64; WARP],
}

impl Followers {
    pub fn now(&self) -> u64 {
        self.time
    }

    /// Records that lanes access memory, or arrive at a barrier.
    pub fn touch(&mut self, block: u64, warp: u32, mask: Mask) {
        self.time += 1;
        if let Some(known) = self.warps.get_mut(&(block, warp)) {
            lanes(mask).for_each(|lane| known.used[lane] = known.acquired[lane]);
        }
    }

    pub fn acquire(&mut self, block: u64, warp: u32, mask: Mask) {
        self.time += 1;
        let known = self.warps.entry((block, warp)).or_default();
        lanes(mask).for_each(|lane| known.acquired[lane] = self.time);
    }

    pub fn end(&mut self, block: u64, warp: u32, mask: Mask) {
        *self.ended.entry((block, warp)).or_default() |= mask;
    }

    /// True if none of the lanes can use any more what they observed at that time.
    pub fn are_done(&self, block: u64, warp: u32, mask: Mask, observed: u64) -> bool {
        let have_ended = self.ended.get(&(block, warp)).is_some_and(|ended| mask & !ended == 0);
        let known = self.warps.get(&(block, warp));
        have_ended && known.is_none_or(|known| lanes(mask).all(|lane| known.used[lane] < observed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_has_ended_and_used_nothing_that_it_acquired_is_done() {
        let mut followers = Followers::default();
        let done = |followers: &Followers, since| followers.are_done(0, 1, 0b1, since);
        followers.acquire(0, 1, 0b1);
        followers.touch(0, 1, 0b11);
        let observed = followers.now();
        assert!(!done(&followers, observed));
        followers.end(0, 1, 0b1);
        assert!(done(&followers, observed) && !followers.are_done(0, 1, 0b11, observed));
        assert!(!followers.are_done(0, 2, 0b1, observed));
        // A fence, and then an access that may have used what it acquired.
        followers.acquire(0, 1, 0b1);
        assert!(done(&followers, observed));
        followers.touch(0, 1, 0b1);
        assert!(!done(&followers, observed));
        let later = followers.now();
        assert!(done(&followers, later));
    }
}
