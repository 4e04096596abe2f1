//! `cargo xtask nightly`: everything of which CI runs a sample, whole. Its last run stands in docs/nightly.md.

use anyhow::{Context, Result, bail};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

pub const DOCUMENT: &str = "docs/nightly.md";

/// What is run: what it is for a reader, what CI takes of it, and cargo's arguments.
struct Step {
    what: &'static str,
    in_ci: &'static str,
    words: &'static [&'static str],
}

const STEPS: [Step; 7] = [
    Step {
        what: "Every changed answer of every exercise is refused or explained",
        in_ci: "every fifteenth",
        words: &["learn", "verify", "--mutants"],
    },
    Step {
        what: "Every run of every kernel says the same in WebAssembly, in Node.js",
        in_ci: "every eighth kernel",
        words: &["xtask", "wasm", "--check"],
    },
    Step {
        what: "The same in Chromium, and the page of each kernel opens",
        in_ci: "every eighth kernel",
        words: &["xtask", "web", "--site", "--check"],
    },
    Step {
        what: "The emulator's unit tests and conformance cases, and a lesson, on 64-bit ARM by QEMU",
        in_ci: "the conformance cases and the lesson",
        words: &["xtask", "aarch64"],
    },
    Step {
        what: "Every kernel with every CUDA toolkit",
        in_ci: "a file of each lesson, oldest and newest",
        words: &["xtask", "toolkits"],
    },
    Step {
        what: "PTX programs changed at random end in time, and none panics",
        in_ci: "a fixed number",
        words: &["xtask", "fuzz", "--minutes", "20"],
    },
    Step {
        what: "Properties with ten times as many cases",
        in_ci: "the usual number",
        words: &["test", "--workspace", "--", "properties"],
    },
];

/// What came of a step.
struct Done {
    step: &'static Step,
    took: Duration,
    passed: bool,
    /// The last line that it printed.
    last: String,
}

pub fn run(root: &Path, only: Option<&str>) -> Result<String> {
    let chosen: Vec<&Step> = STEPS.iter().filter(|step| only.is_none_or(|word| step.words.contains(&word))).collect();
    if chosen.is_empty() {
        bail!("no step has the word {}", only.unwrap_or_default());
    }
    let done = chosen.into_iter().map(|step| step.run(root)).collect::<Result<Vec<_>>>()?;
    if only.is_none() {
        let text = document(&today()?, &commit(root)?, &done);
        fs::write(root.join(DOCUMENT), text).with_context(|| format!("cannot write {DOCUMENT}"))?;
    }
    let failed: Vec<String> = done.iter().filter(|one| !one.passed).map(|one| one.step.command()).collect();
    if !failed.is_empty() {
        bail!("{} of {} steps failed\n  {}", failed.len(), done.len(), failed.join("\n  "));
    }
    Ok(format!("all {} steps pass", done.len()))
}

impl Step {
    fn command(&self) -> String {
        format!("cargo {}", self.words.join(" "))
    }

    fn run(&'static self, root: &Path) -> Result<Done> {
        println!("\n== {}", self.command());
        let begin = Instant::now();
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo.current_dir(root).args(self.words).env("PROPTEST_CASES", "240").stdout(Stdio::piped());
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
        Ok(Done { step: self, took: begin.elapsed(), passed, last })
    }
}

fn document(date: &str, commit: &str, done: &[Done]) -> String {
    let mut text = format!(
        "# What CI samples, whole\n\nMade by `cargo xtask nightly` on {date}, at commit `{commit}`. CI runs a sample of each step, with \
         the same choice every time; this command runs all of it.\n\n| What | In CI | Minutes | Result |\n|---|---|---|---|\n"
    );
    for Done { step, took, passed, last } in done {
        let result = if *passed { "passed" } else { "FAILED" };
        let said = last.replace('|', "\\|");
        let minutes = took.as_secs().div_ceil(60);
        text += &format!("| {}: `{}` | {} | {minutes} | {result}: {said} |\n", step.what, step.command(), step.in_ci);
    }
    text
}

fn today() -> Result<String> {
    said(Command::new("date").arg("+%Y-%m-%d"))
}

fn commit(root: &Path) -> Result<String> {
    said(Command::new("git").current_dir(root).args(["rev-parse", "--short=12", "HEAD"]))
}

fn said(command: &mut Command) -> Result<String> {
    let output = command.output().with_context(|| format!("cannot run {:?}", command.get_program()))?;
    Ok(String::from_utf8(output.stdout)?.trim().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_document_says_what_failed() {
        let of = |passed| Done { step: &STEPS[0], took: Duration::from_secs(61), passed, last: "3 | 4".into() };
        let text = document("2026-01-02", "abc", &[of(true), of(false)]);
        assert!(text.contains("on 2026-01-02, at commit `abc`"), "{text}");
        assert!(text.contains("`cargo learn verify --mutants` | every fifteenth | 2 | passed: 3 \\| 4 |\n"), "{text}");
        assert!(text.ends_with("| 2 | FAILED: 3 \\| 4 |\n"), "{text}");
    }
}
