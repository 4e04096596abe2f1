//! `cargo xtask peers`: tests of packages that others have written, unmodified, under `gpu-check`.
//!
//! `lab/peers/NAME.toml` pins a package and says where its tests are. A test that fails is expected to by an entry with
//! a reason, or is an error here. An entry that no test of a whole run needs is one, too. Each file of tests runs in a
//! process of its own, since one that corrupts memory takes others with it.

use anyhow::{Context, Result, bail, ensure};
use serde::Deserialize;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

#[derive(Debug, Default, PartialEq, Eq)]
pub struct PeerOptions {
    name: String,
    /// A few files of tests only.
    is_sample: bool,
    /// All checks, not only bounds.
    is_full: bool,
    /// With the build that is there already on a machine where people develop.
    is_debug: bool,
    /// A Python that has the packages already.
    python: Option<PathBuf>,
}

/// Reads `NAME [--sample] [--full] [--debug] [--python PATH]`.
pub fn options(words: &[&str]) -> Option<PeerOptions> {
    let (name, mut rest) = words.split_first()?;
    let mut options = PeerOptions { name: name.to_string(), ..PeerOptions::default() };
    loop {
        rest = match rest {
            [] => return Some(options).filter(|options| !options.name.starts_with('-')),
            ["--sample", rest @ ..] => {
                options.is_sample = true;
                rest
            }
            ["--full", rest @ ..] => {
                options.is_full = true;
                rest
            }
            ["--debug", rest @ ..] => {
                options.is_debug = true;
                rest
            }
            ["--python", python, rest @ ..] => {
                options.python = Some(python.into());
                rest
            }
            _ => return None,
        };
    }
}

/// `lab/peers/NAME.toml`
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Peer {
    /// Requirements for pip, with versions.
    packages: Vec<String>,
    /// The archive that has the tests, where the package does not.
    source: Option<SourceArchive>,
    /// The folder of the tests among the installed packages.
    installed: Option<String>,
    /// The module that this folder is. Then tests are named by module.
    module: Option<String>,
    /// Patterns of files: `*` stands for part of a name, `**` for folders.
    files: Vec<String>,
    /// Ends of paths of the files that a sample takes.
    sample: Vec<String>,
    /// For pytest.
    arguments: Vec<String>,
    /// A pytest plugin that stands in for a `conftest.py` which is not packaged.
    #[serde(default)]
    plugin: String,
    /// The limit for a file.
    seconds: u64,
    #[serde(default)]
    expected: Vec<ExpectedFailure>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SourceArchive {
    name: String,
    version: String,
    tests: String,
}

/// Tests that fail, and why that is right.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ExpectedFailure {
    /// Part of the name of the test, or of its file if that does not end.
    test: Option<String>,
    /// Part of what it fails with.
    says: Option<String>,
    /// Only with all checks: a finding.
    #[serde(default)]
    only_full: bool,
    reason: String,
}

impl ExpectedFailure {
    fn fits(&self, failure: &Failure, is_full: bool) -> bool {
        let has = |part: &Option<String>, text: &str| part.as_ref().is_none_or(|part| text.contains(part));
        (is_full || !self.only_full) && has(&self.test, &failure.test) && has(&self.says, &failure.says)
    }
}

/// A test that failed, or a file that did not end.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Failure {
    test: String,
    says: String,
}

/// Test results of one file.
#[derive(Debug, Default, PartialEq, Eq)]
struct FileOutcome {
    passed: usize,
    skipped: usize,
    failures: Vec<Failure>,
}

