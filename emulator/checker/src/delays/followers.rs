//! Threads on which an observation can have no further effect.
//!
//! An update may be inserted between another update and the write that this one has read. Its release has then been
//! observed long ago by that thread, and by others, which would have acquired it at their next fence. So it may release
//! something only if that would have made no difference: each of them has ended, and has accessed nothing since it
//! acquired anything. Only acquires count whose scope and that of the release include each other's thread: a fence of
//! block scope acquires nothing from another block.

use crate::order::release::Reach;
use machine::registers::{Mask, WARP, lanes};
use rustc_hash::FxHashMap;

#[derive(Debug, Default)]
pub struct Followers {
    /// The number of events so far.
    time: u64,
    /// The warps that have acquired something.
    warps: FxHashMap<(u64, u32), Box<[LaneTimes; 2]>>,
    ended: FxHashMap<(u64, u32), Mask>,
}

/// Times of acquires of any scope, or of those of device scope or wider.
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
        for known in self.warps.get_mut(&(block, warp)).into_iter().flat_map(|times| times.iter_mut()) {
            lanes(mask).for_each(|lane| known.used[lane] = known.acquired[lane]);
        }
    }

    /// Records that lanes acquire something, with a scope that is device or wider if `wide`.
    pub fn acquire(&mut self, block: u64, warp: u32, mask: Mask, wide: bool) {
        self.time += 1;
        let known = self.warps.entry((block, warp)).or_default();
        for times in &mut known[..1 + usize::from(wide)] {
            lanes(mask).for_each(|lane| times.acquired[lane] = self.time);
        }
    }

    pub fn end(&mut self, block: u64, warp: u32, mask: Mask) {
        *self.ended.entry((block, warp)).or_default() |= mask;
    }

    /// True if none of the lanes can use any more what they observed at that time, or none can acquire a release of
    /// that reach.
    pub fn are_done(&self, block: u64, warp: u32, mask: Mask, observed: u64, release: Reach) -> bool {
        let is_near = block == release.block;
        if !is_near && !release.wide {
            return true;
        }
        let have_ended = self.ended.get(&(block, warp)).is_some_and(|ended| mask & !ended == 0);
        let known = self.warps.get(&(block, warp)).map(|times| &times[usize::from(!is_near)]);
        have_ended && known.is_none_or(|known| lanes(mask).all(|lane| known.used[lane] < observed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use machine::exec::memory::Scope;

    #[test]
    fn who_has_ended_and_used_nothing_that_it_acquired_is_done() {
        let mut followers = Followers::default();
        let release = Reach::new(Scope::Device, 0, 0);
        let done = |followers: &Followers, since| followers.are_done(0, 1, 0b1, since, release);
        followers.acquire(0, 1, 0b1, true);
        followers.touch(0, 1, 0b11);
        let observed = followers.now();
        assert!(!done(&followers, observed));
        followers.end(0, 1, 0b1);
        assert!(done(&followers, observed) && !followers.are_done(0, 1, 0b11, observed, release));
        assert!(!followers.are_done(0, 2, 0b1, observed, release));
        // A fence, and then an access that may have used what it acquired.
        followers.acquire(0, 1, 0b1, true);
        assert!(done(&followers, observed));
        followers.touch(0, 1, 0b1);
        assert!(!done(&followers, observed));
        let later = followers.now();
        assert!(done(&followers, later));
    }

    #[test]
    fn what_the_scopes_keep_from_a_thread_is_of_no_use_to_it() {
        let mut followers = Followers::default();
        followers.touch(0, 1, 0b1);
        let observed = followers.now();
        let done =
            |followers: &Followers, scope, block| followers.are_done(0, 1, 0b1, observed, Reach::new(scope, block, 0));
        // From another block, a release of block scope reaches nobody, even one that goes on.
        assert!(done(&followers, Scope::Block, 1) && !done(&followers, Scope::Block, 0));
        followers.end(0, 1, 0b1);
        followers.acquire(0, 1, 0b1, false);
        followers.touch(0, 1, 0b1);
        assert!(done(&followers, Scope::Device, 1) && !done(&followers, Scope::Device, 0));
        followers.acquire(0, 1, 0b1, true);
        followers.touch(0, 1, 0b1);
        assert!(!done(&followers, Scope::Device, 1) && done(&followers, Scope::Block, 1));
    }
}
