//! The search for all executions of a lesson's job.
//!
//! The job is the program. It runs once for each step of the search, with the values that the search gives to reads.
//! For each execution it runs once more, to see whether its answer is right. A job of several launches is explored a
//! launch at a time, and its other launches run in order.

use super::interrupt;
use super::lean::Needless;
use super::progress::RunsProgress;
use driver::emulated;
use emulator::choices::{ChoiceKind, ScheduleChoice};
use emulator::explore::launch::{GivenRun, LaunchSearch};
use emulator::explore::{Bounds, Feature, Location, Summary, Visited, Visitor};
use emulator::finding::Finding;
use emulator::{Checks, Config, ExecutionRank, ExecutionSketch, ExecutionSteps, Policy, ThreadTurn};
use serde::Serialize;
use std::cell::RefCell;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Instructions of a run at most.
const FUEL: u64 = 1 << 22;
/// Executions of a kernel at most.
const EXECUTIONS: u64 = 100_000;

/// The verdicts on a kernel's executions at one size.
#[derive(Clone, Debug, Default)]
pub struct Exhausted {
    pub size: usize,
    pub executions: u64,
    /// Some launch has several executions.
    pub has_choice: bool,
    /// Executions of which something is wrong.
    pub wrong: u64,
    /// Those with a data race, without an end, with a forbidden access or barrier, and with a wrong answer.
    pub racing: u64,
    pub endless: u64,
    pub misplaced: u64,
    pub mistaken: u64,
    /// All executions were visited.
    pub is_complete: bool,
    /// The feature for which the kernel is not explored.
    pub refused: Option<Feature>,
    pub elapsed: Duration,
    /// The message of a wrong answer: the first one in alphabetical order.
    pub first_mistake: Option<String>,
    pub simplest: Option<WrongExecution>,
    /// The choices of a run that goes as the simplest one does, if that run shows something wrong.
    pub choices: Option<Vec<ScheduleChoice>>,
    /// The synchronisation that it does without, if that was asked.
    pub needless: Option<Vec<Needless>>,
}

/// The simplest wrong execution.
#[derive(Clone, Debug, Serialize)]
pub struct WrongExecution {
    #[serde(skip)]
    rank: ExecutionRank,
    #[serde(flatten)]
    pub steps: ExecutionSteps,
    /// The turns of its threads, if it ends, and each read comes after the write that it reads.
    #[serde(skip)]
    turns: Vec<ThreadTurn>,
    /// The token of a run that shows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replay: Option<String>,
}

impl Exhausted {
    fn add_summary(&mut self, summary: &Summary) {
        self.executions += summary.executions;
        self.has_choice |= summary.executions > 1;
        self.is_complete &= summary.is_complete;
        self.refused = self.refused.or(summary.refused.as_ref().map(|refusal| refusal.feature));
    }

    /// Adds the verdicts of a worker on executions of the launch that another worker has judged, too.
    fn merge(&mut self, other: Exhausted) {
        self.add_counts(&other);
        let mistakes = self.first_mistake.take().into_iter().chain(other.first_mistake);
        self.first_mistake = mistakes.min();
        let simplest = self.simplest.take().into_iter().chain(other.simplest);
        self.simplest = simplest.min_by(|one, two| one.rank.cmp(&two.rank));
    }

    fn add_counts(&mut self, other: &Exhausted) {
        self.wrong += other.wrong;
        self.racing += other.racing;
        self.endless += other.endless;
        self.misplaced += other.misplaced;
        self.mistaken += other.mistaken;
    }
}

/// A search in place of a trial's runs. Several threads may run the same job for it.
pub struct Exhaust {
    begin: Instant,
    time: Duration,
    progress: RunsProgress,
    searches: Mutex<Vec<Arc<JobSearch>>>,
    /// Set once the search is over.
    result: Mutex<Option<Exhausted>>,
    changed: Condvar,
}

/// The search for the executions of one launch of a job.
struct JobSearch {
    search: LaunchSearch,
    found: Mutex<Exhausted>,
}

impl Exhaust {
    pub fn new(time: Duration, progress: RunsProgress) -> Exhaust {
        let (searches, result, changed) = (Mutex::default(), Mutex::default(), Condvar::new());
        Exhaust { begin: Instant::now(), time, progress, searches, result, changed }
    }

