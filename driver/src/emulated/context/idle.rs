//! Work that nothing waits for through CUDA: a program may poll a flag in page-locked memory instead, which a kernel
//! sets.
//!
//! Once the program has made no call for a while, a thread of ours does what is queued. A program that forgets to wait
//! looks at its results long before, and sees old data.

use super::Context;
use super::current::all;
use crate::emulated::base::process::is_ending;
use crate::emulated::queue::{NextStep, StreamQueues};
use std::sync::Once;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// Queued work is done after so many looks, this far apart, between which there was no call. A time alone would also
/// pass while the whole process is stopped.
const LOOKS: u32 = 10;
const LOOK_AGAIN: Duration = Duration::from_millis(500);

static BEGUN: AtomicU64 = AtomicU64::new(0);
static ENDED: AtomicU64 = AtomicU64::new(0);

/// A call of the program, until it is dropped.
pub(crate) struct CallUnderWay(());

impl CallUnderWay {
    pub(crate) fn begin() -> CallUnderWay {
        BEGUN.fetch_add(1, Ordering::Relaxed);
        CallUnderWay(())
    }
}

impl Drop for CallUnderWay {
    fn drop(&mut self) {
        ENDED.fetch_add(1, Ordering::Relaxed);
    }
}

/// Returns how many calls there have been, if none is under way.
fn calls() -> Option<u64> {
    let ended = ENDED.load(Ordering::Relaxed);
    (BEGUN.load(Ordering::Relaxed) == ended).then_some(ended)
}

static IS_WANTED: AtomicBool = AtomicBool::new(false);

/// Does queued work of a program that makes no calls, from its first context on.
pub fn run_idle_work() {
    IS_WANTED.store(true, Ordering::Relaxed);
}

/// Starts the thread, if it is wanted.
pub(crate) fn start() {
    static STARTED: Once = Once::new();
    if IS_WANTED.load(Ordering::Relaxed) {
        let thread = std::thread::Builder::new().name("cuda idle work".to_string());
        // Without a thread such a program waits for ever.
        STARTED.call_once(|| drop(thread.spawn(watch)));
    }
}

fn watch() {
    let (mut seen, mut looks) = (None, 0);
    while !is_ending() {
        std::thread::sleep(LOOK_AGAIN);
        let now = calls();
        if now.is_none() || now != seen {
            (seen, looks) = (now, 0);
            continue;
        }
        looks += 1;
        if looks >= LOOKS {
            all().iter().for_each(|context| context.run_while_idle(now));
        }
    }
}

impl Context {
    /// Does queued work until the program makes another call.
    fn run_while_idle(&self, calls_before: Option<u64>) {
        while calls() == calls_before {
            let Ok(state) = self.lock() else { return };
            let NextStep::Run(key) = StreamQueues::step_to_empty(&state.queue) else { return };
            self.run_one(state, key).managed.close();
        }
    }
}
