//! The orders that an execution leaves open: fence-SC order, and each location's coherence order.
//!
//! Both are searched pair by pair. Since the axioms are monotone (`axioms.rs`), a direction that violates one alone is
//! wrong whatever the other pairs do, and settles its pair. Most pairs of fences follow from coherence order, and the
//! others seldom matter.

use crate::axioms::{Candidate, Coherence, LocationAccesses};
use crate::event::EventId;
use crate::execution::Execution;
use crate::relation::Relation;
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::time::Instant;

/// A coherence order of all locations: the pairs of writes that are ordered.
pub type CoherenceOrder = BTreeSet<(EventId, EventId)>;

/// An execution whose orders are open.
pub struct Open<'a> {
    execution: &'a Execution,
    observation: Relation,
    /// The candidate that orders no fences. What it orders holds in all.
    least: Candidate<'a>,
    places: Vec<LocationAccesses>,
    /// The pairs of fences that fence-SC order relates.
    fence_pairs: Vec<(usize, usize)>,
    /// The time at which it stops to try orders. What it returns after that may lack some.
    until: Instant,
}

impl<'a> Open<'a> {
    pub fn new(execution: &'a Execution, until: Instant) -> Open<'a> {
        let observation = execution.observation_order();
        let least = Candidate::new(execution, &observation);
        let place = |(location, accesses)| LocationAccesses::new(execution, location, accesses);
        let places = execution.accesses().into_iter().map(place).collect();
        let fences = execution.fences_sc();
        let pairs = fences.iter().flat_map(|&a| fences.iter().map(move |&b| (a, b)));
        let fence_pairs = pairs.filter(|&(a, b)| a < b && execution.is_morally_strong(a, b)).collect();
        Open { execution, observation, least, places, fence_pairs, until }
    }

    /// Returns true if some fence-SC order and some coherence order meet all axioms.
    pub fn is_consistent(&self) -> bool {
        self.is_feasible(&self.least) && (self.fence_pairs.is_empty() || self.witness().is_some())
    }

    /// Returns a candidate with a complete fence-SC order that meets all axioms with some coherence order.
    fn witness(&self) -> Option<Candidate<'a>> {
        self.settle_places(&self.least, &mut Vec::new(), &mut |candidate, _| ControlFlow::Break(candidate.clone()))
            .break_value()
    }

    fn is_feasible(&self, candidate: &Candidate) -> bool {
        let mut places = self.places.iter();
        candidate.meets_fence_sc() && places.all(|place| first_coherence(candidate, place, self.until).is_some())
    }

    /// Returns all coherence orders that meet the axioms with some fence-SC order.
    pub fn coherence_orders(&self) -> BTreeSet<CoherenceOrder> {
        let mut all = BTreeSet::new();
        if self.fence_pairs.is_empty() || self.places.iter().all(|place| self.least.orders_writes(place)) {
            // All fence-SC orders have the same pairs of writes to order.
            let _ = self.settle_places(&self.least, &mut Vec::new(), &mut |_, coherence| {
                all.insert(self.pairs(coherence));
                ControlFlow::<()>::Continue(())
            });
            return all;
        }
        let _ = self.settle_fences(&self.least, &|candidate| self.is_feasible(candidate), &mut |candidate| {
            for_each_product(candidate, &self.places, self.until, &mut Vec::new(), &mut |coherence| {
                all.insert(self.pairs(coherence));
                ControlFlow::<()>::Continue(())
            })
        });
        all
    }

    fn pairs(&self, coherence: &[Relation]) -> CoherenceOrder {
        let mut all = CoherenceOrder::new();
        for (place, order) in self.places.iter().zip(coherence) {
            let id = |rank: usize| self.execution.ids[place.writes[rank]];
            let pairs = (0..place.writes.len()).flat_map(|a| order.after(a).map(move |b| (a, b)));
            all.extend(pairs.map(|(a, b)| (id(a), id(b))));
        }
        all
    }

