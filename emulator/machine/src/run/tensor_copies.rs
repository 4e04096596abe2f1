//! Bulk copies of tensors: which bytes a box has, and what a copy of it may not do (PTX ISA, "cp.async.bulk.tensor",
//! "cp.reduce.async.bulk.tensor").
//!
//! The tensor map is read when the copy starts. Then the copy goes on as any bulk copy (`bulk_copies.rs`), in several
//! segments. A box that lies outside the tensor is filled by a load, and left out by a store; its transactions are
//! those of the whole box.
//!
//! The read of the map counts as the starting thread's own (`tensor_maps.rs`).

use super::access::{InvalidAccess, addresses};
use super::block::Block;
use super::bulk::{BoxCopy, BulkUnderWay, CopySegment};
use super::bulk_copies::{Destination, Refusal, destinations, shared_place, without_window};
use super::cluster::Peers;
use super::ending::{LaunchEnding, of_block};
use super::launch::Launch;
use super::sites::threads_at;
use super::tensor_maps::map_bytes;
use super::warp::{Group, Warp};
use crate::exec::bulk_copy::BulkCompletion;
use crate::exec::tensor_copy::{TensorCopyOp, TensorDirection};
use crate::memory::space::{self, Space};
use crate::registers::Mask;
use crate::tensor::boxes::{BoxSegment, RefusedBox, segments};
use crate::tensor::{MAP_ALIGNMENT, MAP_BYTES, TensorElement, TensorMap};
use crate::types::Fault;
use crate::watch::Watch;
use finding::{AccessKind, Action, AtomicOperation, Cause, Slug, TensorMisuse};
use ptx::ast::Type;
use std::rc::Rc;

/// The alignment of a box in shared memory.
const BOX_ALIGNMENT: u64 = 128;
/// A load's NaN, two bytes of it: what an H200 fills with, whatever the type.
const NAN: u16 = 0x7ff7;

/// Returns a lane's copies, if they are allowed.
pub(super) fn checked<'a, W: Watch>(
    block: &mut Block<'a, W>,
    peers: &mut Peers<'_, 'a, W>,
    which: usize,
    op: &TensorCopyOp,
    lane: usize,
    mask: Mask,
) -> Result<Vec<BulkUnderWay>, Refusal> {
    let Block { launch, warps, shared, linear, .. } = &*block;
    let Warp { regs, index, .. } = &warps[which];
    let (warp, own) = (*index, *linear);
    let remaining = mask & (!0 << lane);
    let at = |side: &crate::exec::async_copy::AsyncCopyAddress| addresses(regs, side.base, side.offset)[lane];
    let map_at = regs.get(op.map, lane);
    if space::of_generic(map_at) == Space::Local {
        return Err(Refusal::Tensor(TensorMisuse::LocalMap));
    }
    let bytes = map_bytes(launch, shared, map_at).ok_or_else(|| {
        Refusal::Access(invalid((Space::Generic, map_at, MAP_BYTES as u64), MAP_ALIGNMENT, lane, remaining))
    })?;
    let map = TensorMap::decode(&bytes).filter(|map| map.rank == op.rank);
    let map = map.ok_or(Refusal::Tensor(TensorMisuse::NoMap))?;
    let is_store = op.direction != TensorDirection::Load;
    // A store reads the memory of its own block alone.
    let to_box = match shared_place(launch, own, at(&op.shared)) {
        (owner, _) if is_store && owner != own => without_window(at(&op.shared)),
        (_, address) => address,
    };
    let coordinates = op.coordinates.map(|reg| if reg.is_some() { regs.get(reg, lane) as i32 } else { 0 });
    let parts = segments(&map, coordinates, to_box, is_store).map_err(|refused| {
        let coordinate = match refused {
            RefusedBox::Unaligned => coordinates[0],
            RefusedBox::Negative => coordinates.iter().copied().min().unwrap_or_default(),
        };
        Refusal::Tensor(match refused {
            RefusedBox::Unaligned => TensorMisuse::BoxRow { coordinate, element: map.element.bytes() },
            RefusedBox::Negative => TensorMisuse::BoxBelow { coordinate },
        })
    })?;
    for part in &parts {
        let end = to_box.max(part.shared) + u64::from(part.bytes);
        if !shared.contains(part.shared, part.bytes.into()) || !to_box.is_multiple_of(BOX_ALIGNMENT) {
            let side = (Space::Shared, to_box, end - to_box);
            return Err(Refusal::Access(invalid(side, BOX_ALIGNMENT, lane, remaining)));
        }
    }
    let parts = inside(launch, &map, parts, is_store)
        .map_err(|(address, bytes)| Refusal::Access(invalid((Space::Global, address, bytes), 1, lane, remaining)))?;
    let reduction = match op.direction {
        TensorDirection::Reduce(operation) => {
            let ty = reduces(operation, map.element).ok_or(Refusal::Tensor(TensorMisuse::Reduction))?;
            Some((operation, ty))
        }
        _ => None,
    };
    let first = parts.iter().find_map(|part| part.global).unwrap_or(map.address);
    let destinations = match &op.completion {
        BulkCompletion::Group => vec![Destination { owner: own, address: first, object: None }],
        BulkCompletion::Transactions(object) => {
            let multicast = op.multicast.is_some().then(|| regs.get(op.multicast, lane));
            destinations(block, peers, (at(&op.shared), at(object)), multicast, (lane, remaining))?
        }
    };
    let from = if is_store { (Space::Shared, to_box) } else { (Space::Global, first) };
    let to_space = if is_store { Space::Global } else { Space::Shared };
    let side = |part: &BoxSegment| match is_store {
        true => part.global.map(|to| CopySegment { from: Some(part.shared), to, bytes: part.bytes }),
        false => Some(CopySegment { from: part.global, to: part.shared, bytes: part.bytes }),
    };
    let tensor = Rc::new(BoxCopy {
        segments: parts.iter().filter_map(side).collect(),
        element: map.element.bytes(),
        fill: if map.fills_with_nan { NAN } else { 0 },
        rounds: map.element.is_rounded() && !is_store,
        flushes: map.element == TensorElement::F32Ftz,
    });
    let form = BulkUnderWay {
        warp,
        lane: lane as u32,
        number: 0,
        from: Some(from),
        to: (to_space, first),
        owner: own,
        bytes: map.box_bytes() as u32,
        byte_mask: u16::MAX,
        reduction,
        object: None,
        tensor: Some(tensor),
        data: None,
    };
    Ok(Destination::copies(&destinations, &form, block))
}

