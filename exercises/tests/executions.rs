//! The search through an answer's executions: its token shows what it has found, and a right answer passes.

use learn::catalog::Catalog;
use learn::compile::{Compiler, Workshop};
use learn::judge::judge;
use learn::reason::Reason;
use learn::task::Task;
use std::path::Path;

#[test]
fn a_token_of_executions_shows_a_wrong_one() {
    if skipped::unless(skipped::CUDA_COMPILER, &Compiler::find()) {
        return;
    }
    let catalog = Catalog::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("catalog")).unwrap();
    let exercise = catalog.exercises.iter().find(|exercise| exercise.name == "02_sync/volatile_is_no_barrier").unwrap();
    let mut workshop = Workshop::default();
    let mut judged = |file: &str, n: u32| {
        let task = Task {
            file: exercise.shipped().with_file_name(file),
            replay: Some(format!("n={n}/1/executions")),
            command: "cargo learn".into(),
            ..Task::of(&catalog.folder, exercise)
        };
        judge(exercise, &task, &mut workshop).unwrap()
    };
    // Up to 33 threads only the warps wait.
    let wrong = judged("wrong_below_34.cu", 33);
    assert_eq!(wrong.kinds, [Reason::Answer], "{}", wrong.text);
    for part in ["--replay n=33/1/executions", "in a right execution"] {
        assert!(wrong.text.contains(part), "{}", wrong.text);
    }
    for (file, n) in [("wrong_below_34.cu", 34), ("wrong_below_34.cu", 32), ("solution.cu", 33)] {
        let right = judged(file, n);
        assert!(right.passed, "{file}, {n}: {}", right.text);
    }
}
