//! Files that other people's machines read: the container of a browser-hosted editor, that of `gpu-check`, the
//! workflows, and the action for those of others. Nothing here runs them, so it is checked that they name what there
//! is, and that what they take from elsewhere cannot change.

mod action;
mod image;

use anyhow::{Context, Result};
use serde_json::Value;
use std::fs;
use std::path::Path;

const CONTAINER: &str = ".devcontainer/devcontainer.json";
const IMAGE: &str = "lab/container/Containerfile";
const ALIASES: &str = ".cargo/config.toml";

/// The container's properties that we use, of those that the Development Container Specification has.
const PROPERTIES: [&str; 8] = [
    "name",
    "image",
    "onCreateCommand",
    "postCreateCommand",
    "forwardPorts",
    "portsAttributes",
    "customizations",
    "remoteUser",
];

/// Returns the problems of the files among these.
pub fn check(root: &Path, files: &[String]) -> Result<Vec<String>> {
    let read = |path: &str| fs::read_to_string(root.join(path)).with_context(|| format!("cannot read {path}"));
    let aliases: toml::Table = read(ALIASES)?.parse().with_context(|| format!("cannot read {ALIASES}"))?;
    let aliases = aliases.get("alias").and_then(|table| table.as_table()).context("no aliases")?;
    let aliases: Vec<&str> = aliases.keys().map(String::as_str).collect();
    let rust: toml::Table = read("Cargo.toml")?.parse()?;
    let rust = rust["workspace"]["package"]["rust-version"].as_str().context("no rust-version")?;
    let mut problems = Vec::new();
    for path in files {
        let found = if path == CONTAINER {
            container(&read(path)?, &aliases, rust)
        } else if path == IMAGE {
            image::problems(&read(path)?, &read(".ci/run")?)
        } else if path.starts_with(".github/actions/") {
            action::problems(&read(path)?)
        } else if path.starts_with(".github/workflows/") {
            workflow(&read(path)?, &aliases)
        } else {
            continue;
        };
        problems.extend(found.into_iter().map(|problem| format!("{path}: {problem}")));
    }
    Ok(problems)
}

fn container(text: &str, aliases: &[&str], rust: &str) -> Vec<String> {
    let Ok(Value::Object(container)) = serde_json::from_str(text) else {
        return vec!["it is no JSON object".to_string()];
    };
    let mut problems = Vec::new();
    let unknown = container.keys().filter(|name| !PROPERTIES.contains(&name.as_str()));
    problems.extend(unknown.map(|name| format!("no property that we know: `{name}`")));
    let image = container.get("image").and_then(Value::as_str).unwrap_or_default();
    if !image.starts_with(&format!("rust:{rust}.")) {
        problems.push(format!("the image `{image}` should be a fixed one of Rust {rust}"));
    }
    let ports = container.get("forwardPorts").and_then(Value::as_array);
    if ports.is_none_or(|ports| !ports.iter().all(|port| port.as_u64().is_some_and(|port| port <= 0xffff))) {
        problems.push("the forwarded ports are no list of numbers".to_string());
    }
    for name in ["onCreateCommand", "postCreateCommand"] {
        match container.get(name).and_then(Value::as_str) {
            Some(command) => problems.extend(commands(command, aliases)),
            None => problems.push(format!("no `{name}`, as one text")),
        }
    }
    problems
}

fn workflow(text: &str, aliases: &[&str]) -> Vec<String> {
    let mut problems = unpinned(text);
    problems.extend(values(text, "run:").flat_map(|command| commands(command, aliases)));
    if !text.contains("\npermissions: {}\n") {
        problems.push("the workflow itself should have no permissions".to_string());
    }
    problems
}

/// Returns the values of a key, in lines of their own.
fn values<'a>(text: &'a str, key: &'a str) -> impl Iterator<Item = &'a str> {
    text.lines().filter_map(move |line| Some(line.trim().trim_start_matches("- ").strip_prefix(key)?.trim()))
}

/// Returns problems for the actions that may change, as they are not named by a commit.
fn unpinned(text: &str) -> Vec<String> {
    let is_pinned = |action: &&str| {
        let commit = action.split_once('@').map_or("", |(_, commit)| commit.split(' ').next().unwrap_or(""));
        commit.len() == 40 && commit.bytes().all(|byte| byte.is_ascii_hexdigit())
    };
    let unpinned = values(text, "uses:").filter(|action| !is_pinned(action));
    unpinned.map(|action| format!("`{action}` is not named by its commit")).collect()
}

/// Returns problems for the commands of cargo that do not exist.
fn commands(text: &str, aliases: &[&str]) -> Vec<String> {
    let cargo = text.split("&&").filter_map(|command| command.trim().strip_prefix("cargo "));
    let is_known = |word: &str| ["build", "run", "test"].contains(&word) || aliases.contains(&word);
    let unknown = cargo.filter(|words| !is_known(words.split(' ').next().unwrap_or_default()));
    unknown.map(|words| format!("there is no command `cargo {words}`")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [&str; 2] = ["toolkit", "xtask"];

    #[test]
    fn a_container_is_of_a_fixed_image_and_names_commands_that_there_are() {
        let with = |image: &str, command: &str| {
            format!(
                r#"{{"image":"{image}","forwardPorts":[8000],"onCreateCommand":"true",
                "postCreateCommand":"{command}"}}"#
            )
        };
        let problems = |image, command| container(&with(image, command), &ALL, "1.95");
        assert!(problems("rust:1.95.0-bookworm", "cargo toolkit install && cargo build").is_empty());
        assert_eq!(problems("rust:latest", "true").len(), 1);
        assert_eq!(problems("rust:1.95.0", "cargo toolbox install").len(), 1);
        assert_eq!(container("{", &ALL, "1.95").len(), 1);
        assert!(container(&with("rust:1.95.0", "true").replace("image", "imgae"), &ALL, "1.95").len() >= 2);
    }

    #[test]
    fn a_workflow_names_its_actions_by_their_commits() {
        let with =
            |uses: &str, run: &str| format!("on: push\npermissions: {{}}\n      - uses: {uses}\n        run: {run}\n");
        let commit = "a".repeat(40);
        assert!(workflow(&with(&format!("a/b@{commit} # v1"), "cargo xtask web --site"), &ALL).is_empty());
        assert_eq!(workflow(&with("a/b@v1", "cargo xtask tidy"), &ALL).len(), 1);
        assert_eq!(workflow(&with(&format!("a/b@{commit}"), "cargo xtsk"), &ALL).len(), 1);
        assert_eq!(workflow("on: push\n", &ALL).len(), 1);
    }
}
