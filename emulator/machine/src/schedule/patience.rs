//! Slices, and what to do about a group of a diverged warp that may be spinning until another
//! one acts: for `in-order` and `reverse`, which would else run the one they prefer for ever.
//!
//! Others get turns out of order, more of them each time that it happens. A loop that calls
//! functions gives way at every call, and so may the group that it waits for. That group
//! then gets on by a few instructions a turn.

/// Long enough that ordinary code never notices.
const SLICE: u64 = 4096;
/// Turns out of order, at most.
const MOST: u32 = 64;

pub struct Patience {
    slice: u64,
    shortest: u64,
    /// Turns out of order still to come, and how many it will be the next time.
    coming: u32,
    next: u32,
    turns: u64,
}

impl Patience {
    /// Slices of `shortest` instructions should be enough for a critical section.
    pub fn new(shortest: u64) -> Patience {
        Patience { slice: SLICE, shortest, coming: 0, next: 1, turns: 0 }
    }

    pub fn slice(&mut self) -> u64 {
        self.slice = (2 * self.slice).min(SLICE);
        if self.coming > 0 { self.shortest } else { self.slice }
    }

    /// Slices are short for a while.
    pub fn shorten(&mut self) {
        self.slice = (self.slice / 8).max(self.shortest);
    }

    /// The group that is preferred may be spinning.
    pub fn spent(&mut self) {
        if self.coming == 0 {
            self.coming = self.next;
            self.next = (2 * self.next).min(MOST);
        }
        self.shorten();
    }

    /// Which of so many groups goes next out of order.
    pub fn another(&mut self, ready: usize) -> Option<usize> {
        self.coming = self.coming.checked_sub(1)?;
        self.turns = self.turns.wrapping_add(1);
        // The turns of several warps interleave in any pattern. Scattered, each group of each warp gets some.
        let scattered = self.turns.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        Some(scattered as usize % ready)
    }
}
