//! Output of a compiler or a program, cut to what fits a screen.

use crate::task::MoreBy;

/// Lines shown of what a compiler or a program says, as they stand on a screen of this width.
const SAID: usize = 14;
pub const WIDTH: usize = 100;

/// Bytes kept of what a compiler or a program says: where little is shown, and where all is asked for.
const KEPT: usize = 2 << 10;
const KEPT_OF_ALL: usize = 64 << 10;

/// Rows that a text takes on a screen.
pub fn rows(text: &str) -> usize {
    text.lines().map(|line| line.chars().count().div_ceil(WIDTH).max(1)).sum()
}

/// The first bytes of what a compiler or a program says, and how many more there were.
fn cut(mut text: String, kept: usize) -> String {
    if text.len() > kept {
        let end = (0..=kept).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        let left = text.len() - end;
        text.truncate(end);
        text += &format!("\n{}\n", say!("left-out", left));
    }
    text
}

/// All of what a compiler or a program says, as far as there is room for it.
pub fn whole(text: String) -> String {
    cut(text, KEPT_OF_ALL)
}

/// The beginning of what a compiler or a program says, and how many lines more it said.
pub fn folded(text: &str, more_by: MoreBy) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let mut room = SAID;
    let fits = |line: &&&str| {
        let left = room.checked_sub(rows(line).max(1));
        room = left.unwrap_or(0);
        left.is_some()
    };
    let shown = lines.iter().take_while(fits).count().max(1).min(lines.len());
    // One line may be as long as it likes.
    let mut out = cut(lines[..shown].join("\n"), KEPT).trim_end().to_string();
    if shown < lines.len() {
        out += &format!("\n{}", say!("more-lines", count = lines.len() - shown, by = more_by.word()));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_compiler_says_is_cut_where_it_grows_too_long_for_a_screen() {
        assert_eq!(folded("one\ntwo", MoreBy::Option), "one\ntwo");
        let long = ["line"; 20].join("\n");
        assert_eq!(folded(&long, MoreBy::Option), ["line"; SAID].join("\n") + "\n6 more lines: add --verbose");
        let wide = ["x".repeat(WIDTH * SAID), "y".into()].join("\n");
        assert_eq!(folded(&wide, MoreBy::Option), "x".repeat(WIDTH * SAID) + "\n1 more line: add --verbose");
        let flood = format!("{}\ny", "x".repeat(2 * KEPT));
        let wanted = "x".repeat(KEPT) + "\n... 2048 more bytes are left out\n1 more line: add --verbose";
        assert_eq!(folded(&flood, MoreBy::Option), wanted);
    }

    #[test]
    fn of_a_long_text_the_beginning_is_kept_and_the_rest_counted() {
        assert_eq!(cut("x".repeat(KEPT), KEPT), "x".repeat(KEPT));
        let kept = "x".repeat(KEPT - 1);
        // No character is cut in two.
        let wanted = format!("{kept}\n... 12 more bytes are left out\n");
        assert_eq!(cut(format!("{kept}é{}", "x".repeat(10)), KEPT), wanted);
        let lines = "line\n".repeat(2000);
        assert_eq!(whole(lines.clone()), lines);
    }
}
