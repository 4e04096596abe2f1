//! A worker: one host thread, and what it needs to run its share of a launch. Its fields are for its own parts alone.

mod any_time;
mod blocks;
mod cluster;
mod grid;
mod options;
mod skip;
pub(super) mod spin;
mod step;

use super::ending::{Fatal, LaunchEnding};
use super::failures::Unasked;
use super::launch::{Launch, LaunchTree};
use super::runtime::Runtime;
use crate::memory::history::OlderValues;
use crate::schedule::choices::{ChoiceOptions, Followed, Stop};
use crate::schedule::{Schedule, ScheduleTraits};
use crate::watch::Watch;
use finding::Finding;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

/// Instructions between two looks at the launch's fuel, where there is much of it.
const FUEL_STEP: u64 = 1 << 22;
/// Instructions before a launch is first asked whether it only spins; then after twice as many, and so on.
const SUSPICION: u64 = 1 << 15;

/// One host thread's share of a launch.
pub struct Worker<'a, W: Watch> {
    /// The host's own grid.
    launch: Arc<Launch<'a>>,
    /// The device runtime, if its kernels launch others.
    runtime: Option<Arc<Runtime<'a>>>,
    watch: W,
    schedule: Box<dyn Schedule>,
    manner: ScheduleTraits,
    /// Everybody gets the latest value, and stores come in last.
    is_prompt: bool,
    /// Older values of global memory.
    history: OlderValues,
    instructions: u64,
    thread_instructions: u64,
    /// The longest that a warp has slept, in nanoseconds.
    slept: u64,
    /// The latest clock of its warps since the launch began, and the latest global timer that they read.
    time: u64,
    /// The group that ran last made atomic or other strong reads: it may be waiting for somebody.
    looks: bool,
    /// Findings that end a launch: a bad address, a deadlock.
    fatal: Vec<Fatal>,
    /// An access was left out since it is not allowed.
    has_skipped: bool,
    /// Work before this launch was not run, so its kernel may read values that no operation has written.
    misses_work: bool,
    unasked: Unasked,
    /// A thread waits for another grid to begin; a new grid gets a place at once.
    wants_room: bool,
    /// True if enough blocks have begun for that: no more will.
    is_crowded: bool,
    makes_room: bool,
    fuel: Fuel,
    /// Threads of the host's own grid that have ended since its fuel was looked at.
    ended: u64,
    /// Thread instructions after which it is asked whether the launch can end at all.
    suspicion: u64,
    /// Blocks of a cluster that have not begun; the next one is the last.
    of_cluster: Vec<u64>,
    /// The answers that were open where the schedule has stopped.
    unanswered: Option<Box<ChoiceOptions>>,
}

/// The results that a run shows by itself, whoever watched.
#[derive(Default)]
pub struct Ran {
    /// The faults that ended the launch.
    pub fatal: Vec<Fatal>,
    /// Launches by kernels that failed, and whose threads never asked.
    pub unasked: Vec<Finding>,
    pub warp_instructions: u64,
    pub thread_instructions: u64,
    /// By a schedule that follows given choices.
    pub followed: Option<Followed>,
    /// The values of global memory from before its writes.
    pub older_values: OlderValues,
}

impl Ran {
    /// A worker at its end, and its watcher.
    pub fn of<W: Watch>(mut worker: Worker<'_, W>) -> (Ran, W) {
        let has_ended = worker.unanswered.is_none() && !worker.launch.stopped();
        let mut followed = worker.schedule.followed(has_ended);
        worker.launch.tree.time.fetch_max(worker.time, Relaxed);
        if let (Some(followed), Some(options)) = (&mut followed, worker.unanswered) {
            followed.stop.get_or_insert(Stop::Unanswered(options));
        }
        let ran = Ran {
            fatal: worker.fatal,
            unasked: worker.unasked.into_findings(),
            warp_instructions: worker.instructions,
            thread_instructions: worker.thread_instructions,
            followed,
            older_values: worker.history,
        };
        (ran, worker.watch)
    }
}

/// The fuel that a worker has taken of its launch's, and the host's limit.
struct Fuel {
    /// Thread instructions.
    taken: u64,
    step: u64,
}

/// The fuel that is left of a launch's.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FuelLeft {
    Some,
    Nothing,
    /// The host's limit is reached, whatever fuel there is.
    OverLimit,
}

impl Fuel {
    fn new(tree: &LaunchTree) -> Fuel {
        let allowed = tree.monitor.as_ref().map_or(u64::MAX, |monitor| monitor.limit());
        Fuel { taken: 0, step: Fuel::step(tree.fuel.load(Relaxed).min(allowed)) }
    }

    /// The less is left, the sooner it looks again: what checks use up it sees only then.
    fn step(left: u64) -> u64 {
        (left / 8).clamp(1, FUEL_STEP)
    }

    /// Takes the instructions run since the last look from what is left. Threads that have `ended` since bring some:
    /// there are only so many, while stores, barriers and launches by kernels may go on for ever. `blocks` are those of
    /// the grid.
    fn look(&mut self, instructions: u64, tree: &LaunchTree, blocks: u64, most: u64, ended: &mut u64) -> FuelLeft {
        let used = instructions - self.taken;
        // Checks may have used up all of it since.
        if used < self.step && tree.fuel.load(Relaxed) != 0 {
            return FuelLeft::Some;
        }
        self.taken = instructions;
        let allowed = tree.executed(used, blocks);
        let left = tree.burn_and_fill(used, std::mem::take(ended), most);
        self.step = Fuel::step(left.min(allowed));
        match (left, allowed) {
            (_, 0) => FuelLeft::OverLimit,
            (0, _) => FuelLeft::Nothing,
            _ => FuelLeft::Some,
        }
    }
}

impl<'a, W: Watch> Worker<'a, W> {
    pub fn new(
        launch: &Arc<Launch<'a>>,
        runtime: Option<&Arc<Runtime<'a>>>,
        watch: W,
        schedule: Box<dyn Schedule>,
    ) -> Worker<'a, W> {
        Worker {
            launch: launch.clone(),
            misses_work: watch.misses_work(),
            runtime: runtime.cloned(),
            watch,
            manner: schedule.traits(),
            is_prompt: false,
            schedule,
            history: OlderValues::default(),
            instructions: 0,
            thread_instructions: 0,
            slept: 0,
            time: 0,
            looks: false,
            fatal: Vec::new(),
            has_skipped: false,
            unasked: Unasked::default(),
            wants_room: false,
            is_crowded: false,
            makes_room: false,
            fuel: Fuel::new(launch.tree),
            ended: 0,
            suspicion: SUSPICION,
            of_cluster: Vec::new(),
            unanswered: None,
        }
    }

    /// Returns the worker with values of global memory from before writes of earlier launches.
    pub fn with_older_values(mut self, values: OlderValues) -> Worker<'a, W> {
        self.history = values;
        self
    }

    /// Ends the launch.
    fn end(&mut self, ending: LaunchEnding) {
        let (fault, fatal, at) = ending.into_parts();
        self.fatal.extend(fatal.filter(|fatal| !self.is_consequence(fatal)));
        self.launch.end(fault, at);
    }
}
