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

//!
//! Several workers may share a search ([`SharedSearch`]): its parts have no execution in common.

use crate::event::{Action, EventId, Location};
use crate::execution::Execution;
use crate::orders::Open;
use crate::past::Past;
use crate::program::{Interrupt, Program, ThreadRun, ThreadState, Values};
use crate::shared::SharedSearch;
use crate::visitor::{Bounds, Summary, Visited, Visitor};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

#[derive(Clone, Debug)]
pub(crate) enum Reading {
    From { source: Option<EventId>, value: u64 },
    Held(Held),
}

/// A read that waits for a write which has not come yet. It reads from none of these.
#[derive(Clone, Debug, Default)]
pub(crate) struct Held(Vec<Option<EventId>>);

/// The sources from which a read would only come back to itself, each with the index of the loop's first event.
type Spins = Vec<(Option<EventId>, usize)>;

/// A write that a read may read from, or `None` for the initial value, and its value.
type ReadSource = (Option<EventId>, u64);

/// The values of reads as far as they have one: a part of the search.
pub(crate) type Readings = FxHashMap<EventId, Reading>;

/// Visits the executions of a program, within bounds.
pub fn explore(program: &mut dyn Program, bounds: Bounds, visitor: &mut dyn Visitor) -> Summary {
    SharedSearch::new(bounds).work(program, visitor)
}

/// One worker of a search.
pub(crate) struct Search<'a> {
    pub shared: &'a SharedSearch,
    pub program: &'a mut dyn Program,
    pub visitor: &'a mut dyn Visitor,
    /// Where the search has divided, the outermost first.
    pub forks: Vec<Fork>,
    /// Runs of its own since it was given its part, or gave one away.
    pub own_runs: u64,
}

/// Runs that a worker makes before it gives a part away: to take one costs a run and a change of threads.
const RUNS_BETWEEN_PARTS: u64 = 16;

/// A place where the search divides, by the source of a read.
pub(crate) struct Fork {
    readings: Readings,
    read: EventId,
    /// The sources that no worker has taken.
    sources: VecDeque<ReadSource>,
    /// The read, held from all sources.
    held: Held,
    /// The read may wait for another source: the rest is a part, too.
    may_wait: bool,
    is_rest_taken: bool,
}

impl Fork {
    fn has_part(&self) -> bool {
        !self.sources.is_empty() || self.may_wait && !self.is_rest_taken
    }

    /// Takes the part in which the read has the first source that is left.
    fn take_first(&mut self) -> Option<Readings> {
        self.sources.pop_front().map(|source| self.part(source))
    }

    /// Takes the part in which the read has the last source that is left.
    fn take_last(&mut self) -> Option<Readings> {
        self.sources.pop_back().map(|source| self.part(source))
    }

    fn part(&self, (source, value): ReadSource) -> Readings {
        let mut part = self.readings.clone();
        part.insert(self.read, Reading::From { source, value });
        part
    }

    /// Takes the part in which the read waits, if there is one.
    fn take_rest(&mut self) -> Option<Readings> {
        let is_left = self.may_wait && !self.is_rest_taken;
        self.is_rest_taken |= is_left;
        is_left.then(|| {
            let mut rest = self.readings.clone();
            rest.insert(self.read, Reading::Held(self.held.clone()));
            rest
        })
    }

    /// Returns the part in which the read waits.
    fn into_rest(mut self) -> Readings {
        self.readings.insert(self.read, Reading::Held(self.held));
        self.readings
    }
}

/// The outcome of entering a part.
enum Entered {
    /// Reads have no value yet.
    Open(Box<Partial>),
    /// A thread only comes back to where it was.
    Spins,
    /// All executions of the part are visited.
    Done,
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
    /// Returns true if the search stops.
    fn is_over(&self) -> bool {
        self.shared.is_over(self.visitor.is_enough())
    }

    /// Visits all executions in which reads are as in `readings`. Returns true if there are none because a thread
    /// only comes back to where it was.
    pub fn go_on(&mut self, readings: Readings) -> bool {
        self.give_away();
        match self.enter(&readings) {
            Entered::Open(partial) => {
                self.divide(readings, &partial);
                false
            }
            Entered::Spins => true,
            Entered::Done => false,
        }
    }

