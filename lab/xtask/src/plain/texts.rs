//! Texts that people read in a file, paragraph by paragraph: without code, and each list item and table cell by itself.

use crate::fluent;
use anyhow::{Context, Result};

#[derive(Debug, PartialEq, Eq)]
pub struct Paragraph {
    /// `line 12`, `hints`, or a message's name.
    pub place: String,
    pub text: String,
}

/// `None` for a file that has no texts to check.
pub fn paragraphs(path: &str, file: &str) -> Result<Option<Vec<Paragraph>>> {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    Ok(Some(match name.rsplit_once('.').unwrap_or_default() {
        // The texts about a release stay.
        (_, "md") if name != "CHANGELOG.md" => markdown(file),
        ("exercise" | "exercise.es" | "topic" | "topic.es", "toml") => exercise(file)?,
        (_, "cu") if folder.starts_with("cuda/lesson") && !folder["cuda/".len()..].contains('/') => opening(file),
        (stem, "cu" | "rs") if folder.starts_with("exercises/catalog/") && folder.ends_with(&format!("/{stem}")) => {
            opening(file)
        }
        (_, "rs") => comments(file),
        (_, "ftl") if path.contains("/messages/") => {
            let of = |message: fluent::Message| {
                message.texts.into_iter().map(move |text| Paragraph { place: message.id.clone(), text: joined(&text) })
            };
            fluent::messages(file)?.into_iter().flat_map(of).collect()
        }
        _ => return Ok(None),
    }))
}

/// Lines that belong together, one word after the other.
struct Collector {
    done: Vec<Paragraph>,
    line: usize,
    text: String,
}

impl Collector {
    fn new() -> Collector {
        Collector { done: Vec::new(), line: 0, text: String::new() }
    }

