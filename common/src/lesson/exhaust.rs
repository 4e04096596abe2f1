//! `--exhaust`: every execution of a kernel, at the smallest size at which its threads meet.

use super::Lesson;
use crate::device::context::{Patch, Session};
use crate::lesson::cli::OutputFormat;
use crate::lesson::executions::{Exhaust, Exhausted, WrongExecution};
use crate::lesson::interrupt;
use crate::lesson::lean::{self, LeanChange, LeanSite, Needless};
use crate::lesson::progress::RunsProgress;
use crate::lesson::run::{Run, Scene, cores};
use crate::report::text;
use crate::table::kernel::Kernel;
use crate::table::row::Row;
use anyhow::Context as _;
use emulator::explore::Feature;
use emulator::explore::launch::ALONE;
use serde::Serialize;
use std::time::{Duration, Instant};
use trial::{Batch, Kept, ReplayToken, RunId, Schedule};

/// The time that a kernel's searches take at most, of all sizes together.
const TIME: Duration = Duration::from_secs(10);
/// The time for the searches of one kernel without parts of its synchronisation.
const LEAN_TIME: Duration = Duration::from_secs(30);
/// Sizes beyond the smallest that are tried until threads meet: those of one more element, and one more than a warp and
/// two have.
const MORE: [usize; 8] = [0, 1, 2, 3, 4, 8, 32, 64];

impl Lesson {
    /// Visits the executions of a kernel at the smallest size at which there are several, and says what they show.
    pub(super) fn exhaust(
        &self,
        kernel: &Kernel,
        job: &(impl Fn(&Run) -> anyhow::Result<()> + Sync),
    ) -> anyhow::Result<()> {
        if interrupt::has_come() {
            return Ok(());
        }
        let begin = Instant::now();
        let mut last = None;
        for size in sizes(kernel.row, kernel.is_broken(), self.options.work.n) {
            let left = TIME.saturating_sub(begin.elapsed());
            let scene = self.scene(kernel, true, RunsProgress::none());
            let found = exhaust(scene, size, left, job).with_context(|| say!("in-trial", kernel = &kernel.name))?;
            let is_enough = found.has_choice || found.wrong > 0 || found.refused.is_some();
            if last.is_none() || found.is_complete || is_enough {
                last = Some(found);
            }
            if is_enough || begin.elapsed() > TIME / 2 || interrupt::has_come() {
                break;
            }
        }
        let Some(mut found) = last else { return Ok(()) };
        if self.options.work.lean && found.is_proved() && !kernel.is_broken() {
            found.needless = self.lean(kernel, found.size, job)?;
        }
        if let (Some(simplest), Some(choices)) = (&mut found.simplest, found.choices.take()) {
            let keep = Some(Kept::Made(choices));
            let run = RunId { schedule: Schedule::FreeSteps, seed: 0, size: found.size, keep };
            simplest.replay = Some(ReplayToken::new(&kernel.name, kernel.variant.as_str(), run).to_string());
        }
        self.say(format!("{:<36} n = {:<5} {}", kernel.name, found.size, found.verdict()));
        found.simplest_lines(&self.program).into_iter().for_each(|line| self.say(line));
        found.needless_lines(kernel).into_iter().for_each(|line| self.say(line));
        self.exhausted.borrow_mut().push((kernel.clone(), found));
        Ok(())
    }
}

