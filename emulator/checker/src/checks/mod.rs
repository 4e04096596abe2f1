//! All checks at once: undefined values, and data races over shared and global memory.
//!
//! Bounds and alignment are the machine's own business, checked or not. The checker holds one part of each folder and passes
//! on what the machine tells. These parts know who is before whom ([`crate::order`]), who touched what last
//! ([`crate::access`]) and what nobody has written ([`crate::undefined`]). They also know what causes need ([`crate::evidence`]),
//! and which values a load may get ([`crate::delays`]).

mod access;
mod events;
mod padding;
mod values;
mod ways;

use crate::access::accesses::Accesses;
use crate::access::cells::Memory;
use crate::delays::history::Histories;
use crate::delays::loads::Delays;
use crate::evidence::compared::ComparedLoads;
use crate::evidence::exited::ExitBranches;
use crate::evidence::flags::Flags;
use crate::evidence::lockset::Lockset;
use crate::evidence::rejoin::Rejoins;
use crate::evidence::warp::{BlockTrace, WarpTrace};
use crate::evidence::ways::{Gone, WarpWays};
use crate::findings::hints::Hints;
use crate::findings::list::{Entry, Findings};
use crate::order::BlockOrder;
use crate::order::grids::GridOrder;
use crate::order::locations::Releases;
use crate::order::warp::WarpOrder;
use crate::order::warp_seen::take_compared;
use crate::past::state::State;
use crate::sites::Sites;
use crate::undefined::memory::BlockUndefined;
use crate::undefined::warp::WarpUndefined;
use finding::Finding;
use machine::exec::atomic::Atomic;
use machine::memory::space::Space;
use machine::registers::{Mask, Reg, Registers, WARP};
use machine::run::launch::Launch;
use machine::watch::{At, Grids, Keeps, LastWrite, Late, Older, Oracle, Room, Touch};

/// The checker of one launch.
pub struct Checker<'a> {
    state: &'a mut State,
    /// This launch's number among the device's.
    number: u32,
    findings: Findings,
    /// What is no finding and worth a word.
    notes: Findings,
    accesses: Accesses,
    releases: Releases,
    grids: GridOrder,
    trace: Trace,
    /// Under a schedule that gives loads older values and puts stores behind others: how.
    delays: Option<Delays>,
    /// Some lane has gone astray.
    strays: bool,
}

/// So many warps of which two views are compared take as long as a thread instruction.
const WARPS_PER_FUEL: u64 = 4;

/// Views that know of many warps one by one take long to join: that is work of the launch's.
fn burn_for_views(launch: &Launch) {
    let fuel = take_compared() / WARPS_PER_FUEL;
    if fuel != 0 {
        launch.tree.burn(fuel);
    }
}

/// What causes need to know.
struct Trace {
    sites: Sites,
    flags: Flags,
    lockset: Lockset,
    compared: ComparedLoads,
    exit_branches: ExitBranches,
    rejoins: Rejoins,
    /// Where they are asked for.
    hints: Option<Hints>,
}

/// What is kept with a warp.
#[derive(Default)]
pub struct WarpState {
    undefined: WarpUndefined,
    order: WarpOrder,
    trace: WarpTrace,
    ways: WarpWays,
    /// Lanes that have gone where a value led them that an access left out should have brought.
    astray: Mask,
}

/// What is kept with a block.
#[derive(Default)]
pub struct BlockState {
    undefined: BlockUndefined,
    order: BlockOrder,
    trace: BlockTrace,
    ways: Gone,
    memory: Memory,
    histories: Histories,
}

impl<'a> Checker<'a> {
    /// `delays` says that the schedule may give loads older values.
    pub fn new(state: &'a mut State, launch: &Launch, number: u32, delays: bool) -> Checker<'a> {
        // What this host thread has compared before is not this launch's.
        take_compared();
        let trace = Trace {
            sites: Sites::new(launch.code),
            flags: Flags::default(),
            lockset: Lockset::default(),
            compared: ComparedLoads::new(launch.code),
            exit_branches: ExitBranches::new(launch.code),
            rejoins: Rejoins::new(launch.code),
            hints: if state.looks_for_hints() { Hints::new(launch.code) } else { None },
        };
        Checker {
            state,
            number,
            findings: Findings::default(),
            notes: Findings::default(),
            accesses: Accesses::new(launch),
            releases: Releases::default(),
            grids: GridOrder::new(launch),
            trace,
            delays: delays.then(Delays::default),
            strays: false,
        }
    }

    /// Grows whenever there is something new in [`Checker::found`].
    pub fn changes(&self) -> u64 {
        self.findings.changes()
    }

    /// What has been found so far, in the order in which it was found. Causes may be completed later.
    pub fn found(&self) -> impl Iterator<Item = &Finding> {
        self.findings.so_far()
    }

    /// What the launch has shown, once it is over.
    pub fn into_parts(self) -> Parts<'a> {
        let Checker { state, number, mut findings, notes, trace, strays, .. } = self;
        let Trace { sites, compared, mut hints, .. } = trace;
        let pairs = hints.as_mut().map(|hints| std::mem::take(hints.pairs()).finish()).unwrap_or_default();
        let notes = if strays { Vec::new() } else { told_notes(notes, &findings) };
        findings.dismiss_compared(&compared, &sites);
        if findings.has_race() || findings.has_skipped() {
            // What a race has left in memory is no longer worth a finding of its own, nor what an access that was left out has.
            state.forget_undefined();
        }
        Parts { findings: findings.finish(), notes, pairs, keeper: Keeper { state, number, sites, hints } }
    }
}

