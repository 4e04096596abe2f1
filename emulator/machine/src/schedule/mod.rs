//! Which runnable thread goes next.
//!
//! A schedule chooses among what may run; it decides nothing about what is right. Every
//! schedule is fair to runnable groups, warps and resident blocks: each is chosen again
//! after finitely many steps, so a thread that spins on a lock cannot starve its holder.
//!
//! To add one: a file with a type that implements [`Schedule`], and a line in [`make`].

mod adversarial;
mod coin;
mod in_order;
mod patience;
mod pct;
mod random;
mod replay;
mod reverse;

pub use coin::{mix, split_mix};

use crate::run::warp::Group;
use crate::types::Policy;

/// The choices a schedule makes.
pub trait Schedule: Send {
    /// Blocks that should be under way at once, of `most` that may be.
    fn residents(&mut self, most: u64) -> u64;
    /// Which of the grid's `of` blocks begins as the `nth`: every one once.
    fn begins(&mut self, nth: u64, of: u64) -> u64 {
        debug_assert!(nth < of);
        nth
    }
    /// From which of several grids, in the order in which they became ready, the next block begins. Kernels have launched
    /// all but the first.
    fn grid(&mut self, _ready: usize) -> usize {
        0
    }
    /// A thread has just launched a grid: true gives it a place beside the blocks under way, and ends the turn.
    fn launched(&mut self) -> bool {
        false
    }
    /// Which of the resident blocks, given by their linear indices, runs next.
    fn block(&mut self, resident: &[u64]) -> usize;
    /// Warp instructions before another block gets its turn.
    fn block_slice(&mut self) -> u64;
    /// Which warp of `ready` (indices in order), the last one having been `last`.
    fn warp(&mut self, ready: &[usize], last: usize) -> usize;
    /// Which of the warp's groups; `ready` holds indices into `groups`.
    fn group(&mut self, groups: &[Group], ready: &[usize]) -> usize;
    /// Warp instructions before another group or warp gets its turn.
    fn slice(&mut self) -> u64;
    /// A group used its whole slice while others of its warp were ready, or the warp has run for long in several
    /// groups: one may be waiting for another.
    fn spent(&mut self) {}
    /// The warp that ran last used its whole slice looking at what others change, while other warps were ready.
    fn lingers(&mut self) {}
    /// A turn is over after so many warp instructions.
    fn ran(&mut self, _instructions: u64) {}
    /// True if groups that stand at the same instruction become one now.
    fn converges(&mut self) -> bool;
    /// True if a group stops where another one waits to be joined.
    fn stops_to_converge(&self) -> bool;
    /// At a branch that all of `mask` take: the lanes that go on by themselves, or 0.
    fn split(&mut self, mask: u32) -> u32;
    /// Before a turn of a group with `mask`, wherever it stands: the lanes that stay behind, or 0.
    fn divide(&mut self, _mask: u32) -> u32 {
        0
    }
    /// True if it wants to hear of every write and barrier, may give loads older values and put stores behind others.
    fn is_adverse(&self) -> bool {
        false
    }
    /// The group that runs has just written to memory: true ends its turn.
    fn wrote(&mut self) -> bool {
        false
    }
    /// True if a group that stands at a barrier does not arrive yet.
    fn holds_back(&mut self) -> bool {
        false
    }
    /// Of so many asynchronous copies under way in a block, in the order in which they started: one that moves now.
    fn moves(&mut self, _under_way: usize) -> Option<usize> {
        None
    }
    /// How many writes back a load reads, of `most` that the memory model allows; or which of so many places behind later writes an
    /// atomic operation finds and takes. 0 is the latest.
    fn older(&mut self, _most: u32) -> u32 {
        0
    }
    /// Which of so many places behind later writes a store takes, from 1 on; 0 is the one in front.
    fn behind(&mut self, _places: u32) -> u32 {
        0
    }
}

/// The schedule for worker number `worker` under a policy.
pub fn make(policy: &Policy, launch: u64, worker: usize) -> Box<dyn Schedule> {
    let of_launch = |seed: &u64| seed ^ launch.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    match policy {
        Policy::InOrder => Box::new(in_order::InOrder::default()),
        Policy::Reverse => Box::new(reverse::Reverse::default()),
        Policy::Random { seed } => Box::new(random::Random::new(of_launch(seed) ^ worker as u64)),
        // Workers must agree on the order in which blocks begin, so they share the seed.
        Policy::Pct { seed, depth } => Box::new(pct::Pct::new(of_launch(seed), *depth)),
        Policy::Adversarial { seed } => Box::new(adversarial::Adversarial::new(of_launch(seed))),
        Policy::Replay { of, keep } => Box::new(replay::Replay::new(make(of, launch, worker), keep, launch)),
    }
}
