//! All checks at once: undefined values, and data races over shared and global memory.
//!
//! Bounds and alignment are the machine's own business, checked or not. Here every value
//! carries its undefined bits ([`registers`], [`definedness`]) and every access is judged
//! against those before it ([`race`], with [`clock`] and [`sync`] for the order).
//!
//! It is long because one type has all the hooks of [`Watch`]; what they do stands in the files below.

use crate::access::overflow::Overflow;
use crate::access::row::Row;
use crate::access::touched::{Kind, MOST_INSTRUCTIONS};
use crate::delays::history::Visible;
use crate::delays::loads::Delays;
use crate::findings::list::{Entry, Findings};
use crate::findings::values::Values;
use crate::order::barriers::{Brought, Gathering};
use crate::order::clock::{Clock, View};
use crate::order::copies::Copied;
use crate::order::release::{Patterns, SyncVar};
use crate::past::state::State;
use crate::trace::barrier_sites::BarrierSites;
use crate::trace::compared::ComparedLoads;
use crate::trace::exited::{ExitBranches, Exited, Passed};
use crate::trace::flags::Flags;
use crate::trace::hints::Hints;
use crate::trace::lockset::{Lockset, changing};
use crate::trace::partings::Partings;
use crate::trace::sites::{CallChain, Sites};
use crate::undefined::bits::Bits;
use crate::undefined::origins::MemoryOrigins;
use crate::undefined::registers::RegisterBits;
use crate::undefined::updates::failing;
use finding::Decision;
use machine::code::Function;
use machine::exec::atomic::{Atomic, Operation};
use machine::exec::barrier::Fence;
use machine::exec::mbarrier::Mbarrier;
use machine::exec::memory::{Load, Store};
use machine::exec::warp::{Collective, Outputs};
use machine::exec::{Alu, Op};
use machine::memory::space::Space;
use machine::registers::{Mask, Reg, Registers, WARP, lanes};
use machine::run::arrivals::Arrival;
use machine::run::copies::UnderWay;
use machine::run::launch::Launch;
use machine::watch::{
    At, Events, Grids, Keeps, LastWrite, Late, Older, Oracle, Room, Signal, Start, Touch, Values as WatchValues, Window,
};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The checker of one launch.
pub struct Checker<'a> {
    pub state: &'a mut State,
    /// This launch's number among the device's.
    pub number: u32,
    pub warps_per_block: u32,
    pub side: Overflow,
    /// Sync variables by block (shared memory; `None`: global) and address.
    pub sync: FxHashMap<(Option<u64>, u64), SyncVar>,
    pub findings: Findings,
    /// What is no finding and worth a word.
    pub notes: Findings,
    pub unreleased: Flags,
    pub holders: Lockset,
    pub sites: Sites,
    pub guesses: ComparedLoads,
    pub ways_out: ExitBranches,
    /// Lanes whose guard was undefined, for the operations about to run, how many these are, and the guard.
    pub held: (Mask, usize, Reg),
    pub races: bool,
    /// What a thread of the first grid knows when it begins.
    pub nothing: Rc<View>,
    /// The grids of a launch whose kernels launch others, by number.
    pub grids: Vec<crate::order::grids::Grid>,
    /// Under a schedule that gives loads older values and puts stores behind others: how.
    pub delays: Option<Delays>,
    /// Where they are asked for.
    pub hints: Option<Hints>,
}

/// What is kept with a warp.
#[derive(Default)]
pub struct WarpState {
    pub bits: RegisterBits,
    /// Undefined bits of each thread's local memory, and of what it has allocated on its stack.
    pub locals: Vec<Vec<u8>>,
    pub stacks: Vec<Vec<u8>>,
    pub clock: Clock,
    pub views: Vec<Rc<View>>,
    pub patterns: Vec<Patterns>,
    /// Some thread of the warp has passed a fence, or has released or observed something that a later access may need.
    pub fenced: bool,
    /// The calls behind each frame.
    pub chains: Vec<CallChain>,
    pub guesses: crate::trace::compared::Open,
    /// Origins of what lies in its threads' local memory, lane by lane.
    pub local_origins: Vec<MemoryOrigins>,
    pub exists: Mask,
    pub exited: Mask,
    pub ways: Partings,
    /// Where it has arrived at a barrier of the block, and the last that it has passed.
    pub arrived: u32,
    pub passed: Passed,
    /// What each lane brings to a meeting.
    pub brought: Vec<Brought>,
    /// What it brings to the barrier of its cluster, once it has arrived.
    pub to_cluster: [Option<Rc<View>>; WARP],
    /// Its asynchronous copies, if there are any.
    pub copied: Option<Box<Copied>>,
}

