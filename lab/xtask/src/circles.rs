//! Circles of files: each uses the next, so none can be read without all the others.
//!
//! A file uses another if it names one of its items, in a `use` or by a path of modules. A name that is re-exported
//! counts for the file that has the item, and a `pub use` is no use. Not counted: methods, macros by their bare name,
//! and tests.

use anyhow::{Context, Result};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The most files that may form a circle.
const MOST: usize = 4;

/// Names of modules from the crate's root, then perhaps an item.
type Names = Vec<String>;
/// The files of a crate by their modules.
type Crate = BTreeMap<Names, Source>;

#[derive(Default)]
struct Source {
    /// Each with its name here, and true if it is re-exported.
    uses: Vec<(String, Names, bool)>,
    paths: Vec<Names>,
}

/// Each line a circle of too many files in a crate of the course.
pub fn check(root: &Path, files: &[String]) -> Result<Vec<String>> {
    let mut crates: BTreeMap<&str, Crate> = BTreeMap::new();
    for path in files.iter().filter(|path| !path.starts_with("lab/") && !path.contains("tests")) {
        let Some((folder, file)) = path.strip_suffix(".rs").and_then(|path| path.split_once("/src/")) else { continue };
        let text = fs::read_to_string(root.join(path)).with_context(|| format!("cannot read {path}"))?;
        let mut module: Names = file.split('/').map(String::from).collect();
        module.pop_if(|last| ["lib", "main", "mod"].contains(&last.as_str()));
        crates.entry(folder).or_default().entry(module).or_insert_with(|| read(&text));
    }
    let mut problems = Vec::new();
    for (folder, all) in crates {
        for circle in circles(&all).into_iter().filter(|circle| circle.len() > MOST) {
            let names: Vec<String> =
                circle.iter().map(|module| [&["crate".into()], &module[..]].concat().join("::")).collect();
            problems.push(format!("{folder}: {} files use each other in a circle: {}", names.len(), names.join(", ")));
        }
    }
    Ok(problems)
}

fn read(text: &str) -> Source {
    let (mut source, mut lines) = (Source::default(), without_tests(text).lines().map(without_comment));
    while let Some(line) = lines.next() {
        if let Some((is_pub, first)) = declaration(line) {
            let mut text = first.to_string();
            while !text.contains(';') {
                text += lines.next().unwrap_or(";");
            }
            tree(text.trim_end_matches(';'), &[], is_pub, &mut source.uses);
            continue;
        }
        let words = line.split(|c: char| !c.is_alphanumeric() && c != '_' && c != ':');
        let paths = words.map(|word| word.trim_matches(':')).filter(|word| word.contains("::"));
        source.paths.extend(paths.map(|path| path.split("::").map(String::from).collect::<Names>()));
    }
    source
}

/// Returns the text before a module of tests, which ends a file.
fn without_tests(text: &str) -> &str {
    let mut modules = text.match_indices("#[cfg(test)]\nmod ").map(|(at, _)| at);
    let begin = modules.find(|&at| text[at..].lines().nth(1).is_some_and(|line| line.ends_with('{')));
    &text[..begin.unwrap_or(text.len())]
}

fn without_comment(line: &str) -> &str {
    line.split("//").next().unwrap_or_default()
}

/// Returns the tree of a `use` that begins in a line, and true if it is re-exported.
fn declaration(line: &str) -> Option<(bool, &str)> {
    let (before, tree) = line.trim_start().split_once("use ")?;
    let is_pub = before == "pub " || before.starts_with("pub(") && before.ends_with(") ");
    (is_pub || before.is_empty()).then_some((is_pub, tree))
}

/// Reads a tree of a `use`, such as `a::{b, c as d}`, below the names `before`.
fn tree(text: &str, before: &[String], is_pub: bool, uses: &mut Vec<(String, Names, bool)>) {
    let (path, rest) = text.split_once('{').unwrap_or((text, ""));
    let (path, alias) = path.split_once(" as ").unwrap_or((path, ""));
    let own = path.trim().split("::").filter(|name| !["", "self"].contains(name)).map(String::from);
    let names: Names = before.iter().cloned().chain(own).collect();
    if rest.is_empty() {
        let name = if alias.is_empty() { names.last().cloned().unwrap_or_default() } else { alias.trim().to_string() };
        return uses.push((name, names, is_pub));
    }
    let mut depth = 0;
    let branches = rest.trim_end().trim_end_matches('}').split(|c| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        depth == 0 && c == ','
    });
    branches.filter(|branch| !branch.trim().is_empty()).for_each(|branch| tree(branch, &names, is_pub, uses));
}

