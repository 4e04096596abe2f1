//! The exercises in which nothing is programmed (`predict`, `break`), as data for pages: `cargo xtask web --site` asks
//! for it.
//!
//! A page makes runs from a recording of what the exercise asks of its device. A recording has one size, so an exercise
//! that asks for a size has no page.

use anyhow::{Context, Result};
use emulator::{Base64Bytes, Checks, Config, Observe, Policy, Recording};
use learn::case::Case;
use learn::catalog::{Catalog, Exercise};
use learn::compile::Workshop;
use learn::judge::trial::AnswerTrial;
use learn::puzzle;
use learn::spec::{ExerciseKind, SizeSpec};
use learn::stage::{self, RunSettings};
use learn::task::Task;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use tell::Bilingual;

/// The data that `web/src/site/puzzle.ts` reads.
#[derive(Serialize)]
struct Puzzle {
    version: u32,
    name: String,
    kernel: String,
    kind: &'static str,
    title: Bilingual,
    /// The file as it is handed out.
    file: Bilingual,
    path: String,
    idea: Bilingual,
    questions: Vec<PredictQuestion>,
    /// The mistake that a run which breaks it must show.
    #[serde(skip_serializing_if = "Option::is_none")]
    shows: Option<&'static str>,
    recording: Recording,
    sources: BTreeMap<String, String>,
    /// The bytes that the host should read, in order; absent where only the exercise's own check could say.
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<Vec<Base64Bytes>>,
}

#[derive(Serialize)]
struct PredictQuestion {
    text: Bilingual,
    answer: String,
}

/// Writes a file for each of them.
pub fn write(catalog: &Catalog, folder: &Path) -> Result<()> {
    let mut workshop = Workshop::default();
    // A page does not explore.
    let is_on_page = |exercise: &&Exercise| matches!(exercise.spec.kind, ExerciseKind::Predict | ExerciseKind::Break);
    let has_one_size = |exercise: &&Exercise| exercise.spec.sizes.values().all(|size: &SizeSpec| size.count() == 1);
    let all = catalog.exercises.iter().filter(|exercise| is_on_page(exercise)).filter(has_one_size);
    for exercise in all {
        let puzzle = puzzle(exercise, &catalog.folder, &mut workshop).map_err(anyhow::Error::msg);
        let puzzle = puzzle.with_context(|| exercise.name.clone())?;
        fs::write(folder.join(format!("{}.json", exercise.short())), serde_json::to_string(&puzzle)?)?;
    }
    Ok(())
}

fn puzzle(exercise: &Exercise, catalog: &Path, workshop: &mut Workshop) -> Result<Puzzle, String> {
    let spec = &exercise.spec;
    let program = workshop.program(&exercise.shipped(), &spec.compile)?;
    let case = Case::largest(spec);
    let broken = |stop: stage::NoRun| stop.words();
    let inputs = stage::inputs(spec, &case.sizes, case.seed).map_err(broken)?;
    let config =
        Config { checks: Checks::Full, policy: Policy::InOrder, workers: 1, fuel: 1 << 30, ..Config::default() };
    let manner = RunSettings { config, observe: Observe { records: true, ..Observe::default() } };
    let ran = stage::run(&program, spec, &spec.launches, &inputs, &case.sizes, &manner).map_err(broken)?;
    let recording = ran.observed.recording.ok_or("nothing was recorded")?;
    let task = Task::of(catalog, exercise);
    let mut trial = AnswerTrial::of(exercise, &task, "", program, workshop)?;
    let mut questions = Vec::new();
    for (number, question) in spec.questions.iter().enumerate() {
        let text = Bilingual::of(|_| exercise.question(number).to_string());
        questions.push(PredictQuestion { text, answer: puzzle::right(question, &mut trial)? });
    }
    let expected = trial.only_answer(&case)?.map(|buffers| buffers.into_iter().map(Base64Bytes).collect());
    let file = Bilingual::try_of(|_| exercise.handed_out().map_err(|error| tell::in_a_line(&error)))?;
    let path = format!("exercises/catalog/{}/{}", exercise.name, exercise.file_name());
    Ok(Puzzle {
        version: 1,
        name: exercise.name.clone(),
        kernel: spec.launches.first().map_or_else(String::new, |launch| launch.kernel.clone()),
        kind: if spec.kind == ExerciseKind::Break { "break" } else { "predict" },
        title: Bilingual::of(|_| exercise.title().to_string()),
        sources: BTreeMap::from([(path.clone(), file.en.clone())]),
        file,
        path,
        idea: Bilingual::of(|_| exercise.idea().to_string()),
        questions,
        shows: spec.breaks.as_ref().map(|breaks| breaks.shows.as_str()),
        recording,
        expected,
    })
}
