//! Asynchronous copies under way (PTX ISA, "cp.async", "cp.async.commit_group", "cp.async.wait_group").
//!
//! A thread that starts a copy goes on; the bytes move at some moment between that and the thread's wait, in no order
//! with other copies. Which moment is the schedule's choice: `in-order` moves them at the wait, `reverse` as soon as it
//! can, the others whenever their coin says. What is still under way when its thread ends moves then, and so does the
//! oldest copy of a warp that has started very many.
//!
//! Addresses are checked when the copy starts. Where its source has been freed by the time it runs, nothing moves.

use super::access::{AccessContext, InvalidAccess, MemoryRequest, addresses, for_each_region};
use super::block::Block;
use super::cluster::Peers;
use super::copies::UnderWay;
use super::launch::Launch;
use super::mbarrier::settle_tracked;
use super::warp::Warp;
use crate::exec::async_copy::{Async, AsyncCopyAddress, AsyncCopyOp, Given};
use crate::exec::memory::Semantics;
use crate::memory::Region;
use crate::memory::space::Space;
use crate::registers::{Mask, Registers, WARP, lanes, partition};
use crate::schedule::{ChoicePoint, Schedule};
use crate::watch::{At, StartedCopy, Touch, Watch};
use finding::AccessKind;

/// Copies of one warp that may be under way.
const MOST: usize = 1 << 12;

/// Runs an instruction of this family for some lanes.
pub fn run<W: Watch>(
    cx: &mut AccessContext<W>,
    warp: &mut Warp<W>,
    op: &Async,
    mask: Mask,
) -> Result<(), InvalidAccess> {
    warp.copies.prepare();
    let left = match op {
        Async::Start(copy) => return start(cx, warp, copy, mask),
        Async::Commit => {
            lanes(mask).for_each(|lane| warp.copies.commit(lane));
            return Ok(());
        }
        Async::WaitGroup(left) => *left,
        Async::WaitAll => {
            lanes(mask).for_each(|lane| warp.copies.commit(lane));
            0
        }
    };
    for lane in lanes(mask) {
        let Some(last) = warp.copies.passes(lane, left).filter(|last| *last > 0) else { continue };
        for copy in warp.copies.take_until(lane as u32, last) {
            move_bytes(cx.launch, cx.block, cx.shared, &copy, cx.watch, cx.block_watch);
        }
        if W::ON {
            cx.watch.waited(&mut warp.watch, lane, last);
        }
    }
    settle_tracked(cx.shared, warp, cx.watch, cx.block_watch);
    Ok(())
}

/// Bytes that each lane takes from its source.
pub fn given(regs: &Registers, copy: &AsyncCopyOp, mask: Mask) -> [u32; WARP] {
    let mut bytes = [copy.bytes; WARP];
    for lane in lanes(mask) {
        match copy.given {
            Given::All => {}
            Given::Bytes(register) => bytes[lane] = copy.bytes.min(regs.get(register, lane) as u32),
            Given::NotIf(predicate, negated) => {
                let ignored = (regs.pred(predicate.index) >> lane & 1 != 0) != negated;
                bytes[lane] = if ignored { 0 } else { copy.bytes };
            }
        }
    }
    bytes
}

fn start<W: Watch>(
    cx: &mut AccessContext<W>,
    warp: &mut Warp<W>,
    copy: &AsyncCopyOp,
    mask: Mask,
) -> Result<(), InvalidAccess> {
    // The watch must hear of a whole copy or of none.
    if W::GOES_ON
        && let Some(invalid) = lanes(mask).find_map(|lane| refusal(cx.launch, cx.shared, &warp.regs, copy, lane))
    {
        return Err(InvalidAccess { remaining: mask, ..invalid });
    }
    let Warp { regs, watch, index, copies, .. } = warp;
    let here = At { launch: cx.launch, block: cx.block, warp: *index, pc: cx.pc, frame: cx.frame };
    let number = copies.next_number();
    let to = addresses(regs, copy.to.base, copy.to.offset);
    let from = addresses(regs, copy.from.base, copy.from.offset);
    let given = given(regs, copy, mask);
    let begins = StartedCopy { number, from: &from, given: &given };
    for (size, lanes) in sizes(&given, mask) {
        let align = u64::from(copy.bytes);
        sources(cx.launch, &from, lanes, size.into(), align, |region, mask| {
            if W::ON {
                let touch = side(here, Space::Global, region, &from, mask, size);
                cx.watch.copy(&touch, &begins, false, cx.block_watch, watch);
            }
        })?;
    }
    let bytes = u64::from(copy.bytes);
    for_each_region(cx.launch, cx.shared, written(&to, mask, bytes), |space, region, at, mask| {
        if let (true, Some(region)) = (W::ON, region) {
            let touch = side(here, space, region, at, mask, copy.bytes);
            cx.watch.copy(&touch, &begins, true, cx.block_watch, watch);
        }
    })?;
    for lane in lanes(mask) {
        copies.start(UnderWay {
            warp: *index,
            lane: lane as u32,
            number,
            from: from[lane],
            to: to[lane],
            bytes: copy.bytes,
            given: given[lane],
        });
    }
    while copies.count() > MOST {
        let oldest = copies.take(0);
        move_bytes(cx.launch, cx.block, cx.shared, &oldest, cx.watch, cx.block_watch);
    }
    Ok(())
}

