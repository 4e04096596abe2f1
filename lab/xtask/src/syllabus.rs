//! `docs/syllabus.md` against what is there: each row of a lesson and each exercise has its place in it, all that it
//! names exists, and a session's minutes are what its heading says.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

pub const PATH: &str = "docs/syllabus.md";

/// The parts of the course that can be named.
struct Course {
    /// `lesson02-sync reverse`
    rows: BTreeSet<String>,
    /// `02_sync/missing_barrier`
    exercises: BTreeSet<String>,
}

pub fn check(root: &Path) -> Result<Vec<String>> {
    let text = fs::read_to_string(root.join(PATH)).with_context(|| format!("cannot read {PATH}"))?;
    Ok(problems(&text, &course(root)?))
}

fn course(root: &Path) -> Result<Course> {
    let mut course = Course { rows: BTreeSet::new(), exercises: BTreeSet::new() };
    for path in crate::tidy::files(root)?.iter().filter(|path| path.starts_with("lesson")) {
        if let Some((lesson, _)) = path.split_once("/src/") {
            let topic = fs::read_to_string(root.join(path)).with_context(|| format!("cannot read {path}"))?;
            course.rows.extend(rows(&topic).map(|row| format!("{lesson} {row}")));
        }
    }
    let catalog = root.join("exercises/catalog");
    for topic in folders(&catalog)? {
        let names = folders(&catalog.join(&topic))?;
        course.exercises.extend(names.iter().map(|name| format!("{topic}/{name}")));
    }
    Ok(course)
}

fn folders(folder: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            names.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    Ok(names)
}

/// The names in `Row::pair("reverse", ...)` and its kin.
fn rows(topic: &str) -> impl Iterator<Item = &str> {
    topic.split("Row::").skip(1).filter_map(|rest| rest.split_once("(\"")?.1.split('"').next())
}

fn problems(text: &str, course: &Course) -> Vec<String> {
    let mut problems = Vec::new();
    let mut unnamed_rows = course.rows.clone();
    let mut unnamed_exercises = course.exercises.clone();
    for session in text.split("\n## ").skip(1) {
        let (heading, body) = session.split_once('\n').unwrap_or((session, ""));
        let lesson = quoted(heading).next().unwrap_or("");
        let promised =
            heading.rsplit_once('(').and_then(|(_, rest)| rest.strip_suffix(" minutes)")?.parse::<u32>().ok());
        let mut minutes = 0;
        for line in body.lines().filter(|line| line.starts_with("| ")) {
            minutes += line.split('|').nth(1).and_then(|cell| cell.trim().parse::<u32>().ok()).unwrap_or(0);
            for words in quoted(line) {
                for row in words.split("--only ").skip(1).filter_map(|rest| rest.split_whitespace().next()) {
                    let row = format!("{lesson} {row}");
                    if !course.rows.contains(&row) {
                        problems.push(format!("{heading}: there is no row `{row}`"));
                    }
                    unnamed_rows.remove(&row);
                }
                if let Some(name) = words.strip_prefix("cargo learn run ") {
                    let is_it = |exercise: &String| exercise.rsplit('/').next() == Some(name);
                    if !course.exercises.iter().any(is_it) {
                        problems.push(format!("{heading}: there is no exercise `{name}`"));
                    }
                }
                if words.contains('/') && words.starts_with(|c: char| c.is_ascii_digit()) {
                    if !course.exercises.contains(words) {
                        problems.push(format!("{heading}: there is no exercise `{words}`"));
                    }
                    unnamed_exercises.remove(words);
                }
            }
        }
        if promised != Some(minutes) {
            problems.push(format!("{heading}: its rows take {minutes} minutes"));
        }
    }
    problems.extend(unnamed_rows.iter().map(|row| format!("row `{row}` has no place in it")));
    problems.extend(unnamed_exercises.iter().map(|name| format!("exercise `{name}` has no place in it")));
    problems
}

/// The words in backquotes.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_or_not_there_is_named() {
        let set = |names: &[&str]| names.iter().map(|name| name.to_string()).collect();
        let course = Course { rows: set(&["lesson02-sync reverse"]), exercises: set(&["02_sync/missing_barrier"]) };
        let good = "# S\n\n## 1. B: `lesson02-sync` (90 minutes)\n\n| Minutes | Run |\n|---|---|\n\
                    | 60 | `--only reverse` |\n| 30 | `cargo learn run missing_barrier` | `02_sync/missing_barrier` \
                    |\n";
        assert_eq!(problems(good, &course), Vec::<String>::new());
        let wrong = |from: &str, to: &str| problems(&good.replacen(from, to, 1), &course).len();
        assert_eq!(wrong("60", "50"), 1);
        assert_eq!(wrong("reverse", "revers"), 2, "one unknown, one without a place");
        assert_eq!(wrong("run missing", "run mising"), 1);
        assert_eq!(wrong("02_sync/missing", "02_sync/mising"), 2);
        assert_eq!(wrong("lesson02", "lesson03"), 2);
    }

    #[test]
    fn rows_are_found_in_a_topic() {
        let topic = "Row::pair(\"flag\", Slug::RaceGlobal).fixed(64),\n    Row::of(\"ladder\")\n  \
            Row::wrong_result_pair(\"b\")";
        assert_eq!(rows(topic).collect::<Vec<_>>(), ["flag", "ladder", "b"]);
    }
}
