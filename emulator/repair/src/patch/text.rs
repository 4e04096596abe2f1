//! Changes of a PTX text, statement by statement.

use crate::Unfit;
use ptx::ast::{Body, Function};
use std::collections::BTreeMap;
use std::ops::Range;

pub(super) struct Text<'t> {
    text: &'t str,
    /// The start of each line.
    lines: Vec<usize>,
    /// Insertions, by the place that they come before.
    inserted: BTreeMap<usize, String>,
    /// Replacements of statements, by their start.
    replaced: BTreeMap<usize, (usize, String)>,
    names: u32,
}

/// A statement taken apart: `@%p ld.global.u32` and its operands.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PtxStatement {
    pub guard: String,
    /// With its modifiers.
    pub opcode: String,
    pub operands: Vec<String>,
}

impl<'t> Text<'t> {
    pub fn new(text: &'t str) -> Text<'t> {
        let lines = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Text { text, lines, inserted: BTreeMap::new(), replaced: BTreeMap::new(), names: 0 }
    }

    /// A name that the text does not have: of a register with `%` before it, of a label with `$`.
    pub fn fresh(&mut self) -> String {
        loop {
            self.names += 1;
            let name = format!("fix{}", self.names);
            if !self.text.contains(&name) {
                return name;
            }
        }
    }

    /// From an instruction's first character to its semicolon. nvcc writes one a line; inline assembly may have more.
    fn extent(&self, body: &Body, index: usize) -> Result<Range<usize>, Unfit> {
        let line = body.instructions[index].line;
        let first = body.instructions[..index].iter().rposition(|it| it.line != line).map_or(0, |at| at + 1);
        let mut at = *self.lines.get(line as usize - 1).ok_or(Unfit::Unreadable)?;
        let mut skipped = 0;
        loop {
            at = self.past_blanks(at);
            let rest = &self.text[at..];
            let word = rest.find(|c: char| !(c.is_ascii_alphanumeric() || "_$%".contains(c))).unwrap_or(rest.len());
            if word > 0 && rest[word..].trim_start().starts_with(':') && !rest[word..].starts_with("::") {
                at += rest.find(':').unwrap_or(word) + 1;
                continue;
            }
            let end = at + self.semicolon(at).ok_or(Unfit::Unreadable)?;
            if !rest.starts_with('.') {
                if skipped == index - first {
                    return Ok(at..end);
                }
                skipped += 1;
            }
            at = end;
        }
    }

    /// Behind blanks, braces and comments.
    fn past_blanks(&self, mut at: usize) -> usize {
        loop {
            let rest = &self.text[at..];
            let next = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '{' || c == '}');
            at += rest.len() - next.len();
            if !next.starts_with("//") {
                return at;
            }
            at += next.find('\n').unwrap_or(next.len());
        }
    }

    /// Returns how far after `at` the statement there ends. A semicolon in a comment ends nothing.
    fn semicolon(&self, at: usize) -> Option<usize> {
        let rest = &self.text[at..];
        let end = rest.find(';')? + 1;
        let is_plain = !rest[..end].contains("//") && !rest[..end].contains("/*");
        is_plain.then_some(end)
    }

    fn insert(&mut self, at: usize, text: &str) {
        self.inserted.entry(at).or_default().push_str(text);
    }

    pub fn insert_before(&mut self, body: &Body, index: usize, code: &str) -> Result<(), Unfit> {
        let at = self.extent(body, index)?.start;
        self.insert(at, &format!("{code}\n\t"));
        Ok(())
    }

    pub fn insert_after(&mut self, body: &Body, index: usize, code: &str) -> Result<(), Unfit> {
        let at = self.extent(body, index)?.end;
        self.insert(at, &format!("\n\t{code}"));
        Ok(())
    }

    /// After an instruction and the braces that close behind it: a label in those would not be seen from outside.
    pub fn insert_behind(&mut self, body: &Body, index: usize, code: &str) -> Result<(), Unfit> {
        let mut at = self.extent(body, index)?.end;
        loop {
            let rest = self.text[at..].trim_start();
            let start = self.text.len() - rest.len();
            match rest.chars().next() {
                Some('}') => at = start + 1,
                Some('/') if rest.starts_with("//") => at = start + rest.find('\n').unwrap_or(rest.len()),
                _ => break,
            }
        }
        self.insert(at, &format!("\n\t{code}"));
        Ok(())
    }

