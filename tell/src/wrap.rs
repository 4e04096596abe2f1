//! A report in a narrow terminal: the long lines of a finding continue below their own text, not at the left edge.
//!
//! Only notes (`= why: ...`) and marks (`^ (1) ...`, `^ ...`) are broken, between words. Source lines, changed ones and
//! tables stay as they are. So do a title, which editors read in one line with its place below, and a command, which
//! can be copied whole if the terminal breaks it.

/// Narrower terminals get the text as it is.
const NARROWEST: usize = 40;

/// `text`, for a terminal with so many columns. It may hold colours (ANSI SGR codes).
pub fn fit(text: &str, columns: usize) -> String {
    if columns < NARROWEST {
        return text.to_string();
    }
    text.split_inclusive('\n').map(|line| fit_line(line, columns)).collect()
}

fn fit_line(line: &str, columns: usize) -> String {
    if width(line) <= columns {
        return line.to_string();
    }
    match hang(line) {
        Some(hang) if hang <= columns / 2 => broken(line, columns, hang),
        _ => line.to_string(),
    }
}

/// The column below which a line goes on, if it may be broken.
fn hang(line: &str) -> Option<usize> {
    let plain = plain(line);
    let text = plain.trim_start();
    let before = plain.len() - text.len();
    if let Some(note) = text.strip_prefix("= ") {
        let label = note.find(": ").filter(|end| note[..*end].chars().all(is_of_a_label))?;
        return Some(before + 2 + note[..label].chars().count() + 2);
    }
    let mark = text.strip_prefix('|')?;
    let text = mark.trim_start().strip_prefix("^ ")?;
    let number = text.strip_prefix('(').and_then(|number| Some(number.split_once(") ")?.0));
    let number = number.filter(|number| number.bytes().all(|byte| byte.is_ascii_digit()));
    Some(plain[..plain.len() - text.len()].chars().count() + number.map_or(0, |number| number.len() + 3))
}

/// A label is a word or two: `más corta`.
fn is_of_a_label(c: char) -> bool {
    c.is_lowercase() || c == ' '
}

fn broken(line: &str, columns: usize, hang: usize) -> String {
    let mut out = String::new();
    let mut column = 0;
    let mut rest = line;
    while !rest.is_empty() {
        let word = &rest[..word(rest)];
        rest = &rest[word.len()..];
        if column > hang && column + width(word.trim_end()) > columns {
            out.truncate(out.trim_end_matches(' ').len());
            out.push('\n');
            out.push_str(&" ".repeat(hang));
            column = hang;
        }
        out.push_str(word);
        column += width(word);
    }
    out
}

/// The length of the next word with the spaces around it. A command is one word up to its line's end.
fn word(text: &str) -> usize {
    let begin = text.len() - text.trim_start_matches(' ').len();
    if text[begin..].starts_with("cargo ") {
        return text.len();
    }
    let end = text[begin..].find(' ').map_or(text.len(), |at| begin + at);
    end + text[end..].len() - text[end..].trim_start_matches(' ').len()
}

/// Columns that a text takes.
fn width(text: &str) -> usize {
    plain(text).trim_end_matches('\n').chars().count()
}

/// Without colours.
fn plain(text: &str) -> String {
    let mut pieces = text.split("\x1b[");
    let mut plain = pieces.next().unwrap_or_default().to_string();
    for piece in pieces {
        plain.push_str(piece.split_once('m').map_or(piece, |(_, after)| after));
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_and_marks_go_on_below_their_own_text() {
        let report = "   = why: nothing here orders the two accesses of one word\n\
                      \x1b[1;34m   |\x1b[0m     \x1b[1;31m^ (12) thread 0 (warp 0, lane 0) stored 5\x1b[0m\n";
        let wanted = "   = why: nothing here orders the two\n          accesses of one word\n\
                      \x1b[1;34m   |\x1b[0m     \x1b[1;31m^ (12) thread 0 (warp 0, lane\n                0) stored \
                      5\x1b[0m\n";
        assert_eq!(fit(report, 40), wanted);
        assert_eq!(fit(report, 80), report);
        assert_eq!(fit(report, 20), report);
    }

    #[test]
    fn a_command_is_not_broken() {
        let note =
            "   = smallest: a size of 2: cargo run -p lesson04-atomics -- --replay counter/broken/in-order/0/2\n";
        let wanted = "   = smallest: a size of 2:\n               cargo run -p lesson04-atomics -- --replay \
            counter/broken/in-order/0/2\n";
        assert_eq!(fit(note, 60), wanted);
    }

    #[test]
    fn source_lines_tables_and_prose_stay() {
        for line in [
            "17 |     if (threadIdx.x < n && data[threadIdx.x] == wanted) atomicMin(first, threadIdx.x);\n",
            "   |     a | b ^ (c) and something that goes on for more than forty columns\n",
            "kernel                   expected     wrong runs  found              as expected\n",
            "  \"replay\": \"cargo run -p lesson04-atomics -- --replay counter/broken/in-order/0/2\",\n",
            "   = a + b + c + d + e + f + g + h: no label, for it is not one word\n",
        ] {
            assert_eq!(fit(line, 40), line);
        }
    }
}
