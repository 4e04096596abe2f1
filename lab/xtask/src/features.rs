//! Libraries with the same features in a lesson alone and in the whole workspace. With others `cargo test --workspace`,
//! after `cargo run -p lesson02-sync`, would build the emulator a second time, which is minutes.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

/// Each line a library with its features, as a lesson is built and nothing else.
pub fn check<'a>(root: &Path, lessons: impl Iterator<Item = &'a str>) -> Result<Vec<String>> {
    let whole = built(root, &["--workspace", "--edges", "normal,build,dev"])?;
    let mut problems = BTreeSet::new();
    for lesson in lessons {
        let alone = built(root, &["--package", lesson, "--edges", "normal,build"])?;
        problems.extend(alone.difference(&whole).map(|library| {
            format!(
                "{library}: with these features for a lesson alone, with others for the workspace, so it is built twice"
            )
        }));
    }
    Ok(problems.into_iter().collect())
}

fn built(root: &Path, of: &[&str]) -> Result<BTreeSet<String>> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.arg("tree").args(of).args(["--prefix", "none", "--format", "{p} [{f}]"]).current_dir(root);
    let output = command.output().context("cannot run cargo tree")?;
    ensure!(output.status.success(), "cargo tree: {}", String::from_utf8_lossy(&output.stderr));
    // A library's folder, a mark for procedural macros, a mark for what was listed above: none is a feature.
    let library = |line: &str| {
        let (name, features) = line.trim_end_matches(" (*)").split_once(" [")?;
        let name: Vec<&str> = name.split(' ').take(2).collect();
        Some(format!("{} [{features}", name.join(" ")))
    };
    Ok(String::from_utf8(output.stdout)?.lines().filter_map(library).collect())
}