    /// A new register, declared where the function's body begins.
    pub fn register(&mut self, function: &Function, kind: &str) -> Result<String, Unfit> {
        let name = format!("%{}", self.fresh());
        let start = *self.lines.get(function.line as usize - 1).ok_or(Unfit::Unreadable)?;
        let brace = self.text[start..].find('{').ok_or(Unfit::Unreadable)?;
        self.insert(start + brace + 1, &format!("\n\t.reg .{kind} \t{name};"));
        Ok(name)
    }

    /// The statement as it is by now.
    pub fn statement(&self, body: &Body, index: usize) -> Result<PtxStatement, Unfit> {
        let extent = self.extent(body, index)?;
        let text = self.replaced.get(&extent.start).map_or(&self.text[extent], |(_, text)| text.as_str());
        PtxStatement::parse(text).ok_or(Unfit::OtherThing { line: body.instructions[index].line })
    }

    pub fn replace(&mut self, body: &Body, index: usize, statement: &PtxStatement) -> Result<(), Unfit> {
        let extent = self.extent(body, index)?;
        self.replaced.insert(extent.start, (extent.end, statement.to_string()));
        Ok(())
    }

    /// Deleting twice is deleting; a statement that another edit has changed stays.
    pub fn delete(&mut self, body: &Body, index: usize) -> Result<(), Unfit> {
        let extent = self.extent(body, index)?;
        let old = self.replaced.insert(extent.start, (extent.end, String::new()));
        let is_new = old.is_none_or(|(_, text)| text.is_empty());
        if is_new { Ok(()) } else { Err(Unfit::OtherThing { line: body.instructions[index].line }) }
    }

    pub fn is_changed(&self, body: &Body, index: usize) -> Result<bool, Unfit> {
        Ok(self.replaced.contains_key(&self.extent(body, index)?.start))
    }

    pub fn finish(self) -> String {
        let mut result = String::with_capacity(self.text.len() + 256);
        let mut places: Vec<usize> = self.inserted.keys().chain(self.replaced.keys()).copied().collect();
        places.sort_unstable();
        places.dedup();
        let mut done = 0;
        for at in places {
            result.push_str(&self.text[done..at]);
            done = at;
            result.push_str(self.inserted.get(&at).map_or("", |text| text));
            if let Some((end, text)) = self.replaced.get(&at) {
                result.push_str(text);
                done = *end;
            }
        }
        result.push_str(&self.text[done..]);
        result
    }
}

impl PtxStatement {
    pub fn parse(text: &str) -> Option<PtxStatement> {
        let text = text.trim().strip_suffix(';')?;
        let (guard, rest) = match text.strip_prefix('@') {
            Some(rest) => {
                let end = rest.find(char::is_whitespace)? + 1;
                (&text[..end], text[end..].trim_start())
            }
            None => ("", text),
        };
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let (opcode, mut operands) = (rest[..end].to_string(), Vec::new());
        let (mut depth, mut operand) = (0, String::new());
        for c in rest[end..].chars() {
            depth += i32::from("([{".contains(c)) - i32::from(")]}".contains(c));
            if c == ',' && depth == 0 {
                operands.push(std::mem::take(&mut operand));
            } else {
                operand.push(c);
            }
        }
        operands.push(operand);
        let operands = operands.iter().map(|it| it.trim().to_string()).filter(|it| !it.is_empty()).collect();
        Some(PtxStatement { guard: guard.to_string(), opcode, operands })
    }

    pub fn new(opcode: impl Into<String>, operands: &[&str]) -> PtxStatement {
        let operands = operands.iter().map(|it| it.to_string()).collect();
        PtxStatement { guard: String::new(), opcode: opcode.into(), operands }
    }
}

impl std::fmt::Display for PtxStatement {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let gap = if self.guard.is_empty() { "" } else { " " };
        write!(f, "{}{gap}{}", self.guard, self.opcode)?;
        let gap = if self.operands.is_empty() { "" } else { " \t" };
        write!(f, "{gap}{};", self.operands.join(", "))
    }
}
