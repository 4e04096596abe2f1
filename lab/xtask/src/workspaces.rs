//! Two workspaces, the course and its laboratory, with the same versions, features and profiles. Where they differ, a
//! library that both use is built twice.

use anyhow::{Context, Result};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use toml::{Table, Value};

const LAB: &str = "lab/";

/// Each line a difference.
pub fn check(root: &Path) -> Result<Vec<String>> {
    let read = |path: String| -> Result<Table> {
        let text = fs::read_to_string(root.join(&path)).with_context(|| format!("cannot read {path}"))?;
        text.parse().with_context(|| format!("cannot read {path}"))
    };
    let pair = |name: &str| -> Result<(Table, Table)> { Ok((read(name.to_string())?, read(format!("{LAB}{name}"))?)) };
    let (course, lab) = pair("Cargo.toml")?;
    let mut problems = manifests(&course, &lab);
    let (course, lab) = pair("Cargo.lock")?;
    problems.extend(locks(&course, &lab));
    Ok(problems)
}

/// Compares the libraries of both, and everything else that decides whether an artifact is shared. The laboratory may
/// have libraries, and profiles of packages, that the course has not.
fn manifests(course: &Table, lab: &Table) -> Vec<String> {
    let mut problems = Vec::new();
    for (table, only_common) in [
        ("workspace.package", false),
        ("workspace.lints", false),
        ("workspace.dependencies", true),
        ("profile.dev", false),
        ("profile.dev.package", false),
        ("profile.bench", false),
    ] {
        let (of_course, of_lab) = (entries(course, table), entries(lab, table));
        for (name, value) in &of_course {
            // A table of its own, above.
            if (table, name.as_str()) == ("profile.dev", "package") {
                continue;
            }
            match of_lab.get(name) {
                None if only_common => {}
                found if found == Some(value) => {}
                _ => problems.push(format!("{LAB}Cargo.toml: [{table}] has another `{name}` than Cargo.toml")),
            }
        }
    }
    problems
}

/// A table's entries; of local packages with their folders as the course's manifest names them.
fn entries(manifest: &Table, table: &str) -> BTreeMap<String, Value> {
    let mut names = table.split('.');
    let first = names.next().and_then(|name| manifest.get(name));
    let found = names.try_fold(first, |value, name| Some(value?.get(name))).flatten();
    let mut entries: BTreeMap<String, Value> = found
        .and_then(Value::as_table)
        .into_iter()
        .flatten()
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    for path in entries.values_mut().filter_map(|value| value.get_mut("path")) {
        if let Some(below) = path.as_str().and_then(|path| path.strip_prefix("../")) {
            *path = below.into();
        }
    }
    entries
}

/// Libraries of which one workspace has another compatible version than the other.
fn locks(course: &Table, lab: &Table) -> Vec<String> {
    let course = versions(course);
    let mut problems = Vec::new();
    for (name, version) in &versions(lab) {
        let of_course = course.iter().filter(|(other, _)| other == name).map(|(_, version)| version);
        let compatible: Vec<&String> = of_course.filter(|other| line(other) == line(version)).collect();
        if !compatible.is_empty() && !compatible.contains(&version) {
            problems.push(format!("{LAB}Cargo.lock: {name} {version}, and {} in Cargo.lock", compatible[0]));
        }
    }
    problems
}

/// The packages that come from a registry.
fn versions(lock: &Table) -> BTreeSet<(String, String)> {
    let packages = lock.get("package").and_then(Value::as_array).into_iter().flatten();
    let text = |package: &Value, key: &str| Some(package.get(key)?.as_str()?.to_string());
    packages
        .filter(|package| package.get("source").is_some())
        .filter_map(|package| Some((text(package, "name")?, text(package, "version")?)))
        .collect()
}

/// The part of a version that compatible ones share: up to the first number that is not 0.
fn line(version: &str) -> &str {
    let end = version.find(|digit: char| digit.is_ascii_digit() && digit != '0');
    let end = end.and_then(|at| version[at..].find(|other: char| !other.is_ascii_digit()).map(|length| at + length));
    &version[..end.unwrap_or(version.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    const COURSE: &str = "[workspace.package]\nedition = '2024'\n\
        [workspace.dependencies]\na = { version = '1', features = ['x'] }\nb = '1'\nc = { path = 'deep/c' }\n\
        [profile.dev]\ndebug = false\n[profile.dev.package.c]\nopt-level = 2\n";

    #[test]
    fn a_laboratory_may_lack_libraries_and_have_more() {
        let lab = COURSE.replace("'deep/c'", "'../deep/c'").replace("b = '1'\n", "tree = '1'\n");
        let lab = format!("{lab}[profile.dev.package.bench]\nopt-level = 1\n");
        assert_eq!(manifests(&COURSE.parse().unwrap(), &lab.parse().unwrap()), [""; 0]);
    }

    #[test]
    fn other_features_versions_and_profiles_are_found() {
        for (from, to, table) in [
            ("['x']", "[]", "[workspace.dependencies] has another `a`"),
            ("b = '1'", "b = '2'", "[workspace.dependencies] has another `b`"),
            ("2024", "2021", "[workspace.package] has another `edition`"),
            ("debug = false", "debug = true", "[profile.dev] has another `debug`"),
            ("opt-level = 2", "opt-level = 1", "[profile.dev.package] has another `c`"),
            ("[profile.dev.package.c]\nopt-level = 2\n", "", "[profile.dev.package] has another `c`"),
        ] {
            let found = manifests(&COURSE.parse().unwrap(), &COURSE.replace(from, to).parse().unwrap());
            assert!(found.len() == 1 && found[0].contains(table), "{found:?}");
        }
    }

    #[test]
    fn a_library_has_one_version_of_those_that_are_compatible() {
        let lock = |packages: &[(&str, &str)]| -> Table {
            let one = |(name, version)| format!("[[package]]\nname = '{name}'\nversion = '{version}'\nsource = 'r'\n");
            packages.iter().map(|(name, version)| one((name, version))).collect::<String>().parse().unwrap()
        };
        let course = lock(&[("syn", "2.0.1"), ("syn", "3.0.1"), ("half", "0.4.1"), ("only", "1.0.0")]);
        let lab = lock(&[("syn", "3.0.1"), ("half", "0.5.0"), ("tree", "1.0.0")]);
        assert_eq!(locks(&course, &lab), [""; 0]);
        let other = lock(&[("syn", "3.0.2"), ("half", "0.4.2")]);
        let wanted = ["half 0.4.2, and 0.4.1 in Cargo.lock", "syn 3.0.2, and 3.0.1 in Cargo.lock"];
        assert_eq!(locks(&course, &other), wanted.map(|end| format!("lab/Cargo.lock: {end}")));
    }

    #[test]
    fn compatible_versions_share_their_beginning() {
        for (version, want) in
            [("1.20.3", "1"), ("10.0.0", "10"), ("0.10.2", "0.10"), ("0.0.7", "0.0.7"), ("1.0.0-a", "1")]
        {
            assert_eq!(line(version), want);
        }
    }
}
