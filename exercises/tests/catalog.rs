//! Every exercise fails as shipped in the way it says, its solutions pass, its wrong answers are rejected with their
//! kind.

use learn::Language;
use learn::catalog::Catalog;
use learn::compile::Compiler;
use learn::form::form;
use learn::verify::{Verified, report, verify};
use std::fs;
use std::path::Path;

/// Rows of a screen of 100 columns that a verdict may take: a student sees the source beside it.
const ROWS: usize = 24;

/// Checks one of every `every` exercises of the folder, from the first on.
fn check(folder: &str, every: usize) -> Vec<Verified> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut catalog = Catalog::read(&folder).unwrap_or_else(|error| panic!("{error:#}"));
    let disagreements = catalog.disagreements().expect("the folders can be listed");
    let mut number = 0..;
    catalog.exercises.retain(|_| number.next().is_some_and(|number| number % every == 0));
    if skipped::unless(skipped::CUDA_COMPILER, &Compiler::find()) {
        return Vec::new();
    }
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let program = Path::new(env!("CARGO_BIN_EXE_learn"));
    let verified = verify(&catalog, "", program, workers, "cargo learn").unwrap_or_else(|error| panic!("{error:#}"));
    let (text, good) = report(&verified, &disagreements);
    assert!(good, "{text}");
    verified
}

fn rows(text: &str) -> usize {
    text.lines().map(|line| line.chars().count().div_ceil(100).max(1)).sum()
}

#[test]
fn the_catalogue_holds_what_it_promises_and_its_first_verdicts_are_short() {
    let verified = check("catalog", skipped::share(3, 1));
    let first = verified.iter().filter(|one| one.name.starts_with("01_") || one.name.starts_with("02_"));
    let all = first.flat_map(|one| one.rejected.iter().map(move |it| (&one.name, it)));
    for (exercise, (name, text)) in all.clone() {
        let is_later = |(topic, word): &&(&str, &str)| exercise.starts_with(topic) && text.contains(word);
        assert_eq!(LATER.iter().find(is_later), None, "{exercise}/{name}: {text}");
        let findings = text.lines().filter(|line| line.starts_with("error[") || line.ends_with(" allowed")).count();
        assert!(findings <= 1, "{exercise}/{name}: {text}");
    }
    let long = all.filter(|(_, (_, text))| rows(text) > ROWS);
    let long: Vec<String> =
        long.map(|(exercise, (name, text))| format!("{exercise}/{name}: {} rows\n{text}", rows(text))).collect();
    assert!(long.is_empty(), "{}", long.join("\n"));
}

/// Words of later topics, by the beginning of the names of exercises that are done before.
const LATER: [(&str, &str); 4] = [("01_", "fence"), ("01_", "cp.async"), ("01_", " lock"), ("02_", "cp.async")];

#[test]
fn every_exercise_of_the_course_can_be_read_in_spanish() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("catalog");
    let catalog = Catalog::read(&folder).unwrap();
    for exercise in &catalog.exercises {
        let spanish = exercise.spanish.as_ref().unwrap_or_else(|| panic!("{} has no exercise.es.toml", exercise.name));
        assert_eq!(form(exercise), [""; 0], "{}", exercise.name);
        let texts = exercise.handed_out_in_any().unwrap();
        assert_eq!(texts.len(), Language::ALL.len(), "{}", exercise.name);
        assert!(texts[1].contains(spanish.opening.lines().next().unwrap()), "{}", exercise.name);
        assert_ne!(texts[0], texts[1], "{}", exercise.name);
    }
    for (name, topic) in &catalog.topics {
        let spanish = catalog.title_in(name, topic, Language::Spanish);
        assert!(spanish != topic.title, "{name} has no topic.es.toml");
    }
}

#[test]
fn kinds_without_code_are_judged_by_what_a_run_shows() {
    check("tests/catalog", 1);
}

