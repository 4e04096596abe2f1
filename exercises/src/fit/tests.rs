//! Tests of the layout.

use super::*;

#[test]
fn prose_breaks_between_words_and_notes_continue_below_their_text() {
    assert_eq!(fit("one two three\n\nfour", 9), ["one two", "three", "", "four"]);
    let note = "   = why: nothing here orders the two accesses of one word";
    assert_eq!(fit(note, 40), ["   = why: nothing here orders the two", "          accesses of one word"]);
}

#[test]
fn a_table_of_names_continues_below_its_second_column() {
    let row = "deadlock     Threads wait for each other and none goes on";
    assert_eq!(fit(row, 40), ["deadlock     Threads wait for each other", "             and none goes on"]);
    assert_eq!(fit("one two  three four five", 14), ["one two  three", "four five"]);
}

#[test]
fn spanish_letters_count_one_wide_ones_two_and_colours_none() {
    assert_eq!(fit("el año que será así", 11), ["el año que", "será así"]);
    assert_eq!(fit("漢字漢字 漢字漢字", 11), ["漢字漢字", "漢字漢字"]);
    let red = fit("\x1b[1;31mone two three\x1b[0m four", 9);
    assert_eq!(red, ["\x1b[1;31mone two\x1b[0m", "\x1b[1;31mthree\x1b[0m", "four"]);
    assert_eq!(fit("año\u{301} de", 6), ["año\u{301} de"]);
}

#[test]
fn a_fix_is_not_broken_inside_its_code() {
    let note = "   = fix (tried, right in 9 of 9 runs): change line 3 to `blockIdx.x * blockDim.x + threadIdx.x` here";
    let lines = fit(note, 60);
    assert!(lines.iter().any(|line| line.contains("`blockIdx.x * blockDim.x + threadIdx.x`")), "{lines:?}");
}

#[test]
fn a_long_source_line_is_cut_and_one_marked_at_its_end_is_moved() {
    let code = format!("16 |     {}last(x);", "first(x); ".repeat(8));
    let near = format!("{code}\n   |     ^ (1) thread 0 reads 0");
    let lines = fit(&near, 40);
    assert_eq!(lines[0].chars().count(), 40);
    assert!(lines[0].ends_with('…') && lines[1] == "   |     ^ (1) thread 0 reads 0", "{lines:?}");
    let column = code.find("last").unwrap();
    let far = format!("{code}\n   |{}^ (1) thread 0 reads 0, too early in this run", " ".repeat(column - 4));
    let lines = fit(&far, 40);
    let caret = lines[1].chars().position(|c| c == '^').unwrap();
    assert_eq!(lines[0].chars().skip(caret).take(4).collect::<String>(), "last", "{lines:?}");
    assert!(lines[0].starts_with("16 | …") && lines.iter().all(|line| line.chars().count() <= 40), "{lines:?}");
}

#[test]
fn a_command_is_continued_as_a_shell_continues_it() {
    let note = "   = replay: cargo learn --dir mine run missing_barrier --replay n=33/1/in-order";
    let wanted = [
        "   = replay: cargo learn --dir mine run \\",
        "             missing_barrier --replay \\",
        "             n=33/1/in-order",
    ];
    assert_eq!(fit(note, 44), wanted);
    assert_eq!(fit(note, 90), [note]);
}

#[test]
fn a_key_stays_beside_what_it_does() {
    assert_eq!(
        fit(&glued("h hint, s solution, q quit (then Enter)"), 19),
        ["h hint, s solution,", "q quit (then Enter)"]
    );
}

#[test]
fn a_shell_joins_a_command_again() {
    let command = format!("cargo learn --dir {} run missing_barrier", "folder/".repeat(12));
    let joined = |lines: Vec<String>| {
        let text = lines.join("\n").replace("\\\n", "");
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    for columns in [20, 40, 60] {
        let lines = fit(&format!("   = replay: {command}"), columns);
        assert_eq!(joined(lines), format!("= replay: {command}"));
    }
}

proptest::proptest! {
    /// Any other text than ours: what students print, and what compilers say.
    #[test]
    fn no_line_is_wider_than_the_terminal(
        text in "([ a-zñ漢`=:/.\\\\^|~-]|17 \\||   \\||cargo |\n|\t|\x1b\\[1m){0,120}",
        columns in 8_usize..120,
    ) {
        for line in fit(&text, columns) {
            let (cells, _) = cells(&line);
            assert!(cells.iter().all(|line| width(line) <= columns), "{line:?} in {columns} columns");
        }
    }
}

#[test]
fn a_word_that_fits_nowhere_breaks_after_a_sign() {
    assert_eq!(fit("/disk/student/course/x.cu", 16), ["/disk/student/", "course/x.cu"]);
    assert_eq!(cut_path("/disk/student/course/x.cu", 12), "…course/x.cu");
    assert_eq!(cut("The barrier that is not there", 12), "The barrier…");
}
