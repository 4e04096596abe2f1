//! Exercises of kind `count`: the numbers come from the emulator, the executions are listed, and a wrong number gets a
//! hint. No compiler is needed: their PTX is stored.

use std::fs;
use std::path::Path;
use std::process::Command;

/// Runs an exercise with these answers, in a language. Returns the exit status, and everything printed.
fn run(exercise: &str, answers: &[&str], language: &str) -> (i32, String) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("answer.cu");
    let lines: String = answers.iter().map(|answer| format!("// ANSWER: {answer}\n")).collect();
    fs::write(&file, lines).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_learn"))
        .env("LESSON_LANG", language)
        .env("NVCC", "/nonexistent/nvcc")
        .env("NVRTC", "/nonexistent/nvrtc")
        .arg("--catalog")
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("catalog"))
        .arg("--dir")
        .arg(folder.path().join("mine"))
        .args(["run", exercise, "--file"])
        .arg(&file)
        .output()
        .unwrap();
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    (output.status.code().unwrap_or(-1), text)
}

#[test]
fn right_numbers_are_accepted_and_the_executions_listed() {
    let (status, text) = run("ways_to_see_a_flag", &["4", "1", "3"], "en");
    assert_eq!(status, 0, "{text}");
    for line in [
        "`without_fence` has 4 executions, 1 wrong",
        "`with_fences` has 3 executions, 0 wrong",
        "block 1: *flag = 1 from block 0, *data = 0 (initial) - WRONG (wrong result)",
    ] {
        assert!(text.contains(line), "{text}");
    }
    let (status, text) = run("ways_to_lose_one", &["4", "2", "3", "3"], "es");
    assert_eq!(status, 0, "{text}");
    assert!(text.contains("`count_plain` tiene 3 ejecuciones, 3 de ellas incorrectas"), "{text}");
    assert!(text.contains("condición de carrera") && text.contains("escrituras de *counter"), "{text}");
}

#[test]
fn a_wrong_number_is_rejected_with_what_was_counted_instead() {
    for (exercise, answers, hint) in [
        ("ways_to_see_a_flag", &["6", "1", "3"][..], "6 is the number of interleavings"),
        ("ways_to_see_a_flag", &["4", "1", "4"], "4 is too many: the memory model forbids"),
        ("ways_to_see_a_flag", &["three", "1", "3"], "`three` is not a number"),
        ("ways_to_add_twice", &["6", "2", "1"], "2 is the number of different results"),
        ("ways_to_add_twice", &["6", "3", "2"], "2 is too many: an execution is right if"),
        ("ways_to_lose_one", &["2", "2", "3", "3"], "2 is the number of different results"),
        ("ways_to_lose_one", &["3", "2", "3", "3"], "3 is too few: for each read"),
        ("ways_to_lose_one", &["4", "2", "3", "1"], "1 is too few: an execution is wrong if"),
    ] {
        let (status, text) = run(exercise, answers, "en");
        assert_eq!(status, 1, "{text}");
        assert!(text.contains(hint), "{hint}: {text}");
        assert!(!text.contains("What each thread reads"), "{text}");
    }
}