/// What is kept with a block.
#[derive(Default)]
pub struct BlockState {
    pub bits: Option<Bits>,
    pub origins: MemoryOrigins,
    pub memory: crate::access::judge::Memory,
    pub barriers: Vec<Gathering>,
    pub sides: Vec<BarrierSites>,
    pub visible: Visible,
    pub copies: crate::order::copies::Started,
    pub ended: Exited,
    /// Barrier objects by address.
    pub objects: FxHashMap<u64, crate::order::mbarrier::Object>,
}

impl<'a> Checker<'a> {
    /// `delays` says that the schedule may give loads older values.
    pub fn new(state: &'a mut State, launch: &Launch, number: u32, delays: bool) -> Checker<'a> {
        let races = launch.code.instrs.len() <= MOST_INSTRUCTIONS
            && launch.blocks() * u64::from(launch.warp_stride()) < 1 << 27;
        let hints = state.hints.is_some().then(Hints::default);
        Checker {
            state,
            number,
            warps_per_block: launch.warp_stride(),
            side: Overflow::default(),
            sync: FxHashMap::default(),
            findings: Findings::default(),
            notes: Findings::default(),
            unreleased: Flags::default(),
            holders: Lockset::default(),
            sites: Sites::new(launch.code),
            guesses: ComparedLoads::new(launch.code),
            ways_out: ExitBranches::new(launch.code),
            held: (0, 0, Reg::NONE),
            races,
            nothing: Rc::default(),
            grids: Checker::root(launch),
            delays: delays.then(Delays::default),
            hints,
        }
    }
}

impl Keeps for Checker<'_> {
    const ON: bool = true;
    type Warp = WarpState;
    type Block = BlockState;
}

