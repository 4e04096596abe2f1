//! `cargo xtask nightly`: everything of which CI runs a sample, whole. Its last run stands in docs/nightly.md.

use anyhow::{Context, Result, ensure};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

pub const DOCUMENT: &str = "docs/nightly.md";

/// A step that is run: what it is for a reader, what CI takes of it, and cargo's arguments.
struct Step {
    what: &'static str,
    in_ci: &'static str,
    words: &'static [&'static str],
}

const STEPS: [Step; 11] = [
    Step {
        what: "Every changed answer of every exercise is refused or explained",
        in_ci: "every fifteenth",
        words: &["xtask", "mutants"],
    },
    Step {
        what: "Every run of every kernel says the same in WebAssembly, in Node.js",
        in_ci: "none: Chromium runs the same module",
        words: &["xtask", "wasm", "--check"],
    },
    Step {
        what: "The same in Chromium, and the page of each kernel opens",
        in_ci: "every sixteenth kernel",
        words: &["xtask", "web", "--site", "--check"],
    },
    Step {
        what: "The emulator's unit tests and conformance cases, and a lesson, on 64-bit ARM by QEMU",
        in_ci: "none",
        words: &["xtask", "aarch64"],
    },
    Step {
        what: "The lessons and `bench` with CUB, packed for a machine without Rust",
        in_ci: "none",
        words: &["xtask", "bundle", "--debug", "--lessons"],
    },
    Step {
        what: "Every kernel with every CUDA toolkit",
        in_ci: "a file of each lesson, oldest and newest",
        words: &["xtask", "toolkits"],
    },
    Step {
        what: "CuPy's own tests under `gpu-check`: each that fails has its reason",
        in_ci: "four files of them",
        words: &["xtask", "peers", "cupy"],
    },
    Step { what: "The same of numba-cuda's", in_ci: "none", words: &["xtask", "peers", "numba"] },
    Step {
        what: "PTX programs changed at random end in time, and none panics",
        in_ci: "a fixed number",
        words: &["xtask", "fuzz", "--minutes", "20"],
    },
    Step {
        what: "All executions of every kernel of the lessons, as docs/proofs.md counts them",
        in_ci: "those that are quick",
        words: &["xtask", "proofs", "--check"],
    },
    Step {
        what: "All tests, with all programs and schedules that they can draw",
        in_ci: "a third or less of them",
        words: &["test", "--workspace"],
    },
];

/// The result of a step.
struct StepResult {
    step: &'static Step,
    took: Duration,
    passed: bool,
    /// The last line that it printed.
    last: String,
}

/// Runs the steps whose command has the word `only`, or all. Each writes its row of the document as it ends.
pub fn run(root: &Path, only: Option<&str>) -> Result<String> {
    let chosen: Vec<&Step> = STEPS.iter().filter(|step| only.is_none_or(|word| step.words.contains(&word))).collect();
    ensure!(!chosen.is_empty(), "no step has the word {}", only.unwrap_or_default());
    let path = root.join(DOCUMENT);
    let (date, commit) =
        (said(root, "date", &["+%Y-%m-%d"])?, said(root, "git", &["rev-parse", "--short=12", "HEAD"])?);
    let mut failed = Vec::new();
    for step in &chosen {
        let done = step.run(root)?;
        if !done.passed {
            failed.push(step.command());
        }
        let before = fs::read_to_string(&path).unwrap_or_default();
        let text = document(&before, step, &done.row(&date, &commit));
        fs::write(&path, text).with_context(|| format!("cannot write {DOCUMENT}"))?;
    }
    ensure!(failed.is_empty(), "{} of {} steps failed\n  {}", failed.len(), chosen.len(), failed.join("\n  "));
    Ok(format!("all {} steps pass", chosen.len()))
}

impl Step {
    fn command(&self) -> String {
        format!("cargo {}", self.words.join(" "))
    }

    fn run(&'static self, root: &Path) -> Result<StepResult> {
        println!("\n== {}", self.command());
        let begin = Instant::now();
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo.current_dir(root).args(self.words).env(skipped::WHOLE, "1").stdout(Stdio::piped());
        let mut child = cargo.spawn().context("cannot run cargo")?;
        let mut last = String::new();
        for line in BufReader::new(child.stdout.take().context("no output")?).lines() {
            let line = line?;
            println!("{line}");
            if !line.trim().is_empty() {
                last = line.trim().to_string();
            }
        }
        let passed = child.wait()?.success();
        // A file's name below the repository, whose own place is no reader's.
        let last = last.replace(&format!("{}/", root.display()), "");
        Ok(StepResult { step: self, took: begin.elapsed(), passed, last })
    }
}

impl StepResult {
    fn row(&self, date: &str, commit: &str) -> String {
        let StepResult { step, took, passed, last } = self;
        let result = if *passed { "passed" } else { "FAILED" };
        let (said, minutes) = (last.replace('|', "\\|"), took.as_secs().div_ceil(60));
        format!(
            "| {}: `{}` | {} | {date}, `{commit}` | {minutes} | {result}: {said} |",
            step.what,
            step.command(),
            step.in_ci
        )
    }
}

/// The document with this row of a step, and those of other steps as they were.
fn document(before: &str, step: &Step, row: &str) -> String {
    let is_of = |row: &str, step: &Step| row.contains(&format!(": `{}` |", step.command()));
    let kept = |other: &Step| before.lines().find(|line| is_of(line, other)).map(str::to_string);
    let rows =
        STEPS.iter().filter_map(|other| if other.words == step.words { Some(row.to_string()) } else { kept(other) });
    let rows: Vec<String> = rows.collect();
    format!(
        "# What CI samples, whole\n\nMade by `cargo xtask nightly`. CI runs a sample of each step, with the same \
         choice every time; this \
         command runs all\nof it. `--only WORD` runs the steps whose command has that word.\n\n\
         | What | In CI | Last run | Minutes | Result |\n|---|---|---|---|---|\n{}\n",
        rows.join("\n")
    )
}

fn said(root: &Path, program: &str, words: &[&str]) -> Result<String> {
    let output = Command::new(program).current_dir(root).args(words).output();
    let output = output.with_context(|| format!("cannot run {program}"))?;
    Ok(String::from_utf8(output.stdout)?.trim().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_writes_its_own_row_and_says_what_failed() {
        let of = |step: usize, passed| {
            let done = StepResult { step: &STEPS[step], took: Duration::from_secs(61), passed, last: "3 | 4".into() };
            done.row("2026-01-02", "abc")
        };
        let one = document("", &STEPS[1], &of(1, true));
        let two = document(&one, &STEPS[0], &of(0, false));
        let row = "`cargo xtask wasm --check` | none: Chromium runs the same module | 2026-01-02, `abc` | 2 | passed: \
            3 \\| 4 |\n";
        assert!(one.ends_with(row) && two.ends_with(row), "{two}");
        assert!(
            two.contains("`cargo xtask mutants` | every fifteenth | 2026-01-02, `abc` | 2 | FAILED: 3 \\| 4 |\n"),
            "{two}"
        );
        assert_eq!(document(&two, &STEPS[0], &of(0, true)).matches("2026-01-02").count(), 2);
    }
}
