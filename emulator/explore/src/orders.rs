//! The orders that an execution leaves open: fence-SC order, and each location's coherence order.
//!
//! Both are searched pair by pair. Since the axioms are monotone (`axioms.rs`), a direction that violates one alone is
//! wrong whatever the other pairs do, and settles its pair.

use crate::axioms::{Candidate, Coherence, LocationAccesses};
use crate::event::EventId;
use crate::execution::Execution;
use crate::relation::Relation;
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// A coherence order of all locations: the pairs of writes that are ordered.
pub type CoherenceOrder = BTreeSet<(EventId, EventId)>;

/// An execution with what all of its orders have in common.
pub struct Open<'a> {
    execution: &'a Execution,
    fixed: Relation,
    observation: Relation,
    places: Vec<LocationAccesses>,
}

impl<'a> Open<'a> {
    pub fn new(execution: &'a Execution) -> Open<'a> {
        let observation = execution.observation_order();
        let fixed = execution.fixed_order(&observation);
        let place = |(location, accesses)| LocationAccesses::new(execution, location, accesses);
        let places = execution.accesses().into_iter().map(place).collect();
        Open { execution, fixed, observation, places }
    }

    fn candidate(&self, fence_sc: Relation) -> Candidate<'a> {
        Candidate::new(self.execution, &self.fixed, &self.observation, fence_sc)
    }

    /// Returns causality order as far as it holds under every fence-SC order.
    pub fn least_causality(&self) -> Relation {
        self.candidate(Relation::new(self.execution.len())).causality
    }

    /// Returns true if some fence-SC order and some coherence order meet all axioms.
    pub fn is_consistent(&self) -> bool {
        self.for_each_fence_order(&mut |_| ControlFlow::Break(())).is_break()
    }

    fn has_coherence(&self, candidate: &Candidate) -> bool {
        self.places.iter().all(|place| for_each_coherence(candidate, place, &mut |_| ControlFlow::Break(())).is_break())
    }

    /// Returns all coherence orders that meet the axioms with some fence-SC order.
    pub fn coherence_orders(&self) -> BTreeSet<CoherenceOrder> {
        let mut all = BTreeSet::new();
        let _ = self.for_each_fence_order(&mut |candidate| {
            let mut product = vec![CoherenceOrder::new()];
            for place in &self.places {
                let mut orders = Vec::new();
                let _ = for_each_coherence(candidate, place, &mut |coherence| {
                    orders.push(self.pairs(coherence));
                    ControlFlow::<()>::Continue(())
                });
                product = product
                    .iter()
                    .flat_map(|whole| orders.iter().map(move |more| whole.union(more).copied().collect()))
                    .collect();
            }
            all.extend(product);
            ControlFlow::<()>::Continue(())
        });
        all
    }

    fn pairs(&self, coherence: &Coherence) -> CoherenceOrder {
        let writes = &coherence.place.writes;
        let pairs = writes.iter().flat_map(|&a| writes.iter().map(move |&b| (a, b)));
        let ordered = pairs.filter(|&(a, b)| coherence.order.has(a, b));
        ordered.map(|(a, b)| (self.execution.ids[a], self.execution.ids[b])).collect()
    }

    /// Returns the pairs of accesses that race under some fence-SC order which is part of a valid execution.
    pub fn races(&self) -> BTreeSet<(EventId, EventId)> {
        let mut all = BTreeSet::new();
        let _ = self.for_each_fence_order(&mut |candidate| {
            let races = self.execution.races(&candidate.causality);
            all.extend(races.into_iter().map(|(a, b)| (self.execution.ids[a], self.execution.ids[b])));
            ControlFlow::<()>::Continue(())
        });
        all
    }

    /// Calls `each` with every fence-SC order that meets all axioms with some coherence order, until it breaks.
    fn for_each_fence_order<B>(&self, each: &mut dyn FnMut(&Candidate<'a>) -> ControlFlow<B>) -> ControlFlow<B> {
        let fences = self.execution.fences_sc();
        let pairs = fences.iter().flat_map(|&a| fences.iter().map(move |&b| (a, b)));
        let pairs: Vec<(usize, usize)> =
            pairs.filter(|&(a, b)| a < b && self.execution.is_morally_strong(a, b)).collect();
        match self.feasible(Relation::new(self.execution.len())) {
            Some(candidate) => self.settle_fences(candidate, &pairs, each),
            None => ControlFlow::Continue(()),
        }
    }

    /// Returns the candidate if no axiom speaks against it yet.
    fn feasible(&self, fence_sc: Relation) -> Option<Candidate<'a>> {
        let candidate = self.candidate(fence_sc);
        (candidate.meets_fence_sc() && self.has_coherence(&candidate)).then_some(candidate)
    }

    fn settle_fences<B>(
        &self,
        candidate: Candidate<'a>,
        pairs: &[(usize, usize)],
        each: &mut dyn FnMut(&Candidate<'a>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let is_open = |&&(a, b): &&(usize, usize)| !candidate.fence_sc.has(a, b) && !candidate.fence_sc.has(b, a);
        let Some(&(a, b)) = pairs.iter().find(is_open) else { return each(&candidate) };
        for (first, second) in [(a, b), (b, a)] {
            let mut fence_sc = candidate.fence_sc.clone();
            fence_sc.add_closed(first, second);
            if let Some(candidate) = self.feasible(fence_sc) {
                self.settle_fences(candidate, pairs, each)?;
            }
        }
        ControlFlow::Continue(())
    }
}

/// Calls `each` with every coherence order of a location that meets the axioms, until it breaks. An order relates the
/// writes that are morally strong or ordered by causality.
fn for_each_coherence<B>(
    candidate: &Candidate,
    place: &LocationAccesses,
    each: &mut dyn FnMut(&Coherence) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let mut order = Relation::new(candidate.execution.len());
    let pairs = || place.writes.iter().flat_map(|&a| place.writes.iter().map(move |&b| (a, b)));
    pairs().filter(|&(a, b)| candidate.causality.has(a, b)).for_each(|(a, b)| order.add(a, b));
    for &update in place.writes.iter().filter(|&&event| candidate.execution.actions[event].is_update()) {
        let source = candidate.execution.source[update];
        let strong = |write: usize| write != update && candidate.execution.is_morally_strong(write, update);
        match source {
            Some(source) if strong(source) => order.add(source, update),
            Some(_) => {}
            // No write comes between the initial value and the update.
            None => place.writes.iter().filter(|&&write| strong(write)).for_each(|&write| order.add(update, write)),
        }
    }
    let order = order.closed();
    let strong: Vec<(usize, usize)> =
        pairs().filter(|&(a, b)| a < b && candidate.execution.is_morally_strong(a, b)).collect();
    settle_writes(Coherence { candidate, place, order }, &strong, each)
}

fn settle_writes<B>(
    coherence: Coherence,
    pairs: &[(usize, usize)],
    each: &mut dyn FnMut(&Coherence) -> ControlFlow<B>,
) -> ControlFlow<B> {
    if !coherence.is_valid() {
        return ControlFlow::Continue(());
    }
    let is_open = |&&(a, b): &&(usize, usize)| !coherence.order.has(a, b) && !coherence.order.has(b, a);
    let Some(&(a, b)) = pairs.iter().find(is_open) else { return each(&coherence) };
    for (first, second) in [(a, b), (b, a)] {
        let mut order = coherence.order.clone();
        order.add_closed(first, second);
        settle_writes(Coherence { order, ..coherence }, pairs, each)?;
    }
    ControlFlow::Continue(())
}
