//! `--exhaust`: every execution of a kernel at a small size.
//!
//! The row's job is the program: it runs once for each step of the search, with the values that the search gives to
//! reads, and once more for each execution, to see whether its answer is right. A job of several launches is explored a
//! launch at a time, and its other launches run in order.

use super::Lesson;
use crate::device::context::Session;
use crate::lesson::cli::OutputFormat;
use crate::lesson::progress::RunsProgress;
use crate::lesson::run::{Run, Scene};
use crate::table::kernel::Kernel;
use crate::table::row::Row;
use anyhow::Context as _;
use driver::emulated;
use emulator::explore::launch::{GivenRun, LaunchProgram};
use emulator::explore::{Bounds, Feature, Location, Summary, Visited, Visitor, explore};
use emulator::{Checks, Config};
use serde::Serialize;
use std::cell::RefCell;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use trial::Batch;

/// Instructions of a run at most.
const FUEL: u64 = 1 << 22;
/// Executions of a kernel at most.
const EXECUTIONS: u64 = 100_000;

/// What the executions of a kernel at one size have shown.
#[derive(Clone, Debug, Default)]
pub struct Exhausted {
    pub size: usize,
    pub executions: u64,
    /// Executions of which something is wrong.
    pub wrong: u64,
    /// Of these, those with a data race, without an end, with an access that is not allowed, and with a wrong answer.
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
}

impl Exhausted {
    fn add(&mut self, summary: &Summary) {
        self.executions += summary.executions;
        self.is_complete &= summary.is_complete;
        self.refused = self.refused.or(summary.refused.as_ref().map(|refusal| refusal.feature));
    }
}

/// The time that a kernel's searches take at most, of all sizes together.
const TIME: Duration = Duration::from_secs(10);
/// Sizes beyond the smallest that are tried until threads meet: those of one more element, and one more than a warp and
/// two have.
const MORE: [usize; 8] = [0, 1, 2, 3, 4, 8, 32, 64];

impl Lesson {
    /// Visits the executions of a kernel at the smallest size at which there are several, and says what they show.
    pub(super) fn exhaust(&self, kernel: &Kernel, job: &impl Fn(&Run) -> anyhow::Result<()>) -> anyhow::Result<()> {
        let begin = Instant::now();
        let mut last = None;
        for size in sizes(kernel.row, kernel.is_broken(), self.options.work.n) {
            let left = TIME.saturating_sub(begin.elapsed());
            let scene = self.scene(kernel, true, RunsProgress::none());
            let found = exhaust(scene, size, left, job).with_context(|| say!("in-trial", kernel = &kernel.name))?;
            let is_enough = found.executions > 1 || found.wrong > 0 || found.refused.is_some();
            if last.is_none() || found.is_complete || is_enough {
                last = Some(found);
            }
            if is_enough || begin.elapsed() > TIME / 2 {
                break;
            }
        }
        let Some(found) = last else { return Ok(()) };
        self.say(format!("{:<36} n = {:<5} {}", kernel.name, found.size, found.verdict()));
        self.exhausted.borrow_mut().push((kernel.clone(), found));
        Ok(())
    }
}

/// A kernel's searches in JSON.
#[derive(Serialize)]
struct ExhaustedJson<'a> {
    kernel: &'a str,
    size: usize,
    executions: u64,
    complete: bool,
    wrong: u64,
    races: u64,
    endless: u64,
    misplaced: u64,
    mistaken: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    refused: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    first_mistake: Option<&'a str>,
    milliseconds: u128,
}

