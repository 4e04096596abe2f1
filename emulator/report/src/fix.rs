//! The fix in a report: the lines as they would be.

use crate::Reader;
use finding::TextEdit;

/// The state of a fix.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum FixState {
    /// The cause's suggestion: nothing was tried, or nothing that was tried is enough.
    #[default]
    Idea,
    /// Nothing is said: the reader is to think first.
    Untold,
    /// With these changes nothing was found in so many runs, and where the right answer is known all answers were
    /// right.
    Tried { changes: Vec<Change>, runs: u64, is_answer_known: bool },
    /// The fix of a finding above fixes this one.
    WithFirst,
    /// The fix of a finding below fixes this one.
    WithNext,
}

/// A changed line of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// In the source as it is.
    pub line: u32,
    /// Without the white space around it: what it becomes, or what goes.
    pub code: String,
    /// The present text of a changed line, or the line that a new one comes before; empty for one that goes.
    pub was: String,
    pub kind: ChangeKind,
}

impl Change {
    pub(crate) fn is_changed(&self, line: u32) -> bool {
        self.kind == ChangeKind::Changed && self.line == line
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    /// A new line that comes before that one.
    New,
    Changed,
    Removed,
}

/// The label of a fix, and its text, with a line for each change. `idea` is what the cause suggests. A finding that is
/// no error asks for no change, so its idea is called what avoids it. A line that is not among the `shown` ones is told
/// as it is now, too.
pub fn labelled(fix: &FixState, idea: String, is_error: bool, shown: &[u32], reader: &Reader) -> (String, String) {
    match fix {
        FixState::Idea if is_error => (say!(reader, "label-idea"), idea),
        FixState::Idea => (say!(reader, "label-avoid"), idea),
        FixState::Untold => (String::new(), String::new()),
        FixState::Tried { changes, runs, is_answer_known } => {
            let label = say!(reader, "label-fix-tried", runs = *runs, is_answer_known = *is_answer_known);
            let groups = groups(changes);
            let told = |(at, group): (usize, &&[Change])| told(group, at + 1 < groups.len(), shown, reader);
            (label, groups.iter().enumerate().map(told).collect::<Vec<_>>().join("\n"))
        }
        FixState::WithFirst => (say!(reader, "label-fix"), say!(reader, "fix-with-first")),
        FixState::WithNext => (say!(reader, "label-fix"), say!(reader, "fix-with-next")),
    }
}

/// The changes by the rows that they take: the same new line before several lines is one.
pub(crate) fn groups(changes: &[Change]) -> Vec<&[Change]> {
    let is_new = |change: &Change| change.kind == ChangeKind::New;
    changes.chunk_by(|one, next| is_new(one) && is_new(next) && one.code == next.code).collect()
}

/// One change, or the same new line before several.
fn told(group: &[Change], has_more: bool, shown: &[u32], reader: &Reader) -> String {
    let Change { line, code, was, kind } = &group[0];
    let is_unseen = |one: &Change| !one.was.is_empty() && !shown.contains(&one.line);
    let tells_was = is_unseen(&group[0]);
    let kind = match kind {
        ChangeKind::New => "new",
        ChangeKind::Changed => "changed",
        ChangeKind::Removed => "removed",
    };
    let also = |next: &Change| {
        let (line, was, tells_was) = (next.line, &next.was, is_unseen(next));
        say!(reader, "change-also", line, was, tells_was)
    };
    let also: String = group[1..].iter().map(also).collect();
    say!(reader, "change", kind, code, was, tells_was, line = *line, also, has_more)
}

/// Returns the changes, line by line; `source` is the text that the edits are of.
pub fn changes(edits: &[TextEdit], source: &str) -> Vec<Change> {
    let is_new = |edit: &TextEdit| edit.start == edit.end && edit.text.contains('\n');
    let mut changes: Vec<Change> = Vec::new();
    for edit in edits {
        let TextEdit { start, text, .. } = edit;
        if is_new(edit) {
            // An insertion at the end of a line comes before the next.
            let line = start.line + u32::from(text.starts_with(['\n', '\r']));
            let was = changed_line([].into_iter(), line, source);
            changes.push(Change { line, code: in_a_line(text), was, kind: ChangeKind::New });
        } else if changes.last().is_none_or(|last| last.kind == ChangeKind::New || last.line != start.line) {
            let line = start.line;
            let of_line = edits.iter().filter(|one| !is_new(one) && one.start.line == line);
            let code = changed_line(of_line, line, source);
            let was = changed_line([].into_iter(), line, source);
            changes.push(match code.is_empty() {
                true => Change { line, code: was, was: String::new(), kind: ChangeKind::Removed },
                false => Change { line, code, was, kind: ChangeKind::Changed },
            });
        }
    }
    changes
}

/// A line with its edits, without comments; empty where nothing is left.
fn changed_line<'a>(edits: impl Iterator<Item = &'a TextEdit>, number: u32, source: &str) -> String {
    let line: Vec<char> = source.lines().nth((number as usize).saturating_sub(1)).unwrap_or("").chars().collect();
    let part = |from: u32, to: u32| -> String {
        line.iter().skip(from as usize - 1).take(to.saturating_sub(from) as usize).collect()
    };
    let (mut code, mut at) = (String::new(), 1);
    for TextEdit { start, end, text } in edits {
        code += &part(at, start.column);
        code += text;
        // The part that goes on in another line is gone from this one.
        at = if end.line == number { end.column } else { u32::MAX };
    }
    code += &part(at, u32::MAX);
    in_a_line(&code)
}

/// Without comments, and with one space where there are many.
fn in_a_line(code: &str) -> String {
    let words = code.lines().flat_map(|line| line.split("//").next().unwrap_or_default().split_whitespace());
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use finding::TextPosition;

    fn edit(start: (u32, u32), end: (u32, u32), text: &str) -> TextEdit {
        let at = |(line, column)| TextPosition { line, column };
        TextEdit { start: at(start), end: at(end), text: text.to_string() }
    }

    const SOURCE: &str = "    a = b;  // äö\n    x += y; // sum\n    gone();\n}\n";

    #[test]
    fn a_new_line_a_changed_one_and_one_that_goes() {
        let edits = [
            edit((1, 1), (1, 1), "    f();\n"),
            edit((2, 5), (2, 5), "atomicAdd(&"),
            edit((2, 6), (2, 10), ", "),
            edit((2, 11), (2, 11), ")"),
            edit((3, 1), (4, 1), ""),
        ];
        let change =
            |line, code: &str, was: &str, kind| Change { line, code: code.to_string(), was: was.to_string(), kind };
        let told = [
            change(1, "f();", "a = b;", ChangeKind::New),
            change(2, "atomicAdd(&x, y);", "x += y;", ChangeKind::Changed),
            change(3, "gone();", "", ChangeKind::Removed),
        ];
        assert_eq!(changes(&edits, SOURCE), told);
        let inserted = edit((1, 10), (1, 10), "\n    g();");
        assert_eq!(changes(&[inserted], SOURCE), [change(2, "g();", "x += y;", ChangeKind::New)]);
    }
}
