//! The screens of `cargo learn`, in terminals of several sizes.

use super::support::{NAME, Student, Terminal, course, has_no_compiler, text, unbroken};
use std::fs;
use vt100::Screen;

/// Rows and columns.
const SIZES: [(u16, u16); 3] = [(24, 80), (40, 120), (20, 60)];

const NAMES: [&str; 3] = ["01_vectorized/bounds_check_missing", NAME, "02_sync/tile_used_again"];

/// A word of each language that stands on the screen when all of it is there: its keys, and the line about the list.
struct Words {
    language: &'static str,
    keys: &'static str,
    /// The end of what a new student reads first.
    welcome: &'static str,
    list: &'static str,
    /// All that the watch says.
    messages: &'static str,
}

const LANGUAGES: [Words; 2] = [
    Words {
        language: "en",
        keys: "(then Enter)",
        welcome: "l lists all exercises.",
        list: "q quits",
        messages: include_str!("../../messages/en/session.ftl"),
    },
    Words {
        language: "es",
        keys: "(y Enter)",
        welcome: "l lista todos los ejercicios.",
        list: "q sale",
        messages: include_str!("../../messages/es/session.ftl"),
    },
];

fn rows(screen: &Screen) -> Vec<String> {
    let (_, columns) = screen.size();
    screen.rows(0, columns.get()).collect()
}

/// The exercise's name and its file are in the first rows, and no row is so long that the terminal has broken it.
fn is_sound(screen: &Screen) {
    let rows = rows(screen);
    assert!(rows[0].starts_with("02_sync/missing_barrier: "), "{rows:#?}");
    assert!(rows[1].ends_with("mine/02_sync/missing_barrier.cu"), "{rows:#?}");
    assert!(rows[2].starts_with('[') && rows[2].contains("02_sync"), "{rows:#?}");
    is_unbroken(screen);
}

fn is_unbroken(screen: &Screen) {
    let rows = rows(screen);
    let broken = (0..).zip(&rows).find(|(row, _)| screen.row_wrapped(*row));
    assert!(broken.is_none(), "{broken:?} in {rows:#?}");
}

/// Each word on the screen is a whole word of what the program says in a pipe, or one of its heading and keys.
fn words_are_whole(screen: &Screen, said: &str) {
    let all: Vec<&str> = said.split_whitespace().collect();
    let rows = rows(screen);
    // The heading ends in a rule.
    let heading = rows.iter().position(|row| row.starts_with('─')).unwrap() + 1;
    let keys = rows.iter().rposition(|row| row.contains("h hint") || row.contains("h pista")).unwrap();
    for row in &rows[heading..keys] {
        // Only a terminal is told of further lines.
        if row.starts_with('…') || row.ends_with('…') {
            continue;
        }
        for word in row.split_whitespace().filter(|word| *word != "\\") {
            assert!(all.contains(&word), "{word:?} in {row:?}");
        }
    }
}

#[test]
fn each_screen_fits_the_terminal_and_begins_with_the_exercise() {
    if has_no_compiler() {
        return;
    }
    for Words { language, keys, welcome, list, messages } in LANGUAGES {
        let student = Student::with(&NAMES);
        for name in NAMES {
            let folder = student.0.path().join("catalog").join(name);
            fs::copy(course().join(name).join("exercise.es.toml"), folder.join("exercise.es.toml")).unwrap();
        }
        for size in SIZES {
            let command = |words: &[&str]| {
                let mut command = student.command(words);
                command.env("LESSON_LANG", language);
                command
            };
            let _ = fs::remove_dir_all(student.0.path().join("mine"));
            let (_, said) = text(command(&["run", NAME]).output().unwrap());
            let _ = fs::remove_dir_all(student.0.path().join("mine"));
            let mut terminal = Terminal::sized(command(&[NAME]), size);
            let first = terminal.shows(|screen| screen.contains('…') && unbroken(screen).ends_with(welcome));
            is_sound(&first);
            let verdict = terminal.shows(|screen| screen.contains("race-shared") && screen.contains(keys));
            is_sound(&verdict);
            assert!(rows(&verdict)[3].contains(": race-shared, answer ─"), "{}", verdict.contents());
            words_are_whole(&verdict, &(said + messages));
            terminal.types("zz");
            let answer = terminal.shows(|screen| screen.contains("`zz`") && screen.contains(keys));
            is_sound(&answer);
            terminal.types("l");
            let listed = terminal.shows(|screen| screen.contains(list));
            is_unbroken(&listed);
            let screens =
                [first, verdict, answer, listed].map(|screen| rows(&screen).join("\n").trim_end().to_string());
            let name = format!("{language}-{}x{}", size.1, size.0);
            insta::assert_snapshot!(name, screens.join("\n================\n"));
            terminal.types("q");
            assert!(terminal.child.wait().unwrap().success());
        }
    }
}