impl Events for Checker<'_> {
    fn begin_block(&mut self, launch: &Launch, linear: u64, block: &mut BlockState) {
        // Grids that kernels launch may become more than accesses can be told apart for.
        self.races &= (linear + 1) * u64::from(self.warps_per_block) < 1 << 27;
        let mut bits = Bits::new(launch.whole_shared_bytes(), true);
        if let Some(begin) = launch.reserved_shared() {
            // The system's own, and written by it.
            bits.fill(begin, launch.whole_shared_bytes() - begin, false);
        }
        block.bits = Some(bits);
        block.visible.clear();
        block.copies.clear();
        block.objects.clear();
        block.ended.clear();
        block.origins.clear();
        block.memory.block += 1;
        block.barriers.clear();
        block.barriers.resize(machine::exec::barrier::BARRIERS + 1, Gathering::default());
        block.sides.clear();
        block.sides.resize(machine::exec::barrier::BARRIERS + 1, BarrierSites::default());
    }

    fn begin_warp(&mut self, warp: &mut WarpState, regs: &Registers, kernel: &Function, exists: Mask) {
        warp.bits.origins.clear();
        warp.bits.masks.clear();
        warp.bits.enter(regs, kernel, exists);
        // A warp state is used for one block after the other: what it has room in stays.
        warp.local_origins.resize_with(WARP, MemoryOrigins::default);
        warp.local_origins.iter_mut().for_each(MemoryOrigins::clear);
        (warp.exists, warp.exited) = (exists, 0);
        warp.ways.clear();
        (warp.arrived, warp.passed) = (0, Passed::default());
        warp.locals.resize_with(WARP, Vec::new);
        warp.locals.iter_mut().for_each(Vec::clear);
        warp.stacks.iter_mut().for_each(Vec::clear);
        warp.clock = 1;
        warp.fenced = false;
        warp.copied = None;
        warp.to_cluster = Default::default();
        warp.views.resize_with(WARP, || self.nothing.clone());
        warp.views.fill(self.nothing.clone());
        warp.chains.clear();
        warp.patterns.resize_with(WARP, Patterns::default);
        warp.patterns.iter_mut().for_each(Patterns::clear);
    }

    fn called(&mut self, call: &At, warp: &mut WarpState, frame: u32) {
        let outer = warp.chains.get(call.frame as usize).copied().unwrap_or(0);
        if warp.chains.len() <= frame as usize {
            warp.chains.resize(frame as usize + 1, 0);
        }
        warp.chains[frame as usize] = self.sites.call(outer, call.pc);
    }

    fn load(&mut self, touch: &Touch, load: &Load, block: &mut BlockState, warp: &mut WarpState, regs: &Registers) {
        let row = Row::of(touch);
        let back = self.look_back(touch, block, warp);
        match back {
            0 => self.synchronise(touch, Kind::Read, true, 0, warp),
            _ => self.synchronise(&Touch { mask: touch.mask & !back, ..*touch }, Kind::Read, true, 0, warp),
        }
        let older = self.delays.as_ref().and_then(|delays| delays.now.clone());
        load.dst[..load.elements as usize].iter().for_each(|&reg| warp.bits.masks.forget(regs, reg, touch.mask));
        if touch.space == Space::Shared {
            self.stays_inside(touch, warp, Values::load(load, older.as_deref()));
        }
        self.race(touch, row.as_ref(), Kind::Read, block, warp, Values::load(load, older.as_deref()), 0);
        if self.guesses.on {
            self.guess(touch, warp);
        }
        if back == 0 && self.all_defined(touch, row.as_ref(), block) {
            load.dst[..load.elements as usize].iter().for_each(|&reg| warp.bits.define(regs, reg, touch.mask));
            return;
        }
        for (element, &reg) in load.dst[..load.elements as usize].iter().enumerate() {
            let skip = u64::from(load.bytes) * element as u64;
            let mut undefined = self.memory_bits(touch, block, warp, skip, load.bytes.min(8));
            if back != 0 {
                self.older_bits(touch, element, block, back, &mut undefined);
            }
            let any = undefined.iter().fold(0, |any, bits| any | bits);
            if load.extend != 0 && any != 0 {
                for bits in &mut undefined {
                    let sign = *bits >> (8 * load.bytes - 1) & 1 != 0;
                    *bits |= if sign { !0 << (8 * load.bytes - 1) } else { 0 };
                }
            }
            if load.bytes == 16 {
                let high = self.memory_bits(touch, block, warp, skip + 8, 8);
                for lane in lanes(touch.mask) {
                    warp.bits.set(regs, reg, lane, undefined[lane]);
                    warp.bits.set_high(regs, reg, lane, high[lane]);
                }
                warp.bits.settle(regs, reg);
                self.load_origins(touch, block, warp, regs, reg, skip, &undefined);
            } else if any == 0 {
                warp.bits.define(regs, reg, touch.mask);
            } else {
                lanes(touch.mask).for_each(|lane| warp.bits.set(regs, reg, lane, undefined[lane]));
                warp.bits.settle(regs, reg);
                self.load_origins(touch, block, warp, regs, reg, skip, &undefined);
            }
        }
    }

    fn store(&mut self, touch: &Touch, store: &Store, block: &mut BlockState, warp: &mut WarpState, regs: &Registers) {
        if touch.space == Space::Shared {
            self.stays_inside(touch, warp, Values::store(store, regs));
        }
        let behind = self.store_behind(touch, store, block, warp, regs);
        let touch = &Touch { mask: touch.mask & !behind, ..*touch };
        if touch.mask == 0 {
            return;
        }
        let (row, clock) = (Row::of(touch), warp.clock);
        self.race(touch, row.as_ref(), Kind::Write, block, warp, Values::store(store, regs), 0);
        self.synchronise(touch, Kind::Write, false, 0, warp);
        self.note_holder(touch, touch.mask, clock, warp);
        if self.delays.is_some() {
            self.note_writes(touch, touch.mask, clock, block, warp, false);
        }
        let sources = &store.src[..store.elements as usize];
        let clean = !sources.iter().any(|&reg| warp.bits.is_tainted(regs, reg, touch.mask));
        if let (Some(row), true) = (row.filter(|row| touch.space != Space::Local && row.is_dense(touch.mask)), clean) {
            self.define_row(touch, &row, block);
            return;
        }
        if clean && touch.space != Space::Local && self.all_defined(touch, row.as_ref(), block) {
            return;
        }
        for (element, &reg) in sources.iter().enumerate() {
            let skip = u64::from(store.bytes) * element as u64;
            let bytes = store.bytes.min(8);
            self.set_memory_bits(touch, block, warp, touch.mask, skip, bytes, |bits, lane| bits.get(regs, reg, lane));
            if store.bytes == 16 {
                let high = |bits: &RegisterBits, lane| bits.get_high(regs, reg, lane);
                self.set_memory_bits(touch, block, warp, touch.mask, skip + 8, 8, high);
            }
            self.store_origins(touch, block, warp, regs, reg, skip);
        }
    }

    fn atomic(
        &mut self,
        touch: &Touch,
        atomic: &Atomic,
        block: &mut BlockState,
        warp: &mut WarpState,
        regs: &Registers,
    ) {
        for &reg in atomic.src.iter().chain([&atomic.swap]) {
            self.decide(&touch.at, warp, regs, reg, touch.mask, Decision::Atomic);
        }
        // An update whose old value nobody looks at writes, but observes nothing that the kernel could rely on.
        let kind = if atomic.looked_at { Kind::Atomic } else { Kind::Write };
        if touch.space == Space::Shared {
            self.stays_inside(touch, warp, Values::atomic(atomic, regs));
        }
        if atomic.operation == Operation::CompareExchange && touch.bytes <= 8 {
            for lane in lanes(touch.mask) {
                let value = regs.get(atomic.src[0], lane) & (u64::MAX >> (64 - 8 * touch.bytes));
                self.guesses.check(&mut warp.guesses, lane, touch.addresses[lane], touch.bytes, value);
            }
        }
        let (late, late_fails) = self.update_behind(touch, atomic, block, warp, regs);
        warp.bits.define(regs, atomic.dst[0], late);
        let touch = &Touch { mask: touch.mask & !late, ..*touch };
        let (failed, clock) = (failing(touch, atomic, regs), warp.clock);
        if let Some(hints) = &mut self.hints {
            hints.compared(&touch.at, self.sites.of(&touch.at, &warp.chains), atomic, failed | late_fails);
        }
        if touch.mask == 0 {
            return;
        }
        if atomic.dst[0].is_some() {
            self.acquire_first(touch, warp);
        }
        self.race(touch, None, kind, block, warp, Values::atomic(atomic, regs), failed);
        // What a `red` reads is part of no acquire pattern, says the ISA; chains go through it all the same.
        self.synchronise(touch, Kind::Atomic, atomic.dst[0].is_some(), failed, warp);
        self.note_holder(touch, changing(touch, atomic, regs, touch.mask & !failed), clock, warp);
        if self.delays.is_some() {
            self.note_reads(touch, failed, clock, block);
            self.note_writes(touch, touch.mask & !failed, clock, block, warp, true);
        }
        self.found(touch, atomic, block, warp, regs);
    }

    fn copy(&mut self, touch: &Touch, copy: &Start, to: bool, block: &mut BlockState, warp: &mut WarpState) {
        self.start_copy(touch, copy, to, block, warp)
    }

    fn waited(&mut self, warp: &mut WarpState, lane: usize, last: u32) {
        warp.waited_for(lane, last);
    }

    fn copied(&mut self, launch: &Launch, linear: u64, copy: &UnderWay, block: &mut BlockState) {
        self.move_copy(launch, copy, linear, block);
    }

    fn mbarrier(&mut self, touch: &Touch, op: &Mbarrier, block: &mut BlockState, warp: &mut WarpState) {
        self.use_mbarrier(touch, op, block, warp);
    }

    fn signal(&mut self, address: u64, signal: &Signal, block: &mut BlockState, warp: &mut WarpState) {
        self.mbarrier_signal(address, signal, block, warp);
    }

    fn fence(&mut self, at: &At, fence: &Fence, _: &mut BlockState, warp: &mut WarpState, mask: Mask) {
        self.pass_fence(at, fence, warp, mask);
    }

    fn meet(&mut self, at: &At, op: &Collective, _: &mut BlockState, warp: &mut WarpState, met: Mask) {
        self.goes_on(at, met);
        self.meeting(at, op, warp, met);
    }

    #[inline(always)]
    fn branch(&mut self, at: &At, warp: &mut WarpState, taken: Mask, on: Mask) {
        let lanes = self.ways_out.of(at, taken, on);
        if lanes != 0 {
            warp.ways.leave(at.pc, lanes);
        }
    }

    fn part(&mut self, at: &At, warp: &mut WarpState, one: Mask, other: Mask) {
        let site = self.sites.of(at, &warp.chains);
        warp.ways.part(site, one, other);
    }

    fn diverge(&mut self, at: &At, warp: &WarpState, id: u32, other: &Arrival, mask: Mask) {
        let theirs = At { pc: other.pc, frame: other.frame, ..*at };
        let sites = (self.sites.of(&theirs, &warp.chains), self.sites.of(at, &warp.chains));
        self.findings.diverged(at, &self.sites, sites, id, other, mask);
    }

    fn arrive(&mut self, at: &At, id: usize, block: &mut BlockState, warp: &mut WarpState, mask: Mask) {
        self.goes_on(at, mask);
        warp.arrived = self.sites.of(at, &warp.chains);
        block.sides[id].arrive(at, id, warp.arrived);
        block.barriers[id].arrive(at.warp, warp, mask);
    }

    fn cluster_arrive(&mut self, at: &At, releases: bool, warp: &mut WarpState, mask: Mask) {
        self.goes_on(at, mask);
        warp.arrive_at_cluster(at, releases, mask);
    }

    fn complete(&mut self, launch: &Launch, linear: u64, id: usize, block: &mut BlockState) {
        let sides = std::mem::take(&mut block.sides[id]);
        self.sides_met(launch, linear, sides);
        self.opens_without(launch, linear, sides, &block.ended);
        block.barriers[id].complete(linear);
        block.ended.completed(sides.is_whole());
        block.bits.iter_mut().for_each(Bits::settle);
    }

    fn release(&mut self, id: usize, block: &mut BlockState, warp: &mut WarpState, mask: Mask) {
        block.barriers[id].release(warp, mask);
        warp.passed = block.ended.passed(mask, warp.arrived, warp.passed);
    }

    fn exit(&mut self, at: &At, block: &mut BlockState, warp: &mut WarpState, mask: Mask) {
        self.leaves(at, warp, mask);
        warp.exited |= mask;
        let site = self.sites.of(at, &warp.chains);
        for (site, mask) in warp.ways.left(site, mask, at) {
            warp.ways.end(site, mask);
            block.ended.ended(at.warp, mask, site);
        }
        if let Some(delays) = &mut self.delays {
            delays.followers.end(at.block, at.warp, mask);
        }
        lanes(mask).for_each(|lane| self.guesses.end(&mut warp.guesses, lane));
    }
}

