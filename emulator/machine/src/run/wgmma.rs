//! The instructions of a warpgroup (PTX ISA, "Asynchronous Warpgroup Level Matrix Instructions", "setmaxnreg").
//!
//! A warpgroup is four warps of a block, the first of which has a number that is a multiple of 4. Each of its warps
//! waits for its own lanes only, as for any `.sync` instruction, and does its part: 16 rows of `d`. All of them must
//! execute the same instructions in the same order, with the same descriptors. That is compared as they come, and what
//! differs ends the launch.
//!
//! A product reads its operands and writes `d` at one moment between its start and the wait for its group. Which
//! moment that is is the schedule's choice, as for copies. Products of one warp are made in order, since those of one
//! shape may share `d`. In a function that was called, a product is made at once: its registers are those of a frame.
//! So it is in code for a debugger.

use super::access::InvalidAccess;
use super::block::Block;
use super::ending::{LaunchEnding, of_block};
use super::misplaced::Misplaced;
use super::products::{Executed, FailureReason, Product, WARPS, Warpgroup, WarpgroupFailure};
use super::sites::threads_at;
use super::warp::{Group, Wait, Warp};
use crate::exec::warp::{Collective, CollectiveKind};
use crate::exec::wgmma::{MatrixOperand, PIECE, WarpgroupKind, Wgmma};
use crate::exec::{Alu, IS_WHOLE, Op};
use crate::lanes::{Args, ternary};
use crate::memory::Region;
use crate::memory::space::Space;
use crate::registers::{FULL, Mask, Reg, Registers, WARP, lanes};
use crate::types::Fault;
use crate::watch::{At, StartedProduct, Watch};
use finding::{AccessKind, Action, Cause, Slug, WarpgroupMisuse};

/// Elements of matrices that are multiplied in the time of a thread's instruction.
const PRODUCTS_PER_FUEL: u64 = 64;
/// All live lanes of warp `which` have come to an instruction of its warpgroup; `here` are their groups.
pub(super) fn meet<W: Watch>(
    watch: &mut W,
    block: &mut Block<W>,
    which: usize,
    here: &[usize],
    kind: WarpgroupKind,
    met: Mask,
) {
    if !IS_WHOLE {
        return;
    }
    let group = Group { mask: met, ..block.warps[which].groups[here[0]] };
    let result = match agree(block, which, here, met) {
        Ok(descriptors) => run(watch, block, which, group, kind, descriptors),
        Err((misuse, other)) => Err(FailureReason::Misuse(misuse, other)),
    };
    if let Err(reason) = result {
        fail(block, which, &group, reason);
    }
    for &at in here {
        block.warps[which].groups[at].pc += 1;
        block.warps[which].groups[at].wait = Wait::Ready;
    }
}

/// Lanes of a warp have ended: what it has under way comes to its end, and its warpgroup goes without it.
pub(super) fn end<W: Watch>(block: &mut Block<W>, which: usize) {
    if !IS_WHOLE {
        return;
    }
    while !block.warps[which].products.is_idle() {
        make_next(block, which, u32::MAX);
    }
    let Some(warpgroup) = block.warpgroups.all.get(which / WARPS) else { return };
    let executed = warpgroup.counts[which % WARPS] - warpgroup.by_all;
    let Some(next) = warpgroup.executed.get(executed as usize) else { return };
    let group = Group { pc: next.pc, mask: FULL, frame: next.frame, wait: Wait::Ready };
    let which_came = next.warp as usize;
    fail(block, which_came, &group, FailureReason::Misuse(WarpgroupMisuse::WarpEnded { warp: which as u32 }, None));
}

fn fail<W: Watch>(block: &mut Block<W>, which: usize, group: &Group, reason: FailureReason) {
    let (pc, frame, mask) = (group.pc, group.frame, group.mask);
    block.warpgroups.failure.get_or_insert(WarpgroupFailure { warp: which, pc, frame, mask, reason });
}

