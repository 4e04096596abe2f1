//! `cargo xtask defects`: does a test fail if the fast race checker, or the search of all executions, is wrong?
//!
//! The lists in `lab/xtask/defects/` have seeded defects of a crate. Each replaces a text that occurs once in a file.
//! It is applied alone, to a copy of the sources in `target/defects/`. Then the tests of the [`Subject`] run until one
//! fails.

use anyhow::{Context, Result, bail, ensure};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A package with test programs.
#[derive(Clone, Copy)]
struct Package {
    name: &'static str,
    folder: &'static str,
    /// The workspace's manifest.
    manifest: &'static str,
}

const EMULATOR: Package = Package { name: "emulator", folder: "emulator", manifest: "Cargo.toml" };
const PROOFS: Package = Package { name: "proofs", folder: "lab/proofs", manifest: "lab/Cargo.toml" };

const EXPLORE: Package = Package { name: "explore", folder: "emulator/explore", manifest: "Cargo.toml" };

/// A crate with seeded defects.
pub struct Subject {
    name: &'static str,
    list: &'static str,
    /// The folder of its sources.
    sources: &'static str,
    /// The test programs in the order in which they run, each with the names of its tests that count.
    tests: &'static [(Package, &'static str, &'static str)],
    /// Crates that are built anew for each defect. In many units of code, most of each is as it was.
    rebuilt: &'static [&'static str],
}

const SUBJECTS: [Subject; 2] = [
    // The fast checker against the plain rule: on random kernels, then on the emulator's fixtures. Last come launches
    // of several streams, and races that fast paths have missed.
    Subject {
        name: "checker",
        list: "lab/xtask/defects/checker.toml",
        sources: "emulator/checker/src",
        tests: &[
            (PROOFS, "brute_force", ""),
            (PROOFS, "files", "alike/"),
            (EMULATOR, "device", "displaced::"),
            (EMULATOR, "device", "by_rule::"),
        ],
        rebuilt: &["checker", "diagnose", "emulator", "trace"],
    },
    // The search against a naive enumerator, and programs that wait. Then locks and litmus tests through PTX.
    Subject {
        name: "explorer",
        list: "lab/xtask/defects/explorer.toml",
        sources: "emulator/explore/src",
        tests: &[
            (EXPLORE, "executions", ""),
            (EMULATOR, "device", "survey::"),
            (PROOFS, "locks", ""),
            (PROOFS, "files", "executions/"),
        ],
        rebuilt: &["explore", "emulator"],
    },
];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    defect: Vec<Defect>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Defect {
    /// The checker's mistake.
    name: String,
    /// The file's name, in whichever folder of the subject's sources it is.
    file: String,
    find: String,
    replace: String,
    /// Why no test is known to catch it.
    survives: Option<String>,
}

#[derive(Debug, PartialEq, Eq)]
enum Outcome {
    CaughtBy(String),
    Survived,
    /// The list says why.
    SurvivedAsKnown,
    DoesNotCompile,
}

/// Reads a subject, and `--only NAME` or `--only NUMBER`: a part of a name, or a position in the list.
pub fn options<'a>(words: &[&'a str]) -> Option<(&'static Subject, Option<&'a str>)> {
    let (name, rest) = words.split_first()?;
    let subject = SUBJECTS.iter().find(|subject| subject.name == *name)?;
    match rest {
        [] => Some((subject, None)),
        ["--only", only] => Some((subject, Some(only))),
        _ => None,
    }
}

impl Subject {
    /// Reads its defects. Returns an error if one does not fit the sources.
    fn defects(&self, root: &Path) -> Result<Vec<Defect>> {
        let list = self.list;
        let text = fs::read_to_string(root.join(list)).with_context(|| format!("cannot read {list}"))?;
        let List { defect: all } = toml::from_str(&text).with_context(|| format!("cannot read {list}"))?;
        for defect in &all {
            defect.apply(&root.join(self.sources))?;
        }
        Ok(all)
    }
}

pub fn run(root: &Path, subject: &'static Subject, only: Option<&str>) -> Result<String> {
    let all = subject.defects(root)?;
    let chosen: Vec<_> = (1..).zip(&all).filter(|(number, defect)| defect.is_meant(*number, only)).collect();
    ensure!(!chosen.is_empty(), "no defect is called {}", only.unwrap_or_default());
    let copy = Copied::new(root, subject)?;
    ensure!(copy.outcome()? == Outcome::Survived, "the tests fail without a defect");
    let mut outcomes = Vec::new();
    for (number, defect) in &chosen {
        let outcome = copy.with(defect)?;
        let known = defect.survives.as_deref().filter(|_| outcome == Outcome::Survived);
        let text = known.map_or_else(|| outcome.text(), |why| format!("survives: {why}"));
        println!("{number:>3}  {:<75} {text}", defect.name);
        outcomes.push(if known.is_some() { Outcome::SurvivedAsKnown } else { outcome });
    }
    summary(&outcomes)
}

