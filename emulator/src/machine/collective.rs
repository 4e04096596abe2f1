//! Meetings: lanes of a warp at `.sync` instructions, threads of a block at barriers.
//!
//! A `.sync` instruction waits for every lane its member mask names that has not exited
//! (PTX ISA, "shfl.sync"); the lanes may stand at different addresses as long as the
//! instruction, its qualifiers and the mask are the same. A barrier waits for the threads
//! it counts; threads that have exited are not waited for.

use super::block::Block;
use super::grid::Worker;
use super::warp::{Group, Wait};
use crate::exec::Op;
use crate::exec::barrier::Reduction;
use crate::exec::warp::{Collective, Inputs, Kind, Outputs};
use crate::registers::{Mask, Reg, Registers, WARP, Width, lanes};
use crate::watch::{At, Watch};

/// Calls `part` with the lanes of `mask` that hold the same value, for each value.
fn partition(values: impl Fn(usize) -> u32, mask: Mask, mut part: impl FnMut(u32, Mask)) {
    let mut rest = mask;
    while rest != 0 {
        let value = values(rest.trailing_zeros() as usize);
        let same: Mask = lanes(rest).map(|lane| u32::from(values(lane) == value) << lane).sum();
        part(value, same);
        rest &= !same;
    }
}

fn inputs_of(regs: &Registers, op: &Collective, mask: Mask, into: &mut Inputs) {
    for lane in lanes(mask) {
        let value = regs.get(op.a, lane);
        into.a[lane] = if op.negated { value ^ 1 } else { value };
        into.b[lane] = regs.get(op.b, lane) as u32;
        into.c[lane] = regs.get(op.c, lane) as u32;
    }
}

fn write_outputs(regs: &mut Registers, op: &Collective, mask: Mask, out: &Outputs) {
    let write_first = match op.kind {
        Kind::Barrier => false,
        // elect.sync writes its first result in all lanes, like the others.
        _ => op.d.is_some(),
    };
    if write_first {
        match op.d.width {
            Width::Pred => {
                let bits: Mask = lanes(mask).map(|lane| (out.d[lane] & 1) << lane).sum();
                regs.set_pred(op.d.index, bits, mask);
            }
            _ => lanes(mask).for_each(|lane| regs.set(op.d, lane, u64::from(out.d[lane]))),
        }
    }
    if op.p.is_some() {
        regs.set_pred(op.p.index, out.p, mask);
    }
}

