//! Threads that look at a clock and spin, whatever it says.
//!
//! Such a thread never comes back to where it was, since its clock goes on: a wait of libcu++ reads the time and sleeps
//! longer and longer. So what comes of a clock counts as unknown, and a branch by it goes both ways. Where all ways
//! lead round in few states, the thread neither ends nor changes memory, however late it gets. A loop that only waits
//! for time to pass has a way out. All this is thought of and not done: it happens on a copy of the warp, and no
//! watcher hears of it.

use super::Worker;
use super::spin::{HostActivity, by_word, values};
use crate::code::InstrGuard;
use crate::exec::branch::BranchOp;
use crate::exec::mbarrier::{ObjectAction, Phase};
use crate::exec::{Alu, Op};
use crate::registers::{Mask, Reg, Registers, Width, lanes};
use crate::run::accessed::{AccessedWord, accessed};
use crate::run::block::Block;
use crate::run::cluster::Peers;
use crate::run::mbarrier;
use crate::run::stop::GroupStop;
use crate::run::warp::Group;
use crate::schedule;
use crate::types::Policy;
use crate::watch::{Off, Watch};
use std::collections::BTreeMap;

/// Moments that are told apart, at most.
const MOST: usize = 1 << 10;
/// Instructions that are thought of, at most.
const LONGEST: u32 = 1 << 14;

/// The lanes in which a register holds what comes of a clock. It is named by its place in the whole file; one of 128
/// bits is two.
#[derive(Clone, Default, PartialEq, Eq)]
struct Timed(BTreeMap<(u32, u32), (Reg, Mask)>);

impl Timed {
    fn parts(regs: &Registers, reg: Reg) -> impl Iterator<Item = Reg> {
        let (base, width, count) = match reg.width {
            Width::None => (0, Width::None, 0),
            Width::Pred => (regs.pred_base, Width::Pred, 1),
            Width::Quad => (regs.base, Width::Double, 2),
            width => (regs.base, width, 1),
        };
        (0..count).map(move |nth| Reg::new(base as u32 + reg.index + 2 * nth, width))
    }

    fn of(&self, regs: &Registers, all: &[Reg]) -> Mask {
        let parts = all.iter().flat_map(|&reg| Timed::parts(regs, reg));
        parts.fold(0, |timed, part| timed | self.0.get(&key(part)).map_or(0, |(_, some)| *some))
    }

    fn set(&mut self, regs: &Registers, reg: Reg, timed: Mask, mask: Mask) {
        for part in Timed::parts(regs, reg) {
            let (_, place) = self.0.entry(key(part)).or_insert((part, 0));
            *place = *place & !mask | timed & mask;
        }
    }

    fn compute(&mut self, regs: &Registers, alu: &Alu, mask: Mask) {
        let args = &alu.args;
        let timed = self.of(regs, &[args.a, args.b, args.c, args.q]);
        [args.d, args.e].iter().for_each(|&reg| self.set(regs, reg, timed, mask));
    }
}

fn key(reg: Reg) -> (u32, u32) {
    (reg.index, reg.width.slots())
}

/// The state that decides how a group goes on, at a place where it may come again.
#[derive(Clone)]
struct Moment {
    group: Group,
    regs: Registers,
    timed: Timed,
}

impl Moment {
    /// Without what decides nothing.
    fn settle(&mut self) {
        self.timed.0.retain(|_, (_, mask)| *mask != 0);
        (self.regs.base, self.regs.pred_base) = (0, 0);
        for &(reg, mask) in self.timed.0.values() {
            lanes(mask).for_each(|lane| self.regs.set(reg, lane, 0));
        }
    }

    fn is_again(&self, other: &Moment) -> bool {
        self.group == other.group && self.timed == other.timed && self.regs.same_contents(&other.regs)
    }
}

/// A group's last look at memory, with the lanes that look at each word.
type MemoryLook = (Group, Vec<(Mask, AccessedWord)>);

/// A moment that has been reached, and what follows it.
struct ReachedMoment {
    moment: Moment,
    next: Vec<usize>,
    look: Option<MemoryLook>,
}

