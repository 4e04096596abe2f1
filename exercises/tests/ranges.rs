//! The line in which an exercise states its ranges: without it, or with another range, the exercise is refused.

use learn::catalog::{Exercise, read_toml};
use learn::ranges;
use std::fs;

const SPEC: &str = "title = 'x'\nkind = 'fix'\nfails = 'answer'\nminutes = 1\nidea = ''\nhints = []\n\
    [sizes]\npairs = { from = 1, to = 40 }\n\
    [[buffer]]\nname = 'values'\ntype = 'i32'\nlen = '2 * pairs'\nfill = { random = [-9, 9] }\n\
    [[launch]]\nkernel = 'k'\ngrid = 1\nblock = 32\nargs = ['values', '2 * pairs']\n";

const ENGLISH: &str = "// x: an example\n//\n// Given    v has n ints.\n// Do       Fix it.\n\n\
    extern \"C\" __global__ void k(int* v, int n) {} // TODO: nothing\n";

const SPANISH: &str = "title = 'x'\nidea = ''\nhints = []\nopening = \"\"\"\nx: un ejemplo\n\n\
    Dado     v tiene n enteros.\n\
    Haz      Arréglalo.\n\"\"\"\ncomments = [\n    \"TODO: nada\", # a comment of the author's\n]\n";

struct Example(tempfile::TempDir);

impl Example {
    fn new() -> Example {
        let example = Example(tempfile::tempdir().unwrap());
        for (name, text) in [("exercise.toml", SPEC), ("x.cu", ENGLISH), ("exercise.es.toml", SPANISH)] {
            example.put(name, text);
        }
        example
    }

    fn put(&self, name: &str, text: &str) {
        fs::write(self.0.path().join(name), text).unwrap();
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.0.path().join(name)).unwrap()
    }

    fn exercise(&self) -> Exercise {
        let read = |name: &str| self.0.path().join(name);
        Exercise {
            name: "01_x/x".into(),
            folder: self.0.path().into(),
            spec: read_toml(&read("exercise.toml")).unwrap(),
            spanish: Some(read_toml(&read("exercise.es.toml")).unwrap()),
        }
    }
}

#[test]
fn a_text_without_its_ranges_is_refused_and_the_line_is_written_in_both_languages() {
    let example = Example::new();
    let problems = ranges::problems(&example.exercise());
    let wanted = [
        ("x.cu", "`Range   n is a multiple of 2 from 2 to 80; v has values from -9 to 9.`"),
        ("exercise.es.toml", "`Rango   n es un múltiplo de 2, de 2 a 80; v tiene valores de -9 a 9.`"),
    ];
    assert_eq!(problems.len(), wanted.len(), "{problems:?}");
    for (problem, (file, line)) in problems.iter().zip(wanted) {
        assert!(problem.contains(file) && problem.contains(line) && problem.contains("--write-ranges"), "{problem}");
    }

    assert_eq!(ranges::write(&example.exercise()).unwrap().len(), 2);
    assert_eq!(ranges::problems(&example.exercise()), Vec::<String>::new());
    let line = "// Range    n is a multiple of 2 from 2 to 80; v has values from -9 to 9.\n";
    assert_eq!(example.text("x.cu"), ENGLISH.replace("// Do", &format!("{line}// Do")));
    let line = "Rango    n es un múltiplo de 2, de 2 a 80; v tiene valores de -9 a 9.\n";
    assert_eq!(example.text("exercise.es.toml"), SPANISH.replace("Haz", &format!("{line}Haz")));
    assert!(ranges::write(&example.exercise()).unwrap().is_empty(), "what is right stays as it is");
}

#[test]
fn a_range_that_changes_makes_the_text_wrong() {
    let example = Example::new();
    ranges::write(&example.exercise()).unwrap();
    for (from, to, part) in [("to = 40", "to = 41", "to 82"), ("[-9, 9]", "[0, 9]", "values from 0 to 9")] {
        example.put("exercise.toml", &SPEC.replace(from, to));
        let problems = ranges::problems(&example.exercise());
        assert!(problems.len() == 2 && problems[0].contains(part), "{problems:?}");
        ranges::write(&example.exercise()).unwrap();
        assert_eq!(ranges::problems(&example.exercise()), Vec::<String>::new());
        assert_eq!(example.text("x.cu").matches("Range").count(), 1);
    }
    // Nothing is drawn any more, and the text still says so.
    example.put("exercise.toml", &SPEC.replace("{ random = [-9, 9] }", "'zero'").replace("2 * pairs", "8"));
    let problems = ranges::problems(&example.exercise());
    assert!(problems.len() == 2 && problems[0].contains("states ranges, but 01_x/x has no sizes"), "{problems:?}");
}