fn summary(outcomes: &[Outcome]) -> Result<String> {
    let count = |outcome| outcomes.iter().filter(|other| **other == outcome).count();
    let (survived, known) = (count(Outcome::Survived), count(Outcome::SurvivedAsKnown));
    let broken = count(Outcome::DoesNotCompile);
    let caught = outcomes.len() - survived - known - broken;
    let of = outcomes.len();
    let text = format!("{caught} of {of} defects are caught, {known} survive as known, {survived} survive");
    ensure!(broken == 0, "{text}, {broken} do not compile");
    ensure!(survived == 0, "{text}");
    Ok(text)
}

impl Outcome {
    fn text(&self) -> String {
        match self {
            Outcome::CaughtBy(test) => format!("caught by {test}"),
            Outcome::Survived | Outcome::SurvivedAsKnown => "SURVIVED".to_string(),
            Outcome::DoesNotCompile => "does not compile".to_string(),
        }
    }
}

impl Defect {
    /// True for the defect of this number, or with this in its name. Several are separated by commas.
    fn is_meant(&self, number: usize, only: Option<&str>) -> bool {
        let is_it = |one: &str| one.parse().map_or_else(|_| self.name.contains(one), |wanted: usize| wanted == number);
        only.is_none_or(|only| only.split(',').any(is_it))
    }

    /// Returns the path of the file that it changes, and the changed text.
    fn apply(&self, folder: &Path) -> Result<(PathBuf, String)> {
        let mut found = Vec::new();
        for path in files(folder)?.into_iter().filter(|path| path.file_name().is_some_and(|name| *name == *self.file)) {
            let text = fs::read_to_string(&path)?;
            found.extend(vec![(path, text.replace(&self.find, &self.replace)); text.matches(&self.find).count()]);
        }
        let (name, file) = (&self.name, &self.file);
        ensure!(found.len() == 1, "defect `{name}`: its text occurs {} times in {file}", found.len());
        Ok(found.remove(0))
    }
}

/// Returns all files under a folder.
fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let (mut found, mut folders) = (Vec::new(), vec![folder.to_path_buf()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).with_context(|| format!("cannot open {}", folder.display()))? {
            let path = entry?.path();
            if path.is_dir() { folders.push(path) } else { found.push(path) }
        }
    }
    Ok(found)
}

/// A copy of the sources, with a folder for what is built of it.
struct Copied {
    subject: &'static Subject,
    sources: PathBuf,
    built: PathBuf,
}

impl Copied {
    /// Brings the copy up to date. Files that are the same keep their time, so that cargo does not build them again.
    fn new(root: &Path, subject: &'static Subject) -> Result<Copied> {
        let folder = root.join("target/defects");
        let copy = Copied { subject, sources: folder.join("sources"), built: folder.join("built") };
        let listed = listed(root)?;
        for name in &listed {
            write_if_changed(&copy.sources.join(name), &fs::read(root.join(name))?)?;
        }
        for path in files(&copy.sources)? {
            if !listed.contains(path.strip_prefix(&copy.sources)?) {
                fs::remove_file(path)?;
            }
        }
        Ok(copy)
    }

    /// Applies a defect, runs the tests, and takes it back.
    fn with(&self, defect: &Defect) -> Result<Outcome> {
        let (path, changed) = defect.apply(&self.sources.join(self.subject.sources))?;
        let before = fs::read_to_string(&path)?;
        fs::write(&path, changed)?;
        let outcome = self.outcome();
        fs::write(&path, before)?;
        outcome
    }

    /// Runs the tests until one fails.
    fn outcome(&self) -> Result<Outcome> {
        for &(package, target, names) in self.subject.tests {
            let Some(program) = self.build(package, target)? else { return Ok(Outcome::DoesNotCompile) };
            if let Some(test) = self.failing(package, &program, names)? {
                return Ok(Outcome::CaughtBy(test.unwrap_or_else(|| format!("{target}, which ended early"))));
            }
        }
        Ok(Outcome::Survived)
    }

