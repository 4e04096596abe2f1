//! `--trace FILE`: the trace of one run, in our own JSON (docs/trace.md) or in the Trace Event Format.
//!
//! Which run: the one that `--replay` names; else that which the first report names for a replay; else, where nothing
//! is wrong, the first kernel's first run. A page has the smallest run with a wrong answer instead, if it shows the
//! same finding. It is made once more, beside the trial, so the trial is what it is without the option.

use crate::lesson::again::LessonSubject;
use crate::lesson::cli::Options;
use crate::lesson::game;
use crate::lesson::run::Run;
use crate::lesson::trace_file::{TraceForm, form_of};
use crate::report;
use crate::table::kernel::Kernel;
use anyhow::Context as _;
use emulator::Observe;
use serde::Serialize;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use tell::game::Game;
use tell::{Bilingual, json};
use trace::{Bound, Timeline, Trace};
use trial::{Batch, FULL_CHECKS_UP_TO, MergedFinding, Outcome, ReplayToken, RunId, Subject, Wrong};
use words::Language;

/// Elements of a run that a page shows where no finding says how many it takes.
const SIZE_OF_PAGE: usize = 256;

/// A traced run.
pub struct Traced {
    pub(crate) kernel: Kernel,
    pub(crate) token: ReplayToken,
    pub(crate) trace: Trace,
    /// It shows a finding or a wrong answer.
    fails: bool,
    /// Why its answer was wrong, if it was.
    pub(crate) wrong: Option<Wrong>,
    /// The answer of the run, in words.
    pub(crate) answer: Bilingual,
    /// For a page: what it needs to make other runs of the kernel.
    pub(crate) game: Option<Game>,
}

/// The content of the file that `--trace FILE.json` writes.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Trace"))]
struct TraceObject<'a> {
    lesson: &'a str,
    kernel: &'a str,
    /// The kernel's file.
    file: &'a str,
    /// The token for `--replay` of the run.
    replay: String,
    #[serde(flatten)]
    trace: &'a Trace,
}

/// The JSON Schema of [`TraceObject`], as `docs/trace.schema.json` has it.
#[cfg(feature = "schema")]
pub fn schema() -> String {
    let settings = schemars::generate::SchemaSettings::draft2020_12().for_serialize();
    let schema = settings.into_generator().into_root_schema_for::<TraceObject>();
    serde_json::to_string_pretty(&schema).expect("a schema is JSON") + "\n"
}

/// Traces the run of a kernel that is to be shown, if `--trace` or a page asks for one. `None` where the one that was
/// traced `before` stays: the first that fails.
pub(crate) fn trace<J: Fn(&Run) -> anyhow::Result<()> + Sync>(
    asked: &Options,
    before: Option<&Traced>,
    again: &mut LessonSubject<J>,
    plan: &[Batch],
    outcome: &Outcome,
) -> anyhow::Result<Option<Traced>> {
    let kernel = again.scene.kernel;
    let is_for_site = asked.files.site.is_some();
    if asked.traced_files().next().is_none() && !is_for_site {
        return Ok(None);
    }
    let is_paged = asked.files.web.is_some() || is_for_site;
    let is_replay = asked.runs.replay.is_some();
    let failed_run = match is_paged && !is_replay {
        true => failing_and_wrong(again, outcome).or_else(|| failing(outcome)),
        false => failing(outcome),
    };
    let fails = failed_run.is_some();
    if !is_for_site && before.is_some_and(|before| before.fails || !fails) {
        return Ok(None);
    }
    let is_too_large = |run: &RunId| run.size > FULL_CHECKS_UP_TO;
    let id = match failed_run {
        _ if is_replay => checked(kernel, plan[0].run(plan[0].seeds.start)),
        // If the run is too large for a page, nothing smaller was looked for.
        run if is_for_site && run.as_ref().is_none_or(is_too_large) => RunId::in_order(size_of_page(kernel, before)),
        Some(run) => checked(kernel, run),
        None => checked(kernel, plan[0].run(plan[0].seeds.start)),
    };
    let batch = id.clone().batch();
    let observe = Observe { trace: Some(Bound::default()), ..Observe::default() };
    let traced = again.runs(&batch, observe, None).with_context(|| say!("while-tracing", kernel = &kernel.name))?;
    let wrong = traced.summary.first_wrong.map(|first| first.why);
    let answer = answer_in_words(again, &batch, wrong.as_ref(), is_paged);
    let trace = traced.observed.trace.context("a run that is traced leaves a trace")?;
    let token = ReplayToken::new(&kernel.name, kernel.variant.as_str(), id);
    let game = if is_paged { game::of(again, &batch, wrong.is_none()) } else { None };
    Ok(Some(Traced { kernel: kernel.clone(), token, trace, fails, wrong, answer, game }))
}

