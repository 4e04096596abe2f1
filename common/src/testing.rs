//! For a lesson's tests: its kernels without a command line and without a report.

use crate::device::context::{DeviceChoice, DeviceKind, OpenDevice};
use crate::lesson::again::LessonSubject;
use crate::lesson::run::{self, Run, Scene};
use crate::lesson::verdict;
use crate::table::input::Input;
use crate::table::kernel::{Kernel, KernelLibrary};
use crate::table::kernel_file::KernelFile;
use crate::table::plan::{self, PlanRequest};
use crate::table::row::Row;
use anyhow::Context as _;
use clap::ValueEnum;
use emulator::{Checks, Judgement};
use std::ops::Range;
use std::sync::LazyLock;
use trial::{Batch, Counts, Schedule};

mod fixes;
mod table;

pub use skipped;

/// Returns the number of cases that a property draws: what the environment variable `PROPTEST_CASES` says, or so many;
/// of a sample a third.
pub fn cases(otherwise: u32) -> u32 {
    let asked = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok());
    asked.unwrap_or_else(|| skipped::share(otherwise.div_ceil(3), otherwise))
}

/// Sizes at which a debug build of every correct kernel runs besides those that are drawn: one element, and one more
/// than a warp's and than a block's threads.
const EDGES: [usize; 3] = [1, 33, 257];

pub use table::Table;
pub use trial::{MergedFinding, Outcome, Summary, Wrong};

/// The source of a test file's cases: a lesson's table, opened at the first use.
pub struct CaseSource {
    bench: LazyLock<Result<Bench, kernel_build::Error>>,
    schedules: &'static [Schedule],
}

impl CaseSource {
    /// `open` fails where there is no compiler for the table's kernels.
    pub const fn on(open: fn() -> Result<Bench, kernel_build::Error>) -> CaseSource {
        CaseSource { bench: LazyLock::new(open), schedules: &[Schedule::Random] }
    }

    /// Under these schedules instead of `random`.
    pub const fn under(mut self, schedules: &'static [Schedule]) -> CaseSource {
        self.schedules = schedules;
        self
    }

    /// `None` where there is no compiler for it, which is said for each test that asks.
    pub fn bench(&self) -> Option<&Bench> {
        self.bench.as_ref().map_err(without_compiler).ok()
    }

    /// One run of each correct kernel of the row under each schedule with this seed: right, and on the emulator silent.
    pub fn are_right(&self, row: &str, size: usize, seed: u64, job: impl Fn(&Run) -> anyhow::Result<()> + Sync) {
        if let Some(bench) = self.bench() {
            bench.assert_right(row, size, (self.schedules, seed), job);
        }
    }
}

/// Restores `debug` in `.target` of PTX with products of a warpgroup. The assembler waits for each product of such code
/// by itself, and so does the emulator. A build leaves the word out with the debug sections, without which a driver
/// refuses it.
fn marked_as_debug(ptx: &str) -> String {
    let target = ptx.lines().find(|line| line.starts_with(".target") && ptx.contains("wgmma."));
    target.map_or(ptx.to_string(), |target| ptx.replacen(target, &format!("{target}, debug"), 1))
}

/// Says that a test is skipped for want of a compiler. Any other error is no reason to skip.
fn without_compiler(error: &kernel_build::Error) {
    assert!(error.is_lack(), "{error}");
    skipped::because(skipped::CUDA_COMPILER, &error.to_string());
}

/// A lesson's table on a device: the emulator, or what the environment variable `LESSON_DEVICE` names.
pub struct Bench {
    library: KernelLibrary,
    rows: &'static [Row],
    device: OpenDevice,
    judgement: Judgement,
}

impl Bench {
    pub fn open(files: &'static [KernelFile], rows: &'static [Row]) -> anyhow::Result<Bench> {
        let choice = match std::env::var("LESSON_DEVICE") {
            Ok(name) => DeviceChoice::from_str(&name, true).map_err(anyhow::Error::msg)?,
            Err(_) => DeviceChoice::Emulator,
        };
        Bench::on(choice, files, rows)
    }

    fn on(choice: DeviceChoice, files: &'static [KernelFile], rows: &'static [Row]) -> anyhow::Result<Bench> {
        let device = OpenDevice::open(choice, files)?;
        Ok(Bench { library: KernelLibrary::new(files), rows, device, judgement: Judgement::Fast })
    }

