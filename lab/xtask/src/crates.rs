//! The table of crates in `ARCHITECTURE.md`: each row names the crates of the course that its crate uses, and no other.

use anyhow::{Context, Result, ensure};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use toml::{Table, Value};

const MAP: &str = "ARCHITECTURE.md";
const HEAD: &str = "| crate | what it knows | uses |";

/// Each line a row that says something else than the manifest of its crate.
pub fn check(root: &Path) -> Result<Vec<String>> {
    let read = |path: String| fs::read_to_string(root.join(&path)).with_context(|| format!("cannot read {path}"));
    let course: Table = read("Cargo.toml".to_string())?.parse().context("cannot read Cargo.toml")?;
    let known = local(&course["workspace"]["dependencies"]);
    let text = read(MAP.to_string())?;
    let rows: Vec<_> = rows(&text).collect();
    ensure!(!rows.is_empty(), "{MAP} has no table that begins with {HEAD}");
    let mut problems = Vec::new();
    for (folder, listed) in rows {
        let manifest: Table = read(format!("{folder}/Cargo.toml"))?.parse().context("cannot read a manifest")?;
        let names = manifest.get("dependencies").map(names).unwrap_or_default();
        let uses: BTreeSet<String> = names.into_iter().filter(|name| known.contains(name)).collect();
        problems.extend(difference(folder, &listed, &uses));
    }
    Ok(problems)
}

fn difference(folder: &str, listed: &BTreeSet<String>, uses: &BTreeSet<String>) -> Option<String> {
    let list = |names: Vec<&String>| names.into_iter().map(String::as_str).collect::<Vec<_>>().join(", ");
    let missing = list(uses.difference(listed).collect());
    let surplus = list(listed.difference(uses).collect());
    (listed != uses).then(|| format!("{MAP}: the row of {folder} lacks [{missing}], and has [{surplus}] too many"))
}

/// Returns the folder of each row's crate, and the crates that it is said to use.
fn rows(text: &str) -> impl Iterator<Item = (&str, BTreeSet<String>)> {
    let table = text.split_once(HEAD).map_or("", |(_, rest)| rest);
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    rows.filter_map(|row| {
        let mut cells = row.trim_matches('|').split(" | ");
        let folder = quoted(cells.next()?).next()?.trim_end_matches('/').trim_end_matches("/src");
        Some((folder, quoted(cells.last()?).map(String::from).collect()))
    })
}

/// Returns the texts between backticks.
fn quoted(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

fn names(table: &Value) -> BTreeSet<String> {
    table.as_table().into_iter().flatten().map(|(name, _)| name.clone()).collect()
}

/// Returns the packages that have a path.
fn local(dependencies: &Value) -> BTreeSet<String> {
    let all = dependencies.as_table().into_iter().flatten();
    all.filter(|(_, value)| value.get("path").is_some()).map(|(name, _)| name.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_held_to_the_manifest_in_both_directions() {
        let text =
            format!("before\n{HEAD}\n|---|---|---|\n| `a/src/` | `x` at work | `b`, `c` |\n| `d/` | y | |\n\n| `e/` |");
        let rows: Vec<_> = rows(&text).collect();
        let set = |names: &[&str]| names.iter().map(|name| name.to_string()).collect::<BTreeSet<_>>();
        assert_eq!(rows, [("a", set(&["b", "c"])), ("d", set(&[]))]);
        assert_eq!(difference("a", &rows[0].1, &set(&["b", "c"])), None);
        let why = difference("a", &rows[0].1, &set(&["b", "f"])).unwrap();
        assert!(why.ends_with("the row of a lacks [f], and has [c] too many"), "{why}");
    }
}
