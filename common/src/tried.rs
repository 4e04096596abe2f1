//! Fixes that were tried before they are told: the kernel's PTX is changed, and the runs that showed the finding are made again,
//! then all others of the trial.
//!
//! Where there is a compiler, a change that does not fit the PTX is compiled from the changed source. And where the student has edited
//! the kernel, the changed source is compiled and tried too before its fix is told, since a barrier or a fence changes what a compiler
//! may move; of kernels as they came the lessons' tests have done that.

use crate::kernel_file::KernelFile;
use crate::lesson::Lesson;
use crate::module::Kernel;
use crate::outcome::{Fix, Merged, Outcome};
use crate::plan::Batch;
use crate::progress::Progress;
use crate::report::text::SHOWN;
use crate::shrink::{Attempt, Smallest};
use crate::trial::{self, FULL_CHECKS_UP_TO, Patch, Run, Scene};
use driver::emulator::finding::{Finding, Remedy};
use kernel_build::Nvcc;
use repair::candidates::candidates_in;
use repair::search::{Searched, Shown, Trial, search};
use repair::source::text_edits;
use repair::{patch, source};
use std::path::Path;
use std::sync::OnceLock;

impl Lesson {
    /// For each finding that will be printed. On the emulator, and where all checks are on.
    pub(crate) fn try_fixes(
        &self,
        kernel: &Kernel,
        plan: &[Batch],
        outcome: &mut Outcome,
        job: &(impl Fn(&Run) -> anyhow::Result<()> + Sync),
    ) {
        if !self.is_checked() || self.options.no_try || self.options.replay.is_some() {
            return;
        }
        let Ok(file) = self.library.file_of(&kernel.name) else { return };
        let scene = Scene { is_extra: true, ..self.scene(kernel, true, Progress::none()) };
        fixes(&scene, file, plan, outcome, job);
    }
}

/// As [`Lesson::try_fixes`]; `file` is the number of the kernel's file.
pub(crate) fn fixes(
    scene: &Scene<'_>,
    file: usize,
    plan: &[Batch],
    outcome: &mut Outcome,
    job: &(impl Fn(&Run) -> anyhow::Result<()> + Sync),
) {
    let plan: Vec<Batch> = plan.iter().filter(|batch| batch.size <= FULL_CHECKS_UP_TO).cloned().collect();
    let mut is_fixed = false;
    for at in 0..outcome.findings.len().min(SHOWN) {
        let merged = &outcome.findings[at];
        if !merged.finding.is_error() {
            continue;
        }
        outcome.findings[at].fix = match is_fixed {
            // A remedy leaves no finding at all.
            true => Fix::WithFirst,
            false => {
                let mut trying =
                    Trying { scene, file, plan: &plan, again: again(merged), job, compiled: None, left: COMPILED };
                let fix = trying.fix(&merged.finding);
                is_fixed = matches!(fix, Fix::Tried { .. });
                fix
            }
        };
    }
}

/// The runs that showed a finding: its smallest and its first.
fn again(merged: &Merged) -> Vec<Batch> {
    let Merged { schedule, seed, size, keep, smallest, .. } = merged;
    let first = Attempt { schedule: *schedule, seed: *seed, size: *size, keep: keep.clone() };
    let smallest = smallest.as_ref().map(|Smallest { attempt, .. }| attempt.clone());
    let mut attempts: Vec<Attempt> = smallest.into_iter().chain([first]).collect();
    attempts.dedup();
    let batch =
        |Attempt { schedule, seed, size, keep }| Batch { size, schedule, seeds: seed..seed + 1, is_timed: false, keep };
    attempts.into_iter().map(batch).collect()
}

/// Changes of one finding that are compiled, at most: a compiler takes as long as a whole trial.
const COMPILED: usize = 2;

struct Trying<'a, J> {
    scene: &'a Scene<'a>,
    file: usize,
    plan: &'a [Batch],
    again: Vec<Batch>,
    job: &'a J,
    /// The last change that was compiled, and its PTX.
    compiled: Option<(Remedy, Option<String>)>,
    /// So many more may be.
    left: usize,
}

