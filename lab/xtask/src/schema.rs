//! `cargo xtask schema`: the JSON Schemas of what a lesson gives with `--format json` and with `--trace`, made from the
//! types, and what lessons write held to them.

use crate::lessons::build;
use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Each with what the program that makes it is given.
const STORED: [(&str, &str); 2] = [("docs/output.schema.json", "output"), ("docs/trace.schema.json", "trace")];

/// The lesson whose JSON and trace are held to them.
const LESSON: &str = "lesson02-sync";

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
    let scratch = tempfile::tempdir()?;
    let trace = scratch.path().join("trace.json");
    let program = build(root, LESSON, LESSON, &[])?;
    let arguments = ["--device", "emulator", "--only", "reverse", "--format", "json", "--trace"];
    let output = Command::new(program).args(arguments).arg(&trace).output().context("cannot run the lesson")?;
    fits(root, STORED[0].0, &output.stdout, &[("/version", 2.into())])?;
    let written = fs::read(&trace).context("the lesson wrote no trace")?;
    let wrong = [
        ("/version", 2.into()),
        ("/events/2/kind", "dance".into()),
        ("/events/2/lanes", 3.into()),
        ("/sites", Value::Null),
    ];
    fits(root, STORED[1].0, &written, &wrong)?;
    Ok(format!("{} and {} are the schemas of the types, and {LESSON} writes both", STORED[0].0, STORED[1].0))
}

/// Fails if a lesson's JSON is not as a stored schema says, or if the schema takes it with one of the wrong values.
fn fits(root: &Path, stored: &str, written: &[u8], wrong: &[(&str, Value)]) -> Result<()> {
    let schema: Value = serde_json::from_slice(&fs::read(root.join(stored))?)?;
    let validator = jsonschema::validator_for(&schema).with_context(|| format!("{stored} is no schema"))?;
    let value: Value = serde_json::from_slice(written).with_context(|| format!("{LESSON} wrote no JSON"))?;
    let errors: Vec<String> =
        validator.iter_errors(&value).map(|error| format!("{}: {error}", error.instance_path())).collect();
    ensure!(errors.is_empty(), "{LESSON} does not write what {stored} says: {}", errors.join("; "));
    for (path, wrong) in wrong {
        let mut changed = value.clone();
        *changed.pointer_mut(path).with_context(|| format!("{LESSON} wrote no {path}"))? = wrong.clone();
        ensure!(!validator.is_valid(&changed), "{stored} allows {path} to be {wrong}");
    }
    Ok(())
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