    /// Returns pairs of accesses that race under fence-SC orders which are part of a valid execution. If there are any,
    /// at least one is returned.
    pub fn races(&self) -> BTreeSet<(EventId, EventId)> {
        let least = self.races_of(&self.least);
        if least.is_empty() || self.fence_pairs.is_empty() {
            return least;
        }
        let mut all = self.witness().map_or_else(BTreeSet::new, |candidate| self.races_of(&candidate));
        if all.is_empty() {
            let _ = self.settle_fences(&self.least, &|candidate| self.is_feasible(candidate), &mut |candidate| {
                all = self.races_of(candidate);
                if all.is_empty() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
        }
        all
    }

    fn races_of(&self, candidate: &Candidate) -> BTreeSet<(EventId, EventId)> {
        let races = |place: &LocationAccesses| self.execution.races(&place.accesses, &candidate.causality);
        let all = self.places.iter().flat_map(races);
        all.map(|(a, b)| (self.execution.ids[a], self.execution.ids[b])).collect()
    }

    /// Calls `each` with every coherence order that meets the axioms with some fence-SC order, and with one such order,
    /// until it breaks. `coherence` has the orders of the first locations, and `candidate` the pairs of fences that
    /// follow from them.
    fn settle_places<B>(
        &self,
        candidate: &Candidate<'a>,
        coherence: &mut Vec<Relation>,
        each: &mut dyn FnMut(&Candidate<'a>, &[Relation]) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let Some(place) = self.places.get(coherence.len()) else {
            if self.fence_pairs.is_empty() {
                return each(candidate, coherence);
            }
            return match self.complete(candidate, coherence) {
                Some(candidate) => each(&candidate, coherence),
                None => ControlFlow::Continue(()),
            };
        };
        for_each_coherence(candidate, place, self.until, &mut |order| {
            coherence.push(order.order.clone());
            let result = if self.fence_pairs.is_empty() {
                self.settle_places(candidate, coherence, each)
            } else if let Some(candidate) = self.forced(candidate, coherence) {
                self.settle_places(&candidate, coherence, each)
            } else {
                ControlFlow::Continue(())
            };
            coherence.pop();
            result
        })
    }

    /// Returns the candidate with all pairs of fences whose other direction would contradict the coherence order.
    /// `None` if both directions do.
    ///
    /// If an access that follows fence `a` comes before one that precedes fence `b` in communication order, `b` cannot
    /// precede `a`: by causality the two accesses would be the other way round.
    fn forced(&self, candidate: &Candidate<'a>, coherence: &[Relation]) -> Option<Candidate<'a>> {
        let communication = self.communication(coherence);
        let mut candidate = candidate.clone();
        loop {
            let forces = candidate.base.then(&communication).then(&candidate.base).or(&candidate.base);
            let mut fence_sc = candidate.fence_sc.clone();
            for &(a, b) in &self.fence_pairs {
                [(a, b), (b, a)]
                    .into_iter()
                    .filter(|&(a, b)| forces.has(a, b))
                    .for_each(|(a, b)| fence_sc.add_closed(a, b));
            }
            if !fence_sc.is_irreflexive() {
                return None;
            }
            if fence_sc == candidate.fence_sc {
                return candidate.meets_fence_sc().then_some(candidate);
            }
            candidate = self.least.with_fence_order(&self.observation, fence_sc);
        }
    }

    /// Communication order of the first locations, and what observes its last event.
    fn communication(&self, coherence: &[Relation]) -> Relation {
        let mut all = Relation::new(self.execution.len());
        for (place, order) in self.places.iter().zip(coherence) {
            let coherence = Coherence { candidate: &self.least, place, order: order.clone() };
            let pairs = place.accesses.iter().flat_map(|&a| place.accesses.iter().map(move |&b| (a, b)));
            pairs.filter(|&(a, b)| a != b && coherence.communicates(a, b)).for_each(|(a, b)| all.add(a, b));
        }
        all.then(&self.observation).or(&all)
    }

    /// Returns the candidate with a complete fence-SC order that meets all axioms with this coherence order. Almost
    /// always any order does that has the forced pairs.
    fn complete(&self, candidate: &Candidate<'a>, coherence: &[Relation]) -> Option<Candidate<'a>> {
        let is_valid = |candidate: &Candidate| {
            let mut orders = self.places.iter().zip(coherence);
            let is_valid =
                |(place, order): (_, &Relation)| Coherence { candidate, place, order: order.clone() }.is_valid();
            candidate.meets_fence_sc() && orders.all(is_valid)
        };
        let mut fence_sc = candidate.fence_sc.clone();
        self.fence_pairs.iter().for_each(|&(a, b)| {
            if !fence_sc.has(b, a) {
                fence_sc.add_closed(a, b);
            }
        });
        let any = self.least.with_fence_order(&self.observation, fence_sc);
        if is_valid(&any) {
            return Some(any);
        }
        self.settle_fences(candidate, &is_valid, &mut |candidate| ControlFlow::Break(candidate.clone())).break_value()
    }

    /// Calls `each` with every complete fence-SC order that `counts`, until it breaks. If an order does not count, none
    /// that has more pairs does.
    fn settle_fences<B>(
        &self,
        candidate: &Candidate<'a>,
        counts: &dyn Fn(&Candidate) -> bool,
        each: &mut dyn FnMut(&Candidate<'a>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if !counts(candidate) || Instant::now() >= self.until {
            return ControlFlow::Continue(());
        }
        let is_open = |&&(a, b): &&(usize, usize)| !candidate.fence_sc.has(a, b) && !candidate.fence_sc.has(b, a);
        let Some(&(a, b)) = self.fence_pairs.iter().find(is_open) else { return each(candidate) };
        for (first, second) in [(a, b), (b, a)] {
            let mut fence_sc = candidate.fence_sc.clone();
            fence_sc.add_closed(first, second);
            let candidate = self.least.with_fence_order(&self.observation, fence_sc);
            self.settle_fences(&candidate, counts, each)?;
        }
        ControlFlow::Continue(())
    }
}

/// Calls `each` with every coherence order of a candidate, an order for each location, until it breaks.
fn for_each_product<B>(
    candidate: &Candidate,
    places: &[LocationAccesses],
    until: Instant,
    coherence: &mut Vec<Relation>,
    each: &mut dyn FnMut(&[Relation]) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let Some((place, rest)) = places.split_first() else { return each(coherence) };
    for_each_coherence(candidate, place, until, &mut |order| {
        coherence.push(order.order.clone());
        let result = for_each_product(candidate, rest, until, coherence, each);
        coherence.pop();
        result
    })
}

/// Returns a coherence order of a location that meets the axioms.
fn first_coherence(candidate: &Candidate, place: &LocationAccesses, until: Instant) -> Option<Relation> {
    let found =
        for_each_coherence(candidate, place, until, &mut |coherence| ControlFlow::Break(coherence.order.clone()));
    found.break_value()
}

/// Calls `each` with every coherence order of a location that meets the axioms, until it breaks. An order relates the
/// writes that are morally strong or ordered by causality.
fn for_each_coherence<B>(
    candidate: &Candidate,
    place: &LocationAccesses,
    until: Instant,
    each: &mut dyn FnMut(&Coherence) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let mut order = Relation::new(place.writes.len());
    let mut add = |a: usize, b: usize| order.add(place.rank(a), place.rank(b));
    let pairs = || place.writes.iter().flat_map(|&a| place.writes.iter().map(move |&b| (a, b)));
    pairs().filter(|&(a, b)| candidate.causality.has(a, b)).for_each(|(a, b)| add(a, b));
    for &update in place.writes.iter().filter(|&&event| candidate.execution.actions[event].is_update()) {
        let source = candidate.execution.source[update];
        let strong = |write: usize| write != update && candidate.execution.is_morally_strong(write, update);
        match source {
            Some(source) if strong(source) => add(source, update),
            Some(_) => {}
            // No write comes between the initial value and the update.
            None => place.writes.iter().filter(|&&write| strong(write)).for_each(|&write| add(update, write)),
        }
    }
    let order = order.closed();
    let strong: Vec<(usize, usize)> =
        pairs().filter(|&(a, b)| a < b && candidate.execution.is_morally_strong(a, b)).collect();
    settle_writes(Coherence { candidate, place, order }, &strong, until, each)
}

fn settle_writes<B>(
    coherence: Coherence,
    pairs: &[(usize, usize)],
    until: Instant,
    each: &mut dyn FnMut(&Coherence) -> ControlFlow<B>,
) -> ControlFlow<B> {
    if !coherence.is_valid() || Instant::now() >= until {
        return ControlFlow::Continue(());
    }
    let is_open = |&&(a, b): &&(usize, usize)| !coherence.has(a, b) && !coherence.has(b, a);
    let Some(&(a, b)) = pairs.iter().find(is_open) else { return each(&coherence) };
    for (first, second) in [(a, b), (b, a)] {
        let mut order = coherence.order.clone();
        order.add_closed(coherence.place.rank(first), coherence.place.rank(second));
        settle_writes(Coherence { order, ..coherence }, pairs, until, each)?;
    }
    ControlFlow::Continue(())
}
