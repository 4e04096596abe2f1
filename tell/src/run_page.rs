//! The page of a run of a kernel that belongs to no lesson, such as a student's.

use crate::extents::extents;
use crate::game::{self, Game};
use crate::json;
use crate::page::{FindingSaid, PageAnswer, PageData, SourceText, array_name, kernels};
use crate::said::Bilingual;
use emulator::finding::Finding;
use emulator::{Policy, Recording};
use report::{Reader, Source, parameter_name};
use trace::Trace;
use words::Language;

/// The texts of a page about a run, besides the trace.
pub struct PageTexts<'a> {
    /// The name of what it belongs to.
    pub title: &'a str,
    pub kernel: &'a str,
    /// The command that makes the run again.
    pub command: String,
    pub run: Bilingual,
    /// The answer of the run.
    pub answer: Bilingual,
    /// Said at the top if nothing was found.
    pub wrong: Option<Bilingual>,
    /// The file, by the path that is shown.
    pub source: Source<'a>,
    /// True if this is the file, by the name that the PTX gives it.
    pub is_source: &'a dyn Fn(&str) -> bool,
    pub report: &'a dyn Fn(&Finding, Language) -> String,
    /// The recording of the device's commands, and what the host should read if one answer is right.
    pub recording: Option<(Recording, Option<Vec<Vec<u8>>>)>,
}

/// The run as JSON; [`crate::page::filled`] makes the page of it.
pub fn json(told: PageTexts, trace: &Trace) -> String {
    let PageTexts { title, kernel, command, run, answer, wrong, source, is_source, report, recording } = told;
    let found = |finding: &Finding| {
        let find = |file: &str| is_source(file).then_some(Source { path: source.path, text: source.text });
        FindingSaid::of(finding, |language| Reader::of(finding, find, language), |language| report(finding, language))
    };
    let parameter = |kernel: &str, number| parameter_name(source.text, kernel, number);
    let ran = kernels(trace);
    let extents = extents(source.text).into_iter().filter(|(name, _)| ran.contains(name.as_str()));
    let kernels = extents.map(|(_, lines)| (*lines.start(), *lines.end())).collect();
    // A run that a page cannot make again is no game.
    let can_be_made =
        |recording: &Recording| game::fits(recording) && game::reads(recording, Policy::InOrder).is_some();
    let game = recording.filter(|(recording, _)| can_be_made(recording));
    let game = game.map(|(recording, expected)| Game::of(recording, source, is_source, expected));
    let page = PageData {
        version: 1,
        language: Language::current().code(),
        lesson: title,
        kernel,
        command,
        any_command: None,
        run,
        answer: PageAnswer { is_right: wrong.is_none(), said: answer },
        findings: trace.findings.iter().map(|found_at| found(&found_at.finding)).collect(),
        arrays: trace.arrays.iter().map(|array| array_name(&array.name, parameter)).collect(),
        sources: vec![SourceText { path: source.path, text: source.text, kernels }],
        trace,
        made: None,
        game: game.as_ref(),
        title: wrong,
    };
    json::with_files_named(&page, &|file| if is_source(file) { source.path } else { file }.to_string()).to_string()
}
