//! The accesses, passed on to all folders that keep state about them. What an access acquires comes before its
//! judgement, what it publishes after.

use super::{BlockState, Checker, WarpState, burn_for_views, padding};
use crate::access::actor::{AccessManner, Actor, Current, OutOfTurn};
use crate::access::race::Race;
use crate::access::row::Row;
use crate::access::warp_access::WarpAccess;
use crate::evidence::apart::Between;
use crate::evidence::here::Here;
use crate::evidence::lockset::{LaneChanges, atomic_changes, store_changes};
use crate::findings::race::Conflict;
use crate::findings::values::{AccessAction, AccessValues};
use crate::order::copies::is_copy;
use crate::order::locations::SyncAccess;
use crate::order::release::Reach;
use crate::rule::RaceChecker;
use crate::sites::Sites;
use crate::sites::touched::TouchKind;
use crate::speculation::reads::{Reader, SpeculativeReads};
use crate::undefined::accesses::{Mover, failing};
use finding::{AccessKind, Decision};
use machine::exec::atomic::{Atomic, Operation};
use machine::exec::mbarrier::{Mbarrier, ObjectAction};
use machine::exec::memory::{Load, Semantics, Store};
use machine::memory::space::Space;
use machine::registers::{Mask, Registers, WARP, lanes};
use machine::run::launch::Launch;
use machine::watch::{Start, Touch};

/// The cost of a racing access, in thread instructions.
const FUEL_OF_RACE: u64 = 16;

/// The additional cost of a strong access if loads may get older values, in thread instructions.
const FUEL_OF_STRONG: u64 = 1;

/// The number of comparisons with earlier accesses of a word that take as long as a thread instruction.
const LOOKS_PER_FUEL: u64 = 4;

/// True for two accesses of shared memory by cooperative groups' own code. Below compute capability 8.0 tiles of
/// several warps exchange values in a `block_tile_memory` that the kernel provides. One lane of the last warp to come
/// acquires there what the others have stored, and tells the rest of its warp by a shuffle; these read it. A shuffle
/// orders no memory, so by the rules that is a race, but it is no bug of the kernel. So between accesses of that code
/// its shuffles and votes count as order ([`Current::was_told`]). Pairs that these do not order either are reported,
/// and so is every race with the kernel's own code. From 8.0 on this memory is the system's, which its address shows.
fn is_of_groups(launch: &Launch, sites: &Sites, race: &Race) -> bool {
    let theirs = |site: u32| launch.code.is_of_groups(sites.pc(site), &sites.calls(site));
    launch.code.groups_trade_by_memory
        && race.launch.is_none()
        && theirs(race.first.how.site())
        && theirs(race.second.how.site())
}

