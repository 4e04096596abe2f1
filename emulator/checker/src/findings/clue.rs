//! The clue that is kept with a finding until its launch is over, when the code may add details.
//!
//! The checker reports what it has seen. The code is read once, at the end, and only for findings that are shown (crate
//! `diagnose`).

use crate::access::race::ReleaseSeen;
use crate::evidence::flags::Flag;
use crate::evidence::lack::MissingOrder;
use finding::MemoryPlace;
use machine::registers::Reg;

/// A clue, in sites or in addresses of instructions.
#[derive(Clone, Debug, PartialEq)]
pub enum Clue {
    Race(Box<RaceClue>),
    /// The register that the instruction at `pc` uses, and that its thread has not written.
    Unwritten {
        pc: u32,
        reg: Reg,
    },
    /// The sites from which threads of one warp arrived at one barrier.
    Divergence {
        sites: [u32; 2],
    },
}

#[derive(Clone, Debug, PartialEq)]
pub struct RaceClue {
    pub ends: [RaceEnd; 2],
    /// True if the first access is of an earlier launch; then its site is that launch's.
    pub is_earlier: bool,
    /// The address of the buffer that they race in; `None` in shared memory.
    pub buffer: Option<u64>,
    pub shown: RaceEvidence,
    /// True if the cause of this pair is known, whatever the code shows.
    pub is_certain: bool,
    /// The names of the locks, if it is about locks.
    pub locks: [Option<MemoryPlace>; 2],
    /// The barriers that both threads have passed before they raced: the last of the warp, the last of the block.
    pub passed: [Option<u32>; 2],
    /// The site of an earlier strong write of the same word by the thread of a plain load.
    pub own_update: Option<u32>,
}

impl RaceClue {
    /// True if this run has shown the same of this pair and of the other.
    pub fn shows_as(&self, shown: &RaceEvidence, sites: [u32; 2]) -> bool {
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
    /// The offset of its first byte, from where the memory begins; below, its size.
    pub from: u64,
    pub bytes: u64,
}

/// The evidence from this run about two threads: see [`crate::evidence::apart::Between`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RaceEvidence {
    pub unfenced: Option<ReleaseSeen>,
    pub flag: Option<Flag>,
    pub look: Option<u32>,
    pub lack: Option<MissingOrder>,
}

impl RaceEvidence {
    pub fn is_nothing(&self) -> bool {
        self.unfenced.is_none() && self.flag.is_none() && self.lack.is_none()
    }
}