struct InterleavingSearch<'a> {
    worker: Worker<'a, Off>,
    /// The warp alone.
    block: Block<'a, Off>,
    reached: Vec<ReachedMoment>,
    steps: u32,
    host: HostActivity,
}

/// Returns the words that a group looks at, if it loops whatever its clock reads give, in the form of a loop without
/// clocks. `None` if it may do anything else.
pub(super) fn goes_round<'a, W: Watch>(
    block: &mut Block<'a, W>,
    which: usize,
    at: usize,
    left: &mut u64,
    host: HostActivity,
) -> Option<Vec<(Group, Option<AccessedWord>)>> {
    // A copy that ends later changes memory.
    if block.bulk.count() > 0 || block.warps.iter().any(|warp| warp.copies.count() > 0) {
        return None;
    }
    let worker = Worker::new(&block.launch, None, Off, schedule::make(&Policy::InOrder, 0, 0));
    let (group, regs) = (block.warps[which].groups[at], block.warps[which].regs.clone());
    let alone = block.with_one_warp(which)?;
    let mut search = InterleavingSearch { worker, block: alone, reached: Vec::new(), steps: 0, host };
    search.block.swap_shared(block);
    search.add(Moment { group, regs, timed: Timed::default() });
    let goes_round = search.all_ways();
    *left = left.saturating_sub(search.steps.into());
    search.block.swap_shared(block);
    goes_round.then(|| search.look(group))
}

