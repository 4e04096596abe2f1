//! The trial of one kernel: its runs, what else they are worth looking for, and the verdict.

use super::again::LessonSubject;
use super::progress::RunsProgress;
use super::run::{self, Run, Scene};
use super::tried::{CompiledChange, fixes};
use super::{Lesson, child, page, traced, verdict};
use crate::device::context::DeviceKind;
use crate::device::timing;
use crate::report::{self, Reported};
use crate::table::kernel::{Kernel, KernelLibrary};
use crate::table::kernel_file::KernelFile;
use crate::table::plan::{self, PlanRequest};
use crate::table::row::Expect;
use anyhow::Context as _;
use emulator::finding::Finding;
use trial::{Batch, Outcome, look_for_hints, look_for_smaller};

impl Lesson {
    /// Runs `job` for `kernel`, judges the outcome and records it.
    pub(super) fn run_trial(
        &self,
        kernel: &Kernel,
        job: impl Fn(&Run) -> anyhow::Result<()> + Sync,
    ) -> anyhow::Result<()> {
        if kernel.is_refused() && self.options.work.exhaust {
            return Ok(());
        }
        if kernel.is_refused() {
            return self.judge_and_record(kernel, Outcome::default(), None);
        }
        if self.options.work.exhaust {
            return self.exhaust(kernel, &job);
        }
        let plan = match self.plan(kernel) {
            Ok(plan) => plan,
            Err(why) => {
                self.skipped.borrow_mut().push(why);
                return Ok(());
            }
        };
        if self.options.child.is_some() {
            child::answer(&self.run_plan(kernel, &plan, &job)?.summary)?;
        }
        if self.device.kind == DeviceKind::Gpu && kernel.is_broken() && kernel.row.on_gpu.is_isolated {
            let summary = child::run(&kernel.name, child::TIME_LIMIT)?;
            return self.judge_and_record(kernel, Outcome { summary, ..Outcome::default() }, None);
        }
        match self.run_plan(kernel, &plan, &job) {
            Ok(mut outcome) => {
                outcome.sort(kernel.variant.expect().and_then(Expect::slug));
                self.look_closer(kernel, &plan, &mut outcome, &job)?;
                outcome.shipped = self.findings_as_shipped(kernel, &plan, &job);
                if self.wants_counts(kernel, &outcome) {
                    // Counting takes one core, and a chart shows as much at a million elements as at a thousand
                    // million.
                    let most = if self.options.work.counters { usize::MAX } else { trial::FULL_CHECKS_UP_TO };
                    outcome.counts = self.count(kernel, plan[0].size.min(most), &job)?;
                }
                self.judge_and_record(kernel, outcome, None)
            }
            // Our limit, not the lesson's error: the other rows can go on.
            Err(error) if run::is_unsupported(&error) => {
                let why = say!("unsupported", device = self.device.kind.as_str());
                self.judge_and_record(kernel, Outcome::default(), Some(why))
            }
            Err(error) => Err(error),
        }
    }

    /// Makes the runs of a plan in this process.
    fn run_plan(
        &self,
        kernel: &Kernel,
        plan: &[Batch],
        job: &(impl Fn(&Run) -> anyhow::Result<()> + Sync),
    ) -> anyhow::Result<Outcome> {
        let captures_output = !(self.prints_text() && self.options.runs.replay.is_some());
        let scene = self.scene(kernel, captures_output, RunsProgress::new(&kernel.name, plan));
        run::run(&scene, plan, &mut self.session.borrow_mut(), job)
            .with_context(|| say!("in-trial", kernel = &kernel.name))
    }

    /// Makes further runs for the rest of a report: a smaller run that fails, hints, the trace of a run, fixes.
    fn look_closer(
        &self,
        kernel: &Kernel,
        plan: &[Batch],
        outcome: &mut Outcome,
        job: &(impl Fn(&Run) -> anyhow::Result<()> + Sync),
    ) -> anyhow::Result<()> {
        let mut again = LessonSubject::new(self.scene(kernel, true, RunsProgress::none()), job);
        let is_replay = self.options.runs.replay.is_some();
        if self.is_checked() {
            if !is_replay {
                // A run without elements shows a reader nothing.
                let row = kernel.row;
                let least = |size| if row.is_fixed { size } else { row.least.max(row.shows_from).max(1) };
                look_for_smaller(&mut again, outcome, least);
            }
            look_for_hints(&mut again, outcome);
        }
        let traced = traced::trace(&self.options, self.traced.borrow().as_ref(), &mut again, plan, outcome)?;
        if traced.is_some() {
            self.traced.replace(traced);
        }
        if self.is_checked() && !is_replay && !self.options.no_try {
            fixes(&mut again, plan, outcome, CompiledChange::AsStored);
        }
        Ok(())
    }

