//! Searches that several workers share.

use crate::model::{Does, Instr, Model, Value};
use crate::random::draw;
use crate::{BOUNDS, Collector, explored};
use explore::{Bounds, SharedSearch, Summary};
use finding::Scope;
use machine::exec::memory::Ordering;
use std::sync::Barrier;

/// Returns what each of three workers has visited.
fn explored_by_three(model: &Model, bounds: Bounds) -> [(Collector, Summary); 3] {
    let (search, start) = (SharedSearch::new(bounds), Barrier::new(3));
    let work = || {
        let mut collector = Collector::default();
        start.wait();
        let summary = search.work(&mut model.clone(), &mut collector);
        (collector, summary)
    };
    std::thread::scope(|scope| {
        [(); 3].map(|()| scope.spawn(work)).map(|worker| worker.join().expect("a worker does not panic"))
    })
}

/// Three threads that each write two values of a location, and read it after each: 7,134 executions.
fn large() -> Model {
    let instr = |does: Does| Instr { does, ordering: Ordering::Relaxed, scope: Scope::Device };
    let step = |value| [Does::Store { place: 0, value: Value::Constant(value) }, Does::Load { place: 0, to: 0 }];
    let thread = |thread: u64| (thread, (0..2).flat_map(|value| step(10 * thread + value)).map(instr).collect());
    Model { threads: (0..3).map(thread).collect() }
}

/// Checks that three workers visit the executions that one visits, none of them twice. Returns how many workers have
/// visited any.
fn compare(name: &str, model: &Model) -> usize {
    let (alone, summary) = explored(model);
    let three = explored_by_three(model, BOUNDS);
    let shapes = three.iter().flat_map(|(found, _)| found.shapes.iter().cloned()).collect();
    assert_eq!(alone.shapes, shapes, "{name}");
    for (found, together) in &three {
        assert!(together.is_complete && found.twice.is_none(), "{name}: {together:?}");
        assert_eq!(together.executions, summary.executions, "{name}");
    }
    let counts = three.each_ref().map(|(found, _)| found.shapes.len());
    assert_eq!(counts.iter().sum::<usize>() as u64, summary.executions, "{name}: an execution has come to two workers");
    let sum = |of: fn(&Collector) -> u64| three.iter().map(|(found, _)| of(found)).sum::<u64>();
    assert_eq!(sum(|found| found.racing), alone.racing, "{name}");
    assert_eq!(sum(|found| found.endless), alone.endless, "{name}");
    counts.iter().filter(|&&count| count > 0).count()
}

#[test]
fn workers_visit_each_execution_once() {
    for seed in 0..200 {
        compare(&format!("seed {seed}"), &draw(seed));
    }
    assert_eq!(explored(&large()).1.executions, 7134);
    assert!(compare("a large one", &large()) > 1, "one worker has searched alone");
}

#[test]
fn workers_stop_together_at_a_bound() {
    let bounds = Bounds { executions: 100, ..BOUNDS };
    for (_, summary) in explored_by_three(&large(), bounds) {
        assert!(!summary.is_complete && (100..150).contains(&summary.executions), "{summary:?}");
    }
}