impl InterleavingSearch<'_> {
    /// True if no way leads to anything else.
    fn all_ways(&mut self) -> bool {
        let mut at = 0;
        while at < self.reached.len() {
            if self.reached.len() > MOST || !self.follow(at) {
                return false;
            }
            at += 1;
        }
        true
    }

    fn add(&mut self, mut moment: Moment) -> usize {
        moment.settle();
        let known = self.reached.iter().position(|one| one.moment.is_again(&moment));
        known.unwrap_or_else(|| {
            self.reached.push(ReachedMoment { moment, next: Vec::new(), look: None });
            self.reached.len() - 1
        })
    }

    /// Goes from a moment to those that may follow it; false if anything else may happen.
    fn follow(&mut self, from: usize) -> bool {
        let mut moment = self.reached[from].moment.clone();
        let mut look = None;
        let ends = loop {
            self.steps += 1;
            if self.steps > LONGEST {
                return false;
            }
            self.block.warps[0].enter_window(moment.group.frame);
            let window = &self.block.warps[0].regs;
            (moment.regs.base, moment.regs.pred_base) = (window.base, window.pred_base);
            let code = self.block.launch.code;
            let instr = &code.instrs[moment.group.pc as usize];
            let mask = moment.group.mask;
            if let InstrGuard::If(pred) | InstrGuard::Unless(pred) = instr.guard {
                let timed = moment.timed.of(&moment.regs, &[Reg::new(pred, Width::Pred)]) & mask;
                let lets = instr.guard.lets(&moment.regs, mask);
                let (run, skip) = (lets | timed, mask & !lets | timed);
                if run != 0 && skip != 0 {
                    let part = |mask, lets: bool| {
                        let mut part = moment.clone();
                        part.group.mask = mask;
                        part.regs.set_pred(
                            pred,
                            if matches!(instr.guard, InstrGuard::If(_)) == lets { !0 } else { 0 },
                            mask,
                        );
                        part
                    };
                    let (mut runs, mut skips) = (part(run, true), part(skip, false));
                    skips.group.pc += 1;
                    if !self.step(&mut runs, &instr.op, &mut look) {
                        return false;
                    }
                    break vec![runs, skips];
                }
                if run == 0 {
                    moment.group.pc += 1;
                    continue;
                }
            }
            if !self.step(&mut moment, &instr.op, &mut look) {
                return false;
            }
            if matches!(instr.op, Op::Branch(_)) {
                break vec![moment];
            }
        };
        let next: Vec<usize> = ends.into_iter().map(|end| self.add(end)).collect();
        let reached = &mut self.reached[from];
        (reached.next, reached.look) = (next, look);
        true
    }

    /// One instruction of all lanes; false if it is one that may end the spinning, or change anything.
    fn step(&mut self, moment: &mut Moment, op: &Op, look: &mut Option<MemoryLook>) -> bool {
        let Moment { group, regs, timed } = moment;
        let mask = group.mask;
        let is_timed = |all: &[Reg]| timed.of(regs, all) & mask != 0;
        let stays = match op {
            Op::Alu(_)
            | Op::Steps(_)
            | Op::Special(_)
            | Op::Fence(_)
            | Op::ProxyFence(_)
            | Op::MapFence(_)
            | Op::Sleep(_)
            | Op::GridDependency(_)
            | Op::Nop => true,
            Op::Branch(BranchOp::To(_)) => true,
            Op::Load(it) => !is_timed(&[it.base]),
            Op::Store(it) => !is_timed(&[&it.src[..], &[it.base]].concat()),
            Op::Atomic(it) => !is_timed(&[&it.src[..], &[it.base, it.swap]].concat()),
            Op::Mbarrier(it) => match it.action {
                ObjectAction::Test(Phase::State(reg) | Phase::Parity(reg)) => !is_timed(&[it.base, reg]),
                _ => false,
            },
            _ => false,
        };
        let words = accessed(&self.block.launch, regs, op, mask);
        if self.host.may_write(&self.block.launch, &words) {
            return false;
        }
        // A thread's own memory is not compared.
        if !stays || matches!(op, Op::Store(_) | Op::Atomic(_)) && words.is_empty() {
            return false;
        }
        let parts = by_word(&self.block.launch, regs, op, mask);
        if matches!(op, Op::Store(_)) && parts.iter().fold(0, |all, (mask, _)| all | mask) != mask {
            return false;
        }
        if !parts.is_empty() && !matches!(op, Op::Store(_)) {
            *look = Some((*group, parts));
        }
        match op {
            Op::Alu(alu) => timed.compute(regs, alu, mask),
            Op::Steps(steps) => steps.iter().for_each(|alu| timed.compute(regs, alu, mask)),
            Op::Special(read) => timed.set(regs, read.d, !0, mask),
            Op::Load(it) => it.dst[..it.elements as usize].iter().for_each(|&reg| timed.set(regs, reg, 0, mask)),
            Op::Atomic(it) => it.dst[..it.elements as usize].iter().for_each(|&reg| timed.set(regs, reg, 0, mask)),
            Op::Mbarrier(it) => timed.set(regs, it.dst, 0, mask),
            _ => {}
        }
        let warp = &mut self.block.warps[0];
        warp.groups = vec![*group];
        std::mem::swap(&mut warp.regs, regs);
        let before = values(&self.block.launch, &self.block.shared, &words);
        let (_, why) = self.worker.run_group(&mut self.block, 0, 0, 1, u32::MAX);
        let went_on = match why {
            GroupStop::Slice | GroupStop::Choose => true,
            GroupStop::Mbarrier => mbarrier::run(&mut Off, &mut self.block, &mut Peers::none(), 0, 0).is_ok(),
            _ => false,
        };
        let is_same = values(&self.block.launch, &self.block.shared, &words) == before;
        if !is_same {
            words.iter().zip(before).for_each(|(word, value)| word.put(&self.block.launch, &self.block.shared, value));
        }
        let warp = &mut self.block.warps[0];
        std::mem::swap(&mut warp.regs, regs);
        *group = warp.groups[0];
        went_on && is_same && warp.groups.len() == 1 && group.mask == mask
    }

    /// The last look at memory in some round.
    fn look(self, group: Group) -> Vec<(Group, Option<AccessedWord>)> {
        let mut at = 0;
        let mut seen = None;
        // After as many steps as there are moments it is in a round; as many again walk once through the round.
        for step in 0..2 * self.reached.len() {
            if step >= self.reached.len() {
                seen = self.reached[at].look.as_ref().or(seen);
            }
            at = self.reached[at].next[0];
        }
        let Some((place, mut parts)) = seen.or(self.reached.iter().rev().find_map(|one| one.look.as_ref())).cloned()
        else {
            return vec![(group, None)];
        };
        let looked = parts.iter().fold(0, |looked, (mask, _)| looked | mask);
        parts[0].0 |= group.mask & !looked;
        parts.into_iter().map(|(mask, word)| (Group { mask, ..place }, Some(word))).collect()
    }
}
