//! `cargo xtask fuzz`: programs changed at random and launched, for as long as one likes. The test program
//! `mutants` of `lab/proofs/` does it, and tells what it is; here it is built, started, and told how long.

use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;

const MINUTES: u64 = 60;

#[derive(Debug, PartialEq, Eq)]
pub enum FuzzOptions {
    Minutes(u64),
    /// One mutant again: its seed, and the file that it is made of.
    Replay(u64, PathBuf),
}

/// `--minutes N` or `--replay SEED FILE`.
pub fn options(words: &[&str]) -> Option<FuzzOptions> {
    match words {
        [] => Some(FuzzOptions::Minutes(MINUTES)),
        ["--minutes", minutes] => Some(FuzzOptions::Minutes(minutes.parse().ok()?)),
        ["--replay", seed, file] => Some(FuzzOptions::Replay(seed.parse().ok()?, file.into())),
        _ => None,
    }
}

pub fn run(root: &Path, options: &FuzzOptions) -> Result<String> {
    let mut command = Command::new("cargo");
    command.current_dir(root.join("lab")).args(["test", "--quiet", "--package", "proofs", "--test", "mutants", "--"]);
    match options {
        FuzzOptions::Minutes(minutes) => command.arg("--minutes").arg(minutes.to_string()),
        // The test runs in its package's folder.
        FuzzOptions::Replay(seed, file) => {
            command.arg("--replay").arg(seed.to_string()).arg(std::path::absolute(file)?)
        }
    };
    if !command.status().context("cannot run cargo")?.success() {
        bail!("some programs failed; they are in target/fuzz/");
    }
    Ok("no program failed".to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_hour_is_what_nobody_asked_otherwise() {
        assert_eq!(options(&[]), Some(FuzzOptions::Minutes(60)));
        assert_eq!(options(&["--minutes", "2"]), Some(FuzzOptions::Minutes(2)));
        assert_eq!(options(&["--replay", "7", "a.ptx"]), Some(FuzzOptions::Replay(7, "a.ptx".into())));
        assert_eq!(options(&["--minutes"]), None);
        assert_eq!(options(&["--replay", "a.ptx"]), None);
    }
}
