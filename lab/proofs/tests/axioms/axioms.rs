//! The axioms (PTX ISA, "Memory Consistency Model": "Axioms"): which executions are valid.
//!
//! An execution is valid if some coherence order of each place, which ends in the place's last value, and some order of
//! the fences meet them all. "No Thin Air" is met by construction: values come from [`crate::outcome`].

use crate::model::Execution;
use crate::program::PLACES;
use emulator::explore::relation::Relation;

/// An execution with an order of its `fence.sc`.
pub struct Ordered<'a> {
    pub execution: &'a Execution<'a>,
    /// "Base causality order".
    pub base: Relation,
    pub causality: Relation,
}

/// All orders of the fences that meet "Fence-SC", each with what it makes of causality order.
pub fn ordered<'a>(execution: &'a Execution<'a>) -> Vec<Ordered<'a>> {
    let observation = execution.observation_order();
    let plain = execution.program_order().or(&execution.barriers()).or(&execution.synchronizes(&observation));
    let mut known: Vec<Relation> = Vec::new();
    let mut all = Vec::new();
    permutations(&execution.fences_sc(), &mut |order| {
        let place = |fence: usize| order.iter().position(|other| *other == fence);
        // "Fence-SC order": of those that are morally strong. The earlier synchronizes with the later.
        let fence_sc = Relation::of(execution.len(), |a, b| {
            place(a).zip(place(b)).is_some_and(|(a, b)| a < b) && execution.is_morally_strong(a, b)
        });
        if known.contains(&fence_sc) {
            return;
        }
        known.push(fence_sc.clone());
        let base = plain.or(&fence_sc).closed();
        let causality = execution.causality_order(&base, &observation);
        let contradicts = |a, b| fence_sc.has(a, b) && causality.has(b, a);
        let pairs = || (0..execution.len()).flat_map(|a| (0..execution.len()).map(move |b| (a, b)));
        if base.is_irreflexive() && !pairs().any(|(a, b)| contradicts(a, b)) {
            all.push(Ordered { execution, base, causality });
        }
    });
    all
}

pub fn permutations(rest: &[usize], each: &mut impl FnMut(&[usize])) {
    fn go(rest: &mut Vec<usize>, at: usize, each: &mut dyn FnMut(&[usize])) {
        if at == rest.len() {
            return each(rest);
        }
        for other in at..rest.len() {
            rest.swap(at, other);
            go(rest, at + 1, each);
            rest.swap(at, other);
        }
    }
    go(&mut rest.to_vec(), 0, each);
}

impl Ordered<'_> {
    /// Returns `Ok` if there are coherence orders that end in these writes (`None`: the initial value) and meet the
    /// axioms, else which axiom is in the way of one of them.
    pub fn is_valid(&self, last: [Option<usize>; PLACES]) -> Result<(), &'static str> {
        (0..PLACES).try_for_each(|place| {
            let all = self.execution.memory_at(place);
            let (writes, others): (Vec<usize>, Vec<usize>) =
                all.iter().partition(|&&event| self.execution.writes[event]);
            drop(others);
            if writes.is_empty() && last[place].is_none() {
                return Coherence { ordered: self, order: &[] }.meets(&all);
            }
            let mut verdict = Err("Coherence");
            self.coherence_orders(&writes, last[place], &mut Vec::new(), &mut |order| {
                verdict = Coherence { ordered: self, order }.meets(&all);
                verdict.is_ok()
            });
            verdict
        })
    }

    /// Gives orders of these writes that meet "Coherence" and end in `last`, until one is good: a write that precedes
    /// another in causality order precedes it in coherence order.
    fn coherence_orders(
        &self,
        writes: &[usize],
        last: Option<usize>,
        order: &mut Vec<usize>,
        is_good: &mut dyn FnMut(&[usize]) -> bool,
    ) -> bool {
        let rest: Vec<usize> = writes.iter().copied().filter(|write| !order.contains(write)).collect();
        if rest.is_empty() {
            return order.last().copied() == last && is_good(order);
        }
        let is_next = |&write: &usize| {
            (Some(write) != last || rest.len() == 1) && !rest.iter().any(|&other| self.causality.has(other, write))
        };
        rest.iter().copied().filter(is_next).any(|write| {
            order.push(write);
            let found = self.coherence_orders(writes, last, order, is_good);
            order.pop();
            found
        })
    }
}

