//! One lesson from its first line to its exit status.

pub(crate) mod again;
mod arguments;
mod child;
pub(crate) mod cli;
mod game;
mod measure;
mod other_ptx;
mod page;
mod plot;
pub(crate) mod progress;
pub(crate) mod run;
mod stage;
mod trace_file;
mod traced;
pub(crate) mod tried;
pub(crate) mod verdict;

pub use run::Run;
pub use stage::{RunTime, Stage};
#[cfg(feature = "schema")]
pub use traced::schema as trace_schema;

use crate::device::context::{DeviceChoice, DeviceKind, OpenDevice, Session};
use crate::device::timing;
use crate::failure::Failure;
use crate::report::{self, Reported, Setting};
use crate::table::input::Input;
use crate::table::kernel::{Kernel, Library};
use crate::table::kernel_file::KernelFile;
use crate::table::plan::{self, Request};
use crate::table::row::{Expect, Row};
use again::LessonSubject;
use anyhow::Context as _;
use arguments::{arguments, program_name, refused};
use cli::{Files, Format, Options};
use emulator::finding::Finding;
use progress::Progress;
use run::Scene;
use std::cell::{OnceCell, RefCell};
use tell::explain;
use traced::Traced;
use trial::{Batch, Outcome, look_for_hints, look_for_smaller};
use tried::{CompiledChange, fixes};
use words::Language;

/// A running lesson. See the [crate's documentation](crate) for the whole of a `main.rs`.
pub struct Lesson {
    pub(crate) name: &'static str,
    /// The package, as `cargo run -p` wants it.
    program: String,
    pub(crate) options: Options,
    pub(crate) device: OpenDevice,
    rows: &'static [Row],
    pub(crate) library: Library,
    inputs: Inputs,
    /// On a GPU: one context for the whole lesson.
    pub(crate) session: RefCell<Option<Session>>,
    pub(crate) reported: RefCell<Vec<Reported>>,
    skipped: RefCell<Vec<String>>,
    copy_gb_per_s: OnceCell<f64>,
    /// For `--trace`.
    pub(crate) traced: RefCell<Option<Traced>>,
}

/// The inputs that rows read.
struct Inputs {
    /// `--input`.
    named: Option<Input>,
    /// The rows' own samples, by row.
    samples: Vec<Option<Input>>,
}

impl Lesson {
    /// Reads the command line, opens the device and says which.
    ///
    /// Ends the process with status 2 where an argument is wrong, and with 0 after `--help`, `--list` and
    /// `--explain`.
    pub fn start(name: &'static str, files: &'static [KernelFile], rows: &'static [Row]) -> anyhow::Result<Lesson> {
        let program = program_name(name);
        tell::arguments::speak(std::env::args_os());
        let options = match arguments(name, &program, rows, std::env::args_os()) {
            Ok(options) => options,
            Err(refusal) => refusal.exit(),
        };
        let answer = match options.asked.explain {
            Some(page) => Some(page.map_or_else(|| explain::list(Language::current()), str::to_string)),
            None => options.asked.list.then(|| report::table::list(rows)),
        };
        if let Some(answer) = answer {
            tell::say(&answer);
            std::process::exit(0);
        }
        if options.format == Format::Json {
            // Programs read it, whoever runs them.
            Language::English.speak();
        }
        for (option, path) in options.traced_files() {
            if let Err(why) = trace_file::try_file(path) {
                let path = path.display().to_string();
                refused(say!("trace-unwritable-why", option, path, why = why.to_string())).exit();
            }
        }
        driver::emulated::say_leaks(options.leaks);
        let files = other_ptx::named(name, files)?;
        let library = Library::new(files);
        library.check(rows)?;
        let inputs = Inputs {
            named: options.work.input.as_deref().map(Input::read).transpose()?,
            samples: rows.iter().map(|row| row.sample.map(|sample| Input::of(sample.to_vec()))).collect(),
        };
        // A replay is the emulator's, whatever else is in the machine.
        let choice = if options.runs.replay.is_some() { DeviceChoice::Emulator } else { options.runs.device };
        let mut device = OpenDevice::open(choice, files)?;
        if options.runs.replay.is_some() {
            device.why = say!("replay-on-emulator");
        }
        let lesson = Lesson {
            name,
            program,
            options,
            device,
            rows,
            library,
            inputs,
            session: RefCell::default(),
            reported: RefCell::default(),
            skipped: RefCell::default(),
            copy_gb_per_s: OnceCell::new(),
            traced: RefCell::default(),
        };
        if let (Some((option, _)), DeviceKind::Gpu) = (lesson.options.traced_files().next(), lesson.device.kind) {
            refused(say!("trace-on-gpu", option)).exit();
        }
        if lesson.is_talking() {
            let unchanged = if lesson.options.work.n.is_some() { lesson.fixed_rows() } else { Vec::new() };
            tell::say(&report::text::opening(&lesson.setting(), lesson.inputs.named.as_ref(), &unchanged));
        }
        Ok(lesson)
    }

