//! CUDA C++ as tokens. White space and comments are skipped, preprocessor lines are kept apart.
//!
//! Both sides of an `#if` are read; where they do not balance, the file is unreadable.

use crate::Unfit;
use std::ops::Range;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SourceTokenKind {
    Word,
    Number,
    /// A string or a character.
    Quoted,
    Sign,
}

#[derive(Clone, Debug)]
pub(super) struct SourceToken {
    pub kind: SourceTokenKind,
    pub bytes: Range<usize>,
    /// From 1.
    pub line: u32,
    /// The other bracket of a pair.
    pub pair: usize,
}

#[derive(Debug, Default)]
pub(super) struct Scan {
    pub tokens: Vec<SourceToken>,
    pub directives: Vec<Range<usize>>,
    pub comments: Vec<Range<usize>>,
}

/// Longer ones first.
const SIGNS: [&str; 25] = [
    "<<=", ">>=", "...", "::", "->", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "==", "!=", "<=",
    ">=", "&&", "||", "<<", ">>", ".*", "##",
];

pub(super) fn scan(text: &str) -> Result<Scan, Unfit> {
    let mut scan = Scan::default();
    let (mut at, mut line, mut first_in_line) = (0, 1, true);
    let mut open = Vec::new();
    while let Some(next) = text[at..].chars().next() {
        let rest = &text[at..];
        let (kind, length) = if next.is_whitespace() {
            first_in_line |= next == '\n';
            (None, next.len_utf8())
        } else if rest.starts_with("//") {
            (None, logical_line(rest))
        } else if rest.starts_with("/*") {
            (None, rest.find("*/").ok_or(Unfit::Unreadable)? + 2)
        } else if next == '#' && first_in_line {
            (None, logical_line(rest))
        } else {
            let (kind, length) = token(rest, next)?;
            (Some(kind), length)
        };
        let bytes = at..at + length;
        if let Some(kind) = kind {
            let index = scan.tokens.len();
            let mut pair = index;
            match (kind, next) {
                (SourceTokenKind::Sign, '(' | '[' | '{') => open.push((next, index)),
                (SourceTokenKind::Sign, ')' | ']' | '}') => {
                    let (opened, other) = open.pop().ok_or(Unfit::Unreadable)?;
                    if !matches!((opened, next), ('(', ')') | ('[', ']') | ('{', '}')) {
                        return Err(Unfit::Unreadable);
                    }
                    pair = other;
                    scan.tokens[other].pair = index;
                }
                _ => {}
            }
            scan.tokens.push(SourceToken { kind, bytes, line, pair });
        } else if next == '#' {
            scan.directives.push(bytes);
        } else if next == '/' {
            scan.comments.push(bytes);
        }
        first_in_line &= next.is_whitespace() || next == '/';
        line += rest[..length].matches('\n').count() as u32;
        at += length;
    }
    if open.is_empty() { Ok(scan) } else { Err(Unfit::Unreadable) }
}

/// The tokens of a piece of code without comments, whose brackets may be open; up to where it cannot be read.
pub(super) fn words(code: &str) -> Vec<&str> {
    let (mut words, mut rest) = (Vec::new(), code.trim_start());
    while let Some(Ok((_, length))) = rest.chars().next().map(|next| token(rest, next)) {
        words.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    words
}

/// Bytes up to the end of the line, which a backslash continues and a comment in it may.
fn logical_line(rest: &str) -> usize {
    let comment = rest.starts_with("//");
    let mut at = 0;
    while at < rest.len() {
        let here = &rest[at..];
        if here.starts_with("/*") && !comment {
            at += here.find("*/").map_or(here.len(), |end| end + 2);
        } else if here.starts_with("\\\n") {
            at += 2;
        } else if here.starts_with("\\\r\n") {
            at += 3;
        } else if here.starts_with('\n') || here.starts_with("\r\n") {
            break;
        } else if here.starts_with("//") && !comment {
            return at + logical_line(here);
        } else if here.starts_with('"') && !comment {
            at += quoted(here, '"').unwrap_or(1);
        } else {
            at += here.chars().next().map_or(1, char::len_utf8);
        }
    }
    at
}

fn token(rest: &str, next: char) -> Result<(SourceTokenKind, usize), Unfit> {
    let run = |of: fn(char) -> bool| rest.find(|c| !of(c)).unwrap_or(rest.len());
    if next == '"' || next == '\'' {
        return Ok((SourceTokenKind::Quoted, quoted(rest, next).ok_or(Unfit::Unreadable)?));
    }
    if next.is_ascii_digit() {
        return Ok((SourceTokenKind::Number, run(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '\''))));
    }
    if next.is_alphabetic() || next == '_' || next == '$' {
        let length = run(|c| c.is_alphanumeric() || matches!(c, '_' | '$'));
        if rest[..length].ends_with('R')
            && let Some(raw) = rest[length..].strip_prefix('"')
        {
            let name = raw.split_once('(').ok_or(Unfit::Unreadable)?.0;
            let end = format!("){name}\"");
            return Ok((SourceTokenKind::Quoted, length + 1 + raw.find(&end).ok_or(Unfit::Unreadable)? + end.len()));
        }
        return Ok((SourceTokenKind::Word, length));
    }
    let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign));
    Ok((SourceTokenKind::Sign, sign.map_or(next.len_utf8(), |sign| sign.len())))
}

/// The length of the literal at the start; it ends in its line.
fn quoted(rest: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '\n' => return None,
            _ if c == quote => return Some(at + 1),
            _ => {}
        }
    }
    None
}
