//! `cargo xtask soak`: every kernel of every lesson under many more schedules than a lesson has patience for.
//!
//! The lessons run themselves, as built for release, and answer in JSON; here their answers become `docs/soak.md`, with
//! date and commit. A run of a lesson uses all cores, so one goes after the other. Each answer, of one row under one
//! schedule, is kept under `target/soak/`, by commit: a soak that was interrupted, or that ran on another machine, goes
//! on from there. A tree with changes has no commit of its own, so nothing is kept for it.

mod document;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use crate::lessons::Lessons;
use anyhow::{Context, Result, bail};
use document::{Document, Kernel, ScheduleRuns};
use serde_json::{Value, json};

/// Schedules that take a seed and are worth many of them.
pub const SCHEDULES: [&str; 3] = ["random", "pct", "adversarial"];

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SoakOptions {
    pub seeds: u64,
    /// Only this lesson: `lesson04`.
    pub only: Option<String>,
    /// The folder of lessons that were built before; without it cargo builds them.
    pub built: Option<PathBuf>,
    /// The commit that the lessons were built from, where git cannot tell.
    pub commit: Option<String>,
}

/// `--seeds N`, `--only LESSON`, `--built FOLDER` and `--commit HASH`, in any order.
pub fn options(mut words: &[&str]) -> Option<SoakOptions> {
    let mut options = SoakOptions { seeds: 1000, only: None, built: None, commit: None };
    while let [name, value, rest @ ..] = words {
        match *name {
            "--seeds" => options.seeds = value.parse().ok().filter(|&seeds| seeds > 0)?,
            "--only" => options.only = Some(value.to_string()),
            "--built" => options.built = Some(value.into()),
            // It names a folder.
            "--commit" => {
                let is_plain = |commit: &&&str| !commit.is_empty() && commit.chars().all(|c| c.is_ascii_alphanumeric());
                options.commit = Some(Some(value).filter(is_plain)?.to_string());
            }
            _ => return None,
        }
        words = rest;
    }
    words.is_empty().then_some(options)
}

/// `root` is the repository, or where there is none the folder to work in.
pub fn run(root: &Path, options: &SoakOptions) -> Result<String> {
    let lessons = match &options.built {
        Some(folder) => Lessons::built(folder)?,
        None => Lessons::of(root)?,
    };
    let commit = match &options.commit {
        Some(commit) => Commit { hash: commit.clone(), is_changed: false },
        None => Commit::of(root)?,
    };
    let is_wanted = |package: &&String| match options.only.as_deref() {
        Some(only) => package.split('-').next() == Some(only) || *package == only,
        None => true,
    };
    let packages: Vec<&String> = lessons.packages.iter().filter(is_wanted).collect();
    if packages.is_empty() {
        bail!("no lesson is called `{}`", options.only.as_deref().unwrap_or("lesson..."));
    }
    let kept = (!commit.is_changed).then(|| root.join("target/soak").join(&commit.hash));
    let mut document = Document::new(&commit, options.seeds);
    for package in packages {
        for row in lessons.rows(package)? {
            for schedule in SCHEDULES {
                let about = About { package, row: &row, schedule, seeds: options.seeds };
                let answer = about.kept_or_asked(&lessons, kept.as_deref())?;
                let text = |value: &Value| value.as_str().unwrap_or("?").to_string();
                document.date = document.date.max(text(&answer["date"]));
                for kernel in answer["answer"]["rows"].as_array().into_iter().flatten() {
                    // A kernel that nvcc refuses does not run.
                    if kernel["variant"] != "compile-fail" {
                        document.add(
                            Kernel::of(&text(&answer["answer"]["lesson"]), kernel),
                            schedule,
                            ScheduleRuns::of(kernel),
                        );
                    }
                }
            }
        }
    }
    let text = document.to_string();
    println!("\n{text}");
    if options.only.is_none() && root.join("docs").is_dir() {
        fs::write(root.join("docs/soak.md"), text).context("cannot write docs/soak.md")?;
    }
    match document.surprises() {
        0 => Ok("every kernel did what its lesson says".to_string()),
        bad => bail!("{bad} kernels and schedules are not as the lessons say"),
    }
}

/// The commit that the lessons were built from.
pub struct Commit {
    pub hash: String,
    /// There are changes that no commit holds.
    pub is_changed: bool,
}

