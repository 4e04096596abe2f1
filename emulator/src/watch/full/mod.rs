//! All checks at once: undefined values, and data races over shared and global memory.
//!
//! Bounds and alignment are the machine's own business, checked or not. Here every value
//! carries its undefined bits ([`registers`], [`definedness`]) and every access is judged
//! against those before it ([`race`], with [`clock`] and [`sync`] for the order).

mod access;
mod cells;
mod clock;
mod copies;
mod definedness;
mod describe;
mod divergence;
mod guesses;
mod host;
mod race;
mod registers;
mod row;
mod side;
mod sites;
mod sync;
mod words;

pub use copies::Range;
pub use host::{Record, State};

use super::{At, Touch, Watch, Window};
use crate::exec::atomic::{Atomic, Operation};
use crate::exec::barrier::Fence;
use crate::exec::memory::{Load, Store};
use crate::exec::warp::{Collective, Kind as Meeting, Outputs};
use crate::exec::{Alu, Op};
use crate::machine::barrier::Arrival;
use crate::machine::code::Function;
use crate::machine::launch::Launch;
use crate::memory::space::Space;
use crate::registers::{Mask, Reg, Registers, WARP, lanes};
use crate::report::{Finding, Slug};
use cells::{Kind, MOST_INSTRUCTIONS};
use clock::{Clock, View, joined};
use definedness::Bits;
use describe::Findings;
use guesses::Guesses;
use registers::RegisterBits;
use row::Row;
use rustc_hash::FxHashMap;
use side::Side;
use sites::{Chain, Sites};
use std::rc::Rc;
use sync::{Patterns, Reach, SyncVar};
use words::Values;

/// The checker of one launch.
pub struct Full<'a> {
    state: &'a mut State,
    /// This launch's number among the device's.
    number: u32,
    warps_per_block: u32,
    side: Side,
    /// Sync variables by block (shared memory; `None`: global) and address.
    sync: FxHashMap<(Option<u64>, u64), SyncVar>,
    findings: Findings,
    sites: Sites,
    guesses: Guesses,
    /// Lanes whose guard was undefined, for the operations about to run, and how many these are.
    held: (Mask, usize),
    races: bool,
}

/// What is kept with a warp.
#[derive(Default)]
pub struct WarpState {
    bits: RegisterBits,
    /// Undefined bits of each thread's local memory.
    locals: Vec<Vec<u8>>,
    clock: Clock,
    views: Vec<Rc<View>>,
    patterns: Vec<Patterns>,
    /// Some thread of the warp has passed a fence.
    fenced: bool,
    /// The calls behind each frame.
    chains: Vec<Chain>,
    guesses: guesses::Open,
    /// Undefined bits that each lane brings to a meeting: its value, and all the rest.
    brought: Vec<(u64, bool)>,
}

/// What is kept with a block.
#[derive(Default)]
pub struct BlockState {
    bits: Option<Bits>,
    memory: race::Memory,
    barriers: Vec<Gathering>,
}

/// A barrier between its first arrival and its completion.
#[derive(Clone, Default)]
struct Gathering {
    view: Option<Rc<View>>,
    arrived: Vec<(u32, Mask, Clock)>,
    released: Option<Rc<View>>,
    /// What too narrow a scope has denied to one of them; then to whom the barrier lets it pass.
    denied: Option<Rc<View>>,
    denied_to_all: Option<Rc<View>>,
}

impl<'a> Full<'a> {
    pub fn new(state: &'a mut State, launch: &Launch, number: u32) -> Full<'a> {
        let races = launch.code.instrs.len() <= MOST_INSTRUCTIONS
            && launch.blocks() * u64::from(launch.warps_per_block()) < 1 << 27;
        Full {
            state,
            number,
            warps_per_block: launch.warps_per_block(),
            side: Side::default(),
            sync: FxHashMap::default(),
            findings: Findings::default(),
            sites: Sites::new(launch.code),
            guesses: Guesses::new(launch.code),
            held: (0, 0),
            races,
        }
    }

    /// Keeps what a plain load finds, in case a compare-and-swap checks it.
    fn guess(&mut self, touch: &Touch, warp: &mut WarpState) {
        let (Some(region), false) = (touch.region, touch.semantics.is_strong()) else { return };
        if touch.elements != 1 || touch.bytes > 8 || touch.space == Space::Param {
            return;
        }
        let site = self.sites.of(&touch.at, &warp.chains);
        for lane in lanes(touch.mask) {
            let value = region.load_sized(touch.addresses[lane], touch.bytes);
            self.guesses.load(&mut warp.guesses, lane, site, touch.addresses[lane], touch.bytes, value);
        }
    }

    /// Reports an undefined value for the first of `guilty`.
    fn undefined(&mut self, at: &At, warp: &WarpState, guilty: Mask, what: &str) {
        if guilty != 0 {
            let site = self.sites.of(at, &warp.chains);
            self.findings.undefined(at, &self.sites, site, guilty, what);
        }
    }
}

impl Watch for Full<'_> {
    const ON: bool = true;
    type Warp = WarpState;
    type Block = BlockState;