impl WatchValues for Checker<'_> {
    fn define_memory(&mut self, space: Space, base: u64, address: u64, bytes: u64, block: &mut BlockState) {
        self.written(space, base, address, bytes, block);
    }

    fn enter_frame(&mut self, warp: &mut WarpState, regs: &Registers, function: &Function, local: u64, mask: Mask) {
        warp.bits.enter(regs, function, mask);
        warp.forget_locals(local, mask);
    }

    fn copy_register(&mut self, warp: &mut WarpState, from: (Window, Reg), to: (Window, Reg), mask: Mask) {
        warp.bits.copy(from, to, mask);
    }

    fn copy_local(&mut self, warp: &mut WarpState, from: u64, to: u64, bytes: u64, mask: Mask) {
        warp.copy_locals(from, to, bytes, mask);
    }

    fn undefine_local(&mut self, warp: &mut WarpState, at: u64, bytes: u64, lane: usize) {
        warp.undefine_stack(at, bytes, lane);
    }

    fn define_local(&mut self, warp: &mut WarpState, at: u64, bytes: u64, mask: Mask) {
        warp.define_locals(at, bytes, mask);
    }

    #[inline(always)]
    fn alu(&mut self, warp: &mut WarpState, regs: &Registers, alu: &Alu, mask: Mask) {
        warp.bits.alu(regs, alu, mask);
        if self.held.1 != 0 {
            warp.bits.undefine(regs, alu.args.d, self.held.0);
            warp.bits.origins.spread(regs, self.held.2, alu.args.d, self.held.0);
            self.held.1 -= 1;
        }
    }

    fn define(&mut self, warp: &mut WarpState, regs: &Registers, reg: Reg, mask: Mask) {
        warp.bits.masks.forget(regs, reg, mask);
        warp.bits.define(regs, reg, mask);
    }

    fn active_mask(&mut self, at: &At, warp: &mut WarpState, regs: &Registers, reg: Reg, mask: Mask) {
        warp.bits.define(regs, reg, mask);
        let site = self.sites.of(at, &warp.chains);
        warp.bits.masks.asked(regs, reg, mask, site);
        if let Some(hints) = &mut self.hints {
            hints.asked(at, site, mask, warp.exists & !warp.exited);
        }
    }

    #[inline(always)]
    fn guard(&mut self, at: &At, warp: &mut WarpState, regs: &Registers, pred: u32, op: &Op, mask: Mask, runs: bool) {
        let reg = Reg { index: pred, width: machine::registers::Width::Pred };
        if warp.bits.is_tainted(regs, reg, mask) {
            self.undefined_guard(at, warp, regs, reg, op, mask, runs);
        }
    }

    #[inline(always)]
    fn decide(&mut self, at: &At, warp: &mut WarpState, regs: &Registers, reg: Reg, mask: Mask, what: Decision) {
        self.depends(at, warp, regs, reg, mask, what);
    }

    fn gather(&mut self, warp: &mut WarpState, regs: &Registers, op: &Collective, group: Mask) {
        warp.gather(regs, op, group);
    }

    fn collective(
        &mut self,
        at: &At,
        warp: &mut WarpState,
        regs: &Registers,
        op: &Collective,
        group: Mask,
        met: Mask,
        out: &Outputs,
    ) {
        if let Some(hints) = &mut self.hints {
            hints.shuffled(at, self.sites.of(at, &warp.chains), op.kind, group & !out.p);
        }
        self.give(at, warp, regs, op, group, met, out);
    }
}