    /// Gives the largest part that is left to a worker that has nothing to do.
    fn give_away(&mut self) {
        while self.own_runs >= RUNS_BETWEEN_PARTS && self.shared.wants_part() {
            let Some(at) = self.forks.iter().position(Fork::has_part) else { return };
            if let Some(rest) = self.forks[at].take_rest() {
                self.own_runs = 0;
                self.shared.hand_over(rest);
                return;
            }
            let Some(part) = self.forks[at].take_last() else { return };
            match self.enter(&part) {
                Entered::Open(_) => {
                    self.own_runs = 0;
                    self.shared.hand_over(part);
                }
                Entered::Spins => self.forks[at].may_wait = true,
                Entered::Done => {}
            }
        }
    }

    /// Runs the program, and visits its execution if all reads have values.
    fn enter(&mut self, readings: &Readings) -> Entered {
        if self.is_over() {
            return Entered::Done;
        }
        let partial = match self.run(readings) {
            Ok(partial) => partial,
            Err(interrupt) => {
                let is_restart = interrupt == Interrupt::Restart;
                self.shared.interrupt(interrupt);
                if is_restart {
                    // No worker may begin this round any more.
                    self.program.publishes();
                }
                return Entered::Done;
            }
        };
        // Its relations take memory that grows with the square of the events.
        let open = Open::new(&partial.execution, self.shared.until);
        if !open.is_consistent() {
            self.shared.is_dead_end();
            return Entered::Done;
        }
        if partial.runs.iter().any(|run| matches!(run.state, ThreadState::Spins { .. })) {
            self.shared.is_dead_end();
            return Entered::Spins;
        }
        self.shared.learn(&partial.runs);
        if partial.open.is_empty() {
            let is_deadlock = partial.runs.iter().any(|run| run.state != ThreadState::Ended);
            self.visit(&partial.execution, &open, is_deadlock, &|_| true);
            return Entered::Done;
        }
        drop(open);
        Entered::Open(Box::new(partial))
    }

    fn run(&mut self, readings: &Readings) -> Result<Partial, Interrupt> {
        let known = readings.iter().filter_map(|(id, reading)| match reading {
            Reading::From { value, .. } => Some((*id, *value)),
            Reading::Held(_) => None,
        });
        self.shared.has_run();
        self.own_runs += 1;
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
            if !self.go_on(next) || self.is_over() {
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
            held.0.extend(sources.iter().map(|&(source, _)| source));
            // If an earlier read of its thread is open, it is not known yet whether it spins.
            let may_spin = partial.open.iter().any(|open| open.thread == read.thread && open.index < read.index);
            let may_wait = may_be_written || may_spin;
            self.forks.push(Fork { readings, read, sources: sources.into(), held, may_wait, is_rest_taken: false });
            let depth = self.forks.len();
            while let Some(part) = self.forks[depth - 1].take_first() {
                let spins = self.go_on(part);
                self.forks[depth - 1].may_wait |= spins;
                if self.is_over() {
                    break;
                }
            }
            let fork = self.forks.pop().expect("it was pushed");
            // Where the search stops, there may be many forks to come back from.
            if !fork.may_wait || fork.is_rest_taken || self.is_over() {
                return;
            }
            readings = fork.into_rest();
        }
        self.shared.is_dead_end();
        let Some(spins) = self.spins(partial, &readings) else { return };
        // The program's last run is to be the one that is visited.
        if !self.is_over() && self.run(&readings).is_ok() {
            let open = Open::new(&partial.execution, self.shared.until);
            let is_stuck = |visited: &Visited| is_stuck(visited, partial, &readings, &spins);
            self.visit(&partial.execution, &open, true, &is_stuck);
        }
    }

    /// Returns the sources from which each open read would spin. `None` if one of them spins from none.
    fn spins(&mut self, partial: &Partial, readings: &Readings) -> Option<Vec<Spins>> {
        let mut all = Vec::new();
        for &read in &partial.open {
            let Some(Reading::Held(held)) = readings.get(&read).filter(|_| !self.is_over()) else { return None };
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
    fn sources(&self, past: &Past, read: EventId, location: Location, held: &[Option<EventId>]) -> Vec<ReadSource> {
        let all = past.sources(read, location, self.program.initial(location)).into_iter();
        all.filter(|(source, _)| !held.contains(source)).collect()
    }

    /// Returns true if a write of the location may still come that the read may read from. If not, the search relies on
    /// it.
    fn may_be_written(&self, past: &Past, read: EventId, location: Location) -> bool {
        self.shared.may_be_written(read, location, |writers| past.may_be_written(read, location, writers))
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
                self.shared.has_visited();
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
