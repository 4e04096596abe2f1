//! The interface of a search: its bounds, the executions that it visits, and its summary.

use crate::event::{EventId, Location};
use crate::execution::Execution;
use crate::orders::CoherenceOrder;
use crate::program::Refusal;
use std::collections::BTreeSet;
use std::time::Duration;

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

/// The visitor of a worker's executions.
pub trait Visitor {
    /// The search begins, or begins again: what was visited before does not count.
    fn begins(&mut self);
    fn visit(&mut self, visited: &Visited);
    /// Returns true to end the search. An execution that was visited is valid whether the search would begin again or
    /// not.
    fn is_enough(&self) -> bool {
        false
    }
    /// The search has ended. No worker returns from it before this was called for all of them.
    fn ends(&mut self) {}
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
