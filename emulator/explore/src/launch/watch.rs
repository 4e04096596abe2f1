//! The watcher of an explored launch. Unlike a checker it changes memory: it stands in for what other threads wrote.

use super::liveness::Liveness;
use super::run::{Found, Run, put};
use crate::event::{Access, AccessKind, Action, AtomicUpdate, BarrierPart, Location};
use crate::program::Feature;
use finding::{Finding, Slug};
use machine::code::Instr;
use machine::exec::Op;
use machine::exec::atomic::{Atomic, Operation, apply};
use machine::exec::barrier::Fence;
use machine::exec::memory::{Load, StoreOp};
use machine::exec::warp::{Collective, CollectiveKind};
use machine::memory::space::Space;
use machine::registers::{Mask, Reg, Registers, lanes};
use machine::run::arrivals::Arrival;
use machine::run::launch::Launch;
use machine::watch::{At, Events, GridEvents, Keeps, Oracle, Touch, ValueEvents};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// Marks the meetings of a block's barriers apart from those of warps.
const OF_BLOCK: u64 = 1 << 63;

/// Instructions of a turn at most.
const LONG: u64 = 1 << 16;

pub struct Explorer {
    pub run: Arc<Mutex<Run>>,
    pub liveness: Arc<OnceLock<Liveness>>,
}

/// The number of a thread of a warp in the launch.
fn thread(at: &At, lane: usize) -> usize {
    at.block as usize * at.launch.threads_per_block() as usize + 32 * at.warp as usize + lane
}

/// One thread's access: its number, its lane and the memory.
struct Lane<'t> {
    thread: usize,
    lane: usize,
    touch: &'t Touch<'t>,
}

impl Lane<'_> {
    fn location(&self, element: usize) -> Location {
        let Touch { space, addresses, bytes, at, .. } = self.touch;
        let block = (*space == Space::Shared).then_some(at.block);
        Location { block, address: addresses[self.lane] + u64::from(*bytes) * element as u64, bytes: *bytes }
    }
}

fn each_lane<'t>(touch: &'t Touch) -> impl Iterator<Item = Lane<'t>> {
    lanes(touch.mask).map(move |lane| Lane { thread: thread(&touch.at, lane), lane, touch })
}

impl Explorer {
    fn lock(&self) -> MutexGuard<'_, Run> {
        self.run.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The values of the registers of a lane that are live before an instruction.
    fn live(&self, pc: u32, regs: &Registers, lane: usize) -> Vec<u64> {
        match self.liveness.get().and_then(|liveness| liveness.before(pc)) {
            Some(live) => live.iter().map(|&reg| regs.get(reg, lane)).collect(),
            None => vec![regs.fingerprints()[lane]],
        }
    }
}

/// The feature for which an instruction is not explored.
fn refused(op: &Op) -> Option<Feature> {
    match op {
        Op::Async(_) | Op::Bulk(_) => Some(Feature::AsynchronousCopy),
        Op::Mbarrier(_) => Some(Feature::BarrierObject),
        Op::Image(_) => Some(Feature::Image),
        Op::ClusterArrive(_) => Some(Feature::ClusterBarrier),
        Op::Warp(op) if matches!(op.kind, CollectiveKind::Warpgroup(_)) => Some(Feature::Warpgroup),
        _ => None,
    }
}

fn low_bytes(bytes: u32) -> u64 {
    u64::MAX >> (64 - 8 * bytes.min(8))
}

impl Keeps for Explorer {
    const ON: bool = true;
    const GOES_ON: bool = true;
    type Warp = ();
    type Block = ();
}

impl Events for Explorer {
    fn turn(&mut self, at: &At, mask: Mask) {
        let instr = &at.launch.code.instrs[at.pc as usize];
        let thread = thread(at, mask.trailing_zeros() as usize);
        let mut run = self.lock();
        let state = &mut run.threads[thread];
        state.is_halted |= state.taint.stops(instr);
        run.slice = match (state.is_halted, state.taint.is_empty()) {
            (true, _) => 0,
            // A turn ends at the next read at the latest.
            (false, true) => LONG,
            (false, false) => 1,
        };
    }

    fn executed(&mut self, at: &At, _: &Registers, instr: &Instr, mask: Mask, exec: Mask) {
        let mut run = self.lock();
        lanes(mask).for_each(|lane| run.threads[thread(at, lane)].ran += 1);
        if let Some(feature) = refused(&instr.op) {
            run.refuse(feature, at.pc);
        }
        lanes(exec).for_each(|lane| run.threads[thread(at, lane)].taint.follow(instr));
    }

    fn load(&mut self, touch: &Touch, load: &Load, (): &mut (), (): &mut (), regs: &Registers) {
        let Some(region) = touch.region.filter(|region| !region.is_constant()) else { return };
        let mut run = self.lock();
        for lane in each_lane(touch) {
            let live = self.live(touch.at.pc, regs, lane.lane);
            run.threads[lane.thread].looks((touch.at.pc, touch.at.frame), live);
            for (element, &reg) in load.dst[..load.elements as usize].iter().enumerate() {
                let location = lane.location(element);
                if !run.touch(location, region, lane.thread, false, touch.at.pc) {
                    continue;
                }
                match run.read(lane.thread, location, (load.semantics, touch.at.pc), |_| AccessKind::Load) {
                    Found::Known(value) => put(region, location, value),
                    Found::Unknown => run.threads[lane.thread].taint.add(reg),
                }
            }
        }
    }