    fn begin_block(&mut self, launch: &Launch, _: u64, block: &mut BlockState) {
        block.bits = Some(Bits::new(launch.shared_bytes(), true));
        block.memory.block += 1;
        block.barriers.clear();
        block.barriers.resize(crate::machine::block::BARRIERS, Gathering::default());
    }

    fn begin_warp(&mut self, warp: &mut WarpState, regs: &Registers, kernel: &Function, exists: Mask) {
        warp.bits.enter(regs, kernel, exists);
        warp.locals.clear();
        warp.locals.resize(WARP, Vec::new());
        warp.clock = 1;
        warp.fenced = false;
        warp.views.clear();
        warp.views.resize(WARP, Rc::new(View::default()));
        warp.chains.clear();
        warp.patterns.clear();
        warp.patterns.resize(WARP, Patterns::default());
    }

    fn enter_frame(&mut self, warp: &mut WarpState, regs: &Registers, function: &Function, local: u64, mask: Mask) {
        warp.bits.enter(regs, function, mask);
        // What an earlier call has left on the stack is nobody's any more.
        lanes(mask).for_each(|lane| warp.locals[lane].truncate(local as usize));
    }

    fn called(&mut self, call: &At, warp: &mut WarpState, frame: u32) {
        let outer = warp.chains.get(call.frame as usize).copied().unwrap_or(0);
        if warp.chains.len() <= frame as usize {
            warp.chains.resize(frame as usize + 1, 0);
        }
        warp.chains[frame as usize] = self.sites.call(outer, call.pc);
    }

    fn copy_register(&mut self, warp: &mut WarpState, from: (Window, Reg), to: (Window, Reg), mask: Mask) {
        warp.bits.copy(from, to, mask);
    }

    fn copy_local(&mut self, warp: &mut WarpState, from: u64, to: u64, bytes: u64, mask: Mask) {
        for lane in lanes(mask) {
            let local = &mut warp.locals[lane];
            let (from, to, bytes) = (from as usize, to as usize, bytes as usize);
            let end = from.max(to) + bytes;
            if local.len() < end {
                local.resize(end, 0xff);
            }
            local.copy_within(from..from + bytes, to);
        }
    }

    fn define_local(&mut self, warp: &mut WarpState, at: u64, bytes: u64, mask: Mask) {
        let range = at as usize..(at + bytes) as usize;
        for lane in lanes(mask) {
            let local = &mut warp.locals[lane];
            if local.len() < range.end {
                local.resize(range.end, 0xff);
            }
            local[range.clone()].fill(0);
        }
    }

    #[inline(always)]
    fn alu(&mut self, warp: &mut WarpState, regs: &Registers, alu: &Alu, mask: Mask) {
        warp.bits.alu(regs, alu, mask);
        if self.held.1 != 0 {
            warp.bits.undefine(regs, alu.args.d, self.held.0);
            self.held.1 -= 1;
        }
    }

    fn define(&mut self, warp: &mut WarpState, regs: &Registers, reg: Reg, mask: Mask) {
        warp.bits.define(regs, reg, mask);
    }