impl Grids for Checker<'_> {
    fn inherit(&mut self, grid: u32, warp: &mut WarpState) {
        warp.views.fill(self.start_of(grid));
    }

    fn fresh_buffer(&mut self, launch: &Launch, address: u64, bytes: u64) {
        self.fresh(launch, address, bytes);
    }

    fn launches(&mut self, at: &At, warp: &mut WarpState, lane: usize, child: &Launch) {
        self.goes_on(at, 1 << lane);
        self.launched(at, warp, lane, child);
    }

    fn grid_begins(&mut self, grid: u32, after: &[u32]) {
        self.begins(grid, after);
    }

    fn grid_ends(&mut self, grid: u32, parent: u32) {
        self.ends(grid, parent);
    }

    fn allocated(&mut self, base: u64, bytes: u64) {
        self.state.bits.add(base, bytes, true);
    }
}

impl Oracle for Checker<'_> {
    fn older(&self, touch: &Touch, block: &BlockState, warp: &WarpState) -> Option<Box<Older>> {
        self.older_values(touch, block, warp)
    }

    fn goes_back(&mut self, older: &Older) {
        if let Some(delays) = &mut self.delays {
            delays.next = Some(Box::new(older.clone()));
        }
    }

    fn behind(&self, touch: &Touch, block: &BlockState, warp: &WarpState) -> Option<Box<[u8; WARP]>> {
        self.places_behind(touch, block, warp)
    }

    fn goes_behind(&mut self, back: &[u8; WARP]) {
        if let Some(delays) = &mut self.delays {
            delays.behind = Some(Box::new(*back));
        }
    }

    fn room(&self, touch: &Touch, atomic: &Atomic, block: &BlockState, warp: &WarpState) -> Option<Box<Room>> {
        self.room_for(touch, atomic, block, warp)
    }

    fn goes_late(&mut self, late: &Late) {
        if let Some(delays) = &mut self.delays {
            delays.late = Some(Box::new(late.clone()));
        }
    }

    fn last_write(&self, launch: &Launch, block: &BlockState, space: Space, address: u64) -> Option<LastWrite> {
        self.writer(launch, block, space, address)
    }
}

impl Checker<'_> {
    /// To be called when the launch is over.
    pub fn take_findings(&mut self) -> Vec<Entry> {
        self.findings.dismiss_guesses(&self.guesses);
        if self.findings.has_race() {
            // What a race has left in memory is no longer worth a finding of its own.
            self.state.bits.forget();
        }
        std::mem::take(&mut self.findings).finish()
    }

    pub fn sites(&self) -> &Sites {
        &self.sites
    }

    /// For launches that come after this one.
    pub fn keep_sites(&mut self) {
        self.state.past.keep_sites(self.number, std::mem::take(&mut self.sites));
    }
}
