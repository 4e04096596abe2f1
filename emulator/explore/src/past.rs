//! The writes that a read without a value may read from: those that a run has shown, and those that may still come.

use crate::axioms::Candidate;
use crate::event::{Access, EventId, Location};
use crate::execution::Execution;
use crate::program::{ThreadRun, ThreadState};
use crate::relation::Relation;
use std::collections::BTreeMap;

/// The threads that write a location, each with the index of the last event that does.
pub type Writers = BTreeMap<usize, usize>;

/// All events of a run, those without a value included, in causality order as far as it is known.
pub struct Past<'a> {
    runs: &'a [ThreadRun],
    execution: Execution,
    /// For each event, true if the value that it reads is known.
    known: Vec<bool>,
    accesses: BTreeMap<Location, Vec<usize>>,
    causality: Relation,
}

impl<'a> Past<'a> {
    /// `execution` has all events of `runs`.
    pub fn new(runs: &'a [ThreadRun], execution: Execution, known: Vec<bool>) -> Past<'a> {
        let causality = Candidate::new(&execution, &execution.observation_order()).causality;
        Past { runs, accesses: execution.accesses(), causality, execution, known }
    }

    fn number(&self, id: EventId) -> usize {
        self.execution.number(id).expect("an event of the run")
    }

    /// Returns the writes that a read may read from, with their values, the latest of each thread first. Those that
    /// another write hides are left out. `initial` is the value that the location has before any.
    pub fn sources(&self, read: EventId, location: Location, initial: u64) -> Vec<(Option<EventId>, u64)> {
        let (execution, read) = (&self.execution, self.number(read));
        let all = self.accesses.get(&location).into_iter().flatten().copied();
        let writes: Vec<usize> = all.filter(|&event| execution.actions[event].writes()).collect();
        let before: Vec<usize> = writes.iter().copied().filter(|&write| self.causality.has(write, read)).collect();
        let is_visible = |&write: &usize| {
            !self.causality.has(read, write) && !before.iter().any(|&later| self.causality.has(write, later))
        };
        let initial = before.is_empty().then_some((None, initial));
        let named = |write: usize| Some((Some(execution.ids[write]), execution.actions[write].written()?));
        writes.into_iter().rev().filter(is_visible).filter_map(named).chain(initial).collect()
    }

    /// Returns true if a write may still come that a read may read from: by a thread of `writers`, or by an earlier
    /// instruction of its own thread whose value is not known.
    pub fn may_be_written(&self, read: EventId, location: Location, writers: Option<&Writers>) -> bool {
        let by_another =
            |(&thread, &last): (&usize, &usize)| thread != read.thread && self.may_write(read, thread, last);
        let is_pending = |&event: &usize| {
            let is_own = self.execution.ids[event].thread == read.thread;
            self.is_pending(event) && (!is_own || self.execution.ids[event].index < read.index)
        };
        let number = self.number(read);
        let mut accesses = self.accesses.get(&location).into_iter().flatten();
        writers.into_iter().flatten().any(by_another)
            || accesses.any(|event| is_pending(event) && !self.causality.has(number, *event))
    }

    /// Returns true if a thread, whose last write of the location has index `last`, may still come to a write that does
    /// not come after the read in causality order.
    fn may_write(&self, read: EventId, thread: usize, last: usize) -> bool {
        let run = &self.runs[thread];
        let has_more = run.state != ThreadState::Ended && last >= run.events.len();
        let frontier = run.events.len().checked_sub(1).map(|index| self.number(EventId { thread, index }));
        has_more && !frontier.is_some_and(|frontier| self.causality.has(self.number(read), frontier))
    }

    /// Returns true if an event may write, and it is not known what.
    fn is_pending(&self, event: usize) -> bool {
        let action = &self.execution.actions[event];
        let may_write = action.access().is_some_and(Access::may_write);
        may_write && !action.writes() && !self.known[event]
    }
}
