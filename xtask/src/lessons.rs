//! The lessons as programs: which there are, and what they answer in JSON.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result};
use serde_json::Value;

/// Folders of the root that are named `lesson...` and hold a `Cargo.toml`; a package is called as its folder.
pub fn packages(root: &Path) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(root)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with("lesson") && entry.path().join("Cargo.toml").is_file() {
            found.push(name);
        }
    }
    found.sort();
    Ok(found)
}

/// A lesson's answer on the emulator, built for release.
pub fn ask(root: &Path, package: &str, arguments: &[&str]) -> Result<Value> {
    let output = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .current_dir(root)
        .args(["run", "--quiet", "--release", "-p", package, "--", "--device", "emulator", "--format", "json"])
        .args(arguments)
        .stderr(Stdio::inherit())
        .output()
        .context("cannot run cargo")?;
    serde_json::from_slice(&output.stdout).with_context(|| format!("{package} gave no JSON"))
}
