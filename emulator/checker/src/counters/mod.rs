//! Counts the events of a launch, instruction by instruction; exact for the schedule it runs under.
//!
//! Each program address has its own sums; they are added up by line when the launch is over. A warp instruction counts
//! once for each group of lanes that runs it together, as on a GPU. One that a schedule makes a warp repeat
//! (`adversarial` holds groups back at barriers) counts each time.

mod memory;

use machine::code::{Instr, KernelCode};
use machine::counters::{Counter, LaunchCounts, LineName, Totals};
use machine::exec::Op;
use machine::exec::async_copy::{Async, AsyncCopyOp};
use machine::exec::barrier::Fence;
use machine::exec::branch::BranchOp;
use machine::exec::class::Class;
use machine::exec::warp::Collective;
use machine::memory::space::{self, Space};
use machine::registers::{Mask, Registers, WARP, lanes};
use machine::run::launch::Launch;
use machine::run::{access, async_copies};
use machine::watch::{At, CollectiveGroup, Events, GridEvents, Keeps, Oracle, ValueEvents};
use memory::{Passes, local_sectors, meetings, sectors, shared_passes};
use rustc_hash::FxHashMap;

/// The counts that most instructions need.
#[derive(Clone, Copy, Default)]
struct Site {
    warps: u64,
    threads: u64,
    threads_on: u64,
}

/// The work of a thread.
#[derive(Clone, Copy, Default)]
struct ThreadWork {
    instructions: u64,
    /// The number of elements of memory.
    accesses: u64,
}

/// The work of the threads of a warp.
#[derive(Default)]
struct WarpWork {
    done: [ThreadWork; WARP],
    /// By the address of a backward branch: a fingerprint of each lane's registers there, and the lane's work so far.
    rounds: FxHashMap<u32, [(u64, ThreadWork); WARP]>,
}

impl WarpWork {
    fn does(&mut self, instr: &Instr, exec: Mask) {
        let accesses = match &instr.op {
            Op::Load(load) => load.elements,
            Op::Store(store) => store.elements,
            Op::Atomic(atomic) => atomic.elements,
            _ => 0,
        };
        let accesses = if instr.class == Class::Constant { 0 } else { accesses };
        for (lane, done) in self.done.iter_mut().enumerate() {
            let is_on = u64::from(exec >> lane & 1);
            done.instructions += is_on;
            done.accesses += is_on * u64::from(accesses);
        }
    }

    /// Records that lanes go back to the beginning of a loop. An iteration that has changed no register was only
    /// waiting.
    fn goes_back(&mut self, pc: u32, regs: &Registers, exec: Mask) {
        let now = regs.fingerprints();
        let last = self.rounds.entry(pc).or_default();
        for lane in lanes(exec) {
            match last[lane] {
                (held, done) if held == now[lane] && done.instructions != 0 => self.done[lane] = done,
                _ => last[lane] = (now[lane], self.done[lane]),
            }
        }
    }
}

/// The sums of one launch.
pub struct Counting<'a> {
    code: &'a KernelCode,
    /// By program address.
    sites: Vec<Site>,
    /// By program address, for instructions with further counts.
    more: Vec<Option<Box<Totals>>>,
    /// The counts that belong to no instruction.
    launch: Totals,
    /// The number of operations by address; for shared memory, also by block.
    atomics: FxHashMap<(Option<u64>, u64), u64>,
    /// Lanes that wrote, by allocation, block and warp.
    writers: FxHashMap<(u64, u64, u32), Mask>,
    /// The work of each warp, by block and warp.
    work: FxHashMap<(u64, u32), Box<WarpWork>>,
    /// By block and number of the barrier: the first warp that has arrived, and true if it is for others too.
    arrived: FxHashMap<(u64, usize), (u32, bool)>,
    /// The instruction of the arrival that may complete a barrier.
    arrival: Option<u32>,
    /// True if no group of the meeting in progress has been counted.
    is_first: bool,
}