pub fn run(root: &Path, options: &PeerOptions) -> Result<String> {
    let path = root.join("lab/peers").join(&options.name).with_extension("toml");
    let text = fs::read_to_string(&path).with_context(|| format!("there is no {}", path.display()))?;
    let peer: Peer = toml::from_str(&text).with_context(|| format!("{} is not as it should be", path.display()))?;
    let place = root.join("target/peers").join(&options.name);
    fs::create_dir_all(&place)?;
    let python = match &options.python {
        Some(python) => python.clone(),
        None => install(&peer, &place)?,
    };
    let tests = tests_folder(root, &peer, &place, &python)?;
    let gpu_check = build(root, options.is_debug)?;
    let runner = Runner { peer: &peer, python: &python, tests: &tests, gpu_check: &gpu_check, options };
    let plugin = place.join("plugin");
    fs::create_dir_all(&plugin)?;
    fs::write(plugin.join("peer_plugin.py"), &peer.plugin)?;
    let (mut all, begin) = (FileOutcome::default(), Instant::now());
    for file in files(&peer, &tests, options.is_sample)? {
        let outcome = runner.run(&file, &plugin)?;
        println!("{}: {} passed, {} failed", file.display(), outcome.passed, outcome.failures.len());
        all.passed += outcome.passed;
        all.skipped += outcome.skipped;
        all.failures.extend(outcome.failures);
    }
    judge(&peer, options, &all, begin.elapsed())
}

/// Makes an environment with the packages, unless it is there.
fn install(peer: &Peer, place: &Path) -> Result<PathBuf> {
    let (venv, stamp) = (place.join("venv"), place.join("installed"));
    let python = venv.join("bin/python");
    let wanted = peer.packages.join("\n");
    if fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(python);
    }
    succeed(Command::new("python3").args(["-m", "venv"]).arg(&venv))?;
    succeed(Command::new(&python).args(["-m", "pip", "install", "--quiet"]).args(&peer.packages))?;
    fs::write(stamp, wanted)?;
    Ok(python)
}

fn tests_folder(root: &Path, peer: &Peer, place: &Path, python: &Path) -> Result<PathBuf> {
    if let Some(SourceArchive { name, version, tests }) = &peer.source {
        let folder = place.join("source");
        let tests = folder.join(tests);
        if !tests.is_dir() {
            let script = root.join("lab/peers/source.py");
            succeed(Command::new(python).arg(script).args([name, version]).arg(&folder))?;
        }
        return Ok(tests);
    }
    let Some(installed) = &peer.installed else { bail!("neither `source` nor `installed` says where the tests are") };
    let printed =
        Command::new(python).args(["-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]).output()?;
    Ok(Path::new(String::from_utf8_lossy(&printed.stdout).trim()).join(installed))
}

fn build(root: &Path, is_debug: bool) -> Result<PathBuf> {
    let (profile, folder) = if is_debug { ("dev", "debug") } else { ("release", "release") };
    let mut cargo = Command::new("cargo");
    succeed(cargo.args(["build", "--quiet", "-p", "gpu-check", "--profile", profile]).current_dir(root))?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or(root.join("target"), PathBuf::from);
    Ok(target.join(folder).join("gpu-check"))
}

fn succeed(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("{command:?} cannot be started"))?;
    ensure!(status.success(), "{command:?} ended with {status}");
    Ok(())
}

/// Returns the files of tests, below the folder, in order.
fn files(peer: &Peer, tests: &Path, is_sample: bool) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    walk(tests, &mut found)?;
    let mut found: Vec<PathBuf> = found.iter().filter_map(|path| Some(path.strip_prefix(tests).ok()?.into())).collect();
    let is_wanted = |path: &PathBuf| {
        let text = path.to_string_lossy();
        peer.files.iter().any(|pattern| matches(pattern, &text))
            && (!is_sample || peer.sample.iter().any(|end| path.ends_with(end)))
    };
    found.retain(is_wanted);
    found.sort();
    ensure!(!found.is_empty(), "there are no tests in {}", tests.display());
    Ok(found)
}

fn walk(folder: &Path, found: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| format!("{} cannot be read", folder.display()))? {
        let path = entry?.path();
        if path.is_dir() { walk(&path, found)? } else { found.push(path) }
    }
    Ok(())
}

