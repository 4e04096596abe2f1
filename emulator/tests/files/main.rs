//! Tests that are files. Each is a test by its path, under every schedule that its kind asks for:
//!
//!     cargo test -p emulator --test files                     all
//!     cargo test -p emulator --test files fail/race-shared    those whose names hold this
//!     cargo test -p emulator --test files -- --list           their names

mod alike;
mod causes;
#[path = "../support/conformance/mod.rs"]
#[allow(dead_code, unused_imports, reason = "this program has no harness for its tests; `lab/conformance` runs them")]
mod conformance;
mod cuda;
mod followed;
mod header;
mod lessons;
mod litmus;
mod machine;
#[path = "../support/schedules.rs"]
mod many_schedules;
mod operations;
mod pairs;
mod recorded;
mod schedules;
mod traced;
mod tried;
mod words;

use libtest_mimic::{Arguments, Failed, Trial};
use std::path::{Path, PathBuf};

fn main() {
    let (arguments, names) = arguments();
    // The longest first, so that no core is left alone with them at the end.
    let trials = [
        cuda::trials(),
        litmus::trials(),
        pairs::trials(),
        words::trials(),
        lessons::trials(),
        operations::trials(),
        causes::trials(),
        tried::trials(),
        traced::trials(),
        recorded::trials(),
        followed::trials(),
        alike::trials(),
    ];
    let trials = trials.into_iter().flatten();
    let trials = trials.filter(|trial| names.is_empty() || names.iter().any(|name| name == trial.name()));
    libtest_mimic::run(&arguments, trials.collect()).exit();
}

/// Returns the arguments of the command line. After `--exact` several names may stand, as for other tests; the runner
/// takes just one.
fn arguments() -> (Arguments, Vec<String>) {
    let words: Vec<String> = std::env::args().collect();
    match words.iter().position(|word| word == "--exact") {
        Some(at) => (Arguments::from_iter(&words[..at]), words[at + 1..].to_vec()),
        None => (Arguments::from_args(), Vec::new()),
    }
}

/// A test that fails by panicking or by what it returns.
fn trial(name: String, run: impl FnOnce() -> Result<(), String> + Send + 'static) -> Trial {
    Trial::test(name, || run().map_err(Failed::from))
}

/// A test of its own, that fails by panicking.
fn plain(name: &str, test: fn()) -> Trial {
    trial(name.to_string(), move || {
        test();
        Ok(())
    })
}

/// `emulator/tests/`.
fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}

/// `cuda/`.
fn kernels() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../cuda")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns the files in a folder with this extension, by name.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let paths = entries.map(|entry| entry.expect("readable").path());
    let mut paths: Vec<PathBuf> = paths.filter(|path| path.extension().is_some_and(|it| it == extension)).collect();
    paths.sort();
    paths
}

/// The name of a file without its extension.
fn stem(path: &Path) -> String {
    path.file_stem().expect("a file").to_string_lossy().into_owned()
}