    #[inline(always)]
    fn guard(&mut self, at: &At, warp: &mut WarpState, regs: &Registers, pred: u32, op: &Op, mask: Mask, runs: bool) {
        let reg = Reg { index: pred, width: crate::registers::Width::Pred };
        if !warp.bits.is_tainted(regs, reg, mask) {
            return;
        }
        let guilty = warp.bits.undefined_lanes(regs, reg, mask);
        // Whether it runs or not, its result is undefined; that is not yet a decision.
        let steps = match op {
            Op::Alu(alu) => std::slice::from_ref(alu),
            Op::Steps(steps) => steps,
            _ => &[],
        };
        for alu in steps {
            warp.bits.undefine(regs, alu.args.d, guilty);
        }
        match op {
            // Those lanes that do run it must not define it either.
            Op::Alu(_) | Op::Steps(_) => self.held = (guilty, if runs { steps.len() } else { 0 }),
            Op::Branch(_) | Op::Return | Op::Exit => self.undefined(at, warp, guilty, "a branch"),
            _ => self.undefined(at, warp, guilty, "a condition"),
        }
    }

    fn decide(&mut self, at: &At, warp: &mut WarpState, regs: &Registers, reg: Reg, mask: Mask, what: &'static str) {
        let guilty = warp.bits.undefined_lanes(regs, reg, mask);
        self.undefined(at, warp, guilty, what);
    }