#[test]
fn the_list_opens_at_the_next_exercise_in_pages_and_shows_what_one_asks_for() {
    if has_no_compiler() {
        return;
    }
    let student = Student::new();
    let open = |size| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_learn"));
        command.env("LESSON_LANG", "en").arg("--catalog").arg(course()).args(["--dir", "mine", "04_atomics"]);
        command.current_dir(student.0.path());
        Terminal::sized(command, size)
    };
    for size in SIZES {
        let mut terminal = open(size);
        terminal.shows(|screen| screen.contains("(then Enter)"));
        terminal.types("l");
        let first = terminal.shows(|screen| screen.contains("q quits"));
        is_unbroken(&first);
        assert!(first.contents().contains("[>]"), "{}", first.contents());
        terminal.types("m");
        let second = terminal.shows(|screen| screen.contains("q quits") && !screen.contains("[>]"));
        terminal.types("b");
        let again = terminal.shows(|screen| screen.contains("[>]"));
        assert_ne!(second.contents(), again.contents());
        terminal.types("2");
        terminal.shows(|screen| screen.contains("(then Enter)") && screen.starts_with("01_vectorized/"));
        terminal.types("l");
        terminal.shows(|screen| screen.contains("q quits"));
        terminal.types("02");
        let topic = terminal.shows(|screen| screen.starts_with("02_sync  [")).contents();
        assert!(!topic.contains("03_warp_primitives") && topic.contains("`02_sync`: "), "{topic}");
        for (line, said) in [("999", "There is no exercise 999: the numbers go from 1 to"), ("zz", "`zz` is no key")] {
            terminal.types(line);
            let answer = terminal.shows(|screen| unbroken(screen).contains(said));
            assert!(answer.contents().contains("02_sync  ["), "{}", answer.contents());
            is_unbroken(&answer);
        }
        terminal.types("q");
        assert!(terminal.child.wait().unwrap().success());
    }
}

#[test]
fn a_long_report_is_read_in_pages_and_each_line_is_answered() {
    if has_no_compiler() {
        return;
    }
    let student = Student::with(&NAMES);
    let mut terminal = Terminal::sized(student.command(&[NAME]), (20, 60));
    let first = terminal.shows(|screen| screen.contains("(then Enter)"));
    assert!(first.contents().contains("more lines: press m"), "{}", first.contents());
    for _ in 0..4 {
        let page = terminal.shows(|_| true);
        assert!(rows(&page)[3].starts_with("── not solved yet: race-shared, answer ─"), "{}", page.contents());
        if page.contents().contains("not solved yet: mine") {
            break;
        }
        let before = terminal.shows(|_| true).contents();
        terminal.types("m");
        // The line that was typed has moved the screen up until it is drawn anew.
        let is_drawn = |screen: &str| screen.starts_with(NAME) && screen.ends_with("(then Enter)");
        is_sound(&terminal.shows(|screen| is_drawn(screen) && screen != before));
    }
    terminal.shows(|screen| screen.contains("not solved yet: mine"));
    for (line, said) in [
        ("h", "hint 1 of 3"),
        ("hint", "hint 2 of 3"),
        ("?", "h: the next hint. f: try small changes"),
        ("explain race-share", "`race-share`"),
        ("cargo learn run missing_barrier --replay n=1/1/in-order", "in a second terminal"),
        ("missing_barier", "Did you mean `missing_barrier`?"),
        ("999", "There is no exercise 999"),
        ("-1", "There is no exercise -1"),
    ] {
        terminal.types(line);
        is_sound(&terminal.shows(|screen| unbroken(screen).contains(said) && screen.ends_with("(then Enter)")));
    }
    for line in ["explain race-shared", "cargo learn explain race-shared", "race-shared"] {
        terminal.types(line);
        let is_page = |screen: &str| screen.contains("# race-shared\n") && screen.ends_with("(then Enter)");
        is_sound(&terminal.shows(|screen| is_page(screen) && screen.lines().any(|row| row == line)));
    }
    // Its paragraphs are laid out for this terminal.
    terminal.shows(|screen| screen.contains("nothing orders the\ntwo accesses."));
    terminal.types("3");
    terminal.shows(|screen| screen.starts_with("02_sync/tile_used_again: "));
}

#[test]
fn a_fix_that_nobody_has_asked_for_does_not_scroll_the_report_away() {
    if has_no_compiler() {
        return;
    }
    let student = Student::new();
    let mut terminal = Terminal::sized(student.command(&[NAME]), (24, 80));
    terminal.shows(|screen| screen.contains("not solved yet") && screen.contains("(then Enter)"));
    let handed_out = fs::read_to_string(student.file()).unwrap();
    for (number, shown) in [(1, "more line"), (2, "with a fix: press m")] {
        fs::write(student.file(), format!("{handed_out}// {number}\n")).unwrap();
        terminal.shows(|screen| screen.contains("judging…"));
        let is_it = |screen: &str| screen.contains("error[race-shared]") && screen.contains(shown);
        is_sound(&terminal.shows(|screen| is_it(screen) && screen.ends_with("(then Enter)")));
    }
    terminal.types("m");
    is_sound(&terminal.shows(|screen| screen.contains("fix (tried") && screen.ends_with("(then Enter)")));
    // A verdict that is the same again is seen to be a new one.
    terminal.types("r");
    terminal.shows(|screen| screen.contains("answer ─ judged 4 times ─") && screen.ends_with("(then Enter)"));
    // The place of the kept file stays on the screen with the verdict on the new one.
    for line in ["reset", "y"] {
        terminal.types(line);
        terminal.shows(|screen| {
            screen.ends_with("(then Enter)") && screen.contains(&format!("\n{line}\n")) || screen.contains("judged 5")
        });
    }
    let last = terminal.shows(|screen| screen.contains("judged 5 times") && screen.ends_with("(then Enter)"));
    assert!(
        unbroken(&last.contents()).contains("your file is kept as mine/02_sync/missing_barrier"),
        "{}",
        last.contents()
    );
}
