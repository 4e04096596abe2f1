//! Tensor maps in memory (PTX ISA, "tensormap.replace", "tensormap.cp_fenceproxy", "membar/fence").
//!
//! `tensormap.replace` is a weak access of the whole map, as in the ISA. A tensor copy reads its map when it starts.
//! The read counts as one of the starting thread (towards silence: the copy may read the map later). The parameters of
//! a kernel never change, so the read of a map among them is not announced.
//!
//! `tensormap.cp_fenceproxy` takes its addresses from the first lane.

use super::access::{InvalidAccess, addresses};
use super::block::Block;
use super::bulk_copies::{Refusal, without_window};
use super::ending::LaunchEnding;
use super::launch::Launch;
use super::products::{FailureReason, WarpgroupFailure};
use super::tensor_copies::invalid;
use super::warp::{Group, Wait, Warp};
use crate::exec::barrier::Fence;
use crate::exec::memory::{Ordering, Semantics};
use crate::exec::tensor_copy::{MapCopy, MapFence, MapField, Replacement};
use crate::exec::{IS_WHOLE, Op};
use crate::memory::Region;
use crate::memory::space::{self, Space};
use crate::registers::{Mask, Reg, WARP, lanes};
use crate::tensor::{MAP_ALIGNMENT, MAP_BYTES, Swizzle, TensorElement, TensorMap};
use crate::watch::{At, Touch, Watch};
use finding::{Scope, TensorMisuse};

/// A tensor map in shared or global memory.
#[derive(Clone, Copy)]
struct StoredMap<'a> {
    space: Space,
    region: &'a Region,
    address: u64,
}

impl StoredMap<'_> {
    fn bytes(&self) -> [u8; MAP_BYTES] {
        let mut bytes = [0; MAP_BYTES];
        self.region.read_bytes(self.address, &mut bytes);
        bytes
    }

    /// Announces an access of the map by a lane.
    fn announce<W: Watch>(
        &self,
        watch: &mut W,
        at: At,
        lane: usize,
        writes: bool,
        (block, warp): (&mut W::Block, &mut W::Warp),
    ) {
        let touch = Touch {
            at,
            space: self.space,
            region: Some(self.region),
            addresses: &[self.address; WARP],
            mask: 1 << lane,
            bytes: MAP_BYTES as u32,
            elements: 1,
            semantics: Semantics::WEAK,
            owner: at.block,
        };
        watch.map_access(&touch, writes, block, warp);
        if writes {
            watch.define_memory(self.space, self.region.base(), self.address, MAP_BYTES as u64, block);
        }
    }
}

/// Returns the bytes of the tensor map at a generic address.
pub(super) fn map_bytes(launch: &Launch, shared: &Region, address: u64) -> Option<[u8; MAP_BYTES]> {
    if space::of_generic(address) != Space::Param {
        return stored(launch, shared, address, false).ok().map(|map| map.bytes());
    }
    let (region, address) = (&launch.params, address.wrapping_sub(space::window(Space::Param)));
    let mut bytes = [0; MAP_BYTES];
    if !address.is_multiple_of(MAP_ALIGNMENT) || !region.contains(address, MAP_BYTES as u64) {
        return None;
    }
    region.read_bytes(address, &mut bytes);
    Some(bytes)
}

/// Returns the map at an address, or the space and the address if there is room for none.
fn stored<'a>(
    launch: &'a Launch,
    shared: &'a Region,
    written: u64,
    is_shared: bool,
) -> Result<StoredMap<'a>, (Space, u64)> {
    let is_shared = is_shared || space::of_generic(written) == Space::Shared;
    let address = if is_shared { without_window(written) } else { written };
    let region = if is_shared { Some(shared) } else { launch.memory.region(address) };
    let region = region.filter(|it| address.is_multiple_of(MAP_ALIGNMENT) && it.contains(address, MAP_BYTES as u64));
    let space = if is_shared { Space::Shared } else { Space::Global };
    region.map(|region| StoredMap { space, region, address }).ok_or((space, address))
}

fn outside((space, address): (Space, u64), lane: usize, mask: Mask) -> InvalidAccess {
    invalid((space, address, MAP_BYTES as u64), MAP_ALIGNMENT, lane, mask & (!0 << lane))
}

/// Announces the reads of the maps of copies that lanes are about to start.
pub(super) fn read<W: Watch>(watch: &mut W, block: &mut Block<W>, which: usize, group: &Group, map: Reg) {
    if !W::ON || !IS_WHOLE {
        return;
    }
    let Block { launch, warps, shared, linear, watch: block_watch, .. } = block;
    let Warp { regs, index, watch: warp_watch, .. } = &mut warps[which];
    let at = At { launch, block: *linear, warp: *index, pc: group.pc, frame: group.frame };
    for lane in lanes(group.mask) {
        let address = regs.get(map, lane);
        if space::of_generic(address) != Space::Param
            && let Ok(map) = stored(launch, shared, address, false)
        {
            map.announce(watch, at, lane, false, (block_watch, warp_watch));
        }
    }
}

/// `tensormap.replace`: each lane changes a field of its map.
pub(super) fn replace<W: Watch>(
    watch: &mut W,
    block: &mut Block<W>,
    which: usize,
    group: &Group,
    op: &Replacement,
) -> Result<(), LaunchEnding> {
    if !IS_WHOLE {
        return Ok(());
    }
    for lane in lanes(group.mask) {
        replace_one(watch, block, which, (lane, group), op)
            .map_err(|refusal| refusal.ending(block, which, &Group { mask: 1 << lane, ..*group }))?;
    }
    Ok(())
}

