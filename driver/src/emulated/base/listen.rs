//! For whoever runs a program of somebody else's: how its contexts run, and a listener. It hears of each launch and
//! each finding in place of the program's stderr.

use cust_raw::CUresult;
use emulator::finding::Finding;
use emulator::{Config, Counters, Fault, Monitor, Progress};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};
use trial::Fix;

/// An event for a listener.
pub enum Heard<'a> {
    /// A launch begins to run.
    Begins { kernel: &'a str },
    /// A launch still runs: told after [`FIRST_PROGRESS`], and then every [`NEXT_PROGRESS`].
    Progress { kernel: &'a str, elapsed: Duration, progress: &'a Progress },
    /// A launch has run.
    Launch {
        /// The kernel's name in the PTX.
        kernel: &'a str,
        counters: &'a Counters,
        /// Schedules under which it was checked; 0 if it was not.
        schedules: usize,
    },
    /// A launch did not end as a kernel ends, and no finding says why: an assertion that failed, a trap, too long a
    /// run.
    Stopped { kernel: &'a str, fault: &'a Fault },
    /// A launch of what the emulated device does not have.
    Refused { kernel: &'a str },
    /// A call that failed since the emulated device cannot do it.
    Unsupported { call: &'a str, code: CUresult },
    /// Something was found. Each bug is told once in a context, however often it was met.
    Finding {
        finding: &'a Finding,
        /// It fails nothing, and is worth a word.
        is_note: bool,
        /// The result of trying to fix it.
        fix: &'a Fix,
        /// The report, with the lines of the source.
        text: &'a str,
        /// Renders the report of a note as that of an error, for a listener who finds that it matters.
        as_error: &'a dyn Fn() -> String,
    },
}

type Listener = fn(Heard<'_>);

static LISTENER: OnceLock<Listener> = OnceLock::new();
static CONFIG: OnceLock<Config> = OnceLock::new();
static NAMES_KERNELS: AtomicBool = AtomicBool::new(false);
static WANTED: OnceLock<Wanted> = OnceLock::new();
static FOLLOWED: OnceLock<Option<u64>> = OnceLock::new();
static NOTES_PARTIAL_COPIES: AtomicBool = AtomicBool::new(false);
static MISSES_WORK: AtomicBool = AtomicBool::new(false);
static CHECKED: AtomicU64 = AtomicU64::new(0);

/// The time that a launch runs before its progress is told.
const FIRST_PROGRESS: Duration = Duration::from_secs(5);
/// The time between two reports of progress.
const NEXT_PROGRESS: Duration = Duration::from_secs(10);

/// Which launches are checked fully. The others run, and are looked at for accesses out of bounds alone.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// Part of the kernel's readable name.
    pub kernel: Option<String>,
    /// The number of launches that are wanted.
    pub count: Option<u64>,
}

/// What is known of the CUDA runtimes inside loaded files.
#[derive(Clone, Copy)]
pub struct InnerRuntimes {
    /// Returns the names of files with a runtime whose calls bypass the emulated driver.
    pub unserved: fn() -> Vec<String>,
    /// Returns true for a file whose runtime was replaced, so that its calls come here.
    pub is_replaced: fn(&Path) -> bool,
}

static INNER_RUNTIMES: OnceLock<InnerRuntimes> = OnceLock::new();

/// Registers what is known of the CUDA runtimes inside loaded files. Later calls have no effect.
pub fn know_inner_runtimes(known: InnerRuntimes) {
    let _ = INNER_RUNTIMES.set(known);
}

/// Returns the names of files with a runtime whose calls bypass the emulated driver, as far as they are known.
pub(crate) fn unserved() -> Vec<String> {
    INNER_RUNTIMES.get().map_or_else(Vec::new, |known| (known.unserved)())
}

/// Returns true for a file whose runtime was replaced.
pub(crate) fn is_replaced(file: &Path) -> bool {
    INNER_RUNTIMES.get().is_some_and(|known| (known.is_replaced)(file))
}

/// Registers the listener for findings that no program takes. Later calls have no effect.
pub fn listen(listener: Listener) {
    let _ = LISTENER.set(listener);
}

/// Sets the configuration of contexts that are made from here on. The first call counts.
pub fn configure_new(config: Config) {
    let _ = CONFIG.set(config);
}

/// Restricts the checks to these launches. Later calls have no effect.
pub fn check_only(wanted: Wanted) {
    let _ = WANTED.set(wanted);
}

/// Has contexts that are made from here on call a copy to the host of memory that is written in part a note, and no
/// error.
pub fn note_partial_copies() {
    NOTES_PARTIAL_COPIES.store(true, Ordering::Relaxed);
}

pub(crate) fn notes_partial_copies() -> bool {
    NOTES_PARTIAL_COPIES.load(Ordering::Relaxed)
}

/// Takes note that a call failed which might have had memory written: from here on no context tells what may follow
/// from that.
pub fn miss_work() {
    MISSES_WORK.store(true, Ordering::Relaxed);
}

pub(crate) fn misses_work() -> bool {
    MISSES_WORK.load(Ordering::Relaxed)
}

/// Tells the listener of the progress of long launches from here on. Ends each launch after `limit` thread
/// instructions. The first call counts.
pub fn follow_launches(limit: Option<u64>) {
    let _ = FOLLOWED.set(limit);
}

/// The monitor of one launch of this kernel.
pub(crate) fn monitor(kernel: &str) -> Option<Arc<Monitor>> {
    let limit = *FOLLOWED.get()?;
    let (kernel, begin) = (kernel.to_string(), Instant::now());
    let next = Mutex::new(FIRST_PROGRESS);
    let report = move |progress: &Progress| {
        let elapsed = begin.elapsed();
        // One thread of those that run the launch tells it.
        let mut next = next.lock().unwrap_or_else(PoisonError::into_inner);
        if elapsed >= *next {
            *next = elapsed + NEXT_PROGRESS;
            tell(Heard::Progress { kernel: &kernel, elapsed, progress });
        }
    };
    Some(Arc::new(Monitor::new(limit, report)))
}

/// True if a launch of this kernel is to be checked; it counts as one if so.
pub(crate) fn is_wanted(kernel: &str) -> bool {
    let Some(Wanted { kernel: part, count }) = WANTED.get() else { return true };
    let is_named = part.as_ref().is_none_or(|part| report::whole_name(kernel).contains(part));
    is_named && count.is_none_or(|most| CHECKED.fetch_add(1, Ordering::Relaxed) < most)
}

/// Makes reports name their kernels, for readers who may not know which library a kernel belongs to.
pub fn name_kernels() {
    NAMES_KERNELS.store(true, Ordering::Relaxed);
}

pub(crate) fn names_kernels() -> bool {
    NAMES_KERNELS.load(Ordering::Relaxed)
}

pub(crate) fn config() -> Config {
    CONFIG.get().cloned().unwrap_or_default()
}

pub(crate) fn tell(heard: Heard<'_>) {
    if let Some(listener) = LISTENER.get() {
        listener(heard);
    }
}

pub(crate) fn has_listener() -> bool {
    LISTENER.get().is_some()
}
