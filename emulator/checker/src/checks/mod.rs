//! All checks at once: undefined values, and data races in shared and global memory.
//!
//! Bounds and alignment are checked by the machine itself. The checker holds one part of each folder and passes the
//! machine's events on to them. These parts are the happens-before order ([`crate::order`]), the shadow memory
//! ([`crate::fast`]), undefined values ([`crate::undefined`]), the evidence for causes ([`crate::evidence`]), and the
//! values that a load may get ([`crate::delays`]).

mod access;
mod barrier_objects;
mod bulk;
mod events;
mod hammocks;
mod padding;
mod peers;
mod products;
mod proxies;
mod races;
mod reordered;
mod speculation;
mod values;
mod ways;

use self::hammocks::PendingJoin;
use self::peers::PeerAccesses;
use crate::delays::history::Histories;
use crate::delays::loads::Delays;
use crate::delays::overlap::LaunchWrites;
use crate::evidence::compared::ComparedLoads;
use crate::evidence::exited::ExitBranches;
use crate::evidence::flags::Flags;
use crate::evidence::lockset::Lockset;
use crate::evidence::rejoin::Rejoins;
use crate::evidence::warp::{BlockTrace, WarpTrace};
use crate::evidence::ways::{GoneLanes, WarpWays};
use crate::findings::hints::Hints;
use crate::findings::list::{Findings, ListedFinding};
use crate::order::BlockOrder;
use crate::order::cluster::ClusterBarriers;
use crate::order::dependent::{BlockWaits, GridWaits};
use crate::order::grids::GridOrder;
use crate::order::locations::Releases;
use crate::order::warp::WarpOrder;
use crate::order::warp_seen::take_compared;
use crate::past::state::DeviceState;
use crate::races::{RaceCheck, RegionAccesses};
use crate::registers_of_products::{UsesOfProducts, WarpProductRegisters};
use crate::rule::RaceChecker;
use crate::sites::Sites;
use crate::sites::hammocks::Hammocks;
use crate::speculation::reads::{ReadWords, SpeculativeReads, WarpReads};
use crate::undefined::memory::BlockUndefined;
use crate::undefined::warp::WarpUndefined;
use finding::Finding;
use machine::exec::GridDependency;
use machine::exec::atomic::Atomic;
use machine::memory::history::OlderValues;
use machine::memory::space::Space;
use machine::registers::{Mask, Reg, Registers, WARP};
use machine::run::launch::Launch;
use machine::watch::{At, GridEvents, Keeps, LastWrite, Late, Older, Oracle, Room, Touch};
use rustc_hash::FxHashSet;

/// The checker of one launch.
pub struct Checker<'a> {
    state: &'a mut DeviceState,
    /// This launch's number among the device's.
    number: u32,
    findings: Findings,
    /// The notes: code that is no finding, but worth a word.
    notes: Findings,
    races: RaceCheck,
    releases: Releases,
    clusters: ClusterBarriers,
    /// Clusters have several blocks.
    has_peers: bool,
    grids: GridOrder,
    /// Its waits for the launches before it, if it may overlap with them.
    waits: Option<BlockWaits>,
    /// Reads whose races count once their value has an effect.
    speculation: SpeculativeReads,
    trace: CheckTrace,
    /// The instructions that use registers of products.
    uses: UsesOfProducts,
    /// Set under a schedule that gives loads older values and stores earlier positions in the coherence order.
    delays: Option<Delays>,
    /// True if a dependent launch may begin before this one has ended. One whose kernel does not take part counts as
    /// over.
    may_be_overlapped: bool,
    /// The values of global memory from before writes of earlier launches, until the machine takes them, or from before
    /// the writes of this launch, once it is over.
    older_values: OlderValues,
    /// True if some lane has gone astray: see [`WarpState::astray`].
    strays: bool,
}

/// The number of warps whose comparison in two views takes as long as a thread instruction.
const WARPS_PER_FUEL: u64 = 4;

/// Charges the launch for the joins of views, which take long if these have an entry for each of many warps.
fn burn_for_views(launch: &Launch) {
    let fuel = take_compared() / WARPS_PER_FUEL;
    if fuel != 0 {
        launch.tree.burn(fuel);
    }
}

