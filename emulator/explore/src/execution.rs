//! An execution: events, program order, and where each read reads from; and the relations of the PTX memory consistency
//! model that follow from these alone. Names in quotes are the ISA's.

use crate::event::{Action, EventId, Location, ThreadPlace};
use crate::relation::Relation;
use finding::Scope;
use std::collections::BTreeMap;

/// Events are numbered by thread, then in program order.
#[derive(Clone, Debug)]
pub struct Execution {
    pub threads: Vec<ThreadPlace>,
    pub ids: Vec<EventId>,
    pub actions: Vec<Action>,
    /// The write that each read reads from. `None` stands for the initial value, and for events that read nothing.
    pub source: Vec<Option<usize>>,
}

/// A phase of a barrier: the events just before its arrivals precede those just after its waits. The arrivals and waits
/// themselves stay unordered, since an event may be both.
#[derive(Default)]
struct BarrierPhase {
    before: Vec<usize>,
    after: Vec<usize>,
}

impl Execution {
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    pub fn place(&self, event: usize) -> ThreadPlace {
        self.threads[self.ids[event].thread]
    }

    pub fn number(&self, id: EventId) -> Option<usize> {
        self.ids.binary_search(&id).ok()
    }

    /// All locations that are accessed, each with its accesses.
    pub fn accesses(&self) -> BTreeMap<Location, Vec<usize>> {
        let mut all: BTreeMap<Location, Vec<usize>> = BTreeMap::new();
        for (event, action) in self.actions.iter().enumerate() {
            if let Some(location) = action.location() {
                all.entry(location).or_default().push(event);
            }
        }
        all
    }

    pub fn accesses_of(&self, location: Location) -> Vec<usize> {
        (0..self.len()).filter(|&event| self.actions[event].location() == Some(location)).collect()
    }

    pub fn is_same_thread(&self, a: usize, b: usize) -> bool {
        self.ids[a].thread == self.ids[b].thread
    }

    /// "Program order".
    pub fn is_before(&self, a: usize, b: usize) -> bool {
        a < b && self.is_same_thread(a, b)
    }

    /// "Overlap": locations are equal or disjoint.
    pub fn overlap(&self, a: usize, b: usize) -> bool {
        let location = self.actions[a].location();
        location.is_some() && location == self.actions[b].location()
    }

    /// "Scope": returns true if that of `a` includes the thread of `b`. Every block is a cluster of its own.
    fn includes(&self, a: usize, b: usize) -> bool {
        match self.actions[a].scope() {
            Some(Scope::Device | Scope::System) => true,
            Some(Scope::Block | Scope::Cluster) => self.place(a).block == self.place(b).block,
            None => false,
        }
    }

    /// "Morally strong operations": related in program order, or both strong and each in the other's scope; and if both
    /// access memory, they overlap completely.
    pub fn is_morally_strong(&self, a: usize, b: usize) -> bool {
        let (first, second) = (&self.actions[a], &self.actions[b]);
        let strong = || first.is_strong() && second.is_strong() && self.includes(a, b) && self.includes(b, a);
        let both_access = first.access().is_some() && second.access().is_some();
        (self.is_same_thread(a, b) || strong()) && (!both_access || self.overlap(a, b))
    }

    /// "Observation order": a write precedes a read that reads from it and with which it is morally strong. It precedes
    /// what observes an atomic operation that has observed it, too.
    pub fn observation_order(&self) -> Relation {
        let mut observed = Relation::new(self.len());
        for read in 0..self.len() {
            // Follows the chain of atomic operations back to its first write.
            let mut by = read;
            while let Some(write) = self.source[by].filter(|&write| self.is_morally_strong(write, by)) {
                if write == read || observed.has(write, read) {
                    break;
                }
                observed.add(write, read);
                if !self.actions[write].is_update() {
                    break;
                }
                by = write;
            }
        }
        observed
    }

    /// "Release patterns": pairs of first operation and write.
    fn release_patterns(&self) -> Vec<(usize, usize)> {
        let mut all = Vec::new();
        for first in (0..self.len()).filter(|&event| self.actions[event].releases()) {
            let action = &self.actions[first];
            if action.writes() {
                all.push((first, first));
            } else if !action.is_fence() {
                continue;
            }
            let later = (first + 1..self.len()).take_while(|&event| self.is_same_thread(first, event));
            let is_write = |&event: &usize| {
                let later = &self.actions[event];
                later.writes() && later.is_strong() && (action.is_fence() || self.overlap(first, event))
            };
            all.extend(later.filter(is_write).map(|write| (first, write)));
        }
        all
    }