    fn load(&mut self, touch: &Touch, load: &Load, block: &mut BlockState, warp: &mut WarpState, regs: &Registers) {
        let row = Row::of(touch);
        self.synchronise(touch, Kind::Read, 0, warp);
        self.race(touch, row.as_ref(), Kind::Read, block, warp, Values::load(load));
        if self.guesses.on {
            self.guess(touch, warp);
        }
        if self.all_defined(touch, row.as_ref(), block) {
            load.dst[..load.elements as usize].iter().for_each(|&reg| warp.bits.define(regs, reg, touch.mask));
            return;
        }
        for (element, &reg) in load.dst[..load.elements as usize].iter().enumerate() {
            let skip = u64::from(load.bytes) * element as u64;
            let mut undefined = self.memory_bits(touch, block, warp, skip, load.bytes.min(8));
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
            } else if any == 0 {
                warp.bits.define(regs, reg, touch.mask);
            } else {
                lanes(touch.mask).for_each(|lane| warp.bits.set(regs, reg, lane, undefined[lane]));
                warp.bits.settle(regs, reg);
            }
        }
    }

    fn store(&mut self, touch: &Touch, store: &Store, block: &mut BlockState, warp: &mut WarpState, regs: &Registers) {
        let row = Row::of(touch);
        self.race(touch, row.as_ref(), Kind::Write, block, warp, Values::store(store, regs));
        self.synchronise(touch, Kind::Write, 0, warp);
        let sources = &store.src[..store.elements as usize];
        if let Some(row) = row.filter(|row| touch.space != Space::Local && row.is_dense(touch.mask))
            && !sources.iter().any(|&reg| warp.bits.is_tainted(regs, reg, touch.mask))
        {
            self.define_row(touch, &row, block);
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
            let guilty = warp.bits.undefined_lanes(regs, reg, touch.mask);
            self.undefined(&touch.at, warp, guilty, "an atomic operation");
        }
        // An update whose old value nobody looks at writes, but observes nothing that the kernel could rely on.
        let kind = if atomic.looked_at { Kind::Atomic } else { Kind::Write };
        self.race(touch, None, kind, block, warp, Values::atomic(atomic, regs));
        self.synchronise(touch, Kind::Atomic, failing(touch, atomic, regs), warp);
        if atomic.operation == Operation::CompareExchange && touch.bytes <= 8 {
            for lane in lanes(touch.mask) {
                let value = regs.get(atomic.src[0], lane) & (u64::MAX >> (64 - 8 * touch.bytes));
                self.guesses.check(&mut warp.guesses, lane, touch.addresses[lane], touch.bytes, value);
            }
        }
        let defined = self.all_defined(touch, None, block);
        for element in 0..atomic.elements {
            let skip = u64::from(touch.bytes * element);
            let dst = atomic.dst[element as usize];
            warp.bits.define(regs, dst, touch.mask);
            if defined {
                continue;
            }
            let mut old_undefined: Mask = 0;
            let bytes = touch.bytes.min(8);
            let low = self.memory_bits(touch, block, warp, skip, bytes);
            let high = if touch.bytes == 16 { self.memory_bits(touch, block, warp, skip + 8, 8) } else { [0; WARP] };
            for lane in lanes(touch.mask) {
                // The first lane of several leaves the word defined for the others.
                let same = |earlier: usize| touch.addresses[earlier] == touch.addresses[lane];
                if low[lane] | high[lane] == 0 || lanes(old_undefined).any(same) {
                    continue;
                }
                old_undefined |= 1 << lane;
                self.set_memory_bits(touch, block, warp, 1 << lane, skip, bytes, |_, _| 0);
                if touch.bytes == 16 {
                    self.set_memory_bits(touch, block, warp, 1 << lane, skip + 8, 8, |_, _| 0);
                }
                // An exchange computes nothing: what it found is undefined, which is no finding yet.
                if atomic.operation == Operation::Exchange {
                    warp.bits.set(regs, dst, lane, low[lane]);
                    warp.bits.set_high(regs, dst, lane, high[lane]);
                }
            }
            if atomic.operation != Operation::Exchange {
                self.undefined(&touch.at, warp, old_undefined, "an atomic operation");
            } else if old_undefined != 0 {
                warp.bits.settle(regs, dst);
            }
        }
    }

    fn fence(&mut self, at: &At, fence: &Fence, _: &mut BlockState, warp: &mut WarpState, mask: Mask) {
        let reach = Reach::new(fence.semantics.scope, at.block);
        for lane in lanes(mask) {
            if fence.semantics.acquires() {
                for (theirs, view) in std::mem::take(&mut warp.patterns[lane].pending) {
                    if theirs.meets(reach) {
                        warp.views[lane] = joined(&warp.views[lane], &view);
                    } else {
                        // A wider fence may follow.
                        sync::deny(&mut warp.patterns[lane].denied, Some(&view));
                        warp.patterns[lane].pending.push((theirs, view));
                    }
                }
            }
            if fence.semantics.releases() {
                let mut view = (*warp.views[lane]).clone();
                view.raise(at.block, at.warp, 1 << lane, warp.clock);
                warp.patterns[lane].fence = Some((reach, Rc::new(view)));
            }
        }
        warp.clock += 1;
        warp.fenced = true;
    }

    fn meet(&mut self, at: &At, op: &Collective, _: &mut BlockState, warp: &mut WarpState, met: Mask) {
        warp.brought.clear();
        warp.brought.resize(WARP, (0, false));
        // Only bar.warp.sync orders memory; shuffles and votes exchange registers.
        if op.kind != Meeting::Barrier {
            return;
        }
        let mut whole: Option<Rc<View>> = None;
        for lane in lanes(met) {
            let mine = &warp.views[lane];
            whole = Some(whole.map_or_else(|| mine.clone(), |whole| joined(&whole, mine)));
        }
        let mut view = (*whole.unwrap_or_default()).clone();
        view.raise(at.block, at.warp, met, warp.clock);
        let view = Rc::new(view);
        lanes(met).for_each(|lane| warp.views[lane] = view.clone());
        let mut denied = None;
        lanes(met).for_each(|lane| sync::deny(&mut denied, warp.patterns[lane].denied.as_ref()));
        if denied.is_some() {
            lanes(met).for_each(|lane| sync::deny(&mut warp.patterns[lane].denied, denied.as_ref()));
        }
        warp.clock += 1;
    }

    fn gather(&mut self, warp: &mut WarpState, regs: &Registers, op: &Collective, group: Mask) {
        for lane in lanes(group) {
            let value = warp.bits.get(regs, op.a, lane);
            let rest = warp.bits.get(regs, op.b, lane) | warp.bits.get(regs, op.c, lane);
            warp.brought[lane] = (value, rest != 0);
        }
    }

    fn collective(
        &mut self,
        _: &At,
        warp: &mut WarpState,
        regs: &Registers,
        op: &Collective,
        group: Mask,
        met: Mask,
        out: &Outputs,
    ) {
        let any = lanes(met).any(|lane| warp.brought[lane].0 != 0);
        for lane in lanes(group) {
            let undefined = match op.kind {
                Meeting::Barrier | Meeting::Elect => 0,
                Meeting::Shuffle(_) => {
                    let from = out.source[lane] as usize;
                    // What an absent lane holds is anybody's guess.
                    let absent = met >> from & 1 == 0;
                    if absent || warp.brought[lane].1 { !0 } else { warp.brought[from].0 }
                }
                Meeting::Vote(crate::exec::warp::Vote::Ballot) => {
                    lanes(met).map(|other| u64::from(warp.brought[other].0 != 0) << other).sum()
                }
                _ if any => !0,
                _ => 0,
            };
            warp.bits.set(regs, op.d, lane, undefined);
            let range = matches!(op.kind, Meeting::Shuffle(_)) && warp.brought[lane].1;
            let agree = matches!(op.kind, Meeting::MatchAll { .. }) && any;
            warp.bits.set(regs, op.p, lane, u64::from(range || agree));
        }
        warp.bits.settle(regs, op.d);
    }

    fn diverge(&mut self, at: &At, warp: &WarpState, id: u32, other: &Arrival, mask: Mask) {
        let theirs = At { pc: other.pc, frame: other.frame, ..*at };
        let sites = (self.sites.of(&theirs, &warp.chains), self.sites.of(at, &warp.chains));
        self.findings.diverged(at, &self.sites, sites, id, other, mask);
    }

    fn arrive(&mut self, at: &At, id: usize, block: &mut BlockState, warp: &mut WarpState, mask: Mask) {
        let gathering = &mut block.barriers[id];
        for lane in lanes(mask) {
            let mine = &warp.views[lane];
            gathering.view = Some(match gathering.view.take() {
                Some(view) => joined(&view, mine),
                None => mine.clone(),
            });
            sync::deny(&mut gathering.denied, warp.patterns[lane].denied.as_ref());
        }
        gathering.arrived.push((at.warp, mask, warp.clock));
        warp.clock += 1;
    }

    fn complete(&mut self, _: &Launch, linear: u64, id: usize, block: &mut BlockState) {
        let gathering = &mut block.barriers[id];
        let mut view = (*gathering.view.take().unwrap_or_default()).clone();
        for (warp, mask, clock) in gathering.arrived.drain(..) {
            view.raise(linear, warp, mask, clock);
        }
        gathering.released = Some(Rc::new(view));
        gathering.denied_to_all = gathering.denied.take();
    }

    fn release(&mut self, id: usize, block: &mut BlockState, warp: &mut WarpState, mask: Mask) {
        if let Some(view) = &block.barriers[id].released {
            lanes(mask).for_each(|lane| warp.views[lane] = view.clone());
        }
        if let Some(denied) = &block.barriers[id].denied_to_all {
            lanes(mask).for_each(|lane| sync::deny(&mut warp.patterns[lane].denied, Some(denied)));
        }
    }

    fn exit(&mut self, _: &At, _: &mut BlockState, warp: &mut WarpState, mask: Mask) {
        lanes(mask).for_each(|lane| self.guesses.end(&mut warp.guesses, lane));
    }

    fn findings(mut self) -> Vec<Finding> {
        self.findings.dismiss_guesses(&self.guesses);
        if self.findings.has_race() {
            // What a race has left in memory is no longer worth a finding of its own.
            self.state.bits.forget();
        }
        self.state.past.keep_sites(self.number, self.sites);
        self.findings.finish()
    }
}