/// Returns the end of the launch, if a warpgroup was misused.
pub(super) fn failure<W: Watch>(block: &mut Block<W>) -> Result<(), LaunchEnding> {
    if !IS_WHOLE {
        return Ok(());
    }
    let Some(WarpgroupFailure { warp, pc, frame, mask, reason }) = block.warpgroups.failure.take() else {
        return Ok(());
    };
    let group = Group { pc, frame, mask, wait: Wait::Ready };
    Err(match reason {
        FailureReason::Misuse(misuse, other) => misused(block, warp, &group, misuse, other),
        FailureReason::OutsideMap(invalid) => {
            let (at, warp) = here(block, warp, &group);
            Misplaced::new(&at, &invalid).ending(warp)
        }
        FailureReason::Outside(address) => {
            let (at, warp) = here(block, warp, &group);
            let (space, kind) = (Space::Shared, AccessKind::MatrixOperand);
            let (bytes, remaining, image) = (PIECE, FULL, None);
            let invalid = InvalidAccess { lane: 0, space, address, bytes, misaligned: false, kind, remaining, image };
            Misplaced::new(&at, &invalid).ending(warp)
        }
    })
}

/// Makes the oldest product of a warp, up to number `last`; true if there was one.
pub(super) fn make_next<W: Watch>(block: &mut Block<W>, which: usize, last: u32) -> bool {
    if !IS_WHOLE {
        return false;
    }
    let Block { launch, warps, shared, .. } = block;
    let warp = &mut warps[which];
    let Some(product) = warp.products.take(last) else { return false };
    if let Some((op, form)) = multiplication(&launch.code.instrs[product.pc as usize].op) {
        make(warp, shared, op, form, &product);
    }
    true
}

fn multiplication(op: &Op) -> Option<(&Collective, &Wgmma)> {
    match op {
        Op::Warp(op) => match &op.kind {
            CollectiveKind::Warpgroup(WarpgroupKind::Multiply(form)) => Some((op, form)),
            _ => None,
        },
        _ => None,
    }
}

/// Returns the descriptors of an instruction, if all lanes and warps agree about it.
fn agree<W: Watch>(
    block: &mut Block<W>,
    which: usize,
    here: &[usize],
    met: Mask,
) -> Result<[u64; 2], (WarpgroupMisuse, Option<Executed>)> {
    let Block { launch, warps, warpgroups, .. } = block;
    let threads = launch.threads_per_block();
    let (number, nth) = (which / WARPS, which % WARPS);
    let threads = (threads - (32 * WARPS * number) as u32).min((32 * WARPS) as u32);
    if threads as usize != 32 * WARPS {
        return Err((WarpgroupMisuse::Incomplete { threads }, None));
    }
    let warp = &mut warps[which];
    let group = warp.groups[here[0]];
    if met != FULL {
        return Err((WarpgroupMisuse::LanesMissing { lanes: (!met).count_ones() }, None));
    }
    if here.iter().any(|&at| (warp.groups[at].pc, warp.groups[at].frame) != (group.pc, group.frame)) {
        return Err((WarpgroupMisuse::LanesDiffer, None));
    }
    warp.enter_window(group.frame);
    let mut descriptors = [0; 2];
    if let Some((op, _)) = multiplication(&launch.code.instrs[group.pc as usize].op) {
        for (reg, descriptor) in [op.a, op.b].into_iter().zip(&mut descriptors).filter(|(reg, _)| reg.is_some()) {
            *descriptor = warp.regs.get(reg, 0);
            if lanes(met).any(|lane| warp.regs.get(reg, lane) != *descriptor) {
                return Err((WarpgroupMisuse::DescriptorsDiffer { warps: false }, None));
            }
        }
        let adds = lanes(met).fold(0, |mask, lane| mask | (warp.regs.get(op.c, lane) as Mask & 1) << lane);
        if adds != 0 && adds != met {
            return Err((WarpgroupMisuse::ScalesDiffer, None));
        }
    }
    if warpgroups.all.len() <= number {
        warpgroups.all.resize_with(number + 1, Warpgroup::default);
    }
    let warpgroup = &mut warpgroups.all[number];
    let at = (warpgroup.counts[nth] - warpgroup.by_all) as usize;
    warpgroup.counts[nth] += 1;
    match warpgroup.executed.get(at) {
        None => {
            let (pc, frame) = (group.pc, group.frame);
            warpgroup.executed.push_back(Executed { pc, frame, warp: which as u32, descriptors });
            let first = WARPS * number;
            let ended = (first..first + WARPS).find(|&other| other != which && warps[other].live() == 0);
            if let Some(warp) = ended {
                return Err((WarpgroupMisuse::WarpEnded { warp: warp as u32 }, None));
            }
        }
        Some(first) if first.pc != group.pc => {
            return Err((WarpgroupMisuse::WarpsDiffer, Some(*first)));
        }
        Some(first) if first.descriptors != descriptors => {
            return Err((WarpgroupMisuse::DescriptorsDiffer { warps: true }, Some(*first)));
        }
        Some(_) => {}
    }
    let by_all = warpgroup.counts.into_iter().min().unwrap_or(0);
    let passed = by_all - std::mem::replace(&mut warpgroup.by_all, by_all);
    warpgroup.executed.drain(..passed as usize);
    Ok(descriptors)
}