/// One place's writes in "coherence order"; the initial value comes before them.
struct Coherence<'a> {
    ordered: &'a Ordered<'a>,
    order: &'a [usize],
}

impl Coherence<'_> {
    /// 0 is the initial value.
    fn number(&self, write: Option<usize>) -> usize {
        write.map_or(0, |write| 1 + self.order.iter().position(|other| *other == write).expect("a write of the place"))
    }

    fn read(&self, event: usize) -> usize {
        self.number(self.ordered.execution.source[event])
    }

    fn meets(&self, all: &[usize]) -> Result<(), &'static str> {
        if !self.atomicity(all) {
            Err("Atomicity")
        } else if !self.causality(all) {
            Err("Causality")
        } else if !self.sc_per_location(all) {
            Err("Sequential Consistency per Location")
        } else {
            Ok(())
        }
    }

    /// "Atomicity": between the write that an atomic operation reads and its own stands no write that is morally strong
    /// with it.
    fn atomicity(&self, all: &[usize]) -> bool {
        let execution = self.ordered.execution;
        let updates =
            all.iter().filter(|&&event| execution.writes[event] && execution.program.events[event].is_update());
        updates.into_iter().all(|&update| {
            let (from, to) = (self.read(update), self.number(Some(update)));
            let between = |write: &&usize| (from + 1..to).contains(&self.number(Some(**write)));
            let parts = |write: &usize| execution.is_morally_strong(*write, update);
            from < to && !self.order.iter().filter(between).any(parts)
        })
    }

    /// "Causality": a read reads no write that it precedes in causality order, and none that another one hides which
    /// precedes the read.
    fn causality(&self, all: &[usize]) -> bool {
        let execution = self.ordered.execution;
        let causality = &self.ordered.causality;
        let reads = all.iter().filter(|&&event| execution.program.events[event].reads());
        reads.into_iter().all(|&read| {
            let future = execution.source[read].is_some_and(|source| causality.has(read, source));
            let hides = |write: &&usize| causality.has(**write, read) && self.number(Some(**write)) > self.read(read);
            !future && !self.order.iter().any(|write| hides(&write))
        })
    }

    /// "Sequential Consistency per Location": where operations are pairwise morally strong, program order and
    /// communication order (reads-from, coherence, from-reads) make no cycle.
    fn sc_per_location(&self, all: &[usize]) -> bool {
        let execution = self.ordered.execution;
        let communicates = |a: usize, b: usize| {
            let (writes_a, writes_b) = (execution.writes[a], execution.writes[b]);
            let reads = |event: usize| execution.program.events[event].reads();
            let reads_from = execution.source[b] == Some(a) && reads(b);
            let coherence = writes_a && writes_b && self.number(Some(a)) < self.number(Some(b));
            let from_reads = reads(a) && writes_b && a != b && self.read(a) < self.number(Some(b));
            reads_from || coherence || from_reads
        };
        let edges = Relation::of(execution.len(), |a, b| {
            a != b && all.contains(&a) && all.contains(&b) && (execution.is_before(a, b) || communicates(a, b))
        });
        self.sets(all, &mut Vec::new(), &|set| {
            let inside = Relation::of(execution.len(), |a, b| edges.has(a, b) && set.contains(&a) && set.contains(&b));
            inside.closed().is_irreflexive()
        })
    }

    /// True if `holds` of each set of pairwise morally strong operations that no other of `rest` would enlarge.
    fn sets(&self, rest: &[usize], set: &mut Vec<usize>, holds: &impl Fn(&[usize]) -> bool) -> bool {
        let fits = |set: &[usize], event: usize| {
            set.iter().all(|&other| self.ordered.execution.is_morally_strong(event, other))
        };
        let Some((&first, rest)) = rest.split_first() else { return holds(set) };
        if !fits(set, first) {
            return self.sets(rest, set, holds);
        }
        set.push(first);
        let with = self.sets(rest, set, holds);
        set.pop();
        // Left out only for another that does not go with it.
        let needed = rest.iter().any(|&other| fits(set, other) && !fits(&[first], other));
        with && (!needed || self.sets(rest, set, holds))
    }
}