impl Lesson {
    /// Ends a lesson under `--exhaust`. Returns an error if an execution of a kernel that is not broken is wrong.
    pub(super) fn finish_exhausted(&self) -> anyhow::Result<bool> {
        let exhausted = self.exhausted.borrow();
        if self.options.format == OutputFormat::Text {
            let count = |is: &dyn Fn(&Kernel, &Exhausted) -> bool| {
                exhausted.iter().filter(|(kernel, found)| is(kernel, found)).count()
            };
            let right = count(&|kernel, found| !kernel.is_broken() && found.is_proved());
            let shown = count(&|kernel, found| kernel.is_broken() && found.wrong > 0);
            let broken = count(&|kernel, _| kernel.is_broken());
            let correct = exhausted.len() - broken;
            self.say(format!("\n{}", say!("exhausted-in-all", right, correct, shown, broken)));
        } else {
            let kernels: Vec<ExhaustedJson> = exhausted.iter().map(|(kernel, found)| found.json(kernel)).collect();
            let object = serde_json::json!({ "lesson": self.name, "exhausted": kernels });
            tell::say(&format!("{}\n", serde_json::to_string_pretty(&object)?));
        }
        let wrong = exhausted.iter().filter(|(kernel, found)| !kernel.is_broken() && found.wrong > 0).count();
        anyhow::ensure!(wrong == 0, say!("not-all-as-expected", unexpected = wrong, count = exhausted.len()));
        Ok(false)
    }
}

/// The sizes at which a kernel is explored, until one has several executions.
fn sizes(row: &Row, is_broken: bool, n: Option<usize>) -> Vec<usize> {
    let least = if is_broken { row.least.max(row.shows_from) } else { row.least }.max(1);
    match n {
        _ if row.is_fixed => vec![row.sizes.slide],
        Some(n) => vec![n],
        None => MORE.iter().map(|more| least + more).collect(),
    }
}

impl Exhausted {
    /// Returns true if all executions were visited and none is wrong.
    pub fn is_proved(&self) -> bool {
        self.is_complete && self.wrong == 0
    }

    fn json<'a>(&'a self, kernel: &'a Kernel) -> ExhaustedJson<'a> {
        ExhaustedJson {
            kernel: &kernel.name,
            size: self.size,
            executions: self.executions,
            complete: self.is_complete,
            wrong: self.wrong,
            races: self.racing,
            endless: self.endless,
            misplaced: self.misplaced,
            mistaken: self.mistaken,
            refused: self.refused.map(name),
            first_mistake: self.first_mistake.as_deref(),
            milliseconds: self.elapsed.as_millis(),
        }
    }

    fn verdict(&self) -> String {
        let Exhausted { executions, wrong, .. } = *self;
        if let Some(feature) = self.refused {
            return say!("exhausted-refused", feature = name(feature));
        }
        let mut why = Vec::new();
        if self.racing > 0 {
            why.push(say!("exhausted-racing", count = self.racing));
        }
        if self.endless > 0 {
            why.push(say!("exhausted-endless", count = self.endless));
        }
        if self.misplaced > 0 {
            why.push(say!("exhausted-misplaced", count = self.misplaced));
        }
        if self.mistaken > 0 {
            why.push(say!("exhausted-mistaken", count = self.mistaken));
        }
        let why = why.join(", ");
        match (self.is_complete, wrong) {
            (true, 0) => say!("exhausted-right", executions),
            (true, _) => say!("exhausted-wrong", wrong, executions, why),
            (false, _) => say!("exhausted-bounded", wrong, executions, why),
        }
    }
}

/// The name of a feature in messages and JSON.
pub fn name(feature: Feature) -> &'static str {
    match feature {
        Feature::MixedSizes => "mixed-sizes",
        Feature::Wide => "wide",
        Feature::AsynchronousCopy => "asynchronous-copy",
        Feature::BarrierObject => "barrier-object",
        Feature::Image => "image",
        Feature::DeviceRuntime => "device-runtime",
        Feature::ClusterBarrier => "cluster-barrier",
        Feature::Threads => "threads",
    }
}

/// A search in place of a trial's runs.
pub struct Exhaust {
    pub time: Duration,
    pub result: Mutex<Option<Exhausted>>,
}

/// Visits the executions of a kernel at one size.
pub fn exhaust(
    scene: Scene<'_>,
    size: usize,
    time: Duration,
    job: &impl Fn(&Run) -> anyhow::Result<()>,
) -> anyhow::Result<Exhausted> {
    let exhaust = Exhaust { time, result: Mutex::default() };
    let scene = Scene { exhaust: Some(&exhaust), ..scene };
    let session = Session::open(scene.library.files, scene.device, true)?;
    let batch = Batch::in_order(size);
    let run = Run::new(&scene, &session, &batch, 0..1)?;
    job(&run)?;
    let name = scene.kernel.name.clone();
    let result = exhaust.result.into_inner().unwrap_or_else(PoisonError::into_inner);
    result.with_context(|| format!("the trial of `{name}` never called `run.each`"))
}

