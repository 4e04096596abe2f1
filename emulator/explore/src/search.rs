//! The search: visits every execution once.
//!
//! It is stateless model checking on execution graphs, as in TruSt (Kokologiannakis, Marmanis, Gladstein, Vafeiadis:
//! "Truly Stateless, Optimal Dynamic Partial Order Reduction", POPL 2022). It deviates in what happens if a read should
//! read from a write that does not exist yet. TruSt lets the read take an older write, and revisits it when the write
//! comes. Here the read is *held*: the search goes on without it, and it may later read only from writes that have come
//! since. "Data-Centric Dynamic Partial Order Reduction" (Chalupa, Chatterjee, Pavlogiannis, Sinha, Vaidya, POPL 2018)
//! has such reads: it annotates a read with the write that it must wait for.
//!
//! - *Once.* At each step the search takes one read. It divides what is left into parts, by the write that the read
//!   reads from: one part for each write that exists, one for all others. No execution is in two parts.
//! - *Every.* An execution without thin air has an order in which each event comes after those that it depends on and
//!   after the write that it reads from. Take the first read of that order that has no value yet. Its source exists,
//!   and is not among those that it was held from.
//! - *Load buffering.* A thread goes on past a held read as far as nothing depends on it. TruSt excludes executions
//!   where program order and reads-from make a cycle; this does not.
//! - *Not optimal.* A held read may wait in vain, which is a dead end. None is searched where no thread is left that
//!   writes the location. Which threads may write it is learned: if a write comes that the search has ruled out, it
//!   begins again.
//! - *Waiting for ever.* A loop that comes back to the same read adds no execution. If all that is left are reads that
//!   would spin even on last values, the threads wait for ever, and that is visited as an execution.

use crate::event::{AccessKind, Action, EventId, Location};
use crate::execution::Execution;
use crate::orders::{CoherenceOrder, Open};
use crate::past::{Past, Writers};
use crate::program::{Interrupt, Program, Refusal, ThreadRun, ThreadState, Values};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// The bounds of a search.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    pub executions: u64,
    /// Times that the program is run.
    pub runs: u64,
    pub time: Duration,
}

/// One execution, with everything that is part of it.
pub struct Visited<'a> {
    pub execution: &'a Execution,
    pub coherence: &'a CoherenceOrder,
    /// Pairs of accesses that race in executions which differ from this one in fence-SC order alone: at least one if
    /// there are any.
    pub races: &'a BTreeSet<(EventId, EventId)>,
    /// Threads wait for each other, and none of them can go on.
    pub is_deadlock: bool,
}

impl Visited<'_> {
    /// The writes of a location that precede no other in coherence order. Several where writes race, and none if
    /// nothing writes.
    pub fn last_writes(&self, location: Location) -> Vec<EventId> {
        let writes = self.execution.accesses_of(location).into_iter();
        let writes = writes.filter(|&event| self.execution.actions[event].writes());
        let ids = writes.map(|event| self.execution.ids[event]);
        let precedes = |id: EventId| self.coherence.range((id, FIRST)..).next().is_some_and(|pair| pair.0 == id);
        ids.filter(|&id| !precedes(id)).collect()
    }

    /// The values that a location may have at the end.
    pub fn last_values(&self, location: Location) -> BTreeSet<u64> {
        let number = |id| self.execution.number(id).expect("an event of it");
        let writes = self.last_writes(location).into_iter().map(number);
        writes.filter_map(|event| self.execution.actions[event].written()).collect()
    }
}

/// No event precedes this one in the order of [`EventId`]s.
const FIRST: EventId = EventId { thread: 0, index: 0 };

/// The visitor of a search.
pub trait Visitor {
    /// The search begins, or begins again: what was visited before does not count.
    fn begins(&mut self);
    fn visit(&mut self, visited: &Visited);
    /// Returns true to end the search. An execution that was visited is valid whether the search would begin again or
    /// not.
    fn is_enough(&self) -> bool {
        false
    }
}

/// The result of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    pub executions: u64,
    /// Paths that ended without an execution.
    pub dead_ends: u64,
    /// Times that the search has begun.
    pub rounds: u64,
    /// Times that the program was run, in all rounds.
    pub runs: u64,
    /// All executions were visited. Else a bound came first, the visitor had enough, or the program was refused.
    pub is_complete: bool,
    pub refused: Option<Refusal>,
}