impl Checker<'_> {
    /// Judges and records the access that each lane is about to make.
    fn race(&mut self, access: &WarpAccess, block: &mut BlockState, warp: &WarpState, values: AccessValues) {
        let touch = access.touch;
        self.goes_on(&touch.at, touch.mask);
        // Accesses of lanes that have gone astray may result from that alone.
        let led = &Touch { mask: touch.mask & !warp.astray, ..*touch };
        let access = match warp.astray {
            0 => access,
            _ => &WarpAccess { touch: led, row: None, halves: None, ..*access },
        };
        let WarpAccess { touch, kind, fails, .. } = *access;
        if touch.mask == 0 {
            return;
        }
        let (Some(region), true) = (touch.region, self.races.judges(touch)) else { return };
        let launch = touch.at.launch;
        let site = warp.trace.site(&mut self.trace.sites, &touch.at);
        let is_speculative = kind == TouchKind::Read && self.speculation.is_speculative(touch.at.pc);
        let speculative = is_speculative.then_some(warp.reads.current);
        let Checker { state, findings, races, releases, speculation, trace, delays, .. } = self;
        let (sites, hints) = (&trace.sites, &mut trace.hints);
        let (flags, lockset, releases, exited) = (&trace.flags, &trace.lockset, &*releases, block.trace.exited());
        let may_be_short = state.may_be_short() && hints.is_none();
        let mut racing = 0;
        let BlockState { memory: of_block, undefined: block_undefined, reads: block_reads, .. } = block;
        let (memory, era, past, undefined) = match touch.space {
            Space::Shared => {
                let era = of_block.era;
                (of_block, era, None, state.undefined())
            }
            Space::Global => {
                let (memory, past, undefined) = state.memory(region.base());
                (memory, self.number, Some(past), undefined)
            }
            _ => return,
        };
        // Evaluated only for the accesses in a report.
        let unwritten = |lane: usize, element: usize| {
            let (skip, bytes) = (element as u64 * u64::from(touch.bytes), touch.bytes.min(8));
            let one = Touch { mask: 1 << lane, ..*touch };
            let bits = undefined.memory_bits(&one, block_undefined, &warp.undefined, skip, bytes)[lane];
            bits == u64::MAX >> (64 - 8 * bytes)
        };
        let values = values.unless_unwritten(&unwritten);
        let base = region.base();
        let tag = (touch.space == Space::Shared).then_some(touch.at.block);
        let out_of_turn = delays.as_ref().map(|delays| OutOfTurn {
            lanes: lanes(touch.mask).filter(|&lane| delays.passes_by(kind, lane)).map(|lane| 1 << lane).sum(),
            back: delays.back(kind),
        });
        let manner = AccessManner { kind, fails, out_of_turn, may_be_short, hints: hints.is_some() };
        let actor = Actor::new(&touch.at, (site, sites), &warp.order, past, manner);
        let copying = actor.copying();
        // The last word that raced, by lane and element: it counts once.
        let mut last = None;
        let mut found = |speculation: &mut SpeculativeReads,
                         current: &Current,
                         element: u32,
                         race: Race,
                         word: u64,
                         reader: Option<Reader>| {
            let lane = current.lane as usize;
            if race.is_allowed {
                let is_released = |place| releases.get(place).is_some_and(|var| !var.entries().is_empty());
                if let Some(hints) = hints.as_mut()
                    && hints.are_told(launch, sites, &race, is_released((tag, base + word)))
                {
                    let nothing = || Between::default();
                    let conflict = Conflict { sites, touch, values: &values, race, word, lane, earlier: None };
                    hints.pairs().race(conflict, &nothing);
                }
                return;
            }
            racing += u64::from(last.replace((lane, element, word)) != Some((lane, element, word)));
            let repeats = copying.is_some_and(|copied| copied.is_again(current.lane));
            let is_theirs = touch.space == Space::Shared
                && is_of_groups(launch, sites, &race)
                && current.was_told(race.first, race.second);
            if is_theirs || repeats && is_copy(launch, race.first) {
                return;
            }
            let earlier = race.launch.and_then(|number| past?.record(number));
            let between = || {
                let between = current.between(flags, releases, &race);
                let apart = || current.apart(&race, (tag, base + word), &warp.trace, exited, lockset);
                match between.is_known() {
                    true => between,
                    false => Between {
                        lack: apart(),
                        passed: current.passed(&race, &warp.trace, exited),
                        branch: current.branch(&race, &warp.trace, touch.mask),
                        ..between
                    },
                }
            };
            let conflict = Conflict { sites, touch, values: &values, race, word, lane, earlier };
            match reader.filter(|reader| !speculation.is_used(*reader)) {
                None => findings.race(conflict, &between),
                Some(reader) => {
                    if let Some(race) = findings.pending(conflict, &between) {
                        speculation.hold(reader, race);
                    }
                }
            }
        };
        let mut checker = races.of_region(memory, base, era);
        let mut reads = match tag {
            Some(_) => std::mem::take(block_reads),
            None => speculation.take(base),
        };
        let speculative = speculative.filter(|_| !reads.is_full());
        if !actor.is_after_all() {
            checker.judge_displaced(&actor, access, &mut |current: &Current, element, race, word| {
                let reader = speculative.map(|read| Reader { read, lane: current.lane });
                found(speculation, current, element, race, word, reader);
            });
        }
        if let Some(read) = speculative {
            reads.read(&mut checker, &actor, access, read, speculation, &mut found);
        } else {
            checker.judge(&actor, access, &mut |current: &Current, element, race, word| {
                found(speculation, current, element, race, word, None);
            });
            if kind != TouchKind::Read && !reads.is_empty() {
                reads.write(&actor, base, access, speculation, &mut found);
            }
        }
        match tag {
            Some(_) => *block_reads = reads,
            None => speculation.put_back(base, reads),
        }
        state.add_racing(racing);
        let burnt = FUEL_OF_RACE * racing + races.take_looks() / LOOKS_PER_FUEL;
        if burnt != 0 {
            launch.tree.burn(burnt);
        }
    }

    /// Updates the releases of locations after strong accesses and plain writes, and acquires for those that observe.
    #[inline(always)]
    fn synchronise(&mut self, access: SyncAccess, warp: &mut WarpState) {
        // Most accesses are plain, and there are no releases.
        if access.touch.semantics.is_strong() || access.kind == TouchKind::Write && !self.releases.is_empty() {
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
                delays.acquires(&touch.at, touch.mask);
            }
        }
        let site = || trace.site(&mut self.trace.sites, &touch.at);
        let between = self.delays.as_mut().map(|delays| delays.between());
        // The access is recorded, and examined by others that may get its value later.
        if between.is_some() {
            touch.at.launch.tree.burn(FUEL_OF_STRONG);
        }
        self.releases.synchronise(access, order, site, between);
        burn_for_views(touch.at.launch);
    }

    /// Reports the first lane whose access is not inside the variable that its address was made from.
    fn stays_inside(&mut self, touch: &Touch, warp: &WarpState, values: AccessValues) {
        if touch.space == Space::Shared && warp.astray == 0 {
            let site = |sites: &mut Sites| warp.trace.site(sites, &touch.at);
            self.findings.stays_inside(touch, &mut self.trace.sites, site, values);
        }
    }

    /// Reports the first lane that changes constant memory.
    #[inline(always)]
    fn check_constant_write(&mut self, touch: &Touch, kind: AccessKind, warp: &WarpState, values: AccessValues) {
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

    /// Records the writes of these lanes, if loads may get older values.
    fn note_writes(&mut self, touch: &Touch, clock: u32, block: &mut BlockState, warp: &WarpState, updates: bool) {
        let Some(delays) = &mut self.delays else { return };
        let BlockState { undefined, histories, .. } = block;
        let bits =
            |skip| self.state.undefined().memory_bits(touch, undefined, &warp.undefined, skip, touch.bytes.min(8));
        delays.note_writes(touch, clock, histories, updates, &self.releases, bits);
    }

    #[inline(always)]
    pub(super) fn loads(
        &mut self,
        touch: &Touch,
        load: &Load,
        block: &mut BlockState,
        warp: &mut WarpState,
        regs: &Registers,
    ) {
        let row = Row::of(touch);
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
        self.stays_inside(touch, warp, values);
        let access = WarpAccess::by_rows(touch, TouchKind::Read, row.as_ref());
        self.race(&access, block, warp, values);
        let WarpState { undefined, trace, .. } = warp;
        if self.trace.compared.may_check(touch) {
            let site = trace.site(&mut self.trace.sites, &touch.at);
            let value = |lane| older.as_ref().and_then(|older| older.get(lane, 0));
            self.trace.compared.loads(touch, trace.open_loads(), site, value);
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

    #[inline(always)]
    pub(super) fn stores(
        &mut self,
        touch: &Touch,
        store: &Store,
        block: &mut BlockState,
        warp: &mut WarpState,
        regs: &Registers,
    ) {
        self.stays_inside(touch, warp, AccessValues::store(store, regs));
        self.check_constant_write(touch, AccessKind::Store, warp, AccessValues::store(store, regs));
        let behind = self.store_behind(touch, store, block, warp, regs);
        let touch = &Touch { mask: touch.mask & !behind, ..*touch };
        if touch.mask == 0 {
            return;
        }
        let (row, clock) = (Row::of(touch), warp.order.clock());
        let access = WarpAccess::by_rows(touch, TouchKind::Write, row.as_ref());
        self.race(&access, block, warp, AccessValues::store(store, regs));
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

    /// Judges and records the stores at earlier positions in the coherence order, and returns their lanes.
    fn store_behind(
        &mut self,
        touch: &Touch,
        store: &Store,
        block: &mut BlockState,
        warp: &mut WarpState,
        regs: &Registers,
    ) -> Mask {
        let Some(back) = self.delays.as_ref().and_then(|delays| delays.stores_behind()) else { return 0 };
        let behind = lanes(touch.mask).filter(|&lane| back[lane] != 0).map(|lane| 1 << lane).sum();
        let touch = &Touch { mask: behind, ..*touch };
        let clock = warp.order.clock();
        self.race(&WarpAccess::of(touch, TouchKind::Write), block, warp, AccessValues::store(store, regs));
        let WarpState { undefined, order, trace, .. } = warp;
        let released = order.released_behind(touch, || trace.site(&mut self.trace.sites, &touch.at));
        let bits = |lane| undefined.registers.get(regs, store.src[0], lane) & (u64::MAX >> (64 - 8 * touch.bytes));
        if let Some(delays) = &mut self.delays {
            delays.put_behind(touch, clock, released, bits, &mut block.histories);
        }
        behind
    }

    pub(super) fn updates(
        &mut self,
        touch: &Touch,
        atomic: &Atomic,
        block: &mut BlockState,
        warp: &mut WarpState,
        regs: &Registers,
    ) {
        for &reg in atomic.src.iter().chain([&atomic.swap]) {
            machine::watch::Values::decide(self, &touch.at, warp, regs, reg, touch.mask, Decision::Atomic);
        }
        // An update whose old value is dropped is a write. It observes nothing that the kernel could rely on.
        let kind = if atomic.looked_at { TouchKind::Atomic } else { TouchKind::Write };
        self.stays_inside(touch, warp, AccessValues::atomic(atomic, regs));
        self.check_constant_write(touch, AccessKind::Atomic, warp, AccessValues::atomic(atomic, regs));
        if atomic.operation == Operation::CompareExchange && touch.bytes <= 8 {
            for lane in lanes(touch.mask) {
                let value = regs.get(atomic.src[0], lane) & (u64::MAX >> (64 - 8 * touch.bytes));
                self.trace.compared.check(warp.trace.open_loads(), lane, touch.addresses[lane], touch.bytes, value);
            }
        }
        let (late, late_fails) = self.update_behind(touch, atomic, block, warp, regs);
        warp.undefined.registers.define(regs, atomic.dst[0], late);
        let touch = &Touch { mask: touch.mask & !late, ..*touch };
        let (failed, clock) = (failing(touch, atomic, regs), warp.order.clock());
        if let Some(hints) = &mut self.trace.hints {
            let site = warp.trace.site(&mut self.trace.sites, &touch.at);
            hints.compared(&touch.at, site, atomic, failed | late_fails);
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
        self.race(&access, block, warp, AccessValues::atomic(atomic, regs));
        // The value that a `red` reads is part of no acquire pattern (PTX ISA); chains pass through it all the same.
        let (kind, observes) = (TouchKind::Atomic, atomic.dst[0].is_some());
        self.synchronise(SyncAccess { kind, observes, failed, ..SyncAccess::read(touch) }, warp);
        let mask = touch.mask & !failed;
        self.note_lock(touch, mask, clock, warp, || atomic_changes(touch, atomic, regs, mask));
        if let Some(delays) = &mut self.delays {
            delays.note_reads(touch, failed, clock, &mut block.histories);
        }
        let writing = &Touch { mask: touch.mask & !failed, ..*touch };
        self.note_writes(writing, clock, block, warp, true);
        let WarpState { undefined, trace, .. } = warp;
        let here =
            Here { number: self.number, sites: &mut self.trace.sites, warp: trace, exited: Some(block.trace.exited()) };
        let by = Mover { block: &mut block.undefined, warp: undefined, regs, here };
        let found = self.state.undefined_mut().update(touch, atomic, by);
        for guilty in found {
            self.depends(&touch.at, warp, Decision::Atomic, None, guilty);
        }
    }

    /// Judges and records the atomic operations that find an older value. Returns their lanes, and the lanes whose
    /// compare-and-swap fails.
    fn update_behind(
        &mut self,
        touch: &Touch,
        atomic: &Atomic,
        block: &mut BlockState,
        warp: &mut WarpState,
        regs: &Registers,
    ) -> (Mask, Mask) {
        let Some(late) = self.delays.as_ref().and_then(|delays| delays.late()) else { return (0, 0) };
        let touch = &Touch { mask: touch.mask & late.mask(), ..*touch };
        let site = warp.trace.site(&mut self.trace.sites, &touch.at);
        let reach = Reach::new(touch.semantics.scope, touch.at.block, site);
        if let Some(delays) = &self.delays {
            delays.observe_late(touch, atomic, &late, reach, &block.histories, &mut warp.order);
        }
        let clock = warp.order.clock();
        let kind = if atomic.looked_at { TouchKind::Atomic } else { TouchKind::Write };
        let access = WarpAccess { fails: late.fails, ..WarpAccess::of(touch, kind) };
        self.race(&access, block, warp, AccessValues::atomic(atomic, regs));
        if let Some(delays) = &mut self.delays {
            let (histories, order) = (&mut block.histories, &mut warp.order);
            delays.put_late(touch, &late, (reach, clock), histories, order, &mut self.releases);
        }
        (touch.mask, late.fails)
    }

    /// Judges one side of a copy that lanes start, whenever its bytes move. `touch` is the access of that side.
    pub(super) fn copies(
        &mut self,
        touch: &Touch,
        copy: &Start,
        writes: bool,
        block: &mut BlockState,
        warp: &mut WarpState,
    ) {
        let by = touch.at.warp + touch.at.launch.copying_warps().unwrap_or(0);
        let again = if writes { block.order.copies().repeated(touch, copy) } else { 0 };
        warp.order.begin_copy(by, copy.number, again);
        let (kind, done) =
            if writes { (TouchKind::Write, AccessAction::CopyTo) } else { (TouchKind::Read, AccessAction::CopyFrom) };
        let values = AccessValues::without(done);
        if writes {
            self.stays_inside(touch, warp, values);
            self.check_constant_write(touch, AccessKind::AsyncCopy, warp, values);
        }
        self.race(&WarpAccess::of(touch, kind), block, warp, values);
        if writes {
            self.synchronise(SyncAccess::write(touch), warp);
            let site = warp.trace.site(&mut self.trace.sites, &touch.at);
            block.order.copies().starts(touch.at.warp, copy.number, site, touch.mask);
        }
        warp.order.end_copy();
    }

    /// Judges an operation on barrier objects, before it takes effect. Operations on an object are strong and do not
    /// race with each other. Initialising it is a plain write, which a barrier must separate from all other use.
    /// Invalidating it is strong as well: `cuda::pipeline` lets one lane do that for a warp that no memory operation
    /// has brought together.
    pub(super) fn uses_object(&mut self, touch: &Touch, op: &Mbarrier, block: &mut BlockState, warp: &mut WarpState) {
        let (kind, done) = match op.action {
            ObjectAction::Init(_) => (TouchKind::Write, AccessAction::Initialise),
            ObjectAction::Inval => (TouchKind::Atomic, AccessAction::Invalidate),
            ObjectAction::Test(_) => (TouchKind::Read, AccessAction::AskPhase),
            _ => (TouchKind::Atomic, AccessAction::Arrive),
        };
        let semantics = if kind == TouchKind::Write { Semantics::WEAK } else { touch.semantics };
        let judged = &Touch { semantics, ..*touch };
        self.race(&WarpAccess::of(judged, kind), block, warp, AccessValues::without(done));
        if !matches!(op.action, ObjectAction::Init(_) | ObjectAction::Inval) {
            return;
        }
        for lane in lanes(touch.mask) {
            let address = touch.addresses[lane];
            block.order.objects().reset(address);
            block.undefined.fill(address, touch.bytes.into(), matches!(op.action, ObjectAction::Inval));
        }
    }
}