impl Commit {
    fn of(root: &Path) -> Result<Commit> {
        let hash = said(root, "git", &["rev-parse", "--short=12", "HEAD"])
            .context("git does not know the commit; name it with --commit HASH")?;
        let changed = said(root, "git", &["status", "--porcelain", "--untracked-files=no"])?;
        Ok(Commit { hash, is_changed: !changed.is_empty() })
    }
}

/// Returns the output of a program.
fn said(folder: &Path, program: &str, arguments: &[&str]) -> Result<String> {
    let output = Command::new(program).current_dir(folder).args(arguments).output()?;
    if !output.status.success() {
        bail!("`{program}` failed: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_string())
}

/// The subject of one answer.
struct About<'a> {
    package: &'a str,
    row: &'a str,
    schedule: &'a str,
    seeds: u64,
}

impl About<'_> {
    /// The answer with its date: the one that `kept` holds, or else the lesson's own, which is then kept.
    fn kept_or_asked(&self, lessons: &Lessons, kept: Option<&Path>) -> Result<Value> {
        let About { package, row, schedule, seeds } = self;
        let file = kept.map(|folder| folder.join(package).join(format!("{row}-{schedule}-{seeds}.json")));
        if let Some(file) = &file
            && let Ok(text) = fs::read_to_string(file)
        {
            println!("{package} {row} {schedule}: kept");
            return serde_json::from_str(&text).with_context(|| format!("{} is no answer", file.display()));
        }
        let start = Instant::now();
        let range = format!("0..{seeds}");
        let answer = lessons.ask(package, &["--only", row, "--schedule", schedule, "--seeds", &range])?;
        let seconds = start.elapsed().as_secs_f64();
        println!("{package} {row} {schedule}: {seconds:.1} s");
        let answer = json!({ "date": said(".".as_ref(), "date", &["-u", "+%Y-%m-%d"])?, "answer": answer });
        if let Some(file) = &file {
            // Whole or not at all: whoever interrupts this must not leave half an answer.
            let part = file.with_extension("part");
            let write = || -> std::io::Result<()> {
                fs::create_dir_all(file.parent().expect("it has a folder's name before it"))?;
                fs::write(&part, answer.to_string())?;
                fs::rename(&part, file)
            };
            write().with_context(|| format!("cannot keep {}", file.display()))?;
        }
        Ok(answer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_come_in_any_order() {
        let all = SoakOptions { seeds: 1000, only: None, built: None, commit: None };
        assert_eq!(options(&[]), Some(all.clone()));
        assert_eq!(
            options(&["--only", "lesson04", "--seeds", "20"]),
            Some(SoakOptions { seeds: 20, only: Some("lesson04".to_string()), ..all.clone() })
        );
        assert_eq!(
            options(&["--built", "bin", "--commit", "1a2b"]),
            Some(SoakOptions { built: Some("bin".into()), commit: Some("1a2b".to_string()), ..all })
        );
        for bad in [&["--seeds"][..], &["--seeds", "0"], &["--seeds", "x"], &["--size", "3"], &["--commit", "../a"]] {
            assert_eq!(options(bad), None, "{bad:?}");
        }
    }

    /// A lesson that is a shell script: it answers with the number of times it was asked.
    #[cfg(unix)]
    #[test]
    fn an_answer_is_asked_for_once() {
        use std::os::unix::fs::PermissionsExt;
        let folder = std::env::temp_dir().join(format!("soak-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let program = folder.join("lesson99-trial");
        let script = "#!/bin/sh\necho asked >> \"$0.count\"\necho \"{\\\"lesson\\\": $(wc -l < $0.count)}\"\n";
        fs::write(&program, script).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        let lessons = Lessons::built(&folder).unwrap();
        assert_eq!(lessons.packages, ["lesson99-trial"]);
        let about = |seeds| About { package: "lesson99-trial", row: "sum", schedule: "pct", seeds };
        let ask = |seeds| about(seeds).kept_or_asked(&lessons, Some(&folder.join("kept"))).unwrap();
        let answers = [ask(10), ask(10), ask(20)].map(|answer| answer["answer"]["lesson"].as_u64());
        fs::remove_dir_all(&folder).unwrap();
        assert_eq!(answers, [Some(1), Some(1), Some(2)]);
    }
}