    /// "Acquire patterns": pairs of read and last operation. The read of a `red` is part of none.
    fn acquire_patterns(&self) -> Vec<(usize, usize)> {
        let mut all = Vec::new();
        for last in (0..self.len()).filter(|&event| self.actions[event].acquires()) {
            let action = &self.actions[last];
            if action.returns() {
                all.push((last, last));
            } else if !action.is_fence() {
                continue;
            }
            let earlier = (0..last).rev().take_while(|&event| self.is_same_thread(last, event));
            let is_read = |&event: &usize| {
                let earlier = &self.actions[event];
                earlier.returns() && earlier.is_strong() && (action.is_fence() || self.overlap(last, event))
            };
            all.extend(earlier.filter(is_read).map(|read| (read, last)));
        }
        all
    }

    /// "Synchronizes", without fences' own order: a release pattern with an acquire pattern, where the write precedes
    /// the read in observation order, and the first operation and the last are morally strong.
    fn synchronizes(&self, observation: &Relation) -> Vec<(usize, usize)> {
        let (releases, acquires) = (self.release_patterns(), self.acquire_patterns());
        let pairs = releases.iter().flat_map(|release| acquires.iter().map(move |acquire| (release, acquire)));
        pairs
            .filter(|&(&(first, write), &(read, last))| {
                observation.has(write, read) && self.is_morally_strong(first, last)
            })
            .map(|(&(first, _), &(_, last))| (first, last))
            .collect()
    }

    /// The phases of barriers.
    fn phases(&self) -> Vec<BarrierPhase> {
        let mut all: BTreeMap<u64, BarrierPhase> = BTreeMap::new();
        for event in 0..self.len() {
            let Action::Meet(part) = self.actions[event] else { continue };
            let phase = all.entry(part.meeting).or_default();
            let before = event.checked_sub(1).filter(|&before| part.arrives && self.is_same_thread(before, event));
            let after =
                Some(event + 1).filter(|&after| part.waits && after < self.len() && self.is_before(event, after));
            phase.before.extend(before);
            phase.after.extend(after);
        }
        all.into_values().collect()
    }

    /// The closed union of program order, "synchronizes" of barriers, and "synchronizes" of patterns: the order that
    /// holds under every fence-SC order.
    pub fn fixed_order(&self, observation: &Relation) -> Relation {
        let phases = self.phases();
        // A barrier's phase is a node of its own, so that it takes an edge a thread and not one a pair of threads.
        let mut all = Relation::new(self.len() + phases.len());
        self.synchronizes(observation).into_iter().for_each(|(first, last)| all.add(first, last));
        for (number, BarrierPhase { before, after }) in phases.into_iter().enumerate() {
            before.into_iter().for_each(|event| all.add(event, self.len() + number));
            after.into_iter().for_each(|event| all.add(self.len() + number, event));
        }
        for event in 1..self.len() {
            if self.is_before(event - 1, event) {
                all.add(event - 1, event);
            }
        }
        all.closed().among(self.len())
    }

    /// "Causality order": base causality order, and what is observed by an event that precedes in it.
    pub fn causality_order(&self, base: &Relation, observation: &Relation) -> Relation {
        observation.then(base).or(base)
    }

    pub fn fences_sc(&self) -> Vec<usize> {
        (0..self.len()).filter(|&event| self.actions[event].is_fence_sc()).collect()
    }

    /// "Data races": conflicting accesses of a location that are neither morally strong nor ordered by causality.
    pub fn races(&self, accesses: &[usize], causality: &Relation) -> Vec<(usize, usize)> {
        let is_race = |a: usize, b: usize| {
            (self.actions[a].writes() || self.actions[b].writes())
                && !self.is_morally_strong(a, b)
                && !causality.has(a, b)
                && !causality.has(b, a)
        };
        let pairs = accesses.iter().enumerate().flat_map(|(at, &b)| accesses[..at].iter().map(move |&a| (a, b)));
        pairs.filter(|&(a, b)| is_race(a, b)).collect()
    }
}