    /// Builds a test program. Returns `None` if it does not compile.
    fn build(&self, package: Package, target: &str) -> Result<Option<PathBuf>> {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let words = ["test", "--no-run", "--quiet", "--message-format", "json-render-diagnostics"];
        let unit = |package: &&str| format!("--config=profile.dev.package.{package}.codegen-units=256");
        let units = self.subject.rebuilt.iter().map(unit);
        let output = Command::new(cargo)
            .current_dir(&self.sources)
            .args(words)
            .args(units)
            .args(["--manifest-path", package.manifest, "--package", package.name, "--test", target])
            .env("CARGO_TARGET_DIR", &self.built)
            .env("CARGO_PROFILE_DEV_DEBUG", "none")
            .output()
            .context("cannot run cargo")?;
        let text = String::from_utf8_lossy(&output.stdout);
        let mut messages = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let program = messages.find_map(|message| Some(PathBuf::from(message["executable"].as_str()?)));
        match (output.status.success(), program) {
            (true, Some(program)) => Ok(Some(program)),
            (true, None) => bail!("cargo has built no {target}"),
            (false, _) => Ok(None),
        }
    }

    /// Runs the tests whose names contain `names` until one fails. Returns its name; `Some(None)` if the program fails
    /// otherwise, and `None` if all pass.
    fn failing(&self, package: Package, program: &Path, names: &str) -> Result<Option<Option<String>>> {
        let mut child = Command::new(program)
            .current_dir(self.sources.join(package.folder))
            .arg(names)
            // More cases than in a usual run, and the same each time.
            .env("PROPTEST_CASES", "4000")
            .env("PROPTEST_RNG_SEED", "1")
            // The first failing case counts, not the smallest.
            .env("PROPTEST_MAX_SHRINK_ITERS", "0")
            .env("PROPTEST_DISABLE_FAILURE_PERSISTENCE", "true")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| format!("cannot run {}", program.display()))?;
        let lines = BufReader::new(child.stdout.take().context("no output")?).lines();
        let failed = lines.map_while(Result::ok).find_map(|line| failed(&line).map(str::to_string));
        if failed.is_some() {
            child.kill()?;
        }
        let passed = child.wait()?.success();
        Ok(if passed { None } else { Some(failed) })
    }
}

/// Returns the name of a test that has failed, from a line of a test program's output.
fn failed(line: &str) -> Option<&str> {
    Some(line.strip_prefix("test ")?.strip_suffix("... FAILED")?.trim())
}

/// Returns the files of the working tree that git tracks or would add.
fn listed(root: &Path) -> Result<BTreeSet<PathBuf>> {
    let words = ["ls-files", "--cached", "--others", "--exclude-standard", "-z"];
    let output = Command::new("git").current_dir(root).args(words).output().context("cannot run git")?;
    ensure!(output.status.success(), "git ls-files: {}", output.status);
    let names = String::from_utf8(output.stdout)?;
    // A file that is deleted is still listed.
    Ok(names.split_terminator('\0').map(PathBuf::from).filter(|name| root.join(name).is_file()).collect())
}

fn write_if_changed(path: &Path, content: &[u8]) -> Result<()> {
    if fs::read(path).is_ok_and(|old| old == content) {
        return Ok(());
    }
    fs::create_dir_all(path.parent().context("no folder")?)?;
    fs::write(path, content).with_context(|| format!("cannot write {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_which_test_failed() {
        assert_eq!(failed("test a::b ... FAILED"), Some("a::b"));
        assert_eq!(failed("test alike/pass/word    ... FAILED"), Some("alike/pass/word"));
        assert_eq!(failed("test a::b ... ok"), None);
        assert_eq!(failed("test result: FAILED. 1 passed; 1 failed"), None);
    }

    #[test]
    fn a_survivor_must_be_known_and_each_defect_must_compile() {
        let caught = || Outcome::CaughtBy("a".to_string());
        assert!(summary(&[caught(), Outcome::SurvivedAsKnown]).is_ok());
        assert!(summary(&[caught(), Outcome::Survived]).is_err());
        assert!(summary(&[caught(), Outcome::DoesNotCompile]).is_err());
    }

    #[test]
    fn every_defect_fits_the_sources() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        for subject in &SUBJECTS {
            let defects = subject.defects(&root).unwrap();
            let names: BTreeSet<&str> = defects.iter().map(|defect| defect.name.as_str()).collect();
            assert_eq!(names.len(), defects.len(), "two defects have one name");
        }
    }
}
