//! Texts that people read while they learn, and the comments of the source: sentences that are not too long, without
//! words that stand in the way.
//!
//! Exceptions stand in `docs/plain-exceptions.txt`. An exception that nothing needs any more fails too.

mod sentences;
mod texts;

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

const EXCEPTIONS: &str = "docs/plain-exceptions.txt";

/// Words in a sentence.
const ENGLISH: usize = 25;
const SPANISH: usize = 30;
/// In a comment, whose readers have the code beside it.
const COMMENT: usize = 35;

struct Problem {
    path: String,
    place: String,
    sentence: String,
    kind: Kind,
}

enum Kind {
    Long { words: usize, most: usize },
    Word(&'static str),
}

struct Exception<'a> {
    line: usize,
    path: &'a str,
    /// A word, or how a sentence begins.
    text: &'a str,
}

pub fn run(root: &Path) -> Result<String> {
    let problems = check(root, &crate::tidy::files(root)?)?;
    if problems.is_empty() {
        return Ok("the texts are plain".to_string());
    }
    bail!("{} sentences are not plain\n  {}", problems.len(), problems.join("\n  "))
}

/// Returns the problems in those of the files that people read.
pub fn check(root: &Path, files: &[String]) -> Result<Vec<String>> {
    let mut problems = Vec::new();
    for path in files {
        let Ok(text) = fs::read_to_string(root.join(path)) else { continue };
        problems.extend(check_file(path, &text).with_context(|| path.clone())?);
    }
    let exceptions = fs::read_to_string(root.join(EXCEPTIONS)).with_context(|| format!("cannot read {EXCEPTIONS}"))?;
    Ok(judged(&problems, &exceptions))
}

fn check_file(path: &str, text: &str) -> Result<Vec<Problem>> {
    let spanish = path.contains(".es.") || path.contains("/es/");
    let is_comment = path.ends_with(".rs") && !path.starts_with("exercises/catalog/");
    let most = match (spanish, is_comment) {
        (true, _) => SPANISH,
        (false, true) => COMMENT,
        (false, false) => ENGLISH,
    };
    let mut problems = Vec::new();
    for paragraph in texts::paragraphs(path, text)?.unwrap_or_default() {
        for sentence in sentences::sentences(&paragraph.text) {
            let mut add = |kind| {
                let (path, place) = (path.to_string(), paragraph.place.clone());
                problems.push(Problem { path, place, sentence: sentence.to_string(), kind });
            };
            let words = sentences::word_count(sentence);
            if words > most {
                add(Kind::Long { words, most });
            }
            if !spanish {
                // A comment about code that lies behind other code may say so.
                let avoided = sentences::avoided(sentence).into_iter().filter(|word| !is_comment || *word != "behind");
                avoided.for_each(|word| add(Kind::Word(word)));
            }
        }
    }
    Ok(problems)
}

/// The problems that no exception covers, and the exceptions that cover none.
fn judged(problems: &[Problem], exceptions: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut known = Vec::new();
    for (line, exception) in (1..).zip(exceptions.lines().map(str::trim)) {
        if exception.is_empty() || exception.starts_with('#') {
            continue;
        }
        match exception.split_once(' ') {
            Some((path, text)) => known.push(Exception { line, path, text: text.trim() }),
            None => wrong.push(format!("{EXCEPTIONS}: line {line} is not a path and a text")),
        }
    }
    wrong.extend(problems.iter().filter(|problem| !known.iter().any(|one| one.covers(problem))).map(Problem::report));
    for exception in known.iter().filter(|one| !problems.iter().any(|problem| one.covers(problem))) {
        wrong.push(format!("{EXCEPTIONS}: line {} covers nothing any more; remove it", exception.line));
    }
    wrong
}

impl Exception<'_> {
    fn covers(&self, problem: &Problem) -> bool {
        let is_word = matches!(problem.kind, Kind::Word(word) if word == self.text);
        self.path == problem.path && (is_word || problem.sentence.starts_with(self.text))
    }
}

impl Problem {
    fn report(&self) -> String {
        let Problem { path, place, sentence, kind } = self;
        let beginning: String = sentence.chars().take(70).collect();
        match kind {
            Kind::Long { words, most } => format!("{path}: {place}: {words} words, at most {most}: {beginning}"),
            Kind::Word(word) => format!("{path}: {place}: says \"{word}\": {beginning}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the problems of a README of these sentences.
    fn wrong(path: &str, text: &str, exceptions: &str) -> Vec<String> {
        judged(&check_file(path, text).unwrap(), exceptions)
    }

    #[test]
    fn a_sentence_may_have_25_words_and_30_in_spanish() {
        let of = |words: usize| format!("{}\n", vec!["word"; words].join(" "));
        assert_eq!(wrong("README.md", &of(25), ""), [] as [&str; 0]);
        assert!(wrong("README.md", &of(26), "")[0].starts_with("README.md: line 1: 26 words, at most 25: word word"));
        assert_eq!(wrong("README.es.md", &of(30), ""), [] as [&str; 0]);
        assert_eq!(wrong("README.es.md", &of(31), "").len(), 1);
        assert_eq!(wrong("a/messages/es/a.ftl", &format!("a = {}", of(30)), ""), [] as [&str; 0]);
        assert_eq!(wrong("emulator/src/lib.rs", &of(31), ""), [] as [&str; 0]);
    }

    #[test]
    fn words_count_in_english_only() {
        assert_eq!(
            wrong("README.md", "It lies behind.\n", ""),
            ["README.md: line 1: says \"behind\": It lies behind."]
        );
        assert_eq!(wrong("README.es.md", "It lies behind.\n", ""), [] as [&str; 0]);
    }

    #[test]
    fn an_exception_covers_its_file_and_is_needed() {
        let text = "It lies behind the array.\n";
        assert_eq!(wrong("README.md", text, "# Why\n\nREADME.md It lies behind the\n"), [] as [&str; 0]);
        assert_eq!(wrong("README.md", text, "README.md behind\n"), [] as [&str; 0]);
        assert_eq!(wrong("README.md", text, "docs/a.md behind\n").len(), 2);
        assert_eq!(
            wrong("README.md", "Fine.\n", "README.md behind\n"),
            ["docs/plain-exceptions.txt: line 1 covers nothing any more; remove it"]
        );
        assert_eq!(wrong("README.md", "Fine.\n", "README.md\n").len(), 1);
    }
}