#[derive(Clone)]
enum Reading {
    From { source: Option<EventId>, value: u64 },
    Held(Held),
}

/// A read that waits for a write which has not come yet. It reads from none of these.
#[derive(Clone, Default)]
struct Held(Vec<Option<EventId>>);

/// The sources from which a read would only come back to itself, each with the index of the loop's first event.
type Spins = Vec<(Option<EventId>, usize)>;

type Readings = FxHashMap<EventId, Reading>;

/// Visits the executions of a program, within bounds.
pub fn explore(program: &mut dyn Program, bounds: Bounds, visitor: &mut dyn Visitor) -> Summary {
    let mut search = Search {
        program,
        visitor,
        bounds,
        until: Instant::now() + bounds.time,
        writers: FxHashMap::default(),
        relied: FxHashMap::default(),
        summary: Summary::default(),
        runs: 0,
        end: SearchEnd::None,
    };
    loop {
        search.relied.clear();
        let rounds = search.summary.rounds + 1;
        search.summary = Summary { rounds, ..Summary::default() };
        search.end = SearchEnd::None;
        search.visitor.begins();
        search.go_on(&Readings::default());
        if search.end != SearchEnd::Surprise {
            search.summary.runs = search.runs;
            search.summary.is_complete = search.end == SearchEnd::None;
            return search.summary;
        }
    }
}

/// The reason for which a search stops early.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SearchEnd {
    None,
    /// A thread writes a location, and the search relied on it that it would not.
    Surprise,
    Bound,
}

struct Search<'a> {
    program: &'a mut dyn Program,
    visitor: &'a mut dyn Visitor,
    bounds: Bounds,
    until: Instant,
    /// The threads that were seen to write a location, or to update it, and the index of the last event that did.
    writers: FxHashMap<Location, Writers>,
    /// The locations that the search took as not written any more, and the reader for which it did; `None` for several.
    relied: FxHashMap<Location, Option<usize>>,
    summary: Summary,
    /// Times that the program was run, in all rounds.
    runs: u64,
    end: SearchEnd,
}

/// A program run as far as the readings go.
struct Partial {
    runs: Vec<ThreadRun>,
    /// The events that have their values.
    execution: Execution,
    /// All events.
    all: Execution,
    /// For each of them, true if it has its values.
    known: Vec<bool>,
    /// Reads without a value.
    open: Vec<EventId>,
}

impl Partial {
    fn past(&self) -> Past<'_> {
        Past::new(&self.runs, self.all.clone(), self.known.clone())
    }

    fn location(&self, read: EventId) -> Location {
        self.runs[read.thread].events[read.index].location().expect("reads access memory")
    }
}

