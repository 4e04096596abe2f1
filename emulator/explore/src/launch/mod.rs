//! A launch as a program: the machine runs its threads with given values.
//!
//! Each run begins with fresh memory. Its schedule ([`schedule`]) lets each thread go alone, an instruction at a time,
//! as long as it does not depend on a read whose value is not known. Its watcher ([`watch`]) notes the events, and puts
//! the value of each read into memory just before the machine reads it. So memory is a place to hand values over, and
//! the machine's order of threads decides nothing.
//!
//! Only accesses of locations that several threads access, at least one of them to write, are events. Which these are
//! is learned ([`footprint`]): first by a rehearsal, in which memory is as the machine has it, and nothing is an event.
//! A later run that shows another one begins the search again.
//!
//! Fixed, and so not explored: every thread runs alone, so `activemask` gives one lane and coalesced groups have one
//! member.

mod footprint;
mod liveness;
mod run;
mod schedule;
mod taint;
mod watch;

use crate::event::{EventId, Location, ThreadPlace};
use crate::program::{Feature, Interrupt, Program, ThreadRun, Values};
use crate::shared::SharedSearch;
use crate::visitor::{Bounds, Summary, Visitor};
use finding::{Finding, SourceLocation};
use footprint::Footprint;
use liveness::Liveness;
use machine::run::launch::Launch;
use machine::run::worker::Worker;
use machine::types::ThreadTurn;
use run::Run;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

/// Threads of a launch at most.
pub const MOST_THREADS: u64 = 1024;
/// The time that a search goes on before other threads help: to join costs each of them a run.
pub const ALONE: Duration = Duration::from_millis(100);
/// Events of a run at most: a step of the search with more of them takes longer than a bound of time can help.
const MOST_EVENTS: usize = 1 << 14;

/// Knowledge that a search gathers over its runs.
#[derive(Default)]
struct Known {
    footprint: Footprint,
    /// The values that memory holds before the launch.
    initial: FxHashMap<Location, u64>,
}

/// One run of a launch with given values, before it and after it.
pub struct GivenRun {
    /// The values of reads. `None` for a rehearsal.
    values: Option<Values>,
    /// The last writes of locations, which go to memory at the end.
    last: Vec<(Location, u64)>,
    /// Set at the end of a run whose lines are wanted.
    lines: Option<OnceLock<FxHashMap<EventId, SourceLocation>>>,
    run: Arc<Mutex<Run>>,
    known: Arc<Mutex<Known>>,
    liveness: Arc<OnceLock<Liveness>>,
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

fn initial(known: &Mutex<Known>, location: Location) -> u64 {
    lock(known).initial.get(&location).copied().unwrap_or(0)
}

/// Returns a number that tells launches apart whose memory has other addresses, or whose parameters differ.
fn identity(launch: &Launch) -> u64 {
    let mut hasher = FxHasher::default();
    let mut parameters = vec![0; launch.params.bytes() as usize];
    if !parameters.is_empty() {
        launch.params.read_bytes(launch.params.base(), &mut parameters);
    }
    parameters.hash(&mut hasher);
    launch.memory.regions().for_each(|region| (region.base(), region.bytes()).hash(&mut hasher));
    hasher.finish()
}

impl GivenRun {
    /// Runs the threads of a launch as far as the values go. Memory must be as it was for all other runs.
    pub fn execute(&self, launch: &Arc<Launch>) {
        // No page explores: its module does not carry another interpreter.
        if cfg!(target_family = "wasm") {
            return self.refuse(Feature::Threads);
        }
        let threads_per_block = launch.threads_per_block();
        let threads = launch.blocks().saturating_mul(u64::from(threads_per_block));
        if threads > MOST_THREADS {
            return self.refuse(Feature::Threads);
        }
        self.liveness.get_or_init(|| Liveness::of(launch.code));
        let known = std::mem::take(&mut *lock(&self.known));
        lock(&self.run).begin(self.values.clone(), known, launch.blocks(), threads_per_block);
        if self.values.is_none() {
            lock(&self.run).identity = identity(launch);
        }
        let watch = watch::Explorer { run: self.run.clone(), liveness: self.liveness.clone() };
        let schedule = Box::new(schedule::OneByOne::new(self.run.clone(), threads_per_block));
        Worker::new(launch, None, watch, schedule).run();
        if launch.tree.fuel.load(Relaxed) == 0 {
            // Its threads may have stopped anywhere.
            self.refuse(Feature::Instructions);
        } else if lock(&self.run).events() > MOST_EVENTS {
            self.refuse(Feature::Events);
        }
        *lock(&self.known) = std::mem::take(&mut lock(&self.run).known);
        if let Some(lines) = &self.lines {
            let line = |(event, pc)| Some((event, launch.code.user_lines(pc, &[]).0?));
            let _ = lines.set(lock(&self.run).pcs().filter_map(line).collect());
        }
        for &(location, value) in self.last.iter().filter(|(location, _)| location.block.is_none()) {
            if let Some(region) = launch.memory.region(location.address) {
                run::put(region, location, value);
            }
        }
    }

    /// Refuses a launch that uses `feature`.
    pub fn refuse(&self, feature: Feature) {
        lock(&self.run).refuse(feature, 0);
    }

    /// Returns the accesses of the run that are not allowed.
    pub fn findings(&self) -> Vec<Finding> {
        lock(&self.run).findings.clone()
    }

