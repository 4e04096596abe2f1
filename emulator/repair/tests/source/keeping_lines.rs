//! Edits made to a text.

use finding::{TextEdit, TextPosition};

#[test]
fn for_a_compiler_all_lines_keep_their_numbers() {
    let edit = |(line, column), end: (u32, u32), text: &str| TextEdit {
        start: TextPosition { line, column },
        end: TextPosition { line: end.0, column: end.1 },
        text: text.to_string(),
    };
    let source = "one\ntwo\nthree\nfour\nfive\n";
    let kept = |edits: &[TextEdit]| repair::source::apply_keeping_lines(source, edits);
    assert_eq!(kept(&[edit((2, 1), (2, 1), "new\n")]), "one\nnew\n#line 2\ntwo\nthree\nfour\nfive\n");
    assert_eq!(kept(&[edit((2, 1), (3, 1), "")]), "one\n#line 3\nthree\nfour\nfive\n");
    assert_eq!(kept(&[edit((2, 1), (2, 4), "a\nb")]), "one\na\nb\n#line 3\nthree\nfour\nfive\n");
    assert_eq!(kept(&[edit((2, 1), (2, 4), "2")]), "one\n2\nthree\nfour\nfive\n");
    let two = [edit((2, 1), (2, 1), "new\n"), edit((2, 2), (2, 3), "W"), edit((4, 1), (5, 1), "")];
    assert_eq!(kept(&two), "one\nnew\n#line 2\ntWo\nthree\n#line 5\nfive\n");
}
