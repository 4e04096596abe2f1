//! `cargo xtask skipped FILE`: the tests that a run skipped, run again where what they want is there.
//!
//! FILE holds what the tests printed on standard error. The crate `skipped` writes a line for each test that did not
//! run, with the command that runs it. All of one name of a test program run in one call of cargo.
//!
//! It has the features of the whole workspace, so nothing is built again. No test of the same name in another program
//! runs too.

use anyhow::{Context, Result, bail};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Command, Stdio};
use std::{fs, thread};

/// Things that CI's machines lack, or have where a test is about their absence.
const ALLOWED: [&str; 2] = [skipped::GPU, skipped::WITHOUT];

/// A test that was skipped.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct SkippedTest {
    /// The thing that it wants.
    what: String,
    package: String,
    /// `--lib`, or `--test NAME`.
    target: String,
    /// Nothing for a whole program.
    name: Option<String>,
}

pub fn run(root: &Path, file: &Path) -> Result<String> {
    let text = fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let due: BTreeSet<SkippedTest> = due(&text)?;
    if due.is_empty() {
        return Ok("no test was skipped that can run here".into());
    }
    let (mut out, mut err, mut failed) = (String::new(), String::new(), false);
    for words in by_target(&due).values().map(|tests| arguments(tests)) {
        let (passed, printed, told) = tested(root, &words)?;
        failed |= !passed;
        out += &printed;
        err += &told;
    }
    if failed {
        bail!("a test that was skipped without its compiler fails with it");
    }
    let problems = problems(&due, &out, &err)?;
    if !problems.is_empty() {
        bail!("{}", problems.join("\n"));
    }
    Ok(format!("{} tests that were skipped have run", due.len()))
}

/// Returns true if they pass, with what they print and what goes to standard error.
fn tested(root: &Path, words: &[String]) -> Result<(bool, String, String)> {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root).args(words).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().context("cannot run cargo")?;
    let (out, err) = (child.stdout.take().context("no output")?, child.stderr.take().context("no output")?);
    let err = thread::spawn(move || copied(err));
    let out = copied(out)?;
    let err = err.join().expect("it does not panic")?;
    Ok((child.wait()?.success(), out, err))
}

/// Everything that comes, line by line, shown as it comes.
fn copied(from: impl Read) -> Result<String> {
    let mut all = String::new();
    for line in BufReader::new(from).lines() {
        let line = line?;
        println!("{line}");
        all.push_str(&line);
        all.push('\n');
    }
    Ok(all)
}

fn due(text: &str) -> Result<BTreeSet<SkippedTest>> {
    Ok(lines(text)?.into_iter().filter(|one| !ALLOWED.contains(&one.what.as_str())).collect())
}

/// Each `skipped: WHAT: COMMAND`. A runner may have begun the line.
fn lines(text: &str) -> Result<Vec<SkippedTest>> {
    let told = text.lines().filter_map(|line| line.split_once("skipped: ")).map(|(_, told)| told);
    told.filter(|told| told.contains(": cargo test -p "))
        .map(|told| one(told).with_context(|| told.to_string()))
        .collect()
}

fn one(told: &str) -> Option<SkippedTest> {
    let (what, command) = told.split_once(": cargo test -p ")?;
    let (selected, name) = match command.split_once(" -- --exact ") {
        Some((selected, name)) => (selected, Some(name.to_string())),
        None => (command, None),
    };
    let (package, target) = selected.split_once(' ')?;
    Some(SkippedTest { what: what.into(), package: package.into(), target: target.into(), name })
}

/// By the target's name, which several packages may have.
fn by_target(due: &BTreeSet<SkippedTest>) -> BTreeMap<&str, Vec<&SkippedTest>> {
    let mut found: BTreeMap<&str, Vec<&SkippedTest>> = BTreeMap::new();
    for one in due {
        found.entry(&one.target).or_default().push(one);
    }
    found
}

/// Tests of one target by their names; all that it has where one of them is the whole program.
fn arguments(tests: &[&SkippedTest]) -> Vec<String> {
    let mut words: Vec<String> = ["test", "--locked", "--workspace", "--no-fail-fast"].map(String::from).to_vec();
    words.extend(tests.iter().take(1).flat_map(|one| one.target.split(' ')).map(String::from));
    let names: Option<BTreeSet<&String>> = tests.iter().map(|one| one.name.as_ref()).collect();
    if let Some(names) = names {
        words.extend(["--", "--exact"].map(String::from));
        words.extend(names.into_iter().cloned());
    }
    words
}

/// Tests that are skipped again, and those whose names are not among the passed ones.
fn problems(due: &BTreeSet<SkippedTest>, out: &str, err: &str) -> Result<Vec<String>> {
    let mut found: Vec<String> = self::due(err)?
        .iter()
        .map(|one| format!("skipped again: {}: {} {:?}", one.what, one.package, one.name))
        .collect();
    let mut passed: BTreeMap<&str, usize> = BTreeMap::new();
    for name in out.lines().filter_map(|line| line.strip_prefix("test ")?.strip_suffix(" ... ok")) {
        // Some runners write all names in one width.
        *passed.entry(name.trim_end()).or_default() += 1;
    }
    for one in due {
        let Some(name) = &one.name else { continue };
        match passed.get_mut(name.as_str()) {
            Some(count @ 1..) => *count -= 1,
            _ => found.push(format!("did not run: {} {} {name}", one.package, one.target)),
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOLD: &str = "\
running 3 tests
test a ... skipped: no CUDA compiler: cargo test -p learn --test web -- --exact a
skipped: no CUDA compiler: cargo test -p lesson02-sync --test debug -- --exact b
skipped: no CUDA compiler: cargo test -p lesson03-warp --test debug -- --exact b
skipped: no CUDA compiler: cargo test -p kernel-build --lib -- --exact c::d
skipped: no NVIDIA GPU: cargo test -p lesson01-vectorized --test lesson
omitido: otra cosa
";

    #[test]
    fn one_call_runs_all_of_a_target_and_none_that_wants_a_gpu() {
        let due = due(TOLD).unwrap();
        assert_eq!(due.len(), 4);
        let calls: Vec<String> = by_target(&due).values().map(|tests| arguments(tests).join(" ")).collect();
        let begin = "test --locked --workspace --no-fail-fast";
        let wanted = ["--lib -- --exact c::d", "--test debug -- --exact b", "--test web -- --exact a"];
        assert_eq!(calls, wanted.map(|end| format!("{begin} {end}")));
    }

    #[test]
    fn each_must_pass_by_its_name_and_skip_no_more() {
        let due = due(TOLD).unwrap();
        let out = "test a  ... ok\ntest b ... ok\ntest b ... ok\ntest c::d ... ok\n";
        assert_eq!(problems(&due, out, "").unwrap(), [""; 0]);
        let once = out.replacen("test b ... ok\n", "", 1);
        assert_eq!(problems(&due, &once, "").unwrap(), ["did not run: lesson03-warp --test debug b"]);
        let again = problems(&due, out, TOLD).unwrap();
        assert!(
            again.len() == 4 && again[0].starts_with("skipped again: no CUDA compiler: kernel-build"),
            "{again:#?}"
        );
    }

    #[test]
    fn a_line_that_is_no_command_is_an_error() {
        assert!(due("skipped: no CUDA compiler: cargo test -p learn").is_err());
    }
}
