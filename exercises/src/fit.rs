//! Text laid out for the width of a terminal.
//!
//! Prose breaks between words. A source line stays one line: it is cut, or moved to the left, so that the columns that
//! are marked below it stay visible. A command that is too long is continued as a shell continues it, so that a copy of
//! it runs.

use std::iter::once;
use unicode_width::UnicodeWidthChar;

/// Longer lines of prose are hard to read, however wide the terminal is.
const WIDEST: usize = 100;

/// Columns of a source line that stay visible beside a mark.
const BESIDE: usize = 8;

/// Distance between the stops of a tab.
const TAB: usize = 8;

/// The end of a source line that is cut.
const CUT: char = '…';

/// Marks that may be placed below a source line.
const MARKS: [char; 3] = ['^', '~', '-'];

/// A space at which no line breaks.
const GLUE: char = '\u{a0}';

/// A character, and the number of its colours among those of the text.
#[derive(Clone, Copy)]
struct StyledChar {
    c: char,
    style: usize,
}

impl StyledChar {
    fn width(self) -> usize {
        self.c.width().unwrap_or(0)
    }
}

/// Lays `text` out as lines of at most `columns` columns. Colours (ANSI SGR codes) take none, and each line ends its
/// own.
pub fn fit(text: &str, columns: usize) -> Vec<String> {
    let columns = columns.max(BESIDE);
    let (lines, styles) = cells(text);
    let plain: Vec<String> = lines.iter().map(|line| line.iter().map(|cell| cell.c).collect()).collect();
    let mut out = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let gutter = gutter(&plain[at]).or((plain.get(at + 1).is_some_and(|next| is_mark(next))).then_some(0));
        match gutter.filter(|gutter| *gutter <= columns / 2) {
            Some(gutter) => {
                let marks = plain[at + 1..].iter().take_while(|line| is_mark_below(line, gutter)).count();
                source(&lines[at..=at + marks], gutter, columns, &mut out);
                at += marks + 1;
            }
            None => {
                let hang = hang(&plain[at], columns);
                out.extend(broken(&lines[at], hang, columns.min(WIDEST)));
                at += 1;
            }
        }
    }
    out.iter().map(|line| painted(line, &styles)).collect()
}

/// Has a list of keys break only after its commas and semicolons, so that a key stays beside what it does.
pub fn glued(keys: &str) -> String {
    let parts = keys.split_inclusive([',', ';']);
    let glued = |part: &str| match part.strip_prefix(' ') {
        Some(rest) => format!(" {}", rest.replace(' ', &GLUE.to_string())),
        None => part.replace(' ', &GLUE.to_string()),
    };
    parts.map(glued).collect()
}

/// Cuts a line to so many columns; its end shows that.
pub fn cut(text: &str, columns: usize) -> String {
    let (lines, styles) = cells(text);
    lines.first().map_or(String::new(), |line| painted(&cut_cells(line, columns), &styles))
}

/// Cuts the beginning of a path, so that the file's own name stays.
pub fn cut_path(path: &str, columns: usize) -> String {
    let wide = path.chars().map(|c| c.width().unwrap_or(0)).sum::<usize>();
    if wide <= columns {
        return path.to_string();
    }
    let mut left = columns.saturating_sub(1);
    let fits = |c: &char| {
        let rest = left.checked_sub(c.width().unwrap_or(0));
        left = rest.unwrap_or(0);
        rest.is_some()
    };
    let kept: Vec<char> = path.chars().rev().take_while(fits).collect();
    once(CUT).chain(kept.into_iter().rev()).collect()
}

