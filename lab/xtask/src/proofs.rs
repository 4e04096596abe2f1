//! `cargo xtask proofs`: which kernels of the lessons are proved by a visit of all their executions.
//!
//! Each lesson runs with `--exhaust` and answers in JSON; here the answers become `docs/proofs.md`. `--check` makes
//! them again and compares the verdicts. With `--sample` it takes the rows that are quick, in a debug build.

mod document;

use crate::lessons::{self, Lessons, TableLine};
use anyhow::{Context, Result, bail, ensure};
use document::{LessonProofs, Line, Proof};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

pub const DOCUMENT: &str = "docs/proofs.md";

/// Kernels of a row that is part of a sample, at most: a kernel's time is that of the last size alone.
const SAMPLE_KERNELS: usize = 8;

/// The memory of a lesson that explores a row, at most, in KiB.
const MOST_KIB: u64 = 8 << 20;

/// Writes the document anew, but for what stands after its last lesson.
pub fn remake(root: &Path) -> Result<String> {
    let made = all(root)?;
    let path = root.join(DOCUMENT);
    let before = fs::read_to_string(&path).unwrap_or_default();
    let text = document::text(&made, document::appendix(&before));
    fs::write(&path, text).with_context(|| format!("cannot write {DOCUMENT}"))?;
    Ok(document::totals(&made))
}

/// Explores every kernel again, and fails where a verdict is not the stored one.
pub fn check(root: &Path) -> Result<String> {
    let (stored, made) = (stored(root)?, all(root)?);
    let lines = made.iter().flat_map(LessonProofs::lines).collect::<Vec<_>>();
    let mut problems = document::differences(&stored, &lines);
    let is_there = |line: &&Line| lines.iter().any(|other| other.is_of_same_kernel(line));
    let gone = stored.iter().filter(|line| !is_there(line));
    problems.extend(gone.map(|line| format!("{} is no kernel of {}", line.kernel, line.lesson)));
    conclude(&problems)?;
    Ok(document::totals(&made))
}

/// As `check`, of some rows, in a debug build.
pub fn check_sample(root: &Path) -> Result<String> {
    let stored = stored(root)?;
    let mut lines = Vec::new();
    let mut rows = 0;
    for package in &Lessons::of(root)?.packages {
        let program = lessons::build(root, package, package, &[])?;
        let table = Lessons::built(program.parent().context("a program lies in a folder")?)?.table(package)?;
        let chosen = sample(&table, &stored, package);
        ensure!(!chosen.is_empty(), "{DOCUMENT} has no row of {package} that is quick");
        rows += chosen.len();
        lines.extend(proofs(&program, package, &table, &chosen)?.lines());
    }
    conclude(&document::differences(&stored, &lines))?;
    Ok(format!("{} kernels of {rows} rows have the verdicts of {DOCUMENT}", lines.len()))
}

fn conclude(problems: &[String]) -> Result<()> {
    if problems.is_empty() {
        return Ok(());
    }
    bail!("{DOCUMENT} is out of step\n  {}\nhelp: `cargo xtask proofs` remakes it", problems.join("\n  "))
}

fn stored(root: &Path) -> Result<Vec<Line>> {
    let text = fs::read_to_string(root.join(DOCUMENT)).with_context(|| format!("cannot read {DOCUMENT}"))?;
    let lines = document::parse(&text);
    ensure!(!lines.is_empty(), "{DOCUMENT} has no kernels");
    Ok(lines)
}

fn all(root: &Path) -> Result<Vec<LessonProofs>> {
    let lessons = Lessons::of(root)?;
    let of = |package: &String| {
        let table = lessons.table(package)?;
        proofs(&lessons.program(package)?, package, &table, &rows(&table))
    };
    lessons.packages.iter().map(of).collect()
}

