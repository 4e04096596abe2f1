//! The message of a test that needs something this machine lacks: the missing thing, and the command that runs the test
//! again.
//!
//! ```text
//! skipped: no CUDA compiler: cargo test -p learn --test catalog -- --exact each_kind_is_judged
//! ```
//!
//! One line a test, past the test runner's capture: a test that passed is not shown otherwise. `cargo xtask skipped`
//! reads the lines of a whole run, and runs those tests again where what they want is there.
//!
//! Tests that draw programs or schedules by the thousand run only a sample, unless a nightly run asks for all
//! ([`share`]).

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::env;
use std::io::Write;
use std::thread;

/// nvcc or NVRTC.
pub const CUDA_COMPILER: &str = "no CUDA compiler";
/// The toolkit that `cargo toolkit install` fetches.
pub const TOOLKIT: &str = "no fetched toolkit";
/// NVRTC, and Landlock in Linux: what it takes to shut a submission in.
pub const SANDBOX: &str = "no sandbox";
pub const GPU: &str = "no NVIDIA GPU";
/// A Python with numba for CUDA.
pub const NUMBA: &str = "no numba";
pub const SLURM: &str = "no Slurm";
/// A small file system can only be mounted by root.
pub const MOUNTS: &str = "no right to mount";
/// The test is about a machine without something that this one has.
pub const WITHOUT: &str = "not without";

thread_local! {
    /// The lines that this test, which has a thread of its own, has printed: a property asks once for each of its
    /// cases.
    static SAID: RefCell<BTreeSet<(String, String)>> = const { RefCell::new(BTreeSet::new()) };
}

/// The variable that `cargo xtask nightly` sets: every test does all that it can.
pub const WHOLE: &str = "TEST_WHOLE";

/// Returns the part of a long test that is done: `sample`, always the same, or `whole` where [`WHOLE`] asks for it.
pub fn share<T>(sample: T, whole: T) -> T {
    if env::var_os(WHOLE).is_some() { whole } else { sample }
}

/// Says that the running test wants `what`, one of the constants above, and does not run; `why` is shown as a test's
/// output is.
pub fn because(what: &str, why: &str) {
    because_in(thread::current().name().unwrap_or("main"), what, why);
}

/// As [`because`], for the test of this name: some runners give their threads no names.
pub fn because_in(test: &str, what: &str, why: &str) {
    println!("skipped: {why}");
    if !SAID.with_borrow_mut(|said| said.insert((what.to_string(), test.to_string()))) {
        return;
    }
    // Written to the stream itself: a runner catches only what the macros print.
    let line = format!("skipped: {what}: {}\n", again(&package(), &program(), test));
    // A closed stream leaves the test as it is: skipped.
    let _ = std::io::stderr().write_all(line.as_bytes());
}

/// True if `found` is an error: then the test is skipped for the lack of `what`.
pub fn unless<T, E: std::fmt::Display>(what: &str, found: &Result<T, E>) -> bool {
    if let Err(why) = found {
        because(what, &format!("{why:#}"));
    }
    found.is_err()
}

/// Cargo sets it for the programs that it runs.
fn package() -> String {
    env::var("CARGO_PKG_NAME").unwrap_or_default()
}

/// `catalog` of `target/debug/deps/catalog-0123456789abcdef`.
fn program() -> String {
    let path = env::current_exe().unwrap_or_default();
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    name.rsplit_once('-').map_or(&*name, |(name, _)| name).to_string()
}

/// The command that runs one test again; a whole program where the runner did not name the thread.
fn again(package: &str, program: &str, test: &str) -> String {
    // Unit tests are in a program that is named as the package.
    let target = match program == package.replace('-', "_") {
        true => "--lib".to_string(),
        false => format!("--test {program}"),
    };
    let only = if test == "main" { String::new() } else { format!(" -- --exact {test}") };
    format!("cargo test -p {package} {target}{only}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_is_a_command() {
        assert_eq!(again("learn", "web", "a::b"), "cargo test -p learn --test web -- --exact a::b");
        assert_eq!(again("kernel-build", "kernel_build", "a"), "cargo test -p kernel-build --lib -- --exact a");
        assert_eq!(again("emulator", "files", "main"), "cargo test -p emulator --test files");
    }

    #[test]
    fn this_program_knows_its_own() {
        assert_eq!((package().as_str(), program().as_str()), ("skipped", "skipped"));
    }
}
