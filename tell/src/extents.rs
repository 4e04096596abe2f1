//! Extents of kernels in a source.

use std::ops::RangeInclusive;

/// Each `__global__` function's name and lines. Braces are counted outside of comments and literals.
pub fn extents(source: &str) -> Vec<(String, RangeInclusive<u32>)> {
    let mut found = Vec::new();
    let mut open: Option<(u32, String, u32)> = None; // First line, text so far, depth of braces.
    for (line, text) in (1..).zip(blank_comments_and_literals(source).lines()) {
        let mut rest = text;
        if open.is_none() {
            let Some(at) = text.find("__global__") else { continue };
            open = Some((line, String::new(), 0));
            rest = &text[at + "__global__".len()..];
        }
        let Some((first, head, depth)) = &mut open else { continue };
        let mut is_closed = false;
        for c in rest.chars() {
            match c {
                '{' => *depth += 1,
                '}' => {
                    *depth = depth.saturating_sub(1);
                    is_closed |= *depth == 0;
                }
                // A declaration without a body.
                ';' if *depth == 0 => is_closed = true,
                _ if *depth == 0 => head.push(c),
                _ => {}
            }
        }
        head.push(' ');
        if is_closed {
            if let Some(name) = function_name(head) {
                found.push((name, *first..=line));
            }
            open = None;
        }
    }
    found
}

/// `void __launch_bounds__(256) counter(int* a)`: the word before the last parameter list.
fn function_name(head: &str) -> Option<String> {
    let mut depth = 0;
    let start = head.char_indices().rev().find_map(|(at, c)| {
        match c {
            ')' => depth += 1,
            '(' => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
        None
    })?;
    let before = head[..start].trim_end();
    let from = before.rfind(|c: char| !c.is_alphanumeric() && c != '_').map_or(0, |at| at + 1);
    (from < before.len()).then(|| before[from..].to_string())
}

/// The same text with comments and literals replaced by spaces, line by line.
fn blank_comments_and_literals(source: &str) -> String {
    let mut out = String::with_capacity(source.len());
    let mut chars = source.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, chars.peek().copied()) {
            ('/', Some('/')) => {
                while chars.peek().is_some_and(|&c| c != '\n') {
                    chars.next();
                }
            }
            ('/', Some('*')) => {
                chars.next();
                let mut last = ' ';
                for c in chars.by_ref() {
                    if c == '\n' {
                        out.push('\n');
                    }
                    if last == '*' && c == '/' {
                        break;
                    }
                    last = c;
                }
                out.push(' ');
            }
            ('"' | '\'', _) => {
                while let Some(inner) = chars.next() {
                    match inner {
                        '\\' => {
                            chars.next();
                        }
                        '\n' => {
                            out.push('\n');
                            break;
                        }
                        _ if inner == c => break,
                        _ => {}
                    }
                }
                out.push(' ');
            }
            _ => out.push(c),
        }
    }
    out
}
