//! Fences and block barriers.

use super::memory::Semantics;
use crate::registers::Reg;
use finding::BarrierName;

#[derive(Clone, Copy, Debug)]
pub struct Fence {
    pub semantics: Semantics,
}

/// The accesses that a proxy fence orders, by their state space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FencedSpace {
    All,
    Global,
    Shared,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduction {
    Popc,
    And,
    Or,
}

/// `barrier.cluster.arrive`.
#[derive(Clone, Copy, Debug)]
pub struct ClusterArrive {
    /// False for `.relaxed`.
    pub releases: bool,
    pub aligned: bool,
}

#[derive(Clone, Copy, Debug)]
pub struct Barrier {
    /// Barrier number, 0 to 15.
    pub id: Reg,
    /// `barrier.cluster.wait`: number 16.
    pub cluster: bool,
    /// Threads taking part; [`Reg::NONE`]: all of the block.
    pub threads: Reg,
    /// False for `.arrive`.
    pub waits: bool,
    /// The promise that all threads of a warp come from this instruction (PTX ISA, "bar, barrier").
    pub aligned: bool,
    pub reduction: Option<Reduction>,
    pub dst: Reg,
    pub predicate: Reg,
    pub negated: bool,
}

impl Barrier {
    /// The instruction for `__syncthreads()`: barrier 0 of the whole block, which all its threads wait at. Cooperative
    /// groups use the one that is not aligned.
    pub fn is_whole(&self, id: u32) -> bool {
        id == 0 && self.aligned && self.waits && !self.cluster && !self.threads.is_some()
    }

    /// As CUDA names barrier `id`.
    pub fn name(&self, id: u32) -> BarrierName {
        if self.cluster {
            return BarrierName::ClusterWait;
        }
        let whole = self.is_whole(id);
        match self.reduction {
            None if whole => BarrierName::SyncThreads,
            Some(Reduction::Popc) if whole => BarrierName::SyncThreadsCount,
            Some(Reduction::And) if whole => BarrierName::SyncThreadsAnd,
            Some(Reduction::Or) if whole => BarrierName::SyncThreadsOr,
            _ => BarrierName::Number { number: id },
        }
    }
}
