//! Runs without a watcher, on many cores.

use super::launch::Launch;
use super::runtime::Runtime;
use super::worker::{Ran, Worker};
use crate::schedule;
use crate::types::{Config, Fault, Policy};
use crate::watch::Off;
use std::sync::Arc;

/// Unchecked, blocks spread over the host's cores.
pub fn run<'a>(launch: &Arc<Launch<'a>>, runtime: Option<&Arc<Runtime<'a>>>, config: &Config, number: u64) -> Ran {
    // If kernels launch others, there may be more blocks than those of the first grid.
    let most = if runtime.is_some() { u64::MAX } else { launch.blocks() };
    // Choices are one worker's.
    let most = if matches!(config.policy, Policy::Follow { .. }) { 1 } else { most };
    let workers = (config.workers.max(1) as u64).min(most) as usize;
    let run = |worker: usize| {
        let mut worker = Worker::new(launch, runtime, Off, schedule::make(&config.policy, number, worker));
        worker.run();
        Ran::of(worker).0
    };
    let parts: Vec<Ran> = if workers == 1 {
        vec![run(0)]
    } else {
        std::thread::scope(|scope| {
            let handles: Vec<_> = (0..workers).map(|worker| scope.spawn(move || run(worker))).collect();
            handles.into_iter().map(|handle| handle.join().unwrap_or_else(|_| panicked(launch))).collect()
        })
    };
    let mut whole = Ran::default();
    for part in parts {
        whole.fatal.extend(part.fatal);
        whole.unasked.extend(part.unasked);
        whole.warp_instructions += part.warp_instructions;
        whole.thread_instructions += part.thread_instructions;
        whole.followed = whole.followed.or(part.followed);
    }
    whole
}

/// A worker's panic is the emulator's error, never the kernel's.
fn panicked(launch: &Launch) -> Ran {
    launch.fail(Fault::Internal("a worker thread of the emulator panicked".into()));
    Ran::default()
}
