//! For whoever runs a program of somebody else's: how its contexts run, and a listener. It hears of each launch and each finding in
//! place of the program's stderr.

use super::state::{CONTEXTS, Context, is_in_host_function};
use emulator::finding::Finding;
use emulator::{Config, Counters, Fault};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use trial::Fix;

/// What a listener hears.
pub enum Heard<'a> {
    /// A launch begins to run.
    Begins { kernel: &'a str },
    /// A launch has run.
    Launch {
        /// The kernel's name in the PTX.
        kernel: &'a str,
        counters: &'a Counters,
        is_checked: bool,
    },
    /// A launch did not end as a kernel ends, and no finding says why: an assertion that failed, a trap, too long a run.
    Stopped { kernel: &'a str, fault: &'a Fault },
    /// A launch of what the emulated device does not have.
    Refused { kernel: &'a str },
    /// Something was found. Each bug is told once in a context, however often it was met.
    Finding {
        finding: &'a Finding,
        /// It fails nothing, and is worth a word.
        is_note: bool,
        /// What was tried.
        fix: &'a Fix,
        /// The report, with the lines of the source.
        text: &'a str,
    },
}

type Listener = fn(Heard<'_>);

static LISTENER: OnceLock<Listener> = OnceLock::new();
static CONFIG: OnceLock<Config> = OnceLock::new();
static NAMES_KERNELS: AtomicBool = AtomicBool::new(false);
static WANTED: OnceLock<Wanted> = OnceLock::new();
static CHECKED: AtomicU64 = AtomicU64::new(0);

/// Which launches are checked fully. The others run, and are looked at for accesses out of bounds alone.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// Part of the kernel's readable name.
    pub kernel: Option<String>,
    /// So many of these.
    pub count: Option<u64>,
}

/// From here on `listener` hears of what no program takes. The first one stays.
pub fn listen(listener: Listener) {
    let _ = LISTENER.set(listener);
}

/// How contexts run that are made from here on. The first one stays.
pub fn configure_new(config: Config) {
    let _ = CONFIG.set(config);
}

/// From here on only these launches are checked. The first one stays.
pub fn check_only(wanted: Wanted) {
    let _ = WANTED.set(wanted);
}

/// Whether a launch of this kernel is to be checked; it counts as one if so.
pub(super) fn is_wanted(kernel: &str) -> bool {
    let Some(Wanted { kernel: part, count }) = WANTED.get() else { return true };
    let is_named = part.as_ref().is_none_or(|part| report::readable(kernel).contains(part));
    is_named && count.is_none_or(|most| CHECKED.fetch_add(1, Ordering::Relaxed) < most)
}

/// From here on reports name their kernels: whose they are, the reader may not know.
pub fn name_kernels() {
    NAMES_KERNELS.store(true, Ordering::Relaxed);
}

pub(super) fn names_kernels() -> bool {
    NAMES_KERNELS.load(Ordering::Relaxed)
}

pub(super) fn config() -> Config {
    CONFIG.get().cloned().unwrap_or_default()
}

pub(super) fn tell(heard: Heard<'_>) {
    if let Some(listener) = LISTENER.get() {
        listener(heard);
    }
}

pub(super) fn has_listener() -> bool {
    LISTENER.get().is_some()
}

/// Does all work that was submitted, in every context, and says what there is to say: for the end of a program, which need not wait
/// for what it has launched. A host function of a stream that ends the program cannot wait for itself.
pub fn finish_all() {
    if is_in_host_function() {
        return;
    }
    let contexts: Vec<Arc<Context>> = CONTEXTS.read().expect("no panic holds this lock").values().cloned().collect();
    for context in contexts {
        context.shut_down();
    }
}

/// Says what is still allocated in every context, if that was asked for.
pub fn say_all_leaks() {
    let contexts: Vec<Arc<Context>> = CONTEXTS.read().expect("no panic holds this lock").values().cloned().collect();
    contexts.iter().for_each(|context| context.lock_faulted().say_leaks());
}
