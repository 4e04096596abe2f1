//! Runs without a watcher, on many cores; and what a worker reports, watched or not.

use super::launch::Launch;
use super::runtime::Runtime;
use super::worker::Worker;
use crate::schedule;
use crate::types::{Config, Counters, Fault, LaunchReport};
use crate::watch::{Off, Watch};
use std::sync::Arc;

/// Unchecked, blocks spread over the host's cores.
pub fn run<'a>(
    launch: &Arc<Launch<'a>>,
    runtime: Option<&Arc<Runtime<'a>>>,
    config: &Config,
    number: u64,
) -> LaunchReport {
    // Where kernels launch others there may be blocks for all.
    let most = if runtime.is_some() { u64::MAX } else { launch.blocks() };
    let workers = (config.workers.max(1) as u64).min(most) as usize;
    let run = |worker: usize| {
        let mut worker = Worker::new(launch, runtime, Off, schedule::make(&config.policy, number, worker));
        worker.run();
        report(worker)
    };
    let parts: Vec<LaunchReport> = if workers == 1 {
        vec![run(0)]
    } else {
        std::thread::scope(|scope| {
            let handles: Vec<_> = (0..workers).map(|worker| scope.spawn(move || run(worker))).collect();
            handles.into_iter().map(|handle| handle.join().unwrap_or_else(|_| panicked(launch))).collect()
        })
    };
    let mut whole = LaunchReport::default();
    for part in parts {
        whole.findings.extend(part.findings);
        whole.counters.warp_instructions += part.counters.warp_instructions;
        whole.counters.thread_instructions += part.counters.thread_instructions;
    }
    whole
}

/// What a worker has found and counted, at its end.
pub fn report<W: Watch>(worker: Worker<W>) -> LaunchReport {
    let mut findings = worker.watch.findings();
    findings.extend(worker.unasked.into_values().flatten());
    findings.extend(worker.fatal);
    let (warp_instructions, thread_instructions) = (worker.instructions, worker.thread_instructions);
    let counters = Counters { warp_instructions, thread_instructions, counted: None };
    LaunchReport { findings, counters, ..LaunchReport::default() }
}

/// A worker's panic is the emulator's error, never the kernel's.
fn panicked(launch: &Launch) -> LaunchReport {
    launch.fail(Fault::Internal("a worker thread of the emulator panicked".into()));
    LaunchReport::default()
}
