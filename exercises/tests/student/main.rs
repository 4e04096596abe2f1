//! The program as a student runs it: in a terminal, in a pipe, with a disk that is full.

mod screens;
mod support;
mod told;
mod watch;

use learn::catalog::Catalog;
use std::fs;
use std::process::{Command, Stdio};
use support::{NAME, Student, Terminal, has_no_compiler, shipped, text};

mod pseudo_terminal;

#[test]
fn in_a_terminal_the_student_is_asked_before_work_is_put_aside() {
    let student = Student::new();
    student.learn(&["list"]);
    fs::write(student.file(), "my work").unwrap();
    let mut terminal = Terminal::open(&student, &["reset", "missing_barrier"]);
    terminal.sees("[y/N]");
    terminal.types("n");
    terminal.child.wait().unwrap();
    assert_eq!(fs::read_to_string(student.file()).unwrap(), "my work");
    let mut terminal = Terminal::open(&student, &["reset", "missing_barrier"]);
    terminal.sees("[y/N]");
    terminal.types("y");
    terminal.sees("your file is kept as mine/02_sync/missing_barrier.mine-1.cu");
    assert_eq!(fs::read_to_string(student.file().with_extension("mine-1.cu")).unwrap(), "my work");
}

#[test]
fn in_spanish_the_copy_the_verdict_and_the_help_are_spanish_and_another_language_refreshes_the_copy() {
    if has_no_compiler() {
        return;
    }
    let student = Student::new();
    let beside = student.0.path().join("catalog").join(NAME).join("exercise.es.toml");
    fs::copy(shipped("exercise.es.toml"), beside).unwrap();
    let (status, text) = student.learn(&["--lang", "es"]);
    assert_eq!(status, 1, "{text}");
    assert!(text.contains("La barrera que falta") && text.contains("sin resolver: mine/02_sync"), "{text}");
    assert!(text.contains("error[race-shared]: condición de carrera"), "the judging process knows it: {text}");
    let spanish = fs::read_to_string(student.file()).unwrap();
    assert!(spanish.starts_with("// missing_barrier: cada bloque invierte"), "{spanish}");
    assert!(spanish.contains("    // TODO: el thread que escribe"), "{spanish}");
    let (_, text) = student.learn(&["list"]);
    assert!(text.contains("1 exercise that you have not edited was updated"), "{text}");
    assert_eq!(fs::read_to_string(student.file()).unwrap(), fs::read_to_string(shipped("missing_barrier.cu")).unwrap());
    let (status, text) = student.learn(&["run", "--help", "--lang=es"]);
    assert!(status == 0 && text.contains("Evalúa un ejercicio una vez"), "{text}");
    let (status, text) = student.learn(&["--lang", "de", "list"]);
    assert!(status == 2 && text.contains("no language `de`"), "{text}");
}

#[test]
fn in_a_pipe_the_next_exercise_is_judged_once_and_nothing_waits() {
    if has_no_compiler() {
        return;
    }
    let student = Student::new();
    let (status, text) = student.learn(&[]);
    assert_eq!(status, 1, "{text}");
    assert!(text.contains("race-shared") && !text.contains('\x1b'), "{text}");
    fs::copy(shipped("solution.cu"), student.file()).unwrap();
    assert_eq!(student.learn(&["run", "missing_barrier"]).0, 0);
    let (status, text) = student.learn(&["run", "missing_barrier", "--replay", "n=33/2/reverse"]);
    assert_eq!(status, 0, "{text}");
}

#[test]
fn the_second_failure_shows_a_fix_that_was_tried_and_the_first_does_not() {
    if has_no_compiler() {
        return;
    }
    let student = Student::new();
    student.learn(&["list"]);
    let fix = "   = fix (tried, right in ";
    let (status, first) = student.learn(&["run", "missing_barrier"]);
    assert!(status == 1 && !first.contains(fix) && !first.contains("idea:"), "{first}");
    let (status, second) = student.learn(&["run", "missing_barrier"]);
    assert!(status == 1 && second.starts_with(&first), "the verdict is the same, and comes first: {second}");
    let told = &second[first.len()..];
    assert!(told.contains(fix) && told.contains("add `__syncthreads();` before line "), "{second}");
    // One that is right begins a new count.
    fs::copy(shipped("solution.cu"), student.file()).unwrap();
    assert_eq!(student.learn(&["run", "missing_barrier"]).0, 0);
    fs::copy(shipped("missing_barrier.cu"), student.file()).unwrap();
    assert!(!student.learn(&["run", "missing_barrier"]).1.contains(fix));
    // So does a new copy, and who asks need not fail twice.
    student.learn(&["reset", "missing_barrier", "--yes"]);
    let asked = student.learn(&["run", "missing_barrier", "--fix"]).1;
    assert!(asked.contains(fix), "{asked}");
    assert!(student.learn(&["run", "missing_barrier"]).1.contains(fix));
    // A file without a kernel has nothing to try.
    let empty = student.0.path().join("empty.cu");
    fs::write(&empty, "int nonsense").unwrap();
    let (_, none) = student.learn(&["run", "missing_barrier", "--fix", "--file", empty.to_str().unwrap()]);
    assert!(none.ends_with("No small change to try here. `h` shows a hint.\n"), "{none}");
}

