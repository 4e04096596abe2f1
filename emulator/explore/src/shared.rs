//! A search that several workers share.
//!
//! Each worker runs the program itself. A worker that has nothing to do gets a part of the search from one that divides
//! it. Parts have no execution in common, so it does not matter who searches which.
//!
//! Workers go through the rounds of the search together: what one of them learns may be what another has ruled out, and
//! all begin again. A worker may join at any time.

use crate::event::{EventId, Location};
use crate::past::Writers;
use crate::program::{Interrupt, Program, ThreadRun};
use crate::search::{Readings, Search};
use crate::visitor::{Bounds, Summary, Visitor};
use rustc_hash::FxHashMap;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A search, as its workers share it.
pub struct SharedSearch {
    bounds: Bounds,
    pub(crate) until: Instant,
    state: Mutex<State>,
    changed: Condvar,
    /// Workers that wait for a part.
    idle: AtomicUsize,
}

/// The reason for which a round stops early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RoundEnd {
    /// A thread writes a location, and the search relied on it that it would not; or more locations are shared. Another
    /// round begins.
    Surprise,
    /// A bound, a visitor that has enough, or a program that is refused.
    Bound,
}

#[derive(Debug)]
struct State {
    /// The counts of the round, but for the runs.
    summary: Summary,
    end: Option<RoundEnd>,
    /// The threads that were seen to write a location, or to update it, and the index of the last event that did.
    writers: FxHashMap<Location, Writers>,
    /// The locations that the search took as not written any more, and the reader for which it did; `None` for several.
    relied: FxHashMap<Location, Option<usize>>,
    /// Parts that no worker has yet.
    parts: Vec<Readings>,
    /// Workers that search a part.
    busy: usize,
    /// Workers that have joined and not returned.
    joined: usize,
}

impl SharedSearch {
    pub fn new(bounds: Bounds) -> SharedSearch {
        let state = State {
            summary: Summary::default(),
            end: Some(RoundEnd::Surprise),
            writers: FxHashMap::default(),
            relied: FxHashMap::default(),
            parts: Vec::new(),
            busy: 0,
            joined: 0,
        };
        let until = Instant::now() + bounds.time;
        SharedSearch { bounds, until, state: Mutex::new(state), changed: Condvar::new(), idle: AtomicUsize::new(0) }
    }

    /// Searches until all executions are visited, by this worker or by another, or a bound is reached. A worker whose
    /// program is not that of the others does nothing.
    pub fn work(&self, program: &mut dyn Program, visitor: &mut dyn Visitor) -> Summary {
        if !program.prepare() {
            return Summary::default();
        }
        self.state().joined += 1;
        let seat = Seat { search: self, is: |state| &mut state.joined };
        let mut round = 0;
        while let Some(part) = self.next(&mut round, program, visitor) {
            let busy = Seat { search: self, is: |state| &mut state.busy };
            let (program, visitor) = (&mut *program, &mut *visitor);
            Search { shared: self, program, visitor, forks: Vec::new(), own_runs: 0 }.go_on(part);
            drop(busy);
        }
        visitor.ends();
        drop(seat);
        let state = self.changed.wait_while(self.state(), |state| state.joined > 0);
        let state = state.unwrap_or_else(PoisonError::into_inner);
        Summary { is_complete: state.end.is_none(), ..state.summary.clone() }
    }

    /// Waits so long, or until the search has ended. Returns true if it goes on, so that another worker can help.
    pub fn goes_on_after(&self, time: Duration) -> bool {
        let waited = self.changed.wait_timeout_while(self.state(), time, |state| !state.is_finished());
        !waited.unwrap_or_else(PoisonError::into_inner).0.is_finished()
    }