impl<W: Watch> Worker<'_, W> {
    /// Group `at` of warp `which` has come to a `.sync` instruction.
    pub fn arrive_at_collective(&mut self, block: &mut Block<W>, which: usize, at: usize) {
        let warp = &mut block.warps[which];
        let group = warp.groups[at];
        warp.enter_window(group.frame);
        let Op::Warp(op) = &self.launch.code.instrs[group.pc as usize].op else { unreachable!("stopped at one") };
        if W::ON {
            let here =
                At { launch: self.launch, block: block.linear, warp: warp.index, pc: group.pc, frame: group.frame };
            self.watch.decide(&here, &mut warp.watch, &warp.regs, op.members, group.mask, "a member mask");
        }
        let mut first = true;
        let regs = &warp.regs;
        let mut parts: Vec<(u32, Mask)> = Vec::with_capacity(1);
        partition(|lane| regs.get(op.members, lane) as u32, group.mask, |members, part| parts.push((members, part)));
        for (members, part) in parts {
            let waiting = Group { mask: part, wait: Wait::Members(op.kind, members), ..group };
            if std::mem::take(&mut first) {
                warp.groups[at] = waiting;
            } else {
                warp.groups.push(waiting);
            }
        }
        self.settle_collectives(block, which);
    }

    /// Runs every `.sync` of the warp whose lanes have all come.
    pub fn settle_collectives(&mut self, block: &mut Block<W>, which: usize) {
        loop {
            let warp = &block.warps[which];
            let live = warp.live();
            let ready = warp.groups.iter().find_map(|group| {
                let Wait::Members(kind, members) = group.wait else { return None };
                let met = warp.groups.iter().filter(|other| other.wait == group.wait);
                let met = met.fold(0, |met, other| met | other.mask);
                (members & live & !met == 0).then_some((kind, members, met))
            });
            let Some((kind, members, met)) = ready else { return };
            self.run_collective(block, which, Wait::Members(kind, members), kind, met);
        }
    }

    fn run_collective(&mut self, block: &mut Block<W>, which: usize, wait: Wait, kind: Kind, met: Mask) {
        let Block { warps, watch: block_watch, linear, .. } = block;
        let warp = &mut warps[which];
        let instrs = &self.launch.code.instrs;
        let op_at = |pc: u32| match &instrs[pc as usize].op {
            Op::Warp(op) => op,
            _ => unreachable!("a waiting group stands on a collective"),
        };
        let here: Vec<usize> = (0..warp.groups.len()).filter(|&at| warp.groups[at].wait == wait).collect();
        let mut inputs = Inputs { lanes: met, a: [0; WARP], b: [0; WARP], c: [0; WARP] };
        for &at in &here {
            let group = warp.groups[at];
            warp.enter_window(group.frame);
            inputs_of(&warp.regs, op_at(group.pc), group.mask, &mut inputs);
        }
        let out = kind.compute(&inputs);
        if W::ON {
            let group = warp.groups[here[0]];
            let place = At { launch: self.launch, block: *linear, warp: warp.index, pc: group.pc, frame: group.frame };
            self.watch.meet(&place, op_at(group.pc), block_watch, &mut warp.watch, met);
            for &at in &here {
                let group = warp.groups[at];
                warp.enter_window(group.frame);
                self.watch.gather(&mut warp.watch, &warp.regs, op_at(group.pc), group.mask);
            }
        }
        for &at in &here {
            let group = warp.groups[at];
            let op = op_at(group.pc);
            warp.enter_window(group.frame);
            if W::ON {
                let place =
                    At { launch: self.launch, block: *linear, warp: warp.index, pc: group.pc, frame: group.frame };
                self.watch.collective(&place, &mut warp.watch, &warp.regs, op, group.mask, met, &out);
            }
            write_outputs(&mut warp.regs, op, group.mask, &out);
            warp.groups[at].pc += 1;
            warp.groups[at].wait = Wait::Ready;
        }
    }

    /// Group `at` of warp `which` has come to a block barrier. `Err`: no such barrier.
    pub fn arrive_at_barrier(&mut self, block: &mut Block<W>, which: usize, at: usize) -> Result<(), u32> {
        let Block { warps, watch: block_watch, linear, barriers, .. } = block;
        let warp = &mut warps[which];
        let group = warp.groups[at];
        warp.enter_window(group.frame);
        let Op::Barrier(op) = &self.launch.code.instrs[group.pc as usize].op else { unreachable!("stopped at one") };
        let here = At { launch: self.launch, block: *linear, warp: warp.index, pc: group.pc, frame: group.frame };
        let regs = &warp.regs;
        if W::ON {
            for (reg, what) in [(op.id, "a barrier's number"), (op.threads, "a barrier's count")] {
                self.watch.decide(&here, &mut warp.watch, regs, reg, group.mask, what);
            }
        }
        // The ISA gives a thread one barrier at a time; lanes with another number wait their turn apart.
        let mut parts: Vec<(u32, Mask)> = Vec::with_capacity(1);
        partition(|lane| regs.get(op.id, lane) as u32, group.mask, |id, part| parts.push((id, part)));
        if let Some(&(id, _)) = parts.iter().find(|(id, _)| *id as usize >= barriers.len()) {
            return Err(id);
        }
        let mut touched = Vec::with_capacity(1);
        for (nth, (id, part)) in parts.into_iter().enumerate() {
            let barrier = &mut barriers[id as usize];
            if op.threads.is_some() {
                barrier.expected = Some(warp.regs.get(op.threads, part.trailing_zeros() as usize) as u32);
            }
            barrier.arrived[which] |= part;
            if op.reduction.is_some() {
                let ayes = warp.regs.pred(op.predicate.index) ^ if op.negated { !0 } else { 0 };
                barrier.votes += (ayes & part).count_ones();
                barrier.voters += part.count_ones();
            }
            if W::ON {
                if op.predicate.is_some() {
                    self.watch.decide(&here, &mut warp.watch, &warp.regs, op.predicate, part, "a barrier's vote");
                }
                self.watch.arrive(&here, id as usize, block_watch, &mut warp.watch, part);
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
            self.settle_barrier(block, id);
        }
        Ok(())
    }

    /// Releases a barrier's threads if the last one has come.
    pub fn settle_barrier(&mut self, block: &mut Block<W>, id: usize) {
        if !block.is_complete(id) {
            return;
        }
        let Block { warps, watch: block_watch, barriers, linear, .. } = block;
        let barrier = &mut barriers[id];
        if W::ON {
            self.watch.complete(self.launch, *linear, id, block_watch);
        }
        let (votes, voters) = (barrier.votes, barrier.voters);
        for warp in warps.iter_mut() {
            for at in 0..warp.groups.len() {
                let group = warp.groups[at];
                if group.wait != Wait::Barrier(id as u8) {
                    continue;
                }
                warp.enter_window(group.frame);
                if let Op::Barrier(op) = &self.launch.code.instrs[group.pc as usize].op {
                    let result = match op.reduction {
                        Some(Reduction::Popc) => votes,
                        Some(Reduction::And) => u32::from(votes == voters),
                        Some(Reduction::Or) => u32::from(votes != 0),
                        None => 0,
                    };
                    let dst: Reg = op.dst;
                    lanes(group.mask).for_each(|lane| warp.regs.set(dst, lane, u64::from(result)));
                    if W::ON {
                        self.watch.define(&mut warp.watch, &warp.regs, dst, group.mask);
                    }
                }
                if W::ON {
                    self.watch.release(id, block_watch, &mut warp.watch, group.mask);
                }
                warp.groups[at].wait = Wait::Ready;
                warp.groups[at].pc += 1;
            }
        }
        barrier.reset();
    }

    /// Lanes of warp `which` have ended: they are waited for no longer.
    pub fn settle_exit(&mut self, block: &mut Block<W>, which: usize) {
        self.settle_collectives(block, which);
        for id in 0..block.barriers.len() {
            if block.barriers[id].arrived.iter().any(|&mask| mask != 0) {
                self.settle_barrier(block, id);
            }
        }
    }
}