#[test]
fn hints_come_one_at_a_time_and_a_solution_only_when_wanted() {
    let student = Student::new();
    for number in 1..=3 {
        let (_, text) = student.learn(&["hint", "missing_barrier"]);
        assert!(text.contains(&format!("hint {number} of 3")), "{text}");
        assert!(!text.contains(&format!("hint {} of 3", number + 1)), "{text}");
    }
    let (status, text) = student.learn(&["solution", "missing_barrier"]);
    assert_eq!(status, 2, "{text}");
    assert!(text.contains("--yes") && !text.contains("__syncthreads"), "{text}");
    let (status, text) = student.learn(&["solution", "missing_barrier", "--yes"]);
    assert_eq!(status, 0, "{text}");
    assert!(text.contains("__syncthreads"), "{text}");
    let (status, text) = student.learn(&["solution", "missing_bar"]);
    assert_eq!(status, 2, "{text}");
    assert!(text.contains("did you mean `02_sync/missing_barrier`"), "{text}");
}

#[test]
fn without_a_compiler_there_is_something_to_do_and_the_rest_says_what_is_missing() {
    let student = Student::new();
    let bare = |words: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_learn"));
        command.env("LESSON_LANG", "en");
        command.args(["--dir", "mine"]).args(words).current_dir(student.0.path()).stdin(Stdio::null());
        command.env("NVCC", "no-nvcc").env("NVRTC", "no-nvrtc").env("HOME", student.0.path());
        text(command.output().unwrap())
    };
    let catalog = Catalog::read(&shipped("").join("../..")).unwrap();
    let puzzles: Vec<_> = catalog.exercises.iter().filter(|exercise| exercise.spec.kind.is_puzzle()).collect();
    assert!(!puzzles.is_empty());
    for exercise in puzzles {
        let solution = exercise.solution();
        let (status, text) = bare(&["run", &exercise.name, "--file", solution.to_str().unwrap()]);
        assert_eq!(status, 0, "{}: {text}", exercise.name);
    }
    let (status, text) = bare(&["run", "missing_barrier"]);
    assert_eq!(status, 2, "{text}");
    assert!(text.contains("cargo toolkit install"), "{text}");
    let (status, text) = bare(&["doctor"]);
    assert_eq!(status, 1, "{text}");
    assert!(text.contains("cargo toolkit install"), "{text}");
}

#[test]
fn kinds_are_explained() {
    let student = Student::new();
    let (status, text) = student.learn(&["explain", "race-shared"]);
    assert!(status == 0 && text.starts_with("# race-shared"), "{text}");
    let (status, text) = student.learn(&["explain", "race"]);
    assert!(status == 2 && text.contains("race-global"), "{text}");
}

/// A limit on the size of files stands for a full disk.
#[test]
fn a_full_disk_is_named_and_costs_no_work() {
    let student = Student::new();
    student.learn(&["list"]);
    fs::write(student.file(), "my work").unwrap();
    let before = fs::read_to_string(student.mine("progress.toml")).unwrap();
    let script = "trap '' XFSZ; ulimit -f 0; exec \"$0\" --catalog catalog --dir mine reset missing_barrier --yes";
    let output = Command::new("sh")
        .env("LESSON_LANG", "en")
        .args(["-c", script, env!("CARGO_BIN_EXE_learn")])
        .current_dir(student.0.path())
        .output();
    let (status, text) = text(output.unwrap());
    assert_eq!(status, 2, "{text}");
    assert!(text.contains("cannot write") && text.contains("free some space"), "{text}");
    assert_eq!(fs::read_to_string(student.mine("progress.toml")).unwrap(), before);
    let kept = student.file().with_extension("mine-1.cu");
    assert_eq!(fs::read_to_string(kept).unwrap(), "my work");
}

#[test]
fn a_folder_that_cannot_be_made_is_named() {
    let student = Student::new();
    fs::write(student.0.path().join("mine"), "a file where the folder should be").unwrap();
    let (status, text) = student.learn(&["list"]);
    assert_eq!(status, 2, "{text}");
    assert!(text.contains("cannot create") && text.contains("--dir"), "{text}");
}
