//! Checks what exercises tell students to read: sections and rows of a lesson's `README.md` that must be there.

use anyhow::{Context, Result};
use std::fs;
use std::path::Path;

/// Problems with references of exercises to lessons.
pub fn check(root: &Path, files: &[String]) -> Result<Vec<String>> {
    let mut problems = Vec::new();
    for path in files.iter().filter(|path| is_text_of_exercise(path)) {
        let text = fs::read_to_string(root.join(path)).with_context(|| format!("cannot read {path}"))?;
        for (readme, named) in references(&flat(&text)) {
            let Ok(lesson) = fs::read_to_string(root.join(&readme)) else {
                problems.push(format!("{path}: names {readme}, which does not exist"));
                continue;
            };
            let missing = named.iter().filter(|named| !named.is_in(&lesson));
            problems.extend(missing.map(|named| format!("{path}: {readme} has no {}", named.shown())));
        }
    }
    Ok(problems)
}

fn is_text_of_exercise(path: &str) -> bool {
    path.starts_with("exercises/catalog/") && (path.ends_with(".cu") || path.ends_with(".toml"))
}

/// The text in one line, without the marks of comments.
fn flat(text: &str) -> String {
    let lines = text.lines().map(|line| line.trim_start().trim_start_matches("//").trim());
    lines.collect::<Vec<_>>().join(" ")
}

/// A part of a lesson's page.
#[derive(Debug, PartialEq)]
enum PagePart {
    Section(String),
    Row(String),
}

impl PagePart {
    fn is_in(&self, lesson: &str) -> bool {
        match self {
            // A heading, or a word of the glossary.
            PagePart::Section(title) => lesson.lines().map(|line| line.replace('*', "")).any(|line| {
                line.starts_with('#') && line.trim_start_matches('#').trim() == title
                    || line.trim_start_matches([' ', '-']).starts_with(&format!("{title}: "))
            }),
            PagePart::Row(name) => lesson.contains(&format!("`{name}`")),
        }
    }

    fn shown(&self) -> String {
        match self {
            PagePart::Section(title) => format!("section \"{title}\""),
            PagePart::Row(name) => format!("row `{name}`"),
        }
    }
}

/// Each `lesson...README.md` and `lesson...README.es.md` in a text, with what is named of it: sections in quotes, rows
/// in backticks.
fn references(text: &str) -> Vec<(String, Vec<PagePart>)> {
    const FILES: [&str; 2] = ["/README.md", "/README.es.md"];
    let mut all = Vec::new();
    let found = FILES.iter().flat_map(|file| text.match_indices(file));
    for (at, file) in found {
        let begin = text[..at].rfind(|c: char| !c.is_alphanumeric() && c != '-').map_or(0, |before| before + 1);
        if !text[begin..at].starts_with("lesson") {
            continue;
        }
        let mut rest = text[at + file.len()..].trim_start_matches([',', ' ']);
        let mut named = Vec::new();
        loop {
            rest = ["rows ", "row ", "filas ", "fila ", "and ", "y ", "la ", "las ", ", "]
                .iter()
                .find_map(|word| rest.strip_prefix(word))
                .unwrap_or(rest);
            let (mark, make): (char, fn(String) -> PagePart) = match rest.chars().next() {
                // Three end a text in TOML.
                Some('"') if !rest.starts_with("\"\"") => ('"', PagePart::Section),
                Some('`') => ('`', PagePart::Row),
                _ => break,
            };
            let Some(end) = rest[1..].find(mark) else { break };
            named.push(make(rest[1..=end].to_string()));
            rest = rest[end + 2..].trim_start();
        }
        all.push((format!("{}{file}", &text[begin..at]), named));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_and_rows_are_found_across_lines() {
        let text = flat(
            "// Read    lesson02-sync/README.md, \"A race that does\n//         not show\" and \"Words\"; explain x\n\
             // or lesson04-atomics/README.md, rows `lock` and `lock_order`; lesson01-vectorized/README.md\n",
        );
        let section = |title: &str| PagePart::Section(title.into());
        let row = |name: &str| PagePart::Row(name.into());
        let wanted = [
            ("lesson02-sync/README.md", vec![section("A race that does not show"), section("Words")]),
            ("lesson04-atomics/README.md", vec![row("lock"), row("lock_order")]),
            ("lesson01-vectorized/README.md", vec![]),
        ];
        assert_eq!(references(&text), wanted.map(|(file, named)| (file.to_string(), named)));
        let lesson = "# Lesson\n## Words *of* all\n| `lock` | x |\n- **vote**: all lanes answer.\n";
        assert!(section("Words of all").is_in(lesson) && !section("Words").is_in(lesson));
        assert!(section("vote").is_in(lesson) && references("lesson01/README.md \"\"\" x \"y\"")[0].1.is_empty());
        assert!(row("lock").is_in(lesson) && !row("lock_order").is_in(lesson));
    }
}