    /// The kernels of a row that `--only`, `--replay` and the like leave: broken ones first.
    pub fn kernels(&self, row: &Row) -> anyhow::Result<Vec<Kernel>> {
        let row = self.rows.iter().find(|candidate| candidate.name == row.name);
        let row = row.context("a lesson asked for a row that its table does not have")?;
        let mut kernels = Vec::new();
        for (name, variant) in row.kernels() {
            let is_wanted = match (&self.options.child, &self.options.runs.replay) {
                (Some(child), _) => *child == name,
                (None, Some(token)) => token.names(&name, variant.as_str()),
                (None, None) => self.options.is_selected(row.name),
            };
            if is_wanted {
                kernels.push(self.library.kernel(row, name, variant)?);
            }
        }
        if let (Some(major), false) = (row.on_gpu.capability, kernels.is_empty())
            && self.device.capability()? < major
        {
            words::complain(&say!("skipped", why = say!("needs-capability", row = row.name, major)));
            kernels.clear();
        }
        Ok(kernels)
    }

    /// A row of the table: its job, for each of its [`kernels`](Lesson::kernels).
    pub fn run(&self, row: &Row) -> anyhow::Result<()> {
        self.kernels(row)?.iter().try_for_each(|kernel| self.run_kernel(kernel))
    }

    /// The job of a kernel's row, for this kernel alone.
    pub fn run_kernel(&self, kernel: &Kernel) -> anyhow::Result<()> {
        self.trial(kernel, kernel.job()?)
    }

    /// Runs `job` for `kernel` as often and at the sizes that the device calls for, and keeps what came of it.
    ///
    /// `job` is as in the table, and may keep something of its runs besides: it prepares one size and then calls
    /// [`Run::each`]. It runs on several threads at once on the emulator. A kernel that nvcc refuses is shown with
    /// nvcc's message instead.
    pub fn trial(&self, kernel: &Kernel, job: impl Fn(&Run) -> anyhow::Result<()> + Sync) -> anyhow::Result<()> {
        self.try_out(kernel, job)?;
        let is_last = kernel.row.kernels().last().is_some_and(|(name, _)| *name == kernel.name);
        if is_last && self.is_talking() {
            tell::say(&report::counters::of_row(&self.setting(), kernel.row, &self.reported.borrow()));
        }
        Ok(())
    }

