//! The screen of one exercise: a heading that is always there, a page of the text below it, and the keys.

use crate::fit::fit;
use crate::terminal::TerminalSize;

/// Rows that the text has at least, however small the terminal is.
const FEWEST: usize = 3;

/// The row on which the student types.
const INPUT: usize = 1;

/// A text that may be longer than the screen.
#[derive(Debug, Default)]
pub struct PagedText {
    text: String,
    /// The offset in the text, in bytes, at which its newest part begins.
    newest: usize,
    /// The first line on the screen; `None`: as far down as the newest part needs.
    top: Option<usize>,
    /// The first line of the page that was drawn last.
    drawn: usize,
    /// The first line of the page after that.
    next: usize,
    /// The newest part is a fix, and was added without being shown.
    is_fix_below: bool,
}

impl PagedText {
    /// Begins with another text, at its first line.
    pub fn replace(&mut self, text: &str) {
        *self = PagedText { text: text.trim_end().to_string(), top: Some(0), ..PagedText::default() };
    }

    /// Adds a part, which is on the screen when it is drawn next.
    pub fn add(&mut self, text: &str) {
        self.text.push_str(if self.text.is_empty() { "" } else { "\n\n" });
        self.newest = self.text.len();
        self.text += text.trim_end();
        (self.top, self.is_fix_below) = (None, false);
    }

    /// Adds a part below those that are on the screen: the page stays, since somebody may be reading it.
    pub fn add_below(&mut self, text: &str) {
        self.add(text);
        self.top = Some(self.drawn);
    }

    /// Adds a fix that nobody has asked for, and the page stays.
    pub fn add_fix(&mut self, text: &str) {
        self.add_below(text);
        self.is_fix_below = true;
    }

    /// Returns the offset in the text, in bytes, at which its newest part begins.
    pub fn newest(&self) -> usize {
        self.newest
    }

    /// Goes back to a part that began at this offset, and shows as much of what follows it as there is room for.
    pub fn return_to(&mut self, part: usize) {
        (self.newest, self.top, self.is_fix_below) = (part, None, false);
    }

    /// Goes to the next page; from the last one to the first.
    pub fn turn(&mut self) {
        self.top = Some(self.next);
    }

    /// The whole screen as lines: heading, page, keys.
    pub fn lines(&mut self, size: TerminalSize, heading: &[String], keys: &str) -> Vec<String> {
        let (before, newest) = self.text.split_at(self.newest);
        let mut all = fit(before, size.columns);
        let begins = all.len();
        all.extend(fit(newest, size.columns));
        let keys = if keys.is_empty() { Vec::new() } else { fit(keys, size.columns) };
        let room = size.rows.saturating_sub(heading.len() + keys.len() + INPUT).max(FEWEST);
        let mut screen = heading.to_vec();
        if all.len() <= room {
            (self.top, self.drawn, self.next) = (self.top.map(|_| 0), 0, 0);
            screen.extend(all);
        } else {
            // One row tells what is not shown.
            let room = room - 1;
            let top = self.top.unwrap_or_else(|| all.len().saturating_sub(room).min(begins)).min(all.len() - 1);
            let end = (top + room).min(all.len());
            let left = all.len() - end;
            screen.extend(all[top..end].iter().cloned());
            (self.drawn, self.next) = (top, if left == 0 { 0 } else { end });
            screen.push(match left {
                0 => say!("page-last"),
                _ if self.is_fix_below && begins >= end => say!("page-more-fix", count = left),
                _ => say!("page-more", count = left),
            });
        }
        screen.extend(keys);
        screen
    }
}

/// Puts these lines on an empty screen; the cursor stands below them.
///
/// A terminal that knows synchronized updates (mode 2026) shows them at once, without a screen that is half drawn.
/// Others ignore the two marks.
pub fn draw(lines: &[String]) {
    tell::put(&format!("\x1b[?2026h\x1b[2J\x1b[H{}\n\x1b[?2026l", lines.join("\n")));
}

/// Puts a line in place of one that is on the screen, counted from 0; what the student is typing stays.
pub fn overwrite(row: usize, line: &str) {
    tell::put(&format!("\x1b7\x1b[{};1H\x1b[K{line}\x1b8", row + 1));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(page: &mut PagedText) -> Vec<String> {
        page.lines(TerminalSize { rows: 10, columns: 40 }, &["name".into(), "file".into()], "keys")
    }

    #[test]
    fn the_heading_and_the_keys_stay_however_long_the_text_is() {
        let mut page = PagedText::default();
        let text: Vec<String> = (1..=12).map(|number| format!("line {number}")).collect();
        page.replace(&text.join("\n"));
        let first = drawn(&mut page);
        assert_eq!(
            (first.len(), &first[0], &first[1], &first[2], &first[8]),
            (9, &"name".into(), &"file".into(), &"line 1".into(), &"keys".into())
        );
        assert!(first[7].contains('7'), "{first:?}");
        page.turn();
        assert_eq!(drawn(&mut page)[2], "line 6");
        page.turn();
        let last = drawn(&mut page);
        assert_eq!((&last[2], &last[3], last.len()), (&"line 11".into(), &"line 12".into(), 6));
        page.turn();
        assert_eq!(drawn(&mut page), first);
    }

    #[test]
    fn a_fix_that_nobody_has_asked_for_moves_nothing() {
        let mut page = PagedText::default();
        page.replace("1\n2\n3\n4\n5");
        let before = drawn(&mut page);
        page.add_fix("add a barrier");
        let after = drawn(&mut page);
        assert_eq!(after[2..7], before[2..7]);
        assert!(after[7].contains("with a fix"), "{after:?}");
        page.turn();
        assert!(drawn(&mut page).contains(&"add a barrier".to_string()));
        page.add("asked");
        assert!(drawn(&mut page).contains(&"asked".to_string()));
    }

    #[test]
    fn one_returns_to_a_part_that_is_on_an_earlier_page() {
        let mut page = PagedText::default();
        page.replace("1\n2\n3\n4\n5");
        page.add_fix("add a barrier");
        let fix = page.newest();
        page.add("a hint\nof\nfour\nlines");
        page.add("above");
        assert!(!drawn(&mut page).contains(&"add a barrier".to_string()));
        page.return_to(fix);
        assert_eq!(drawn(&mut page)[2], "add a barrier");
    }

    #[test]
    fn what_is_added_is_on_the_screen() {
        let mut page = PagedText::default();
        page.replace("one\ntwo");
        page.add("three");
        assert_eq!(drawn(&mut page)[2..], ["one", "two", "", "three", "keys"]);
        page.add("four");
        assert_eq!(drawn(&mut page)[2..], ["one", "two", "", "three", "", "four", "keys"]);
        page.add("five\nsix\nseven\neight\nnine\nten");
        assert_eq!(drawn(&mut page)[2], "five", "its beginning, where it has no room");
        page.add("last");
        assert_eq!(drawn(&mut page)[4..7], ["ten", "", "last"]);
    }
}
