//! Edits applied to source text.

use finding::{TextEdit, TextPosition};

/// Applies edits, which are as [`text_edits`](super::text_edits) returns them, and returns the new source.
pub fn apply(source: &str, edits: &[TextEdit]) -> String {
    let lines = line_starts(source);
    let mut result = String::new();
    let mut done = 0;
    for edit in edits {
        let (start, end) = (offset(source, &lines, edit.start), offset(source, &lines, edit.end));
        result += &source[done..start];
        result += &edit.text;
        done = end;
    }
    result + &source[done..]
}

/// As [`apply`], for a compiler: adds `#line` directives, so that line tables and messages have the line numbers of the
/// source before the edits.
pub fn apply_keeping_lines(source: &str, edits: &[TextEdit]) -> String {
    let mut marked: Vec<TextEdit> = Vec::new();
    let breaks = |text: &str| text.matches('\n').count();
    for (edit, next) in edits.iter().zip(edits.iter().skip(1).map(Some).chain([None])) {
        marked.push(edit.clone());
        let (TextPosition { line, column }, text) = (edit.end, &edit.text);
        if breaks(text) == (line - edit.start.line) as usize {
            continue;
        }
        // The directive goes before the next line that is not edited.
        let is_whole = column == 1 && (text.is_empty() || text.ends_with('\n'));
        let line = if is_whole { line } else { line + 1 };
        let here = TextPosition { line, column: 1 };
        if line as usize > source.lines().count() || next.is_some_and(|next| next.start < here) {
            continue;
        }
        let mark = format!("#line {line}\n");
        match marked.last_mut().filter(|_| is_whole) {
            Some(last) => last.text += &mark,
            None => marked.push(TextEdit { start: here, end: here, text: mark }),
        }
    }
    apply(source, &marked)
}

/// Returns the offsets at which lines begin.
pub(crate) fn line_starts(text: &str) -> Vec<usize> {
    std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect()
}

/// Returns the offset of `at` in the text, or that of its end if `at` is behind it. `lines` are the [`line_starts`].
pub(crate) fn offset(text: &str, lines: &[usize], at: TextPosition) -> usize {
    let Some(start) = lines.get(at.line as usize - 1) else { return text.len() };
    text[*start..].char_indices().nth(at.column as usize - 1).map_or(text.len(), |(column, _)| start + column)
}
