//! `cargo xtask soak`: every kernel of every lesson under many more schedules than a lesson has patience for.
//!
//! The lessons run themselves, as built for release, and answer in JSON; here their answers become one table, in
//! `docs/soak.md` with date and commit. A run of the lesson uses all cores, so lessons go one after the other.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::lessons::{ask, packages};
use anyhow::{Context, Result, bail};
use serde_json::Value;

/// Schedules that take a seed and are worth many of them.
const SCHEDULES: [&str; 3] = ["random", "pct", "adversarial"];

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    pub seeds: u64,
    /// Only this lesson: `lesson04`.
    pub only: Option<String>,
}

/// `--seeds N` and `--only LESSON`, in any order.
pub fn options(mut words: &[&str]) -> Option<Options> {
    let mut options = Options { seeds: 1000, only: None };
    while let [name, value, rest @ ..] = words {
        match *name {
            "--seeds" => options.seeds = value.parse().ok().filter(|&seeds| seeds > 0)?,
            "--only" => options.only = Some(value.to_string()),
            _ => return None,
        }
        words = rest;
    }
    words.is_empty().then_some(options)
}

pub fn run(root: &Path, options: &Options) -> Result<String> {
    let mut packages = packages(root)?;
    if let Some(only) = &options.only {
        packages.retain(|package| package.split('-').next() == Some(only.as_str()) || package == only);
    }
    if packages.is_empty() {
        bail!("no lesson is called `{}`", options.only.as_deref().unwrap_or("lesson..."));
    }
    let mut lines = Vec::new();
    for package in &packages {
        for schedule in SCHEDULES {
            println!("{package}, {} seeds of {schedule}", options.seeds);
            let answer = ask(root, package, &["--schedule", schedule, "--seeds", &format!("0..{}", options.seeds)])?;
            lines.extend(table(&answer, schedule));
        }
    }
    let bad = lines.iter().filter(|line| !line.as_expected).count();
    let text = document(root, options, &lines)?;
    println!("{text}");
    if options.only.is_none() {
        fs::write(root.join("docs/soak.md"), text).context("cannot write docs/soak.md")?;
    }
    if bad > 0 {
        bail!("{bad} of {} lines are not as the lessons say", lines.len());
    }
    Ok(format!("{} kernels and schedules are as the lessons say", lines.len()))
}

#[derive(Debug, PartialEq, Eq)]
struct Line {
    cells: [String; 7],
    as_expected: bool,
}

/// A line for each kernel of a lesson's answer that runs; what nvcc refuses does not.
fn table(answer: &Value, schedule: &str) -> Vec<Line> {
    let text = |value: &Value| value.as_str().unwrap_or("?").to_string();
    let line = |row: &Value| {
        let runs = row["runs"].as_u64().unwrap_or(0);
        let found = row["found"].as_object();
        let found: Vec<String> =
            found.into_iter().flatten().map(|(slug, count)| format!("{slug} in {count}")).collect();
        let as_expected = row["expected"].as_bool() == Some(true);
        Line {
            cells: [
                text(&answer["lesson"]),
                text(&row["kernel"]),
                row["slug"].as_str().unwrap_or("right").to_string(),
                schedule.to_string(),
                format!("{} of {runs}", row["wrong_runs"]),
                if found.is_empty() { "-".to_string() } else { found.join(", ") },
                if as_expected { "yes" } else { "NO" }.to_string(),
            ],
            as_expected,
        }
    };
    let rows = answer["rows"].as_array().into_iter().flatten();
    rows.filter(|row| row["variant"] != "compile-fail").map(line).collect()
}

fn document(root: &Path, options: &Options, lines: &[Line]) -> Result<String> {
    let first_word = |program: &str, arguments: &[&str]| -> Result<String> {
        let output = Command::new(program).current_dir(root).args(arguments).output()?;
        Ok(String::from_utf8_lossy(&output.stdout).trim().to_string())
    };
    let commit = first_word("git", &["rev-parse", "--short=12", "HEAD"])?;
    let changed = first_word("git", &["status", "--porcelain", "--untracked-files=no"])?;
    let date = first_word("date", &["-u", "+%Y-%m-%d"])?;
    let changes = if changed.is_empty() { "" } else { ", with changes that are not committed" };
    let mut text = format!(
        "# Soak: every kernel under {} seeds of each schedule\n\n\
         Made by `cargo xtask soak --seeds {}` on {date}, at commit `{commit}`{changes}. Wrong runs gave a wrong answer; \
         a correct kernel\nhas none, and nothing is found in it. The last column but one counts the runs that showed each kind \
         of finding.\n\n\
         | lesson | kernel | expected | schedule | wrong runs | found in runs | as expected |\n|---|---|---|---|---|---|---|\n",
        options.seeds, options.seeds
    );
    for line in lines {
        text.push_str(&format!("| {} |\n", line.cells.join(" | ")));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_come_in_any_order() {
        let some = |seeds, only: Option<&str>| Some(Options { seeds, only: only.map(String::from) });
        assert_eq!(options(&[]), some(1000, None));
        assert_eq!(options(&["--only", "lesson04", "--seeds", "20"]), some(20, Some("lesson04")));
        for bad in [&["--seeds"][..], &["--seeds", "0"], &["--seeds", "x"], &["--size", "3"]] {
            assert_eq!(options(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn a_kernel_is_a_line() {
        let answer = serde_json::json!({ "lesson": "lesson04", "rows": [
            { "kernel": "counter_broken", "slug": "race-global", "runs": 64, "wrong_runs": 63,
              "found": { "race-global": 64 }, "expected": true },
            { "kernel": "old_form", "variant": "compile-fail", "runs": 0, "wrong_runs": 0, "found": {}, "expected": true },
            { "kernel": "counter_correct", "runs": 64, "wrong_runs": 1, "found": {}, "expected": false },
        ]});
        let lines = table(&answer, "random");
        assert_eq!(lines.len(), 2);
        assert_eq!(
            lines[0].cells.join(" | "),
            "lesson04 | counter_broken | race-global | random | 63 of 64 | race-global in 64 | yes"
        );
        assert_eq!(lines[1].cells.join(" | "), "lesson04 | counter_correct | right | random | 1 of 64 | - | NO");
        assert!(lines[0].as_expected && !lines[1].as_expected);
    }
}
