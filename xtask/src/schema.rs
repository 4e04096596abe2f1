//! `cargo xtask schema`: the JSON Schema of what a lesson gives with `--format json`, made from its types.

use anyhow::{Context, Result, ensure};
use std::fs;
use std::path::Path;
use std::process::Command;

const STORED: &str = "docs/output.schema.json";

pub fn remake(root: &Path) -> Result<String> {
    fs::write(root.join(STORED), made(root)?).with_context(|| format!("cannot write {STORED}"))?;
    Ok(format!("{STORED} is made"))
}

pub fn check(root: &Path) -> Result<String> {
    let stored = fs::read(root.join(STORED)).with_context(|| format!("cannot read {STORED}"))?;
    ensure!(stored == made(root)?, "{STORED} is not the schema of the types; `cargo xtask schema` makes it anew");
    Ok(format!("{STORED} is the schema of the types"))
}

/// By a program of its own: nothing else here needs the lessons' crates.
fn made(root: &Path) -> Result<Vec<u8>> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["run", "--quiet", "--package", "common", "--example", "schema"]).current_dir(root);
    let output = command.stderr(std::process::Stdio::inherit()).output().context("cannot run cargo")?;
    ensure!(output.status.success(), "the schema cannot be made: {}", output.status);
    Ok(output.stdout)
}
