//! What stands on the screen of `cargo learn`, told by what no translation changes: its keys, its colours and the names of
//! files.

use vt100::{Color, Screen};

/// What one types, as the last line of a whole screen names it.
const KEYS: [&str; 5] = ["h", "n", "l", "r", "q"];

/// Whether the program has shown all and waits.
pub fn is_whole(screen: &Screen) -> bool {
    let names_all = |line: &str| {
        let words: Vec<&str> = line.split(|c: char| !c.is_alphanumeric()).collect();
        KEYS.iter().all(|key| words.contains(key))
    };
    screen.contents().lines().any(names_all)
}

/// Whether `file` is solved, by the colour of the line that says it of the file; None where that line is not there, or more
/// may come.
pub fn verdict(screen: &Screen, file: &str) -> Option<bool> {
    let (_, columns) = screen.size();
    let mut rows = (0..).zip(screen.rows(0, columns.get())).filter(|(_, text)| text.contains(file));
    let verdict = rows.find_map(|(row, _)| match screen.cell(row, 0)? {
        cell if !cell.bold() => None,
        cell if cell.fgcolor() == Color::Idx(2) => Some(true),
        cell if cell.fgcolor() == Color::Idx(1) => Some(false),
        _ => None,
    });
    verdict.filter(|_| is_whole(screen))
}

/// Whether the program has answered a typed `line`: a whole line stands below it.
pub fn has_answered(screen: &Screen, line: &str) -> bool {
    let text = screen.contents();
    let mut below = text.lines().skip_while(|shown| *shown != line).skip(1);
    let (_, column) = screen.cursor_position();
    below.next().is_some_and(|answer| !answer.is_empty()) && column == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::num::NonZero;

    /// A screen after `text`, in another language than any of ours.
    fn screen(text: &str) -> Screen {
        let mut parser = vt100::Parser::new(NonZero::new(20).unwrap(), NonZero::new(80).unwrap(), 0);
        parser.process(text.replace('\n', "\r\n").as_bytes());
        parser.screen().clone()
    }

    const PROMPT: &str = "\nservu; h konsilo, n sekva, l listo, r ruli, q fini\n";

    #[test]
    fn a_verdict_is_its_colour_and_the_end_of_the_screen() {
        let shown = |colour: &str| {
            format!("redaktu mine/a.cu\n\n\x1b[1;31meraro\x1b[0m\n\x1b[{colour}mestas mine/a.cu\x1b[0m\n")
        };
        let of = |text: &str| verdict(&screen(text), "mine/a.cu");
        assert_eq!(of(&(shown("1;32") + PROMPT)), Some(true));
        assert_eq!(of(&(shown("1;31") + PROMPT)), Some(false));
        // Not whole yet; of another file; of no colour.
        assert_eq!(of(&shown("1;32")), None);
        assert_eq!(of(&(shown("1;32").replace("a.cu", "b.cu") + PROMPT)), None);
        assert_eq!(of(&(shown("0") + PROMPT)), None);
    }

    #[test]
    fn an_answer_is_a_whole_line_below_what_was_typed() {
        assert!(!has_answered(&screen(PROMPT), "h"));
        assert!(!has_answered(&screen(&format!("{PROMPT}h\n")), "h"));
        assert!(!has_answered(&screen(&format!("{PROMPT}h\nkonsi")), "h"));
        assert!(has_answered(&screen(&format!("{PROMPT}h\nkonsilo 1\n")), "h"));
    }
}
