//! Bulk copies under way: when they read their sources, and when they write.
//!
//! A thread that starts a copy goes on. A copy reads its source at one moment and writes its destination at a later
//! one, in no order with other copies. Which moments these are is the schedule's choice, as for `cp.async`
//! (`async_copies.rs`). At the latest a copy of a group is complete when its thread waits for the group or ends. One
//! that a barrier object tracks is so when a thread asks for the object's phase, or when its own thread ends. After a
//! wait for reads alone, the destination is still to be written. An asynchronous store has read its registers at once.

use super::block::Block;
use super::bulk::{BulkUnderWay, Move};
use super::cluster::Peers;
use super::launch::Launch;
use super::mbarrier::MbarrierObject;
use super::warp::Group;
use crate::exec::IS_WHOLE;
use crate::exec::atomic::apply;
use crate::exec::bulk_copy::UNIT;
use crate::memory::Region;
use crate::memory::space::Space;
use crate::registers::Mask;
use crate::watch::{At, BulkWait, CopyBlocks, Signal, Watch};
use std::cmp::Ordering;

/// Returns the region of one side of a copy; `None` if it has been freed. `shared` is the memory of that side's block.
pub(super) fn region<'l>(launch: &'l Launch, shared: &'l Region, (space, address): (Space, u64)) -> Option<&'l Region> {
    if space == Space::Shared { Some(shared) } else { launch.memory.region(address) }
}

/// A lane waits until only `left` of its groups are under way, or have not read their sources if `reads`.
pub(super) fn wait<'a, W: Watch>(
    watch: &mut W,
    block: &mut Block<'a, W>,
    peers: &mut Peers<'_, 'a, W>,
    which: usize,
    group: &Group,
    lane: usize,
    (left, reads): (u32, bool),
) {
    for number in block.bulk.passes((which as u32, lane as u32), left, reads) {
        while let Some(next) = block.bulk.take_of(number, reads) {
            advance(watch, block, peers, next);
        }
        if W::ON {
            let Block { launch, linear, warps, watch: block_watch, .. } = &mut *block;
            let warp = &mut warps[which];
            let at = At { launch, block: *linear, warp: warp.index, pc: group.pc, frame: group.frame };
            watch.bulk_waited(&BulkWait { at, lane, number, reads }, block_watch, &mut warp.watch);
        }
    }
}

/// Makes the next move of a copy: it reads its source, or writes its destination and is complete.
fn advance<'a, W: Watch>(
    watch: &mut W,
    block: &mut Block<'a, W>,
    peers: &mut Peers<'_, 'a, W>,
    (step, mut copy): (Move, BulkUnderWay),
) {
    let Block { launch, linear, warps, shared, watch: block_watch, .. } = &mut *block;
    if step == Move::Reads {
        copy.data = Some(read(copy.from.and_then(|from| region(launch, shared, from)), &copy));
        if W::ON {
            watch.bulk_has_read(launch, *linear, &copy, block_watch);
        }
        block.bulk.put_back(copy);
        return;
    }
    let (target, peer) = match peers.at(copy.owner).filter(|_| copy.owner != *linear) {
        Some(Block { shared, watch, .. }) => (&*shared, Some(watch)),
        None => (&*shared, None),
    };
    let mut blocks = CopyBlocks { own: block_watch, peer };
    if W::ON {
        watch.bulk_writes(launch, *linear, &copy, &mut blocks);
    }
    if let Some(to) = region(launch, target, copy.to) {
        let exclusive = copy.to.0 == Space::Shared || W::ON && !to.is_shared_with_host();
        write(to, &copy, exclusive);
    }
    // If its object is no more, its transactions are lost.
    let Some((address, mut object)) = copy.object.and_then(|at| Some((at, MbarrierObject::at(target, at)?))) else {
        return;
    };
    let completes = object.complete(copy.bytes.into());
    object.put(target, address);
    if W::ON {
        watch.bulk_completes(*linear, &copy, &mut blocks);
        if completes {
            let warp = &mut warps[copy.warp as usize];
            watch.signal(address, &Signal::Completes, blocks.target(), &mut warp.watch);
        }
    }
}

/// Returns the bytes of a copy's source: zeros where that has been freed.
fn read(from: Option<&Region>, copy: &BulkUnderWay) -> Box<[u8]> {
    let fill = copy.tensor.as_ref().map_or(0, |tensor| tensor.fill).to_le_bytes();
    let mut data = Vec::new();
    for segment in copy.segments() {
        let begin = data.len();
        data.extend(fill.iter().cycle().take(segment.bytes as usize));
        if let Some(address) = segment.from {
            data[begin..].fill(0);
            if let Some(from) = from.filter(|it| it.contains(address, segment.bytes.into())) {
                from.read_bytes(address, &mut data[begin..]);
            }
            if copy.tensor.as_ref().is_some_and(|tensor| tensor.rounds) {
                round(&mut data[begin..]);
            }
        }
    }
    data.into()
}