impl<'a> Counting<'a> {
    pub fn new(launch: &'a Launch<'a>) -> Counting<'a> {
        let code = launch.code;
        let mut totals = Totals::default();
        totals[Counter::Blocks] = launch.blocks();
        totals[Counter::Warps] = launch.blocks() * u64::from(launch.warps_per_block());
        totals[Counter::Threads] = launch.blocks() * u64::from(launch.threads_per_block());
        Counting {
            code,
            sites: vec![Site::default(); code.instrs.len()],
            more: vec![None; code.instrs.len()],
            launch: totals,
            atomics: FxHashMap::default(),
            writers: FxHashMap::default(),
            work: FxHashMap::default(),
            arrived: FxHashMap::default(),
            arrival: None,
            is_first: false,
        }
    }

    fn at(&mut self, pc: u32) -> &mut Totals {
        self.more[pc as usize].get_or_insert_default()
    }

    /// Returns the count of the thread with the most.
    fn most(&self, of: fn(ThreadWork) -> u64) -> u64 {
        self.work.values().flat_map(|work| work.done).map(of).max().unwrap_or(0)
    }

    /// Returns all counts, by launch and by line.
    pub fn counted(self) -> LaunchCounts {
        let mut counted = LaunchCounts {
            totals: self.launch,
            atomic_addresses: self.atomics.len() as u64,
            busiest_address: self.atomics.values().copied().max().unwrap_or(0),
            busiest_thread: self.most(|done| done.instructions),
            most_accesses: self.most(|done| done.accesses),
            ..LaunchCounts::default()
        };
        for ((base, ..), lanes) in &self.writers {
            *counted.writers.entry(*base).or_default() += u64::from(lanes.count_ones());
        }
        for (pc, (site, more)) in (0..).zip(self.sites.iter().zip(self.more)) {
            let mut totals = more.map_or_else(Totals::default, |more| *more);
            if site.warps != 0 {
                totals[Counter::Instructions] = site.warps;
                totals[Counter::ThreadInstructions] = site.threads;
                totals[Counter::ThreadInstructionsOn] = site.threads_on;
                totals[self.code.instrs[pc as usize].class.counter()] += site.threads_on;
            }
            if totals == Totals::default() {
                continue;
            }
            counted.totals += &totals;
            if let Some(place) = self.code.user_lines(pc, &[]).0 {
                *counted.lines.entry(LineName { file: place.file, line: place.line }).or_default() += &totals;
            }
        }
        counted
    }

    fn branch(&mut self, at: &At, regs: &Registers, branch: &BranchOp, mask: Mask, exec: Mask) {
        let (divides, is_back) = match branch {
            BranchOp::To(target) => (exec != 0 && exec != mask, *target <= at.pc),
            BranchOp::Table(table) => {
                let index = regs.slot(table.0.index);
                let first = exec.trailing_zeros() as usize % WARP;
                (exec != mask || lanes(exec).any(|lane| index[lane] != index[first]), false)
            }
        };
        let totals = self.at(at.pc);
        totals[Counter::Branches] += 1;
        totals[Counter::DivergentBranches] += u64::from(divides);
        totals[Counter::LoopIterations] += u64::from(is_back);
    }

    fn memory(&mut self, at: &At, regs: &Registers, op: &Op, exec: Mask) {
        let (space, base, offset, bytes) = match op {
            Op::Load(load) => (load.space, load.base, load.offset, load.bytes * load.elements),
            Op::Store(store) => (store.space, store.base, store.offset, store.bytes * store.elements),
            Op::Atomic(atomic) => (atomic.space, atomic.base, atomic.offset, atomic.ty.bytes() * atomic.elements),
            _ => return,
        };
        let addresses = access::addresses(regs, base, offset);
        if space != Space::Generic {
            return self.touch(at, op, space, &addresses, exec, u64::from(bytes));
        }
        // Lanes may point into several spaces; a guarded-off instruction into none, and counts as global.
        let mut rest = exec;
        loop {
            let here = lanes(rest).next().map_or(Space::Global, |lane| space::of_generic(addresses[lane]));
            let same: Mask =
                lanes(rest).map(|lane| u32::from(space::of_generic(addresses[lane]) == here) << lane).sum();
            let inside = addresses.map(|address| address.wrapping_sub(space::window(here)));
            self.touch(at, op, here, &inside, same, u64::from(bytes));
            rest &= !same;
            if rest == 0 {
                return;
            }
        }
    }

    /// Counts the read of a copy. Its bytes lie in one sector, since they are aligned.
    fn copies(&mut self, at: &At, regs: &Registers, copy: &AsyncCopyOp, exec: Mask) {
        let given = async_copies::given(regs, copy, exec);
        let reading: Mask = lanes(exec).map(|lane| u32::from(given[lane] > 0) << lane).sum();
        let from = access::addresses(regs, copy.from.base, copy.from.offset);
        let totals = self.at(at.pc);
        totals[Counter::AsyncCopies] += 1;
        totals[Counter::GlobalLoadRequests] += u64::from(reading != 0);
        totals[Counter::GlobalLoadSectors] += sectors(&from, reading, 1);
        totals[Counter::AsyncCopyBytes] += lanes(reading).map(|lane| u64::from(given[lane])).sum::<u64>();
    }

    /// Counts one instruction's lanes in one space.
    fn touch(&mut self, at: &At, op: &Op, space: Space, addresses: &[u64; WARP], mask: Mask, bytes: u64) {
        use Counter::*;
        let request = u64::from(mask != 0);
        let asked = u64::from(mask.count_ones()) * bytes;
        if let Op::Atomic(atomic) = op {
            self.atomics(at, atomic.elements, space, addresses, mask, bytes);
        }
        if space == Space::Global && !matches!(op, Op::Load(_)) {
            self.writes(at, addresses, mask);
        }
        let totals = self.at(at.pc);
        let mut add = |counter: Counter, value: u64| totals[counter] += value;
        match (space, op) {
            (Space::Global, Op::Load(_)) => {
                add(GlobalLoads, 1);
                add(GlobalLoadRequests, request);
                add(GlobalLoadSectors, sectors(addresses, mask, bytes));
                add(GlobalLoadBytes, asked);
            }
            (Space::Global, Op::Store(_)) => {
                add(GlobalStores, 1);
                add(GlobalStoreRequests, request);
                add(GlobalStoreSectors, sectors(addresses, mask, bytes));
                add(GlobalStoreBytes, asked);
            }
            (Space::Global, Op::Atomic(atomic)) if atomic.looked_at => {
                add(GlobalAtomics, 1);
                add(GlobalAtomicRequests, request);
                add(GlobalAtomicSectors, sectors(addresses, mask, bytes));
            }
            (Space::Global, Op::Atomic(_)) => {
                add(GlobalReductions, 1);
                add(GlobalReductionRequests, request);
                add(GlobalReductionSectors, sectors(addresses, mask, bytes));
            }
            (Space::Local, Op::Load(_)) => {
                add(LocalLoadRequests, request);
                add(LocalLoadSectors, local_sectors(addresses, mask, bytes));
            }
            (Space::Local, Op::Store(_)) => {
                add(LocalStoreRequests, request);
                add(LocalStoreSectors, local_sectors(addresses, mask, bytes));
            }
            (Space::Shared, Op::Load(_)) => {
                let Passes { all, least } = shared_passes(addresses, mask, bytes);
                add(SharedLoads, 1);
                add(SharedLoadWavefronts, all);
                add(SharedLoadConflicts, all - least);
            }
            (Space::Shared, Op::Store(_)) => {
                let Passes { all, least } = shared_passes(addresses, mask, bytes);
                add(SharedStores, 1);
                add(SharedStoreWavefronts, all);
                add(SharedStoreConflicts, all - least);
            }
            (Space::Shared, Op::Atomic(_)) => add(SharedAtomics, 1),
            _ => {}
        }
    }

    /// Records the writers of each allocation. A warp mostly writes to one allocation.
    fn writes(&mut self, at: &At, addresses: &[u64; WARP], mut mask: Mask) {
        while let Some(lane) = lanes(mask).next() {
            let mut same = 1 << lane;
            if let Some(whole) = at.launch.memory.allocation(addresses[lane]) {
                let is_in = |lane: &usize| addresses[*lane].wrapping_sub(whole.base) < whole.bytes;
                same = lanes(mask).filter(is_in).fold(0, |all, lane| all | 1 << lane);
                *self.writers.entry((whole.base, at.block, at.warp)).or_default() |= same;
            }
            mask &= !same;
        }
    }

    fn atomics(&mut self, at: &At, elements: u32, space: Space, addresses: &[u64; WARP], mask: Mask, bytes: u64) {
        let block = (space == Space::Shared).then_some(at.block);
        let met = meetings(addresses, mask);
        let element = bytes / u64::from(elements);
        for lane in lanes(mask) {
            for nth in 0..u64::from(elements) {
                *self.atomics.entry((block, addresses[lane] + nth * element)).or_default() += 1;
            }
        }
        let totals = self.at(at.pc);
        totals[Counter::AtomicOperations] += u64::from(mask.count_ones() * elements);
        totals[Counter::AtomicConflicts] += met.conflicts * u64::from(elements);
        totals[Counter::AtomicRounds] += met.rounds;
    }
}

