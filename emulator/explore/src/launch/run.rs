//! One run of a launch: what its threads have done so far, and which of them may go on.

use super::Known;
use super::taint::Taint;
use crate::event::{Access, AccessKind, Action, EventId, Location, ThreadPlace};
use crate::program::{Feature, Refusal, ThreadRun, ThreadState, Values};
use finding::Finding;
use machine::exec::memory::Semantics;
use machine::memory::Region;
use rustc_hash::FxHashMap;

/// A thread's place in a kernel: its instruction, and its call.
pub type Spot = (u32, u32);

#[derive(Default)]
pub struct Thread {
    pub events: Vec<Action>,
    /// The instruction of each event, and the number of instructions that the thread has run up to it.
    pcs: Vec<(u32, u64)>,
    /// Instructions that it has run.
    pub ran: u64,
    pub taint: Taint,
    /// It does not go on in this run.
    pub is_halted: bool,
    pub has_ended: bool,
    /// It spins since the event with this index.
    spins: Option<usize>,
    /// The live registers at each read since the thread last wrote anything, and the number of events before it.
    looks: FxHashMap<Spot, (usize, Vec<u64>)>,
}

impl Thread {
    /// Takes its events. Their instructions stay.
    pub fn take_run(&mut self) -> ThreadRun {
        let state = match (self.spins, self.has_ended) {
            (Some(since), _) => ThreadState::Spins { since },
            (None, true) => ThreadState::Ended,
            (None, false) => ThreadState::Waits,
        };
        ThreadRun { events: std::mem::take(&mut self.events), state }
    }

    pub fn add(&mut self, pc: u32, action: Action) {
        self.events.push(action);
        self.pcs.push((pc, self.ran));
    }

    /// Records that the thread has changed something, so that it is not where it has been before.
    pub fn has_acted(&mut self) {
        self.looks.clear();
    }

    /// Records a read and the registers that are live before it. If they are what they were at the last read there, the
    /// loop between the two has done nothing. The thread spins, or waits for ever if none of its reads is an event.
    pub fn looks(&mut self, spot: Spot, live: Vec<u64>) {
        let events = self.events.len();
        if let Some((since, _)) = self.looks.get(&spot).filter(|(_, before)| *before == live) {
            self.spins = Some(*since).filter(|&since| since < events);
            self.is_halted = true;
        }
        self.looks.insert(spot, (events, live));
    }
}

#[derive(Default)]
pub struct Run {
    pub places: Vec<ThreadPlace>,
    pub threads: Vec<Thread>,
    /// `None` in a rehearsal.
    values: Option<Values>,
    pub known: Known,
    pub findings: Vec<Finding>,
    /// Lanes of a warp have come to an aligned barrier from several instructions.
    pub has_diverged: bool,
    pub refused: Option<Refusal>,
    /// Set in a rehearsal: tells launches apart whose memory or parameters differ.
    pub identity: u64,
    /// The phase that each barrier of a block is in.
    phases: FxHashMap<(u64, usize), u64>,
    /// Instructions that the thread which has the turn may run.
    pub slice: u64,
}

/// The value that a read gets.
pub enum Found {
    Known(u64),
    Unknown,
}

impl Run {
    /// Begins a launch of `blocks` of `threads_per_block` threads each.
    pub fn begin(&mut self, values: Option<Values>, known: Known, blocks: u64, threads_per_block: u32) {
        let places = (0..blocks).flat_map(|block| (0..threads_per_block).map(move |thread| (block, thread)));
        let places: Vec<_> = places.map(|(block, thread)| ThreadPlace { block, thread }).collect();
        let threads = places.iter().map(|_| Thread::default()).collect();
        *self = Run { places, threads, values, known, ..Run::default() };
    }

    pub fn refuse(&mut self, feature: Feature, pc: u32) {
        self.refused.get_or_insert(Refusal { feature, pc });
        self.slice = 0;
    }

    /// Records an access in the footprint, and the value that memory held at first. Returns true if it is an event.
    pub fn touch(&mut self, location: Location, region: &Region, thread: usize, writes: bool, pc: u32) -> bool {
        if location.bytes <= 8 {
            self.known.initial.entry(location).or_insert_with(|| region.load_sized(location.address, location.bytes));
        }
        if !self.known.footprint.note(location, thread, writes) {
            self.refuse(Feature::MixedSizes, pc);
        }
        let is_shared = self.known.footprint.is_shared(location);
        if is_shared && location.bytes > 8 {
            self.refuse(Feature::Wide, pc);
        }
        is_shared && !self.is_rehearsal()
    }

    /// Memory is as the machine has it, and nothing is an event.
    pub fn is_rehearsal(&self) -> bool {
        self.values.is_none()
    }

    /// Adds a read, and returns its value. `kind` makes the access of the value that it finds.
    pub fn read(
        &mut self,
        thread: usize,
        location: Location,
        (semantics, pc): (Semantics, u32),
        kind: impl FnOnce(Option<u64>) -> AccessKind,
    ) -> Found {
        let state = &mut self.threads[thread];
        let id = EventId { thread, index: state.events.len() };
        let value = self.values.as_ref().and_then(|values| values.get(&id)).copied();
        state.add(pc, Action::Access(Access { location, kind: kind(value), semantics }));
        value.map_or(Found::Unknown, Found::Known)
    }

    pub fn events(&self) -> usize {
        self.threads.iter().map(|thread| thread.pcs.len()).sum()
    }

    /// Returns the instruction of an event, and the number of instructions that its thread has run up to it.
    pub fn pc(&self, event: EventId) -> Option<(u32, u64)> {
        self.threads.get(event.thread)?.pcs.get(event.index).copied()
    }

    /// Returns the instructions of all events.
    pub fn pcs(&self) -> impl Iterator<Item = (EventId, u32)> {
        self.threads.iter().enumerate().flat_map(|(thread, state)| {
            state.pcs.iter().enumerate().map(move |(index, &(pc, _))| (EventId { thread, index }, pc))
        })
    }

    pub fn phase(&self, block: u64, barrier: usize) -> u64 {
        self.phases.get(&(block, barrier)).copied().unwrap_or(0)
    }

    pub fn completes(&mut self, block: u64, barrier: usize) {
        *self.phases.entry((block, barrier)).or_default() += 1;
    }
}

/// Puts a value into memory.
pub fn put(region: &Region, location: Location, value: u64) {
    match location.bytes {
        1 => region.store(location.address, value as u8),
        2 => region.store(location.address, value as u16),
        4 => region.store(location.address, value as u32),
        _ => region.store(location.address, value),
    }
}
