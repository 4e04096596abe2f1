//! The checker and the recorder as one watcher: each event is recorded, then judged, and what was found is noted. What the
//! oracle answers is the checker's alone, so a traced run is the same run.

use crate::bits::{Bits, Lanes};
use crate::event::{Does, Exchange, Released, What};
use crate::found::SoFar;
use crate::recorder::Recorder;
use checker::Checker;
use finding::Decision;
use machine::code::{Function, Instr};
use machine::exec::atomic::Atomic;
use machine::exec::barrier::{BARRIERS, Fence};
use machine::exec::mbarrier::Mbarrier;
use machine::exec::memory::{Load, Ordering, Store};
use machine::exec::warp::{Collective, Kind, Outputs};
use machine::exec::{Alu, Op};
use machine::memory::space::Space;
use machine::registers::{Mask, Reg, Registers, WARP, lanes};
use machine::run::arrivals::Arrival;
use machine::run::copies::UnderWay;
use machine::run::launch::Launch;
use machine::watch::{
    At, Events, Grids, Keeps, LastWrite, Late, Older, Oracle, Room, Signal, Start, Touch, Values, Window,
};

pub(crate) struct Both<'c, 't> {
    pub checker: Checker<'c>,
    pub record: Recorder<'t>,
}

type Warp = <Checker<'static> as Keeps>::Warp;
type Block = <Checker<'static> as Keeps>::Block;

impl Both<'_, '_> {
    /// After something that may have been found.
    fn told(&mut self) {
        let changes = self.checker.changes();
        if self.record.finds.seen != changes {
            let Recorder { tracer, finds, last, .. } = &mut self.record;
            finds.seen = changes;
            let so_far = SoFar { events: &tracer.log.events, sites: &tracer.tables.sites, launches: &tracer.launches };
            finds.note(self.checker.found(), *last, &so_far);
        }
    }
}

impl Keeps for Both<'_, '_> {
    const ON: bool = true;
    type Warp = Warp;
    type Block = Block;
}

impl Events for Both<'_, '_> {
    fn begin_block(&mut self, launch: &Launch, linear: u64, block: &mut Block) {
        self.record.push_of_none(|| What::BlockBegins { in_block: linear });
        self.checker.begin_block(launch, linear, block);
    }

    fn begin_warp(&mut self, warp: &mut Warp, regs: &Registers, kernel: &Function, exists: Mask) {
        self.checker.begin_warp(warp, regs, kernel, exists);
    }

    fn turn(&mut self, at: &At, mask: Mask) {
        self.record.turn(at, mask);
    }

    fn executed(&mut self, at: &At, regs: &Registers, instr: &Instr, mask: Mask, exec: Mask) {
        self.record.executed(at, mask, exec);
        self.checker.executed(at, regs, instr, mask, exec);
    }

    fn called(&mut self, call: &At, warp: &mut Warp, frame: u32) {
        self.record.called(call, frame);
        self.checker.called(call, warp, frame);
    }

    fn load(&mut self, touch: &Touch, load: &Load, block: &mut Block, warp: &mut Warp, regs: &Registers) {
        self.record.load(touch, load);
        self.checker.load(touch, load, block, warp, regs);
        self.told();
    }

    fn store(&mut self, touch: &Touch, store: &Store, block: &mut Block, warp: &mut Warp, regs: &Registers) {
        self.record.store(touch, store, regs);
        self.checker.store(touch, store, block, warp, regs);
        self.told();
    }

    fn atomic(&mut self, touch: &Touch, atomic: &Atomic, block: &mut Block, warp: &mut Warp, regs: &Registers) {
        self.record.atomic(touch, atomic, regs);
        self.checker.atomic(touch, atomic, block, warp, regs);
        self.told();
    }

    fn copy(&mut self, touch: &Touch, copy: &Start, to: bool, block: &mut Block, warp: &mut Warp) {
        self.record.touch(touch, if to { Does::CopyTo } else { Does::CopyFrom });
        self.checker.copy(touch, copy, to, block, warp);
        self.told();
    }

    fn waited(&mut self, warp: &mut Warp, lane: usize, last: u32) {
        self.checker.waited(warp, lane, last);
    }

    fn copied(&mut self, launch: &Launch, linear: u64, copy: &UnderWay, block: &mut Block) {
        self.record.push_of_none(|| What::Copied {
            in_block: linear,
            by_warp: copy.warp,
            by_lane: copy.lane as u8,
            bytes: copy.bytes,
            to: Bits(copy.to),
        });
        self.checker.copied(launch, linear, copy, block);
        self.told();
    }

    fn mbarrier(&mut self, touch: &Touch, op: &Mbarrier, block: &mut Block, warp: &mut Warp) {
        self.record.touch(touch, Does::UseObject);
        self.checker.mbarrier(touch, op, block, warp);
        self.told();
    }