    fn try_out(&self, kernel: &Kernel, job: impl Fn(&Run) -> anyhow::Result<()> + Sync) -> anyhow::Result<()> {
        if kernel.is_refused() {
            return self.keep(kernel, Outcome::default(), None);
        }
        let plan = match self.plan(kernel) {
            Ok(plan) => plan,
            Err(why) => {
                self.skipped.borrow_mut().push(why);
                return Ok(());
            }
        };
        if self.options.child.is_some() {
            child::answer(&self.run_here(kernel, &plan, &job)?.summary)?;
        }
        if self.device.kind == DeviceKind::Gpu && kernel.is_broken() && kernel.row.on_gpu.is_isolated {
            let summary = child::run(&kernel.name, child::TIME_LIMIT)?;
            return self.keep(kernel, Outcome { summary, ..Outcome::default() }, None);
        }
        match self.run_here(kernel, &plan, &job) {
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
                self.keep(kernel, outcome, None)
            }
            // Our limit, not the lesson's error: the other rows can go on.
            Err(error) if run::is_unsupported(&error) => {
                let why = say!("unsupported", device = self.device.kind.as_str());
                self.keep(kernel, Outcome::default(), Some(why))
            }
            Err(error) => Err(error),
        }
    }

    fn run_here(
        &self,
        kernel: &Kernel,
        plan: &[Batch],
        job: &(impl Fn(&Run) -> anyhow::Result<()> + Sync),
    ) -> anyhow::Result<Outcome> {
        let captures_output = !(self.is_talking() && self.options.runs.replay.is_some());
        let scene = self.scene(kernel, captures_output, Progress::new(&kernel.name, plan));
        run::run(&scene, plan, &mut self.session.borrow_mut(), job)
            .with_context(|| say!("in-trial", kernel = &kernel.name))
    }

    /// Makes runs of their own for what a report tells besides: a smaller run, hints, the trace of a run, fixes.
    fn look_closer(
        &self,
        kernel: &Kernel,
        plan: &[Batch],
        outcome: &mut Outcome,
        job: &(impl Fn(&Run) -> anyhow::Result<()> + Sync),
    ) -> anyhow::Result<()> {
        let mut again = LessonSubject::new(self.scene(kernel, true, Progress::none()), job);
        let is_replay = self.options.runs.replay.is_some();
        if self.is_checked() {
            if !is_replay {
                // A run without an element shows a reader nothing.
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

    /// True on the emulator, unless `--checks fast` has switched the checks off.
    fn is_checked(&self) -> bool {
        let is_fast = self.options.checks.map(Into::into) == Some(emulator::Checks::Fast);
        self.device.kind == DeviceKind::Emulator && !is_fast
    }

    /// The findings that a broken kernel had before the student edited it, in the same runs. `None` where it is as the
    /// lesson came, or where what it came with does not run under today's `job`.
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
        let library = Library::new(files.leak());
        let scene = self.scene(kernel, true, Progress::none());
        let scene = Scene { library: &library, is_extra: true, ..scene };
        let outcome = run::run(&scene, plan, &mut None, job).ok()?;
        Some(outcome.real().cloned().collect())
    }

    pub(crate) fn scene<'a>(&'a self, kernel: &'a Kernel, captures_output: bool, progress: Progress) -> Scene<'a> {
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

    /// Broken kernels only where somebody asks, and none that stops the device.
    fn wants_counts(&self, kernel: &Kernel, outcome: &Outcome) -> bool {
        let is_asked = self.options.work.counters || (!kernel.row.charts.is_empty() && !kernel.is_broken());
        let stops = outcome.summary.first_wrong.as_ref().is_some_and(|first| first.why.is_stopped());
        is_asked && !stops && self.options.runs.replay.is_none() && self.options.child.is_none()
    }

    fn keep(&self, kernel: &Kernel, outcome: Outcome, unsupported: Option<String>) -> anyhow::Result<()> {
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
        if self.is_talking() {
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

    /// Prints something of the lesson's own between the reports, where a person reads them; JSON stays one object.
    pub fn say(&self, text: impl std::fmt::Display) {
        if self.is_talking() {
            tell::say(&format!("{text}\n"));
        }
    }

    /// Prints a picture of what a broken kernel does, unless it does that no longer.
    pub fn say_of(&self, kernel: &Kernel, text: impl std::fmt::Display) {
        let is_it = |reported: &&Reported| reported.kernel.name == kernel.name;
        let reported = self.reported.borrow();
        if reported.iter().find(is_it).is_none_or(|reported| reported.verdict.is_ok()) {
            self.say(text);
        }
    }

    /// Prints the summary. `Err`, and so status 1, unless everything happened as the lesson says. Where a student has
    /// fixed a kernel and nothing else differs, the process ends here, with status 1 and without an error.
    pub fn finish(self) -> Result<(), Failure> {
        if self.report()? {
            std::process::exit(1);
        }
        Ok(())
    }

    /// Returns true if broken kernels are fixed, and all others did what the lesson says.
    fn report(self) -> anyhow::Result<bool> {
        let reported = self.reported.borrow();
        match self.options.format {
            Format::Json => {
                let object = report::json::object(&self.setting(), &reported);
                tell::say(&format!("{}\n", serde_json::to_string_pretty(&object)?));
            }
            Format::Sarif => {
                let log = report::sarif(&self.setting(), &reported);
                tell::say(&format!("{}\n", serde_json::to_string_pretty(&log)?));
            }
            Format::Text => {
                tell::say(&report::table::summary(&self.setting(), &reported, &self.skipped.borrow()));
                if self.device.kind == DeviceKind::Gpu {
                    tell::say(&format!("\n{}", report::proof::proofs(&self.setting(), &reported)));
                }
            }
        }
        if self.options.format != Format::Text {
            self.skipped.borrow().iter().for_each(|why| words::complain(&say!("skipped", why)));
        }
        anyhow::ensure!(!reported.is_empty(), say!("nothing-was-run"));
        self.write_traced()?;
        let fixed = reported.iter().filter(|reported| reported.is_fixed()).count();
        let unexpected = reported.iter().filter(|reported| reported.verdict.is_err()).count() - fixed;
        anyhow::ensure!(unexpected == 0, say!("not-all-as-expected", unexpected, count = reported.len()));
        Ok(fixed > 0)
    }

    /// Writes what has been traced to the files that `--trace` and `--web` name.
    fn write_traced(&self) -> anyhow::Result<()> {
        let Files { trace, web, .. } = &self.options.files;
        if trace.is_none() && web.is_none() {
            return Ok(());
        }
        let traced = self.traced.borrow();
        let traced = traced.as_ref().with_context(|| say!("nothing-to-trace"))?;
        let run = traced.token.to_string();
        if let Some(path) = trace {
            let path_shown = path.display().to_string();
            traced.write(self.name, path).with_context(|| say!("trace-unwritable", path = &path_shown))?;
            let trace::Trace { events, left_out, .. } = &traced.trace;
            let (kept, is_cut, left_out) = (events.len(), *left_out > 0, left_out.to_string());
            self.say(format!("\n{}", say!("trace-is-in", path = path_shown, run = &run, kept, left_out, is_cut)));
        }
        if let Some(path) = web {
            let reported = self.reported.borrow();
            let reported = reported.iter().find(|reported| reported.kernel.name == traced.kernel.name);
            let reported = reported.with_context(|| say!("nothing-to-trace"))?;
            page::write(path, traced, reported, &self.setting())?;
            self.say(format!("\n{}", say!("page-is-in", path = path.display().to_string(), run)));
        }
        Ok(())
    }

    /// Returns the setting of this lesson for a report.
    pub(crate) fn setting(&self) -> Setting<'_> {
        Setting {
            lesson: self.name,
            program: &self.program,
            device: &self.device,
            files: self.library.files,
            input: self.options.work.input.as_deref(),
            is_replay: self.options.runs.replay.is_some(),
            is_verbose: self.options.verbose,
            counters: self.options.work.counters,
        }
    }

    fn plan(&self, kernel: &Kernel) -> Result<Vec<Batch>, plan::SkipReason> {
        let Kernel { name, variant, row, .. } = kernel;
        if let Some(token) = &self.options.runs.replay {
            return Ok(vec![token.run.clone().batch()]);
        }
        let request = Request {
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

    /// Rows asked for whose size no option changes.
    fn fixed_rows(&self) -> Vec<&'static str> {
        let rows = self.rows.iter().filter(|row| self.options.is_selected(row.name) && row.is_fixed);
        rows.map(|row| row.name).collect()
    }

    /// Returns the input of a row: `--input` if given, else its sample. `None` for rows that make their input up.
    pub(crate) fn input_of(&self, row: &Row) -> Option<&Input> {
        let number = self.rows.iter().position(|candidate| candidate.name == row.name)?;
        let sample = self.inputs.samples[number].as_ref()?;
        Some(self.inputs.named.as_ref().unwrap_or(sample))
    }

    /// Text goes out as the lesson runs; JSON is one object at the end, and a child answers its parent only.
    pub(crate) fn is_talking(&self) -> bool {
        self.options.format == Format::Text && self.options.child.is_none()
    }

    pub(crate) fn copy_gb_per_s(&self) -> anyhow::Result<f64> {
        if let Some(&rate) = self.copy_gb_per_s.get() {
            return Ok(rate);
        }
        let mut session = self.session.borrow_mut();
        if session.is_none() {
            *session = Some(Session::open(self.library.files, self.device.kind, false)?);
        }
        let rate = timing::copy_bandwidth().context("measuring the copy bandwidth")?;
        Ok(*self.copy_gb_per_s.get_or_init(|| rate))
    }
}