/// The end of a launch where group `group` of warp `which` misuses its warpgroup; `other` is what another warp did.
fn misused<W: Watch>(
    block: &Block<W>,
    which: usize,
    group: &Group,
    misuse: WarpgroupMisuse,
    other: Option<Executed>,
) -> LaunchEnding {
    let comes = |warp: u32, group: &Group| threads_at(block, warp, group, |_| Action::WarpCame { warp });
    let first = other.map(|it| (it.warp, Group { pc: it.pc, mask: FULL, frame: it.frame, wait: Wait::Ready }));
    let ends = first.iter().map(|(warp, group)| comes(*warp, group)).chain([comes(which as u32, group)]).collect();
    let instruction = match &block.launch.code.instrs[group.pc as usize].op {
        Op::Warp(op) => op.kind.name(),
        _ => "wgmma",
    };
    let cause = Cause::Warpgroup { instruction, misuse };
    LaunchEnding::found(of_block(&block.launch, block.linear, Slug::Wgmma, cause, ends), Fault::IllegalInstruction)
}

fn run<W: Watch>(
    watch: &mut W,
    block: &mut Block<W>,
    which: usize,
    group: Group,
    kind: WarpgroupKind,
    descriptors: [u64; 2],
) -> Result<(), FailureReason> {
    match kind {
        WarpgroupKind::Multiply(form) => start(watch, block, which, group, &form, descriptors),
        WarpgroupKind::Commit => {
            let products = &mut block.warps[which].products;
            products.groups.push_back(products.started);
            if W::ON {
                watch.products_committed(&mut block.warps[which].watch);
            }
            Ok(())
        }
        WarpgroupKind::Wait(left) => {
            let last = block.warps[which].products.passes(left).unwrap_or(0);
            while make_next(block, which, last) {}
            if W::ON && last > 0 {
                let (at, warp) = here(block, which, &group);
                watch.products_waited(&at, last, &mut warp.watch);
            }
            Ok(())
        }
        WarpgroupKind::Fence => {
            if W::ON {
                watch.products_fenced(&mut block.warps[which].watch);
            }
            Ok(())
        }
        WarpgroupKind::SetMaxRegisters { .. } => Ok(()),
    }
}

fn here<'b, W: Watch>(block: &'b mut Block<W>, which: usize, group: &Group) -> (At<'b>, &'b mut Warp<W>) {
    let Block { launch, linear, warps, .. } = block;
    let warp = &mut warps[which];
    (At { launch, block: *linear, warp: warp.index, pc: group.pc, frame: group.frame }, warp)
}