/// Returns true if a path fits a pattern.
fn matches(pattern: &str, path: &str) -> bool {
    if let Some(rest) = pattern.strip_prefix("**/") {
        return matches(rest, path) || path.split_once('/').is_some_and(|(_, below)| matches(pattern, below));
    }
    match pattern.split_once('*') {
        None => pattern == path,
        Some((before, after)) => path.strip_prefix(before).is_some_and(|rest| {
            (0..=rest.len())
                .filter(|&end| rest.is_char_boundary(end) && !rest[..end].contains('/'))
                .any(|end| matches(after, &rest[end..]))
        }),
    }
}

struct Runner<'a> {
    peer: &'a Peer,
    python: &'a Path,
    tests: &'a Path,
    gpu_check: &'a Path,
    options: &'a PeerOptions,
}

impl Runner<'_> {
    fn run(&self, file: &Path, plugin: &Path) -> Result<FileOutcome> {
        let mut command = Command::new("timeout");
        command.arg(self.peer.seconds.to_string()).arg(self.gpu_check).args(["--lang", "en"]);
        if !self.options.is_full {
            command.arg("--fast");
        }
        command.arg("--").arg(self.python).args(["-m", "pytest", "-p", "gpu_check_pytest", "-p", "peer_plugin"]);
        command.args(["-p", "no:cacheprovider", "-q", "--tb=line", "-rfE"]).args(&self.peer.arguments);
        match &self.peer.module {
            Some(module) => {
                let name = file.with_extension("").to_string_lossy().replace('/', ".");
                command.args(["--pyargs", &format!("{module}.{name}")]);
            }
            None => drop(command.arg(file).current_dir(self.tests)),
        }
        // Wide enough for pytest to name a failed test whole, with what it says.
        command.env("COLUMNS", "2000").env("PYTHONPATH", plugin).env_remove("LESSON_DEVICE");
        let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output()?;
        let text = String::from_utf8_lossy(&output.stdout);
        Ok(outcome(&text, file, output.status.code()))
    }
}

/// Reads what pytest printed, and how the program ended.
fn outcome(text: &str, file: &Path, status: Option<i32>) -> FileOutcome {
    let summary =
        text.lines().rev().find(|line| line.contains(" in ") && line.contains(['s', 'm']) && count(line).is_some());
    let number = |what: &str| {
        let words: Vec<&str> =
            summary.unwrap_or_default().split([' ', ',', '=']).filter(|word| !word.is_empty()).collect();
        words.windows(2).find(|pair| pair[1] == what).and_then(|pair| pair[0].parse().ok()).unwrap_or(0)
    };
    let failed = |line: &str| {
        let rest = line.strip_prefix("FAILED ").or_else(|| line.strip_prefix("ERROR "))?;
        // Logs of the tests have the word, too, and more blanks behind it.
        if rest.starts_with(' ') {
            return None;
        }
        let (test, says) = rest.split_once(" - ").unwrap_or((rest, ""));
        Some(Failure { test: test.to_string(), says: says.to_string() })
    };
    let mut failures: Vec<Failure> = text.lines().filter_map(failed).collect();
    if summary.is_none() {
        let says = status.map_or("ended by a signal".to_string(), |status| format!("did not end: status {status}"));
        failures.push(Failure { test: file.display().to_string(), says });
    }
    FileOutcome { passed: number("passed"), skipped: number("skipped"), failures }
}

/// The first number of passed, failed or skipped tests in a summary line.
fn count(line: &str) -> Option<usize> {
    let words: Vec<&str> = line.split([' ', ',', '=']).filter(|word| !word.is_empty()).collect();
    let is_outcome = |word: &str| {
        ["passed", "failed", "skipped", "error", "errors", "deselected", "xfailed", "warning"].contains(&word)
    };
    words.windows(2).find(|pair| is_outcome(pair[1]))?[0].parse().ok()
}