    /// Returns true on the emulator, unless `--checks fast` has switched the checks off.
    fn is_checked(&self) -> bool {
        let is_fast = self.options.checks.map(Into::into) == Some(emulator::Checks::Fast);
        self.device.kind == DeviceKind::Emulator && !is_fast
    }

    /// Returns the findings that a broken kernel had before the student edited it, in the same runs. `None` if it is
    /// not edited, or if the shipped kernel does not run under today's `job`.
    fn findings_as_shipped(
        &self,
        kernel: &Kernel,
        plan: &[Batch],
        job: &(impl Fn(&Run) -> anyhow::Result<()> + Sync),
    ) -> Option<Vec<Finding>> {
        let is_asked = self.device.kind == DeviceKind::Emulator && self.options.runs.replay.is_none();
        if !is_asked || !kernel.is_broken() || !kernel.file.is_edited(&kernel.name) {
            return None;
        }
        let as_shipped = |file: &KernelFile| KernelFile { ptx: file.shipped.unwrap_or(file.ptx), ..*file };
        let files: Vec<KernelFile> = self.library.files.iter().map(as_shipped).collect();
        let library = KernelLibrary::new(files.leak());
        let scene = self.scene(kernel, true, RunsProgress::none());
        let scene = Scene { library: &library, is_extra: true, ..scene };
        let outcome = run::run(&scene, plan, &mut None, job).ok()?;
        Some(outcome.real().cloned().collect())
    }

    /// Returns the settings under which a kernel runs.
    pub(crate) fn scene<'a>(&'a self, kernel: &'a Kernel, captures_output: bool, progress: RunsProgress) -> Scene<'a> {
        Scene {
            input: self.input_of(kernel.row).map_or(&[], |input| &input.bytes),
            checks: self.options.checks.map(Into::into),
            judgement: self.options.judgement(),
            captures_output,
            progress,
            is_extra: false,
            ..Scene::extra(kernel, &self.library, self.device.kind)
        }
    }

    /// Returns true if the kernel's work is to be counted: with `--counters`, or for a chart of a kernel that is not
    /// broken. Kernels that stop the device are not counted.
    fn wants_counts(&self, kernel: &Kernel, outcome: &Outcome) -> bool {
        let is_asked = self.options.work.counters || (!kernel.row.charts.is_empty() && !kernel.is_broken());
        let stops = outcome.summary.first_wrong.as_ref().is_some_and(|first| first.why.is_stopped());
        is_asked && !stops && self.options.runs.replay.is_none() && self.options.child.is_none()
    }

    /// Judges an outcome, prints the report and records it. With `--site` also writes the data of its page.
    fn judge_and_record(&self, kernel: &Kernel, outcome: Outcome, unsupported: Option<String>) -> anyhow::Result<()> {
        let input = kernel.row.sample.and(self.options.work.input.clone());
        let judged = || verdict::judge(kernel, self.device.kind, &outcome, input.as_deref());
        let verdict = unsupported.map_or_else(judged, Err);
        let time_ms = timing::median(outcome.summary.milliseconds.clone());
        let gb_per_s = time_ms.zip(outcome.summary.bytes).map(|(time, bytes)| timing::gb_per_s(bytes, time));
        let share_of_copy = match gb_per_s {
            Some(rate) => Some(rate / self.copy_gb_per_s()?),
            None => None,
        };
        let peer_ms = timing::median(outcome.summary.peer_ms.clone()).filter(|_| verdict.is_ok());
        let kernel = kernel.clone();
        let reported = Reported { kernel, outcome, verdict, input, time_ms, gb_per_s, share_of_copy, peer_ms };
        if self.prints_text() {
            tell::say(&report::text::progress(&self.setting(), &reported));
        }
        let traced = self.traced.borrow();
        let own = traced.as_ref().filter(|traced| traced.kernel.name == reported.kernel.name);
        if let (Some(folder), Some(traced)) = (&self.options.files.site, own) {
            page::write_data(folder, traced, &reported, &self.setting())?;
        }
        self.reported.borrow_mut().push(reported);
        Ok(())
    }

    /// Returns the runs to make for a kernel, or why it is skipped.
    fn plan(&self, kernel: &Kernel) -> Result<Vec<Batch>, plan::SkipReason> {
        let Kernel { name, variant, row, .. } = kernel;
        if let Some(token) = &self.options.runs.replay {
            return Ok(vec![token.run.clone().batch()]);
        }
        let request = PlanRequest {
            n: self.options.work.n,
            input: self.input_of(row).map(|input| input.bytes.len()),
            schedule: self.options.runs.schedule,
            seeds: self.options.seeds(),
            is_one_seed: self.options.runs.seed.is_some(),
        };
        match self.device.kind {
            DeviceKind::Emulator => plan::emulator(row, name, *variant, &request),
            DeviceKind::Gpu => plan::gpu(row, name, *variant, &request),
        }
    }
}