/// Returns why a lane may not start a copy, or `None` if it may.
pub(super) fn refusal(
    launch: &Launch,
    shared: &Region,
    regs: &Registers,
    copy: &AsyncCopyOp,
    lane: usize,
) -> Option<InvalidAccess> {
    let one = 1 << lane;
    let at = |side: &AsyncCopyAddress| addresses(regs, side.base, side.offset);
    let (size, bytes) = (given(regs, copy, one)[lane], copy.bytes.into());
    let from = if size == 0 { Ok(()) } else { sources(launch, &at(&copy.from), one, size.into(), bytes, |_, _| ()) };
    let to = || for_each_region(launch, shared, written(&at(&copy.to), one, bytes), |_, _, _, _| ());
    from.and_then(|()| to()).err()
}

/// Returns the request for what a copy's lanes write.
fn written(at: &[u64; WARP], mask: Mask, bytes: u64) -> MemoryRequest<'_> {
    MemoryRequest { space: Space::Shared, at, mask, bytes, kind: AccessKind::Store }
}

/// One side of a copy.
fn side<'a>(
    at: At<'a>,
    space: Space,
    region: &'a Region,
    addresses: &'a [u64; WARP],
    mask: Mask,
    bytes: u32,
) -> Touch<'a> {
    Touch {
        at,
        space,
        region: Some(region),
        addresses,
        mask,
        bytes,
        elements: 1,
        semantics: Semantics::WEAK,
        owner: at.block,
    }
}

/// The lanes by how much they take from their sources; those that take nothing are left out.
fn sizes(given: &[u32; WARP], mask: Mask) -> Vec<(u32, Mask)> {
    let mut parts: Vec<(u32, Mask)> = Vec::with_capacity(1);
    partition(|lane| given[lane], mask, |size, lanes| parts.push((size, lanes)));
    parts.retain(|(size, _)| *size > 0);
    parts
}

/// Calls `run` with the lanes that lie in one region, for each.
fn sources<'l>(
    launch: &'l Launch,
    at: &[u64; WARP],
    mask: Mask,
    bytes: u64,
    align: u64,
    mut run: impl FnMut(&'l Region, Mask),
) -> Result<(), InvalidAccess> {
    let mut rest = mask;
    while rest != 0 {
        let lane = rest.trailing_zeros() as usize;
        let misaligned = at[lane] & (align - 1) != 0;
        let region = launch.memory.region(at[lane]).filter(|region| region.contains(at[lane], bytes));
        let Some(region) = region.filter(|_| !misaligned) else {
            return Err(InvalidAccess {
                lane,
                space: Space::Global,
                address: at[lane],
                bytes: if misaligned { align } else { bytes },
                misaligned,
                kind: AccessKind::Load,
                remaining: rest,
                image: None,
            });
        };
        let fits = |lane: usize| region.contains(at[lane], bytes) && at[lane] & (align - 1) == 0;
        let here: Mask = lanes(rest).map(|lane| u32::from(fits(lane)) << lane).sum();
        run(region, here);
        rest &= !here;
    }
    Ok(())
}

/// Moves a copy's bytes.
pub fn move_bytes<W: Watch>(
    launch: &Launch,
    block: u64,
    shared: &Region,
    copy: &UnderWay,
    watch: &mut W,
    block_watch: &mut W::Block,
) {
    let region = launch.memory.region(copy.from).filter(|region| region.contains(copy.from, copy.given.into()));
    if region.is_none() && copy.given > 0 {
        return;
    }
    if W::ON {
        watch.copy_moves(launch, block, copy, block_watch);
    }
    for word in (0..copy.bytes).step_by(4) {
        let left = copy.given.saturating_sub(word).min(4);
        let value = region.map_or(0, |region| match left {
            4 => region.load_sized(copy.from + u64::from(word), 4) as u32,
            _ => (0..left).fold(0, |value, byte| {
                value | (region.load_sized(copy.from + u64::from(word + byte), 1) as u32) << (8 * byte)
            }),
        });
        shared.store::<u32>(copy.to + u64::from(word), value);
    }
}

/// Before a turn in a block: moves what the schedule wants moved.
pub(super) fn move_some<'a, W: Watch>(
    watch: &mut W,
    schedule: &mut dyn Schedule,
    block: &mut Block<'a, W>,
    peers: &mut Peers<'_, 'a, W>,
) {
    loop {
        let alone: usize = block.warps.iter().map(|warp| warp.copies.count()).sum();
        let bulk = block.bulk.count();
        // Warps with products under way; the oldest product of each may be next.
        let products: Vec<usize> = (0..block.warps.len()).filter(|&at| !block.warps[at].products.is_idle()).collect();
        let under_way = alone + bulk + products.len();
        if under_way == 0 {
            return;
        }
        let Some(mut nth) = schedule.choose(ChoicePoint::Copy(under_way)).checked_sub(1) else { return };
        if nth >= alone + bulk {
            super::wgmma::make_next(block, products[nth - alone - bulk], u32::MAX);
            continue;
        }
        if nth >= alone {
            super::bulk_moves::move_nth(watch, block, peers, nth - alone);
            continue;
        }
        let Block { launch, linear, warps, shared, watch: block_watch, .. } = block;
        for warp in warps {
            let count = warp.copies.count();
            if nth < count {
                move_bytes(launch, *linear, shared, &warp.copies.take(nth), watch, block_watch);
                settle_tracked(shared, warp, watch, block_watch);
                break;
            }
            nth -= count;
        }
    }
}

/// Moves all that these lanes of a warp have under way: they end.
pub(super) fn end<W: Watch>(watch: &mut W, block: &mut Block<W>, which: usize, mask: Mask) {
    let Block { launch, linear, warps, shared, watch: block_watch, .. } = block;
    for copy in warps[which].copies.take_all_of(mask) {
        move_bytes(launch, *linear, shared, &copy, watch, block_watch);
    }
    settle_tracked(shared, &mut warps[which], watch, block_watch);
}
