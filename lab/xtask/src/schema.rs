//! `cargo xtask schema`: the JSON Schemas of what a lesson gives with `--format json` and with `--trace`, made from the
//! types.

use anyhow::{Context, Result, ensure};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Each with what the program that makes it is given.
const STORED: [(&str, &str); 2] = [("docs/output.schema.json", "output"), ("docs/trace.schema.json", "trace")];

pub fn remake(root: &Path) -> Result<String> {
    for (stored, of) in STORED {
        fs::write(root.join(stored), made(root, of)?).with_context(|| format!("cannot write {stored}"))?;
    }
    Ok(format!("{} and {} are made", STORED[0].0, STORED[1].0))
}

pub fn check(root: &Path) -> Result<String> {
    for (stored, of) in STORED {
        let text = fs::read(root.join(stored)).with_context(|| format!("cannot read {stored}"))?;
        ensure!(text == made(root, of)?, "{stored} is not the schema of the types; `cargo xtask schema` makes it anew");
    }
    Ok(format!("{} and {} are the schemas of the types", STORED[0].0, STORED[1].0))
}

/// By a program of its own: nothing else here needs the lessons' crates.
fn made(root: &Path, of: &str) -> Result<Vec<u8>> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["run", "--quiet", "--package", "common", "--features", "schema", "--example", "schema"]);
    // With schemas the emulator is another one, which runs no kernel: not optimised it is built in a third of the time.
    for part in ["checker", "diagnose", "emulator", "finding", "machine", "ptx", "report", "trace"] {
        command.args(["--config", &format!("profile.dev.package.{part}.opt-level=0")]);
    }
    command.arg("--").arg(of).current_dir(root);
    let output = command.stderr(std::process::Stdio::inherit()).output().context("cannot run cargo")?;
    ensure!(output.status.success(), "the schema cannot be made: {}", output.status);
    Ok(output.stdout)
}