/// The lines of a text, and all styles that its characters have.
fn cells(text: &str) -> (Vec<Vec<StyledChar>>, Vec<String>) {
    let mut styles = vec![String::new()];
    let mut style = 0;
    let mut lines = Vec::new();
    for line in text.lines() {
        let mut cells: Vec<StyledChar> = Vec::new();
        let mut rest = line;
        while let Some(c) = rest.chars().next() {
            if let Some((codes, after)) = rest.strip_prefix("\x1b[").and_then(|rest| rest.split_once('m')) {
                let is_end = codes.is_empty() || codes == "0";
                let all = if is_end { String::new() } else { format!("{}\x1b[{codes}m", styles[style]) };
                style = styles.iter().position(|known| *known == all).unwrap_or_else(|| {
                    styles.push(all);
                    styles.len() - 1
                });
                rest = after;
                continue;
            }
            rest = &rest[c.len_utf8()..];
            match c {
                '\t' => {
                    let stop = TAB - width(&cells) % TAB;
                    cells.extend(std::iter::repeat_n(StyledChar { c: ' ', style }, stop));
                }
                c if c.is_control() => {}
                c => cells.push(StyledChar { c, style }),
            }
        }
        lines.push(cells);
    }
    (lines, styles)
}

fn painted(line: &[StyledChar], styles: &[String]) -> String {
    let mut out = String::new();
    let mut style = 0;
    for cell in line {
        if cell.style != style {
            if style != 0 {
                out.push_str("\x1b[0m");
            }
            out.push_str(&styles[cell.style]);
            style = cell.style;
        }
        out.push(if cell.c == GLUE { ' ' } else { cell.c });
    }
    if style != 0 {
        out.push_str("\x1b[0m");
    }
    out
}

fn width(cells: &[StyledChar]) -> usize {
    cells.iter().map(|cell| cell.width()).sum()
}

/// The column at which the source begins, in a line such as `17 |     s[t] = d[t];`.
fn gutter(line: &str) -> Option<usize> {
    let (before, after) = line.split_once('|')?;
    let number = before.trim();
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    (is_number && (after.is_empty() || after.starts_with(' '))).then(|| before.chars().count() + 2)
}

/// A line of a compiler that has nothing but marks in it.
fn is_mark(line: &str) -> bool {
    let marks = line.trim();
    marks.contains('^') && marks.chars().all(|c| MARKS.contains(&c))
}

fn is_mark_below(line: &str, gutter: usize) -> bool {
    if gutter == 0 {
        return is_mark(line);
    }
    let text = line.trim_start().strip_prefix('|');
    text.is_some_and(|text| text.trim_start().starts_with(MARKS))
}

/// A source line, and below it its marks with what they say.
fn source(lines: &[Vec<StyledChar>], gutter: usize, columns: usize, out: &mut Vec<Vec<StyledChar>>) {
    let room = columns.saturating_sub(gutter);
    let (line, marks) = (&lines[0], &lines[1..]);
    let carets: Vec<usize> = marks.iter().filter_map(|mark| caret(mark, gutter)).collect();
    let last = carets.iter().max().map_or(0, |last| last + BESIDE);
    let first = carets.iter().min().map_or(0, |first| first.saturating_sub(1));
    let is_wide = width(line) > columns;
    let moved = if is_wide { last.saturating_sub(room).min(first) } else { 0 };
    let (head, code) = line.split_at(gutter.min(line.len()));
    let code = without(code, moved);
    let mut shown = head.to_vec();
    shown.extend(cut_cells(&code, room));
    out.push(shown);
    for mark in marks {
        let (head, rest) = mark.split_at(gutter.min(mark.len()));
        let mut shown = head.to_vec();
        shown.extend(rest.iter().skip(moved));
        out.extend(broken(&shown, hang_of_mark(&shown, gutter, columns), columns));
    }
}

/// The column of the first mark, counted from the source's first one.
fn caret(mark: &[StyledChar], gutter: usize) -> Option<usize> {
    mark.iter().skip(gutter).position(|cell| MARKS.contains(&cell.c))
}

