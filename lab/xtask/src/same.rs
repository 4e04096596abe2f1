//! `cargo xtask same keep|compare FOLDER`: everything that the programs say, before and after a change that is to
//! change nothing.
//!
//! The lessons say their reports as text in each language, as JSON with the data of every page, and as SARIF. `cargo
//! learn` grades every answer of the catalogue, each in its language. Of the schemas counts what they say, not in which
//! definitions.

use crate::lessons::{Lessons, build};
use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const CATALOG: &str = "exercises/catalog";
/// The folder in which they are handed in.
const CLASS: &str = "target/same";
const SCHEMAS: [&str; 2] = ["docs/output.schema.json", "docs/trace.schema.json"];
const LANGUAGES: [&str; 2] = ["en", "es"];
/// The fields of a grade that differ from run to run.
const VOLATILE: [&str; 2] = ["seconds", "cached"];
/// Differences that are shown.
const SHOWN: usize = 20;

pub fn keep(root: &Path, folder: &Path) -> Result<String> {
    ensure!(!folder.exists(), "{} is there already", folder.display());
    let files = said(root, folder)?;
    Ok(format!("{} files are kept in {}", files.len(), folder.display()))
}

pub fn compare(root: &Path, folder: &Path) -> Result<String> {
    ensure!(folder.is_dir(), "no folder {}: `cargo xtask same keep` makes it, before the change", folder.display());
    let now = tempfile::tempdir().context("cannot create a folder")?;
    let files = said(root, now.path())?;
    let kept = listed(folder, folder)?;
    let mut differences = Vec::new();
    for name in files.union(&kept) {
        let read = |folder: &Path| fs::read_to_string(folder.join(name)).unwrap_or_default();
        differences.extend(difference(name, &read(folder), &read(now.path())));
    }
    if !differences.is_empty() {
        let more = differences.len().saturating_sub(SHOWN);
        differences.truncate(SHOWN);
        bail!("not the same as before, and {more} more such files:\n{}", differences.join("\n"));
    }
    Ok(format!("all {} files are as they were", files.len()))
}

/// The first line that differs.
fn difference(name: &str, before: &str, after: &str) -> Option<String> {
    if before == after {
        return None;
    }
    let (mut old, mut new) = (before.lines(), after.lines());
    for number in 1.. {
        let (old, new) = (old.next(), new.next());
        if old != new || old.is_none() {
            let [old, new] = [old, new].map(|line| line.unwrap_or("(nothing)").chars().take(300).collect::<String>());
            return Some(format!("{name}, line {number}\n  before: {old}\n  now:    {new}"));
        }
    }
    None
}

/// Writes into `folder` what everything says. Gives the files' names.
fn said(root: &Path, folder: &Path) -> Result<BTreeSet<String>> {
    let lessons = Lessons::of(root)?.packages;
    for lesson in &lessons {
        println!("{lesson}");
        let program = build(root, lesson, lesson, &[])?;
        let pages = folder.join(lesson).join("pages");
        fs::create_dir_all(&pages)?;
        let emulated = |arguments: &[&str]| {
            let mut command = Command::new(&program);
            command.current_dir(root).args(["--device", "emulator"]).args(arguments);
            command
        };
        for language in LANGUAGES {
            let text = output(&mut emulated(&["--verbose", "--lang", language]))?;
            fs::write(folder.join(lesson).join(format!("report.{language}.txt")), text)?;
            let text = output(&mut emulated(&["--list", "--lang", language]))?;
            fs::write(folder.join(lesson).join(format!("list.{language}.txt")), text)?;
        }
        let json = output(emulated(&["--format", "json", "--site"]).arg(&pages))?;
        fs::write(folder.join(lesson).join("report.json"), in_lines(&json)?)?;
        let sarif = output(&mut emulated(&["--format", "sarif"]))?;
        fs::write(folder.join(lesson).join("report.sarif"), in_lines(&sarif)?)?;
    }
    let learn = build(root, "learn", "learn", &["--bins"])?;
    for language in LANGUAGES {
        println!("exercises, {language}");
        fs::write(folder.join(format!("grades.{language}.json")), grades(root, &learn, language)?)?;
    }
    for path in SCHEMAS {
        let schema = serde_json::from_str(&fs::read_to_string(root.join(path))?)?;
        let name = Path::new(path).file_name().context("a file has a name")?;
        fs::write(folder.join(name), serde_json::to_string_pretty(&resolved(&schema, &schema, &mut Vec::new()))?)?;
    }
    listed(folder, folder)
}

/// Its standard output. A status counts for nothing: a broken kernel that is found is no error here.
fn output(command: &mut Command) -> Result<String> {
    let name = format!("{:?}", command.get_program());
    let output = command.stderr(Stdio::inherit()).output().with_context(|| format!("cannot run {name}"))?;
    ensure!(!output.stdout.is_empty(), "{name} said nothing: {}", output.status);
    String::from_utf8(output.stdout).with_context(|| format!("{name} does not answer in UTF-8"))
}

/// JSON with a value in each line, so that a difference is one.
fn in_lines(text: &str) -> Result<String> {
    let value: Value = serde_json::from_str(text)?;
    Ok(serde_json::to_string_pretty(&value)?)
}

