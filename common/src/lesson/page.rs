//! `--web FILE.html`: the traced run as one page, which a browser opens from disk (docs/web.md).
//!
//! The parts of any page are in `tell/src/page.rs`; here is what a lesson knows besides: all its runs, and the fix.

use crate::lesson::traced::Traced;
use crate::report::{Reported, Setting, text};
use crate::table::kernel_file::KernelFile;
use anyhow::Context as _;
use emulator::finding::Finding;
use report::{Paint, Reader, Remarks, labelled, parameter_name, render};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use tell::page::{FindingSaid, PageAnswer, PageData, PageRequest, RUN, SourceText, array_name, filled, kernels};
use tell::{Bilingual, json};
use trace::Trace;
use trial::{MergedFinding, ReplayToken, RunId, Schedule};
use words::Language;

/// Writes the page of what has been traced.
pub(crate) fn write(path: &Path, traced: &Traced, reported: &Reported, setting: &Setting) -> anyhow::Result<()> {
    written(path, &filled(&json(traced, reported, setting), traced.game.is_some()))
}

/// For `--site`: what the page of a kernel holds, as a file of its own in this folder.
pub(crate) fn write_data(folder: &Path, traced: &Traced, reported: &Reported, setting: &Setting) -> anyhow::Result<()> {
    written(&folder.join(format!("{}.json", reported.kernel.name)), &json(traced, reported, setting))
}

fn written(path: &Path, text: &str) -> anyhow::Result<()> {
    fs::write(path, text).with_context(|| say!("page-unwritable", path = path.display().to_string()))
}

fn json(traced: &Traced, reported: &Reported, setting: &Setting) -> String {
    let Traced { kernel, token, trace, wrong, answer, game, .. } = traced;
    let parameter =
        |kernel: &str, number| setting.files.iter().find_map(|file| parameter_name(file.source, kernel, number));
    let page = PageData {
        version: 1,
        language: Language::current().code(),
        lesson: setting.lesson,
        kernel: &kernel.name,
        command: text::replay(setting, reported, token.clone()),
        any_command: Some(any_command(setting, reported, token)),
        run: Bilingual::of(|_| say!("page-run", schedule = token.run.schedule.as_str(), size = token.run.size)),
        answer: PageAnswer { is_right: wrong.is_none(), said: answer.clone() },
        findings: trace.findings.iter().map(|found| finding(&found.finding, traced, reported, setting)).collect(),
        arrays: trace.arrays.iter().map(|array| array_name(&array.name, parameter)).collect(),
        sources: sources(trace, setting.files),
        trace,
        made: Some(PageRequest::of(&token.run)),
        game: game.as_ref(),
        title: None,
    };
    json::with_files_named(&page, &|file| setting.named(file)).to_string()
}

fn finding(finding: &Finding, traced: &Traced, reported: &Reported, setting: &Setting) -> FindingSaid {
    let source = |path: &str| setting.source(path);
    let reader = |language| Reader::of(finding, source, language);
    let of_this_run = of_this_run(finding, traced, reported);
    let whole = |language| match &of_this_run {
        Some(merged) => text::report(setting, reported, merged, Paint::Plain, true),
        None => render(finding, source, &Remarks { language, ..Remarks::default() }, Paint::Plain),
    };
    let told =
        of_this_run.as_ref().map_or(report::FixState::Idea, |merged| merged.fix.state(reported.kernel.file.source));
    // The page has the whole source beside it.
    let shown: Vec<u32> = match &told {
        report::FixState::Tried { changes, .. } => changes.iter().map(|change| change.line).collect(),
        _ => Vec::new(),
    };
    let fix = Bilingual::of(|language| {
        let reader = reader(language);
        let (label, text) = labelled(&told, report::fix(finding, &reader), finding.is_error(), &shown, &reader);
        format!("{label}: {}", text.replace('\n', " "))
    });
    FindingSaid::of(finding, reader, whole).with(fix)
}

/// The command that makes a run of this kernel at this size again, with a place for its schedule, seed and choices.
fn any_command(setting: &Setting, reported: &Reported, token: &ReplayToken) -> String {
    let steps =
        ReplayToken { run: RunId { schedule: Schedule::Steps, ..RunId::in_order(token.run.size) }, ..token.clone() };
    text::replay(setting, reported, steps).replacen("/steps/0/", &format!("/{RUN}/"), 1)
}

/// The finding as this run has it, with what all runs say of it: how often it was found, and what fixes it.
fn of_this_run(finding: &Finding, traced: &Traced, reported: &Reported) -> Option<MergedFinding> {
    let identity = finding.identity();
    let merged = reported.outcome.findings.iter().find(|merged| merged.finding.identity() == identity)?.clone();
    let (run, wrong) = (traced.token.run.clone(), traced.wrong.clone());
    Some(MergedFinding { finding: finding.clone(), run, wrong, smallest: None, ..merged })
}

/// The kernel files that the trace's sites name; no headers of the toolkit.
fn sources(trace: &Trace, files: &'static [KernelFile]) -> Vec<SourceText<'static>> {
    let places = trace.sites.iter().flat_map(|site| site.location.iter().chain(&site.called_from));
    let named: BTreeSet<&str> = places.map(|place| place.file.as_str()).collect();
    let kernels = kernels(trace);
    let ran = files.iter().filter(|file| named.iter().any(|name| file.is_at(name)));
    let extents = |file: &KernelFile| kernels.iter().filter_map(|kernel| file.extent(kernel)).collect::<Vec<_>>();
    ran.map(|file| SourceText {
        path: file.source_path,
        text: file.source,
        kernels: extents(file).into_iter().map(|lines| (*lines.start(), *lines.end())).collect(),
    })
    .collect()
}
