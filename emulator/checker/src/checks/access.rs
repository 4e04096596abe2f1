//! The memory operations of threads, passed on to all parts of the checker that keep state about them.
//!
//! The order of these steps matters. What an access acquires comes before the check for races. What it releases, and
//! what it writes, comes after.

use super::{BlockState, Checker, WarpState, burn_for_views, padding};
use crate::access::row::LaneRow;
use crate::access::warp_access::WarpAccess;
use crate::evidence::here::Here;
use crate::evidence::lockset::{LaneChanges, atomic_changes, store_changes};
use crate::findings::values::{AccessAction, AccessValues};
use crate::order::locations::SyncAccess;
use crate::sites::Sites;
use crate::sites::touched::RecordedKind;
use crate::undefined::accesses::{Mover, failing};
use finding::{AccessKind, Decision};
use machine::exec::atomic::{Atomic, Operation};
use machine::exec::memory::{Load, StoreOp};
use machine::memory::space::Space;
use machine::registers::{Mask, Registers, WARP, lanes};
use machine::watch::{StartedCopy, Touch, ValueEvents};

/// The additional cost of a strong access if loads may get older values, in thread instructions.
const FUEL_OF_STRONG: u64 = 1;

impl Checker<'_> {
    /// Synchronises by an access: its location gets what it releases, and its threads acquire what it observes. A plain
    /// write ends the release sequences of its location.
    #[inline(always)]
    pub(super) fn synchronise(&mut self, access: SyncAccess, warp: &mut WarpState) {
        // Most accesses are plain, and most kernels release nothing.
        if access.touch.semantics.is_strong() || access.kind == RecordedKind::Write && !self.releases.is_empty() {
            self.release_and_acquire(access, warp);
        }
    }

    #[inline(never)]
    fn release_and_acquire(&mut self, access: SyncAccess, warp: &mut WarpState) {
        let access = SyncAccess { may_be_short: self.state.may_be_short(), ..access };
        let SyncAccess { touch, kind, failed, .. } = access;
        let WarpState { order, trace, .. } = warp;
        if touch.semantics.is_strong() {
            self.trace.flags.note(touch, kind, failed, order, || trace.site(&mut self.trace.sites, &touch.at));
            if let Some(delays) = self.delays.as_mut().filter(|_| touch.semantics.acquires()) {
                delays.acquires(&touch.at, touch.mask, touch.semantics.scope);
            }
        }
        let site = || trace.site(&mut self.trace.sites, &touch.at);
        let between = self.delays.as_mut().map(|delays| delays.between());
        // Later accesses that may get its value examine it.
        if between.is_some() {
            touch.at.launch.tree.burn(FUEL_OF_STRONG);
        }
        self.releases.synchronise(access, order, site, between);
        burn_for_views(touch.at.launch);
    }

    /// Reports the first lane whose access is outside the array that its address was made from.
    fn check_array_bounds(&mut self, touch: &Touch, warp: &WarpState, values: AccessValues) {
        if touch.space == Space::Shared && warp.astray == 0 {
            let site = |sites: &mut Sites| warp.trace.site(sites, &touch.at);
            self.findings.check_array_bounds(touch, &mut self.trace.sites, site, values);
        }
    }

    /// Reports the first lane that writes to constant memory.
    #[inline(always)]
    pub(super) fn check_constant_write(
        &mut self,
        touch: &Touch,
        kind: AccessKind,
        warp: &WarpState,
        values: AccessValues,
    ) {
        if touch.region.is_some_and(|region| region.is_constant()) && warp.astray == 0 {
            let site = |sites: &mut Sites| warp.trace.site(sites, &touch.at);
            self.findings.check_constant_write(touch, kind, &mut self.trace.sites, site, values);
        }
    }

    /// Records the threads that set words that may be locks.
    #[inline(always)]
    fn note_lock(
        &mut self,
        touch: &Touch,
        mask: Mask,
        clock: u32,
        warp: &WarpState,
        changes: impl FnOnce() -> LaneChanges,
    ) {
        let site = || warp.trace.site(&mut self.trace.sites, &touch.at);
        self.trace.lockset.note(touch, mask, clock, site, changes);
    }

    /// Checks and records a load.
    #[inline(always)]
    pub(super) fn check_load(
        &mut self,
        touch: &Touch,
        load: &Load,
        block: &mut BlockState,
        warp: &mut WarpState,
        regs: &Registers,
    ) {
        self.check_lifetime(touch, AccessKind::Load, block, warp);
        let row = LaneRow::of(touch);
        let back = match &mut self.delays {
            Some(delays) => delays.look_back(touch, &mut block.histories, &mut warp.order, &self.releases),
            None => 0,
        };
        match back {
            0 => self.synchronise(SyncAccess::read(touch), warp),
            _ => self.synchronise(SyncAccess::read(&Touch { mask: touch.mask & !back, ..*touch }), warp),
        }
        let older = self.delays.as_ref().and_then(|delays| delays.now());
        let registers = &mut warp.undefined.registers;
        load.dst[..load.elements as usize].iter().for_each(|&reg| registers.forget_mask(regs, reg, touch.mask));
        let values = AccessValues::load(load, older.as_deref());
        self.check_array_bounds(touch, warp, values);
        let access = WarpAccess::by_rows(touch, RecordedKind::Read, row.as_ref());
        self.check_races(&access, block, warp, values);
        let WarpState { undefined, trace, .. } = warp;
        if self.trace.compared.may_check(touch) {
            let site = trace.site(&mut self.trace.sites, &touch.at);
            self.trace.compared.loads(touch, trace.open_loads(), site, older.as_deref());
        }
        let (delays, histories) = (&self.delays, &block.histories);
        let older = |element, undefined: &mut [u64; WARP]| {
            if let Some(delays) = delays {
                delays.older_bits(touch, element, histories, back, undefined);
            }
        };
        let here =
            Here { number: self.number, sites: &mut self.trace.sites, warp: trace, exited: Some(block.trace.exited()) };
        let by = Mover { block: &mut block.undefined, warp: undefined, regs, here };
        self.state.undefined_mut().load(touch, load, row.as_ref(), back, older, by);
        padding::is_defined(self.state, touch, load, &mut warp.undefined.registers, regs);
    }

    /// Checks and records a store.
    #[inline(always)]
    pub(super) fn check_store(
        &mut self,
        touch: &Touch,
        store: &StoreOp,
        block: &mut BlockState,
        warp: &mut WarpState,
        regs: &Registers,
    ) {
        self.check_lifetime(touch, AccessKind::Store, block, warp);
        self.check_array_bounds(touch, warp, AccessValues::store(store, regs));
        self.check_constant_write(touch, AccessKind::Store, warp, AccessValues::store(store, regs));
        let reordered = self.check_reordered_stores(touch, store, block, warp, regs);
        let touch = &Touch { mask: touch.mask & !reordered, ..*touch };
        if touch.mask == 0 {
            return;
        }
        let (row, clock) = (LaneRow::of(touch), warp.order.clock());
        let access = WarpAccess::by_rows(touch, RecordedKind::Write, row.as_ref());
        self.check_races(&access, block, warp, AccessValues::store(store, regs));
        self.overwrite_objects(touch, block, warp);
        self.synchronise(SyncAccess::write(touch), warp);
        self.note_lock(touch, touch.mask, clock, warp, || store_changes(touch, store, regs));
        if self.delays.is_some() {
            self.note_writes(touch, clock, block, warp, false);
        }
        let WarpState { undefined, trace, .. } = warp;
        let here = Here { number: self.number, sites: &mut self.trace.sites, warp: trace, exited: None };
        let by = Mover { block: &mut block.undefined, warp: undefined, regs, here };
        self.state.undefined_mut().store(touch, store, row.as_ref(), by);
    }

    /// Checks and records an atomic operation.
    pub(super) fn check_atomic(
        &mut self,
        touch: &Touch,
        atomic: &Atomic,
        block: &mut BlockState,
        warp: &mut WarpState,
        regs: &Registers,
    ) {
        for &reg in atomic.src.iter().chain([&atomic.swap]) {
            ValueEvents::decide(self, &touch.at, warp, regs, reg, touch.mask, Decision::Atomic);
        }
        // An update whose old value is dropped is a write. It observes nothing that the kernel could rely on.
        let kind = if atomic.looked_at { RecordedKind::Atomic } else { RecordedKind::Write };
        self.check_lifetime(touch, AccessKind::Atomic, block, warp);
        self.check_array_bounds(touch, warp, AccessValues::atomic(atomic, regs));
        self.check_constant_write(touch, AccessKind::Atomic, warp, AccessValues::atomic(atomic, regs));
        if atomic.operation == Operation::CompareExchange {
            for lane in lanes(touch.mask) {
                let value = match touch.bytes {
                    16 => regs.get_quad(atomic.src[0], lane),
                    bytes => (regs.get(atomic.src[0], lane) & (u64::MAX >> (64 - 8 * bytes))).into(),
                };
                self.trace.compared.check(warp.trace.open_loads(), lane, touch.addresses[lane], touch.bytes, value);
            }
        }
        let (reordered, reordered_fails) = self.check_reordered_updates(touch, atomic, block, warp, regs);
        warp.undefined.registers.define(regs, atomic.dst[0], reordered);
        let touch = &Touch { mask: touch.mask & !reordered, ..*touch };
        let (failed, clock) = (failing(touch, atomic, regs), warp.order.clock());
        if let Some(hints) = &mut self.trace.hints {
            let site = warp.trace.site(&mut self.trace.sites, &touch.at);
            hints.compared(&touch.at, site, atomic, failed | reordered_fails);
        }
        if touch.mask == 0 {
            return;
        }
        if atomic.dst[0].is_some() {
            let WarpState { order, trace, .. } = warp;
            let access = SyncAccess { may_be_short: self.state.may_be_short(), ..SyncAccess::read(touch) };
            self.releases.acquire_first(access, order, || trace.site(&mut self.trace.sites, &touch.at));
        }
        let access = WarpAccess { fails: failed, ..WarpAccess::of(touch, kind) };
        self.check_races(&access, block, warp, AccessValues::atomic(atomic, regs));
        // The value that a `red` reads is part of no acquire pattern (PTX ISA); chains pass through it all the same.
        let (kind, observes) = (RecordedKind::Atomic, atomic.dst[0].is_some());
        self.synchronise(SyncAccess { kind, observes, failed, ..SyncAccess::read(touch) }, warp);
        let mask = touch.mask & !failed;
        self.note_lock(touch, mask, clock, warp, || atomic_changes(touch, atomic, regs, mask));
        if let Some(delays) = &mut self.delays {
            delays.note_reads(touch, failed, clock, &mut block.histories);
        }
        let writing = &Touch { mask: touch.mask & !failed, ..*touch };
        self.overwrite_objects(writing, block, warp);
        self.note_writes(writing, clock, block, warp, true);
        let WarpState { undefined, trace, .. } = warp;
        let here =
            Here { number: self.number, sites: &mut self.trace.sites, warp: trace, exited: Some(block.trace.exited()) };
        let by = Mover { block: &mut block.undefined, warp: undefined, regs, here };
        let found = self.state.undefined_mut().update(touch, atomic, by);
        for undefined in found {
            self.depends(&touch.at, warp, Decision::Atomic, None, undefined);
        }
    }

    /// Checks and records one side of an asynchronous copy when lanes start it, for whenever its bytes move. `touch` is
    /// the access of that side, `writes` is true for the destination.
    pub(super) fn check_copy(
        &mut self,
        touch: &Touch,
        copy: &StartedCopy,
        writes: bool,
        block: &mut BlockState,
        warp: &mut WarpState,
    ) {
        let by = touch.at.warp + touch.at.launch.copying_warps().unwrap_or(0);
        let again = if writes { block.order.copies().repeated(touch, copy) } else { 0 };
        warp.order.begin_copy(by, copy.number, again);
        let (kind, done) = if writes {
            (RecordedKind::Write, AccessAction::CopyTo)
        } else {
            (RecordedKind::Read, AccessAction::CopyFrom)
        };
        let values = AccessValues::without(done);
        if writes {
            self.check_array_bounds(touch, warp, values);
            self.check_constant_write(touch, AccessKind::AsyncCopy, warp, values);
        }
        self.check_races(&WarpAccess::of(touch, kind), block, warp, values);
        if writes {
            self.overwrite_objects(touch, block, warp);
            self.synchronise(SyncAccess::write(touch), warp);
            let site = warp.trace.site(&mut self.trace.sites, &touch.at);
            block.order.copies().starts(touch.at.warp, copy.number, site, touch.mask);
        }
        warp.order.end_copy();
    }
}
