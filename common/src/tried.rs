//! Fixes that were tried before they are told: the kernel's PTX is changed, and the runs that showed the finding are made again,
//! then all others of the trial.
//!
//! A change that does not fit the PTX takes a compiler. Of kernels as they came the compiled fixes are stored (`cuda/ptx/fixes/`), and
//! tried as any other change. Where the student has edited the kernel, this machine's nvcc compiles such changes; and what is told was
//! compiled and tried too, since a barrier or a fence changes what a compiler may move. Of the others the lessons' tests have done that.

use crate::kernel_file::KernelFile;
use crate::lesson::Lesson;
use crate::module::Kernel;
use crate::outcome::{Fix, Outcome};
use crate::plan::Batch;
use crate::progress::Progress;
use crate::report::text::SHOWN;
use crate::run_id::RunId;
use crate::shrink::Smallest;
use crate::trial::{self, FULL_CHECKS_UP_TO, Patch, Run, Scene};
use driver::emulator::finding::{Finding, Remedy, TextEdit};
use kernel_build::{Nvcc, fixed};
use repair::candidates::{candidates_in, guesses_in};
use repair::patch;
use repair::search::{Searched, Shown, Trial, search};
use repair::source::{apply, text_edits};
use repair::versions::Versions;
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
        fixes(&scene, file, plan, outcome, Compiled::AsStored, job);
    }
}

/// Where the PTX of a changed source comes from, if the change cannot be made in the PTX itself.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Compiled {
    /// From the lesson's stored fixes; of an edited kernel from nvcc.
    AsStored,
    /// From nvcc alone, as often as it takes: to find what is to be stored.
    Afresh,
}

/// As [`Lesson::try_fixes`]; `file` is the number of the kernel's file.
pub(crate) fn fixes(
    scene: &Scene<'_>,
    file: usize,
    plan: &[Batch],
    outcome: &mut Outcome,
    compiled: Compiled,
    job: &(impl Fn(&Run) -> anyhow::Result<()> + Sync),
) {
    let plan: Vec<Batch> = plan.iter().filter(|batch| batch.size <= FULL_CHECKS_UP_TO).cloned().collect();
    if outcome.real().next().is_none() {
        outcome.fix = outcome.summary.first_wrong.clone().map_or(Fix::Untried, |first| {
            let runs = batches(outcome.smallest.as_ref(), first.run.whole());
            match first.why.is_stopped() {
                true => Fix::Untried,
                false => Trying::new((scene, file), &plan, runs, compiled, job).fix(None),
            }
        });
    }
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
                let runs = batches(merged.smallest.as_ref(), merged.run.clone());
                let fix = Trying::new((scene, file), &plan, runs, compiled, job).fix(Some(&merged.finding));
                is_fixed = matches!(fix, Fix::Tried { .. });
                fix
            }
        };
    }
}

/// The runs that showed it, whatever it is: the smallest and the first.
fn batches(smallest: Option<&Smallest>, first: RunId) -> Vec<Batch> {
    let mut runs: Vec<RunId> = smallest.map(|smallest| smallest.run.clone()).into_iter().chain([first]).collect();
    runs.dedup();
    runs.into_iter().map(RunId::batch).collect()
}

/// Starts of nvcc for one finding: it takes a second or three, and a lesson waits.
const STARTS: usize = 3;
/// The same where what is found is stored.
const STORING: usize = 24;

/// A thread, more than a warp, more than a block, and a part of one.
const OTHER_SIZES: [usize; 4] = [1, 33, 257, 1000];

struct Trying<'a, J> {
    scene: &'a Scene<'a>,
    file: usize,
    plan: &'a [Batch],
    again: Vec<Batch>,
    job: &'a J,
    versions: Versions,
    compiles_all: bool,
    uses_stored: bool,
}

impl<'a, J: Fn(&Run) -> anyhow::Result<()> + Sync> Trying<'a, J> {
    fn new(
        (scene, file): (&'a Scene<'a>, usize),
        plan: &'a [Batch],
        again: Vec<Batch>,
        compiled: Compiled,
        job: &'a J,
    ) -> Self {
        // What a compiler finds for a kernel as it came is stored with it.
        let starts = match (compiled, scene.kernel.file.shipped) {
            (Compiled::Afresh, _) => STORING,
            (Compiled::AsStored, Some(_)) => STARTS,
            (Compiled::AsStored, None) => 0,
        };
        Trying {
            scene,
            file,
            plan,
            again,
            job,
            versions: Versions::with_starts(starts),
            compiles_all: false,
            uses_stored: compiled == Compiled::AsStored,
        }
    }

    fn fix(&mut self, finding: Option<&Finding>) -> Fix {
        let Searched { remedy, tried } = search(finding, self);
        let told = remedy.and_then(|remedy| Some((self.edits(&remedy)?, remedy)));
        match told {
            Some((edits, remedy)) => {
                Fix::Tried { remedy, edits, runs: runs(self.plan), took_compiler: self.versions.was_compiled() }
            }
            None if tried == 0 => Fix::Untried,
            None => Fix::NoneHolds { tried },
        }
    }

