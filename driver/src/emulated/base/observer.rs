//! The observer of the emulated device: code outside this crate that is told what happens and what is found. This crate
//! neither puts a finding into words nor looks for a fix.

use super::saved_launch::SavedLaunch;
use cust_raw::CUresult;
use emulator::finding::{Finding, ShapeError, Where};
use emulator::{Allocation, Counters, Fault, NotExplored, Progress, Survey};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// An event for an observer.
pub enum Event<'a> {
    /// A launch begins to run.
    Begins { kernel: &'a str },
    /// A launch still runs: sent after [`FIRST_PROGRESS`](super::settings), and then every so often.
    Progress { kernel: &'a str, elapsed: Duration, progress: &'a Progress },
    /// The host waits for a stream that waits for a value, and no queued work is left that could write it: sent once,
    /// after as long.
    Blocked { elapsed: Duration },
    /// The executions of a launch that is about to run were explored, or why they were not.
    Explored { kernel: &'a str, grid: [u32; 3], block: [u32; 3], found: &'a Result<Survey, Unexplored> },
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
    /// A launch whose shape the emulated device refused, with why.
    InvalidShape { error: &'a ShapeError },
    /// A call that failed since the emulated device cannot do it.
    Unsupported { call: &'a str, code: CUresult },
    /// Findings that no program takes, in the order in which one context met them. They come when the host waits.
    Findings(&'a [Found]),
    /// A context ends, and the program has not freed these allocations.
    Leaks(&'a [OwnedAllocation]),
}

/// A finding of one context. Each bug comes once, however often it was met, and once more if its threads are farther
/// apart than before: `__syncwarp()` is no fix if a later launch of the kernel has several warps.
pub struct Found {
    pub finding: Finding,
    /// It fails nothing, and is worth a word.
    pub is_note: bool,
    /// It came before, with threads less far apart.
    pub is_known: bool,
    /// The launch that shows it, if the observer wants launches and this one was small. Findings of one launch share
    /// it.
    pub launch: Option<Arc<SavedLaunch>>,
}

/// An allocation that the program made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnedAllocation {
    pub allocation: Allocation,
    /// Which of the context's allocations it was, from 1.
    pub number: u64,
}

impl OwnedAllocation {
    pub(crate) fn place(&self) -> Where {
        let Allocation { bytes, place, .. } = self.allocation;
        Where::Allocation { bytes, memory: place, number: self.number }
    }
}

/// The reason why the executions of a launch were not explored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unexplored {
    NotExplored(NotExplored),
    /// The same kernel was explored with this shape before, several times.
    Repeated,
    /// The time for all launches together is over.
    Time,
    /// Something was refused before: what memory holds may follow from that.
    AfterRefusal,
}

impl Unexplored {
    /// In JSON, and as a key of messages.
    pub fn name(self) -> &'static str {
        match self {
            Unexplored::NotExplored(why) => why.name(),
            Unexplored::Repeated => "repeated",
            Unexplored::Time => "time",
            Unexplored::AfterRefusal => "after-refusal",
        }
    }
}

pub trait Observer: Sync {
    fn hear(&self, event: Event<'_>);

    /// Returns true if a finding is to come with its launch, to be run again. Such launches take a copy of the memory.
    fn wants_launches(&self) -> bool {
        false
    }

    /// Returns the kernel's name as its author wrote it, from that in the PTX.
    fn kernel_name(&self, name: &str) -> String {
        name.to_string()
    }
}

static OBSERVER: OnceLock<&'static dyn Observer> = OnceLock::new();

/// Registers the observer of this process. Later calls have no effect.
pub fn observe_with(observer: &'static dyn Observer) {
    let _ = OBSERVER.set(observer);
}

pub(crate) fn tell(event: Event<'_>) {
    if let Some(observer) = OBSERVER.get() {
        observer.hear(event);
    }
}

pub(crate) fn wants_launches() -> bool {
    OBSERVER.get().is_some_and(|observer| observer.wants_launches())
}

/// A kernel's name as a person knows it.
pub(crate) fn kernel_name(name: &str) -> String {
    OBSERVER.get().map_or_else(|| name.to_string(), |observer| observer.kernel_name(name))
}
