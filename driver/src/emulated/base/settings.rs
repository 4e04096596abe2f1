//! Settings for whoever runs a program of somebody else's: how its contexts run, and which launches are checked.

use super::observer::{Event, tell};
use emulator::{Config, Monitor, Progress};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant, SystemTime};

static CONFIG: OnceLock<Config> = OnceLock::new();
static WANTED: OnceLock<Wanted> = OnceLock::new();
static FOLLOWED: OnceLock<LaunchLimits> = OnceLock::new();
static NOTES_PARTIAL_COPIES: AtomicBool = AtomicBool::new(false);
static MISSES_WORK: AtomicBool = AtomicBool::new(false);
static FOLLOWS_REFUSED: AtomicBool = AtomicBool::new(false);
static EXPLORED: OnceLock<Duration> = OnceLock::new();
static CHECKED: AtomicU64 = AtomicU64::new(0);

/// The time that a launch runs before its progress is told.
pub(crate) const FIRST_PROGRESS: Duration = Duration::from_secs(5);
/// The time between two reports of progress.
const NEXT_PROGRESS: Duration = Duration::from_secs(10);

/// Returns true for a kernel that is wanted, by its name in the PTX.
pub type KernelFilter = Box<dyn Fn(&str) -> bool + Send + Sync>;

/// Which launches are checked fully. The others run, and are looked at for accesses out of bounds alone.
#[derive(Default)]
pub struct Wanted {
    pub kernel: Option<KernelFilter>,
    /// The number of launches that are wanted.
    pub count: Option<u64>,
}

/// Queries about CUDA runtimes that are linked into loaded files.
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

/// Has contexts take what a launch that was not run would have written as unknown, and no longer as unwritten.
pub fn follow_refused_launches() {
    FOLLOWS_REFUSED.store(true, Ordering::Relaxed);
}

pub(crate) fn follows_refused_launches() -> bool {
    FOLLOWS_REFUSED.load(Ordering::Relaxed)
}

/// The limits of launches.
#[derive(Clone, Copy, Debug, Default)]
pub struct LaunchLimits {
    /// The most thread instructions of a launch.
    pub instructions: Option<u64>,
    /// The time at which a launch that still runs is ended.
    pub deadline: Option<SystemTime>,
}

/// Tells the observer of the progress of long launches from here on, and ends those that reach a limit. The first call
/// counts.
pub fn follow_launches(limits: LaunchLimits) {
    let _ = FOLLOWED.set(limits);
}

/// Returns true if the time for launches is over.
pub fn is_time_up() -> bool {
    FOLLOWED.get().and_then(|limits| limits.deadline).is_some_and(|deadline| SystemTime::now() >= deadline)
}

/// Returns the limit of thread instructions, if there is one.
pub(crate) fn instruction_limit() -> Option<u64> {
    FOLLOWED.get()?.instructions
}

/// Has all executions of each launch explored before it runs, for so long at most. The first call counts.
pub fn explore_launches(time: Duration) {
    let _ = EXPLORED.set(time);
}

/// The time for exploring a launch. `None` if none is to be explored.
pub(crate) fn explored_time() -> Option<Duration> {
    EXPLORED.get().copied()
}

/// The monitor of one launch of this kernel.
pub(crate) fn monitor(kernel: &str) -> Option<Arc<Monitor>> {
    let limit = FOLLOWED.get()?.instructions;
    let (kernel, begin) = (kernel.to_string(), Instant::now());
    let next = Mutex::new(FIRST_PROGRESS);
    let report = move |progress: &Progress| {
        let elapsed = begin.elapsed();
        // One thread of those that run the launch tells it.
        let mut next = next.lock().unwrap_or_else(PoisonError::into_inner);
        if elapsed >= *next {
            *next = elapsed + NEXT_PROGRESS;
            tell(Event::Progress { kernel: &kernel, elapsed, progress });
        }
        !is_time_up()
    };
    Some(Arc::new(Monitor::new(limit, report)))
}

/// True if a launch of this kernel is to be checked; it counts as one if so.
pub(crate) fn is_wanted(kernel: &str) -> bool {
    let Some(Wanted { kernel: chooses, count }) = WANTED.get() else { return true };
    let is_named = chooses.as_ref().is_none_or(|chooses| chooses(kernel));
    is_named && count.is_none_or(|most| CHECKED.fetch_add(1, Ordering::Relaxed) < most)
}

pub(crate) fn config() -> Config {
    CONFIG.get().cloned().unwrap_or_default()
}