impl Search<'_> {
    /// Returns true if the search stops. It does so at its bounds.
    fn is_over(&mut self) -> bool {
        if self.end == SearchEnd::None
            && (Instant::now() >= self.until
                || self.summary.executions >= self.bounds.executions
                || self.runs >= self.bounds.runs
                || self.visitor.is_enough())
        {
            self.end = SearchEnd::Bound;
        }
        self.end != SearchEnd::None
    }

    /// Visits all executions in which reads are as in `readings`. Returns true if there are none because a thread
    /// only comes back to where it was.
    fn go_on(&mut self, readings: &Readings) -> bool {
        if self.is_over() {
            return false;
        }
        let partial = match self.run(readings) {
            Ok(partial) => partial,
            Err(interrupt) => {
                self.end = match interrupt {
                    Interrupt::Restart => SearchEnd::Surprise,
                    Interrupt::Refused(_) => SearchEnd::Bound,
                };
                if let Interrupt::Refused(refusal) = interrupt {
                    self.summary.refused = Some(refusal);
                }
                return false;
            }
        };
        let open = Open::new(&partial.execution, self.until);
        if !open.is_consistent() {
            self.summary.dead_ends += 1;
            return false;
        }
        if partial.runs.iter().any(|run| matches!(run.state, ThreadState::Spins { .. })) {
            self.summary.dead_ends += 1;
            return true;
        }
        self.learn(&partial.runs);
        if partial.open.is_empty() {
            let is_deadlock = partial.runs.iter().any(|run| run.state != ThreadState::Ended);
            self.visit(&partial.execution, &open, is_deadlock, &|_| true);
            return false;
        }
        // Its relations take memory that grows with the square of the events.
        drop(open);
        self.divide(readings.clone(), &partial);
        false
    }

    fn run(&mut self, readings: &Readings) -> Result<Partial, Interrupt> {
        let known = readings.iter().filter_map(|(id, reading)| match reading {
            Reading::From { value, .. } => Some((*id, *value)),
            Reading::Held(_) => None,
        });
        self.runs += 1;
        let runs = self.program.run(&known.collect::<Values>())?;
        let has_value = |id: EventId, action: &Action| match readings.get(&id) {
            Some(Reading::From { .. }) => true,
            _ => action.access().is_none() || action.writes(),
        };
        let execution = self.execution(&runs, readings, &has_value);
        let all = self.execution(&runs, readings, &|_, _| true);
        let is_open = |&event: &usize| all.actions[event].reads() && !has_value(all.ids[event], &all.actions[event]);
        let open = (0..all.len()).filter(is_open).map(|event| all.ids[event]).collect();
        let known = all.ids.iter().zip(&all.actions).map(|(&id, action)| has_value(id, action)).collect();
        Ok(Partial { runs, execution, all, known, open })
    }

    /// Returns the execution of the events that are placed.
    fn execution(
        &self,
        runs: &[ThreadRun],
        readings: &Readings,
        is_placed: &dyn Fn(EventId, &Action) -> bool,
    ) -> Execution {
        let events = runs.iter().enumerate().flat_map(|(thread, run)| {
            run.events.iter().enumerate().map(move |(index, &action)| (EventId { thread, index }, action))
        });
        let (ids, actions) = events.filter(|(id, action)| is_placed(*id, action)).unzip();
        let mut execution = Execution { threads: self.program.threads(), ids, actions, source: Vec::new() };
        let source = |id| match readings.get(id) {
            Some(Reading::From { source, .. }) => source.and_then(|write| execution.number(write)),
            _ => None,
        };
        execution.source = execution.ids.iter().map(source).collect();
        execution
    }

    /// Records the locations that threads write.
    fn learn(&mut self, runs: &[ThreadRun]) {
        for (thread, run) in runs.iter().enumerate() {
            for (index, action) in run.events.iter().enumerate() {
                let Some(access) = action.access().filter(|access| access.kind != AccessKind::Load) else { continue };
                let writers = self.writers.entry(access.location).or_default();
                if writers.get(&thread).is_none_or(|&last| last < index) {
                    writers.insert(thread, index);
                    if self.relied.get(&access.location).is_some_and(|&reader| reader != Some(thread)) {
                        self.end = SearchEnd::Surprise;
                    }
                }
            }
        }
    }

    /// Takes a read that has a write to read from, and visits the executions by the write that it reads from.
    fn divide(&mut self, mut readings: Readings, partial: &Partial) {
        let first = partial.past();
        let settled = self.settle(&readings, partial, &first);
        // Dropped before the search goes on, and made again where it comes back.
        let mut past = settled.is_empty().then_some(first);
        if !settled.is_empty() {
            let mut next = readings.clone();
            next.extend(settled);
            // If it spins, the reads are taken one by one: each may wait for ever.
            if !self.go_on(&next) {
                return;
            }
        }
        // Each read of the list is held before the next one is taken.
        for &read in &partial.open {
            let location = partial.location(read);
            let mut held = match readings.get(&read) {
                Some(Reading::Held(held)) => held.clone(),
                _ => Held::default(),
            };
            let known = past.get_or_insert_with(|| partial.past());
            let sources = self.sources(known, read, location, &held.0);
            if sources.is_empty() {
                continue;
            }
            let may_be_written = self.may_be_written(known, read, location);
            past = None;
            // If an earlier read of its thread is open, it is not known yet whether it spins.
            let mut may_spin = partial.open.iter().any(|open| open.thread == read.thread && open.index < read.index);
            let mut next = readings.clone();
            for &(source, value) in &sources {
                next.insert(read, Reading::From { source, value });
                may_spin |= self.go_on(&next);
            }
            if !may_spin && !may_be_written {
                return;
            }
            held.0.extend(sources.iter().map(|&(source, _)| source));
            readings.insert(read, Reading::Held(held));
        }
        self.summary.dead_ends += 1;
        let Some(spins) = self.spins(partial, &readings) else { return };
        // The program's last run is to be the one that is visited.
        if !self.is_over() && self.run(&readings).is_ok() {
            let open = Open::new(&partial.execution, self.until);
            let is_stuck = |visited: &Visited| is_stuck(visited, partial, &readings, &spins);
            self.visit(&partial.execution, &open, true, &is_stuck);
        }
    }

    /// Returns the sources from which each open read would spin. `None` if one of them spins from none.
    fn spins(&mut self, partial: &Partial, readings: &Readings) -> Option<Vec<Spins>> {
        let mut all = Vec::new();
        for &read in &partial.open {
            let Some(Reading::Held(held)) = readings.get(&read) else { return None };
            let mut spins = Spins::new();
            for &source in &held.0 {
                let value = match source {
                    Some(write) => partial.execution.actions[partial.execution.number(write)?].written()?,
                    None => self.program.initial(partial.location(read)),
                };
                let mut with = readings.clone();
                with.insert(read, Reading::From { source, value });
                match self.run(&with).ok()?.runs[read.thread].state {
                    ThreadState::Spins { since } if since <= read.index => spins.push((source, since)),
                    _ => {}
                }
            }
            if spins.is_empty() {
                return None;
            }
            all.push(spins);
        }
        Some(all)
    }

    /// Returns the reads that can read from one write alone, with that write.
    fn settle(&mut self, readings: &Readings, partial: &Partial, past: &Past) -> Vec<(EventId, Reading)> {
        let mut settled = Vec::new();
        // The thread whose first open read has several sources, or is held.
        let mut undecided = None;
        for &read in partial.open.iter() {
            if undecided == Some(read.thread) {
                continue;
            }
            undecided = Some(read.thread);
            if readings.contains_key(&read) {
                continue;
            }
            let location = partial.location(read);
            if let [(source, value)] = self.sources(past, read, location, &[])[..]
                && !self.may_be_written(past, read, location)
            {
                settled.push((read, Reading::From { source, value }));
                undecided = None;
            }
        }
        settled
    }

    /// The writes from which a read may read, other than `held`, with their values.
    fn sources(
        &self,
        past: &Past,
        read: EventId,
        location: Location,
        held: &[Option<EventId>],
    ) -> Vec<(Option<EventId>, u64)> {
        let all = past.sources(read, location, self.program.initial(location)).into_iter();
        all.filter(|(source, _)| !held.contains(source)).collect()
    }

    /// Returns true if a write of the location may still come that the read may read from. If not, the search relies on
    /// it.
    fn may_be_written(&mut self, past: &Past, read: EventId, location: Location) -> bool {
        let may_be = past.may_be_written(read, location, self.writers.get(&location));
        if !may_be {
            let reader = self.relied.entry(location).or_insert(Some(read.thread));
            *reader = reader.filter(|&reader| reader == read.thread);
        }
        may_be
    }

    /// Visits an execution with each of its coherence orders that counts.
    fn visit(&mut self, execution: &Execution, open: &Open, is_deadlock: bool, counts: &dyn Fn(&Visited) -> bool) {
        if self.is_over() {
            return;
        }
        let (races, orders) = (open.races(), open.coherence_orders());
        // Some may be missing if the time is over.
        if self.is_over() {
            return;
        }
        for coherence in orders {
            let visited = Visited { execution, coherence: &coherence, races: &races, is_deadlock };
            if counts(&visited) {
                self.summary.executions += 1;
                self.visitor.visit(&visited);
            }
        }
    }
}

/// Returns true if threads wait for ever: each read without a value would come back to the same read. In that loop, it
/// and the other reads must read from the last writes of their locations: older values do not last.
fn is_stuck(visited: &Visited, partial: &Partial, readings: &Readings, spins: &[Spins]) -> bool {
    let last_sources = |read: EventId| {
        let last = visited.last_writes(partial.location(read));
        if last.is_empty() { vec![None] } else { last.into_iter().map(Some).collect() }
    };
    let reads_last = |read: EventId| match readings.get(&read) {
        Some(Reading::From { source, .. }) => last_sources(read).contains(source),
        _ => true,
    };
    partial.open.iter().zip(spins).all(|(&read, spins)| {
        let spins_from = |last: &Option<EventId>| {
            let mut spins = spins.iter().filter(|(source, _)| source == last);
            spins.any(|&(_, since)| (since..read.index).all(|index| reads_last(EventId { index, ..read })))
        };
        last_sources(read).iter().all(spins_from)
    })
}