    /// Takes a part of the search, or waits for one. `None` if the search has ended.
    fn next(&self, round: &mut u64, program: &mut dyn Program, visitor: &mut dyn Visitor) -> Option<Readings> {
        let mut state = self.state();
        loop {
            if state.end == Some(RoundEnd::Surprise) && state.busy == 0 {
                state.begin_round();
                self.changed.notify_all();
            }
            if state.end.is_none() {
                if *round != state.summary.rounds {
                    *round = state.summary.rounds;
                    visitor.begins();
                    program.begins();
                }
                if let Some(part) = state.parts.pop() {
                    state.busy += 1;
                    return Some(part);
                }
            }
            if state.is_finished() {
                return None;
            }
            self.idle.fetch_add(1, Relaxed);
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            self.idle.fetch_sub(1, Relaxed);
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns true if a worker waits for a part.
    pub(crate) fn wants_part(&self) -> bool {
        let idle = self.idle.load(Relaxed);
        idle > 0 && self.state().parts.len() < idle
    }

    pub(crate) fn hand_over(&self, part: Readings) {
        self.state().parts.push(part);
        self.changed.notify_one();
    }

    /// Returns true if the round stops. It does so at the bounds, and if a visitor has enough.
    pub(crate) fn is_over(&self, is_enough: bool) -> bool {
        let (mut state, bounds) = (self.state(), &self.bounds);
        let Summary { executions, runs, .. } = state.summary;
        if state.end.is_none()
            && (is_enough || executions >= bounds.executions || runs >= bounds.runs || Instant::now() >= self.until)
        {
            state.end = Some(RoundEnd::Bound);
        }
        state.end.is_some()
    }

    pub(crate) fn has_run(&self) {
        self.state().summary.runs += 1;
    }

    pub(crate) fn has_visited(&self) {
        self.state().summary.executions += 1;
    }

    pub(crate) fn is_dead_end(&self) {
        self.state().summary.dead_ends += 1;
    }

    /// Stops the round for the reason why a run gave no events.
    pub(crate) fn interrupt(&self, interrupt: Interrupt) {
        let mut state = self.state();
        match interrupt {
            Interrupt::Restart => {
                state.end.get_or_insert(RoundEnd::Surprise);
            }
            Interrupt::Refused(refusal) => {
                state.end = Some(RoundEnd::Bound);
                state.summary.refused = Some(refusal);
            }
        }
    }

    /// Records the locations that threads write.
    pub(crate) fn learn(&self, runs: &[ThreadRun]) {
        self.state().learn(runs);
    }

    /// Returns true if `may_be_written` says, of the threads that write a location, that the read may read from a write
    /// which is still to come. If not, the search relies on it.
    pub(crate) fn may_be_written(
        &self,
        read: EventId,
        location: Location,
        may_be_written: impl FnOnce(Option<&Writers>) -> bool,
    ) -> bool {
        let mut state = self.state();
        let may_be = may_be_written(state.writers.get(&location));
        if !may_be {
            let reader = state.relied.entry(location).or_insert(Some(read.thread));
            *reader = reader.filter(|&reader| reader == read.thread);
        }
        may_be
    }
}

impl State {
    fn begin_round(&mut self) {
        let Summary { rounds, runs, .. } = self.summary;
        self.summary = Summary { rounds: rounds + 1, runs, ..Summary::default() };
        self.relied.clear();
        self.end = None;
        self.parts = vec![Readings::default()];
    }

    /// Returns true if no worker has anything to do any more.
    fn is_finished(&self) -> bool {
        self.busy == 0 && self.end.map_or(self.parts.is_empty(), |end| end == RoundEnd::Bound)
    }

    fn learn(&mut self, runs: &[ThreadRun]) {
        for (thread, run) in runs.iter().enumerate() {
            for (index, action) in run.events.iter().enumerate() {
                let Some(location) = action.access().filter(|access| access.may_write()).map(|access| access.location)
                else {
                    continue;
                };
                let writers = self.writers.entry(location).or_default();
                if writers.get(&thread).is_none_or(|&last| last < index) {
                    writers.insert(thread, index);
                    if self.relied.get(&location).is_some_and(|&reader| reader != Some(thread)) {
                        self.end.get_or_insert(RoundEnd::Surprise);
                    }
                }
            }
        }
    }
}

/// A worker's place in one of the counts, until it is dropped.
struct Seat<'a> {
    search: &'a SharedSearch,
    is: fn(&mut State) -> &mut usize,
}

impl Drop for Seat<'_> {
    fn drop(&mut self) {
        let mut state = self.search.state();
        *(self.is)(&mut state) -= 1;
        if std::thread::panicking() {
            state.end = Some(RoundEnd::Bound);
        }
        self.search.changed.notify_all();
    }
}
