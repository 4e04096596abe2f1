//! Which threads can do nothing more with what they have observed.
//!
//! An update that comes in between another one and what that has read has been observed by that one's thread, and by others,
//! long ago. What it releases they would have acquired at their next fence. So it may release something only if that would
//! have made no difference: each of them has ended, and since it acquired anything it has touched nothing.

use machine::registers::{Mask, WARP, lanes};
use rustc_hash::FxHashMap;

#[derive(Debug, Default)]
pub struct Followers {
    /// Events so far.
    time: u64,
    /// Warps that have acquired something.
    warps: FxHashMap<(u64, u32), Box<Lanes>>,
    ended: FxHashMap<(u64, u32), Mask>,
}

#[derive(Debug, Default)]
struct Lanes {
    /// When each lane last acquired something, and when it had last before it last touched something.
    acquired: [u64; WARP],
    used: [u64; WARP],
}

impl Followers {
    pub fn now(&self) -> u64 {
        self.time
    }

    /// Lanes touch memory, or come to a barrier.
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

    /// True of lanes that can do nothing more with what they observed at that time.
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
        // A fence, and then something that may have used what it acquired.
        followers.acquire(0, 1, 0b1);
        assert!(done(&followers, observed));
        followers.touch(0, 1, 0b1);
        assert!(!done(&followers, observed));
        let later = followers.now();
        assert!(done(&followers, later));
    }
}