/// Leaves the first columns out; what is left begins with the sign of a cut.
fn without(code: &[StyledChar], columns: usize) -> Vec<StyledChar> {
    if columns == 0 {
        return code.to_vec();
    }
    let mut passed = 0;
    let begins = code.iter().position(|cell| {
        passed += cell.width();
        passed > columns
    });
    let rest = &code[begins.unwrap_or(code.len())..];
    let first = rest.first().map(|cell| StyledChar { c: CUT, style: cell.style });
    first.into_iter().chain(rest.iter().skip(1).copied()).collect()
}

fn cut_cells(cells: &[StyledChar], columns: usize) -> Vec<StyledChar> {
    if width(cells) <= columns {
        return cells.to_vec();
    }
    let mut left = columns.saturating_sub(1);
    let fits = |cell: &&StyledChar| {
        let rest = left.checked_sub(cell.width());
        left = rest.unwrap_or(0);
        rest.is_some()
    };
    let mut kept: Vec<StyledChar> = cells.iter().take_while(fits).copied().collect();
    kept.push(StyledChar { c: CUT, style: kept.last().map_or(0, |cell| cell.style) });
    kept
}

/// The column at which a mark's words continue: below the first of them, if there is room.
fn hang_of_mark(mark: &[StyledChar], gutter: usize, columns: usize) -> usize {
    let is_text = |cell: &StyledChar| !MARKS.contains(&cell.c) && cell.c != ' ';
    let begins = caret(mark, gutter).map_or(gutter, |caret| gutter + caret);
    let words = mark.iter().skip(begins).position(is_text).map_or(begins, |at| begins + at);
    let number = mark[words.min(mark.len())..].iter().position(|cell| cell.c == ')');
    let below = match number {
        Some(end) if mark[words].c == '(' && end < 5 => words + end + 2,
        _ => words,
    };
    if below <= columns / 2 { below } else { (gutter + 2).min(columns / 2) }
}

/// The column at which a line of prose continues: below the text of a note, below the second column of a table, else
/// below the line's own beginning.
fn hang(line: &str, columns: usize) -> usize {
    let text = line.trim_start();
    let before = line.len() - text.len();
    let label = text.strip_prefix("= ").map(|note| note.split(": ").next().map_or(0, |label| label.chars().count()));
    let hang = match label {
        Some(label) if before + label + 4 <= columns / 3 => before + label + 4,
        Some(_) => before + 4,
        None => before + second_column(text).unwrap_or(0),
    };
    if hang <= columns / 2 { hang } else { 0 }
}

/// The place of a table's second column: what follows a first word and two spaces or more.
fn second_column(line: &str) -> Option<usize> {
    let (name, rest) = line.split_once("  ")?;
    let is_word = !name.is_empty() && !name.contains(' ');
    is_word.then(|| name.chars().count() + 2 + rest.chars().take_while(|c| *c == ' ').count())
}

/// Breaks a line between its words.
fn broken(line: &[StyledChar], hang: usize, columns: usize) -> Vec<Vec<StyledChar>> {
    if width(line) <= columns {
        return vec![line.to_vec()];
    }
    let room = columns.saturating_sub(hang).max(1);
    let mut out = vec![Vec::new()];
    for word in words(line, room) {
        let is_command = begins_command(word);
        let solid = width(trimmed(word));
        let used = out.last().map_or(0, |row| width(row));
        if used > hang && used + solid > columns {
            begin_row(&mut out, hang);
        }
        let used = out.last().map_or(0, |row| width(row));
        match used + solid > columns {
            true if is_command => continued(word, hang, columns, &mut out),
            true => split(word, hang, columns, &mut out),
            false => push(&mut out, word),
        }
    }
    for row in &mut out {
        row.truncate(trimmed(row).len());
    }
    out
}

fn push(out: &mut [Vec<StyledChar>], cells: &[StyledChar]) {
    if let Some(row) = out.last_mut() {
        row.extend(cells);
    }
}

fn begin_row(out: &mut Vec<Vec<StyledChar>>, hang: usize) {
    out.push(vec![StyledChar { c: ' ', style: 0 }; hang]);
}