/// An author's mistakes, one at a time: each is told in one piece, in words, and no run is wasted on what cannot be
/// judged.
#[test]
fn what_is_wrong_with_an_exercise_is_told_once() {
    if skipped::unless(skipped::CUDA_COMPILER, &Compiler::find()) {
        return;
    }
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("catalog/02_sync/missing_barrier");
    let read = |name: &str| fs::read_to_string(own.join(name)).unwrap();
    let spec = |old: &str, new: &str| {
        assert!(read("exercise.toml").contains(old), "{old}");
        Some(read("exercise.toml").replacen(old, new, 1))
    };
    let solution = read("solution.cu");
    let wrong = |first: &str| Some(format!("{first}\n// a student takes this for a mistake\n{solution}"));
    let cases = [
        ("solution.cu", None, "there is no solution.cu"),
        ("check.cu", None, "there is no check.cu"),
        ("check.cu", Some(read("check.cu").replacen(';', "", 1)), "check.cu does not compile:"),
        (
            "check.cu",
            Some(read("check.cu").replacen('{', "{ data[1 << 20] = 1;", 1)),
            "`expected` of check.cu: it accessed",
        ),
        ("wrong_a.cu", wrong("// wrong: race-shared"), "wrong_a.cu passes, it should be race-shared"),
        ("wrong_a.cu", wrong("// wrong: rase-shared"), "wrong_a.cu: no verdict has the reason `rase-shared`"),
        ("right_a.cu", Some(solution.clone()), "right_a.cu and solution.cu are the same answer"),
        ("exercise.toml", spec("len   = \"n\"", "len   = \"m\""), "[[buffer]] data, len: `m`: there is no size `m`"),
        ("exercise.toml", spec("grid   = 1", "grid   = \"ceil(n, 3)\""), "[[launch]] turn_round, grid: `ceil(n, 3)`:"),
        ("exercise.toml", spec("\"data\", \"n\"", "\"dat\", \"n\""), "[[launch]] turn_round, args: there is neither"),
        ("exercise.toml", spec("\"turn_round\"", "\"turn\""), "[[launch]] names the kernel `turn`"),
        ("exercise.toml", spec("\"expected\"", "\"wanted\""), "check.cu has no `wanted(...)`"),
        ("exercise.toml", spec("to = 512", "to = 0"), "size `n` cannot be drawn"),
        ("exercise.toml", spec("to = 512", "to = 512, step = 0"), "size `n` cannot be drawn"),
        (
            "exercise.toml",
            spec("block  = \"n\"", "block  = \"8 * n\""),
            "solution.cu is rejected as launch, it should pass",
        ),
        (
            "exercise.toml",
            spec("threads = \"n / 2\"", "threads = \"n / 2 + 1\""),
            "right_pairs.cu is rejected as idle, it should pass",
        ),
        ("exercise.toml", spec("busiest = 100", "busiest = 9999"), "[work] busiest = 9999 is more than three times"),
        (
            "exercise.toml",
            spec("[work]", "[budget]\nbarrier = { at_most = 1 }\n[work]"),
            "[budget] barrier: no counter is",
        ),
        (
            "missing_barrier.cu",
            Some(read("missing_barrier.cu").replacen("{\n", "{\n    // A new line.\n", 1)),
            "exercise.es.toml: 1 comments, the shipped file has 2",
        ),
    ];
    let program = Path::new(env!("CARGO_BIN_EXE_learn"));
    for (file, text, part) in cases {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("02_sync/missing_barrier");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.with_file_name("topic.toml"), "title = 't'\nlesson = 'l'\norder = ['missing_barrier']\n")
            .unwrap();
        for entry in fs::read_dir(&own).unwrap() {
            let path = entry.unwrap().path();
            fs::copy(&path, folder.join(path.file_name().unwrap())).unwrap();
        }
        match text {
            Some(text) => fs::write(folder.join(file), text).unwrap(),
            None => fs::remove_file(folder.join(file)).unwrap(),
        }
        let catalog = Catalog::read(place.path()).unwrap();
        let verified = verify(&catalog, "", program, 1, "cargo learn").unwrap();
        let problems = &verified[0].problems;
        assert_eq!(problems.len(), 1, "{part}: {problems:#?}");
        assert!(problems[0].contains(part), "{part}: {}", problems[0]);
        // No structure of the program's own.
        assert!(!problems[0].contains("Stop::") && !problems[0].contains("Signature("), "{}", problems[0]);
    }
}
