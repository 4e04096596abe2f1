//! `cargo xtask sarif`: the SARIF log of every lesson, held to the standard's schema.

use crate::lessons::{Lessons, build};
use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;

const SCHEMA: &str = "lab/xtask/sarif-schema-2.1.0.json";

pub fn check(root: &Path) -> Result<String> {
    let schema = fs::read_to_string(root.join(SCHEMA)).with_context(|| format!("cannot read {SCHEMA}"))?;
    let schema: Value = serde_json::from_str(&schema)?;
    let validator = jsonschema::validator_for(&schema).context("the schema is none")?;
    let packages = Lessons::of(root)?.packages;
    let mut results = 0;
    for package in &packages {
        let program = build(root, package, package, &[])?;
        let arguments = ["--device", "emulator", "--schedule", "in-order", "--format", "sarif"];
        let output = Command::new(program).args(arguments).output().with_context(|| format!("cannot run {package}"))?;
        let log: Value = serde_json::from_slice(&output.stdout).with_context(|| format!("{package} gave no JSON"))?;
        let errors: Vec<String> = validator.iter_errors(&log).map(|error| error.to_string()).collect();
        ensure!(errors.is_empty(), "{package}'s log is not as the standard says: {}", errors.join("; "));
        results += told(root, package, &log)?;
    }
    Ok(format!("{} logs with {results} results are as the standard says", packages.len()))
}

/// Returns the number of results. Each names lines that exist, and a race both of its ends.
fn told(root: &Path, package: &str, log: &Value) -> Result<usize> {
    let results = log["runs"][0]["results"].as_array().map_or(&[][..], Vec::as_slice);
    ensure!(!results.is_empty(), "{package} has broken kernels, and its log has no result");
    for result in results {
        // The message leads to each of them.
        let text = result["message"]["text"].as_str().unwrap_or_default();
        let links = result["relatedLocations"].as_array().map_or(0, Vec::len);
        ensure!((0..links).all(|id| text.contains(&format!("]({id})"))), "{package}: no link to each end: {result:#}");
        let related = result["relatedLocations"].as_array().map_or(&[][..], Vec::as_slice);
        let is_race = result["ruleId"].as_str().is_some_and(|rule| rule.starts_with("race-"));
        ensure!(!is_race || related.len() >= 2, "{package}: a race without its two ends: {result:#}");
        let main = result["locations"].as_array().map_or(&[][..], Vec::as_slice);
        for location in main.iter().chain(related).map(|location| &location["physicalLocation"]) {
            let Some(file) = location["artifactLocation"]["uri"].as_str() else { continue };
            let text = fs::read_to_string(root.join(file)).with_context(|| format!("{package} names {file}"))?;
            let line = location["region"]["startLine"].as_u64().unwrap_or(0) as usize;
            ensure!((1..=text.lines().count()).contains(&line), "{package} names line {line} of {file}");
        }
    }
    Ok(results.len())
}
