//! A trace: what happened in a run, in order, as data ([`Trace`]).
//!
//! [`check`] runs a launch as [`checker::check`] does, with an observer beside the checker: verdict, findings and
//! counters are the same. A trace is bounded ([`Bound`]): the first events are kept and the others counted. Who asks
//! for no trace runs none of this, since the machine is generic over its watcher.
//!
//! Parameters, local memory and registers, each thread's own, are left out altogether, and so is the output of
//! `printf`.

mod access;
mod bits;
mod data;
mod event;
mod found;
mod log;
mod recorder;
mod tables;
#[cfg(feature = "json")]
mod timeline;
mod tracer;
mod warps;
mod watch;

pub use bits::{Bits, Lanes};
pub use data::{Array, ArrayName, Bound, Grid, Launch, LocatedFinding, Site, Trace, VERSION};
pub use event::{Access, Does, Event, Exchange, LaneAccess, Released, TracePlace, What, Who};
#[cfg(feature = "json")]
pub use timeline::Timeline;
pub use tracer::Tracer;

use checker::{Checked, Checker, DeviceState};
use machine::run;
use machine::run::runtime::Runtime;
use machine::run::worker::{Ran, Worker};
use machine::schedule::Schedule;
use recorder::Recorder;
use std::sync::Arc;
use watch::RecordingChecker;

/// Runs launch `number` of `state` to its end with all checks, and traces it. [`Tracer::finish`] takes its report.
pub fn check<'a, 's>(
    launch: &Arc<run::launch::Launch<'a>>,
    runtime: Option<&Arc<Runtime<'a>>>,
    state: &'s mut DeviceState,
    number: u32,
    schedule: Box<dyn Schedule>,
    tracer: &mut Tracer,
) -> Checked<'s> {
    let mut checker = Checker::new(state, launch, number, schedule.traits().is_adverse);
    let older_values = checker.take_older_values();
    let both = RecordingChecker { checker, record: Recorder::new(tracer, launch) };
    let mut worker = Worker::new(launch, runtime, both, schedule).with_older_values(older_values);
    worker.run();
    let (mut ran, RecordingChecker { mut checker, record }) = Ran::of(worker);
    checker.keep_older_values(std::mem::take(&mut ran.older_values));
    let finds = record.finds;
    tracer.finds = finds;
    Checked { ran, checker }
}
