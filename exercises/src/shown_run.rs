//! The run that a verdict shows, as a page: what happened in it, in order (`tell::run_page`).

use crate::answer;
use crate::case::{Case, ScheduleAndSeed, parse_token, token};
use crate::catalog::Exercise;
use crate::compile::Workshop;
use crate::judge::compile;
use crate::judge::trial::{AnswerTrial, RunMistakes};
use crate::stage::RunResults;
use crate::task::Task;
use emulator::Observe;
use emulator::finding::Finding;
use emulator::trace::Bound;
use report::{Paint, Remarks, Source, render};
use tell::Bilingual;
use tell::run_page::{self, PageTexts};

/// A page with more is slow to open, and nobody walks through it.
const BOUND: Bound = Bound { events: 1 << 14, bytes: 1 << 20 };

/// The run of the task's token as JSON. `Err` where there is nothing wrong with it, too.
pub fn page(exercise: &Exercise, task: &Task, workshop: &mut Workshop) -> Result<String, String> {
    let spec = &exercise.spec;
    let nothing = || say!("web-no-run");
    let replay = task.replay.as_ref().filter(|_| !exercise.needs_no_compiler()).ok_or_else(nothing)?;
    let text = answer::read(&task.file)
        .map_err(|error| say!("cannot-read", path = &task.shown) + ": " + &tell::of_system(&error))?;
    let answer = compile(workshop.compiler()?, task, &text, spec)?.map_err(|_| nothing())?.program;
    let (case, order) = parse_token(replay, spec)?;
    let mut trial = AnswerTrial::of(exercise, task, &text, answer, workshop)?;
    trial.observe = Observe { trace: Some(BOUND), records: true, ..Observe::default() };
    let wrong = trial.wrong(&case, order)?.ok_or_else(nothing)?;
    let expected = trial.only_answer(&case)?;
    let recording = wrong.outcome.observed.recording.clone().map(|recording| (recording, expected));
    let trace = wrong.outcome.observed.trace.as_ref().ok_or_else(nothing)?;
    trial.observe = Observe::default();
    let result = Bilingual::of(|_| result(&mut trial, &case, order));
    let is_wrong = wrong.result.is_some();
    let command = format!("{} run {} --replay {}", task.command, exercise.short(), token(&case, order));
    let report = |finding: &Finding, language| {
        // The fix is the student's to find, as in the verdict.
        let fix = report::FixState::Untold;
        let remarks = Remarks { language, fix, replay: Some(command.clone()), ..Remarks::default() };
        render(finding, |file| trial.source(file), &remarks, Paint::Plain)
    };
    let kernel = spec.launches.first().map_or("", |launch| &launch.kernel);
    let told = PageTexts {
        title: &exercise.name,
        kernel,
        command: command.clone(),
        run: Bilingual::of(|_| say!("page-run", run = shown(&case, order))),
        answer: result.clone(),
        wrong: is_wrong.then_some(result),
        source: Source { path: &task.shown, text: &text },
        is_source: &|file| trial.source(file).is_some(),
        report: &report,
        recording,
    };
    Ok(run_page::json(told, trace))
}

fn shown(case: &Case, order: ScheduleAndSeed) -> String {
    let sizes = case.sizes.iter().map(|(name, value)| format!("{name} = {value}"));
    sizes.chain([order.to_string()]).collect::<Vec<_>>().join(", ")
}

/// Returns the result of the run, in this process's language.
fn result(trial: &mut AnswerTrial, case: &Case, order: ScheduleAndSeed) -> String {
    let again = trial.wrong(case, order).ok().flatten();
    let text = match again {
        Some(RunMistakes { result: Some(text), .. }) => text,
        Some(RunMistakes { outcome: RunResults { fault: Some(_), .. }, .. }) => return say!("page-ended"),
        _ => return say!("page-right"),
    };
    let first = text.lines().next().unwrap_or_default();
    let plain = first.split_once(": ").map_or(first, |(_, rest)| rest);
    plain.to_string()
}