    pub fn into_result(self) -> Option<Exhausted> {
        self.result.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits so long, or until the search is over. Returns true if it goes on.
    pub fn goes_on_after(&self, time: Duration) -> bool {
        let is_open = |result: &mut Option<Exhausted>| result.is_none();
        let waited = self.changed.wait_timeout_while(lock(&self.result), time, is_open);
        waited.unwrap_or_else(PoisonError::into_inner).0.is_none()
    }

    /// The search of the launch that has `before` others before it.
    fn of_launch(&self, before: usize) -> Arc<JobSearch> {
        let mut searches = lock(&self.searches);
        if searches.len() <= before {
            let time = self.time.saturating_sub(self.begin.elapsed());
            let search = LaunchSearch::new(Bounds { executions: EXECUTIONS, runs: u64::MAX, time });
            searches.push(Arc::new(JobSearch { search, found: Mutex::default() }));
        }
        searches[before].clone()
    }

    /// Searches all executions of a job, launch by launch.
    pub fn search(&self, size: usize, mut job: impl FnMut() -> anyhow::Result<()>) -> anyhow::Result<()> {
        configure(Policy::InOrder, Checks::Fast)?;
        // The answer in order is judged with all others.
        let _ = job();
        let reports = emulated::take_reports().map_err(silent)?;
        let launches = reports.iter().filter(|report| report.kernel.is_some()).count();
        let job = RefCell::new(job);
        let mut all = Exhausted { size, is_complete: true, ..Exhausted::default() };
        for before in 0..launches {
            let launch = self.of_launch(before);
            let summary = self.search_launch(before as u64, &launch, &job);
            let found = lock(&launch.found).clone();
            all.add_summary(&summary);
            all.add_counts(&found);
            all.first_mistake = all.first_mistake.or(found.first_mistake);
            if let (None, Some(simplest)) = (&all.simplest, found.simplest) {
                all.choices = choices(&mut *job.borrow_mut(), before as u64 + 1, &simplest.turns)?;
                all.simplest = Some(simplest);
            }
        }
        all.elapsed = self.begin.elapsed();
        lock(&self.result).get_or_insert(all);
        self.changed.notify_all();
        Ok(())
    }

    /// Searches the executions of one launch, as one worker of its search.
    fn search_launch(
        &self,
        before: u64,
        launch: &JobSearch,
        job: &RefCell<impl FnMut() -> anyhow::Result<()>>,
    ) -> Summary {
        let last_run = RefCell::new(None);
        let make = |given: &Arc<GivenRun>| -> anyhow::Result<()> {
            configure(Policy::InOrder, Checks::Fast)?;
            emulated::explore_launch(before, given.clone()).map_err(silent)?;
            (*job.borrow_mut())()
        };
        let start = |given: &Arc<GivenRun>| {
            // Its answer does not count: threads may have stopped on their way.
            let _ = make(given);
            last_run.replace(Some(given.clone()));
        };
        let found = Exhausted::default();
        let mut judge = Judge { make: &make, last_run: &last_run, progress: &self.progress, found, all: &launch.found };
        launch.search.work(start, &mut judge)
    }
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs a job in the order of these turns of a launch, and returns the choices that this takes. `None` if nothing is
/// wrong with that run.
fn choices(
    job: &mut impl FnMut() -> anyhow::Result<()>,
    launch: u64,
    turns: &[ThreadTurn],
) -> anyhow::Result<Option<Vec<ScheduleChoice>>> {
    if turns.is_empty() {
        return Ok(None);
    }
    configure(Policy::Turns { launch, turns: turns.into() }.recorded(), Checks::Full)?;
    let answer = job();
    let reports = emulated::take_reports().map_err(silent)?;
    let choices: Vec<ScheduleChoice> = reports.iter().flat_map(|report| report.choices.iter().copied()).collect();
    // A thread may not have come to its turn, or is not let read so old a value.
    let made = choices.iter().filter(|choice| choice.kind == ChoiceKind::Back).map(|choice| choice.pick as usize);
    let given = turns.iter().map(|turn| turn.back).filter(|&back| back > 0);
    let is_as_given = given.eq(made.filter(|&back| back > 0));
    let is_wrong = answer.is_err() || reports.iter().any(|report| report.findings.iter().any(Finding::is_error));
    Ok((is_wrong && is_as_given).then_some(choices))
}

fn configure(policy: Policy, checks: Checks) -> anyhow::Result<()> {
    // The run before this one may have ended in a fault.
    emulated::recover().map_err(silent)?;
    let config = Config { policy, checks, workers: 1, fuel: FUEL, ..Config::default() };
    emulated::configure(config).map_err(silent)
}

fn silent(code: cust_raw::CUresult) -> anyhow::Error {
    anyhow::anyhow!("the emulator does not answer: {code:?}")
}

/// Judges each execution by its races, its end and its answer.
struct Judge<'a> {
    make: &'a dyn Fn(&Arc<GivenRun>) -> anyhow::Result<()>,
    last_run: &'a RefCell<Option<Arc<GivenRun>>>,
    progress: &'a RunsProgress,
    found: Exhausted,
    /// The verdicts of all workers, once the search has ended.
    all: &'a Mutex<Exhausted>,
}

impl Visitor for Judge<'_> {
    fn begins(&mut self) {
        self.found = Exhausted::default();
    }

