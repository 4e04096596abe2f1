//! Bulk copies under way (PTX ISA, "cp.async.bulk", "cp.reduce.async.bulk", "cp.async.bulk.commit_group",
//! "cp.async.bulk.wait_group").
//!
//! A thread that starts a copy goes on. A copy reads its source at one moment and writes its destination at a later
//! one, in no order with other copies. Which moments these are is the schedule's choice, as for `cp.async`
//! (`async_copies.rs`). At the latest a copy of a group is complete when its thread waits for the group or ends. One
//! that a barrier object tracks is so when a thread asks for the object's phase. After a wait for reads alone, the
//! destination is still to be written.
//!
//! Addresses are checked when the copy starts. Where one side has been freed by the time it runs, nothing moves. A size
//! or an address that is no multiple of 16 is undefined in the ISA, and ends the launch.

use super::access::{InvalidAccess, addresses};
use super::block::Block;
use super::bulk::{BulkUnderWay, Move};
use super::ending::LaunchEnding;
use super::launch::Launch;
use super::mbarrier::{self, MbarrierObject};
use super::misplaced::Misplaced;
use super::tensor_copies;
use super::warp::{Group, Warp};
use crate::exec::Op;
use crate::exec::async_copy::AsyncCopyAddress;
use crate::exec::atomic::apply;
use crate::exec::bulk_copy::{Bulk, BulkCompletion, BulkCopyOp, UNIT};
use crate::memory::Region;
use crate::memory::space::{self, Space};
use crate::registers::{Mask, Reg, lanes};
use crate::watch::{At, BulkWait, Signal, StartedBulk, Watch};
use finding::{AccessKind, Decision, ObjectMisuse};

/// Bulk copies of one block that may be under way.
const MOST: usize = 1 << 12;

/// Group `at` of warp `which` stands on an instruction of this family.
pub(super) fn run<W: Watch>(watch: &mut W, block: &mut Block<W>, which: usize, at: usize) -> Result<(), LaunchEnding> {
    let group = block.warps[which].groups[at];
    let code = block.launch.code;
    let Op::Bulk(op) = &code.instrs[group.pc as usize].op else { unreachable!("stopped at one") };
    block.warps[which].enter_window(group.frame);
    match &**op {
        Bulk::Start(copy) => {
            let sources = copy.sources();
            start(watch, block, which, group, &sources, |block, lane| checked(block, which, copy, lane, group.mask))?;
        }
        Bulk::StartTensor(copy) => {
            let sources: Vec<Reg> = copy.sources().collect();
            start(watch, block, which, group, &sources, |block, lane| {
                tensor_copies::checked(block, which, copy, lane, group.mask)
            })?;
        }
        Bulk::Replace(replacement) => tensor_copies::replace(block, which, &group, replacement)?,
        Bulk::Commit => lanes(group.mask).for_each(|lane| block.bulk.commit((which as u32, lane as u32))),
        Bulk::Wait { left, reads } => {
            lanes(group.mask).for_each(|lane| wait(watch, block, which, &group, lane, (*left, *reads)));
        }
    }
    block.warps[which].groups[at].pc += 1;
    Ok(())
}

fn start<W: Watch>(
    watch: &mut W,
    block: &mut Block<W>,
    which: usize,
    group: Group,
    sources: &[Reg],
    checked: impl Fn(&mut Block<W>, usize) -> Result<BulkUnderWay, Refusal>,
) -> Result<(), LaunchEnding> {
    if W::ON {
        let Block { launch, linear, warps, .. } = &mut *block;
        let warp = &mut warps[which];
        let here = At { launch, block: *linear, warp: warp.index, pc: group.pc, frame: group.frame };
        for reg in sources.iter().filter(|reg| reg.is_some()) {
            watch.decide(&here, &mut warp.watch, &warp.regs, *reg, group.mask, Decision::Address);
        }
    }
    for lane in lanes(group.mask) {
        let copy = match checked(block, lane) {
            Ok(copy) => copy,
            Err(refusal) => return Err(refusal.ending(block, which, &Group { mask: 1 << lane, ..group })),
        };
        announce(watch, block, group, lane, &copy);
        block.bulk.start(copy);
    }
    while block.bulk.count() > MOST {
        let oldest = block.bulk.take_next(0);
        advance(watch, block, oldest);
    }
    Ok(())
}

fn announce<W: Watch>(watch: &mut W, block: &mut Block<W>, group: Group, lane: usize, copy: &BulkUnderWay) {
    if W::ON {
        let Block { launch, linear, warps, shared, watch: block_watch, .. } = block;
        let warp = &mut warps[copy.warp as usize];
        let at = At { launch, block: *linear, warp: warp.index, pc: group.pc, frame: group.frame };
        let start = StartedBulk {
            at,
            lane,
            copy,
            from: region(launch, shared, copy.from),
            to: region(launch, shared, copy.to),
        };
        watch.bulk_starts(&start, block_watch, &mut warp.watch);
    }
}