    fn add(&mut self, line: usize, text: &str) {
        if self.text.is_empty() {
            self.line = line;
        }
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn end(&mut self) {
        let text = joined(&std::mem::take(&mut self.text));
        if !text.is_empty() {
            self.done.push(Paragraph { place: format!("line {}", self.line), text });
        }
    }
}

fn joined(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn markdown(file: &str) -> Vec<Paragraph> {
    let mut texts = Collector::new();
    let (mut fenced, mut commented, mut in_list, mut after_blank) = (false, false, false, true);
    for (number, line) in (1..).zip(file.lines()) {
        let trimmed = line.trim_start();
        let is_fence = trimmed.starts_with("```");
        if fenced || is_fence {
            texts.end();
            fenced ^= is_fence;
            continue;
        }
        if commented || trimmed.starts_with('<') {
            texts.end();
            commented = (commented || trimmed.starts_with("<!--")) && !line.contains("-->");
            continue;
        }
        if trimmed.is_empty() {
            texts.end();
            after_blank = true;
            continue;
        }
        let indented = line.starts_with("    ") || line.starts_with('\t');
        if indented && after_blank && !in_list {
            continue;
        }
        after_blank = false;
        if let Some(item) = list_item(trimmed) {
            texts.end();
            in_list = true;
            texts.add(number, &without_links(item));
        } else if trimmed.starts_with('|') {
            for cell in cells(trimmed) {
                texts.end();
                texts.add(number, &without_links(&cell));
            }
            texts.end();
        } else if trimmed.starts_with('#') {
            texts.end();
            texts.add(number, &without_links(trimmed.trim_start_matches('#')));
            texts.end();
        } else {
            in_list &= line.starts_with(' ');
            texts.add(number, &without_links(trimmed.trim_start_matches("> ")));
        }
    }
    texts.end();
    texts.done
}

/// The comments of Rust source, lines that follow each other together. What `///` and `//!` say is Markdown.
fn comments(file: &str) -> Vec<Paragraph> {
    let comment = |line: &str| -> Option<String> {
        let text = line.trim_start().strip_prefix("//")?;
        Some(text.trim_start_matches(['/', '!']).strip_prefix(' ').unwrap_or_default().to_string())
    };
    // A line that is no comment separates, as an empty line does.
    let text: Vec<String> = file.lines().map(|line| comment(line).unwrap_or_default()).collect();
    markdown(&text.join("\n"))
}

fn list_item(line: &str) -> Option<&str> {
    let after_number = line.trim_start_matches(|letter: char| letter.is_ascii_digit());
    if after_number.len() < line.len() {
        return after_number.strip_prefix(". ");
    }
    line.strip_prefix("- ").or_else(|| line.strip_prefix("* "))
}

/// A table row's cells. A `|` in code or after a backslash separates nothing.
fn cells(line: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let (mut in_code, mut escaped) = (false, false);
    for letter in line.chars() {
        in_code ^= letter == '`';
        if letter == '|' && !in_code && !escaped {
            cells.push(String::new());
        } else if let Some(cell) = cells.last_mut() {
            cell.push(letter);
        }
        escaped = letter == '\\';
    }
    cells.retain(|cell| cell.contains(char::is_alphanumeric));
    cells
}

/// `[text](target)` as `[text]`.
fn without_links(line: &str) -> String {
    let mut plain = String::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once("](") {
        plain.push_str(before);
        plain.push(']');
        rest = after.split_once(')').map_or("", |(_, after)| after);
    }
    plain + rest
}

/// Texts of an `exercise.toml`, a `topic.toml`, or the Spanish one of either.
fn exercise(file: &str) -> Result<Vec<Paragraph>> {
    let table: toml::Table = file.parse().context("is no TOML")?;
    let mut texts = Vec::new();
    for (key, value) in &table {
        let found: Vec<&str> = match (key.as_str(), value) {
            ("title" | "idea", toml::Value::String(text)) => vec![text],
            ("hints" | "questions" | "comments", toml::Value::Array(list)) => {
                list.iter().filter_map(toml::Value::as_str).collect()
            }
            ("question", toml::Value::Array(list)) => list.iter().filter_map(|one| one.get("text")?.as_str()).collect(),
            ("opening", toml::Value::String(text)) => {
                let commented: String = text.lines().map(|line| format!("// {line}\n")).collect();
                texts.extend(
                    opening(&commented).into_iter().map(|paragraph| Paragraph { place: key.clone(), ..paragraph }),
                );
                continue;
            }
            _ => continue,
        };
        texts.extend(found.into_iter().map(|text| Paragraph { place: key.clone(), text: joined(text) }));
    }
    Ok(texts)
}

/// The comment at the top of a kernel file: `Idea   One sentence.`, with what follows further to the right.
fn opening(file: &str) -> Vec<Paragraph> {
    let mut texts = Collector::new();
    // Lines for programs, and what is shown as it is.
    let mut skipped = false;
    let mut in_contract = false;
    let mut after_blank = true;
    for (number, line) in (1..).zip(file.lines()) {
        let Some(line) = line.strip_prefix("//") else { break };
        let line = line.trim_start_matches(['!', '/']);
        let line = line.strip_prefix(' ').unwrap_or(line);
        if line.trim().is_empty() {
            texts.end();
            (skipped, after_blank) = (false, true);
            continue;
        }
        if !line.starts_with(' ') {
            texts.end_at_label(line);
            let (label, text) = labelled(line);
            skipped = matches!(label, "PTX" | "Flags");
            // A list of conditions, each by itself.
            in_contract = label == "Contract" || label.is_empty() && in_contract;
            if !skipped {
                texts.add_all(number, text, in_contract);
            }
        } else if after_blank && line.starts_with("    ") {
            skipped = true;
        } else if !skipped {
            texts.add_all(number, line, in_contract);
        }
        after_blank = false;
    }
    texts.end();
    texts.done
}

impl Collector {
    /// A list's items end at semicolons.
    fn add_all(&mut self, line: usize, text: &str, is_list: bool) {
        if !is_list {
            return self.add(line, text);
        }
        for (index, item) in text.split(';').enumerate() {
            if index > 0 {
                self.end();
            }
            self.add(line, item);
        }
    }

    fn end_at_label(&mut self, line: &str) {
        if !labelled(line).0.is_empty() {
            self.end();
        }
    }
}

/// `Read on  the lesson` as `Read on` and the rest.
fn labelled(line: &str) -> (&str, &str) {
    match line.split_once("  ") {
        Some((label, text)) if label.starts_with(char::is_uppercase) && label.split(' ').count() <= 2 => (label, text),
        _ => ("", line),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(path: &str, file: &str) -> Vec<String> {
        paragraphs(path, file).unwrap().unwrap().into_iter().map(|paragraph| paragraph.text).collect()
    }

    #[test]
    fn markdown_without_code_item_by_item() {
        let file = "# Title\n\nTwo\nlines [here](a.md).\n\n    code\n\n```\nmore code\n```\n- an item\n  goes on\n\
            \n    and on\n2. two\n\n\
                    <!-- not\nthis -->\n| a | `b|c` \\| d |\n|---|---|\nEnd\n";
        let wanted = ["Title", "Two lines [here].", "an item goes on", "and on", "two", "a", "`b|c` \\| d", "End"];
        assert_eq!(texts("docs/a.md", file), wanted);
        assert_eq!(paragraphs("docs/a.md", file).unwrap().unwrap()[1].place, "line 3");
    }

    #[test]
    fn an_exercise_is_its_texts() {
        let file = "title = 'T'\nkind = 'fix'\nhints = ['one', 'two']\nopening = '''\nx: y\n\nDo   this\n     now\n\
            '''\n[[question]]\ntext = 'q'\n";
        let mut found = texts("exercises/catalog/a/b/exercise.toml", file);
        found.sort();
        assert_eq!(found, ["T", "one", "q", "this now", "two", "x: y"]);
        assert!(paragraphs("exercises/catalog/a/b/exercise.toml", "title = ").is_err());
    }

    #[test]
    fn a_kernel_is_its_opening_comment() {
        let file = "// lesson01/a.cu: a copy\n//\n// Idea  one\n//       goes on\n// PTX   x: ld\n//       st\n\
            // Read on  there\n//\n//     shown\n\n// not this\n";
        assert_eq!(texts("cuda/lesson01/a.cu", file), ["lesson01/a.cu: a copy", "one goes on", "there"]);
        assert_eq!(
            texts("cuda/lesson01/a.cu", "// Contract  n < 9; v has\n//           n ints; f\n// Expect    a; b\n"),
            ["n < 9", "v has n ints", "f", "a; b"]
        );
        assert_eq!(texts("exercises/catalog/t/a/a.rs", "//! a: x\n"), ["a: x"]);
        assert_eq!(paragraphs("exercises/catalog/t/a/solution.cu", file).unwrap(), None);
        assert_eq!(paragraphs("cuda/lesson01/compile_fail/a.cu", file).unwrap(), None);
    }

    #[test]
    fn a_message_is_its_texts() {
        assert_eq!(texts("a/messages/en/a.ftl", "a = one\n    two\nb = { $x } c\n"), ["one two", "`value` c"]);
    }
}
