//! The axioms of the PTX memory consistency model (PTX ISA, "Memory Consistency Model", "Axioms"), in the ISA's order
//! and under its names.
//!
//! A [`Candidate`] is an execution with a fence-SC order. An order of one location's writes is a [`Coherence`]. All
//! axioms are monotone: if an order that is not yet complete violates one, so does every completion. So a search may
//! ask them early.
//!
//! "No-Thin-Air" has no function here: [`crate::search`] gives a read only values of writes that exist without it.
//! Proxies are left out: all accesses are of the generic proxy.

use crate::event::Location;
use crate::execution::Execution;
use crate::relation::Relation;

/// An execution with a fence-SC order.
#[derive(Clone)]
pub struct Candidate<'a> {
    pub execution: &'a Execution,
    /// "Fence-SC order", closed.
    pub fence_sc: Relation,
    /// "Base causality order".
    pub base: Relation,
    /// "Causality order".
    pub causality: Relation,
}

impl<'a> Candidate<'a> {
    /// Returns the candidate whose fence-SC order is empty. `observation` is [`Execution::observation_order`].
    pub fn new(execution: &'a Execution, observation: &Relation) -> Candidate<'a> {
        let base = execution.fixed_order(observation);
        let causality = execution.causality_order(&base, observation);
        Candidate { execution, fence_sc: Relation::new(execution.len()), base, causality }
    }

    /// Returns the candidate with a closed fence-SC order in place of its empty one.
    pub fn with_fence_order(&self, observation: &Relation, fence_sc: Relation) -> Candidate<'a> {
        let base = self.base.or(&fence_sc).closed();
        let causality = self.execution.causality_order(&base, observation);
        Candidate { execution: self.execution, fence_sc, base, causality }
    }

    /// Returns true if all writes of a location are morally strong or ordered by causality.
    pub fn orders_writes(&self, place: &LocationAccesses) -> bool {
        let is_ordered = |a: usize, b: usize| {
            self.causality.has(a, b) || self.causality.has(b, a) || self.execution.is_morally_strong(a, b)
        };
        place.writes.iter().enumerate().all(|(at, &b)| place.writes[..at].iter().all(|&a| is_ordered(a, b)))
    }

    /// "Fence-SC": fence-SC order cannot contradict causality order.
    pub fn meets_fence_sc(&self) -> bool {
        let fences = self.execution.fences_sc();
        let contradicts = |a: usize| self.fence_sc.after(a).any(|b| self.causality.has(b, a));
        self.base.is_irreflexive() && !fences.into_iter().any(contradicts)
    }
}

/// The writes of one location, with a coherence order.
pub struct Coherence<'a> {
    pub candidate: &'a Candidate<'a>,
    pub place: &'a LocationAccesses,
    /// "Coherence order", closed, between the writes of the location by their [`LocationAccesses::rank`]. The initial
    /// value precedes all of them.
    pub order: Relation,
}

/// All accesses of a location.
pub struct LocationAccesses {
    pub location: Location,
    pub accesses: Vec<usize>,
    pub writes: Vec<usize>,
    /// Maximal sets of accesses that are pairwise morally strong.
    pub strong_sets: Vec<Vec<usize>>,
}

impl LocationAccesses {
    pub fn new(execution: &Execution, location: Location, accesses: Vec<usize>) -> LocationAccesses {
        let writes = accesses.iter().copied().filter(|&event| execution.actions[event].writes()).collect();
        let mut strong_sets = Vec::new();
        maximal_sets(&accesses, &mut Vec::new(), &|a, b| execution.is_morally_strong(a, b), &mut strong_sets);
        LocationAccesses { location, accesses, writes, strong_sets }
    }

    /// The number of a write among those of the location.
    pub fn rank(&self, write: usize) -> usize {
        self.writes.binary_search(&write).expect("a write of the location")
    }
}

