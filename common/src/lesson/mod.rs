//! One lesson: it starts ([`start`]), runs its rows, each kernel in a trial ([`kernel_trial`]), and ends with an exit
//! status ([`finish`]).

pub(crate) mod again;
mod arguments;
mod child;
pub(crate) mod cli;
mod executions;
mod exhaust;
mod finish;
mod game;
mod interrupt;
mod kernel_trial;
mod lean;
mod measure;
mod other_ptx;
mod page;
mod plot;
pub(crate) mod progress;
pub(crate) mod run;
mod stage;
mod start;
mod trace_file;
mod traced;
pub(crate) mod tried;
pub(crate) mod verdict;

pub use run::Run;
pub use stage::{RunTime, Stage};
#[cfg(feature = "schema")]
pub use traced::schema as trace_schema;

use crate::device::context::{OpenDevice, Session};
use crate::device::timing;
use crate::report::{self, Reported, Setting};
use crate::table::input::Input;
use crate::table::kernel::{Kernel, KernelLibrary};
use crate::table::row::{Capability, Row};
use anyhow::Context as _;
use cli::{Options, OutputFormat};
use executions::Exhausted;
use std::cell::{OnceCell, RefCell};
use traced::Traced;

/// A running lesson. See the [crate's documentation](crate) for the whole of a `main.rs`.
pub struct Lesson {
    pub(crate) name: &'static str,
    /// The package, as in `cargo run -p`.
    program: String,
    pub(crate) options: Options,
    pub(crate) device: OpenDevice,
    rows: &'static [Row],
    pub(crate) library: KernelLibrary,
    inputs: Inputs,
    /// On a GPU: one context for the whole lesson.
    pub(crate) session: RefCell<Option<Session>>,
    pub(crate) reported: RefCell<Vec<Reported>>,
    skipped: RefCell<Vec<String>>,
    copy_gb_per_s: OnceCell<f64>,
    /// The run that `--trace`, `--web` or `--site` asks for.
    pub(crate) traced: RefCell<Option<Traced>>,
    /// The result of `--exhaust` for each kernel.
    exhausted: RefCell<Vec<(Kernel, Exhausted)>>,
}

/// The inputs that rows read.
struct Inputs {
    /// `--input`.
    named: Option<Input>,
    /// The rows' own samples, by row.
    samples: Vec<Option<Input>>,
}

impl Lesson {
    /// Returns the kernels of a row that `--only`, `--replay` and the like select, broken ones first.
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
        if let (Some(needed), false) = (row.on_gpu.capability, kernels.is_empty())
            && !needed.includes(self.device.capability()?)
        {
            let row = row.name;
            let why = match needed {
                Capability::From(major) => say!("needs-capability", row, major),
                Capability::Only(major, minor) => say!("needs-one-capability", row, major, minor),
            };
            words::complain(&say!("skipped", why));
            kernels.clear();
        }
        Ok(kernels)
    }

    /// Runs a row of the table: its job, for each of its selected kernels ([`Lesson::kernels`]).
    pub fn run(&self, row: &Row) -> anyhow::Result<()> {
        self.kernels(row)?.iter().try_for_each(|kernel| self.run_kernel(kernel))
    }

    /// Runs the job of a kernel's row, for this kernel alone.
    pub fn run_kernel(&self, kernel: &Kernel) -> anyhow::Result<()> {
        self.trial(kernel, kernel.job()?)
    }

    /// Runs `job` for `kernel` as often and at the sizes that the device calls for, reports the outcome and records it.
    ///
    /// `job` is as in the table: it prepares one size and then calls [`Run::each`]. It may also record something of its
    /// runs. On the emulator it runs on several threads at once. A kernel that nvcc refuses is reported with nvcc's
    /// message instead.
    pub fn trial(&self, kernel: &Kernel, job: impl Fn(&Run) -> anyhow::Result<()> + Sync) -> anyhow::Result<()> {
        self.run_trial(kernel, job)?;
        let is_last = kernel.row.kernels().last().is_some_and(|(name, _)| *name == kernel.name);
        if is_last && self.prints_text() {
            tell::say(&report::counters::of_row(&self.setting(), kernel.row, &self.reported.borrow()));
        }
        Ok(())
    }

    /// Prints something of the lesson's own between the reports if these are text. JSON stays one object.
    pub fn say(&self, text: impl std::fmt::Display) {
        if self.prints_text() {
            tell::say(&format!("{text}\n"));
        }
    }

    /// Prints a picture of what a kernel does, unless its verdict shows that it no longer does what the lesson says.
    pub fn say_of(&self, kernel: &Kernel, text: impl std::fmt::Display) {
        let is_of_kernel = |reported: &&Reported| reported.kernel.name == kernel.name;
        let reported = self.reported.borrow();
        if reported.iter().find(is_of_kernel).is_none_or(|reported| reported.verdict.is_ok()) {
            self.say(text);
        }
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
            is_exhaustive: self.options.work.exhaust,
            is_verbose: self.options.verbose,
            counters: self.options.work.counters,
        }
    }

    /// Returns the input of a row: `--input` if given, else its sample. `None` for rows that generate their input.
    pub(crate) fn input_of(&self, row: &Row) -> Option<&Input> {
        let number = self.rows.iter().position(|candidate| candidate.name == row.name)?;
        let sample = self.inputs.samples[number].as_ref()?;
        Some(self.inputs.named.as_ref().unwrap_or(sample))
    }

    /// Returns true if reports are printed as the lesson runs. JSON is one object at the end, and a child process
    /// answers its parent only.
    pub(crate) fn prints_text(&self) -> bool {
        self.options.format == OutputFormat::Text && self.options.child.is_none()
    }

    /// Returns the bandwidth of the driver's copy, which is measured once.
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
