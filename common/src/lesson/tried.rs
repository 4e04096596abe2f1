//! Fixes of a lesson's kernels that were tried before they are told: the runs that showed the finding are made again,
//! then all others of the trial.
//!
//! For kernels as they came, the fixes that take a compiler are stored (`cuda/ptx/fixes/`), and tried as any other
//! change. Where the student has edited the kernel, this machine's nvcc compiles such changes; and what is told was
//! compiled and tried too. Of the others the lessons' tests have done that.

use crate::lesson::again::LessonSubject;
use crate::lesson::run::Run;
use crate::table::kernel_file::KernelFile;
use emulator::Observe;
use emulator::finding::Finding;
use kernel_build::{Nvcc, fixed};
use repair::search::CandidateRuns;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use trial::{
    Batch, FULL_CHECKS_UP_TO, Fix, Fixable, KernelToFix, Outcome, Proof, RunId, SHOWN, Smallest, Subject, fix,
};

/// The origin of the PTX of a changed source, if the change cannot be made in the PTX itself.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum CompiledChange {
    /// From the lesson's stored fixes; of an edited kernel from nvcc.
    AsStored,
    /// From nvcc alone, as often as it takes: to find what is to be stored.
    Afresh,
}

/// Tries fixes for each finding that will be printed, or for a wrong answer that has none.
pub(crate) fn fixes<J: Fn(&Run) -> anyhow::Result<()> + Sync>(
    again: &mut LessonSubject<J>,
    plan: &[Batch],
    outcome: &mut Outcome,
    compiled: CompiledChange,
) {
    let plan = plan.iter().filter(|batch| batch.size <= FULL_CHECKS_UP_TO).cloned().collect();
    let mut fixing = LessonFixes { again, plan, shown: Vec::new(), compiled };
    if outcome.real().next().is_none() {
        outcome.fix = outcome.summary.first_wrong.clone().map_or(Fix::Untried, |first| match first.why.is_stopped() {
            true => Fix::Untried,
            false => fixing.fix(None, outcome.smallest.as_ref(), first.run.whole()),
        });
    }
    let mut is_fixed = false;
    for merged in outcome.findings.iter_mut().take(SHOWN).filter(|merged| merged.finding.is_error()) {
        merged.fix = match is_fixed {
            // A remedy leaves no finding at all.
            true => Fix::WithFirst,
            false => fixing.fix(Some(&merged.finding), merged.smallest.as_ref(), merged.run.clone()),
        };
        is_fixed |= matches!(merged.fix, Fix::Tried { .. });
    }
}

/// Starts of nvcc for one finding: it takes a second or three, and a lesson waits.
const STARTS: usize = 3;
/// Starts of nvcc for one finding where what is found is stored.
const STORING: usize = 24;

/// A thread, more than a warp, more than a block, and a part of one.
const OTHER_SIZES: [usize; 4] = [1, 33, 257, 1000];

struct LessonFixes<'a, 'b, J> {
    again: &'a mut LessonSubject<'b, J>,
    plan: Vec<Batch>,
    /// The runs that showed it, whatever it is: the smallest and the first.
    shown: Vec<Batch>,
    compiled: CompiledChange,
}

impl<J: Fn(&Run) -> anyhow::Result<()> + Sync> LessonFixes<'_, '_, J> {
    fn fix(&mut self, finding: Option<&Finding>, smallest: Option<&Smallest>, first: RunId) -> Fix {
        let smallest = smallest.map(|smallest| smallest.run.clone());
        let mut runs: Vec<RunId> = smallest.into_iter().chain([first]).collect();
        runs.dedup();
        self.shown = runs.into_iter().map(RunId::batch).collect();
        // The results of a compiler for a kernel as it came are stored with it.
        let starts = match (self.compiled, self.file().shipped) {
            (CompiledChange::Afresh, _) => STORING,
            (CompiledChange::AsStored, Some(_)) => STARTS,
            (CompiledChange::AsStored, None) => 0,
        };
        fix(self, finding, starts)
    }

    fn file(&self) -> &'static KernelFile {
        self.again.scene.kernel.file
    }

    fn run(&mut self, ptx: &str, batch: &Batch) -> Option<Outcome> {
        self.again.run(batch, Observe::default(), Some(ptx))
    }
}

impl<J: Fn(&Run) -> anyhow::Result<()> + Sync> Fixable for LessonFixes<'_, '_, J> {
    fn code(&self) -> KernelToFix<'_> {
        let (KernelFile { source, ptx, .. }, kernel) = (self.file(), &self.again.scene.kernel.name);
        KernelToFix { source, ptx, kernel, launched: kernel }
    }

    fn is_here(&self, file: &str) -> bool {
        self.file().is_at(file)
    }

    fn proof(&self) -> Proof {
        if self.file().is_edited(&self.again.scene.kernel.name) { Proof::Both } else { Proof::Ptx }
    }

    fn has_stored(&self) -> bool {
        let name = &self.again.scene.kernel.name;
        self.compiled == CompiledChange::AsStored && self.file().fixes.iter().any(|(known, _)| known == name)
    }

    fn stored(&self, text: &str) -> Option<String> {
        let name = &self.again.scene.kernel.name;
        let (_, ptx) = self.file().fixes.iter().find(|(known, _)| known == name)?;
        fixed::is_of(ptx, text).then(|| ptx.to_string())
    }

    fn can_compile(&mut self) -> bool {
        compiler().is_some()
    }

    fn compile(&mut self, text: &str) -> Result<String, String> {
        let (nvcc, root) = compiler().ok_or_else(String::new)?;
        kernel_build::changed_ptx(nvcc, root, self.file().source_path, text).map_err(|error| error.to_string())
    }

    fn look(&mut self, ptx: &str) -> CandidateRuns {
        for batch in self.shown.clone() {
            match self.run(ptx, &batch) {
                None => return CandidateRuns::Unfit,
                Some(outcome) if !is_right(&outcome) => return CandidateRuns::Bad(outcome.real().cloned().collect()),
                Some(_) => {}
            }
        }
        CandidateRuns::Nothing
    }

    /// The smallest runs first: most remedies that fail do so there. Then other sizes, if the row has any: what is
    /// right by chance at one is not at all.
    fn hold(&mut self, ptx: &str) -> Result<(), Vec<Finding>> {
        let row = self.again.scene.kernel.row;
        let others = OTHER_SIZES.into_iter().filter(|size| !row.is_fixed && *size >= row.least).map(Batch::in_order);
        let mut all = self.plan.iter().rev().cloned().chain(others).collect::<Vec<_>>().into_iter();
        let holds = all.all(|batch| self.run(ptx, &batch).is_some_and(|outcome| is_right(&outcome)));
        if holds { Ok(()) } else { Err(Vec::new()) }
    }

    fn runs(&self) -> u64 {
        self.plan.iter().map(|batch| batch.seeds.end - batch.seeds.start).sum()
    }
}

fn is_right(outcome: &Outcome) -> bool {
    outcome.summary.wrong_runs == 0 && outcome.real().next().is_none()
}

/// The compiler of this machine, and the course's folder, if it has both.
fn compiler() -> Option<(&'static Nvcc, &'static Path)> {
    static FOUND: OnceLock<Option<(Nvcc, PathBuf)>> = OnceLock::new();
    let find = || Some((Nvcc::find().ok()?, kernel_build::repository_root(Path::new(".")).ok()?));
    FOUND.get_or_init(find).as_ref().map(|(nvcc, root)| (nvcc, root.as_path()))
}