fn start<W: Watch>(
    watch: &mut W,
    block: &mut Block<W>,
    which: usize,
    group: Group,
    form: &Wgmma,
    [a, b]: [u64; 2],
) -> Result<(), FailureReason> {
    let Block { launch, linear, warps, shared, watch: block_watch, .. } = &mut *block;
    launch.tree.burn(form.products() / PRODUCTS_PER_FUEL);
    let warp = &mut warps[which];
    warp.enter_window(group.frame);
    let at = At { launch, block: *linear, warp: warp.index, pc: group.pc, frame: group.frame };
    let Some((op, _)) = multiplication(&launch.code.instrs[group.pc as usize].op) else { return Ok(()) };
    let of_a = form.a_is_shared.then(|| MatrixOperand::of_a(form, a, which % WARPS));
    let of_b = MatrixOperand::of_b(form, b);
    let mut pieces: Vec<u64> = of_a.iter().flat_map(MatrixOperand::pieces).chain(of_b.pieces()).collect();
    if let Some(&address) = pieces.iter().find(|&&address| !shared.contains(address, PIECE)) {
        return Err(FailureReason::Outside(address));
    }
    let adds = warp.regs.get(op.c, 0) & 1 != u64::from(op.negated);
    warp.products.started += 1;
    if W::ON {
        pieces.sort_unstable();
        pieces.dedup();
        let number = warp.products.started;
        let start = StartedProduct { at, op, number, pieces: &pieces, shared };
        watch.product_starts(&start, block_watch, &mut warp.watch, &warp.regs);
        follow(watch, warp, op, form, adds);
    }
    let is_at_once = launch.code.products_are_waited_for || warp.frames[group.frame as usize].depth > 0;
    warp.products.under_way.push_back(Product { pc: group.pc, frame: group.frame, adds, a, b });
    while is_at_once && make_next(block, which, u32::MAX) {}
    Ok(())
}

/// Computes a product and writes `d`.
fn make<W: Watch>(warp: &mut Warp<W>, shared: &Region, op: &Collective, form: &Wgmma, product: &Product) {
    let Some(fragments) = op.fragments.as_deref() else { return };
    warp.enter_window(product.frame);
    let which = warp.index as usize % WARPS;
    let read = |operand: MatrixOperand| operand.read(|address, bytes| shared.read_bytes(address, bytes));
    let a = match form.a_is_shared {
        true => read(MatrixOperand::of_a(form, product.a, which)),
        false => form.unpack(&values(&warp.regs, &fragments.a)),
    };
    let b = read(MatrixOperand::of_b(form, product.b));
    let old = product.adds.then(|| values(&warp.regs, &fragments.d));
    let results = form.compute(&a, &b, old.as_deref());
    for (reg, values) in fragments.d.iter().zip(&results) {
        (0..WARP).for_each(|lane| warp.regs.set(*reg, lane, values[lane]));
    }
}

fn values(regs: &Registers, list: &[Reg]) -> Vec<[u64; WARP]> {
    list.iter().map(|&reg| std::array::from_fn(|lane| regs.get(reg, lane))).collect()
}

/// Tells what of `d` comes to hold undefined bits: those of the old `d`, and of `a` where it is in registers. Undefined
/// bits in shared memory are not followed.
fn follow<W: Watch>(watch: &mut W, warp: &mut Warp<W>, op: &Collective, form: &Wgmma, adds: bool) {
    let Some(fragments) = op.fragments.as_deref() else { return };
    for (nth, &d) in fragments.d.iter().enumerate() {
        // Registers 0 and 2 of `a` have the row of the even pairs of `d`, 1 and 3 that of the odd ones.
        let odd = if form.accumulators() == form.n / 4 { nth % 2 } else { nth / 2 % 2 };
        let of_a = |at: usize| fragments.a.get(at).copied().unwrap_or_default();
        let old = if adds { d } else { Reg::NONE };
        let args = Args { d, a: of_a(odd), b: of_a(odd + 2), c: old, ..Args::default() };
        let alu = Alu { kernel: ternary(|a: u32, _: u32, _: u32| a), args, flow: crate::watch::flow::all };
        watch.alu(&mut warp.watch, &warp.regs, &alu, FULL);
    }
}
