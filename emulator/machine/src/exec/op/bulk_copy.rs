//! Bulk copies.

use super::async_copy::AsyncCopyAddress;
use super::tensor_copy::{Replacement, TensorCopyOp};
use crate::memory::space::Space;
use crate::registers::Reg;
use finding::AtomicOperation;
use ptx::ast::Type;

/// The mechanism by which a bulk copy tells that it is complete.
#[derive(Clone, Copy, Debug)]
pub enum BulkCompletion {
    /// Its bytes are transactions of the barrier object there.
    Transactions(AsyncCopyAddress),
    /// It belongs to a bulk group of its thread.
    Group,
}

#[derive(Clone, Copy, Debug)]
pub struct BulkCopyOp {
    pub to_space: Space,
    pub to: AsyncCopyAddress,
    pub from_space: Space,
    pub from: AsyncCopyAddress,
    pub bytes: Reg,
    /// The bytes of each 16 that are copied; [`Reg::NONE`]: all.
    pub byte_mask: Reg,
    /// The blocks of the cluster that get the bytes; [`Reg::NONE`]: the address says it.
    pub multicast: Reg,
    pub completion: BulkCompletion,
    /// `cp.reduce`: the operation by which the destination is updated.
    pub reduction: Option<(AtomicOperation, Type)>,
}

impl BulkCopyOp {
    /// The registers that it reads.
    pub fn sources(&self) -> [Reg; 6] {
        let object = match self.completion {
            BulkCompletion::Transactions(object) => object.base,
            BulkCompletion::Group => Reg::NONE,
        };
        [self.to.base, self.from.base, self.bytes, self.byte_mask, self.multicast, object]
    }
}

/// `st.async`, `red.async`
#[derive(Clone, Copy, Debug)]
pub struct AsyncStoreOp {
    pub to: AsyncCopyAddress,
    /// The barrier object at which it completes.
    pub object: AsyncCopyAddress,
    pub src: [Reg; 4],
    pub elements: u32,
    pub ty: Type,
    /// `red.async`: the operation by which the destination is updated.
    pub operation: Option<AtomicOperation>,
}

impl AsyncStoreOp {
    /// The registers that it writes.
    pub fn values(&self) -> &[Reg] {
        &self.src[..self.elements as usize]
    }

    /// The registers that it reads.
    pub fn sources(&self) -> [Reg; 6] {
        let [a, b, c, d] = self.src;
        [self.to.base, self.object.base, a, b, c, d]
    }
}

#[derive(Clone, Copy, Debug)]
pub enum Bulk {
    Store(AsyncStoreOp),
    Start(BulkCopyOp),
    StartTensor(TensorCopyOp),
    /// Changes a field of a tensor map.
    Replace(Replacement),
    /// All bulk copies that a thread has started since its last group become one.
    Commit,
    /// Until only so many of the latest groups are under way; `reads`: have not read their sources.
    Wait {
        left: u32,
        reads: bool,
    },
}

impl Bulk {
    /// True for a copy or a store whose bytes are transactions of a barrier object.
    pub fn is_tracked(&self) -> bool {
        match self {
            Bulk::Start(BulkCopyOp { completion, .. }) | Bulk::StartTensor(TensorCopyOp { completion, .. }) => {
                matches!(completion, BulkCompletion::Transactions(_))
            }
            Bulk::Store(_) => true,
            Bulk::Replace(_) | Bulk::Commit | Bulk::Wait { .. } => false,
        }
    }
}
