//! `cargo learn`: exercises in CUDA concurrency, judged on the emulated GPU.
//!
//! `catalog/` holds the exercises (AUTHORS.md describes the format); [`catalog`], [`spec`] and [`spanish`] read them.
//! [`judge`] says whether an answer is right, in a process of its own ([`child`]; [`confine`] for programs of the
//! host). [`tried`] looks for what fixes it; [`verify`] and [`form`] hold the catalogue to what it promises. [`desk`]
//! and [`progress`] are the student's side: copies that updates leave alone, and what is solved. [`grade`] judges a
//! class. [`web`] is the course in a browser. [`new`] and [`pack`] are for authors.
//!
//! Texts for people stand in `messages/`, in English and in Spanish.

/// `say!("key", name = value)`: a message in this process's language.
#[macro_export]
macro_rules! say {
    ($($rest:tt)+) => { $crate::words::say!($crate::WORDS, $crate::Language::current(), $($rest)+) };
}

pub mod answer;
pub mod arguments;
pub mod budget;
pub mod case;
pub mod catalog;
pub mod cheats;
pub mod child;
pub mod compile;
pub mod confine;
pub mod count;
pub mod desk;
pub mod doctor;
pub mod edges;
pub mod ends;
pub mod expression;
pub mod fit;
pub mod folded;
pub mod form;
pub mod grade;
pub mod headers;
pub mod host;
pub mod judge;
pub mod judging;
pub mod keyboard;
mod letters;
pub mod listing;
pub mod marks;
pub mod new;
pub mod pack;
pub mod plan;
pub mod progress;
pub mod puzzle;
pub mod ranges;
pub mod reason;
pub mod reflow;
pub mod refused;
pub mod report;
pub mod sandbox;
pub mod screen;
pub mod session;
pub mod shown_run;
pub mod spanish;
pub mod spec;
pub mod stage;
pub mod stored;
pub mod task;
pub mod terminal;
pub mod toolchain;
pub mod tried;
pub mod values;
pub mod verdict;
pub mod verify;
pub mod watch;
pub mod web;

pub use words::{self, Language};

pub static WORDS: words::Catalogue = words::catalogue!["help", "verdict", "session", "grade", "author", "tools", "web"];

#[cfg(test)]
mod tests {
    use super::*;

    /// Texts that only one process of this program sends to another, when the program is broken; and commands.
    const INTERNAL: [&str; 14] = [
        "a judging process without input",
        "a judging process without output",
        "a cell that is none",
        "a task that is none",
        "a confinement that is none",
        "there is no program",
        "cannot limit core files",
        "cannot limit memory",
        "cannot limit files",
        "cannot tie this process to its parent",
        "the system gave too few random bytes",
        "headers of plain characters",
        "no text",
        "cargo toolkit install",
    ];

    /// Sentences of an error or a remark that stand in the code have no translation.
    #[test]
    fn no_error_has_words_of_its_own() {
        let told = |(path, code): &(std::path::PathBuf, String)| {
            sentences(code).into_iter().map(|one| format!("{}: {one}", path.display())).collect::<Vec<_>>()
        };
        let mut found: Vec<String> = sources().iter().flat_map(told).collect();
        found.retain(|one| !INTERNAL.iter().any(|known| one.ends_with(known)));
        assert!(found.is_empty(), "{}", found.join("\n"));
        assert_eq!(sentences("Err(\"no such thing\".into())"), ["no such thing"]);
        assert_eq!(sentences("bail!(\"{why}\"); map_err(|_| format!(\"{a}: {b}\"))"), [""; 0]);
    }

    /// Errors of the operating system are English: `tell::in_a_line` and `of_system` put them into the reader's
    /// language.
    #[test]
    fn no_error_is_shown_as_the_system_has_it() {
        let as_it_is = |line: &&str| ["{error}", "{error:#}", "{why:#}"].iter().any(|shown| line.contains(shown));
        let mut found = Vec::new();
        for (path, code) in sources() {
            found.extend(code.lines().filter(as_it_is).map(|line| format!("{}: {line}", path.display())));
        }
        // A parser's own words: of TOML, where there is no key for them.
        found.retain(|line| !line.contains("progress-put-aside"));
        assert!(found.is_empty(), "{}", found.join("\n"));
    }

    /// Each file's code, without its tests.
    fn sources() -> Vec<(std::path::PathBuf, String)> {
        let mut folders = vec![std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
        let mut found = Vec::new();
        while let Some(folder) = folders.pop() {
            for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                let text = std::fs::read_to_string(&path).unwrap();
                found.push((path, text.split("#[cfg(test)]").next().unwrap_or_default().to_string()));
            }
        }
        found
    }

    /// Texts with a space between two words, where an error is made.
    fn sentences(code: &str) -> Vec<&str> {
        let makers =
            ["Err(", "bail!(", "anyhow!(", "context(", "ok_or(", "ok_or_else(", "map_err(", "other(", "println!("];
        let mut found = Vec::new();
        for line in code.lines().map(str::trim_start).filter(|line| !line.starts_with("//")) {
            let Some(at) = makers.iter().filter_map(|maker| line.find(maker)).min() else { continue };
            // A key is no sentence, and neither is what stands in braces.
            for text in line[at..].split('"').skip(1).step_by(2) {
                let words: Vec<&str> = text.split_whitespace().collect();
                let is_word = |word: &&str| word.len() > 1 && word.chars().all(|c| c.is_ascii_lowercase());
                if words.windows(2).any(|pair| pair.iter().all(is_word)) {
                    found.push(text);
                }
            }
        }
        found
    }

    #[test]
    fn every_message_is_said_and_there_in_both_languages() {
        words::check::assert_fits(&WORDS, env!("CARGO_MANIFEST_DIR"), &arguments::keys());
    }
}
