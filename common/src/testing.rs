//! For a lesson's tests: its kernels without a command line and without a report.

use crate::cli::DeviceChoice;
use crate::context::{DeviceKind, OpenDevice};
use crate::counts::Counts;
use crate::input::Input;
use crate::kernel_file::KernelFile;
use crate::module::{Kernel, Library};
use crate::plan::Batch;
use crate::progress::Progress;
use crate::row::Row;
use crate::token::Schedule;
use crate::trial::{self, Run, Scene};
use crate::verdict;
use anyhow::Context as _;
use clap::ValueEnum;
use driver::emulator::Checks;
use std::ops::Range;

mod table;

pub use crate::outcome::{Merged, Outcome, Summary};
pub use table::Table;

/// A lesson's table on a device: the emulator, or what the environment variable `LESSON_DEVICE` names.
pub struct Bench {
    library: Library,
    rows: &'static [Row],
    device: OpenDevice,
}

impl Bench {
    pub fn open(files: &'static [KernelFile], rows: &'static [Row]) -> anyhow::Result<Bench> {
        let choice = match std::env::var("LESSON_DEVICE") {
            Ok(name) => DeviceChoice::from_str(&name, true).map_err(anyhow::Error::msg)?,
            Err(_) => DeviceChoice::Emulator,
        };
        Ok(Bench { library: Library::new(files), rows, device: OpenDevice::open(choice, files)? })
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
        (row, name): (&str, &str),
        size: usize,
        (schedules, seed): (&[Schedule], u64),
        job: impl Fn(&Run) -> anyhow::Result<()> + Sync,
    ) {
        let kernel = self.kernel(row, name);
        for schedule in schedules {
            let outcome = self
                .run(&kernel, size, *schedule, seed..seed + 1, |run| run.each(|| job(run)))
                .unwrap_or_else(|error| panic!("{name}: {error:#}"));
            assert_eq!(self.judge(&kernel, &outcome), Ok(()), "{name} of {size} elements, {schedule:?} {seed}");
        }
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

    fn run_checked(
        &self,
        kernel: &Kernel,
        batch: Batch,
        checks: Option<Checks>,
        job: &(impl Fn(&Run) -> anyhow::Result<()> + Sync),
    ) -> anyhow::Result<Outcome> {
        let sample = kernel.row.sample.map(|file| Input::of(file.to_vec()));
        let scene = Scene {
            checks,
            kernel,
            library: &self.library,
            device: self.device.kind,
            input: sample.as_ref().map_or(&[], |sample| &sample.bytes),
            captures_output: true,
            progress: Progress::none(),
            is_extra: true,
        };
        trial::run(&scene, &[batch], &mut None, job)
    }

    /// Whether that is what the lesson says of this kernel, or why not.
    pub fn judge(&self, kernel: &Kernel, outcome: &Outcome) -> Result<(), String> {
        verdict::judge(kernel, self.device.kind, outcome, None)
    }
}
