//! Judgement of a run by the axioms: whether its outcome is allowed, and which races its execution has.
//!
//! A run shows values, and these leave open in which order fences came and where writes stand that nobody has read. A
//! race *must* be reported at a place if every valid execution with these values has one there. Two lines *may* be
//! reported if they race in the least causality order that these values allow. Between the two lies what the checker
//! leaves open on purpose (docs/findings.md, "Which way the checkers err"):
//!
//! - The order of two `fence.sc` silences no race, unless a write behind the one is read before the other, across
//!   barriers too: it comes out either way from run to run.
//! - A `red` orders nothing by what it has observed: the kernel does not see that.
//! - A compare-and-swap that fails counts as a write, since under another schedule it may succeed; and so as one that a
//!   later update has observed.
//! - What a thread reads of its own weak stores, and by its own weak loads, is no observation: where others come in,
//!   these race anyway.
//! - What precedes an observed write at its place counts as observed too.
//! - Of strong writes the last stands for those that are ordered before it, whatever their scopes.
//! - A weak load is a guess where a compare-and-swap of its thread checks what it has found.

use crate::axioms::{Ordered, ordered};
use crate::model::Execution;
use crate::outcome::Outcome;
use crate::program::{Does, Event, PLACES, Program, Semantics};
use emulator::explore::relation::Relation;
use std::collections::BTreeSet;

pub struct Verdict {
    /// Or which axiom is in the way.
    pub is_allowed: Result<(), &'static str>,
    /// The two events, the first in the program's text first.
    pub may: BTreeSet<(usize, usize)>,
    /// By place.
    pub must: [bool; PLACES],
}

impl Verdict {
    pub fn of(program: &Program, outcome: &Outcome) -> Verdict {
        let mut verdict = Verdict { is_allowed: Err("No Thin Air"), may: BTreeSet::new(), must: [true; PLACES] };
        for (execution, last) in outcome.executions(program) {
            if verdict.is_allowed.is_err() {
                verdict.is_allowed = Err("Fence-SC");
            }
            let mut is_valid = false;
            for ordered in ordered(&execution) {
                match ordered.is_valid(last) {
                    Ok(()) => {
                        let races = execution.races(&execution.most_causality(&ordered), Event::may_write);
                        let is_left = |a, b| execution.is_left_out(a, b, &ordered.causality);
                        let races = || races.iter().filter(|&&(a, b)| !is_left(a, b) && !is_left(b, a));
                        let at = |place| races().any(|&(a, _)| program.events[a].place == place);
                        verdict.must = std::array::from_fn(|place| verdict.must[place] && at(place));
                        verdict.is_allowed = Ok(());
                        is_valid = true;
                    }
                    Err(axiom) if verdict.is_allowed.is_err() => verdict.is_allowed = Err(axiom),
                    Err(_) => {}
                }
            }
            if is_valid {
                verdict.may.extend(execution.races(&execution.least_causality(), Event::may_write));
            }
        }
        verdict
    }
}

impl Event {
    fn may_write(&self) -> bool {
        self.is_memory() && self.does != Does::Load
    }
}

impl Execution<'_> {
    /// "Data races": conflicting accesses that are neither morally strong nor ordered by causality.
    fn races(&self, causality: &Relation, writes: impl Fn(&Event) -> bool) -> BTreeSet<(usize, usize)> {
        let writes = |event: usize| writes(&self.program.events[event]);
        let is_race = |a: usize, b: usize| {
            self.overlap(a, b)
                && (writes(a) || writes(b))
                && !self.is_morally_strong(a, b)
                && !causality.has(a, b)
                && !causality.has(b, a)
        };
        let pairs = (0..self.len()).flat_map(|b| (0..b).map(move |a| (a, b)));
        pairs.filter(|&(a, b)| is_race(a, b)).collect()
    }

    /// True if it is left open whether `a`, which races with `b`, is reported.
    fn is_left_out(&self, a: usize, b: usize, causality: &Relation) -> bool {
        let events = &self.program.events;
        let is_failed = events[a].may_write() && !self.writes[a];
        let covers =
            |write: usize| write != b && self.writes[write] && self.overlap(a, write) && causality.has(a, write);
        let is_covered = events[a].semantics != Semantics::Weak && (0..self.len()).any(covers);
        let checks = |swap: usize| {
            let is_swap = matches!(events[swap].does, Does::Swap(..)) && events[swap].place == events[a].place;
            is_swap && self.is_before(a, swap)
        };
        let is_guess = events[a].does == Does::Load && events[a].semantics == Semantics::Weak;
        is_failed || is_covered || is_guess && (0..self.len()).any(checks)
    }

    /// Causality order with what its observations are taken to cover.
    fn most_causality(&self, ordered: &Ordered) -> Relation {
        let earlier = Relation::of(self.len(), |a, b| ordered.causality.has(a, b) && self.overlap(a, b));
        let observed = earlier.then(&self.observation_order());
        ordered.causality.or(&observed.then(&ordered.base))
    }

    /// Causality order without what is left to chance, or to what nobody sees.
    fn least_causality(&self) -> Relation {
        let observation = self.observation_order();
        let (program_order, barriers) = (self.program_order(), self.barriers());
        let threads = program_order.or(&barriers).closed();
        let fences = self.fences_sc();
        let is_strong = |event: usize| self.program.events[event].semantics != Semantics::Weak;
        let is_seen = |event: usize| self.program.events[event].is_seen();
        let seen = Relation::of(self.len(), |a, b| observation.has(a, b) && is_strong(a) && is_strong(b) && is_seen(b));
        let told = threads.then(&seen).then(&threads);
        let settled = Relation::of(self.len(), |a, b| {
            fences.contains(&a) && fences.contains(&b) && self.is_morally_strong(a, b) && told.has(a, b)
        });
        let synchronizes = self.synchronizes(&observation);
        let base = program_order.or(&barriers).or(&synchronizes).or(&settled).closed();
        self.causality_order(&base, &seen)
    }
}