    /// Returns the instruction of an event of the run.
    pub fn pc(&self, event: EventId) -> Option<u32> {
        lock(&self.run).pc(event).map(|(pc, _)| pc)
    }

    /// Returns the turn of a thread, in an order of the events, that ends with an event of the run. Its read reads so
    /// many writes back.
    pub fn turn(&self, event: EventId, place: ThreadPlace, back: usize) -> Option<ThreadTurn> {
        let (_, until) = lock(&self.run).pc(event)?;
        Some(ThreadTurn { block: place.block, thread: place.thread, until, back })
    }

    /// Returns the value that a location has before the launch.
    pub fn initial(&self, location: Location) -> u64 {
        initial(&self.known, location)
    }

    /// Returns the source line of an event of a run made by [`GivenRun::again_with_lines`].
    pub fn line(&self, event: EventId) -> Option<SourceLocation> {
        self.lines.as_ref()?.get()?.get(&event).cloned()
    }

    /// Returns true if lanes of a warp have come to an aligned barrier from several instructions.
    pub fn has_diverged(&self) -> bool {
        lock(&self.run).has_diverged
    }

    /// Returns the same run again, after which memory has these values.
    pub fn again(&self, last: Vec<(Location, u64)>) -> Arc<GivenRun> {
        Arc::new(GivenRun { last, lines: None, ..self.another() })
    }

    /// Returns the same run again, which notes the source lines of its events.
    pub fn again_with_lines(&self) -> Arc<GivenRun> {
        Arc::new(GivenRun { lines: Some(OnceLock::new()), ..self.another() })
    }

    fn another(&self) -> GivenRun {
        let (known, liveness) = (self.known.clone(), self.liveness.clone());
        GivenRun { values: self.values.clone(), last: Vec::new(), lines: None, run: Arc::default(), known, liveness }
    }
}

/// A search for the executions of a launch, which several workers may share.
pub struct LaunchSearch {
    search: SharedSearch,
    common: Mutex<CommonKnowledge>,
}

impl LaunchSearch {
    pub fn new(bounds: Bounds) -> LaunchSearch {
        LaunchSearch { search: SharedSearch::new(bounds), common: Mutex::default() }
    }

    /// Searches as one of its workers, until the whole search has ended. `start` makes each run: it brings memory into
    /// the state that it always has before the launch, and calls [`GivenRun::execute`].
    pub fn work(&self, start: impl FnMut(&Arc<GivenRun>), visitor: &mut dyn Visitor) -> Summary {
        let (known, liveness) = (Arc::default(), Arc::default());
        let common = &self.common;
        let mut program = LaunchProgram { start, common, threads: Vec::new(), known, liveness };
        self.search.work(&mut program, visitor)
    }

    /// Waits so long, or until the search has ended. Returns true if it goes on, so that another worker can help.
    pub fn goes_on_after(&self, time: Duration) -> bool {
        self.search.goes_on_after(time)
    }
}

/// Knowledge that the workers of one search share.
#[derive(Default)]
struct CommonKnowledge {
    /// The launch of the first worker.
    identity: Option<u64>,
    /// The locations whose accesses are events.
    shared: FxHashSet<Location>,
}

/// A launch that is explored, as one worker runs it.
struct LaunchProgram<'a, S> {
    start: S,
    common: &'a Mutex<CommonKnowledge>,
    threads: Vec<ThreadPlace>,
    known: Arc<Mutex<Known>>,
    liveness: Arc<OnceLock<Liveness>>,
}

impl<S: FnMut(&Arc<GivenRun>)> LaunchProgram<'_, S> {
    fn make(&mut self, values: Option<Values>) -> Arc<GivenRun> {
        let (known, liveness) = (self.known.clone(), self.liveness.clone());
        let given = Arc::new(GivenRun { values, last: Vec::new(), lines: None, run: Arc::default(), known, liveness });
        (self.start)(&given);
        given
    }
}

impl<S: FnMut(&Arc<GivenRun>)> Program for LaunchProgram<'_, S> {
    fn threads(&self) -> Vec<ThreadPlace> {
        self.threads.clone()
    }

    fn initial(&self, location: Location) -> u64 {
        initial(&self.known, location)
    }

    fn prepare(&mut self) -> bool {
        let given = self.make(None);
        let identity = lock(&given.run).identity;
        let mut common = lock(self.common);
        if common.identity.is_none() {
            common.shared.extend(lock(&self.known).footprint.take_news());
        }
        *common.identity.get_or_insert(identity) == identity
    }

    fn begins(&mut self) {
        lock(&self.known).footprint.share(&lock(self.common).shared);
    }

    fn publishes(&mut self) {
        lock(self.common).shared.extend(lock(&self.known).footprint.take_news());
    }

    fn run(&mut self, values: &Values) -> Result<Vec<ThreadRun>, Interrupt> {
        let given = self.make(Some(values.clone()));
        let mut run = lock(&given.run);
        if let Some(refusal) = run.refused.take() {
            return Err(Interrupt::Refused(refusal));
        }
        if lock(&self.known).footprint.has_news() {
            return Err(Interrupt::Restart);
        }
        self.threads = std::mem::take(&mut run.places);
        Ok(run.threads.iter_mut().map(run::Thread::take_run).collect())
    }
}
