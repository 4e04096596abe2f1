//! For tests: a race, and a run that has shown it.

use crate::outcome::RunRecord;
use crate::run_id::RunId;
use crate::schedule::Schedule;
use crate::wrong::{Mismatch, Wrong};
use emulator::Observed;
use emulator::finding::{
    Access, AccessValue, Action, Cause, Distance, Finding, MemoryPlace, Relation, Severity, Slug, SourceLocation,
    Unordered, ValueType, Where,
};

/// A store and a load of one variable on these lines of `counter.cu`.
pub fn race(first: u32, second: u32, benign: bool) -> Finding {
    let value = |bits| Some(AccessValue { bits, ty: ValueType::S32, stale: false, unwritten: false });
    let access = |line: u32, action: Action| Access {
        location: Some(SourceLocation { file: "cuda/lesson04/counter.cu".to_string(), line, column: 5 }),
        called_from: Vec::new(),
        launched_by: Vec::new(),
        ptx_line: 40,
        thread: None,
        memory: None,
        action,
    };
    Finding {
        slug: Slug::RaceGlobal,
        kernel: "counter_broken".to_string(),
        severity: if benign { Severity::Note } else { Severity::Error },
        headline: None,
        accesses: vec![
            access(first, Action::Stored { value: value(1) }),
            access(second, Action::Loaded { value: value(0) }),
        ],
        place: Where::Block { block: [0; 3] },
        cause: Cause::Unordered(Box::new(Unordered::new(
            MemoryPlace::Argument { number: 1, index: None },
            Distance::Grid,
            Relation::Threads(Box::default()),
        ))),
        remedies: Vec::new(),
        count: 3,
    }
}

pub(crate) fn random(seed: u64) -> RunId {
    RunId { schedule: Schedule::Random, seed, size: 64, keep: None }
}

/// A run of 64 elements with this seed of `random`.
pub fn record(seed: u64, wrong: bool, findings: Vec<Finding>) -> RunRecord {
    let wrong = wrong.then(|| Wrong::Answer(Mismatch::new(format!("got {seed}, expected 64"))));
    RunRecord {
        run: random(seed),
        wrong,
        findings,
        notes: Vec::new(),
        milliseconds: None,
        peer: None,
        host_ms: None,
        counts: None,
        observed: Observed::default(),
    }
}
