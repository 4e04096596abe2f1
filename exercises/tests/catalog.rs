//! Every exercise fails as shipped in the way it says, its solutions pass, its wrong answers are rejected with their kind.

use learn::Language;
use learn::catalog::Catalog;
use learn::compile::Compiler;
use learn::verify::{Verified, form, report, verify};
use std::path::Path;

/// Rows of a screen of 100 columns that a verdict may take: a student sees the source beside it.
const ROWS: usize = 24;

fn check(folder: &str) -> Vec<Verified> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let catalog = Catalog::read(&folder).unwrap_or_else(|error| panic!("{error:#}"));
    if let Err(why) = Compiler::find() {
        println!("skipped: {why:#}");
        return Vec::new();
    }
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let program = Path::new(env!("CARGO_BIN_EXE_learn"));
    let verified = verify(&catalog, "", program, workers, "cargo learn").unwrap_or_else(|error| panic!("{error:#}"));
    let (text, good) = report(&verified, &catalog.disagreements().expect("the folders can be listed"));
    assert!(good, "{text}");
    verified
}

fn rows(text: &str) -> usize {
    text.lines().map(|line| line.chars().count().div_ceil(100).max(1)).sum()
}

#[test]
fn the_catalogue_holds_what_it_promises_and_its_first_verdicts_are_short() {
    let verified = check("catalog");
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
    check("tests/catalog");
}