    /// With each access compared with all earlier ones, as by `--checks rule`.
    pub fn by_rule(self) -> Bench {
        Bench { judgement: Judgement::Rule, ..self }
    }

    /// The lesson's table from nvcc's debug build (`-G`) of each file. `folder` is the lesson's own.
    pub fn open_debug(folder: &str, files: &[KernelFile], rows: &'static [Row]) -> Result<Bench, kernel_build::Error> {
        let files = table::rebuilt(files, |path| kernel_build::debug_ptx(folder, path))?;
        let bench = Bench::open(files, rows).expect("a device opens");
        if bench.device.kind == DeviceKind::Gpu {
            return Ok(bench);
        }
        let marked = files.iter().map(|file| KernelFile { ptx: marked_as_debug(file.ptx).leak(), ..*file });
        Ok(Bench { library: KernelLibrary::new(marked.collect::<Vec<_>>().leak()), ..bench })
    }

    pub fn device(&self) -> DeviceKind {
        self.device.kind
    }

    /// The row's kernel of that name. Panics where the row has none.
    pub fn kernel(&self, row: &str, name: &str) -> Kernel {
        let kernels = self.kernels(row).unwrap_or_else(|error| panic!("{error:#}"));
        let found = kernels.into_iter().find(|kernel| kernel.name == name);
        found.unwrap_or_else(|| panic!("the row `{row}` has no kernel `{name}`"))
    }

    /// One run under each schedule with this seed is as the lesson says of the kernel: a correct one is right and, on
    /// the emulator, silent. Panics where it is not.
    pub fn assert_kept(
        &self,
        kernel: &Kernel,
        size: usize,
        (schedules, seed): (&[Schedule], u64),
        job: impl Fn(&Run) -> anyhow::Result<()> + Sync,
    ) {
        let name = &kernel.name;
        for schedule in schedules {
            let outcome = self.run(kernel, size, *schedule, seed..seed + 1, &job);
            let outcome = outcome.unwrap_or_else(|error| panic!("{name} of {size} elements: {error:#}"));
            assert_eq!(self.judge(kernel, &outcome), Ok(()), "{name} of {size} elements, {schedule:?} {seed}");
        }
    }

    /// [`assert_kept`](Bench::assert_kept) of each correct kernel of the row.
    pub fn assert_right(
        &self,
        row: &str,
        size: usize,
        schedules: (&[Schedule], u64),
        job: impl Fn(&Run) -> anyhow::Result<()> + Sync,
    ) {
        let kernels = self.kernels(row).unwrap_or_else(|error| panic!("{error:#}"));
        let correct = kernels.iter().filter(|kernel| !kernel.is_broken() && !kernel.is_refused());
        correct.for_each(|kernel| self.assert_kept(kernel, size, schedules, &job));
    }

    /// Every kernel of the table is as the lesson says: its row's job at the size that `size` gives, under `seeds` of
    /// `random`. A correct one is so at small sizes too, if its row has a choice. Gives what came of each at the first
    /// size.
    pub fn assert_all_kept(&self, size: impl Fn(&Row) -> usize, seeds: Range<u64>) -> Vec<(Kernel, Outcome)> {
        let mut all = Vec::new();
        for row in self.rows {
            let kernels = self.kernels(row.name).expect("the table has its own rows");
            for kernel in kernels.into_iter().filter(|kernel| !kernel.is_refused()) {
                let kept = |size: usize, seeds: Range<u64>| {
                    let outcome = kernel.job().and_then(|job| self.run(&kernel, size, Schedule::Random, seeds, job));
                    let outcome = outcome.unwrap_or_else(|error| panic!("{}: {error:#}", kernel.name));
                    assert_eq!(self.judge(&kernel, &outcome), Ok(()), "{} of {size} elements", kernel.name);
                    outcome
                };
                let outcome = kept(size(row), seeds.clone());
                if !kernel.is_broken() && !row.is_fixed {
                    EDGES.iter().filter(|&&edge| edge >= row.least).for_each(|&edge| drop(kept(edge, 0..1)));
                }
                all.push((kernel, outcome));
            }
        }
        all
    }

    /// Every kernel of a row: broken ones first.
    pub fn kernels(&self, row: &str) -> anyhow::Result<Vec<Kernel>> {
        let row = self.rows.iter().find(|candidate| candidate.name == row);
        let row = row.context("a test asked for a row that the lesson's table does not have")?;
        row.kernels().into_iter().map(|(name, variant)| self.library.kernel(row, name, variant)).collect()
    }