/// Explores the kernels of these rows. Fails if a correct one has a wrong execution.
fn proofs(program: &Path, package: &str, table: &[TableLine], rows: &[String]) -> Result<LessonProofs> {
    let begin = Instant::now();
    let variants: BTreeMap<&str, &str> =
        table.iter().map(|line| (line.kernel.as_str(), line.variant.as_str())).collect();
    let mut found = LessonProofs::new(package);
    for row in rows {
        match explored(program, row)? {
            Some(answer) => {
                for kernel in answer["exhausted"].as_array().context("the lesson does not say what it explored")? {
                    found.proofs.push(proof(kernel, &variants)?);
                }
            }
            None => {
                let kernels = table.iter().filter(|line| line.row == *row);
                found.proofs.extend(kernels.map(|line| Proof::without_memory(&line.kernel, line.variant == "broken")));
            }
        }
    }
    found.seconds = begin.elapsed().as_secs();
    println!("{package}: {} kernels in {} s", found.proofs.len(), found.seconds);
    Ok(found)
}

/// A lesson's answer about a row, or `None` if its process ended without one. It runs alone, with bounded memory: a
/// search may hold more executions than a machine has room for.
fn explored(program: &Path, row: &str) -> Result<Option<Value>> {
    let limit = format!("ulimit -v {MOST_KIB}; exec \"$0\" \"$@\"");
    let words = ["--device", "emulator", "--format", "json", "--exhaust", "--only", row];
    let mut command = Command::new("sh");
    command.args(["-c", &limit]).arg(program).args(words).stderr(Stdio::null());
    let output = command.output().with_context(|| format!("cannot run {}", program.display()))?;
    if output.stdout.is_empty() {
        println!("{row}: no answer, {}", output.status);
        return Ok(None);
    }
    serde_json::from_slice(&output.stdout).map(Some).with_context(|| format!("{row} gave no JSON"))
}

/// Rows that have kernels, each once.
fn rows(table: &[TableLine]) -> Vec<String> {
    let mut rows: Vec<String> = table.iter().filter(|line| line.is_run()).map(|line| line.row.clone()).collect();
    rows.dedup();
    rows
}

fn proof(kernel: &Value, variants: &BTreeMap<&str, &str>) -> Result<Proof> {
    let name = kernel["kernel"].as_str().context("a kernel without a name")?;
    let variant = variants.get(name).with_context(|| format!("{name} is not in its lesson's table"))?;
    let proof = Proof::of(kernel, *variant == "broken").with_context(|| format!("{name} lacks a number"))?;
    ensure!(proof.is_broken || proof.wrong == 0, "{name} has {} wrong executions, and should have none", proof.wrong);
    Ok(proof)
}

/// The rows that the document calls quick.
fn sample(table: &[TableLine], stored: &[Line], package: &str) -> Vec<String> {
    let is_quick = |row: &String| {
        let kernels = || table.iter().filter(|line| line.row == *row && line.is_run());
        kernels().count() <= SAMPLE_KERNELS
            && kernels().all(|kernel| stored.iter().any(|line| line.is_quick() && line.is_of(package, &kernel.kernel)))
    };
    rows(table).into_iter().filter(is_quick).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_takes_rows_that_are_quick() {
        let line = |row: &str, kernel: &str, variant: &str| TableLine {
            row: row.to_string(),
            kernel: kernel.to_string(),
            variant: variant.to_string(),
        };
        let table = [
            line("refused", "refused_broken", "compile-fail"),
            line("sum", "sum_broken", "broken"),
            line("sum", "sum_correct", "correct"),
            line("slow", "slow_correct", "correct"),
            line("copy", "copy_correct", "correct"),
        ];
        let text = "## lesson99-trial\n| `sum_broken` | 2 | 4 of 4 wrong | < 0.1 s |\n\
            | `sum_correct` | 2 | all 2 right | < 0.1 s |\n| `slow_correct` | 2 | all 3 right | < 10 s |\n";
        assert_eq!(sample(&table, &document::parse(text), "lesson99-trial"), ["sum"]);
        assert!(sample(&table, &document::parse(text), "lesson98").is_empty());
    }
}