/// Lanes whose compare-and-exchange will find something else, lanes going one after the other.
fn failing(touch: &Touch, atomic: &Atomic, regs: &Registers) -> Mask {
    let (Operation::CompareExchange, Some(region)) = (atomic.operation, touch.region) else { return 0 };
    let kept = u128::MAX >> (128 - 8 * touch.bytes);
    let mut written: FxHashMap<u64, u128> = FxHashMap::default();
    let mut failed = 0;
    for lane in lanes(touch.mask) {
        let address = touch.addresses[lane];
        let old = written.get(&address).copied().unwrap_or_else(|| match touch.bytes {
            16 => u128::from(region.load_sized(address + 8, 8)) << 64 | u128::from(region.load_sized(address, 8)),
            bytes => region.load_sized(address, bytes).into(),
        });
        if old == regs.get_quad(atomic.src[0], lane) & kept {
            written.insert(address, regs.get_quad(atomic.swap, lane) & kept);
        } else {
            failed |= 1 << lane;
        }
    }
    failed
}

/// The slug of a race by its space and cause.
fn slug_of(space: Space, scope: bool) -> Slug {
    match (scope, space) {
        (true, _) => Slug::RaceScope,
        (_, Space::Shared) => Slug::RaceShared,
        _ => Slug::RaceGlobal,
    }
}
