//! Tests that run in a process of their own.

use std::process::{Command, Output};

/// Set where a test has started its part in a process of its own.
const INNER: &str = "DRIVER_TEST_INNER";

/// Runs the test `name` of this program in a process of its own.
pub fn alone(name: &str, set: impl FnOnce(&mut Command)) -> Output {
    let mut command = Command::new(std::env::current_exe().expect("this test's own program"));
    command.args(["--exact", name, "--nocapture"]).env(INNER, "1").env("LESSON_LANG", "en").env_remove("LESSON_DEVICE");
    set(&mut command);
    command.output().expect("it starts")
}

/// Returns true in that process.
pub fn is_inner() -> bool {
    std::env::var_os(INNER).is_some()
}