impl Exhaust {
    /// Searches all executions of a job, launch by launch.
    pub fn search(&self, size: usize, mut job: impl FnMut() -> anyhow::Result<()>) -> anyhow::Result<()> {
        let begin = Instant::now();
        configure()?;
        // The answer in order is judged with all others.
        let _ = job();
        let launches = emulated::take_reports().map_err(silent)?.len() as u64;
        let job = RefCell::new(job);
        let mut all = Exhausted { size, is_complete: true, ..Exhausted::default() };
        for before in 0..launches {
            let last_run = RefCell::new(None);
            let make = |given: &Arc<GivenRun>| -> anyhow::Result<()> {
                configure()?;
                emulated::explore_launch(before, given.clone()).map_err(silent)?;
                (*job.borrow_mut())()
            };
            let start = |given: &Arc<GivenRun>| {
                // Its answer does not count: threads may have stopped on their way.
                let _ = make(given);
                last_run.replace(Some(given.clone()));
            };
            let left = self.time.saturating_sub(begin.elapsed());
            let bounds = Bounds { executions: EXECUTIONS, time: left };
            let mut judge = Judge { make: &make, last_run: &last_run, found: Exhausted::default() };
            let summary = explore(&mut LaunchProgram::new(start), bounds, &mut judge);
            let found = judge.found;
            all.add(&summary);
            all.wrong += found.wrong;
            all.racing += found.racing;
            all.endless += found.endless;
            all.misplaced += found.misplaced;
            all.mistaken += found.mistaken;
            all.first_mistake = all.first_mistake.or(found.first_mistake);
        }
        all.elapsed = begin.elapsed();
        *self.result.lock().unwrap_or_else(PoisonError::into_inner) = Some(all);
        Ok(())
    }
}

fn configure() -> anyhow::Result<()> {
    let config = Config { checks: Checks::Fast, workers: 1, fuel: FUEL, ..Config::default() };
    emulated::configure(config).map_err(silent)
}

fn silent(code: cust_raw::CUresult) -> anyhow::Error {
    anyhow::anyhow!("the emulator does not answer: {code:?}")
}

/// Judges each execution by its races, its end and its answer.
struct Judge<'a> {
    make: &'a dyn Fn(&Arc<GivenRun>) -> anyhow::Result<()>,
    last_run: &'a RefCell<Option<Arc<GivenRun>>>,
    found: Exhausted,
}

impl Visitor for Judge<'_> {
    fn begins(&mut self) {
        self.found = Exhausted::default();
    }

    fn visit(&mut self, visited: &Visited) {
        let given = self.last_run.borrow().clone().expect("a search runs before it visits");
        let races = !visited.races.is_empty();
        let misplaced = !given.findings().is_empty();
        let mistake = if visited.is_deadlock { None } else { self.mistake(visited, &given) };
        let found = &mut self.found;
        found.racing += u64::from(races);
        found.endless += u64::from(visited.is_deadlock);
        found.misplaced += u64::from(misplaced);
        found.mistaken += u64::from(mistake.is_some());
        found.wrong += u64::from(races || misplaced || visited.is_deadlock || mistake.is_some());
        found.first_mistake = found.first_mistake.take().or(mistake);
    }
}

impl Judge<'_> {
    /// Returns the message of a wrong answer, with any of the values that locations may have at the end.
    fn mistake(&self, visited: &Visited, given: &Arc<GivenRun>) -> Option<String> {
        let mut ends: Vec<Vec<(Location, u64)>> = vec![Vec::new()];
        for location in visited.execution.accesses().into_keys() {
            let values = visited.last_values(location);
            if !values.is_empty() {
                let with = |end: &Vec<_>, value| end.iter().copied().chain([(location, value)]).collect();
                ends = ends.iter().flat_map(|end| values.iter().map(move |&value| with(end, value))).collect();
            }
        }
        ends.into_iter().find_map(|last| (self.make)(&given.again(last)).err()).map(|error| error.to_string())
    }
}
