//! What watches a kernel run: all checks at once ([`full`]), and the counters ([`counters`]).
//!
//! Both runs are made here and nowhere else, so that the interpreter with a watcher in it is compiled with this crate and
//! not with the ones above.

pub mod counters;
pub mod full;

use counters::Counting;
use full::{Full, State};
use machine::counters::Counter;
use machine::run::launch::Launch;
use machine::run::runtime::Runtime;
use machine::run::unwatched;
use machine::run::worker::Worker;
use machine::schedule::Schedule;
use machine::types::{Counters, LaunchReport};
use std::sync::Arc;

/// Runs launch `number` of `state` to its end with all checks.
pub fn check<'a>(
    launch: &Arc<Launch<'a>>,
    runtime: Option<&Arc<Runtime<'a>>>,
    state: &mut State,
    number: u32,
    schedule: Box<dyn Schedule>,
) -> LaunchReport {
    let watch = Full::new(state, launch, number, schedule.manner().is_adverse);
    let mut worker = Worker::new(launch, runtime, watch, schedule);
    worker.run();
    worker.watch.keep_hints(launch);
    let notes = worker.watch.take_notes();
    LaunchReport { notes, ..unwatched::report(worker) }
}

/// Runs a launch to its end and counts.
pub fn count<'a>(
    launch: &Arc<Launch<'a>>,
    runtime: Option<&Arc<Runtime<'a>>>,
    schedule: Box<dyn Schedule>,
) -> LaunchReport {
    let mut worker = Worker::new(launch, runtime, Counting::new(launch), schedule);
    worker.run();
    let (warp_instructions, thread_instructions) = (worker.instructions, worker.thread_instructions);
    let mut counted = Box::new(worker.watch.counted());
    counted.totals[Counter::HostLaunches] = 1;
    let counters = Counters { warp_instructions, thread_instructions, counted: Some(counted) };
    LaunchReport { findings: worker.fatal, counters, ..LaunchReport::default() }
}
