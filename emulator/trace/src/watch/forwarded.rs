//! Events and questions that go on to the checker. Little of it is recorded: what lanes exchange, and grids.

use super::{Block, RecordingChecker, Warp};
use crate::bits::Bits;
use crate::event::{Exchange, What};
use finding::Decision;
use machine::code::Function;
use machine::exec::atomic::Atomic;
use machine::exec::warp::{Collective, CollectiveKind, Outputs};
use machine::exec::{Alu, GridDependency};
use machine::memory::space::Space;
use machine::registers::{Mask, Reg, Registers, WARP, lanes};
use machine::run::launch::Launch;
use machine::watch::{
    At, CollectiveGroup, GridEvents, GuardRead, LastWrite, Late, Older, Oracle, Room, Touch, ValueEvents, Window,
};

impl ValueEvents for RecordingChecker<'_, '_> {
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

    fn left_out(&mut self, warp: &mut Warp, regs: &Registers, results: &[Reg], mask: Mask, writes: bool) {
        self.checker.left_out(warp, regs, results, mask, writes);
    }

    fn define(&mut self, warp: &mut Warp, regs: &Registers, reg: Reg, mask: Mask) {
        self.checker.define(warp, regs, reg, mask);
    }

    fn active_mask(&mut self, at: &At, warp: &mut Warp, regs: &Registers, reg: Reg, mask: Mask) {
        self.record.push(at, mask, |_| What::ActiveMask);
        self.checker.active_mask(at, warp, regs, reg, mask);
        self.told();
    }

    fn guard(&mut self, at: &At, warp: &mut Warp, regs: &Registers, guard: &GuardRead, mask: Mask) {
        self.checker.guard(at, warp, regs, guard, mask);
        self.told();
    }

    fn decide(&mut self, at: &At, warp: &mut Warp, regs: &Registers, reg: Reg, mask: Mask, what: Decision) {
        self.checker.decide(at, warp, regs, reg, mask, what);
        self.told();
    }

    fn gather(&mut self, warp: &mut Warp, regs: &Registers, op: &Collective, group: Mask) {
        self.checker.gather(warp, regs, op, group);
    }

    fn collective(&mut self, meeting: &CollectiveGroup, warp: &mut Warp, regs: &Registers) {
        let CollectiveGroup { op, group, out, .. } = *meeting;
        if let (Some(What::Meets { exchanges, .. }), true) = (self.record.last(), op.kind != CollectiveKind::Barrier) {
            exchanges.extend(lanes(group).map(|lane| exchange(regs, op, lane, out)));
        }
        self.checker.collective(meeting, warp, regs);
        self.told();
    }
}

impl GridEvents for RecordingChecker<'_, '_> {
    fn inherit(&mut self, grid: u32, warp: &mut Warp) {
        self.checker.inherit(grid, warp);
    }

    fn fresh_buffer(&mut self, launch: &Launch, address: u64, bytes: u64) {
        self.checker.fresh_buffer(launch, address, bytes);
    }

    fn launches(&mut self, at: &At, warp: &mut Warp, lane: usize, child: &Launch) {
        self.record.add_grid(child);
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

    fn grid_dependency(&mut self, at: &At, op: GridDependency, warp: &mut Warp, mask: Mask) {
        self.checker.grid_dependency(at, op, warp, mask);
    }

    fn grids_kept(&mut self, complete: &[u32]) {
        self.checker.grids_kept(complete);
    }

    fn allocated(&mut self, base: u64, bytes: u64) {
        self.checker.allocated(base, bytes);
    }

    fn freed(&mut self, base: u64) {
        self.checker.freed(base);
    }
}

impl Oracle for RecordingChecker<'_, '_> {
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

    fn misled(&self, warp: &Warp, regs: &Registers, reg: Reg, mask: Mask) -> Mask {
        self.checker.misled(warp, regs, reg, mask)
    }

    fn astray(&self, warp: &Warp) -> Mask {
        self.checker.astray(warp)
    }

    fn misses_work(&self) -> bool {
        self.checker.misses_work()
    }

    fn may_follow(&self) -> bool {
        self.checker.may_follow()
    }

    fn last_write(&self, launch: &Launch, block: &Block, space: Space, address: u64) -> Option<LastWrite> {
        self.checker.last_write(launch, block, space, address)
    }
}

/// Returns what a lane brings to a meeting, and what it gets.
fn exchange(regs: &Registers, op: &Collective, lane: usize, out: &Outputs) -> Exchange {
    let is_elected = out.p >> lane & 1;
    let from = matches!(op.kind, CollectiveKind::Shuffle(_)).then_some(out.source[lane]);
    let gets = if op.kind == CollectiveKind::Elect { is_elected } else { out.d[lane] };
    let brings = if op.a.is_some() { regs.get(op.a, lane) ^ u64::from(op.negated) } else { 0 };
    Exchange { lane: lane as u8, brings: Bits(brings), from, gets: Bits(gets.into()) }
}