/// Compares the failures with those that are expected.
fn judge(peer: &Peer, options: &PeerOptions, all: &FileOutcome, took: Duration) -> Result<String> {
    let fits = |failure: &Failure| peer.expected.iter().position(|expected| expected.fits(failure, options.is_full));
    let mut needed = vec![0; peer.expected.len()];
    let mut unexpected = Vec::new();
    for failure in &all.failures {
        match fits(failure) {
            Some(entry) => needed[entry] += 1,
            None => unexpected.push(format!("{}: {}", failure.test, failure.says)),
        }
    }
    for (expected, count) in peer.expected.iter().zip(&needed).filter(|(_, count)| **count > 0) {
        println!("{count} as expected: {}", expected.reason);
    }
    let unneeded = peer
        .expected
        .iter()
        .zip(&needed)
        .filter(|(expected, count)| **count == 0 && !options.is_sample && (options.is_full || !expected.only_full));
    let unneeded: Vec<&str> = unneeded.map(|(expected, _)| expected.reason.as_str()).collect();
    ensure!(unexpected.is_empty(), "{} tests fail unexpectedly\n  {}", unexpected.len(), unexpected.join("\n  "));
    ensure!(unneeded.is_empty(), "no test fails any more for these reasons\n  {}", unneeded.join("\n  "));
    let (passed, failed, skipped, seconds) = (all.passed, all.failures.len(), all.skipped, took.as_secs());
    ensure!(passed > 0, "no test passed");
    Ok(format!("{}: {passed} pass, {failed} fail as expected, {skipped} skip themselves, in {seconds} s", options.name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_of_paths() {
        for (pattern, path, fits) in [
            ("a/test_*.py", "a/test_b.py", true),
            ("a/test_*.py", "a/b/test_c.py", false),
            ("**/test_*.py", "a/b/test_c.py", true),
            ("**/test_*.py", "test_c.py", true),
            ("**/test_*.py", "a/support.py", false),
            ("a.py", "a.py", true),
        ] {
            assert_eq!(matches(pattern, path), fits, "{pattern} {path}");
        }
    }

    #[test]
    fn what_pytest_says_is_read() {
        let text = "..F\n=== short test summary info ===\nFAILED a.py::T::test_b[1 - 2] - ValueError: c\n\
                    ERROR    some:driver.py:371 a line of a log\n1 failed, 2 passed, 3 skipped in 0.51s\n";
        let failure = Failure { test: "a.py::T::test_b[1".into(), says: "2] - ValueError: c".into() };
        let expected = FileOutcome { passed: 2, skipped: 3, failures: vec![failure] };
        assert_eq!(outcome(text, Path::new("a.py"), Some(1)), expected);
        let late = outcome("..F", Path::new("a.py"), Some(124));
        assert_eq!(late.failures[0].says, "did not end: status 124");
        assert_eq!(outcome("", Path::new("a.py"), None).failures[0].says, "ended by a signal");
    }

    #[test]
    fn a_failure_needs_a_reason_and_a_reason_a_failure() {
        let toml = "packages = []\nfiles = []\nsample = []\narguments = []\nseconds = 1\n\
                    [[expected]]\ntest = \"test_b\"\nreason = \"known\"\n";
        let peer: Peer = toml::from_str(toml).unwrap();
        let options = PeerOptions { name: "peer".into(), ..PeerOptions::default() };
        let all = |failures: &[&str]| FileOutcome {
            passed: 1,
            skipped: 0,
            failures: failures.iter().map(|test| Failure { test: test.to_string(), says: "no".into() }).collect(),
        };
        let told = |failures: &[&str]| judge(&peer, &options, &all(failures), Duration::ZERO);
        assert_eq!(told(&["a::test_b"]).unwrap(), "peer: 1 pass, 1 fail as expected, 0 skip themselves, in 0 s");
        assert!(told(&["a::test_b", "a::test_c"]).unwrap_err().to_string().contains("a::test_c: no"));
        assert!(told(&[]).unwrap_err().to_string().contains("known"));
    }

    #[test]
    fn options_in_any_order() {
        let wanted = PeerOptions {
            name: "numba".into(),
            is_sample: true,
            is_full: true,
            python: Some("p".into()),
            ..PeerOptions::default()
        };
        assert_eq!(options(&["numba", "--full", "--python", "p", "--sample"]), Some(wanted));
        assert_eq!(options(&[]), None);
        assert_eq!(options(&["--sample"]), None);
    }
}
