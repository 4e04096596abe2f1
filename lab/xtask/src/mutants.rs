//! `cargo xtask mutants` and `cargo xtask probes`: the exercises held to what students may get wrong. The package
//! `exercises` of `lab/` does it and says what it is; here it is built, and the program that judges.

use crate::lessons::build;
use anyhow::{Context, Result, ensure};
use std::path::Path;
use std::process::Command;

/// `what` is `mutants` or `probes`, and `words` are its options.
pub fn run(root: &Path, what: &str, words: &[&str]) -> Result<String> {
    let mut command = exercises(root);
    command.arg(what);
    if what == "mutants" {
        command.arg("--program").arg(build(root, "learn", "learn", &[])?);
    }
    let status = command.args(words).status().context("cannot run cargo")?;
    ensure!(status.success(), "an exercise misses some");
    // Its own last line is the summary.
    Ok(String::new())
}

/// The program of `lab/exercises`, built if need be, without its arguments.
pub fn exercises(root: &Path) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(["run", "--quiet", "--manifest-path"]).arg(root.join("lab/Cargo.toml"));
    command.args(["--package", "exercises", "--"]);
    command
}
