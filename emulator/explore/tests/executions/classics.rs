//! The classic litmus tests, with every fence and scope: is the weak outcome allowed?
//!
//! The answers are in `classics.txt`. The naive enumerator must find the same executions, so the file says what the
//! axioms say. `UPDATE_CLASSICS=1` writes it anew.

use crate::model::{Does, Instr, Model, Value};
use crate::{explored, naive};
use explore::{CoherenceOrder, EventId};
use finding::Scope;
use machine::exec::memory::Ordering;
use std::collections::BTreeMap;
use std::fmt::Write;

const X: u64 = 0;
const Y: u64 = 1;
const Z: u64 = 2;

/// An access. The second number is the value that it writes, or that it reads in the weak outcome.
#[derive(Clone, Copy)]
enum Step {
    W(u64, u64),
    R(u64, u64),
}
use Step::{R, W};

/// A test: its threads, and the pairs of place and last value of the weak outcome.
struct Classic {
    name: &'static str,
    threads: &'static [&'static [Step]],
    last: &'static [(u64, u64)],
}

const CLASSICS: [Classic; 16] = [
    Classic { name: "CoRR", threads: &[&[W(X, 1)], &[R(X, 1), R(X, 0)]], last: &[] },
    Classic { name: "CoWW", threads: &[&[W(X, 1), W(X, 2)]], last: &[(X, 1)] },
    Classic { name: "CoRW", threads: &[&[R(X, 2), W(X, 1)], &[W(X, 2)]], last: &[(X, 2)] },
    Classic { name: "CoWR", threads: &[&[W(X, 1), R(X, 2)], &[W(X, 2)]], last: &[(X, 1)] },
    Classic { name: "MP", threads: &[&[W(X, 1), W(Y, 1)], &[R(Y, 1), R(X, 0)]], last: &[] },
    Classic { name: "SB", threads: &[&[W(X, 1), R(Y, 0)], &[W(Y, 1), R(X, 0)]], last: &[] },
    Classic { name: "LB", threads: &[&[R(Y, 1), W(X, 1)], &[R(X, 1), W(Y, 1)]], last: &[] },
    Classic { name: "R", threads: &[&[W(X, 1), W(Y, 1)], &[W(Y, 2), R(X, 0)]], last: &[(Y, 2)] },
    Classic { name: "S", threads: &[&[W(X, 2), W(Y, 1)], &[R(Y, 1), W(X, 1)]], last: &[(X, 2)] },
    Classic { name: "2+2W", threads: &[&[W(X, 1), W(Y, 2)], &[W(Y, 1), W(X, 2)]], last: &[(X, 1), (Y, 1)] },
    Classic { name: "WRC", threads: &[&[W(X, 1)], &[R(X, 1), W(Y, 1)], &[R(Y, 1), R(X, 0)]], last: &[] },
    Classic { name: "RWC", threads: &[&[W(X, 1)], &[R(X, 1), R(Y, 0)], &[W(Y, 1), R(X, 0)]], last: &[] },
    Classic { name: "ISA2", threads: &[&[W(X, 1), W(Y, 1)], &[R(Y, 1), W(Z, 1)], &[R(Z, 1), R(X, 0)]], last: &[] },
    Classic { name: "W+RWC", threads: &[&[W(X, 1), W(Y, 1)], &[R(Y, 1), R(Z, 0)], &[W(Z, 1), R(X, 0)]], last: &[] },
    Classic {
        name: "Z6.3",
        threads: &[&[W(X, 1), W(Y, 1)], &[W(Y, 2), W(Z, 1)], &[R(Z, 1), R(X, 0)]],
        last: &[(Y, 2)],
    },
    Classic { name: "IRIW", threads: &[&[W(X, 1)], &[W(Y, 1)], &[R(X, 1), R(Y, 0)], &[R(Y, 1), R(X, 0)]], last: &[] },
];

/// The synchronisation of a test, between its accesses or in them.
#[derive(Clone, Copy)]
enum Sync {
    Nothing,
    Fence(Ordering),
    /// Stores release and loads acquire.
    InAccesses,
}

impl Classic {
    /// Returns the test with accesses of one scope and fences of another.
    fn model(&self, sync: Sync, [scope, of_fences]: [Scope; 2], is_one_block: bool) -> Model {
        let (store, load) = match sync {
            Sync::InAccesses => (Ordering::Release, Ordering::Acquire),
            _ => (Ordering::Relaxed, Ordering::Relaxed),
        };
        let access = |index: usize, step: &Step| match *step {
            W(place, value) => {
                Instr { does: Does::Store { place, value: Value::Constant(value) }, ordering: store, scope }
            }
            R(place, _) => Instr { does: Does::Load { place, to: index }, ordering: load, scope },
        };
        let thread = |steps: &&[Step]| {
            let mut all = Vec::new();
            for (index, step) in steps.iter().enumerate() {
                if let Sync::Fence(ordering) = sync
                    && index > 0
                {
                    all.push(Instr { does: Does::Fence, ordering, scope: of_fences });
                }
                all.push(access(index, step));
            }
            all
        };
        let block = |number: usize| if is_one_block { 0 } else { number as u64 };
        let threads = self.threads.iter().enumerate();
        Model { threads: threads.map(|(number, steps)| (block(number), thread(steps))).collect() }
    }

