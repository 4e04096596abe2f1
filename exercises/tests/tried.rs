//! Fixes that are tried, for the course's own exercises: most shipped bugs have one, and what is told is right.

use learn::catalog::{Catalog, Exercise};
use learn::compile::{Compiler, Workshop};
use learn::judge::judge;
use learn::spec::ExerciseKind;
use learn::task::Task;
use learn::tried;
use std::fs;
use std::path::Path;
use std::sync::Mutex;

/// The bugs that no small change fixes, and what it would take.
const WITHOUT: [(&str, &str); 7] = [
    ("01_vectorized/forgotten_tail", "code that is not there: a copy of the last elements"),
    ("01_vectorized/misaligned_start", "code that is not there: a copy of the first elements, and their number"),
    ("02_sync/other_blocks_not_done", "a statement moved to another kernel"),
    ("05_dynamic_parallelism/borrowed_memory", "two more parameters of the child, or memory of the host's"),
    (
        "05_dynamic_parallelism/nobody_asked",
        "two changes of the child, two of its launch, and a check that is not there",
    ),
    ("05_dynamic_parallelism/sum_too_early", "a kernel more, in the tail stream"),
    ("08_beyond_the_block/same_phase_again", "a variable that has the parity of the iteration"),
];

fn task(catalog: &Catalog, exercise: &Exercise, file: &Path, replay: Option<String>) -> Task {
    Task {
        file: file.to_path_buf(),
        shown: exercise.file_name(),
        replay,
        command: "cargo learn".into(),
        ..Task::of(&catalog.folder, exercise)
    }
}

/// True if the shipped file's failing run has a fix. One that is told passes; `Err` where it does not.
fn has_fix(catalog: &Catalog, exercise: &Exercise, workshop: &mut Workshop) -> Result<bool, String> {
    let shipped = exercise.shipped();
    let first = judge(exercise, &task(catalog, exercise, &shipped, None), workshop)?;
    let replay = Some(first.replay.ok_or("no failing run")?);
    let told = tried::fix(exercise, &task(catalog, exercise, &shipped, replay), workshop)?;
    println!("{}\n{}", exercise.name, told.text);
    if told.edits.is_empty() {
        return Ok(false);
    }
    if !told.text.starts_with("   = fix (tried, right in ") {
        return Err(told.text);
    }
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let file = folder.path().join(exercise.file_name());
    let text = fs::read_to_string(&shipped).map_err(|error| error.to_string())?;
    fs::write(&file, repair::source::apply(&text, &told.edits)).map_err(|error| error.to_string())?;
    let verdict = judge(exercise, &task(catalog, exercise, &file, None), workshop)?;
    if verdict.passed { Ok(true) } else { Err(verdict.text) }
}

#[test]
fn most_shipped_bugs_have_a_fix_and_each_that_is_told_passes() {
    if skipped::unless(skipped::CUDA_COMPILER, &Compiler::find()) {
        return;
    }
    let catalog = Catalog::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("catalog")).unwrap();
    let all: Vec<&Exercise> = catalog.exercises.iter().filter(|one| one.spec.kind == ExerciseKind::Fix).collect();
    let (left, wrong) = (Mutex::new(all.iter().step_by(skipped::share(3, 1))), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from).min(4) {
            scope.spawn(|| {
                let mut workshop = Workshop::default();
                while let Some(exercise) = { left.lock().unwrap().next() } {
                    let wanted = !WITHOUT.iter().any(|(name, _)| *name == exercise.name);
                    let got = has_fix(&catalog, exercise, &mut workshop);
                    if got != Ok(wanted) {
                        wrong.lock().unwrap().push(format!("{}: {got:?}, wanted {wanted}", exercise.name));
                    }
                }
            });
        }
    });
    assert!(wrong.lock().unwrap().is_empty(), "{:#?}", wrong.lock().unwrap());
    assert!(WITHOUT.iter().all(|(name, _)| all.iter().any(|one| one.name == *name)), "a name that no exercise has");
    assert!(7 * WITHOUT.len() <= all.len(), "fewer than six of seven have a fix");
}