/// The reason why a copy cannot start.
pub(super) enum Refusal {
    Access(InvalidAccess),
    Object(u64, ObjectMisuse),
}

impl Refusal {
    /// The launch ends with it. `one` is the lane's.
    pub(super) fn ending<W: Watch>(&self, block: &Block<W>, which: usize, one: &Group) -> LaunchEnding {
        match self {
            Refusal::Access(invalid) => {
                let warp = &block.warps[which];
                let (launch, pc, frame) = (&block.launch, one.pc, one.frame);
                let here = At { launch, block: block.linear, warp: warp.index, pc, frame };
                Misplaced::new(&here, invalid).ending(warp)
            }
            Refusal::Object(address, misuse) => mbarrier::misused(block, which, one, *address, *misuse),
        }
    }
}

/// Returns a lane's copy, if its addresses and its size are allowed.
fn checked<W: Watch>(
    block: &mut Block<W>,
    which: usize,
    op: &BulkCopyOp,
    lane: usize,
    mask: Mask,
) -> Result<BulkUnderWay, Refusal> {
    let number = block.bulk.next_number();
    let Block { launch, warps, shared, .. } = block;
    let Warp { regs, index, .. } = &warps[which];
    let at = |side: &AsyncCopyAddress| addresses(regs, side.base, side.offset)[lane];
    let bytes = regs.get(op.bytes, lane) & 0xffff_ffff;
    let remaining = mask & (!0 << lane);
    let to = side(launch, shared, (op.to_space, at(&op.to), bytes), AccessKind::AsyncCopy, (lane, remaining));
    let from = side(launch, shared, (op.from_space, at(&op.from), bytes), AccessKind::AsyncCopy, (lane, remaining));
    let (to, from) = (to.map_err(Refusal::Access)?, from.map_err(Refusal::Access)?);
    let object = match &op.completion {
        BulkCompletion::Group => None,
        BulkCompletion::Transactions(object) => Some(object_at(shared, at(object), lane, remaining)?),
    };
    if !bytes.is_multiple_of(UNIT) {
        let size = ObjectMisuse::BulkSize { bytes };
        return Err(Refusal::Object(if op.to_space == Space::Shared { to.1 } else { from.1 }, size));
    }
    let is_to_us = !op.multicast.is_some() || regs.get(op.multicast, lane) & 1 != 0;
    let byte_mask = if op.byte_mask.is_some() { regs.get(op.byte_mask, lane) as u16 } else { u16::MAX };
    Ok(BulkUnderWay {
        warp: *index,
        lane: lane as u32,
        number,
        from,
        to,
        // The cluster has one block, so a multicast writes all bytes or none.
        bytes: if is_to_us { bytes as u32 } else { 0 },
        byte_mask,
        reduction: op.reduction,
        object,
        tensor: None,
        data: None,
    })
}

/// Returns the resolved address of one side of a copy.
fn side(
    launch: &Launch,
    shared: &Region,
    (named, written, bytes): (Space, u64, u64),
    kind: AccessKind,
    (lane, remaining): (usize, Mask),
) -> Result<(Space, u64), InvalidAccess> {
    let address = match named {
        Space::Shared => without_window(written),
        _ => written,
    };
    let misaligned = !address.is_multiple_of(UNIT);
    let holds = match named {
        Space::Shared => shared.contains(address, bytes),
        _ => launch.memory.region(address).is_some_and(|region| region.contains(address, bytes)),
    };
    if holds && !misaligned || bytes == 0 {
        return Ok((named, address));
    }
    let bytes = if misaligned { UNIT } else { bytes };
    Err(InvalidAccess { lane, space: named, address, bytes, misaligned, kind, remaining, image: None })
}

/// Returns an address of shared memory, also if it is written as a generic one.
pub(super) fn without_window(written: u64) -> u64 {
    match space::of_generic(written) {
        Space::Shared => written.wrapping_sub(space::window(Space::Shared)),
        _ => written,
    }
}

pub(super) fn object_at(shared: &Region, written: u64, lane: usize, remaining: Mask) -> Result<u64, Refusal> {
    let address = without_window(written);
    let misaligned = !address.is_multiple_of(8);
    if misaligned || !shared.contains(address, 8) {
        let (space, kind) = (Space::Shared, AccessKind::BarrierObject);
        let invalid = InvalidAccess { lane, space, address, bytes: 8, misaligned, kind, remaining, image: None };
        return Err(Refusal::Access(invalid));
    }
    match MbarrierObject::at(shared, address) {
        Some(_) => Ok(address),
        None => Err(Refusal::Object(address, ObjectMisuse::NoObject)),
    }
}

