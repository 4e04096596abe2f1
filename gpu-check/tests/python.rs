//! Tests how Python's tools show findings: pytest with several workers, and IPython.

use std::fs::File;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// The Python that the variable names, or the machine's, if it has these modules.
fn python(modules: &str) -> Option<String> {
    let python = std::env::var("GPU_CHECK_PYTHON").unwrap_or_else(|_| "python3".to_string());
    let found = Command::new(&python).args(["-c", &format!("import {modules}")]).output();
    if !found.is_ok_and(|output| output.status.success()) {
        skipped::because(skipped::NUMBA, &format!("{python} cannot import {modules}"));
        return None;
    }
    Some(python)
}

fn gpu_check(python: &str, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gpu-check"));
    command.args(["--lang", "en", python]).args(words).env_remove("LESSON_DEVICE");
    command
}

fn texts(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

/// A finding counts for the test that ran in its own process, in whatever phase, and not for one of another worker. The
/// command reports what a worker finds when it exits.
#[test]
fn each_worker_of_pytest_has_its_own_findings() {
    let Some(python) = python("numba.cuda, pytest, xdist") else { return };
    let place = tempfile::tempdir().unwrap();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/test_workers.py");
    let words = ["-m", "pytest", "-n", "2", "-p", "gpu_check_pytest", "-p", "no:cacheprovider", file.to_str().unwrap()];
    let output = gpu_check(&python, &words).env("TEST_WORKERS_PLACE", place.path()).output().unwrap();
    let (out, told) = texts(&output);
    assert_eq!(output.status.code(), Some(99), "{out}{told}");
    assert!(out.contains("2 passed") && out.contains("1 error"), "{out}{told}");
    assert!(out.contains("ERROR at teardown of test_that_races_in_its_teardown"), "{out}{told}");
    assert!(!out.contains("kernel `late`") && told.contains("kernel `late`"), "{out}{told}");
}

/// The report comes before the next cell runs, and has lines of the cell that defines the kernel.
#[test]
fn ipython_shows_reports_below_the_cell() {
    let Some(python) = python("numba.cuda, IPython") else { return };
    let place = tempfile::tempdir().unwrap();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/cells.ipy");
    let words = ["-m", "IPython", "--simple-prompt", "--no-banner", "--colors=NoColor", "--no-confirm-exit"];
    let mut command = gpu_check(&python, &words);
    let output =
        command.env("IPYTHONDIR", place.path()).stdin(Stdio::from(File::open(file).unwrap())).output().unwrap();
    let (out, told) = texts(&output);
    assert_eq!(output.status.code(), Some(99), "{out}{told}");
    let Some((before, after)) = told.split_once("the next cell") else { panic!("{out}{told}") };
    assert!(before.contains("--> In[3]:3, kernel `racy`"), "{before}");
    assert!(before.contains(" 3 |     bins[cuda.grid(1) % 8] += 1"), "{before}");
    assert!(!after.contains("In[3]") && after.contains("one error"), "{after}");
}

/// Somebody else's folder may have the module.
#[test]
fn outside_gpu_check_the_extension_says_how_to_start_it() {
    let Some(python) = python("IPython") else { return };
    let place = tempfile::tempdir().unwrap();
    let words = ["-m", "IPython", "--no-banner", "-c", "%load_ext gpu_check"];
    let modules = Path::new(env!("CARGO_MANIFEST_DIR")).join("python");
    let mut command = Command::new(&python);
    command.args(words).env("PYTHONPATH", modules).env("IPYTHONDIR", place.path()).env("PYTHONDONTWRITEBYTECODE", "1");
    for (language, part) in
        [("en", "Start it with `gpu-check -- ipython`"), ("es", "Inícialo con `gpu-check -- ipython`")]
    {
        let output = command.env("LESSON_LANG", language).env_remove("GPU_CHECK_RECORD").output().unwrap();
        let (out, told) = texts(&output);
        assert!(output.status.success() && told.contains(part) && told.lines().count() == 1, "{out}{told}");
    }
}
