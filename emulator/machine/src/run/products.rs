//! State of warpgroups: the products under way, and the instructions that each warp has executed. The instructions
//! themselves are in `wgmma`.

use super::access::InvalidAccess;
use crate::registers::Mask;
use finding::WarpgroupMisuse;
use std::collections::VecDeque;

/// Warps of a warpgroup.
pub(super) const WARPS: usize = 4;

/// A product under way.
#[derive(Clone, Debug)]
pub(super) struct Product {
    pub(super) pc: u32,
    pub(super) frame: u32,
    /// `d` is added.
    pub(super) adds: bool,
    pub(super) a: u64,
    pub(super) b: u64,
}

/// The products of one warp.
#[derive(Debug, Default)]
pub struct WarpProducts {
    /// Products that have started; they are numbered from 1.
    pub(super) started: u32,
    pub(super) under_way: VecDeque<Product>,
    /// The last product of each group that has not been waited for, the oldest group first.
    pub(super) groups: VecDeque<u32>,
}

impl WarpProducts {
    pub fn clear(&mut self) {
        *self = WarpProducts::default();
    }

    #[inline]
    pub fn is_idle(&self) -> bool {
        self.under_way.is_empty()
    }

    /// Returns the last product that is over once only `left` groups are not.
    pub(super) fn passes(&mut self, left: u32) -> Option<u32> {
        let over = self.groups.len().saturating_sub(left as usize);
        self.groups.drain(..over).next_back()
    }

    /// Takes the oldest product, if its number is up to `last`.
    pub(super) fn take(&mut self, last: u32) -> Option<Product> {
        let oldest = self.started + 1 - self.under_way.len() as u32;
        (oldest <= last).then(|| self.under_way.pop_front()).flatten()
    }
}

/// An instruction of a warpgroup that some of its warps have executed, as one of them did.
#[derive(Clone, Copy, Debug)]
pub(super) struct Executed {
    pub(super) pc: u32,
    pub(super) frame: u32,
    pub(super) warp: u32,
    pub(super) descriptors: [u64; 2],
}

/// The order in which the warps of a warpgroup execute its instructions.
#[derive(Debug, Default)]
pub(super) struct Warpgroup {
    /// Instructions that at least one warp has executed, and not all.
    pub(super) executed: VecDeque<Executed>,
    /// Instructions that all have executed.
    pub(super) by_all: u64,
    /// Instructions that each warp has executed.
    pub(super) counts: [u64; WARPS],
}

/// An instruction of a warpgroup at which the launch ends.
#[derive(Debug)]
pub(super) struct WarpgroupFailure {
    pub(super) warp: usize,
    pub(super) pc: u32,
    pub(super) frame: u32,
    pub(super) mask: Mask,
    pub(super) reason: FailureReason,
}

#[derive(Debug)]
pub(super) enum FailureReason {
    /// A misuse, and what another warp has executed instead.
    Misuse(WarpgroupMisuse, Option<Executed>),
    /// A matrix that lies at this address, outside shared memory.
    Outside(u64),
    /// A tensor map that cannot be copied.
    OutsideMap(Box<InvalidAccess>),
}

/// The warpgroups of a block.
#[derive(Default)]
pub struct Warpgroups {
    pub(super) all: Vec<Warpgroup>,
    /// The first failure; the launch ends with it.
    pub(super) failure: Option<WarpgroupFailure>,
}

impl Warpgroups {
    pub fn clear(&mut self) {
        *self = Warpgroups::default();
    }
}