/// Writes what a copy has read.
fn write(to: &Region, copy: &BulkUnderWay, exclusive: bool) {
    let Some(mut rest) = copy.data.as_deref() else { return };
    for segment in copy.segments() {
        let (data, others) = rest.split_at(segment.bytes as usize);
        rest = others;
        if to.contains(segment.to, segment.bytes.into()) {
            write_segment(to, segment.to, copy, data, exclusive);
        }
    }
}

fn write_segment(to: &Region, address: u64, copy: &BulkUnderWay, data: &[u8], exclusive: bool) {
    let Some((operation, ty)) = copy.reduction.filter(|_| IS_WHOLE) else {
        if copy.byte_mask == u16::MAX {
            return to.write_bytes(address, data);
        }
        let is_taken = |at: usize| copy.byte_mask >> (at % UNIT as usize) & 1 != 0;
        for (at, byte) in data.iter().enumerate().filter(|(at, _)| is_taken(*at)) {
            to.write_bytes(address + at as u64, &[*byte]);
        }
        return;
    };
    // The ISA has additions of `f32` in global memory flush subnormal numbers. An H200 does not.
    let flush = copy.tensor.as_ref().is_some_and(|tensor| tensor.flushes);
    for (at, element) in data.chunks_exact(ty.bytes() as usize).enumerate() {
        let value = element.iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte));
        let address = address + at as u64 * u64::from(ty.bytes());
        to.update(address, ty.bytes(), exclusive, |old| apply(operation, ty, flush, old, value, 0));
    }
}

/// A thread of a block asks for a phase of its object at `address`: the copies that it tracks come to their end, those
/// that other blocks have started among them. True if there were any.
pub(super) fn finish_tracked<'a, W: Watch>(
    watch: &mut W,
    block: &mut Block<'a, W>,
    peers: &mut Peers<'_, 'a, W>,
    address: u64,
) -> bool {
    let owner = block.linear;
    let mut any = false;
    while let Some(next) = block.bulk.take_tracked(owner, address) {
        advance(watch, block, peers, next);
        any = true;
    }
    let starters: Vec<u64> =
        peers.of(block).filter(|peer| peer.bulk.any_to_peers(peer.linear)).map(|peer| peer.linear).collect();
    for starter in starters {
        any |= peers.swapped(block, starter, |block, peers| {
            let mut any = false;
            while let Some(next) = block.bulk.take_tracked(owner, address) {
                advance(watch, block, peers, next);
                any = true;
            }
            any
        });
    }
    any
}

/// Makes the `nth` of the moves that copies may make.
pub(super) fn move_nth<'a, W: Watch>(
    watch: &mut W,
    block: &mut Block<'a, W>,
    peers: &mut Peers<'_, 'a, W>,
    nth: usize,
) {
    let next = block.bulk.take_next(nth);
    advance(watch, block, peers, next);
}

/// Completes all that these lanes of a warp have under way: they end.
pub(super) fn end<'a, W: Watch>(
    watch: &mut W,
    block: &mut Block<'a, W>,
    peers: &mut Peers<'_, 'a, W>,
    which: usize,
    mask: Mask,
) {
    if block.bulk.count() == 0 {
        return;
    }
    while let Some(next) = block.bulk.take_of_lanes(which as u32, mask) {
        advance(watch, block, peers, next);
    }
}

/// Rounds each 32-bit number to the nearest of `tf32`, halves to even. Infinities stay what they are, and NaNs become
/// one, as on an H200.
fn round(data: &mut [u8]) {
    const INFINITY: u32 = 0x7f80_0000;
    const NAN: u32 = 0x7fff_e000;
    for word in data.chunks_exact_mut(4) {
        let bits = u32::from_le_bytes([word[0], word[1], word[2], word[3]]);
        let rounded = match (bits & !(1 << 31)).cmp(&INFINITY) {
            Ordering::Less => (bits + 0xfff + (bits >> 13 & 1)) & !0x1fff,
            Ordering::Equal => bits,
            Ordering::Greater => NAN,
        };
        word.copy_from_slice(&rounded.to_le_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_load_rounds_to_tf32() {
        for (bits, rounded) in [
            (0x3f80_0fff, 0x3f80_0000),
            (0xbf80_1000, 0xbf80_0000),
            (0x3f80_3000, 0x3f80_4000),
            (0x3f80_1001, 0x3f80_2000),
            (0x0000_1001, 0x0000_2000),
            (0x7f7f_ffff, 0x7f80_0000),
            (0xff80_0000, 0xff80_0000),
            (0xffc6_e96b, 0x7fff_e000),
            (0x7f80_0001, 0x7fff_e000),
        ] {
            let mut data = u32::to_le_bytes(bits);
            round(&mut data);
            assert_eq!(u32::from_le_bytes(data), rounded, "{bits:08x}");
        }
    }
}