    fn is_enough(&self) -> bool {
        self.progress.show(0);
        interrupt::has_come()
    }

    fn visit(&mut self, visited: &Visited) {
        self.progress.step();
        let given = self.last_run.borrow().clone().expect("a search runs before it visits");
        let races = !visited.races.is_empty();
        let misplaced = !given.findings().is_empty() || given.has_diverged();
        let mistake = if visited.is_deadlock { None } else { self.mistake(visited, &given) };
        let is_wrong = races || misplaced || visited.is_deadlock || mistake.is_some();
        if is_wrong {
            let has_proof = visited.is_deadlock || mistake.as_ref().is_some_and(|mistake| mistake.is_certain);
            let simpler = self.simpler(visited, has_proof, &given);
            self.found.simplest = simpler.or(self.found.simplest.take());
        }
        let found = &mut self.found;
        found.racing += u64::from(races);
        found.endless += u64::from(visited.is_deadlock);
        found.misplaced += u64::from(misplaced);
        found.mistaken += u64::from(mistake.is_some());
        found.wrong += u64::from(is_wrong);
        let mistakes = found.first_mistake.take().into_iter().chain(mistake.map(|mistake| mistake.message));
        found.first_mistake = mistakes.min();
    }

    fn ends(&mut self) {
        lock(self.all).merge(std::mem::take(&mut self.found));
    }
}

/// A wrong answer.
struct Mistake {
    message: String,
    /// It is wrong with any of the values that locations may have at the end.
    is_certain: bool,
}

impl Judge<'_> {
    /// Returns the execution if it is simpler than the simplest one so far.
    fn simpler(&self, visited: &Visited, has_proof: bool, given: &Arc<GivenRun>) -> Option<WrongExecution> {
        let sketch = ExecutionSketch::of(visited, has_proof)?;
        if self.found.simplest.as_ref().is_some_and(|best| best.rank <= *sketch.rank()) {
            return None;
        }
        let again = given.again_with_lines();
        let _ = (self.make)(&again);
        let steps = sketch.steps(visited, &|location| given.initial(location), &|event| again.line(event));
        let execution = visited.execution;
        let turn = |(event, back)| again.turn(execution.ids[event], execution.place(event), back);
        let turns = sketch.distances(visited).into_iter().flatten().map_while(turn).collect();
        Some(WrongExecution { rank: sketch.rank().clone(), steps, turns, replay: None })
    }

    /// Returns the answer that is wrong with some of the values that locations may have at the end.
    fn mistake(&self, visited: &Visited, given: &Arc<GivenRun>) -> Option<Mistake> {
        let mut ends: Vec<Vec<(Location, u64)>> = vec![Vec::new()];
        for location in visited.execution.accesses().into_keys() {
            let values = visited.last_values(location);
            if !values.is_empty() {
                let with = |end: &Vec<_>, value| end.iter().copied().chain([(location, value)]).collect();
                ends = ends.iter().flat_map(|end| values.iter().map(move |&value| with(end, value))).collect();
            }
        }
        let mut answers = ends.into_iter().map(|last| (self.make)(&given.again(last)));
        let first = answers.next()?;
        let is_certain = first.is_err();
        let message = first.err().or_else(|| answers.find_map(Result::err))?.to_string();
        Some(Mistake { message, is_certain: is_certain && answers.all(|answer| answer.is_err()) })
    }
}
