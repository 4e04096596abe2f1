//! `--trace FILE`: the trace of one run, in our own JSON (docs/trace.md) or in the Trace Event Format.
//!
//! Which run: the one that `--replay` names; else that which the first report names for a replay; else, where nothing is wrong,
//! the first kernel's first run. A page has the smallest run with a wrong answer instead, if it shows the same finding. It is made once more, beside the trial, so the trial is what it is without the option.

use crate::context::DeviceKind;
use crate::game::Game;
use crate::kernel_file::KernelFile;
use crate::lesson::Lesson;
use crate::module::Kernel;
use crate::outcome::{Key, Merged, Outcome};
use crate::page::Said;
use crate::plan::Batch;
use crate::progress::Progress;
use crate::report::{self, json};
use crate::run_id::RunId;
use crate::token::Token;
use crate::trial::{self, FULL_CHECKS_UP_TO, Run, Scene};
use crate::wrong::Wrong;
use anyhow::Context as _;
use serde::Serialize;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::Mutex;
use trace::{Timeline, Trace};
use words::Language;

/// Elements of a run that a page shows where no finding says how many it takes.
const SIZE_OF_PAGE: usize = 256;

/// A traced run.
pub struct Traced {
    pub(crate) kernel: Kernel,
    pub(crate) token: Token,
    pub(crate) trace: Trace,
    /// It shows a finding or a wrong answer.
    fails: bool,
    /// Why its answer was wrong, if it was.
    pub(crate) wrong: Option<Wrong>,
    /// What came of it, in words.
    pub(crate) answer: Said,
    /// For a page: what it needs to make other runs of the kernel.
    pub(crate) game: Option<Game>,
}

/// What `--trace FILE.json` writes.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Trace"))]
struct Object<'a> {
    lesson: &'a str,
    kernel: &'a str,
    /// The kernel's file.
    file: &'a str,
    /// The token for `--replay` of the run.
    replay: String,
    #[serde(flatten)]
    trace: &'a Trace,
}

/// The JSON Schema of [`Object`], as `docs/trace.schema.json` has it.
#[cfg(feature = "schema")]
pub fn schema() -> String {
    let settings = schemars::generate::SchemaSettings::draft2020_12().for_serialize();
    let schema = settings.into_generator().into_root_schema_for::<Object>();
    serde_json::to_string_pretty(&schema).expect("a schema is JSON") + "\n"
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Own,
    TraceEvents,
}

/// By the file's ending.
fn form_of(path: &Path) -> Option<Form> {
    let name = path.file_name()?.to_str()?.to_ascii_lowercase();
    match (name.ends_with(".perfetto.json"), name.ends_with(".json")) {
        (true, _) => Some(Form::TraceEvents),
        (false, true) => Some(Form::Own),
        (false, false) => None,
    }
}

/// For the command line: whether a trace can have this name.
pub fn has_form(path: &Path) -> bool {
    form_of(path).is_some()
}

/// Before the work: whether the file can be written. What it holds stays until there is something to write.
pub fn try_file(path: &Path) -> io::Result<()> {
    File::options().write(true).create(true).truncate(false).open(path).map(drop)
}

impl Lesson {
    /// Traces the run of this kernel that is to be shown, if `--trace` asks for one and none that fails has been traced.
    pub(crate) fn trace(
        &self,
        kernel: &Kernel,
        plan: &[Batch],
        outcome: &Outcome,
        job: &(impl Fn(&Run) -> anyhow::Result<()> + Sync),
    ) -> anyhow::Result<()> {
        let is_for_site = self.options.site.is_some();
        if self.options.traced_files().next().is_none() && !is_for_site {
            return Ok(());
        }
        let is_paged = self.options.web.is_some() || is_for_site;
        let wrong = || self.failing_and_wrong(kernel, outcome, job);
        let failing = is_paged.then(wrong).flatten().or_else(|| failing(outcome));
        let fails = failing.is_some();
        if !is_for_site && self.traced.borrow().as_ref().is_some_and(|traced| traced.fails || !fails) {
            return Ok(());
        }
        let checked = |size: usize| if kernel.row.is_fixed { size } else { size.min(FULL_CHECKS_UP_TO) };
        let id = match (&self.options.replay, failing) {
            // Of a run that is too large for a page nothing smaller was looked for.
            (None, failing) if is_for_site && failing.as_ref().is_none_or(|it| it.size > FULL_CHECKS_UP_TO) => {
                RunId::in_order(self.size_of_page(kernel))
            }
            // A larger one is not checked in full, and leaves no events.
            (None, Some(failing)) => RunId { size: checked(failing.size), ..failing },
            _ => {
                let first = plan[0].run(plan[0].seeds.start);
                RunId { size: checked(first.size), ..first }
            }
        };
        let batch = id.clone().batch();
        let place = Mutex::new(None);
        let scene = Scene { is_extra: true, trace: Some(&place), ..self.scene(kernel, true, Progress::none()) };
        let run = |scene: &Scene| {
            let outcome = trial::run(scene, std::slice::from_ref(&batch), &mut None, job);
            let outcome = outcome.with_context(|| say!("while-tracing", kernel = &kernel.name))?;
            anyhow::Ok(outcome.summary.first_wrong.map(|first| first.why))
        };
        let wrong = run(&scene)?;
        // The words of a wrong answer are chosen while it is found. For another language the run is made once more: it is the same run.
        let is_said_in = Language::current();
        let answer = Said::of(|language| {
            let wrong = match language == is_said_in || !is_paged {
                true => wrong.clone(),
                false => {
                    let scene = Scene { is_extra: true, ..self.scene(kernel, true, Progress::none()) };
                    run(&scene).unwrap_or_else(|_| wrong.clone())
                }
            };
            report::text::answer(wrong.as_ref())
        });
        let trace = place.into_inner().expect("no worker panics while it holds this");
        let token = Token::new(&kernel.name, kernel.variant.as_str(), id);
        let game = if is_paged { self.game(kernel, &batch, wrong.is_none(), job) } else { None };
        let traced = trace.map(|trace| Traced { kernel: kernel.clone(), token, trace, fails, wrong, answer, game });
        self.traced.replace(traced);
        Ok(())
    }

