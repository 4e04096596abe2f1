//! The search for all executions of a lesson's job.
//!
//! The job is the program. It runs once for each step of the search, with the values that the search gives to reads.
//! For each execution it runs once more, to see whether its answer is right. A job of several launches is explored a
//! launch at a time, and its other launches run in order.

use super::interrupt;
use super::lean::Needless;
use super::progress::RunsProgress;
use super::simplest::WrongExecution;
use driver::emulated;
use emulator::choices::{ChoiceKind, ScheduleChoice};
use emulator::explore::launch::{GivenRun, LaunchProgram};
use emulator::explore::{Bounds, Feature, Location, Summary, Visited, Visitor, explore};
use emulator::finding::Finding;
use emulator::{Checks, Config, Policy, ThreadTurn};
use std::cell::RefCell;
use std::sync::{Arc, Mutex, PoisonError};
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
    /// The message of the first wrong answer.
    pub first_mistake: Option<String>,
    pub simplest: Option<WrongExecution>,
    /// The choices of a run that goes as the simplest one does, if that run shows something wrong.
    pub choices: Option<Vec<ScheduleChoice>>,
    /// The synchronisation that it does without, if that was asked.
    pub needless: Option<Vec<Needless>>,
}

impl Exhausted {
    fn add(&mut self, summary: &Summary) {
        self.executions += summary.executions;
        self.has_choice |= summary.executions > 1;
        self.is_complete &= summary.is_complete;
        self.refused = self.refused.or(summary.refused.as_ref().map(|refusal| refusal.feature));
    }
}

/// A search in place of a trial's runs.
pub struct Exhaust {
    pub time: Duration,
    pub progress: RunsProgress,
    pub result: Mutex<Option<Exhausted>>,
}

impl Exhaust {
    /// Searches all executions of a job, launch by launch.
    pub fn search(&self, size: usize, mut job: impl FnMut() -> anyhow::Result<()>) -> anyhow::Result<()> {
        let begin = Instant::now();
        configure(Policy::InOrder, Checks::Fast)?;
        // The answer in order is judged with all others.
        let _ = job();
        let reports = emulated::take_reports().map_err(silent)?;
        let launches = reports.iter().filter(|report| report.kernel.is_some()).count() as u64;
        let job = RefCell::new(job);
        let mut all = Exhausted { size, is_complete: true, ..Exhausted::default() };
        for before in 0..launches {
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
            let left = self.time.saturating_sub(begin.elapsed());
            let bounds = Bounds { executions: EXECUTIONS, runs: u64::MAX, time: left };
            let mut judge =
                Judge { make: &make, last_run: &last_run, progress: &self.progress, found: Exhausted::default() };
            let summary = explore(&mut LaunchProgram::new(start), bounds, &mut judge);
            let found = judge.found;
            all.add(&summary);
            all.wrong += found.wrong;
            all.racing += found.racing;
            all.endless += found.endless;
            all.misplaced += found.misplaced;
            all.mistaken += found.mistaken;
            all.first_mistake = all.first_mistake.or(found.first_mistake);
            if let (None, Some(simplest)) = (&all.simplest, found.simplest) {
                all.choices = choices(&mut *job.borrow_mut(), before + 1, &simplest.turns)?;
                all.simplest = Some(simplest);
            }
        }
        all.elapsed = begin.elapsed();
        *self.result.lock().unwrap_or_else(PoisonError::into_inner) = Some(all);
        Ok(())
    }
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
            let again = || {
                let again = given.again_with_lines();
                let _ = (self.make)(&again);
                again
            };
            let (best, initial) = (self.found.simplest.as_ref(), |location| given.initial(location));
            let shows = visited.is_deadlock || mistake.as_ref().is_some_and(|mistake| mistake.is_certain);
            let simpler = WrongExecution::simpler(visited, shows, best, &initial, again);
            self.found.simplest = simpler.or(self.found.simplest.take());
        }
        let found = &mut self.found;
        found.racing += u64::from(races);
        found.endless += u64::from(visited.is_deadlock);
        found.misplaced += u64::from(misplaced);
        found.mistaken += u64::from(mistake.is_some());
        found.wrong += u64::from(is_wrong);
        found.first_mistake = found.first_mistake.take().or(mistake.map(|mistake| mistake.message));
    }
}

/// A wrong answer.
struct Mistake {
    message: String,
    /// It is wrong with any of the values that locations may have at the end.
    is_certain: bool,
}

impl Judge<'_> {
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