/// Returns the run, made small enough to be checked in full: a larger one leaves no events.
fn checked(kernel: &Kernel, run: RunId) -> RunId {
    let size = if kernel.row.is_fixed { run.size } else { run.size.min(FULL_CHECKS_UP_TO) };
    RunId { size, ..run }
}

/// Returns the answer of a run in words; for a page in all languages. The words of a wrong answer are chosen while it
/// is found. For another language the run is made once more: it is the same run.
fn answer_in_words(subject: &mut impl Subject, batch: &Batch, wrong: Option<&Wrong>, is_paged: bool) -> Bilingual {
    let said_in = Language::current();
    Bilingual::of(|language| {
        if language == said_in || !is_paged {
            return report::text::answer(wrong);
        }
        match subject.run(batch, Observe::default(), None) {
            Some(outcome) => report::text::answer(outcome.summary.first_wrong.map(|first| first.why).as_ref()),
            None => report::text::answer(wrong),
        }
    })
}

/// The smallest run whose answer is wrong, if the first finding shows in it too. It is preferred to the finding's own
/// smallest run where that one's answer is right: there a reader sees nothing go wrong.
fn failing_and_wrong(subject: &mut impl Subject, outcome: &Outcome) -> Option<RunId> {
    let found = outcome.findings.iter().find(|merged| merged.finding.is_error())?;
    if found.smallest.as_ref()?.wrong.is_some() {
        return None;
    }
    let smallest = outcome.smallest.as_ref()?.run.clone();
    let seen = subject.run(&smallest.clone().batch(), Observe::default(), None)?;
    let is_same = |other: &MergedFinding| other.finding.identity() == found.finding.identity();
    seen.findings.iter().any(is_same).then_some(smallest)
}

/// For `--site`, a kernel that is right: as large as the runs of the row's other kernels, else small.
fn size_of_page(kernel: &Kernel, before: Option<&Traced>) -> usize {
    let row = kernel.row;
    if row.is_fixed {
        return row.sizes.slide;
    }
    let of_row = before.filter(|traced| traced.kernel.row.name == row.name);
    of_row.map_or(row.sizes.seeds.min(SIZE_OF_PAGE), |traced| traced.token.run.size).max(row.least)
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
    pub(crate) fn write(&self, lesson: &str, path: &Path) -> anyhow::Result<()> {
        let named = |file: &str| self.kernel.file.named(file).to_string();
        let value = match form_of(path) {
            Some(TraceForm::TraceEvents) => json::with_files_named(Timeline(&self.trace), &named),
            _ => json::with_files_named(self.object(lesson), &named),
        };
        let mut file = BufWriter::new(File::create(path)?);
        serde_json::to_writer(&mut file, &value)?;
        Ok(file.flush()?)
    }

    fn object<'a>(&'a self, lesson: &'a str) -> TraceObject<'a> {
        TraceObject {
            lesson,
            kernel: &self.kernel.name,
            file: self.kernel.file.source_path,
            replay: self.token.to_string(),
            trace: &self.trace,
        }
    }
}