fn replace_one<W: Watch>(
    watch: &mut W,
    block: &mut Block<W>,
    which: usize,
    (lane, group): (usize, &Group),
    op: &Replacement,
) -> Result<(), Refusal> {
    let Block { launch, warps, shared, linear, watch: block_watch, .. } = block;
    let Warp { regs, index, watch: warp_watch, .. } = &mut warps[which];
    let written = addresses(regs, op.map.base, op.map.offset)[lane];
    let place = stored(launch, shared, written, op.space == Space::Shared);
    let place = place.map_err(|wrong| Refusal::Access(outside(wrong, lane, group.mask)))?;
    let no_map = || Refusal::Tensor(TensorMisuse::NoMap);
    let mut map = TensorMap::read(&place.bytes()).ok_or_else(no_map)?;
    let value = regs.get(op.value, lane);
    let number = value as u32;
    match op.field {
        MapField::Address => map.address = value,
        MapField::Rank => map.rank = number.wrapping_add(1),
        MapField::BoxExtent => map.box_extents[op.index] = number,
        // 2^32 elements are written as 0.
        MapField::Extent => map.extents[op.index] = u64::from(number.wrapping_sub(1)) + 1,
        MapField::Stride => map.strides[op.index] = value,
        MapField::Step => map.steps[op.index] = number,
        MapField::Element => map.element = TensorElement::of_number(number).ok_or_else(no_map)?,
        MapField::Swizzle => map.swizzle = Swizzle::of_number(number).ok_or_else(no_map)?,
        MapField::Fill => map.fills_with_nan = number != 0,
    }
    if W::ON {
        let at = At { launch, block: *linear, warp: *index, pc: group.pc, frame: group.frame };
        place.announce(watch, at, lane, true, (block_watch, warp_watch));
    }
    place.region.write_bytes(place.address, &map.encode());
    Ok(())
}

/// All live lanes of warp `which` have come to `tensormap.cp_fenceproxy`.
pub(super) fn meet<W: Watch>(watch: &mut W, block: &mut Block<W>, which: usize, wait: Wait, copy: &MapCopy, met: Mask) {
    if !IS_WHOLE {
        return;
    }
    let warp = &mut block.warps[which];
    let here: Vec<usize> = (0..warp.groups.len()).filter(|&at| warp.groups[at].wait == wait).collect();
    let first = met.trailing_zeros() as usize % WARP;
    let is_of_first = |at: &&usize| warp.groups[**at].mask >> first & 1 != 0;
    let group = warp.groups[*here.iter().find(is_of_first).unwrap_or(&here[0])];
    warp.enter_window(group.frame);
    if let Err(invalid) = copy_map(watch, block, which, &group, (copy, first, met)) {
        let (pc, frame, reason) = (group.pc, group.frame, FailureReason::OutsideMap(Box::new(invalid)));
        let failure = WarpgroupFailure { warp: which, pc, frame, mask: 1 << first, reason };
        block.warpgroups.failure.get_or_insert(failure);
    }
    for at in here {
        block.warps[which].groups[at].pc += 1;
        block.warps[which].groups[at].wait = Wait::Ready;
    }
}

fn copy_map<W: Watch>(
    watch: &mut W,
    block: &mut Block<W>,
    which: usize,
    group: &Group,
    (copy, first, met): (&MapCopy, usize, Mask),
) -> Result<(), InvalidAccess> {
    let Block { launch, warps, shared, linear, watch: block_watch, .. } = block;
    let Op::Warp(op) = &launch.code.instrs[group.pc as usize].op else { unreachable!("a waiting group stands on it") };
    let Warp { regs, index, watch: warp_watch, .. } = &mut warps[which];
    let [to, from] = [(op.a, copy.offsets[0], false), (op.b, copy.offsets[1], true)]
        .map(|(base, offset, is_shared)| stored(launch, shared, addresses(regs, base, offset)[first], is_shared));
    let to = to.map_err(|wrong| outside(wrong, first, 1 << first))?;
    let from = from.map_err(|wrong| outside(wrong, first, 1 << first))?;
    if W::ON {
        let at = At { launch, block: *linear, warp: *index, pc: group.pc, frame: group.frame };
        watch.meet(&at, op, block_watch, warp_watch, met);
        from.announce(watch, at, first, false, (block_watch, warp_watch));
        to.announce(watch, at, first, true, (block_watch, warp_watch));
        watch.map_fence(&at, &release(copy.scope), None, block_watch, warp_watch, met);
    }
    to.region.write_bytes(to.address, &from.bytes());
    Ok(())
}

fn release(scope: Scope) -> Fence {
    Fence { semantics: Semantics { ordering: Ordering::Release, scope, volatile: false } }
}

/// Lanes pass a fence of tensor maps.
pub(super) fn fence<W: Watch>(
    watch: &mut W,
    at: &At,
    op: &MapFence,
    block: &mut W::Block,
    warp: &mut Warp<W>,
    mask: Mask,
) {
    if !IS_WHOLE {
        return;
    }
    let maps = op.acquires.map(|map| addresses(&warp.regs, map.base, map.offset));
    let mut fence = release(op.scope);
    if maps.is_some() {
        fence.semantics.ordering = Ordering::Acquire;
    }
    watch.map_fence(at, &fence, maps.as_ref(), block, &mut warp.watch, mask);
}
