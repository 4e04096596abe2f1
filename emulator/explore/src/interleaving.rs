//! An order of an execution's events for a person to follow.

use crate::event::{Action, EventId};
use crate::execution::Execution;
use crate::orders::CoherenceOrder;
use crate::relation::Relation;

/// All events of an execution, one after the other.
pub struct Interleaving {
    /// The events by their numbers.
    pub events: Vec<usize>,
    /// Each read reads the latest write before it. If not, no order of the events explains what reads have read, and
    /// this one keeps program order, barriers, and if possible each write before those that read it.
    pub is_sequential: bool,
}

impl Interleaving {
    /// Returns an order with few changes of thread.
    pub fn of(execution: &Execution, coherence: &CoherenceOrder) -> Interleaving {
        let program = program_order(execution);
        let reads_from = Relation::of(execution.len(), |a, b| execution.source[b] == Some(a));
        let precedes = |a: EventId, b: EventId| coherence.contains(&(a, b));
        let communicates = Relation::of(execution.len(), |a, b| {
            let (first, second) = (&execution.actions[a], &execution.actions[b]);
            let after_source =
                || execution.source[a].is_none_or(|source| precedes(execution.ids[source], execution.ids[b]));
            let from_read = first.reads() && second.writes() && execution.overlap(a, b) && a != b && after_source();
            precedes(execution.ids[a], execution.ids[b]) || from_read && execution.source[a] != Some(b)
        });
        let with_sources = program.or(&reads_from);
        let whole = sorted(execution, &with_sources.or(&communicates));
        let is_sequential = whole.is_some();
        let events = whole.or_else(|| sorted(execution, &with_sources)).or_else(|| sorted(execution, &program));
        Interleaving { events: events.expect("program order and barriers have no cycle"), is_sequential }
    }

    /// Returns how often the thread changes.
    pub fn switches(&self, execution: &Execution) -> usize {
        self.events.windows(2).filter(|pair| !execution.is_same_thread(pair[0], pair[1])).count()
    }
}

/// Program order, and what arrives at a phase of a barrier before what follows its waits.
fn program_order(execution: &Execution) -> Relation {
    let meets = |event: usize| match execution.actions[event] {
        Action::Meet(part) => Some(part),
        _ => None,
    };
    let follows = |arrival: usize, event: usize| {
        let wait = event.checked_sub(1).filter(|&wait| execution.is_same_thread(wait, event));
        let parts = meets(arrival).zip(wait.and_then(meets));
        parts.is_some_and(|(first, last)| first.meeting == last.meeting && first.arrives && last.waits)
    };
    Relation::of(execution.len(), |a, b| a + 1 == b && execution.is_same_thread(a, b) || follows(a, b))
}

/// Returns the events in an order that a relation allows, which stays with a thread as long as it may. `None` if the
/// relation has a cycle.
fn sorted(execution: &Execution, relation: &Relation) -> Option<Vec<usize>> {
    let mut left: Vec<usize> = (0..execution.len()).collect();
    let mut order: Vec<usize> = Vec::new();
    while !left.is_empty() {
        let is_ready = |&event: &usize| left.iter().all(|&other| other == event || !relation.has(other, event));
        let mut ready = left.iter().copied().filter(is_ready);
        let first = ready.next()?;
        let stays = |&event: &usize| order.last().is_some_and(|&last| execution.is_same_thread(last, event));
        let next = [first].into_iter().chain(ready).find(stays).unwrap_or(first);
        left.retain(|&event| event != next);
        order.push(next);
    }
    Some(order)
}