    fn edits(&self, remedy: &Remedy) -> Option<Vec<TextEdit>> {
        let kernel = self.scene.kernel;
        text_edits(kernel.file.source, &kernel.name, remedy).ok()
    }

    fn run(&self, ptx: String, plan: &[Batch]) -> Option<Outcome> {
        let patch = Patch { file: self.file, ptx };
        let scene = Scene { patch: Some(&patch), progress: Progress::none(), ..*self.scene };
        trial::run(&scene, plan, &mut None, self.job).ok()
    }

    /// The smallest runs first: most remedies that fail do so there. Then other sizes, if the row has any: what is right by chance at
    /// one is not at all.
    fn is_right_each_time(&self, ptx: &str) -> bool {
        let row = self.scene.kernel.row;
        let others = OTHER_SIZES.into_iter().filter(|size| !row.is_fixed && *size >= row.least).map(Batch::in_order);
        let all: Vec<Batch> = self.plan.iter().rev().cloned().chain(others).collect();
        all.iter().all(|batch| {
            let outcome = self.run(ptx.to_string(), std::slice::from_ref(batch));
            outcome.is_some_and(|outcome| is_right(&outcome))
        })
    }

    /// The PTX of the changed source; `None` without a compiler, or where it does not compile.
    fn compiled(&mut self, remedy: &Remedy) -> Option<String> {
        let edits = self.edits(remedy)?;
        let (nvcc, root) = (nvcc()?, kernel_build::repository_root(Path::new(".")).ok()?);
        let kernel = self.scene.kernel;
        let KernelFile { source, source_path, .. } = kernel.file;
        let compile =
            |text: &str| kernel_build::changed_ptx(nvcc, &root, source_path, text).map_err(|error| error.to_string());
        self.versions.ptx(source, &kernel.name, &edits, compile)
    }

    /// The changed PTX; `None` where it takes a compiler.
    fn patched(&self, remedy: &Remedy) -> Option<String> {
        let kernel = self.scene.kernel;
        // What cannot be told is not tried.
        self.edits(remedy).filter(|_| !self.compiles_all)?;
        patch::patched(kernel.file.ptx, &kernel.name, remedy).ok()
    }

    /// The PTX of the changed source that came with the lesson, if this is the fix that it was made of.
    fn stored(&self, remedy: &Remedy) -> Option<String> {
        let kernel = self.scene.kernel;
        let (_, ptx) = kernel.file.fixes.iter().find(|(name, _)| *name == kernel.name)?;
        let text = apply(kernel.file.source, &self.edits(remedy)?);
        (self.uses_stored && fixed::is_of(ptx, &text)).then(|| ptx.to_string())
    }

    fn changed(&mut self, remedy: &Remedy) -> Option<String> {
        self.stored(remedy).or_else(|| self.patched(remedy)).or_else(|| self.compiled(remedy))
    }
}

/// The remedy, and each that has some of its edits: what a search has left of it.
fn parts(remedy: &Remedy) -> Vec<Remedy> {
    if remedy.len() > MOST_EDITS {
        return vec![remedy.clone()];
    }
    let part =
        move |edits: u32| (0..).zip(remedy).filter(move |(at, _)| edits >> at & 1 == 1).map(|(_, edit)| edit.clone());
    (1..1 << remedy.len()).rev().map(|edits| part(edits).collect()).collect()
}

/// A remedy with more edits has too many parts (2^edits) to try each.
const MOST_EDITS: usize = 5;

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

    fn guesses(&mut self, finding: Option<&Finding>) -> Vec<Remedy> {
        let kernel = self.scene.kernel;
        guesses_in(kernel.file.source, finding, &kernel.name)
    }

    fn known(&mut self, finding: Option<&Finding>, candidates: &[Remedy]) -> Vec<Remedy> {
        let kernel = self.scene.kernel;
        if kernel.file.fixes.iter().all(|(name, _)| *name != kernel.name) {
            return Vec::new();
        }
        let guesses = self.guesses(finding);
        let all = candidates.iter().chain(&guesses).flat_map(parts);
        all.filter(|remedy| self.stored(remedy).is_some()).take(1).collect()
    }

    fn is_quick(&self, remedy: &Remedy) -> bool {
        self.stored(remedy).is_some() || self.patched(remedy).is_some()
    }

    fn compiles_all(&mut self) -> bool {
        self.compiles_all = self.versions.may_start() && nvcc().is_some();
        self.compiles_all
    }

    fn expect(&mut self, remedies: &[Remedy]) {
        let edits: Vec<Vec<TextEdit>> =
            remedies.iter().filter(|remedy| !self.is_quick(remedy)).filter_map(|remedy| self.edits(remedy)).collect();
        self.versions.expect(edits);
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
