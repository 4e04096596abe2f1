//! `exercise.es.toml`: an exercise's texts in Spanish, and the shipped file with them in place of its English comments.
//! Code stays as it is, and so do comments that a machine reads.

use serde::Deserialize;

/// Nothing in it is required of a pack; what is missing stays English.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spanish {
    pub title: String,
    pub idea: String,
    pub hints: Vec<String>,
    /// The texts of the questions, in their order.
    #[serde(default)]
    pub questions: Vec<String>,
    /// The meanings of the numbers that `accept` gives.
    #[serde(default)]
    pub verdicts: Vec<String>,
    /// The comment that the shipped file begins with, without `// `.
    pub opening: String,
    /// Its other comments, in order.
    #[serde(default)]
    pub comments: Vec<String>,
}

/// `topic.es.toml`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpanishTopic {
    pub title: String,
}

/// Beginnings of comments that a machine reads: answers, and how a file is compiled.
const MACHINE: [&str; 5] = ["ANSWER:", "SCHEDULE:", "SIZES:", "Arch ", "Flags "];

impl Spanish {
    /// The shipped file in Spanish.
    pub fn file(&self, english: &str) -> String {
        let (opening, rest) = parts(english);
        let mut text = String::new();
        let mut put = |line: String| {
            text.push_str(line.trim_end());
            text.push('\n');
        };
        if !opening.is_empty() {
            self.opening.trim_end().lines().for_each(|line| put(format!("// {line}")));
        }
        let mut comments = self.comments.iter();
        for line in rest {
            let translated = comment(line).and_then(|at| Some(format!("{}// {}", &line[..at], comments.next()?)));
            put(translated.unwrap_or_else(|| line.to_string()));
        }
        text
    }

    /// Returns the parts that do not fit the shipped file. `is_stored`: its PTX is stored, and names lines of the
    /// English file.
    pub fn problems(&self, english: &str, is_stored: bool) -> Vec<String> {
        let mut wrong = Vec::new();
        let (_, rest) = parts(english);
        let count = rest.iter().filter(|line| comment(line).is_some()).count();
        if count != self.comments.len() {
            wrong.push(say!("form-spanish-comments", count = self.comments.len(), wanted = count));
        }
        let spanish = self.file(english);
        if code(&spanish) != code(english) {
            wrong.push(say!("form-spanish-code"));
        }
        let lines = [english, &spanish].map(|text| text.lines().count());
        if is_stored && lines[0] != lines[1] {
            wrong.push(say!("form-spanish-lines", lines = lines[1], wanted = lines[0]));
        }
        wrong
    }
}

/// The opening comment's lines, and all others.
pub(crate) fn parts(text: &str) -> (Vec<&str>, Vec<&str>) {
    let lines: Vec<&str> = text.lines().collect();
    let is_opening = |line: &&str| line.starts_with("//") && !is_machine(line);
    let count = lines.iter().take_while(|line| is_opening(line)).count();
    (lines[..count].to_vec(), lines[count..].to_vec())
}

/// Returns the start of a line's comment, if it has one for people.
fn comment(line: &str) -> Option<usize> {
    let at = begin(line)?;
    (!is_machine(&line[at..])).then_some(at)
}

/// The first `//` that is in no string.
fn begin(line: &str) -> Option<usize> {
    let is_outside = |at: usize| line[..at].matches('"').count().is_multiple_of(2);
    line.match_indices("//").map(|(at, _)| at).find(|at| is_outside(*at))
}

fn is_machine(comment: &str) -> bool {
    let words = comment.trim_start_matches('/').trim_start();
    MACHINE.iter().any(|begin| words.starts_with(begin))
}

/// Without comments for people: code, and lines that a machine reads.
fn code(text: &str) -> Vec<&str> {
    let (_, rest) = parts(text);
    rest.into_iter().map(|line| comment(line).map_or(line, |at| &line[..at]).trim_end()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENGLISH: &str = "// x: one\n//\n// TODO: say\n// ANSWER: ?\n// SIZES: n = 4\n\n\
        int a = 0; // zero\n    // a\n    // b\nauto s = \"// no\";\n";

    fn spanish() -> Spanish {
        Spanish {
            opening: "x: uno\n\nTODO: di\n".into(),
            comments: ["cero", "la a", "la b"].map(String::from).into(),
            ..Spanish::default()
        }
    }

    #[test]
    fn comments_are_replaced_and_code_and_what_a_machine_reads_stay() {
        let wanted = "// x: uno\n//\n// TODO: di\n// ANSWER: ?\n// SIZES: n = 4\n\n\
            int a = 0; // cero\n    // la a\n    // la b\nauto s = \"// no\";\n";
        assert_eq!(spanish().file(ENGLISH), wanted);
        assert_eq!(spanish().problems(ENGLISH, true), Vec::<String>::new());
    }

    #[test]
    fn what_does_not_fit_is_named() {
        let fewer = Spanish { comments: vec!["cero".into()], ..spanish() };
        assert!(fewer.problems(ENGLISH, true)[0].contains("1 comments, the shipped file has 3"));
        let longer = Spanish { opening: "x: uno\n\notra\nTODO: di\n".into(), ..spanish() };
        assert!(longer.problems(ENGLISH, true)[0].contains("11 lines in Spanish and 10 in English"));
        assert!(longer.problems(ENGLISH, false).is_empty());
        let broken = Spanish { comments: ["cero\nint b;", "a", "b"].map(String::from).into(), ..spanish() };
        assert!(broken.problems(ENGLISH, false)[0].contains("different code"));
    }
}
