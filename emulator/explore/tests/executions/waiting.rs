//! Threads that wait: for a value, for each other, for ever.

use crate::model::{Atomic, Does, Instr, Model, Value};
use crate::{BOUNDS, Collector, explored};
use explore::{Bounds, Summary, Visited, Visitor, explore};
use finding::Scope;
use machine::exec::memory::Ordering;

fn instr(does: Does, ordering: Ordering) -> Instr {
    Instr { does, ordering, scope: Scope::Device }
}

fn store(place: u64, value: u64, ordering: Ordering) -> Instr {
    instr(Does::Store { place, value: Value::Constant(value) }, ordering)
}

fn wait(place: u64, value: u64) -> Instr {
    instr(Does::Await { place, value }, Ordering::Acquire)
}

fn load(place: u64) -> Instr {
    instr(Does::Load { place, to: 0 }, Ordering::Weak)
}

/// Each thread in a block of its own.
fn apart(threads: impl IntoIterator<Item = Vec<Instr>>) -> Model {
    Model { threads: threads.into_iter().enumerate().map(|(block, instrs)| (block as u64, instrs)).collect() }
}

fn visited(model: &Model) -> (Collector, Summary) {
    let (found, summary) = explored(model);
    assert!(summary.is_complete && found.twice.is_none(), "{summary:?}");
    (found, summary)
}

#[test]
fn looks_that_fail_add_no_execution() {
    for ordering in [Ordering::Relaxed, Ordering::Release] {
        let writer = vec![store(0, 7, Ordering::Weak), store(1, 1, ordering)];
        let (found, summary) = visited(&apart([writer, vec![wait(1, 1), load(0)]]));
        // Without the release the reader may still find the old value, and races.
        let releases = ordering == Ordering::Release;
        assert_eq!((summary.executions, found.racing), if releases { (1, 0) } else { (2, 2) });
        assert_eq!(found.endless, 0);
    }
}

#[test]
fn a_value_that_never_comes_is_an_execution_without_an_end() {
    let (found, summary) = visited(&apart([vec![store(0, 2, Ordering::Release)], vec![wait(0, 1)]]));
    assert_eq!((summary.executions, found.endless), (1, 1));
}

#[test]
fn a_value_that_is_overwritten_may_be_missed() {
    let writer = vec![store(0, 1, Ordering::Release), store(0, 2, Ordering::Release)];
    let (found, summary) = visited(&apart([writer, vec![wait(0, 1)]]));
    assert_eq!((summary.executions, found.endless), (2, 1));
}

/// Two stores race, so either value may be the last.
#[test]
fn a_wait_that_one_of_the_last_values_ends_is_not_for_ever() {
    let writers = [1, 2].map(|value| vec![store(0, value, Ordering::Weak)]);
    let (found, summary) = visited(&apart(writers.into_iter().chain([vec![wait(0, 1)]])));
    assert_eq!((summary.executions, found.endless), (1, 0));
}

#[test]
fn threads_that_wait_for_each_other_never_end() {
    let one = |mine: u64, other: u64| vec![wait(other, 1), store(mine, 1, Ordering::Release)];
    let (found, summary) = visited(&apart([one(0, 1), one(1, 0)]));
    assert_eq!((summary.executions, found.endless), (1, 1));
}

/// A ticket lock: each thread takes a number, and waits until it is called. The executions are the orders of the
/// tickets.
#[test]
fn a_ticket_lock_has_as_many_executions_as_orders() {
    let thread = |threads: usize| {
        let ticket = Does::Update { place: 0, atomic: Atomic::Add(1), to: Some(1) };
        let mut all = vec![instr(ticket, Ordering::Relaxed)];
        for number in 0..threads as u64 {
            let steps = [
                wait(1, number),
                load(2),
                instr(Does::Store { place: 2, value: Value::Register(0, 1) }, Ordering::Weak),
                store(1, number + 1, Ordering::Release),
            ];
            // Each step is for the holder of this number alone.
            let own = instr(Does::Unless { register: 1, value: number }, Ordering::Weak);
            all.extend(steps.into_iter().flat_map(|step| [own, step]));
        }
        all
    };
    for (threads, orders) in [(2, 2), (3, 6), (4, 24)] {
        let (found, summary) = visited(&apart((0..threads).map(|_| thread(threads))));
        assert_eq!((summary.executions, found.racing, found.endless), (orders, 0, 0), "{threads} threads");
    }
}

/// Stops after its first execution.
#[derive(Default)]
struct First(u64);

impl Visitor for First {
    fn begins(&mut self) {}

    fn visit(&mut self, _: &Visited) {
        self.0 += 1;
    }

    fn is_enough(&self) -> bool {
        self.0 > 0
    }
}

#[test]
fn a_search_ends_at_its_bound_of_runs_and_when_its_visitor_has_enough() {
    let mut model = apart((0..3).map(|value| vec![store(0, value, Ordering::Relaxed), load(0)]));
    let whole = explore(&mut model.clone(), BOUNDS, &mut Collector::default());
    assert!(whole.is_complete && whole.runs > 10 && whole.executions > 10, "{whole:?}");
    let few = explore(&mut model.clone(), Bounds { runs: 10, ..BOUNDS }, &mut Collector::default());
    assert!(!few.is_complete && few.runs == 10, "{few:?}");
    let mut first = First::default();
    let one = explore(&mut model, BOUNDS, &mut first);
    assert!(!one.is_complete && one.runs < whole.runs, "{one:?}");
    assert_eq!(first.0, one.executions, "{one:?}");
}
