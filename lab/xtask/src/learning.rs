//! Reads the screen of `cargo learn` by what no translation changes: its keys, its colours and the names
//! of files.

use vt100::{Color, Screen};

/// The keys that the end of a whole screen names.
const KEYS: [&str; 5] = ["h", "n", "l", "r", "q"];

/// The keys that the end of the list names.
const KEYS_OF_LIST: [&str; 5] = ["t", "a", "m", "b", "q"];

/// The line below the heading is made of it.
const RULE: char = '─';

/// Rows that the keys take on a narrow screen.
const ROWS_OF_KEYS: usize = 4;

/// Returns true if the program has shown all of an exercise and waits.
pub fn is_whole(screen: &Screen) -> bool {
    has_keys(screen, &KEYS)
}

/// Returns true if the program has shown a page of the list and waits.
pub fn is_list(screen: &Screen) -> bool {
    has_keys(screen, &KEYS_OF_LIST)
}

/// Returns true if some rows next to each other name these keys, and the cursor is at the beginning of a row: after a
/// whole one, as the keys are drawn last.
fn has_keys(screen: &Screen, keys: &[&str]) -> bool {
    let text = screen.contents();
    let lines: Vec<&str> = text.trim_end().lines().collect();
    let (_, column) = screen.cursor_position();
    column == 0
        && lines.windows(ROWS_OF_KEYS.min(lines.len()).max(1)).any(|rows| {
            let words: Vec<&str> = rows.iter().flat_map(|row| row.split(|c: char| !c.is_alphanumeric())).collect();
            keys.iter().all(|key| words.contains(key))
        })
}

/// Returns true if `file` is solved, by the colour of the verdict in the rule below the heading. `None` if the heading
/// is of another file, if there is no verdict in it, or if more may come.
pub fn verdict(screen: &Screen, file: &str) -> Option<bool> {
    let (_, columns) = screen.size();
    let rows: Vec<String> = screen.rows(0, columns.get()).collect();
    let rule = rows.iter().position(|row| row.starts_with(RULE))?;
    if !is_whole(screen) || !rows[..rule].iter().any(|row| row.ends_with(file)) {
        return None;
    }
    let row = u16::try_from(rule).ok()?;
    let mut cells = (0..columns.get()).filter_map(|column| screen.cell(row, column)).filter(|cell| cell.bold());
    match cells.next()?.fgcolor() {
        Color::Idx(2) => Some(true),
        Color::Idx(1) => Some(false),
        _ => None,
    }
}

/// True if the program has answered a typed `line`: a whole line stands below it.
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
        let shown =
            |colour: &str| format!("redaktu mine/a.cu\n── \x1b[{colour}mestas\x1b[0m ───\n\x1b[1;33meraro\x1b[0m\n");
        let of = |text: &str| verdict(&screen(text), "mine/a.cu");
        assert_eq!(of(&(shown("1;32") + PROMPT)), Some(true));
        assert_eq!(of(&(shown("1;31") + PROMPT)), Some(false));
        // Not whole yet; of another file; of no colour.
        assert_eq!(of(&shown("1;32")), None);
        assert_eq!(of(&(shown("1;32").replace("a.cu", "b.cu") + PROMPT)), None);
        assert_eq!(of(&(shown("0") + PROMPT)), None);
        // The keys of a narrow screen take several rows.
        assert_eq!(of(&(shown("1;31") + &PROMPT.replace(", l", ",\nl").replace(", q", ",\nq"))), Some(false));
    }

    #[test]
    fn a_list_names_other_keys_and_is_drawn_to_its_end() {
        let list = "02_sync  [---]\nnumero; t farendaj, a cxiuj;\nm sekva, b antauxa, q finas\n";
        assert!(is_list(&screen(list)) && !is_whole(&screen(list)));
        assert!(!is_list(&screen(list.trim_end())) && !is_list(&screen(PROMPT)));
    }

    #[test]
    fn an_answer_is_a_whole_line_below_what_was_typed() {
        assert!(!has_answered(&screen(PROMPT), "h"));
        assert!(!has_answered(&screen(&format!("{PROMPT}h\n")), "h"));
        assert!(!has_answered(&screen(&format!("{PROMPT}h\nkonsi")), "h"));
        assert!(has_answered(&screen(&format!("{PROMPT}h\nkonsilo 1\n")), "h"));
    }
}
