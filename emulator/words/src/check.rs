//! Checks that keys and words fit: what is wrong with a catalogue, for each crate's own test.
//!
//! Between languages by parsing both; between code and words by searching the crate's sources for `say!(...)`, so a key
//! is written there as a literal.

use crate::{Catalogue, Language};
use fluent_syntax::ast::{Entry, Expression, InlineExpression, Pattern, PatternElement};
use fluent_syntax::parser;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Fails with all [`problems`] of the crate in this folder, as `env!("CARGO_MANIFEST_DIR")` names it.
pub fn assert_fits(catalogue: &Catalogue, folder: &str, computed: &[String]) {
    let problems = problems(catalogue, &Path::new(folder).join("src"), computed);
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// Variables by key; an attribute is a key of its own, `id.attribute`.
pub type Messages = BTreeMap<String, BTreeSet<String>>;

/// Everything that is wrong. Messages may not parse, stand twice, lack a translation or use other variables there.
/// Calls of `say!` in `sources` may be without a message or without one of its values. No code may say a message.
/// `computed` are keys that code makes at run time.
fn problems(catalogue: &Catalogue, sources: &Path, computed: &[String]) -> Vec<String> {
    let mut problems = Vec::new();
    let [english, spanish] = Language::ALL.map(|language| {
        let files = catalogue.files[language as usize];
        files.iter().fold(Messages::new(), |mut all, (file, text)| {
            match messages(text) {
                Err(error) => problems.push(format!("{file}: {error}")),
                Ok(read) => {
                    for (key, variables) in read {
                        if all.insert(key.clone(), variables).is_some() {
                            problems.push(format!("{file}: `{key}` stands twice"));
                        }
                    }
                }
            }
            all
        })
    });
    for (key, variables) in &english {
        match spanish.get(key) {
            None => problems.push(format!("es: `{key}` is missing")),
            Some(there) if !there.is_subset(variables) => {
                problems.push(format!("es: `{key}` uses {there:?}, in English {variables:?}"));
            }
            Some(_) => {}
        }
    }
    problems
        .extend(spanish.keys().filter(|key| !english.contains_key(*key)).map(|key| format!("en: `{key}` is missing")));

    let mut text = String::new();
    read_all(sources, &mut text);
    for MessageCall { key, values } in calls(&text) {
        match english.get(&key) {
            None => problems.push(format!("code says `{key}`, which has no words")),
            Some(variables) => {
                for variable in variables.difference(&values) {
                    problems.push(format!("code says `{key}` without its `{variable}`"));
                }
            }
        }
    }
    for key in computed.iter().filter(|key| !english.contains_key(*key)) {
        problems.push(format!("`{key}` has no words"));
    }
    let is_said = |key: &str| {
        let id = key.split('.').next().unwrap_or(key);
        text.contains(&format!("\"{key}\"")) || computed.iter().any(|one| one == key || one == id)
    };
    let referred: BTreeSet<String> =
        catalogue.files[Language::English as usize].iter().flat_map(|(_, text)| references(text)).collect();
    problems.extend(
        english
            .keys()
            .filter(|key| !is_said(key) && !referred.contains(*key))
            .map(|key| format!("nobody says `{key}`")),
    );
    problems
}

/// The messages of one file.
pub fn messages(text: &str) -> Result<Messages, String> {
    let resource = parser::parse(text).map_err(|(_, errors)| {
        let line = |at: usize| text[..at.min(text.len())].lines().count();
        errors.iter().map(|error| format!("line {}: {error}", line(error.pos.start))).collect::<Vec<_>>().join("; ")
    })?;
    let mut all = Messages::new();
    let mut add = |key: String, pattern: &Pattern<&str>| {
        let mut variables = BTreeSet::new();
        of_pattern(pattern, &mut variables);
        match all.insert(key.clone(), variables) {
            None => Ok(()),
            Some(_) => Err(format!("`{key}` stands twice")),
        }
    };
    for entry in &resource.body {
        if let Entry::Message(message) = entry {
            if let Some(value) = &message.value {
                add(message.id.name.to_string(), value)?;
            }
            for attribute in &message.attributes {
                add(format!("{}.{}", message.id.name, attribute.id.name), &attribute.value)?;
            }
        }
    }
    Ok(all)
}

/// The messages that other messages hold: `{ key }`.
fn references(text: &str) -> Vec<String> {
    let inside = text.split("{ ").skip(1).filter_map(|rest| rest.split_once(" }").map(|(name, _)| name));
    inside
        .filter(|name| name.chars().all(|c| c.is_ascii_alphanumeric() || "-.".contains(c)))
        .map(String::from)
        .collect()
}

fn of_pattern(pattern: &Pattern<&str>, variables: &mut BTreeSet<String>) {
    for element in &pattern.elements {
        if let PatternElement::Placeable { expression } = element {
            of_expression(expression, variables);
        }
    }
}

fn of_expression(expression: &Expression<&str>, variables: &mut BTreeSet<String>) {
    match expression {
        Expression::Inline(inline) => of_inline(inline, variables),
        Expression::Select { selector, variants } => {
            of_inline(selector, variables);
            variants.iter().for_each(|variant| of_pattern(&variant.value, variables));
        }
    }
}

fn of_inline(inline: &InlineExpression<&str>, variables: &mut BTreeSet<String>) {
    match inline {
        InlineExpression::VariableReference { id } => _ = variables.insert(id.name.to_string()),
        InlineExpression::Placeable { expression } => of_expression(expression, variables),
        InlineExpression::FunctionReference { arguments, .. } => {
            arguments.positional.iter().for_each(|argument| of_inline(argument, variables));
        }
        _ => {}
    }
}

fn read_all(folder: &Path, text: &mut String) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            read_all(&path, text);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let source = fs::read_to_string(&path).unwrap_or_default();
            let is_code = |line: &&str| !line.trim_start().starts_with("//");
            source.lines().filter(is_code).for_each(|line| {
                text.push_str(line);
                text.push('\n');
            });
        }
    }
}

