//! An order of an execution's events for a person to follow.

use crate::event::Action;
use crate::execution::Execution;
use crate::orders::CoherenceOrder;
use crate::relation::Relation;

/// All events of an execution, one after the other.
pub struct Interleaving {
    /// The events by their numbers.
    pub events: Vec<usize>,
    /// Each read reads the latest write before it. If not, this order keeps program order, barriers, and if possible
    /// each write before those that read it.
    pub is_sequential: bool,
}

/// Steps of the search for an order in which each read reads the latest write.
const MOST_STEPS: usize = 1 << 12;

impl Interleaving {
    /// Returns an order with few changes of thread.
    pub fn of(execution: &Execution, coherence: &CoherenceOrder) -> Interleaving {
        let program = program_order(execution);
        let reads_from = Relation::of(execution.len(), |a, b| execution.source[b] == Some(a));
        let precedes = |a: usize, b: usize| coherence.contains(&(execution.ids[a], execution.ids[b]));
        let with_sources = program.or(&reads_from);
        let whole = with_sources.or(&Relation::of(execution.len(), precedes));
        let whole = Sequential { execution, relation: &whole, order: Vec::new(), steps: 0 }.found();
        let is_sequential = whole.is_some();
        let events = whole.or_else(|| sorted(execution, &with_sources)).or_else(|| sorted(execution, &program));
        Interleaving { events: events.expect("program order and barriers have no cycle"), is_sequential }
    }

    /// Returns for each event of the order, if it reads, the number of writes between the one that it reads and it.
    /// `None` if a read comes before the write that it reads.
    pub fn distances(&self, execution: &Execution) -> Option<Vec<usize>> {
        let distance = |(at, &event): (usize, &usize)| {
            if !execution.actions[event].reads() {
                return Some(0);
            }
            let mut writes = writes_before(execution, &self.events[..at], event);
            match execution.source[event] {
                Some(source) => writes.position(|write| write == source),
                None => Some(writes.count()),
            }
        };
        self.events.iter().enumerate().map(distance).collect()
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

/// Returns the writes to the location of a read among some events, the latest first.
fn writes_before<'a>(execution: &'a Execution, events: &'a [usize], read: usize) -> impl Iterator<Item = usize> + 'a {
    let writes = move |event: &usize| execution.actions[*event].writes() && execution.overlap(*event, read);
    events.iter().rev().copied().filter(writes)
}

/// Searches for an order of the events that a relation allows, and in which each read reads the latest write.
struct Sequential<'a> {
    execution: &'a Execution,
    relation: &'a Relation,
    order: Vec<usize>,
    steps: usize,
}

impl Sequential<'_> {
    fn found(mut self) -> Option<Vec<usize>> {
        self.extend().then_some(self.order)
    }

    /// Extends the order to all events. If that is impossible it stays as it is.
    fn extend(&mut self) -> bool {
        let left: Vec<usize> = (0..self.execution.len()).filter(|event| !self.order.contains(event)).collect();
        let last = self.order.last().copied();
        let stays = |event: usize| last.is_some_and(|last| self.execution.is_same_thread(last, event));
        let is_ready = |&event: &usize| left.iter().all(|&other| other == event || !self.relation.has(other, event));
        let mut ready: Vec<usize> = left.iter().copied().filter(is_ready).filter(|&it| self.reads_latest(it)).collect();
        ready.sort_by_key(|&event| !stays(event));
        self.steps += 1;
        let is_over = self.steps > MOST_STEPS;
        let is_extended = ready.into_iter().filter(|_| !is_over).any(|event| {
            self.order.push(event);
            self.extend() || self.order.pop().is_none()
        });
        left.is_empty() || is_extended
    }

    fn reads_latest(&self, event: usize) -> bool {
        let latest = writes_before(self.execution, &self.order, event).next();
        !self.execution.actions[event].reads() || latest == self.execution.source[event]
    }
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
