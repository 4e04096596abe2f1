//! The watchers of a kernel run: all checks at once ([`Checker`]), and the counters ([`counters`]).
//!
//! Each folder or file depends only on those before it: `sites` (the site and manner of an access), `order`, `access`,
//! `rule` (what a data race is), `fast`, `races` (the choice between the two checkers), `evidence`, `findings`,
//! `speculation`, `undefined`, `past`, `checks`; `delays`, which determines the values that a load may find, depends on
//! `order`.
//!
//! Begin with [`rule`], which defines a data race. Then follow an access. [`checks`] receives it from the machine and
//! looks up the thread's view of what comes before it (`order`: vector clocks that barriers, fences and atomics join).
//! [`races`] hands it to the [fast] checker, or to the plain one. The fast one has a cell for each word, with the last
//! write and read; `judge.rs` there compares. Races go to `findings` as data, with the evidence that `evidence` has
//! gathered.
//!
//! Invariants: the order of the folders above. A fast path (a row of a warp, a word that many lanes access) settles
//! only accesses that cannot race. Tests compare the results with those of the plain checker.
//!
//! Both runs are made here and nowhere else, so that the interpreter with a watcher in it is compiled with this crate
//! and not with the ones above.

mod access;
mod checks;
mod counters;
mod delays;
mod evidence;
mod fast;
mod findings;
mod order;
mod past;
mod races;
mod registers_of_products;
mod rule;
mod sites;
mod speculation;
mod undefined;

pub use access::race::ReleaseSeen;
pub use checks::{Checker, Keeper, Parts};
pub use evidence::flags::{BesideFlag, Flag};
pub use evidence::lack::MissingOrder;
pub use evidence::polls;
pub use findings::clue::{Clue, RaceClue, RaceEnd, RaceEvidence};
pub use findings::list::{FindingKey, ListedFinding, is_race};
pub use findings::values::value_type;
pub use order::launches::LaunchRecord;
pub use past::host::{HostRange, touched_beside_copy};
pub use past::state::DeviceState;
pub use sites::Sites;
pub use speculation::loads::SpeculativeLoads;

use counters::Counting;
use machine::counters::{Counter, LaunchCounts};
use machine::run::launch::Launch;
use machine::run::runtime::Runtime;
use machine::run::worker::{Ran, Worker};
use machine::schedule::Schedule;
use std::sync::Arc;

/// A launch that is over: its own result, and the checker with all that it has seen.
pub struct Checked<'a> {
    pub ran: Ran,
    pub checker: Checker<'a>,
}

/// Runs launch `number` of `state` to its end with all checks.
pub fn check<'a, 's>(
    launch: &Arc<Launch<'a>>,
    runtime: Option<&Arc<Runtime<'a>>>,
    state: &'s mut DeviceState,
    number: u32,
    schedule: Box<dyn Schedule>,
) -> Checked<'s> {
    let mut watch = Checker::new(state, launch, number, schedule.traits().is_adverse);
    let older_values = watch.take_older_values();
    let mut worker = Worker::new(launch, runtime, watch, schedule).with_older_values(older_values);
    worker.run();
    let (mut ran, mut checker) = Ran::of(worker);
    checker.keep_older_values(std::mem::take(&mut ran.older_values));
    Checked { ran, checker }
}

/// Runs a launch to its end with the counters.
pub fn count<'a>(
    launch: &Arc<Launch<'a>>,
    runtime: Option<&Arc<Runtime<'a>>>,
    schedule: Box<dyn Schedule>,
) -> (Ran, Box<LaunchCounts>) {
    let mut worker = Worker::new(launch, runtime, Counting::new(launch), schedule);
    worker.run();
    let (ran, watch) = Ran::of(worker);
    let mut counted = Box::new(watch.counted());
    counted.totals[Counter::HostLaunches] = 1;
    (ran, counted)
}
