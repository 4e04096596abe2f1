//! Meetings of lanes: the `.sync` instructions of a warp.
//!
//! Each waits for every lane its member mask names that has not exited (PTX ISA,
//! "shfl.sync", "vote.sync", "match.sync", "redux.sync", "bar.warp.sync", "elect.sync").
//! The lanes may stand at different addresses as long as the instruction, its qualifiers
//! and the mask are the same.

use super::block::Block;
use super::warp::{Group, Wait};
use crate::exec::Op;
use crate::exec::warp::{ABSENT, Collective, CollectiveInputs, CollectiveKind, Outputs};
use crate::exec::wgmma::WarpgroupKind;
use crate::registers::{Mask, Registers, WARP, Width, lanes, partition};
use crate::watch::{At, CollectiveGroup, Watch};
use finding::Decision;

/// Elements of matrices that are multiplied in the time of a thread's instruction.
const PRODUCTS_PER_FUEL: u64 = 32;

fn inputs_of(regs: &Registers, op: &Collective, mask: Mask, into: &mut CollectiveInputs) {
    for lane in lanes(mask) {
        let value = regs.get(op.a, lane);
        into.a[lane] = if op.negated { value ^ 1 } else { value };
        into.b[lane] = regs.get(op.b, lane) as u32;
        into.c[lane] = regs.get(op.c, lane) as u32;
    }
}

fn write_outputs(regs: &mut Registers, op: &Collective, mask: Mask, out: &Outputs) {
    let write_first = match op.kind {
        CollectiveKind::Barrier => false,
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

/// Group `at` of warp `which` has come to a `.sync` instruction; or those of its lanes that are not in their own mask.
pub(super) fn arrive<W: Watch>(watch: &mut W, block: &mut Block<W>, which: usize, at: usize) -> Result<(), Group> {
    let launch = &block.launch;
    let warp = &mut block.warps[which];
    let group = warp.groups[at];
    warp.enter_window(group.frame);
    let Op::Warp(op) = &launch.code.instrs[group.pc as usize].op else { unreachable!("stopped at one") };
    if W::ON {
        let here = At { launch, block: block.linear, warp: warp.index, pc: group.pc, frame: group.frame };
        watch.decide(&here, &mut warp.watch, &warp.regs, op.members, group.mask, Decision::MemberMask);
    }
    let mut first = true;
    let regs = &warp.regs;
    let mut parts: Vec<(u32, Mask)> = Vec::with_capacity(1);
    partition(|lane| regs.get(op.members, lane) as u32, group.mask, |members, part| parts.push((members, part)));
    if let Some(&(members, part)) = parts.iter().find(|(members, part)| part & !members != 0) {
        let wait = Wait::Members(op.kind, members);
        return Err(Group { mask: part & !members, wait, ..group });
    }
    for (members, part) in parts {
        let waiting = Group { mask: part, wait: Wait::Members(op.kind, members), ..group };
        if std::mem::take(&mut first) {
            warp.groups[at] = waiting;
        } else {
            warp.groups.push(waiting);
        }
    }
    settle(watch, block, which);
    Ok(())
}

/// Runs every `.sync` of the warp whose lanes have all come.
pub(super) fn settle<W: Watch>(watch: &mut W, block: &mut Block<W>, which: usize) {
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
        let wait = Wait::Members(kind, members);
        if let CollectiveKind::Warpgroup(kind) = kind {
            meet_of_warpgroup(watch, block, which, wait, kind, met);
        } else if let CollectiveKind::MapCopy(copy) = kind {
            super::tensor_maps::meet(watch, block, which, wait, &copy, met);
        } else {
            meet(watch, block, which, wait, kind, met);
        }
    }
}

fn meet_of_warpgroup<W: Watch>(
    watch: &mut W,
    block: &mut Block<W>,
    which: usize,
    wait: Wait,
    kind: WarpgroupKind,
    met: Mask,
) {
    let Block { launch, warps, watch: block_watch, linear, .. } = &mut *block;
    let warp = &mut warps[which];
    let here: Vec<usize> = (0..warp.groups.len()).filter(|&at| warp.groups[at].wait == wait).collect();
    let Group { pc, frame, .. } = warp.groups[here[0]];
    if let (true, Op::Warp(op)) = (W::ON, &launch.code.instrs[pc as usize].op) {
        let place = At { launch, block: *linear, warp: warp.index, pc, frame };
        watch.meet(&place, op, block_watch, &mut warp.watch, met);
    }
    super::wgmma::meet(watch, block, which, &here, kind, met);
}

fn meet<W: Watch>(watch: &mut W, block: &mut Block<W>, which: usize, wait: Wait, kind: CollectiveKind, met: Mask) {
    let Block { launch, warps, watch: block_watch, linear, .. } = block;
    let warp = &mut warps[which];
    let instrs = &launch.code.instrs;
    let op_at = |pc: u32| match &instrs[pc as usize].op {
        Op::Warp(op) => op,
        _ => unreachable!("a waiting group stands on a collective"),
    };
    let here: Vec<usize> = (0..warp.groups.len()).filter(|&at| warp.groups[at].wait == wait).collect();
    if let CollectiveKind::Mma(mma) = &kind {
        if W::ON {
            let group = warp.groups[here[0]];
            let place = At { launch, block: *linear, warp: warp.index, pc: group.pc, frame: group.frame };
            watch.meet(&place, op_at(group.pc), block_watch, &mut warp.watch, met);
        }
        launch.tree.burn(mma.products() / PRODUCTS_PER_FUEL);
        return super::matrix::multiply(watch, warp, &here, op_at, mma);
    }
    let mut inputs = CollectiveInputs { lanes: met, a: [ABSENT; WARP], b: [0; WARP], c: [0; WARP] };
    for &at in &here {
        let group = warp.groups[at];
        warp.enter_window(group.frame);
        inputs_of(&warp.regs, op_at(group.pc), group.mask, &mut inputs);
    }
    let out = kind.compute(&inputs);
    if W::ON {
        let group = warp.groups[here[0]];
        let place = At { launch, block: *linear, warp: warp.index, pc: group.pc, frame: group.frame };
        watch.meet(&place, op_at(group.pc), block_watch, &mut warp.watch, met);
        for &at in &here {
            let group = warp.groups[at];
            warp.enter_window(group.frame);
            watch.gather(&mut warp.watch, &warp.regs, op_at(group.pc), group.mask);
        }
    }
    for &at in &here {
        let group = warp.groups[at];
        let op = op_at(group.pc);
        warp.enter_window(group.frame);
        if W::ON {
            let at = At { launch, block: *linear, warp: warp.index, pc: group.pc, frame: group.frame };
            let meeting = CollectiveGroup { at, op, group: group.mask, met, out: &out };
            watch.collective(&meeting, &mut warp.watch, &warp.regs);
        }
        write_outputs(&mut warp.regs, op, group.mask, &out);
        warp.groups[at].pc += 1;
        warp.groups[at].wait = Wait::Ready;
    }
}