/// The state that causes of findings are derived from.
struct CheckTrace {
    sites: Sites,
    flags: Flags,
    lockset: Lockset,
    compared: ComparedLoads,
    exit_branches: ExitBranches,
    rejoins: Rejoins,
    hammocks: Hammocks,
    /// Set if hints are asked for.
    hints: Option<Hints>,
}

/// The state of a warp.
#[derive(Default)]
pub struct WarpState {
    undefined: WarpUndefined,
    order: WarpOrder,
    trace: WarpTrace,
    ways: WarpWays,
    reads: WarpReads,
    pending_joins: Vec<PendingJoin>,
    products: WarpProductRegisters,
    /// The lanes whose control flow has depended on a value that an omitted access should have provided.
    astray: Mask,
}

/// The state of a block.
#[derive(Default)]
pub struct BlockState {
    undefined: BlockUndefined,
    order: BlockOrder,
    trace: BlockTrace,
    ways: GoneLanes,
    memory: RegionAccesses,
    /// Speculative reads of the block's shared memory.
    reads: ReadWords,
    histories: Histories,
    peers: PeerAccesses,
}

impl<'a> Checker<'a> {
    /// Creates the checker of a launch. `delays` is true if the schedule may give loads older values.
    pub fn new(state: &'a mut DeviceState, launch: &Launch, number: u32, delays: bool) -> Checker<'a> {
        // Earlier comparisons of this host thread do not count for this launch.
        take_compared();
        let trace = CheckTrace {
            sites: Sites::new(launch.code),
            flags: Flags::default(),
            lockset: Lockset::default(),
            compared: ComparedLoads::new(launch.code),
            exit_branches: ExitBranches::new(launch.code),
            rejoins: Rejoins::new(launch.code),
            hammocks: Hammocks::default(),
            hints: match (state.looks_for_hints(), state.notes_volatile_pairs()) {
                (true, _) => Hints::new(launch.code),
                (false, true) => Hints::of_volatile(launch.code),
                (false, false) => None,
            },
        };
        let races = RaceCheck::new(launch, state.judgement());
        let waits = state.past().overlaps().then(BlockWaits::default);
        let (writes, older_values) = state.take_overlapped_writes(number).unwrap_or_default();
        Checker {
            state,
            number,
            findings: Findings::default(),
            notes: Findings::default(),
            races,
            releases: Releases::default(),
            clusters: ClusterBarriers::default(),
            has_peers: launch.has_peers(),
            grids: GridOrder::new(launch),
            waits,
            speculation: SpeculativeReads::new(launch.code),
            trace,
            uses: UsesOfProducts::new(launch.code),
            delays: delays.then(|| Delays::new(writes)),
            may_be_overlapped: delays && launch.code.grid_dependencies,
            older_values,
            strays: false,
        }
    }

    /// Removes and returns the values of global memory from before writes of launches that this one overlaps with.
    pub fn take_older_values(&mut self) -> OlderValues {
        std::mem::take(&mut self.older_values)
    }

    /// Keeps the values of global memory from before the writes of this launch, which is over.
    pub fn keep_older_values(&mut self, values: OlderValues) {
        self.older_values = values;
    }

    /// Returns a number that grows whenever there is something new in [`Checker::found`].
    pub fn changes(&self) -> u64 {
        self.findings.changes()
    }

    /// Returns the findings so far, in the order in which they were found. Causes may be completed later.
    pub fn found(&self) -> impl Iterator<Item = &Finding> {
        self.findings.so_far()
    }

    /// Returns the results of the launch, once it is over.
    pub fn into_parts(self) -> Parts<'a> {
        let Checker { state, number, mut findings, notes, mut races, speculation, trace, strays, waits, .. } = self;
        let (delays, values) = (self.delays.filter(|_| self.may_be_overlapped), self.older_values);
        let writes = delays.map(|delays| delays.into_writes().into_earlier(number));
        state.keep_writes(writes.map(|writes| LaunchWrites { launch: number, writes, values }));
        for (base, reads) in speculation.used() {
            let (memory, ..) = state.memory(base);
            let mut checker = races.of_region(memory, base, number);
            reads.iter().for_each(|&(word, read)| checker.note_read(word, read));
        }
        let CheckTrace { sites, compared, mut hints, lockset, .. } = trace;
        let pairs = hints.as_mut().map(|hints| std::mem::take(hints.pairs()).finish()).unwrap_or_default();
        let notes = if strays { Vec::new() } else { told_notes(notes, &findings) };
        findings.dismiss_compared(&compared, &sites);
        if findings.has_race() || findings.has_skipped() {
            // Memory contents that depend on a race, or on an omitted access, are no longer worth a finding of their
            // own.
            state.forget_undefined();
        }
        Parts {
            findings: findings.finish(),
            notes,
            pairs,
            lock_takers: lockset.into_takers(),
            keeper: Keeper {
                state,
                number,
                sites,
                hints,
                waits: waits.map_or_else(GridWaits::default, |it| it.of_launch()),
            },
        }
    }
}

