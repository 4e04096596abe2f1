//! Bulk copies, as checkers get them.

use super::At;
use crate::memory::Region;
use crate::registers::{Reg, Registers};
use crate::run::bulk::BulkUnderWay;

/// A bulk copy that a lane starts.
pub struct StartedBulk<'a> {
    pub at: At<'a>,
    pub lane: usize,
    pub copy: &'a BulkUnderWay,
    /// The memory of its source, and of its destination.
    pub from: Option<&'a Region>,
    pub to: Option<&'a Region>,
    /// The registers that it writes there, if it has no source in memory.
    pub values: &'a [Reg],
    pub regs: &'a Registers,
}

/// The watchers' state of the blocks that a bulk copy concerns.
pub struct CopyBlocks<'a, B> {
    /// The block whose thread has started it.
    pub own: &'a mut B,
    /// The block of the cluster whose shared memory it writes, if another one.
    pub peer: Option<&'a mut B>,
}

impl<B> CopyBlocks<'_, B> {
    /// The block whose shared memory it writes, and whose barrier object tracks it.
    pub fn target(&mut self) -> &mut B {
        self.peer.as_deref_mut().unwrap_or(self.own)
    }
}

/// A lane has waited for one of its bulk copies.
pub struct BulkWait<'a> {
    pub at: At<'a>,
    pub lane: usize,
    /// The copy's number in its block.
    pub number: u32,
    /// It has waited until the source was read, and no longer.
    pub reads: bool,
}
