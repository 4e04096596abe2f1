//! The runner of tests that are files, and where the files are. `emulator/tests/files/` and
//! `lab/proofs/tests/files/` share them.

use libtest_mimic::{Arguments, Failed, Trial};
use std::path::{Path, PathBuf};

/// Runs the trials that the command line names, and ends the process.
pub fn run(trials: impl Iterator<Item = Trial>) {
    let (arguments, names) = arguments();
    let trials = trials.filter(|trial| names.is_empty() || names.iter().any(|name| name == trial.name()));
    libtest_mimic::run(&arguments, trials.collect()).exit();
}

/// Returns the arguments of the command line. After `--exact`, several names may follow, as for other tests; the
/// runner takes just one.
fn arguments() -> (Arguments, Vec<String>) {
    let words: Vec<String> = std::env::args().collect();
    match words.iter().position(|word| word == "--exact") {
        Some(at) => (Arguments::from_iter(&words[..at]), words[at + 1..].to_vec()),
        None => (Arguments::from_args(), Vec::new()),
    }
}

/// A test that fails by panicking or by what it returns.
pub fn trial(name: String, run: impl FnOnce() -> Result<(), String> + Send + 'static) -> Trial {
    Trial::test(name, || run().map_err(Failed::from))
}

/// A test of its own, that fails by panicking.
pub fn plain(name: &str, test: fn()) -> Trial {
    trial(name.to_string(), move || {
        test();
        Ok(())
    })
}

/// `emulator/tests/`.
pub fn tests() -> PathBuf {
    emulator().join("tests")
}

/// `cuda/`.
pub fn kernels() -> PathBuf {
    emulator().join("../cuda")
}

pub fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns the files in a folder with this extension, by name.
pub fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let paths = entries.map(|entry| entry.expect("readable").path());
    let mut paths: Vec<PathBuf> = paths.filter(|path| path.extension().is_some_and(|it| it == extension)).collect();
    paths.sort();
    paths
}

/// The name of a file without its extension.
pub fn stem(path: &Path) -> String {
    path.file_stem().expect("a file").to_string_lossy().into_owned()
}

/// `emulator/`, from its own tests and from those of a package in `lab/`.
fn emulator() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    if here.ends_with("emulator") { here.to_path_buf() } else { here.join("../../emulator") }
}
