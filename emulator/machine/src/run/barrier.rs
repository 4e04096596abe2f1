//! The barriers of a block: `bar`, `barrier` (PTX ISA, "bar, barrier").
//!
//! A warp has arrived once all its threads that have not exited have; they may come one by
//! one. A barrier with a thread count completes when so many threads have arrived, each
//! warp counting whole; one without when every warp of the block has arrived or has ended.
//! Then it is as new. What the ISA gives no meaning (a count that is no multiple of the warp
//! size, a second arrival in one phase, counts or reductions that differ) ends the launch.
//!
//! `.aligned` promises that all threads of a warp come from one instruction; where they
//! do not, the threads pair off as they do on a GPU and the watcher is told. Of the promise
//! only a warp's part is judged: different warps may come from different places, as the
//! ISA's producers and consumers do. That errs towards silence.

use super::arrivals::{Arrival, BarrierState};
use super::block::Block;
use super::launch::Launch;
use super::misuse::Misuse;
use super::warp::{Group, Wait};
use crate::exec::Op;
use crate::exec::barrier::{BARRIERS, Reduction};
use crate::registers::{Mask, Reg, lanes, partition};
use crate::schedule::mix;
use crate::watch::{At, Watch};
use finding::Decision;

/// Threads in a warp, as a barrier counts them.
const WARP_THREADS: u32 = 32;

/// Returns the reason why an arrival in a barrier's phase is forbidden.
pub(super) fn forbids(barrier: &BarrierState, new: &Arrival) -> Option<Misuse> {
    let earlier = |wrong: &dyn Fn(&Arrival) -> bool| barrier.arrivals.iter().copied().find(|known| wrong(known));
    let again = |known: &Arrival| known.warp == new.warp && known.mask & new.mask != 0;
    if let Some(first) = earlier(&again) {
        return Some(Misuse::ArrivesTwice(first));
    }
    if let Some(first) = earlier(&|known| known.count != new.count) {
        return Some(Misuse::CountsDiffer(first));
    }
    earlier(&|known| known.reduction != new.reduction).map(Misuse::ReductionsDiffer)
}

/// The threads that take part: a count of zero or none stands for all of the block.
fn wanted(launch: &Launch, given: u32) -> u32 {
    if given == 0 { launch.warps_per_block() * WARP_THREADS } else { given }
}

/// Calls as one number, none as 0.
pub(super) fn path(calls: &[u32]) -> u64 {
    calls.iter().fold(0, |path, &call| mix(path ^ u64::from(call + 1)))
}

impl<W: Watch> Block<'_, W> {
    /// True if all threads of a warp that could come to a barrier have come.
    fn has_arrived(&self, id: usize, warp: usize) -> bool {
        let arrived = self.barriers[id].arrived[warp];
        arrived != 0 && self.warps[warp].live() & !arrived == 0
    }

    /// True if the barrier's last awaited thread has come.
    fn is_complete(&self, id: usize) -> bool {
        let mut warps = 0..self.warps.len();
        match self.barriers[id].expected {
            Some(expected) => {
                warps.filter(|&warp| self.has_arrived(id, warp)).count() as u32 * WARP_THREADS >= expected
            }
            None => {
                !self.barriers[id].arrivals.is_empty()
                    && warps.all(|warp| self.has_arrived(id, warp) || self.warps[warp].live() == 0)
            }
        }
    }
}

