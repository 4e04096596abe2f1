//! What a newcomer builds twice. Cargo joins the features that the chosen packages ask of a crate: where one command asks for more than
//! the other, that crate and all that use it are built again.

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// The README's two commands, as far as they build.
const FIRST: &[&str] = &["build", "--package", "lesson02-sync"];
const THEN: &[&str] = &["test", "--workspace"];

/// A crate as one command builds it: its identity, what is compiled of it, how it is optimised, its features.
type Unit = (String, String, String, Vec<String>);

/// Crates that the second command builds with other features than the first.
pub fn check(root: &Path) -> Result<Vec<String>> {
    let (first, then) = (units(root, FIRST)?, units(root, THEN)?);
    Ok(twice(&first, &then))
}

fn twice(first: &BTreeSet<Unit>, then: &BTreeSet<Unit>) -> Vec<String> {
    let same = |one: &Unit, other: &&Unit| (&one.0, &one.1, &one.2) == (&other.0, &other.1, &other.2);
    let mut told = Vec::new();
    for unit in first.difference(then) {
        let others: Vec<String> = then.iter().filter(|other| same(unit, other)).map(|other| other.3.join(" ")).collect();
        told.push(format!(
            "Cargo.toml: a newcomer builds {} ({}) twice: `cargo run` with the features [{}], `cargo test` with [{}]",
            unit.0.rsplit('/').next().unwrap_or_default(),
            unit.1,
            unit.3.join(" "),
            others.join("] and [")
        ));
    }
    told
}

/// What cargo would build.
fn units(root: &Path, command: &[&str]) -> Result<BTreeSet<Unit>> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .current_dir(root)
        .args(command)
        .args(["--locked", "--unit-graph", "-Zunstable-options"])
        // Only a nightly cargo tells, or one that takes itself for it.
        .env("RUSTC_BOOTSTRAP", "1")
        .output()
        .context("cannot run cargo")?;
    ensure!(output.status.success(), "cargo gives no unit graph: {}", String::from_utf8_lossy(&output.stderr).trim_end());
    read(&serde_json::from_slice(&output.stdout)?)
}

fn read(graph: &Value) -> Result<BTreeSet<Unit>> {
    let units = graph["units"].as_array().context("a unit graph without units")?;
    let built = units.iter().filter(|unit| unit["mode"] == "build");
    let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
    let unit = |unit: &Value| {
        let features = unit["features"].as_array().map_or(&[][..], Vec::as_slice).iter().map(text).collect();
        (text(&unit["pkg_id"]), text(&unit["target"]["kind"][0]), text(&unit["profile"]["opt_level"]), features)
    };
    Ok(built.map(unit).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(features: &str) -> BTreeSet<Unit> {
        let unit = format!(
            r#"{{"units": [
                {{"pkg_id": "registry+https://example.org/index#serde@1.0.1", "mode": "build", "features": [{features}],
                  "target": {{"kind": ["lib"]}}, "profile": {{"opt_level": "0"}}}},
                {{"pkg_id": "path+file:///a#b@0.1.0", "mode": "test", "features": [],
                  "target": {{"kind": ["lib"]}}, "profile": {{"opt_level": "0"}}}}]}}"#
        );
        read(&serde_json::from_str(&unit).unwrap()).unwrap()
    }

    #[test]
    fn a_crate_with_other_features_is_told_and_one_with_the_same_is_not() {
        assert_eq!(graph("").len(), 1, "what is only tested is no crate of another");
        assert_eq!(twice(&graph("\"std\""), &graph("\"std\"")), [""; 0]);
        let told = twice(&graph("\"std\""), &graph("\"derive\", \"std\"")).join("\n");
        assert!(told.contains("serde@1.0.1 (lib) twice") && told.contains("[std]") && told.contains("[derive std]"), "{told}");
    }
}
