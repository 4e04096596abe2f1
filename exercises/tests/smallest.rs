//! The run that a verdict shows: no smaller size fails in the same way.

use learn::case::{Case, parse_token, token};
use learn::catalog::{Catalog, Exercise};
use learn::compile::{Compiler, Workshop};
use learn::judge::judge;
use learn::task::Task;
use std::path::Path;

fn task(catalog: &Catalog, exercise: &Exercise, replay: Option<String>) -> Task {
    Task {
        file: exercise.shipped(),
        shown: exercise.file_name(),
        replay,
        command: "cargo learn".into(),
        ..Task::of(&catalog.folder, exercise)
    }
}

/// Two shipped files that also fail at many larger sizes, but not at all of them.
#[test]
fn no_smaller_size_fails_in_the_way_that_is_shown() {
    if skipped::unless(skipped::CUDA_COMPILER, &Compiler::find()) {
        return;
    }
    let catalog = Catalog::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("catalog")).unwrap();
    let mut workshop = Workshop::default();
    for name in ["01_vectorized/one_round_only", "04_atomics/last_block"] {
        let exercise = catalog.exercises.iter().find(|exercise| exercise.name == name).unwrap();
        let mut judged = |replay| judge(exercise, &task(&catalog, exercise, replay), &mut workshop).unwrap();
        let shown = judged(None);
        let replay = shown.replay.clone().unwrap();
        let (case, order) = parse_token(&replay, &exercise.spec).unwrap();
        let size = &exercise.spec.sizes["n"];
        let mut smaller = case.below("n", size, usize::MAX).into_iter();
        let fails = |case: &Case| judged(Some(token(case, order))).kinds == shown.kinds;
        let found = smaller.find(fails).map(|case| token(&case, order));
        assert_eq!(found, None, "{name}: {replay} is shown");
    }
}