/// What is allowed to PTX and not to CUDA C++. Nothing where lanes of one warp have parted before a barrier: that is reported,
/// and its fix covers this too. Races of loads that compare-and-swaps have checked still count here.
fn told_notes(notes: Findings, findings: &Findings) -> Vec<Entry> {
    if findings.has_divergence() {
        return Vec::new();
    }
    notes.finish()
}

/// What a launch has shown, to be completed by what its code says.
pub struct Parts<'a> {
    pub findings: Vec<Entry>,
    /// What is no finding and worth a word.
    pub notes: Vec<Entry>,
    /// Strong accesses that nothing orders, where they are asked for.
    pub pairs: Vec<Entry>,
    pub keeper: Keeper<'a>,
}

/// Keeps what outlives the launch, once all of it has been completed.
#[must_use]
pub struct Keeper<'a> {
    state: &'a mut State,
    number: u32,
    sites: Sites,
    hints: Option<Hints>,
}

impl Keeper<'_> {
    pub fn sites(&self) -> &Sites {
        &self.sites
    }

    /// `pairs` are those of [`Parts::pairs`], complete.
    pub fn keep(self, launch: &Launch, pairs: Vec<Finding>) {
        let Keeper { state, number, sites, hints } = self;
        if let Some(hints) = hints {
            state.keep_hints(hints.finish(launch, &sites, pairs));
        }
        state.keep_sites(number, sites);
    }
}

impl Keeps for Checker<'_> {
    const ON: bool = true;
    const GOES_ON: bool = true;
    type Warp = WarpState;
    type Block = BlockState;
}

impl Grids for Checker<'_> {
    fn inherit(&mut self, grid: u32, warp: &mut WarpState) {
        warp.order.inherit(self.grids.start_of(grid));
    }

    fn fresh_buffer(&mut self, launch: &Launch, address: u64, bytes: u64) {
        let Some(base) = launch.memory.region(address).map(|region| region.base()) else { return };
        self.state.renew(base, address - base, bytes);
        if let Some(delays) = &mut self.delays {
            delays.forget(address, bytes);
        }
    }

    fn launches(&mut self, at: &At, warp: &mut WarpState, lane: usize, child: &Launch) {
        if let Some(delays) = &mut self.delays {
            delays.goes_on(at, 1 << lane);
        }
        self.grids.launched(at, &mut warp.order, lane, child);
    }

    fn grid_begins(&mut self, grid: u32, after: &[u32]) {
        self.grids.begins(grid, after);
    }

    fn grid_ends(&mut self, grid: u32, parent: u32) {
        self.grids.ends(grid, parent);
    }

    fn grids_kept(&mut self, complete: &[u32]) {
        self.grids.keeps(complete);
    }

    fn allocated(&mut self, base: u64, bytes: u64) {
        self.state.add_memory(base, bytes, true);
    }

    fn freed(&mut self, base: u64) {
        self.state.forget_memory(base);
    }
}

impl Oracle for Checker<'_> {
    fn older(&self, touch: &Touch, block: &BlockState, warp: &WarpState) -> Option<Box<Older>> {
        self.delays.as_ref()?.older_values(touch, &block.histories, &warp.order)
    }

    fn goes_back(&mut self, older: &Older) {
        if let Some(delays) = &mut self.delays {
            delays.goes_back(older);
        }
    }

    fn behind(&self, touch: &Touch, block: &BlockState, warp: &WarpState) -> Option<Box<[u8; WARP]>> {
        self.delays.as_ref()?.places_behind(touch, &block.histories, &warp.order)
    }

    fn goes_behind(&mut self, back: &[u8; WARP]) {
        if let Some(delays) = &mut self.delays {
            delays.goes_behind(back);
        }
    }

    fn room(&self, touch: &Touch, atomic: &Atomic, block: &BlockState, warp: &WarpState) -> Option<Box<Room>> {
        self.delays.as_ref()?.may_find(touch, atomic, &block.histories, &warp.order)
    }

    fn goes_late(&mut self, late: &Late) {
        if let Some(delays) = &mut self.delays {
            delays.goes_late(late);
        }
    }

    fn misled(&self, warp: &WarpState, regs: &Registers, reg: Reg, mask: Mask) -> Mask {
        warp.undefined.registers.misled(regs, reg, mask)
    }

    fn astray(&self, warp: &WarpState) -> Mask {
        warp.astray
    }

    fn may_follow(&self) -> bool {
        self.strays || self.state.undefined().has_lost()
    }

    fn last_write(&self, launch: &Launch, block: &BlockState, space: Space, address: u64) -> Option<LastWrite> {
        let (memory, offset) = match space {
            Space::Shared => (&block.memory, address),
            Space::Global => {
                let base = launch.memory.allocation(address)?.base;
                (self.state.touched(base)?, address - base)
            }
            _ => return None,
        };
        let (number, cell) = memory.cells.peek(offset);
        if number != self.number || cell.write.is_void_or_older() {
            return None;
        }
        self.trace.lockset.last_write(launch, &self.trace.sites, cell.write, space, address)
    }
}