    fn store(&mut self, touch: &Touch, store: &StoreOp, (): &mut (), (): &mut (), regs: &Registers) {
        let mut run = self.lock();
        for lane in each_lane(touch) {
            run.threads[lane.thread].has_acted();
            for (element, &reg) in store.src[..store.elements as usize].iter().enumerate() {
                let location = lane.location(element);
                let is_known = !run.threads[lane.thread].taint.has(reg);
                let is_event =
                    touch.region.is_some_and(|region| run.touch(location, region, lane.thread, true, touch.at.pc));
                if is_event {
                    let value = is_known.then(|| regs.get(reg, lane.lane) & low_bytes(touch.bytes));
                    let kind = AccessKind::Store(value);
                    let access = Access { location, kind, semantics: store.semantics };
                    run.threads[lane.thread].add(touch.at.pc, Action::Access(access));
                } else if !is_known {
                    // Private memory does not keep that its value is not known.
                    run.threads[lane.thread].is_halted = true;
                }
            }
        }
    }

    fn atomic(&mut self, touch: &Touch, atomic: &Atomic, (): &mut (), (): &mut (), regs: &Registers) {
        let Some(region) = touch.region else { return };
        let mut run = self.lock();
        for lane in each_lane(touch) {
            let live = self.live(touch.at.pc, regs, lane.lane);
            run.threads[lane.thread].looks((touch.at.pc, touch.at.frame), live);
            for element in 0..atomic.elements as usize {
                let location = lane.location(element);
                if !run.touch(location, region, lane.thread, true, touch.at.pc) {
                    let found = region.load_sized(location.address, location.bytes.min(8));
                    let new = written(touch, atomic, regs, (lane.lane, element), found);
                    // Nothing else changes memory in a rehearsal until the thread waits.
                    if !run.is_rehearsal() || new.is_some_and(|new| new != found) {
                        run.threads[lane.thread].has_acted();
                    }
                    continue;
                }
                let update = |found: Option<u64>| {
                    let writes = found.and_then(|found| written(touch, atomic, regs, (lane.lane, element), found));
                    AccessKind::Update(AtomicUpdate { writes, returns: atomic.looked_at })
                };
                match run.read(lane.thread, location, (atomic.semantics, touch.at.pc), update) {
                    Found::Known(value) => put(region, location, value),
                    Found::Unknown => run.threads[lane.thread].taint.add(atomic.dst[element]),
                }
                if run.threads[lane.thread].events.last().is_some_and(Action::writes) {
                    run.threads[lane.thread].has_acted();
                }
            }
        }
    }

    fn misplaced(&mut self, _: &At, _: Slug, (): &mut (), tell: &dyn Fn() -> Finding) {
        self.lock().findings.push(tell());
    }

    fn diverge(&mut self, _: &At, (): &(), _: u32, _: &Arrival, _: Mask) {
        self.lock().has_diverged = true;
    }

    fn fence(&mut self, at: &At, fence: &Fence, (): &mut (), (): &mut (), mask: Mask) {
        let mut run = self.lock();
        lanes(mask).for_each(|lane| run.threads[thread(at, lane)].add(at.pc, Action::Fence(fence.semantics)));
    }

    fn meet(&mut self, at: &At, op: &Collective, (): &mut (), (): &mut (), met: Mask) {
        let mut run = self.lock();
        let first = thread(at, met.trailing_zeros() as usize);
        let meeting = (first as u64) << 32 | run.threads[first].events.len() as u64;
        for lane in lanes(met) {
            let thread = &mut run.threads[thread(at, lane)];
            thread.has_acted();
            if op.kind == CollectiveKind::Barrier {
                thread.add(at.pc, Action::Meet(BarrierPart { meeting, arrives: true, waits: true }));
            }
        }
    }

    fn arrive(&mut self, at: &At, id: usize, (): &mut (), (): &mut (), mask: Mask) {
        let Op::Barrier(barrier) = &at.launch.code.instrs[at.pc as usize].op else { return };
        let mut run = self.lock();
        let meeting = OF_BLOCK | at.block << 40 | (id as u64) << 32 | run.phase(at.block, id);
        for lane in lanes(mask) {
            let thread = &mut run.threads[thread(at, lane)];
            thread.has_acted();
            thread.add(at.pc, Action::Meet(BarrierPart { meeting, arrives: true, waits: barrier.waits }));
        }
    }

    fn complete(&mut self, _: &Launch, linear: u64, id: usize, (): &mut ()) {
        self.lock().completes(linear, id);
    }

    fn exit(&mut self, at: &At, (): &mut (), (): &mut (), mask: Mask) {
        let mut run = self.lock();
        lanes(mask).for_each(|lane| run.threads[thread(at, lane)].has_ended = true);
    }
}

/// Returns the value that an atomic operation writes if it finds `found`. `None` if it compares and does not swap.
fn written(
    touch: &Touch,
    atomic: &Atomic,
    regs: &Registers,
    (lane, element): (usize, usize),
    found: u64,
) -> Option<u64> {
    let kept = low_bytes(touch.bytes);
    let operand = |reg: Reg| regs.get(reg, lane);
    let (b, swap) = (operand(atomic.src[element]), operand(atomic.swap));
    let fails = atomic.operation == Operation::CompareExchange && found != b & kept;
    let new = || apply(atomic.operation, atomic.ty, touch.space == Space::Global, found, b, swap) & kept;
    (!fails).then(new)
}

impl ValueEvents for Explorer {}

impl GridEvents for Explorer {
    fn launches(&mut self, at: &At, (): &mut (), _: usize, _: &Launch) {
        self.lock().refuse(Feature::DeviceRuntime, at.pc);
    }
}

impl Oracle for Explorer {}