/// Collects the maximal sets of `rest` whose members pairwise fit, and fit to all of `set`.
fn maximal_sets(rest: &[usize], set: &mut Vec<usize>, fit: &impl Fn(usize, usize) -> bool, all: &mut Vec<Vec<usize>>) {
    let Some((&first, others)) = rest.split_first() else {
        if !all.iter().any(|known| set.iter().all(|event| known.contains(event))) {
            all.push(set.clone());
        }
        return;
    };
    if !set.iter().all(|&event| fit(event, first)) {
        return maximal_sets(others, set, fit, all);
    }
    set.push(first);
    maximal_sets(others, set, fit, all);
    set.pop();
    if others.iter().any(|&other| !fit(first, other) && set.iter().all(|&event| fit(event, other))) {
        maximal_sets(others, set, fit, all);
    }
}

impl Coherence<'_> {
    fn execution(&self) -> &Execution {
        self.candidate.execution
    }

    /// Returns true if a write precedes another in coherence order.
    pub fn has(&self, a: usize, b: usize) -> bool {
        self.order.has(self.place.rank(a), self.place.rank(b))
    }

    /// Returns true if `source`, the write that a read has read or the initial value, precedes `write`.
    fn precedes(&self, source: Option<usize>, write: usize) -> bool {
        source.is_none_or(|source| self.has(source, write))
    }

    pub fn is_valid(&self) -> bool {
        self.meets_coherence() && self.meets_atomicity() && self.meets_causality() && self.meets_sc_per_location()
    }

    /// "Coherence": a write that precedes an overlapping write in causality order precedes it in coherence order.
    fn meets_coherence(&self) -> bool {
        let contradicts = |a: usize, b: usize| self.candidate.causality.has(a, b) && self.has(b, a);
        let writes = &self.place.writes;
        writes.iter().all(|&a| !self.has(a, a) && !writes.iter().any(|&b| contradicts(a, b)))
    }

    /// "Atomicity": no write that is morally strong with an atomic operation comes between the write that this has read
    /// and its own.
    fn meets_atomicity(&self) -> bool {
        let execution = self.execution();
        let updates = self.place.writes.iter().filter(|&&event| execution.actions[event].is_update());
        updates.into_iter().all(|&update| {
            let source = execution.source[update];
            let parts = |&write: &usize| {
                write != update
                    && Some(write) != source
                    && self.precedes(source, write)
                    && self.has(write, update)
                    && execution.is_morally_strong(write, update)
            };
            !self.place.writes.iter().any(parts)
        })
    }

    /// "Sequential Consistency per Location": within a set of pairwise morally strong accesses, program order and
    /// communication order make no cycle.
    fn meets_sc_per_location(&self) -> bool {
        self.place.strong_sets.iter().all(|set| {
            Relation::of(set.len(), |a, b| a != b && self.is_before_or_communicates(set[a], set[b]))
                .closed()
                .is_irreflexive()
        })
    }

    /// Program order, or communication order.
    fn is_before_or_communicates(&self, a: usize, b: usize) -> bool {
        self.execution().is_before(a, b) || self.communicates(a, b)
    }

    /// "Communication order": reads-from, coherence order, and from-reads.
    pub fn communicates(&self, a: usize, b: usize) -> bool {
        let execution = self.execution();
        let (first, second) = (&execution.actions[a], &execution.actions[b]);
        let reads_from = || second.reads() && execution.source[b] == Some(a);
        let coherence = || first.writes() && second.writes() && self.has(a, b);
        let from_reads = || {
            first.reads() && second.writes() && execution.source[a] != Some(b) && self.precedes(execution.source[a], b)
        };
        reads_from() || coherence() || from_reads()
    }

    /// "Causality": a read does not read from a write that it precedes in causality order, nor from one that precedes
    /// another in coherence order which precedes the read in causality order.
    fn meets_causality(&self) -> bool {
        let (execution, causality) = (self.execution(), &self.candidate.causality);
        let mut reads = self.place.accesses.iter().filter(|&&event| execution.actions[event].reads());
        reads.all(|&read| {
            let source = execution.source[read];
            let is_future = source.is_some_and(|source| causality.has(read, source));
            let hides =
                |&write: &usize| Some(write) != source && causality.has(write, read) && self.precedes(source, write);
            !is_future && !self.place.writes.iter().any(hides)
        })
    }
}