/// Group `at` of warp `which` has come to a block barrier.
pub(super) fn arrive<W: Watch>(watch: &mut W, block: &mut Block<W>, which: usize, at: usize) -> Result<(), Misuse> {
    let Block { launch, warps, watch: block_watch, linear, barriers, .. } = block;
    let warp = &mut warps[which];
    let group = warp.groups[at];
    warp.enter_window(group.frame);
    let Op::Barrier(op) = &launch.code.instrs[group.pc as usize].op else { unreachable!("stopped at one") };
    let here = At { launch, block: *linear, warp: warp.index, pc: group.pc, frame: group.frame };
    let regs = &warp.regs;
    if W::ON {
        for (reg, what) in [(op.id, Decision::BarrierNumber), (op.threads, Decision::BarrierCount)] {
            watch.decide(&here, &mut warp.watch, regs, reg, group.mask, what);
        }
    }
    // The ISA gives a thread one barrier at a time; lanes with another number or count wait their turn apart.
    let mut parts: Vec<(u32, u32, Mask)> = Vec::with_capacity(1);
    partition(
        |lane| regs.get(op.id, lane) as u32,
        group.mask,
        |id, part| {
            partition(|lane| regs.get(op.threads, lane) as u32, part, |given, part| parts.push((id, given, part)));
        },
    );
    for &(id, given, _) in &parts {
        if id as usize >= BARRIERS {
            return Err(Misuse::NoSuchBarrier(id));
        }
        if !given.is_multiple_of(WARP_THREADS) || given == 0 && !op.waits {
            return Err(Misuse::Count(given));
        }
    }
    let path = if W::ON { path(&warp.calls(group.frame)) } else { 0 };
    let mut touched = Vec::with_capacity(1);
    for (nth, (id, given, part)) in parts.into_iter().enumerate() {
        let barrier = &mut barriers[id as usize];
        let ayes = match op.predicate.is_some() {
            true => part & (warp.regs.pred(op.predicate.index) ^ if op.negated { !0 } else { 0 }),
            false => 0,
        };
        let arrival = Arrival {
            warp: warp.index,
            mask: part,
            pc: group.pc,
            frame: group.frame,
            path,
            count: wanted(launch, given),
            aligned: op.aligned,
            reduction: op.reduction,
            ayes,
        };
        if let Some(misuse) = forbids(barrier, &arrival) {
            return Err(misuse);
        }
        if W::ON
            && let Some(other) = barrier.diverges(&arrival)
        {
            watch.diverge(&here, &warp.watch, id, &other, part);
        }
        barrier.arrivals.push(arrival);
        barrier.expected = (given != 0).then_some(given);
        barrier.arrived[which] |= part;
        if W::ON {
            if op.predicate.is_some() {
                watch.decide(&here, &mut warp.watch, &warp.regs, op.predicate, part, Decision::BarrierVote);
            }
            watch.arrive(&here, id as usize, block_watch, &mut warp.watch, part);
        }
        let moved = match op.waits {
            true => Group { mask: part, wait: Wait::Barrier(id as u8), ..group },
            false => Group { mask: part, pc: group.pc + 1, ..group },
        };
        if nth == 0 {
            warp.groups[at] = moved;
        } else {
            warp.groups.push(moved);
        }
        touched.push(id as usize);
    }
    for id in touched {
        settle(watch, block, id);
    }
    Ok(())
}

/// Releases a barrier's threads if the last one has come.
pub(super) fn settle<W: Watch>(watch: &mut W, block: &mut Block<W>, id: usize) {
    if !block.is_complete(id) {
        return;
    }
    let done: Vec<bool> = (0..block.warps.len()).map(|warp| block.has_arrived(id, warp)).collect();
    let Block { launch, warps, watch: block_watch, barriers, linear, .. } = block;
    let barrier = &mut barriers[id];
    if W::ON {
        watch.complete(launch, *linear, id, block_watch);
    }
    let taking_part = barrier.arrivals.iter().filter(|arrival| done[arrival.warp as usize]);
    let (votes, voters) = taking_part.fold((0, 0), |(votes, voters), arrival| {
        (votes + arrival.ayes.count_ones(), voters + arrival.mask.count_ones())
    });
    for (warp, _) in warps.iter_mut().zip(&done).filter(|(_, done)| **done) {
        for at in 0..warp.groups.len() {
            let group = warp.groups[at];
            if group.wait != Wait::Barrier(id as u8) {
                continue;
            }
            warp.enter_window(group.frame);
            if let Op::Barrier(op) = &launch.code.instrs[group.pc as usize].op {
                let result = match op.reduction {
                    Some(Reduction::Popc) => votes,
                    Some(Reduction::And) => u32::from(votes == voters),
                    Some(Reduction::Or) => u32::from(votes != 0),
                    None => 0,
                };
                let dst: Reg = op.dst;
                lanes(group.mask).for_each(|lane| warp.regs.set(dst, lane, u64::from(result)));
                if W::ON {
                    watch.define(&mut warp.watch, &warp.regs, dst, group.mask);
                }
            }
            if W::ON {
                watch.release(id, block_watch, &mut warp.watch, warp.index, group.mask);
            }
            warp.groups[at].wait = Wait::Ready;
            warp.groups[at].pc += 1;
        }
    }
    barrier.renew(&done);
}

/// Threads have ended: barriers wait for them no longer.
pub(super) fn settle_all<W: Watch>(watch: &mut W, block: &mut Block<W>) {
    for id in 0..block.barriers.len().min(BARRIERS) {
        if !block.barriers[id].arrivals.is_empty() {
            settle(watch, block, id);
        }
    }
}
