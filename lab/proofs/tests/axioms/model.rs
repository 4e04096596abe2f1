//! The relations of the PTX memory consistency model (PTX ISA, "Memory Consistency Model"), under the names they have
//! there.

use crate::program::{Does, Program, Semantics};
use emulator::explore::relation::Relation;

/// A program and where its reads have read from.
pub struct Execution<'a> {
    pub program: &'a Program,
    /// By event; `None` is the initial value, and stands where nothing is read.
    pub source: Vec<Option<usize>>,
    /// Which events write: a compare-and-swap that fails does not.
    pub writes: Vec<bool>,
}

impl Execution<'_> {
    pub fn len(&self) -> usize {
        self.program.events.len()
    }

    /// "Program order".
    pub fn is_before(&self, a: usize, b: usize) -> bool {
        a < b && self.is_same_thread(a, b)
    }

    pub fn is_same_thread(&self, a: usize, b: usize) -> bool {
        self.program.events[a].thread == self.program.events[b].thread
    }

    pub fn program_order(&self) -> Relation {
        Relation::of(self.len(), |a, b| self.is_before(a, b))
    }

    /// "Overlap": accesses here are of whole words.
    pub fn overlap(&self, a: usize, b: usize) -> bool {
        let (a, b) = (&self.program.events[a], &self.program.events[b]);
        a.is_memory() && b.is_memory() && a.place == b.place
    }

    /// "Strong operations": fences, and all accesses but weak ones.
    fn is_strong(&self, event: usize) -> bool {
        self.program.events[event].semantics != Semantics::Weak
    }

    /// "Scope": that of `a` includes the thread of `b`.
    fn includes(&self, a: usize, b: usize) -> bool {
        self.program.events[a].wide || self.program.block(a) == self.program.block(b)
    }

    /// "Morally strong operations": related in program order, or both strong and in each other's scope; and accesses
    /// overlap completely.
    pub fn is_morally_strong(&self, a: usize, b: usize) -> bool {
        let both = |is: fn(&crate::program::Event) -> bool| is(&self.program.events[a]) && is(&self.program.events[b]);
        let strong = self.is_strong(a) && self.is_strong(b) && self.includes(a, b) && self.includes(b, a);
        (self.is_same_thread(a, b) || strong) && (!both(|event| event.is_memory()) || self.overlap(a, b))
    }

    /// "Observation order": a read has read a write with which it is morally strong, or an atomic operation that has
    /// observed it.
    pub fn observation_order(&self) -> Relation {
        let direct =
            |write: usize, read: usize| self.source[read] == Some(write) && self.is_morally_strong(write, read);
        let mut observed = Relation::of(self.len(), direct);
        let updates = Relation::of(self.len(), |a, b| observed.has(a, b) && self.writes[b]);
        for _ in 0..self.len() {
            observed = observed.or(&updates.then(&observed));
        }
        observed
    }

    /// "Release patterns": first operation and write.
    fn release_patterns(&self) -> Vec<(usize, usize)> {
        let releases = |event: usize| {
            matches!(self.program.events[event].semantics, Semantics::Release | Semantics::AcqRel | Semantics::Sc)
        };
        self.patterns(|first, write| {
            let is_release = releases(first) && self.writes[first];
            let is_fence = releases(first) && self.program.events[first].does == Does::Fence;
            // A release, a release followed by a strong write of the place, or a fence followed by a strong write.
            self.writes[write]
                && self.is_strong(write)
                && (is_release && (first == write || self.is_before(first, write) && self.overlap(first, write))
                    || is_fence && self.is_before(first, write))
        })
    }

    /// "Acquire patterns": read and last operation. What a `red` reads is part of none ("red").
    fn acquire_patterns(&self) -> Vec<(usize, usize)> {
        let acquires = |event: usize| {
            matches!(self.program.events[event].semantics, Semantics::Acquire | Semantics::AcqRel | Semantics::Sc)
        };
        let is_seen = |event: usize| self.program.events[event].is_seen();
        self.patterns(|read, last| {
            let is_acquire = acquires(last) && is_seen(last);
            let is_fence = acquires(last) && self.program.events[last].does == Does::Fence;
            // An acquire, a strong read followed by an acquire of the place, or a strong read followed by a fence.
            is_seen(read)
                && self.is_strong(read)
                && (is_acquire && (read == last || self.is_before(read, last) && self.overlap(read, last))
                    || is_fence && self.is_before(read, last))
        })
    }

    fn patterns(&self, is_one: impl Fn(usize, usize) -> bool) -> Vec<(usize, usize)> {
        let all = (0..self.len()).flat_map(|a| (0..self.len()).map(move |b| (a, b)));
        all.filter(|&(a, b)| is_one(a, b)).collect()
    }

    /// "Synchronizes": a release pattern with an acquire pattern, where the write precedes the read in observation
    /// order, and the first operation and the last are morally strong.
    pub fn synchronizes(&self, observation: &Relation) -> Relation {
        let mut all = Relation::new(self.len());
        let acquires = self.acquire_patterns();
        for (first, write) in self.release_patterns() {
            for &(read, last) in &acquires {
                if observation.has(write, read) && self.is_morally_strong(first, last) {
                    all.add(first, last);
                }
            }
        }
        all
    }

    /// "Synchronizes", of barriers: what comes before one precedes what comes after it in another thread.
    pub fn barriers(&self) -> Relation {
        let events = &self.program.events;
        let is_barrier = |event: usize| matches!(events[event].does, Does::Barrier | Does::WarpBarrier);
        let nth = |event: usize| (0..event).filter(|&other| is_barrier(other) && self.is_before(other, event)).count();
        let warp = |event: usize| self.program.stands[events[event].thread].thread / 32;
        let meet = |a: usize, b: usize| {
            let together = events[a].does == Does::Barrier || warp(a) == warp(b);
            let alike = events[a].does == events[b].does && self.program.block(a) == self.program.block(b);
            is_barrier(a) && alike && together && nth(a) == nth(b)
        };
        let pairs = self.patterns(|a, b| !self.is_same_thread(a, b) && meet(a, b));
        Relation::of(self.len(), |a, b| {
            pairs.iter().any(|&(one, other)| self.is_before(a, one) && self.is_before(other, b))
        })
    }

    /// "Causality order": base causality order, and what is observed by something that precedes in it.
    pub fn causality_order(&self, base: &Relation, observation: &Relation) -> Relation {
        base.or(&observation.then(base))
    }

    pub fn fences_sc(&self) -> Vec<usize> {
        (0..self.len()).filter(|&event| self.program.events[event].is_fence_sc()).collect()
    }

    pub fn memory_at(&self, place: usize) -> Vec<usize> {
        let events = &self.program.events;
        (0..self.len()).filter(|&event| events[event].is_memory() && events[event].place == place).collect()
    }
}