/// Returns the region of one side of a copy; `None` if it has been freed.
fn region<'l>(launch: &'l Launch, shared: &'l Region, (space, address): (Space, u64)) -> Option<&'l Region> {
    if space == Space::Shared { Some(shared) } else { launch.memory.region(address) }
}

/// A lane waits until only `left` of its groups are under way, or have not read their sources if `reads`.
fn wait<W: Watch>(
    watch: &mut W,
    block: &mut Block<W>,
    which: usize,
    group: &Group,
    lane: usize,
    (left, reads): (u32, bool),
) {
    for number in block.bulk.passes((which as u32, lane as u32), left, reads) {
        while let Some(next) = block.bulk.take_of(number, reads) {
            advance(watch, block, next);
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
fn advance<W: Watch>(watch: &mut W, block: &mut Block<W>, (step, mut copy): (Move, BulkUnderWay)) {
    let Block { launch, linear, warps, shared, watch: block_watch, .. } = &mut *block;
    match step {
        Move::Reads => {
            copy.data = Some(read(region(launch, shared, copy.from), &copy));
            if W::ON {
                watch.bulk_reads(launch, *linear, &copy, block_watch);
            }
            block.bulk.put_back(copy);
        }
        Move::Writes => {
            if W::ON {
                watch.bulk_writes(launch, *linear, &copy, block_watch);
            }
            if let Some(to) = region(launch, shared, copy.to) {
                let exclusive = copy.to.0 == Space::Shared || W::ON && !to.is_shared_with_host();
                write(to, &copy, exclusive);
            }
            if let Some(object) = copy.object {
                complete(watch, (*linear, object), &copy, shared, &mut warps[copy.warp as usize], block_watch);
            }
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
                tensor_copies::round(&mut data[begin..]);
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
    let Some((operation, ty)) = copy.reduction else {
        if copy.byte_mask == u16::MAX {
            return to.write_bytes(address, data);
        }
        let is_taken = |at: usize| copy.byte_mask >> (at % UNIT as usize) & 1 != 0;
        for (at, byte) in data.iter().enumerate().filter(|(at, _)| is_taken(*at)) {
            to.write_bytes(address + at as u64, &[*byte]);
        }
        return;
    };
    let flush = copy.tensor.as_ref().map_or(copy.to.0 == Space::Global, |tensor| tensor.flushes);
    for (at, element) in data.chunks_exact(ty.bytes() as usize).enumerate() {
        let value = element.iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte));
        let address = address + at as u64 * u64::from(ty.bytes());
        to.update(address, ty.bytes(), exclusive, |old| apply(operation, ty, flush, old, value, 0));
    }
}

/// Completes the transactions of a copy. If its object is no more, they are lost.
fn complete<W: Watch>(
    watch: &mut W,
    (block, address): (u64, u64),
    copy: &BulkUnderWay,
    shared: &Region,
    warp: &mut Warp<W>,
    block_watch: &mut W::Block,
) {
    let Some(mut object) = MbarrierObject::at(shared, address) else { return };
    let completes = object.complete(copy.bytes.into());
    object.put(shared, address);
    if W::ON {
        let transferred = Signal::Transferred { number: copy.number, block };
        watch.signal(address, &transferred, block_watch, &mut warp.watch);
        if completes {
            watch.signal(address, &Signal::Completes, block_watch, &mut warp.watch);
        }
    }
}

/// A thread asks for a phase of the object at `address`: the copies that it tracks come to their end. True if there
/// were any.
pub(super) fn finish_tracked<W: Watch>(watch: &mut W, block: &mut Block<W>, address: u64) -> bool {
    let mut any = false;
    while let Some(next) = block.bulk.take_tracked(address) {
        advance(watch, block, next);
        any = true;
    }
    any
}

/// Makes the `nth` of the moves that copies may make.
pub(super) fn move_nth<W: Watch>(watch: &mut W, block: &mut Block<W>, nth: usize) {
    let next = block.bulk.take_next(nth);
    advance(watch, block, next);
}

/// Completes all that these lanes of a warp have under way: they end.
pub(super) fn end<W: Watch>(watch: &mut W, block: &mut Block<W>, which: usize, mask: Mask) {
    if block.bulk.count() == 0 {
        return;
    }
    while let Some(next) = block.bulk.take_of_lanes(which as u32, mask) {
        advance(watch, block, next);
    }
}