    fn signal(&mut self, address: u64, signal: &Signal, block: &mut Block, warp: &mut Warp) {
        if matches!(signal, Signal::Completes) {
            self.record.push_of_none(|| What::PhaseCompletes { address: Bits(address) });
        }
        self.checker.signal(address, signal, block, warp);
        self.told();
    }

    fn fence(&mut self, at: &At, fence: &Fence, block: &mut Block, warp: &mut Warp, mask: Mask) {
        let ordering = ordering(fence.semantics.ordering);
        self.record.push(at, mask, |_| What::Fence { scope: fence.semantics.scope, ordering });
        self.checker.fence(at, fence, block, warp, mask);
    }

    fn meet(&mut self, at: &At, op: &Collective, block: &mut Block, warp: &mut Warp, met: Mask) {
        self.record.push(at, met, |_| What::Meets { function: op.kind.name(), exchanges: Vec::new() });
        self.checker.meet(at, op, block, warp, met);
        self.told();
    }

    fn branch(&mut self, at: &At, warp: &mut Warp, taken: Mask, on: Mask) {
        self.checker.branch(at, warp, taken, on);
    }

    fn part(&mut self, at: &At, warp: &mut Warp, one: Mask, other: Mask) {
        self.record.part(at, one, other);
        self.checker.part(at, warp, one, other);
    }

    fn diverge(&mut self, at: &At, warp: &Warp, id: u32, other: &Arrival, mask: Mask) {
        self.checker.diverge(at, warp, id, other, mask);
        self.told();
    }

    fn arrive(&mut self, at: &At, id: usize, block: &mut Block, warp: &mut Warp, mask: Mask) {
        let waits = matches!(&at.launch.code.instrs[at.pc as usize].op, Op::Barrier(barrier) if barrier.waits);
        self.record.push(at, mask, |_| What::Arrives { barrier: id, waits });
        self.checker.arrive(at, id, block, warp, mask);
        self.told();
    }

    fn cluster_arrive(&mut self, at: &At, releases: bool, warp: &mut Warp, mask: Mask) {
        self.record.push(at, mask, |_| What::Arrives { barrier: BARRIERS, waits: false });
        self.checker.cluster_arrive(at, releases, warp, mask);
    }

    fn complete(&mut self, launch: &Launch, linear: u64, id: usize, block: &mut Block) {
        self.record.push_of_none(|| What::Opens { in_block: linear, barrier: id, released: Vec::new() });
        self.checker.complete(launch, linear, id, block);
        self.told();
    }

    fn release(&mut self, id: usize, block: &mut Block, warp: &mut Warp, index: u32, mask: Mask) {
        if let Some(What::Opens { released, .. }) = self.record.last() {
            released.push(Released { warp: index, lanes: Lanes(mask) });
        }
        self.checker.release(id, block, warp, index, mask);
    }

    fn exit(&mut self, at: &At, block: &mut Block, warp: &mut Warp, mask: Mask) {
        self.record.exit(at, mask);
        self.checker.exit(at, block, warp, mask);
        self.told();
    }
}

impl Values for Both<'_, '_> {
    fn define_memory(&mut self, space: Space, base: u64, address: u64, bytes: u64, block: &mut Block) {
        self.checker.define_memory(space, base, address, bytes, block);
    }

    fn enter_frame(&mut self, warp: &mut Warp, regs: &Registers, function: &Function, local: u64, mask: Mask) {
        self.checker.enter_frame(warp, regs, function, local, mask);
    }

    fn copy_register(&mut self, warp: &mut Warp, from: (Window, Reg), to: (Window, Reg), mask: Mask) {
        self.checker.copy_register(warp, from, to, mask);
    }

    fn copy_local(&mut self, warp: &mut Warp, from: u64, to: u64, bytes: u64, mask: Mask) {
        self.checker.copy_local(warp, from, to, bytes, mask);
    }

    fn undefine_local(&mut self, warp: &mut Warp, at: u64, bytes: u64, lane: usize) {
        self.checker.undefine_local(warp, at, bytes, lane);
    }

    fn define_local(&mut self, warp: &mut Warp, at: u64, bytes: u64, mask: Mask) {
        self.checker.define_local(warp, at, bytes, mask);
    }

    fn alu(&mut self, warp: &mut Warp, regs: &Registers, alu: &Alu, mask: Mask) {
        self.checker.alu(warp, regs, alu, mask);
    }

    fn define(&mut self, warp: &mut Warp, regs: &Registers, reg: Reg, mask: Mask) {
        self.checker.define(warp, regs, reg, mask);
    }

    fn active_mask(&mut self, at: &At, warp: &mut Warp, regs: &Registers, reg: Reg, mask: Mask) {
        self.record.push(at, mask, |_| What::ActiveMask);
        self.checker.active_mask(at, warp, regs, reg, mask);
        self.told();
    }

