//! Arrivals at the barriers of a block.

use crate::exec::barrier::Reduction;
use crate::registers::Mask;

/// Threads of one warp that came to a barrier together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrival {
    pub warp: u32,
    pub mask: Mask,
    pub pc: u32,
    pub frame: u32,
    /// The calls behind it, as one number: threads that do not wait may leave a function, and others come by the
    /// same calls later and in another frame.
    pub(super) path: u64,
    /// Threads wanted.
    pub count: u32,
    pub(super) aligned: bool,
    pub(super) reduction: Option<Reduction>,
    /// Lanes that vote for, where there is a reduction.
    pub(super) ayes: Mask,
}

/// One barrier between two uses.
#[derive(Clone, Debug, Default)]
pub struct BarrierState {
    /// Lanes that have arrived, warp by warp.
    pub arrived: Vec<Mask>,
    /// The arrivals as they happened.
    pub arrivals: Vec<Arrival>,
    /// Threads wanted, where the instruction says so.
    pub expected: Option<u32>,
}

impl BarrierState {
    pub fn new(warps: u32) -> BarrierState {
        BarrierState { arrived: vec![0; warps as usize], ..BarrierState::default() }
    }

    pub fn reset(&mut self) {
        self.arrived.fill(0);
        self.arrivals.clear();
        self.expected = None;
    }

    /// Begins the next phase for the warps that have arrived; threads of others still wait for their warp.
    pub(super) fn renew(&mut self, done: &[bool]) {
        self.arrivals.retain(|arrival| !done[arrival.warp as usize]);
        self.arrived.iter_mut().zip(done).filter(|(_, done)| **done).for_each(|(arrived, _)| *arrived = 0);
        self.expected = self.expected.filter(|_| !self.arrivals.is_empty());
    }

    /// An earlier arrival of the same warp that `.aligned` forbids beside this one: from another instruction, or
    /// from the same one by another call.
    pub(super) fn diverges(&self, new: &Arrival) -> Option<Arrival> {
        let apart = |known: &&Arrival| {
            known.warp == new.warp && (known.aligned || new.aligned) && (known.pc, known.path) != (new.pc, new.path)
        };
        self.arrivals.iter().find(apart).copied()
    }
}