/// Returns a path from the crate's root; `None` for a path into another crate or below a local name.
fn rooted(all: &Crate, module: &[String], path: &[String]) -> Option<Names> {
    let ups = path.iter().take_while(|name| *name == "super").count();
    let base = match path.first()?.as_str() {
        "crate" => return Some(path[1..].to_vec()),
        "super" => &module[..module.len().checked_sub(ups)?],
        child => all.contains_key(&[module, &[child.to_string()]].concat()).then_some(module)?,
    };
    Some([base, &path[ups..]].concat())
}

/// As [`rooted`], also for a path that begins with a name of a `use`.
fn resolved(all: &Crate, module: &[String], path: &[String]) -> Option<Names> {
    rooted(all, module, path).or_else(|| {
        let (_, known, _) = all[module].uses.iter().find(|(name, ..)| *name == path[0])?;
        Some([&rooted(all, module, known)?, &path[1..]].concat())
    })
}

/// Returns the file that has the item at a path from the root; `None` if the path names only a module.
fn owner(all: &Crate, path: &[String], depth: usize) -> Option<Names> {
    let length = (0..=path.len()).rev().find(|&length| all.contains_key(&path[..length]))?;
    let (module, item) = path.split_at(length);
    let name = item.first()?;
    let exported = all[module].uses.iter().find(|(known, ..)| known == name && depth < 8);
    match exported.and_then(|(_, origin, _)| rooted(all, module, origin)) {
        Some(origin) => owner(all, &[&origin, &item[1..]].concat(), depth + 1),
        None => Some(module.to_vec()),
    }
}

fn circles(all: &Crate) -> BTreeSet<Vec<Names>> {
    let used = |(module, source): (&Names, &Source)| {
        let uses = source.uses.iter().filter(|(.., is_pub)| !is_pub).map(|(_, path, _)| path);
        let named = uses.chain(&source.paths).filter_map(|path| owner(all, &resolved(all, module, path)?, 0));
        (module.clone(), named.filter(|owner| owner != module).collect())
    };
    let edges: BTreeMap<Names, BTreeSet<Names>> = all.iter().map(used).collect();
    let reached: BTreeMap<_, _> = edges.keys().map(|module| (module, reached(&edges, module))).collect();
    let circle = |(module, others): (&&Names, &BTreeSet<&Names>)| {
        others.iter().filter(|other| reached[*other].contains(module)).map(|other| other.to_vec()).collect()
    };
    reached.iter().map(circle).filter(|circle: &Vec<Names>| !circle.is_empty()).collect()
}

/// Returns the files that one uses, and those that they use in turn.
fn reached<'a>(edges: &'a BTreeMap<Names, BTreeSet<Names>>, from: &'a Names) -> BTreeSet<&'a Names> {
    let (mut found, mut open) = (BTreeSet::new(), vec![from]);
    while let Some(module) = open.pop() {
        open.extend(edges[module].iter().filter(|next| found.insert(*next)));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(files: &[(&str, &str)]) -> Vec<Vec<String>> {
        let names = |module: &str| module.split_terminator("::").map(String::from).collect::<Names>();
        let all = files.iter().map(|(module, text)| (names(module), read(text))).collect();
        circles(&all).into_iter().map(|circle| circle.iter().map(|module| module.join("::")).collect()).collect()
    }

    #[test]
    fn a_re_exported_name_counts_for_the_file_that_has_it() {
        let leaf = ("a::leaf", "pub struct Leaf;");
        let parent = ("a", "mod b;\nmod leaf;\npub use leaf::Leaf;\nfn all() { b::run() }");
        assert_eq!(found(&[parent, leaf, ("a::b", "use super::Leaf;")]), Vec::<Vec<String>>::new());
        assert_eq!(found(&[parent, leaf, ("a::b", "use super::{Leaf, all};")]), [["a", "a::b"]]);
    }

    #[test]
    fn uses_and_paths_are_found_and_tests_are_not() {
        let files =
            |first| [("a", first), ("b", "use crate::c::{\n    d::E,\n    f as g,\n};"), ("c", "use crate::a::A;")];
        assert_eq!(found(&files("use super::b;\nfn x() { b::x() }")), [["a", "b", "c"]]);
        assert_eq!(
            found(&files("// crate::b::x()\n#[cfg(test)]\nmod tests {\n    use crate::b::B;\n}")),
            Vec::<Vec<String>>::new()
        );
    }
}
