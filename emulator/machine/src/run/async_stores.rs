//! Asynchronous stores and reductions (PTX ISA, "st.async", "red.async"): bulk copies whose source is registers.
//!
//! They complete at a barrier object in the block that they write to. They use the generic proxy, so no proxy fence has
//! to cover earlier accesses.

use super::access::{InvalidAccess, addresses};
use super::block::Block;
use super::bulk::BulkUnderWay;
use super::bulk_copies::{Refusal, destinations};
use super::cluster::Peers;
use super::warp::Warp;
use crate::exec::bulk_copy::AsyncStoreOp;
use crate::memory::space::Space;
use crate::registers::Mask;
use crate::watch::Watch;
use finding::AccessKind;

/// Returns a lane's store, if its addresses are allowed.
pub(super) fn checked<'a, W: Watch>(
    block: &mut Block<'a, W>,
    peers: &mut Peers<'_, 'a, W>,
    which: usize,
    op: &AsyncStoreOp,
    lane: usize,
    mask: Mask,
) -> Result<Vec<BulkUnderWay>, Refusal> {
    let Block { warps, shared, .. } = &*block;
    let Warp { regs, index, .. } = &warps[which];
    let (warp, remaining) = (*index, mask & (!0 << lane));
    let [to, object] = [op.to, op.object].map(|side| addresses(regs, side.base, side.offset)[lane]);
    let (size, bytes) = (op.ty.bytes(), u64::from(op.elements * op.ty.bytes()));
    let data = op.values().iter().flat_map(|reg| regs.get(*reg, lane).to_le_bytes().into_iter().take(size as usize));
    let data: Box<[u8]> = data.collect();
    let destination = destinations(block, peers, (to, object), None, (lane, remaining))?.remove(0);
    let address = destination.address;
    let misaligned = !address.is_multiple_of(bytes);
    if misaligned || !shared.contains(address, bytes) {
        let (space, kind) = (Space::Shared, AccessKind::AsyncCopy);
        let invalid = InvalidAccess { lane, space, address, bytes, misaligned, kind, remaining, image: None };
        return Err(Refusal::Access(invalid));
    }
    Ok(vec![BulkUnderWay {
        warp,
        lane: lane as u32,
        number: block.bulk.next_number(),
        from: None,
        to: (Space::Shared, address),
        owner: destination.owner,
        bytes: bytes as u32,
        byte_mask: u16::MAX,
        reduction: op.operation.map(|operation| (operation, op.ty)),
        object: destination.object,
        tensor: None,
        data: Some(data),
    }])
}
