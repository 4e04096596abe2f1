//! Type names that say nothing without their module: each names one type of the course at most.
//!
//! A reader meets `Record` in a signature, a search or a backtrace, where no module stands beside it. A second
//! `Record` has a longer name, such as `LaunchRecord`. Not counted: `lab/`, tests, and types in functions or impls.

use anyhow::{Context, Result};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Words that name a type only in its own file. The more common ones that the public API has are not among them.
const VAGUE: [&str; 102] = [
    "Answer",
    "Body",
    "Bound",
    "Buffer",
    "Bytes",
    "Call",
    "Cell",
    "Chain",
    "Choice",
    "Clock",
    "Code",
    "Context",
    "Copies",
    "Counted",
    "Desk",
    "Element",
    "End",
    "Ending",
    "Extent",
    "Failure",
    "Fetch",
    "Fill",
    "Fix",
    "Flow",
    "Folder",
    "Form",
    "Format",
    "Gap",
    "Guard",
    "History",
    "Hold",
    "Host",
    "Identity",
    "Inputs",
    "Item",
    "Job",
    "Key",
    "Kind",
    "Lanes",
    "Layout",
    "Level",
    "Library",
    "Line",
    "List",
    "Log",
    "Look",
    "Meeting",
    "Missing",
    "Mode",
    "Names",
    "Node",
    "Object",
    "Operation",
    "Options",
    "Order",
    "Origin",
    "Outline",
    "Page",
    "Pair",
    "Part",
    "Parting",
    "Piece",
    "Place",
    "Position",
    "Progress",
    "Query",
    "Queue",
    "Rank",
    "Read",
    "Reader",
    "Record",
    "Request",
    "Row",
    "Rows",
    "Scene",
    "Scope",
    "Search",
    "Session",
    "Shape",
    "Side",
    "Size",
    "Source",
    "Stack",
    "Stage",
    "Start",
    "State",
    "Step",
    "Store",
    "Stored",
    "Strong",
    "Table",
    "Target",
    "Task",
    "Token",
    "Tree",
    "Triple",
    "Update",
    "Value",
    "Values",
    "Verdict",
    "Word",
    "Write",
];

/// Words that declare a type.
const KEYWORDS: [&str; 5] = ["struct ", "enum ", "trait ", "type ", "union "];

/// Returns a line for each vague name of several types.
pub fn check(root: &Path, files: &[String]) -> Result<Vec<String>> {
    let mut named: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for path in files.iter().filter(|path| is_of_course(path)) {
        let text = fs::read_to_string(root.join(path)).with_context(|| format!("cannot read {path}"))?;
        for name in vague(&text) {
            named.entry(name).or_default().push(path);
        }
    }
    let several = named.into_iter().filter(|(_, paths)| paths.len() > 1);
    Ok(several
        .map(|(name, paths)| format!("`{name}` names types in {}: rename all but one", paths.join(", ")))
        .collect())
}

fn is_of_course(path: &str) -> bool {
    path.ends_with(".rs") && !path.starts_with("lab/") && !path.split('/').any(|part| part.starts_with("tests"))
}

/// Returns the vague names of the types that a file declares at its top level.
fn vague(text: &str) -> impl Iterator<Item = &'static str> {
    text.lines().filter_map(declared).filter_map(|name| VAGUE.into_iter().find(|vague| *vague == name))
}

/// Returns the name of the type that a line declares.
fn declared(line: &str) -> Option<&str> {
    let public = line.split_once(' ').filter(|(first, _)| first.starts_with("pub"));
    let item = public.map_or(line, |(first, rest)| match first {
        "pub(in" => rest.split_once(' ').map_or(rest, |(_, item)| item),
        _ => rest,
    });
    let name = KEYWORDS.iter().find_map(|keyword| item.strip_prefix(keyword))?;
    name.split(|c: char| !c.is_alphanumeric()).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_declaration_has_any_visibility_and_begins_its_line() {
        let lines = [
            "struct Entry {",
            "pub enum Entry {",
            "pub(super) type Entry<'a> = u8;",
            "pub(in crate::a) trait Entry: B {",
        ];
        assert!(lines.iter().all(|line| declared(line) == Some("Entry")));
        let others =
            ["    type Entry = u8;", "fn entry() -> Entry {", "use crate::Entry;", "impl Entry {", "// struct Entry"];
        assert!(others.iter().all(|line| declared(line).is_none()));
    }

    #[test]
    fn only_vague_names_are_found() {
        let text = "struct Entry;\nstruct CalleeEntry;\nenum Kind {}\n#[cfg(test)]\nmod tests;\n";
        assert_eq!(vague(text).collect::<Vec<_>>(), ["Kind"]);
    }
}