fn trimmed(cells: &[StyledChar]) -> &[StyledChar] {
    let end = cells.iter().rposition(|cell| cell.c != ' ').map_or(0, |last| last + 1);
    &cells[..end]
}

/// Words with the spaces after them. Code between backticks is one word if there is room for it on a line; so is a
/// command.
fn words(line: &[StyledChar], room: usize) -> Vec<&[StyledChar]> {
    let mut words = Vec::new();
    let mut begin = 0;
    let indentation = line.iter().take_while(|cell| cell.c == ' ').count();
    let mut at = indentation;
    while at < line.len() {
        if begins_command(&line[at..]) && (at == 0 || line[at - 1].c == ' ') {
            if begin < at {
                words.push(&line[begin..at]);
            }
            words.push(&line[at..]);
            return words;
        }
        let is_space = line[at].c == ' ';
        at = if line[at].c == '`' { after_code(line, at, room) } else { at + 1 };
        if is_space && line.get(at).is_some_and(|next| next.c != ' ') {
            words.push(&line[begin..at]);
            begin = at;
        }
    }
    words.push(&line[begin..]);
    words
}

/// The place after the code that begins with this backtick, if that fits on a line; else the next place.
fn after_code(line: &[StyledChar], at: usize, room: usize) -> usize {
    let length = line[at + 1..].iter().position(|cell| cell.c == '`');
    match length {
        Some(length) if width(&line[at..at + length + 2]) < room => at + length + 2,
        _ => at + 1,
    }
}

fn begins_command(word: &[StyledChar]) -> bool {
    let mut wanted = "cargo ".chars();
    let is_it = wanted.by_ref().zip(word).all(|(c, cell)| c == cell.c);
    is_it && wanted.next().is_none()
}

/// A command on several lines: all but the last one end in a backslash.
fn continued(command: &[StyledChar], hang: usize, columns: usize, out: &mut Vec<Vec<StyledChar>>) {
    let backslash = [StyledChar { c: '\\', style: 0 }];
    let used = |out: &Vec<Vec<StyledChar>>| out.last().map_or(0, |row| width(row));
    for word in command.split_inclusive(|cell| cell.c == ' ') {
        if used(out) > hang && used(out) + width(trimmed(word)) + 2 > columns {
            push(out, &backslash);
            begin_row(out, hang);
        }
        let mut rest = word;
        while used(out) + width(trimmed(rest)) + 2 > columns && !trimmed(rest).is_empty() {
            let (row, after) = rest.split_at(fitting(rest, columns.saturating_sub(used(out) + 1)));
            push(out, row);
            push(out, &backslash);
            // Inside a word the next row begins at the edge: a shell joins the two.
            begin_row(out, 0);
            rest = after;
        }
        push(out, rest);
    }
}

/// Returns the number of characters that fit in this many columns; one at least.
fn fitting(cells: &[StyledChar], columns: usize) -> usize {
    let mut passed = 0;
    let fits = cells.iter().take_while(|cell| {
        passed += cell.width();
        passed <= columns
    });
    fits.count().max(1)
}

/// A word that fits on no line, such as a long path: broken after a sign, if there is one.
fn split(word: &[StyledChar], hang: usize, columns: usize, out: &mut Vec<Vec<StyledChar>>) {
    let mut rest = word;
    loop {
        let used = out.last().map_or(0, |row| width(row));
        let room = columns.saturating_sub(used).max(1);
        if width(trimmed(rest)) <= room {
            return push(out, rest);
        }
        let most = fitting(rest, room);
        let sign = rest[..most].iter().rposition(|cell| "/,;)_-. ".contains(cell.c));
        let (row, after) = rest.split_at(sign.map_or(most, |at| at + 1));
        push(out, row);
        begin_row(out, hang);
        rest = after;
    }
}

#[cfg(test)]
mod tests;