impl Keeps for Counting<'_> {
    const ON: bool = true;
    type Warp = ();
    type Block = ();
}

impl Events for Counting<'_> {
    fn executed(&mut self, at: &At, regs: &Registers, instr: &Instr, mask: Mask, exec: Mask) {
        let site = &mut self.sites[at.pc as usize];
        site.warps += 1;
        site.threads += u64::from(mask.count_ones());
        site.threads_on += u64::from(exec.count_ones());
        let work = self.work.entry((at.block, at.warp)).or_default();
        work.does(instr, exec);
        if let Op::Branch(BranchOp::To(target)) = &instr.op
            && *target <= at.pc
            && exec != 0
        {
            work.goes_back(at.pc, regs, exec);
        }
        match &instr.op {
            Op::Branch(branch) => self.branch(at, regs, branch, mask, exec),
            Op::Async(operation) => {
                if let Async::Start(copy) = &**operation {
                    self.copies(at, regs, copy, exec);
                }
            }
            op @ (Op::Load(_) | Op::Store(_) | Op::Atomic(_)) if instr.class != Class::Constant => {
                self.memory(at, regs, op, exec);
            }
            _ => {}
        }
    }

    fn fence(&mut self, at: &At, _: &Fence, _: &mut (), _: &mut (), _: Mask) {
        self.at(at.pc)[Counter::Fences] += 1;
    }

    fn meet(&mut self, at: &At, _: &Collective, _: &mut (), _: &mut (), _: Mask) {
        self.at(at.pc)[Counter::WarpMeetings] += 1;
        self.is_first = true;
    }

    fn arrive(&mut self, at: &At, number: usize, _: &mut (), _: &mut (), _: Mask) {
        // Without a number of threads it is for the whole block, whichever threads have ended.
        let is_whole =
            matches!(&self.code.instrs[at.pc as usize].op, Op::Barrier(barrier) if !barrier.threads.is_some());
        let arrived = self.arrived.entry((at.block, number)).or_insert((at.warp, false));
        arrived.1 |= is_whole || arrived.0 != at.warp;
        let waits = matches!(&self.code.instrs[at.pc as usize].op, Op::Barrier(barrier) if barrier.waits);
        let totals = self.at(at.pc);
        totals[Counter::BarrierArrivals] += 1;
        // Taken back if this is the one that the others waited for.
        totals[Counter::BarrierWaits] += u64::from(waits);
        self.arrival = Some(at.pc);
    }

    fn complete(&mut self, launch: &Launch, block: u64, number: usize, _: &mut ()) {
        // One warp of several that meets at a barrier of its own does not hold up others.
        let is_one_warps = self.arrived.remove(&(block, number)).is_some_and(|(_, is_several)| !is_several);
        let completed = u64::from(!is_one_warps || launch.warps_per_block() == 1);
        let Some(pc) = self.arrival.take() else {
            // The last thread that was waited for has ended.
            self.launch[Counter::Barriers] += completed;
            return;
        };
        let waits = matches!(&self.code.instrs[pc as usize].op, Op::Barrier(barrier) if barrier.waits);
        let totals = self.at(pc);
        totals[Counter::Barriers] += completed;
        totals[Counter::BarrierWaits] -= u64::from(waits);
    }

    fn exit(&mut self, _: &At, _: &mut (), _: &mut (), _: Mask) {
        self.arrival = None;
    }
}

impl ValueEvents for Counting<'_> {
    fn collective(&mut self, meeting: &CollectiveGroup, _: &mut (), _: &Registers) {
        // All groups of a meeting except the last have waited.
        if !std::mem::take(&mut self.is_first) {
            self.at(meeting.at.pc)[Counter::WarpWaits] += 1;
        }
    }
}

impl GridEvents for Counting<'_> {
    fn launches(&mut self, at: &At, _: &mut (), _: usize, child: &Launch) {
        let totals = self.at(at.pc);
        totals[Counter::DeviceLaunches] += 1;
        totals[Counter::Blocks] += child.blocks();
        totals[Counter::Warps] += child.blocks() * u64::from(child.warps_per_block());
        totals[Counter::Threads] += child.blocks() * u64::from(child.threads_per_block());
    }
}

impl Oracle for Counting<'_> {}
