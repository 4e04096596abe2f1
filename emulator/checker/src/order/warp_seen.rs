//! The clocks of one warp in a vector clock: for each lane, the clock up to which all its accesses are included.

use crate::sites::touched::Clock;
use machine::registers::{Mask, WARP, lanes};
use std::cell::Cell;
use std::rc::Rc;

thread_local! {
    /// The number of warps whose lanes were compared by this host thread. All views that it can compare belong to this
    /// thread.
    static COMPARED: Cell<u64> = const { Cell::new(0) };
}

/// Returns the number of warps that were compared lane by lane since the last call.
pub fn take_compared() -> u64 {
    COMPARED.take()
}

/// Counts an operation that takes as long as the comparison of one warp's lanes.
pub fn count_compared() {
    COMPARED.set(COMPARED.get() + 1);
}

#[derive(Clone, Debug, PartialEq)]
pub enum WarpSeen {
    /// All lanes have the same clock.
    Alike(Clock),
    Lanes(Rc<[Clock; WARP]>),
}

impl Default for WarpSeen {
    fn default() -> WarpSeen {
        WarpSeen::Alike(0)
    }
}

impl WarpSeen {
    pub fn get(&self, lane: usize) -> Clock {
        match self {
            WarpSeen::Alike(clock) => *clock,
            WarpSeen::Lanes(clocks) => clocks[lane],
        }
    }

    /// Returns those of these lanes whose clock is at least `clock`.
    pub fn reached(&self, mask: Mask, clock: Clock) -> Mask {
        match self {
            WarpSeen::Alike(seen) => {
                if *seen >= clock {
                    mask
                } else {
                    0
                }
            }
            WarpSeen::Lanes(clocks) => {
                let all = clocks.iter().rev().fold(0, |all, &seen| all << 1 | Mask::from(seen >= clock));
                all & mask
            }
        }
    }

    /// Returns the least of several lanes' clocks.
    pub fn least(&self, mask: Mask) -> Clock {
        match self {
            WarpSeen::Alike(clock) => *clock,
            WarpSeen::Lanes(clocks) => lanes(mask).map(|lane| clocks[lane]).min().unwrap_or(Clock::MAX),
        }
    }

    pub fn raise(&mut self, mask: Mask, clock: Clock) {
        let full = mask == !0;
        match self {
            WarpSeen::Alike(old) if full => *old = (*old).max(clock),
            WarpSeen::Alike(old) if *old >= clock => {}
            _ => {
                let mut clocks = self.clocks();
                lanes(mask).for_each(|lane| clocks[lane] = clocks[lane].max(clock));
                *self = if clocks.iter().all(|&each| each == clocks[0]) {
                    WarpSeen::Alike(clocks[0])
                } else {
                    WarpSeen::Lanes(Rc::new(clocks))
                };
            }
        }
    }

    fn clocks(&self) -> [Clock; WARP] {
        match self {
            WarpSeen::Alike(clock) => [*clock; WARP],
            WarpSeen::Lanes(clocks) => **clocks,
        }
    }

    /// True if each lane's clock is at least the other's. Comparing all lanes is faster than stopping at the first that
    /// is not covered.
    pub fn covers(&self, other: &WarpSeen) -> bool {
        match (self, other) {
            (WarpSeen::Alike(a), WarpSeen::Alike(b)) => return a >= b,
            (WarpSeen::Lanes(a), WarpSeen::Lanes(b)) if Rc::ptr_eq(a, b) => return true,
            _ => count_compared(),
        }
        match (self, other) {
            (WarpSeen::Alike(a), WarpSeen::Alike(b)) => a >= b,
            (WarpSeen::Alike(a), WarpSeen::Lanes(b)) => b.iter().fold(true, |all, b| all & (a >= b)),
            (WarpSeen::Lanes(a), WarpSeen::Alike(b)) => a.iter().fold(true, |all, a| all & (a >= b)),
            (WarpSeen::Lanes(a), WarpSeen::Lanes(b)) => a.iter().zip(b.iter()).fold(true, |all, (a, b)| all & (a >= b)),
        }
    }

    /// Returns the join of both, which shares one of them if it covers the other.
    pub fn with(&self, other: &WarpSeen) -> WarpSeen {
        if self.covers(other) {
            return self.clone();
        }
        if other.covers(self) {
            return other.clone();
        }
        let (a, b) = (self.clocks(), other.clocks());
        WarpSeen::Lanes(Rc::new(std::array::from_fn(|lane| a[lane].max(b[lane]))))
    }
}