    /// Returns true if an execution is the weak outcome. A write that nothing orders may be the last.
    fn is_weak(&self, model: &Model, (reads, coherence): &naive::Shape) -> bool {
        let written = written(model);
        let value = |source: &Option<EventId>| source.map_or(0, |write| written[&write].1);
        let wanted = |id: &EventId| {
            // Fences are events between the accesses.
            let step = if has_fences(model) { id.index / 2 } else { id.index };
            match self.threads[id.thread][step] {
                R(_, value) | W(_, value) => value,
            }
        };
        reads.iter().all(|(id, source)| value(source) == wanted(id))
            && self.last.iter().all(|&(place, value)| is_last(&written, coherence, place, value))
    }
}

fn has_fences(model: &Model) -> bool {
    model.threads.iter().flat_map(|(_, instrs)| instrs).any(|instr| matches!(instr.does, Does::Fence))
}

/// Returns the place and the value of each write.
fn written(model: &Model) -> BTreeMap<EventId, (u64, u64)> {
    let mut all = BTreeMap::new();
    for (thread, (_, instrs)) in model.threads.iter().enumerate() {
        for (index, instr) in instrs.iter().enumerate() {
            if let Does::Store { place, value: Value::Constant(value) } = instr.does {
                all.insert(EventId { thread, index }, (place, value));
            }
        }
    }
    all
}

fn is_last(written: &BTreeMap<EventId, (u64, u64)>, coherence: &CoherenceOrder, place: u64, value: u64) -> bool {
    let is_it = |event: &EventId| written[event] == (place, value);
    !coherence.iter().any(|(earlier, later)| is_it(earlier) && written[later].0 == place)
}

/// Each kind of synchronisation, with its name in the table.
const SYNCS: [(&str, Sync); 4] = [
    ("none", Sync::Nothing),
    ("rel/acq", Sync::InAccesses),
    ("acq_rel", Sync::Fence(Ordering::AcqRel)),
    ("sc", Sync::Fence(Ordering::Sc)),
];
const SCOPES: [(&str, Scope); 3] = [("cta", Scope::Block), ("gpu", Scope::Device), ("sys", Scope::System)];

/// The parts of the table: whether all threads are in one block, and the scope of accesses if it is not the column's.
const PARTS: [(&str, bool, Option<Scope>); 3] = [
    ("All threads in one block. The scope is that of accesses and fences.", true, None),
    ("Each thread in a block of its own. The scope is that of accesses and fences.", false, None),
    (
        "Each thread in a block of its own. The scope is that of fences; accesses have that of the device.",
        false,
        Some(Scope::Device),
    ),
];

const HEAD: &str = "\
The classic litmus tests under the PTX memory model: is the weak outcome allowed?

Accesses are relaxed, or release and acquire (`rel/acq`); fences are between the accesses of a thread. `yes`: allowed.
`no`: forbidden. `race`: allowed, in an execution with a data race.

";

fn table() -> String {
    let columns = || SYNCS.iter().flat_map(|&sync| SCOPES.map(|scope| (sync, scope)));
    let mut text = HEAD.to_string();
    for (title, is_one_block, of_accesses) in PARTS {
        write!(text, "{title}\n\n{:<7}", "").expect("a string");
        columns().for_each(|((sync, _), _)| write!(text, "{sync:>9}").expect("a string"));
        write!(text, "\n{:<7}", "").expect("a string");
        columns().for_each(|(_, (scope, _))| write!(text, "{scope:>9}").expect("a string"));
        text.push('\n');
        for classic in &CLASSICS {
            write!(text, "{:<7}", classic.name).expect("a string");
            for ((_, sync), (_, scope)) in columns() {
                let scopes = [of_accesses.unwrap_or(scope), scope];
                write!(text, "{:>9}", verdict(classic, &classic.model(sync, scopes, is_one_block))).expect("a string");
            }
            text.push('\n');
        }
        text.push('\n');
    }
    text.trim_end().to_string() + "\n"
}

fn verdict(classic: &Classic, model: &Model) -> &'static str {
    let (found, summary) = explored(model);
    assert!(summary.is_complete && found.twice.is_none(), "{}: {summary:?}", classic.name);
    assert_eq!(found.shapes, naive::executions(model), "{}", classic.name);
    match found.shapes.iter().any(|shape| classic.is_weak(model, shape)) {
        false => "no",
        true if found.racing > 0 => "race",
        true => "yes",
    }
}

#[test]
fn the_classic_tests_have_the_outcomes_of_the_model() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/executions/classics.txt");
    let found = table();
    if std::env::var_os("UPDATE_CLASSICS").is_some() {
        std::fs::write(path, &found).expect("the table can be written");
    }
    let wanted = std::fs::read_to_string(path).expect("the table is there");
    assert!(found == wanted, "the table has changed:\n{found}");
}

/// The fences of store buffering order plain data only if their order follows from what is read.
#[test]
fn fences_order_what_is_around_them_if_their_own_order_is_forced() {
    let instr = |does: Does, ordering: Ordering| Instr { does, ordering, scope: Scope::Device };
    let store = |place, ordering| instr(Does::Store { place, value: Value::Constant(1) }, ordering);
    let load = |place, ordering| instr(Does::Load { place, to: 0 }, ordering);
    let fence = instr(Does::Fence, Ordering::Sc);
    let first = vec![store(X, Ordering::Weak), fence, load(Y, Ordering::Relaxed)];
    let second = vec![store(Y, Ordering::Relaxed), fence, load(X, Ordering::Weak)];
    let (found, summary) = explored(&Model { threads: vec![(0, first), (1, second)] });
    // If the first thread reads 0, its fence is the first, and nothing races.
    assert_eq!((summary.executions, found.racing), (3, 2));
}
