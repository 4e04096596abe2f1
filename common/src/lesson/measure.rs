//! Measurements of a lesson beside trials: counters, rates, and a place for its figure.

use crate::device::context::DeviceKind;
use crate::device::timing;
use crate::lesson::progress::RunsProgress;
use crate::lesson::run::{self, Run, Scene};
use crate::lesson::{Lesson, plot};
use crate::table::kernel::Kernel;
use crate::table::row::Row;
use anyhow::Context as _;
use emulator::Checks;
use emulator::counters::LaunchCounts;
use figure::Figure;
use trial::{Batch, Counts, Outcome};

/// Launches whose median is a rate.
const TIMED: u64 = 5;

impl Lesson {
    pub fn is_on_emulator(&self) -> bool {
        self.device.kind == DeviceKind::Emulator
    }

    /// The device's name, for below a figure.
    pub fn device_line(&self) -> String {
        format!("{}, {}", self.name, self.device.name)
    }

    /// Counts what `kernel` does at this size, in one run in order; `job` is as for [`trial`](Lesson::trial). `None` on
    /// a GPU, which has its own profiler for that.
    pub fn count(
        &self,
        kernel: &Kernel,
        size: usize,
        job: impl Fn(&Run) -> anyhow::Result<()> + Sync,
    ) -> anyhow::Result<Option<Counts>> {
        if !self.is_on_emulator() {
            return Ok(None);
        }
        let outcome = self
            .run_quietly(kernel, Batch::in_order(size), Some(Checks::Counters), &job)
            .with_context(|| say!("while-counting", kernel = &kernel.name))?;
        Ok(outcome.counts)
    }

    /// GB/s of `kernel` at this size, by the bytes that `job` says it [`moves`](Run::moves); the median of a few
    /// launches after one that warms up. `None` on the emulator, whose time means nothing.
    pub fn gb_per_s(
        &self,
        kernel: &Kernel,
        size: usize,
        job: impl Fn(&Run) -> anyhow::Result<()> + Sync,
    ) -> anyhow::Result<Option<f64>> {
        if self.is_on_emulator() {
            return Ok(None);
        }
        let batch = Batch { seeds: 0..1 + TIMED, is_timed: true, ..Batch::in_order(size) };
        let outcome =
            self.run_quietly(kernel, batch, None, &job).with_context(|| say!("while-timing", kernel = &kernel.name))?;
        let times = outcome.summary.milliseconds.into_iter().skip(1).collect();
        let rate = timing::median(times).zip(outcome.summary.bytes);
        Ok(rate.map(|(time, bytes)| timing::gb_per_s(bytes, time)))
    }

    fn run_quietly(
        &self,
        kernel: &Kernel,
        batch: Batch,
        checks: Option<Checks>,
        job: &(impl Fn(&Run) -> anyhow::Result<()> + Sync),
    ) -> anyhow::Result<Outcome> {
        let scene = Scene { checks, is_extra: true, ..self.scene(kernel, true, RunsProgress::none()) };
        let mut own = None;
        let mut session = self.session.borrow_mut();
        run::run(&scene, &[batch], if self.is_on_emulator() { &mut own } else { &mut session }, job)
    }

    /// GB/s of the driver's own copy inside a GPU.
    pub fn copy_rate(&self) -> anyhow::Result<Option<f64>> {
        if self.is_on_emulator() { Ok(None) } else { self.copy_gb_per_s().map(Some) }
    }

    /// Returns the counts of a kernel in its trial, where its row has charts.
    pub fn counted(&self, kernel: &str) -> Option<LaunchCounts> {
        let reported = self.reported.borrow();
        let reported = reported.iter().find(|reported| reported.kernel.name == kernel)?;
        reported.outcome.counts.as_ref().map(|counts| counts.total().clone())
    }

    /// GB/s that a kernel's trial came to on a GPU.
    pub fn rate(&self, kernel: &str) -> Option<f64> {
        self.reported.borrow().iter().find(|reported| reported.kernel.name == kernel)?.gb_per_s
    }

    /// True if somebody will look at a row's charts or at its part of the figure: not in a replay or a child process,
    /// nor in JSON without `--plot`.
    pub fn draws(&self, row: &Row) -> bool {
        let options = &self.options;
        let looks = self.prints_text() || options.work.plot.is_some();
        looks && options.is_selected(row.name) && options.runs.replay.is_none() && options.child.is_none()
    }

    /// True if `--plot` asks for this row's part of the figure.
    pub fn plots(&self, row: &Row) -> bool {
        self.options.work.plot.is_some() && self.draws(row)
    }

    /// Returns the number of elements that a figure's kernels work on: on the emulator the row's own number or `--n`,
    /// on a GPU `gpu` or `--n`.
    pub fn size_of_figure(&self, kernel: &Kernel, gpu: usize) -> usize {
        let own = if self.is_on_emulator() { kernel.row.sizes.slide } else { gpu };
        self.options.work.n.unwrap_or(own)
    }

    /// Writes the figure to the file that `--plot` names, if it names one.
    pub fn plot(&self, figure: &Figure) -> anyhow::Result<()> {
        let Some(path) = &self.options.work.plot else { return Ok(()) };
        anyhow::ensure!(!figure.is_empty(), say!("nothing-to-plot"));
        plot::write(figure, path).with_context(|| say!("figure-unwritable", path = path.display().to_string()))?;
        self.say(say!("figure-is-in", path = path.display().to_string()) + "\n");
        Ok(())
    }
}