struct MessageCall {
    key: String,
    values: BTreeSet<String>,
}

/// Every `say!(..., "key", name = value, name)`; those whose key is no literal are left out.
fn calls(text: &str) -> Vec<MessageCall> {
    let bodies = text.match_indices("say!(").filter_map(|(at, start)| body(&text[at + start.len()..]));
    bodies
        .filter_map(|body| {
            let arguments = arguments(body);
            let at = arguments.iter().position(|argument| argument.starts_with('"'))?;
            let key = arguments[at].strip_prefix('"')?.strip_suffix('"')?.to_string();
            let name = |argument: &&str| argument.split('=').next().unwrap_or_default().trim().to_string();
            Some(MessageCall { key, values: arguments[at + 1..].iter().map(name).collect() })
        })
        .collect()
}

/// Up to the bracket that closes it.
fn body(text: &str) -> Option<&str> {
    let mut depth = 0;
    let mut quoted = Quoted::default();
    for (at, c) in text.char_indices() {
        if quoted.takes(c) {
            continue;
        }
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' if depth == 0 => return Some(&text[..at]),
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
    }
    None
}

fn arguments(body: &str) -> Vec<&str> {
    let (mut depth, mut from, mut all) = (0, 0, Vec::new());
    let mut quoted = Quoted::default();
    for (at, c) in body.char_indices() {
        if quoted.takes(c) {
            continue;
        }
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => {
                all.push(body[from..at].trim());
                from = at + 1;
            }
            _ => {}
        }
    }
    all.push(body[from..].trim());
    all.retain(|argument| !argument.is_empty());
    all
}

/// True if one is inside of a string.
#[derive(Default)]
struct Quoted {
    inside: bool,
    escaped: bool,
}

impl Quoted {
    fn takes(&mut self, c: char) -> bool {
        if self.escaped {
            self.escaped = false;
        } else if self.inside && c == '\\' {
            self.escaped = true;
        } else if c == '"' {
            self.inside = !self.inside;
            return true;
        }
        self.inside
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_is_named() {
        static WORDS: Catalogue = Catalogue::new([
            &[("en/a.ftl", "a = { $x } and { $y }\nb = b\n    .fix = { $z }\nunused = no\n")],
            &[("es/a.ftl", "a = { $w }\nunused = no\nc = c\n")],
        ]);
        let folder = std::env::temp_dir().join(format!("words-check-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        fs::write(
            folder.join("a.rs"),
            r#"fn f() { say!("a", x = g("(,", 2)); say!(WORDS, es, "b.fix", z); say!("d") } "#,
        )
        .unwrap();
        let found = problems(&WORDS, &folder, &["b", "e"].map(String::from));
        fs::remove_dir_all(&folder).unwrap();
        let wanted = [
            "es: `a` uses {\"w\"}, in English {\"x\", \"y\"}",
            "es: `b` is missing",
            "es: `b.fix` is missing",
            "en: `c` is missing",
            "code says `a` without its `y`",
            "code says `d`, which has no words",
            "`e` has no words",
            "nobody says `unused`",
        ];
        assert_eq!(found, wanted);
    }

    #[test]
    fn a_file_that_does_not_parse_says_where() {
        assert!(messages("a = b\nc { d\n").unwrap_err().starts_with("line "));
        assert!(messages("a = b\na = c\n").unwrap_err().contains("twice"));
    }
}
