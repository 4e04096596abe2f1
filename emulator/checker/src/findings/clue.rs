//! What a finding is kept with until its launch is over: what reading the code may add to it.
//!
//! The checker tells what it has seen; the code is read once, at the end, and for what is shown alone (crate `diagnose`).

use crate::access::race::Seen;
use crate::evidence::flags::Flag;
use crate::evidence::lack::Lack;
use finding::Place;
use machine::registers::Reg;

/// All in sites, or in addresses of instructions.
#[derive(Clone, Debug, PartialEq)]
pub enum Clue {
    Race(Box<RaceClue>),
    /// The register that the instruction at `pc` uses, and that its thread has not written.
    Unwritten {
        pc: u32,
        reg: Reg,
    },
    /// Where threads of one warp came to one barrier.
    Divergence {
        sites: [u32; 2],
    },
}

#[derive(Clone, Debug, PartialEq)]
pub struct RaceClue {
    pub ends: [RaceEnd; 2],
    /// The first access is of an earlier launch, and its site is that launch's.
    pub is_earlier: bool,
    /// Where the buffer begins that they race in; `None` in shared memory.
    pub buffer: Option<u64>,
    pub shown: Shown,
    /// Whatever the code says, something is known of this pair.
    pub is_certain: bool,
    /// What the locks are called, if it is about locks.
    pub locks: [Option<Place>; 2],
    /// Barriers that both threads have passed before they raced: the last of the warp, the last of the block.
    pub passed: [Option<u32>; 2],
    /// The site of a strong write of the same word that the thread of a plain load has made before.
    pub own_update: Option<u32>,
}

impl RaceClue {
    /// True if what this run has shown of the one pair it has shown of the other.
    pub fn shows_as(&self, shown: &Shown, sites: [u32; 2]) -> bool {
        self.shown == *shown && self.ends.map(|end| end.site) == sites
    }
}

/// One access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RaceEnd {
    pub site: u32,
    pub lane: u32,
    pub is_read: bool,
    pub is_strong: bool,
    /// Its element: the first byte, counted from where the memory begins, and how many.
    pub from: u64,
    pub bytes: u64,
}

/// What this run has shown of two threads: see [`crate::evidence::apart::Between`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shown {
    pub unfenced: Option<Seen>,
    pub flag: Option<Flag>,
    pub look: Option<u32>,
    pub lack: Option<Lack>,
}

impl Shown {
    pub fn is_nothing(&self) -> bool {
        self.unfenced.is_none() && self.flag.is_none() && self.lack.is_none()
    }
}