/// Returns the notes: code that PTX permits and CUDA C++ does not. None if lanes of one warp diverged before a barrier,
/// since that is reported and its fix covers these too. Races of loads that a compare-and-swap has checked still count
/// here.
fn told_notes(notes: Findings, findings: &Findings) -> Vec<ListedFinding> {
    if findings.has_divergence() {
        return Vec::new();
    }
    notes.finish()
}

/// The results of a launch, still without the details that its code provides.
pub struct Parts<'a> {
    pub findings: Vec<ListedFinding>,
    /// The notes: code that is no finding, but worth a word.
    pub notes: Vec<ListedFinding>,
    /// Unordered strong accesses, if they are asked for.
    pub pairs: Vec<ListedFinding>,
    /// The instructions that have taken what may be locks: the same thread gave the word back.
    pub lock_takers: FxHashSet<u32>,
    pub keeper: Keeper<'a>,
}

/// Keeps the state that outlives the launch, once all of it has been completed.
#[must_use]
pub struct Keeper<'a> {
    state: &'a mut DeviceState,
    number: u32,
    sites: Sites,
    hints: Option<Hints>,
    waits: GridWaits,
}

impl Keeper<'_> {
    pub fn sites(&self) -> &Sites {
        &self.sites
    }

    /// Keeps the sites and hints of the launch. `pairs` are those of [`Parts::pairs`], complete. Returns those that are
    /// notes of the launch.
    pub fn keep(self, launch: &Launch, pairs: Vec<Finding>) -> Vec<Finding> {
        let Keeper { state, number, sites, hints, waits } = self;
        let mut notes = Vec::new();
        if let Some(hints) = hints {
            notes = hints.volatile_notes(&pairs);
            state.keep_hints(hints.finish(launch, &sites, pairs));
        }
        state.keep_sites(number, sites, waits);
        notes
    }
}

impl Keeps for Checker<'_> {
    const ON: bool = true;
    const GOES_ON: bool = true;
    type Warp = WarpState;
    type Block = BlockState;
}

impl GridEvents for Checker<'_> {
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

    fn grid_dependency(&mut self, at: &At, op: GridDependency, warp: &mut WarpState, mask: Mask) {
        if let Some(waits) = &mut self.waits {
            waits.run(op, at.block, &mut warp.order, mask);
        }
    }

    fn launches(&mut self, at: &At, warp: &mut WarpState, lane: usize, child: &Launch) {
        if let Some(delays) = &mut self.delays {
            delays.note_publication(at, 1 << lane);
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

    fn misses_work(&self) -> bool {
        self.state.undefined().misses_work()
    }

    fn may_follow(&self) -> bool {
        self.strays || self.state.undefined().has_lost()
    }

    fn last_write(&self, launch: &Launch, block: &BlockState, space: Space, address: u64) -> Option<LastWrite> {
        let (memory, offset, eras) = match space {
            Space::Shared => (&block.memory, address, block.memory.eras()),
            Space::Global => {
                let base = launch.memory.allocation(address)?.base;
                (self.state.touched(base)?, address - base, self.number..=self.number)
            }
            _ => return None,
        };
        let (era, cell) = memory.cells.peek(offset);
        if !eras.contains(&era) || cell.write.is_void_or_older() {
            return None;
        }
        self.trace.lockset.last_write(launch, &self.trace.sites, cell.write, space, address)
    }
}