impl<J: Fn(&Run) -> anyhow::Result<()> + Sync> Trying<'_, J> {
    fn fix(&mut self, finding: &Finding) -> Fix {
        let Searched { remedy, tried } = search(finding, self);
        let kernel = self.scene.kernel;
        let told =
            remedy.and_then(|remedy| Some((text_edits(kernel.file.source, &kernel.name, &remedy).ok()?, remedy)));
        match told {
            Some((edits, remedy)) => Fix::Tried { remedy, edits, runs: runs(self.plan) },
            None if tried == 0 => Fix::Untried,
            None => Fix::NoneHolds { tried },
        }
    }

    fn run(&self, ptx: String, plan: &[Batch]) -> Option<Outcome> {
        let patch = Patch { file: self.file, ptx };
        let scene = Scene { patch: Some(&patch), progress: Progress::none(), ..*self.scene };
        trial::run(&scene, plan, &mut None, self.job).ok()
    }

    /// The smallest runs first: most remedies that fail do so there.
    fn is_right_each_time(&self, ptx: &str) -> bool {
        self.plan.iter().rev().all(|batch| {
            let outcome = self.run(ptx.to_string(), std::slice::from_ref(batch));
            outcome.is_some_and(|outcome| is_right(&outcome))
        })
    }

    /// The PTX of the changed source; `None` without a compiler, or where it does not compile.
    fn compiled(&mut self, remedy: &Remedy) -> Option<String> {
        if let Some((known, ptx)) = &self.compiled
            && known == remedy
        {
            return ptx.clone();
        }
        self.left = self.left.checked_sub(1)?;
        let KernelFile { source, source_path, .. } = self.scene.kernel.file;
        let text = source::apply_keeping_lines(source, &text_edits(source, &self.scene.kernel.name, remedy).ok()?);
        let root = kernel_build::repository_root(Path::new(".")).ok()?;
        let ptx = kernel_build::changed_ptx(nvcc()?, &root, source_path, &text).ok();
        self.compiled = Some((remedy.clone(), ptx.clone()));
        ptx
    }

    /// The changed PTX.
    fn changed(&mut self, remedy: &Remedy) -> Option<String> {
        let kernel = self.scene.kernel;
        // What cannot be told is not tried.
        text_edits(kernel.file.source, &kernel.name, remedy).ok()?;
        patch::patched(kernel.file.ptx, &kernel.name, remedy).ok().or_else(|| self.compiled(remedy))
    }
}

/// The compiler of this machine, if it has one.
fn nvcc() -> Option<&'static Nvcc> {
    static FOUND: OnceLock<Option<Nvcc>> = OnceLock::new();
    FOUND.get_or_init(|| Nvcc::find().ok()).as_ref()
}

impl<J: Fn(&Run) -> anyhow::Result<()> + Sync> Trial for Trying<'_, J> {
    fn candidates(&mut self, finding: &Finding) -> Vec<Remedy> {
        let kernel = self.scene.kernel;
        candidates_in(kernel.file.source, |file| kernel.file.is_at(file), finding, &kernel.name)
    }

    fn look(&mut self, remedy: &Remedy) -> Shown {
        let Some(ptx) = self.changed(remedy) else { return Shown::Unfit };
        for batch in &self.again {
            let Some(outcome) = self.run(ptx.clone(), std::slice::from_ref(batch)) else { return Shown::Unfit };
            if !is_right(&outcome) {
                return Shown::Bad(outcome.real().cloned().collect());
            }
        }
        Shown::Nothing
    }

    fn holds(&mut self, remedy: &Remedy) -> bool {
        let kernel = self.scene.kernel;
        let is_edited = kernel.file.is_edited(&kernel.name);
        let Some(ptx) = self.changed(remedy) else { return false };
        self.is_right_each_time(&ptx)
            && (!is_edited
                || self.compiled(remedy).is_some_and(|other| other == ptx || self.is_right_each_time(&other)))
    }
}

fn is_right(outcome: &Outcome) -> bool {
    outcome.summary.wrong_runs == 0 && outcome.real().next().is_none()
}

fn runs(plan: &[Batch]) -> u64 {
    plan.iter().map(|batch| batch.seeds.end - batch.seeds.start).sum()
}