impl Lesson {
    /// Returns the synchronisation that a kernel does without at one size, as far as the time goes. `None` if it has
    /// none.
    fn lean(
        &self,
        kernel: &Kernel,
        size: usize,
        job: &(impl Fn(&Run) -> anyhow::Result<()> + Sync),
    ) -> anyhow::Result<Option<Vec<Needless>>> {
        let file = self.library.files.iter().position(|file| std::ptr::eq(file, kernel.file));
        let (file, end) = (file.context("a kernel is in a file of its library")?, Instant::now() + LEAN_TIME);
        lean::needless(kernel.file.ptx, &kernel.name, |ptx| {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() || interrupt::has_come() {
                return Ok(None);
            }
            let patch = Patch { file, ptx };
            let scene = Scene { patch: Some(&patch), ..self.scene(kernel, true, RunsProgress::none()) };
            exhaust(scene, size, left.min(TIME), job).map(Some)
        })
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
    #[serde(skip_serializing_if = "Option::is_none")]
    simplest: Option<&'a WrongExecution>,
    #[serde(skip_serializing_if = "Option::is_none")]
    needless: Option<&'a [Needless]>,
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
            self.say(say!("exhausted-fixed"));
        } else {
            let kernels: Vec<ExhaustedJson> = exhausted.iter().map(|(kernel, found)| found.json(kernel)).collect();
            let object = serde_json::json!({ "lesson": self.name, "exhausted": kernels });
            tell::say(&format!("{}\n", serde_json::to_string_pretty(&object)?));
        }
        let wrong = exhausted.iter().filter(|(kernel, found)| !kernel.is_broken() && found.wrong > 0).count();
        anyhow::ensure!(!interrupt::has_come(), say!("exhausted-interrupted"));
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

/// Visits the executions of a kernel at one size.
pub fn exhaust(
    scene: Scene<'_>,
    size: usize,
    time: Duration,
    job: &(impl Fn(&Run) -> anyhow::Result<()> + Sync),
) -> anyhow::Result<Exhausted> {
    let name = scene.kernel.name.clone();
    let exhaust = Exhaust::new(time, RunsProgress::of_search(&name));
    let scene = Scene { exhaust: Some(&exhaust), ..scene };
    let work = || {
        let session = Session::open(scene.library.files, scene.device, true)?.with(scene.patch)?;
        let batch = Batch::in_order(size);
        let run = Run::new(&scene, &session, &batch, 0..1)?;
        job(&run)
    };
    std::thread::scope(|scope| {
        // A worker that fails leaves its part of the search to the others.
        let help = || exhaust.goes_on_after(ALONE).then(work);
        (1..cores()).for_each(|_| drop(scope.spawn(help)));
        work()
    })?;
    exhaust.into_result().with_context(|| format!("the trial of `{name}` never called `run.each`"))
}

impl Exhausted {
    /// Returns true if all executions were visited and none is wrong.
    pub fn is_proved(&self) -> bool {
        self.is_complete && self.wrong == 0 && self.executions > 0
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
            refused: self.refused.map(Feature::name),
            first_mistake: self.first_mistake.as_deref(),
            simplest: self.simplest.as_ref(),
            needless: self.needless.as_deref(),
            milliseconds: self.elapsed.as_millis(),
        }
    }

    /// Returns the lines about the simplest wrong execution.
    fn simplest_lines(&self, program: &str) -> Vec<String> {
        let Some(simplest) = &self.simplest else { return Vec::new() };
        let head =
            say!("execution-head", wrong = self.wrong, executions = self.executions, complete = self.is_complete);
        let page = |token: &String| format!("    {}", say!("execution-page", command = text::page_of(program, token)));
        let page = simplest.replay.as_ref().map(page);
        let steps = trial::execution_lines(&simplest.steps).into_iter().map(|line| format!("    {line}"));
        [format!("  = {head}")].into_iter().chain(steps).chain(page).collect()
    }

    /// Returns the lines about the synchronisation that is not needed.
    fn needless_lines(&self, kernel: &Kernel) -> Vec<String> {
        let Some(needless) = &self.needless else { return Vec::new() };
        let file = kernel.file.source_path.rsplit('/').next().unwrap_or_default();
        let line = |it: &Needless| {
            let LeanSite { line, instruction, change } = &it.site;
            let (line, executions) = (*line, it.executions);
            match change {
                LeanChange::Removed => say!("lean-removed", file, line, instruction = instruction.as_str(), executions),
                LeanChange::BlockScope => {
                    say!("lean-block-scope", file, line, instruction = instruction.as_str(), executions)
                }
            }
        };
        let head = if needless.is_empty() { say!("lean-none") } else { say!("lean-head") };
        let lines = needless.iter().map(|it| format!("    {}", line(it)));
        [format!("  = {head}")].into_iter().chain(lines).collect()
    }

    fn verdict(&self) -> String {
        let Exhausted { executions, wrong, .. } = *self;
        if let Some(feature) = self.refused {
            return say!("exhausted-refused", feature = feature.name());
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
            _ if executions == 0 => say!("exhausted-none"),
            (true, 0) => say!("exhausted-right", executions),
            (true, _) => say!("exhausted-wrong", wrong, executions, why),
            (false, _) => say!("exhausted-bounded", wrong, executions, why),
        }
    }
}