    fn guard(&mut self, at: &At, warp: &mut Warp, regs: &Registers, pred: u32, op: &Op, mask: Mask, runs: bool) {
        self.checker.guard(at, warp, regs, pred, op, mask, runs);
        self.told();
    }

    fn decide(&mut self, at: &At, warp: &mut Warp, regs: &Registers, reg: Reg, mask: Mask, what: Decision) {
        self.checker.decide(at, warp, regs, reg, mask, what);
        self.told();
    }

    fn gather(&mut self, warp: &mut Warp, regs: &Registers, op: &Collective, group: Mask) {
        self.checker.gather(warp, regs, op, group);
    }

    fn collective(
        &mut self,
        at: &At,
        warp: &mut Warp,
        regs: &Registers,
        op: &Collective,
        group: Mask,
        met: Mask,
        out: &Outputs,
    ) {
        if let (Some(What::Meets { exchanges, .. }), true) = (self.record.last(), op.kind != Kind::Barrier) {
            exchanges.extend(lanes(group).map(|lane| exchange(regs, op, lane, out)));
        }
        self.checker.collective(at, warp, regs, op, group, met, out);
        self.told();
    }
}

impl Grids for Both<'_, '_> {
    fn inherit(&mut self, grid: u32, warp: &mut Warp) {
        self.checker.inherit(grid, warp);
    }

    fn fresh_buffer(&mut self, launch: &Launch, address: u64, bytes: u64) {
        self.checker.fresh_buffer(launch, address, bytes);
    }

    fn launches(&mut self, at: &At, warp: &mut Warp, lane: usize, child: &Launch) {
        self.record.grid(child);
        let grid = child.number as usize;
        self.record.push(at, 1 << lane, |_| What::Launches { lane: lane as u8, grid });
        self.checker.launches(at, warp, lane, child);
        self.told();
    }

    fn grid_begins(&mut self, grid: u32, after: &[u32]) {
        self.record.push_of_none(|| What::GridBegins {
            grid: grid as usize,
            after: after.iter().map(|&grid| grid as usize).collect(),
        });
        self.checker.grid_begins(grid, after);
    }

    fn grid_ends(&mut self, grid: u32, parent: u32) {
        self.record.push_of_none(|| What::GridEnds { grid: grid as usize });
        self.checker.grid_ends(grid, parent);
    }

    fn allocated(&mut self, base: u64, bytes: u64) {
        self.checker.allocated(base, bytes);
    }
}

impl Oracle for Both<'_, '_> {
    fn older(&self, touch: &Touch, block: &Block, warp: &Warp) -> Option<Box<Older>> {
        self.checker.older(touch, block, warp)
    }

    fn goes_back(&mut self, older: &Older) {
        self.record.older = Some(Box::new(older.clone()));
        self.checker.goes_back(older);
    }

    fn behind(&self, touch: &Touch, block: &Block, warp: &Warp) -> Option<Box<[u8; WARP]>> {
        self.checker.behind(touch, block, warp)
    }

    fn goes_behind(&mut self, back: &[u8; WARP]) {
        self.record.behind = Some(*back);
        self.checker.goes_behind(back);
    }

    fn room(&self, touch: &Touch, atomic: &Atomic, block: &Block, warp: &Warp) -> Option<Box<Room>> {
        self.checker.room(touch, atomic, block, warp)
    }

    fn goes_late(&mut self, late: &Late) {
        self.record.late = Some(Box::new(late.clone()));
        self.checker.goes_late(late);
    }

    fn last_write(&self, launch: &Launch, block: &Block, space: Space, address: u64) -> Option<LastWrite> {
        self.checker.last_write(launch, block, space, address)
    }
}

/// What a lane brings to a meeting, and what it gets.
fn exchange(regs: &Registers, op: &Collective, lane: usize, out: &Outputs) -> Exchange {
    let is_elected = out.p >> lane & 1;
    let from = matches!(op.kind, Kind::Shuffle(_)).then_some(out.source[lane]);
    let gets = if op.kind == Kind::Elect { is_elected } else { out.d[lane] };
    let brings = if op.a.is_some() { regs.get(op.a, lane) ^ u64::from(op.negated) } else { 0 };
    Exchange { lane: lane as u8, brings: Bits(brings), from, gets: Bits(gets.into()) }
}

/// As PTX writes it.
fn ordering(ordering: Ordering) -> &'static str {
    match ordering {
        Ordering::Weak => "weak",
        Ordering::Relaxed => "relaxed",
        Ordering::Acquire => "acquire",
        Ordering::Release => "release",
        Ordering::AcqRel => "acq_rel",
        Ordering::Sc => "sc",
    }
}