/// All answers of the catalogue, as submissions of a class.
fn grades(root: &Path, learn: &Path, language: &str) -> Result<String> {
    // Verdicts may name it.
    let class = root.join(CLASS);
    if class.exists() {
        fs::remove_dir_all(&class).with_context(|| format!("cannot remove {}", class.display()))?;
    }
    for topic in folders(&root.join(CATALOG))? {
        for exercise in folders(&topic)? {
            submit(&exercise, &class)?;
        }
    }
    let mut command = Command::new(learn);
    command.current_dir(root).env_remove("CARGO_MANIFEST_DIR").args(["--lang", language, "--verbose", "grade"]);
    // Answers of ours, of which each may use the machine as it is.
    let cache = tempfile::tempdir().context("cannot create a folder")?;
    command.arg(&class).args(["--format", "json", "--no-sandbox", "--cache"]).arg(cache.path());
    let mut grades: Value = serde_json::from_str(&output(&mut command)?).context("the grades are no JSON")?;
    forget(&mut grades);
    Ok(serde_json::to_string_pretty(&grades)?)
}

/// The answers of an exercise, each as the submission of another student.
fn submit(exercise: &Path, class: &Path) -> Result<()> {
    let name = exercise.file_name().context("a folder has a name")?.to_string_lossy().into_owned();
    let mut answers: Vec<PathBuf> = fs::read_dir(exercise)?.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    answers.retain(|path| is_answer(path, &name));
    answers.sort();
    for (number, answer) in answers.iter().enumerate() {
        let student = class.join(format!("{number:02}"));
        fs::create_dir_all(&student)?;
        let file = Path::new(&name).with_extension(answer.extension().unwrap_or_default());
        fs::copy(answer, student.join(file))?;
    }
    Ok(())
}

fn is_answer(path: &Path, exercise: &str) -> bool {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let is_code = path.extension().is_some_and(|extension| extension == "cu" || extension == "rs");
    is_code && (stem == exercise || stem == "solution" || stem.starts_with("right_") || stem.starts_with("wrong_"))
}

fn folders(parent: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(parent).with_context(|| format!("cannot open {}", parent.display()))?;
    let mut found: Vec<PathBuf> = entries.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    found.retain(|path| path.is_dir());
    found.sort();
    Ok(found)
}

fn forget(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|name, _| !VOLATILE.contains(&name.as_str()));
            fields.values_mut().for_each(forget);
        }
        Value::Array(values) => values.iter_mut().for_each(forget),
        // A time that a program of the host has measured.
        Value::String(text) if text.contains("µs") => {
            let is_time = |line: &str| line.strip_suffix("µs").is_some_and(|number| number.parse::<f64>().is_ok());
            *text = text.lines().filter(|line| !is_time(line)).collect::<Vec<_>>().join("\n");
        }
        _ => {}
    }
}

/// `schema` with each definition where it is referred to, and none of its own; one that contains itself stays a name.
fn resolved(schema: &Value, all: &Value, open: &mut Vec<String>) -> Value {
    let Value::Object(fields) = schema else {
        return match schema {
            Value::Array(values) => values.iter().map(|value| resolved(value, all, open)).collect(),
            other => other.clone(),
        };
    };
    let mut made = serde_json::Map::new();
    for (name, value) in fields.iter().filter(|(name, _)| *name != "$defs") {
        let target = value.as_str().filter(|_| name == "$ref").and_then(|path| path.strip_prefix('#'));
        match target
            .filter(|target| !open.iter().any(|one| one == target))
            .and_then(|target| Some((target, all.pointer(target)?)))
        {
            Some((target, found)) => {
                open.push(target.to_string());
                made.insert("$ref".into(), resolved(found, all, open));
                open.pop();
            }
            None => _ = made.insert(name.clone(), resolved(value, all, open)),
        }
    }
    Value::Object(made)
}

/// Files at any depth below `folder`, by their paths in `top`.
fn listed(folder: &Path, top: &Path) -> Result<BTreeSet<String>> {
    let mut found = BTreeSet::new();
    for entry in fs::read_dir(folder).with_context(|| format!("cannot open {}", folder.display()))? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(listed(&path, top)?);
        } else {
            found.insert(path.strip_prefix(top)?.to_string_lossy().into_owned());
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_first_line_that_differs_is_told() {
        assert_eq!(difference("a", "1\n2\n", "1\n2\n"), None);
        assert_eq!(difference("a", "1\n2\n", "1\n3\n").unwrap(), "a, line 2\n  before: 2\n  now:    3");
        assert_eq!(difference("a", "1\n", "1\n2\n").unwrap(), "a, line 2\n  before: (nothing)\n  now:    2");
        assert!(difference("a", "1\n", "1").is_some());
    }

    #[test]
    fn schemas_are_the_same_whatever_their_definitions_are_called() {
        let one = json!({ "a": { "$ref": "#/$defs/A" }, "$defs": { "A": { "type": "string" } } });
        let other = json!({ "a": { "$ref": "#/$defs/B" }, "$defs": { "B": { "type": "string" }, "C": {} } });
        let resolved = |schema: &Value| resolved(schema, schema, &mut Vec::new());
        assert_eq!(resolved(&one), resolved(&other));
        assert_eq!(resolved(&one), json!({ "a": { "$ref": { "type": "string" } } }));
        let circle = json!({ "$ref": "#/$defs/A", "$defs": { "A": { "items": { "$ref": "#/$defs/A" } } } });
        assert_eq!(resolved(&circle), json!({ "$ref": { "items": { "$ref": "#/$defs/A" } } }));
    }

    #[test]
    fn an_exercises_answers_are_all_but_its_check() {
        for (name, is_one) in
            [("tail.cu", true), ("solution.rs", true), ("right_a.cu", true), ("wrong_b.cu", true), ("check.cu", false)]
        {
            assert_eq!(is_answer(Path::new(name), "tail"), is_one, "{name}");
        }
        assert!(!is_answer(Path::new("exercise.toml"), "tail"));
    }

    #[test]
    fn times_are_forgotten() {
        let mut grades = json!([{ "seconds": 1.5, "points": 1, "cached": true }]);
        forget(&mut grades);
        assert_eq!(grades, json!([{ "points": 1 }]));
    }
}