/// Returns the segments with those bytes of them that may be accessed, or the first address and size that may not. The
/// rest of a unit that a store writes beyond the tensor may lie outside the allocation: on a GPU that memory belongs to
/// nobody. All parts must lie in one allocation.
fn inside(
    launch: &Launch,
    map: &TensorMap,
    mut parts: Vec<BoxSegment>,
    is_store: bool,
) -> Result<Vec<BoxSegment>, (u64, u64)> {
    let row = map.extents[0] * u64::from(map.element.bytes());
    let first = parts.iter().find_map(|part| part.global).and_then(|first| launch.memory.region(first));
    for part in &mut parts {
        let Some(address) = part.global else { continue };
        let bytes = u64::from(part.bytes);
        let region = first.filter(|first| first.contains(address, 1)).ok_or((address, bytes))?;
        if !region.contains(address, bytes) {
            let spare = if is_store { row.next_multiple_of(crate::tensor::GRANULE) - row } else { 0 };
            if !region.contains(address, bytes - spare.min(bytes - 1)) {
                return Err((address, bytes));
            }
            let end = region.base() + region.bytes();
            part.bytes = (end - address) as u32;
        }
    }
    Ok(parts)
}

pub(super) fn invalid(
    (space, address, bytes): (Space, u64, u64),
    alignment: u64,
    lane: usize,
    remaining: Mask,
) -> InvalidAccess {
    let space = if space == Space::Generic { space::of_generic(address) } else { space };
    let misaligned = !address.is_multiple_of(alignment);
    let bytes = if misaligned { alignment } else { bytes };
    InvalidAccess { lane, space, address, bytes, misaligned, kind: AccessKind::AsyncCopy, remaining, image: None }
}

/// Returns the type of a reduction, if an H200 has it for these elements. Those of `tf32` are not modelled.
fn reduces(operation: AtomicOperation, element: TensorElement) -> Option<Type> {
    use AtomicOperation::*;
    use TensorElement::*;
    Some(match (operation, element) {
        (Add | Min | Max | Increment | Decrement, U32) => Type::U32,
        (And | Or | Xor, U32 | S32) => Type::B32,
        (Add | Min | Max, S32) => Type::S32,
        (Add | Min | Max, U64) => Type::U64,
        (Min | Max, S64) => Type::S64,
        (And | Or | Xor, U64) => Type::B64,
        (Add | Min | Max, F16) => Type::F16,
        (Add | Min | Max, Bf16) => Type::Bf16,
        (Add, F32 | F32Ftz) => Type::F32,
        (Add, F64) => Type::F64,
        _ => return None,
    })
}

/// Ends the launch for a copy of a tensor that one thread may not make.
#[cold]
pub(super) fn misused<W: Watch>(block: &Block<W>, which: usize, one: &Group, misuse: TensorMisuse) -> LaunchEnding {
    let slug = match misuse {
        TensorMisuse::NoMap => Slug::UndefinedValue,
        TensorMisuse::BoxRow { .. } => Slug::Misaligned,
        TensorMisuse::LocalMap | TensorMisuse::BoxBelow { .. } | TensorMisuse::Reduction => Slug::OutOfBounds,
    };
    let fault = match misuse {
        TensorMisuse::LocalMap => Fault::IllegalAddress,
        _ => Fault::IllegalInstruction,
    };
    let ends = vec![threads_at(block, which as u32, one, |threads| Action::MisusedTensor { threads, misuse })];
    LaunchEnding::found(of_block(&block.launch, block.linear, slug, Cause::TensorCopy { misuse }, ends), fault)
}
