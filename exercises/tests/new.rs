//! The work of an author: a new exercise of each kind does what it promises as it comes, and makes a pack that can be
//! used.

use learn::compile::Compiler;
use learn::pack::COURSE;
use learn::spec::ExerciseKind;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// An author's folder, with nothing in it.
struct Author(tempfile::TempDir);

impl Author {
    fn new() -> Author {
        Author(tempfile::tempdir().unwrap())
    }

    fn path(&self, below: &str) -> PathBuf {
        self.0.path().join(below)
    }

    fn read(&self, below: &str) -> String {
        fs::read_to_string(self.path(below)).unwrap_or_else(|error| panic!("{below}: {error}"))
    }

    /// Exit status, and everything printed.
    fn learn(&self, words: &[&str]) -> (i32, String) {
        self.run(words, &[])
    }

    fn run(&self, words: &[&str], environment: &[(&str, &str)]) -> (i32, String) {
        let output = Command::new(env!("CARGO_BIN_EXE_learn"))
            .env("LESSON_LANG", "en")
            .args(["--catalog", "exam", "--dir", "mine"])
            .args(words)
            .envs(environment.iter().copied())
            .current_dir(self.0.path())
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
        (output.status.code().unwrap_or(-1), text)
    }

    fn made(&self, name: &str, kind: ExerciseKind) {
        let (status, text) = self.learn(&["new", name, "--kind", kind.as_str()]);
        assert_eq!(status, 0, "{text}");
        assert!(text.contains(&format!("cargo learn --catalog exam verify {name}")), "{text}");
    }
}

/// No compiler: neither by name nor where one may lie.
const NONE: [(&str, &str); 3] =
    [("NVCC", "/nonexistent/nvcc"), ("NVRTC", "/nonexistent/nvrtc"), ("XDG_CACHE_HOME", "/nonexistent")];

fn has_no_compiler() -> bool {
    skipped::unless(skipped::CUDA_COMPILER, &Compiler::find())
}

#[test]
fn each_kind_holds_what_it_promises_as_it_comes_and_makes_a_pack() {
    if has_no_compiler() {
        return;
    }
    let author = Author::new();
    for kind in ExerciseKind::ALL {
        author.made(&format!("01_own/{}_it", kind.as_str()), kind);
    }
    assert_eq!(author.read("exam/pack.toml"), format!("name   = \"exam\"\ncourse = \"{COURSE}\"\n"));
    assert!(author.read("exam/01_own/topic.toml").contains("    \"fix_it\",\n    \"fill_it\",\n"));
    let (status, text) = author.learn(&["verify"]);
    assert_eq!(status, 0, "{text}");
    assert!(text.contains("9 of 9 exercises do what they promise"), "{text}");

    // A source that changed: its PTX is out of step, and is made again.
    let source = author.read("exam/01_own/break_it/break_it.cu").replace("data[0] = 1;", "data[0] = 1 ;");
    fs::write(author.path("exam/01_own/break_it/break_it.cu"), source).unwrap();
    let (status, text) = author.learn(&["verify", "break_it"]);
    assert!(status == 1 && text.contains("verify 01_own/break_it --store` makes it"), "{text}");
    let (status, text) = author.learn(&["verify", "break_it", "--store"]);
    assert!(status == 0 && text.contains("stored exam/01_own/break_it/break_it.ptx"), "{text}");
    let ptx = author.read("exam/01_own/break_it/break_it.ptx");
    assert!(ptx.contains("\"01_own/break_it/break_it.cu\""), "nobody's own path: {ptx}");

    // Students do them, with a compiler or, where it needs none, without.
    for (name, answer) in [("predict_it", "solution.cu"), ("break_it", "solution.cu")] {
        let file = author.path(&format!("exam/01_own/{name}/{answer}"));
        let (status, text) = author.run(&["run", name, "--file", &file.to_string_lossy()], &NONE);
        assert!(status == 0 && text.contains("solved:"), "{text}");
    }
    let (status, text) = author.run(&[], &NONE);
    assert!(status == 1 && text.contains("cargo toolkit install") && text.contains("01_own/predict_it:"), "{text}");
    let (status, text) = author.run(&["run", "fix_it"], &NONE);
    assert!(status == 2 && text.contains("`cargo learn --catalog exam --dir mine` goes to the next"), "{text}");
    let (status, text) = author.learn(&["run", "fix_it"]);
    assert!(status == 1 && text.contains("cargo learn --catalog exam --dir mine run fix_it --replay"), "{text}");
    let (status, text) = author.learn(&["list"]);
    assert!(status == 0 && text.contains("01_own  [----------] 0/9  Own") && text.contains("0 of 9 solved"), "{text}");
    let (status, text) = author.learn(&["solution", "simplify_it", "--yes"]);
    assert!(status == 0 && text.contains("nothing to order"), "{text}");

    fs::remove_file(author.path("exam/01_own/simplify_it/solution.cu")).unwrap();
    let (status, text) = author.learn(&["solution", "simplify_it", "--yes"]);
    assert!(status == 2 && text.contains("without a solution of 01_own/simplify_it"), "{text}");

    // Another version of the course.
    fs::write(author.path("exam/pack.toml"), "name = 'exam'\ncourse = '0.0.3'\n").unwrap();
    for words in [&["list"][..], &["run", "fix_it"], &["grade", "exam"]] {
        let (status, text) = author.learn(words);
        assert!(status == 2 && text.contains("`cargo learn --catalog exam verify` checks them"), "{text}");
    }
    let (status, text) = author.learn(&["verify", "fill_it"]);
    assert!(status == 0 && text.contains("checked with version 0.0.3"), "{text}");
    fs::remove_file(author.path("exam/pack.toml")).unwrap();
    let (status, text) = author.learn(&["list"]);
    assert!(status == 2 && text.contains("course = \""), "{text}");
}

#[test]
fn names_that_are_taken_or_none_are_refused_and_nothing_is_written() {
    let author = Author::new();
    author.made("02_more/first", ExerciseKind::Simplify);
    let before = author.read("exam/02_more/topic.toml");
    for (name, why) in [
        ("first", "write `first` like"),
        ("02_more/first", "is there already"),
        ("03_else/first", "has this name already"),
        ("02_more/solution", "cannot be called"),
        ("02_more/wrong_way", "cannot be called"),
        ("02_more/2nd", "cannot be called"),
        ("02_more/Second", "no name for the exercise"),
        ("02_more/../up", "no name for the exercise"),
        ("../up/second", "no name"),
        ("02 more/second", "no name for the topic"),
        ("02_more/", "no name for the exercise"),
    ] {
        let (status, text) = author.learn(&["new", name]);
        assert!(status == 2 && text.contains(why), "{name}: {text}");
    }
    assert_eq!(author.read("exam/02_more/topic.toml"), before);
    assert!(!author.path("exam/03_else").exists() && !author.path("up").exists());
}

#[test]
fn without_a_compiler_it_says_what_is_missing() {
    let author = Author::new();
    let (status, text) = author.run(&["new", "01_own/ask", "--kind", "predict"], &NONE);
    assert!(status == 0 && text.contains("cargo toolkit install") && text.contains("--store"), "{text}");
    let (status, text) = author.run(&["run", "ask"], &NONE);
    assert!(status == 2 && text.contains("cargo toolkit install"), "{text}");
}
