//! The explorer against a naive enumerator, and against the classic litmus tests.

mod classics;
mod model;
mod naive;
mod random;
mod waiting;
mod workers;

use explore::{Bounds, EventId, Summary, Visited, Visitor, explore};
use model::Model;
use naive::Shape;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

pub const BOUNDS: Bounds = Bounds { executions: 1_000_000, runs: u64::MAX, time: Duration::from_secs(60) };

/// Collects the executions of a search. One that comes twice is a fault.
#[derive(Default)]
struct Collector {
    shapes: BTreeSet<Shape>,
    twice: Option<Shape>,
    /// Executions with a race, and without an end.
    racing: u64,
    endless: u64,
}

impl Visitor for Collector {
    fn begins(&mut self) {
        *self = Collector::default();
    }

    fn visit(&mut self, visited: &Visited) {
        self.racing += u64::from(!visited.races.is_empty());
        self.endless += u64::from(visited.is_deadlock);
        let execution = visited.execution;
        let reads = (0..execution.len()).filter(|&event| execution.actions[event].reads());
        let reads: BTreeMap<EventId, Option<EventId>> = reads
            .map(|event| (execution.ids[event], execution.source[event].map(|source| execution.ids[source])))
            .collect();
        let shape = (reads, visited.coherence.clone());
        if !self.shapes.insert(shape.clone()) {
            self.twice = Some(shape);
        }
    }
}

fn explored(model: &Model) -> (Collector, Summary) {
    let mut collector = Collector::default();
    let summary = explore(&mut model.clone(), BOUNDS, &mut collector);
    (collector, summary)
}