    /// One batch of runs, as [`Lesson::trial`](crate::Lesson::trial) makes them: `job` calls [`Run::each`].
    pub fn run(
        &self,
        kernel: &Kernel,
        size: usize,
        schedule: Schedule,
        seeds: Range<u64>,
        job: impl Fn(&Run) -> anyhow::Result<()> + Sync,
    ) -> anyhow::Result<Outcome> {
        let batch = Batch { size, schedule, seeds, is_timed: false, keep: None };
        self.run_checked(kernel, batch, None, &job)
    }

    /// Counts one run in order, as [`Lesson::count`](crate::Lesson::count) does. It must give the right answer.
    pub fn count(
        &self,
        kernel: &Kernel,
        size: usize,
        job: impl Fn(&Run) -> anyhow::Result<()> + Sync,
    ) -> anyhow::Result<Counts> {
        let outcome = self.run_checked(kernel, Batch::in_order(size), Some(Checks::Counters), &job)?;
        if let Some(first) = outcome.summary.first_wrong {
            anyhow::bail!("`{}` is wrong: {}", kernel.name, first.why);
        }
        outcome.counts.context("only the emulator counts")
    }

    /// The runs that a lesson's program makes of a kernel on the emulator, without options.
    pub fn usual_runs(&self, kernel: &Kernel) -> anyhow::Result<Outcome> {
        let sample = kernel.row.sample.map(|file| Input::of(file.to_vec()));
        let scene = self.scene(kernel, sample.as_ref(), None);
        run::run(&scene, &plan(kernel, None, None)?, &mut None, &kernel.job()?)
    }

    /// The runs that a lesson's program makes of a kernel with `--schedule` and `--seeds`.
    fn trial(&self, kernel: &Kernel, schedule: Schedule, seeds: Range<u64>) -> anyhow::Result<Outcome> {
        let plan = plan(kernel, Some(schedule), Some(seeds))?;
        let [batch] = &plan[..] else { anyhow::bail!("one schedule is one batch: {plan:?}") };
        self.run_checked(kernel, batch.clone(), None, &kernel.job()?)
    }

    fn run_checked(
        &self,
        kernel: &Kernel,
        batch: Batch,
        checks: Option<Checks>,
        job: &(impl Fn(&Run) -> anyhow::Result<()> + Sync),
    ) -> anyhow::Result<Outcome> {
        let sample = kernel.row.sample.map(|file| Input::of(file.to_vec()));
        let scene = self.scene(kernel, sample.as_ref(), checks);
        let outcome = run::run(&scene, &[batch], &mut None, job)?;
        if let (false, Some(note)) = (kernel.is_broken(), outcome.notes.first()) {
            anyhow::bail!("`{}` is correct and gets a note: {}", kernel.name, note.cause.key());
        }
        Ok(outcome)
    }

    fn scene<'a>(&'a self, kernel: &'a Kernel, sample: Option<&'a Input>, checks: Option<Checks>) -> Scene<'a> {
        let input = sample.map_or(&[][..], |sample| &sample.bytes);
        Scene { checks, input, judgement: self.judgement, ..Scene::extra(kernel, &self.library, self.device.kind) }
    }

    /// Adds what a lesson says besides about a wrong answer that no finding explains.
    pub fn look_for_hints(
        &self,
        kernel: &Kernel,
        outcome: &mut Outcome,
        job: impl Fn(&Run) -> anyhow::Result<()> + Sync,
    ) {
        trial::look_for_hints(&mut LessonSubject::new(self.scene(kernel, None, None), &job), outcome);
    }

    /// Returns `Ok` if that is what the lesson says of this kernel, else why not.
    pub fn judge(&self, kernel: &Kernel, outcome: &Outcome) -> Result<(), String> {
        verdict::judge(kernel, self.device.kind, outcome, None)
    }
}

/// Returns the runs that a lesson's program makes of a kernel on the emulator.
fn plan(kernel: &Kernel, schedule: Option<Schedule>, seeds: Option<Range<u64>>) -> anyhow::Result<Vec<Batch>> {
    let input = kernel.row.sample.map(|file| Input::of(file.to_vec()).bytes.len());
    let request = PlanRequest { n: None, input, schedule, seeds, is_one_seed: false };
    plan::emulator(kernel.row, &kernel.name, kernel.variant, &request).map_err(anyhow::Error::msg)
}