    /// The smallest run whose answer is wrong, if the first finding shows in it too. It is preferred to the finding's own smallest
    /// run where that one's answer is right: there a reader sees nothing go wrong.
    fn failing_and_wrong(
        &self,
        kernel: &Kernel,
        outcome: &Outcome,
        job: &(impl Fn(&Run) -> anyhow::Result<()> + Sync),
    ) -> Option<RunId> {
        let found = outcome.findings.iter().find(|merged| merged.finding.is_error())?;
        if self.options.replay.is_some() || found.smallest.as_ref()?.wrong.is_some() {
            return None;
        }
        let smallest = outcome.smallest.as_ref()?.run.clone();
        let batch = smallest.clone().batch();
        let scene = Scene { is_extra: true, ..self.scene(kernel, true, Progress::none()) };
        let seen = trial::run(&scene, &[batch], &mut None, job).ok()?;
        let is_same = |other: &Merged| Key::of(&other.finding) == Key::of(&found.finding);
        seen.findings.iter().any(is_same).then_some(smallest)
    }

    /// For `--site`, a kernel that is right: as large as the runs of the row's other kernels, else small.
    fn size_of_page(&self, kernel: &Kernel) -> usize {
        let row = kernel.row;
        if row.is_fixed {
            return row.sizes.slide;
        }
        let traced = self.traced.borrow();
        let of_row = traced.as_ref().filter(|traced| traced.kernel.row.name == row.name);
        of_row.map_or(row.sizes.seeds.min(SIZE_OF_PAGE), |traced| traced.token.run.size).max(row.least)
    }

    /// Writes what has been traced to the file that `--trace` names, if it names one.
    pub(crate) fn write_trace(&self) -> anyhow::Result<()> {
        let Some(path) = &self.options.trace else { return Ok(()) };
        let traced = self.traced.borrow();
        let traced = traced.as_ref().with_context(|| say!("nothing-to-trace"))?;
        let shown = || path.display().to_string();
        traced.write(self.name, path).with_context(|| say!("trace-unwritable", path = shown()))?;
        if self.is_talking() {
            let Trace { events, left_out, .. } = &traced.trace;
            let (kept, left_out) = (events.len(), left_out.to_string());
            let is_cut = traced.trace.left_out > 0;
            let said = say!("trace-is-in", path = shown(), run = traced.token.to_string(), kept, left_out, is_cut);
            report::say(&format!("\n{said}\n"));
        }
        Ok(())
    }

    /// On a GPU nothing is traced: the option that asks for it.
    pub(crate) fn cannot_trace(&self) -> Option<&'static str> {
        let (option, _) = self.options.traced_files().next()?;
        (self.device.kind == DeviceKind::Gpu).then_some(option)
    }
}

/// The run to replay: of the first finding, else of the first wrong answer. The smallest one that was found.
fn failing(outcome: &Outcome) -> Option<RunId> {
    if let Some(merged) = outcome.findings.iter().find(|merged| merged.finding.is_error()) {
        let smallest = merged.smallest.as_ref().map(|smallest| &smallest.run);
        return Some(smallest.unwrap_or(&merged.run).clone());
    }
    let first = outcome.summary.first_wrong.as_ref()?.run.clone().whole();
    Some(outcome.smallest.as_ref().map_or(first, |smallest| smallest.run.clone()))
}

impl Traced {
    fn write(&self, lesson: &str, path: &Path) -> anyhow::Result<()> {
        let KernelFile { source_path, .. } = self.kernel.file;
        let named = |file: &str| if self.kernel.file.is_at(file) { source_path } else { file }.to_string();
        let value = match form_of(path) {
            Some(Form::TraceEvents) => json::with_files_named(Timeline(&self.trace), &named),
            _ => json::with_files_named(self.object(lesson), &named),
        };
        let mut file = BufWriter::new(File::create(path)?);
        serde_json::to_writer(&mut file, &value)?;
        Ok(file.flush()?)
    }

    fn object<'a>(&'a self, lesson: &'a str) -> Object<'a> {
        Object {
            lesson,
            kernel: &self.kernel.name,
            file: self.kernel.file.source_path,
            replay: self.token.to_string(),
            trace: &self.trace,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_says_the_form() {
        for (name, form) in [
            ("a.json", Some(Form::Own)),
            ("dir/A.JSON", Some(Form::Own)),
            ("a.perfetto.json", Some(Form::TraceEvents)),
            ("a.perfetto", None),
            ("json", None),
            ("..", None),
        ] {
            assert_eq!(form_of(Path::new(name)), form, "{name}");
        }
    }
}
