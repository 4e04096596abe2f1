//! What a reader is told, word for word: the reports of every file of `fail/`, the notes and hints on those of `pass/`, and
//! what is said of the lessons' broken kernels, each run in order. `words/` holds them, a file for each slug and lesson; after a change
//! `INSTA_UPDATE=always cargo test -p emulator --test files words` writes them anew, and the difference is what to review.

use crate::machine::{Emulated, Loaded};
use crate::{files, kernels, lessons, read, stem, tests, trial};
use emulator::Policy;
use emulator::finding::Finding;
use libtest_mimic::Trial;
use report::{Paint, Remarks, Source, hint, render};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

const FUEL: u64 = 1 << 24;

/// The kernels' sources, by the paths that reports show.
type Sources = BTreeMap<String, String>;

fn sources() -> Sources {
    let mut sources = Sources::new();
    let folders =
        std::fs::read_dir(kernels()).expect("the folder is there").map(|entry| entry.expect("readable").path());
    for folder in folders.filter(|path| path.is_dir()) {
        for file in [files(&folder, "cu"), files(&folder, "cuh")].concat() {
            let path = file.strip_prefix(kernels()).expect("found there").display();
            sources.insert(format!("cuda/{path}"), read(&file));
        }
    }
    sources
}

/// What the runs of `ptx` report in order, each finding under its kernel and how often it was seen.
fn told(mut machine: Emulated, sources: &Sources) -> String {
    machine.looks_for_hints = true;
    // Whether a run is as its line says is another test's business.
    let _ = machine.check();
    let source = |file: &str| {
        let (path, text) = sources.iter().find(|(path, _)| file.ends_with(path.as_str()))?;
        Some(Source { path, text })
    };
    let mut out = String::new();
    let mut tell = |finding: &Finding, text: String| {
        let _ = writeln!(out, "[{} x{}]\n{text}", finding.kernel, finding.count);
    };
    for finding in &machine.findings {
        tell(finding, render(finding, source, &Remarks::default(), Paint::Plain));
    }
    // Hints are asked for where no finding explains an answer.
    let hints = machine.hints.iter().filter(|_| machine.findings.is_empty());
    for note in machine.notes.iter().chain(hints) {
        tell(note, hint(note, source, Paint::Plain));
    }
    out
}

fn told_of(paths: &[PathBuf]) -> String {
    let one = |path: &PathBuf| {
        let loaded = Loaded::new(read(path));
        let told = told(Emulated::checked(&loaded, Policy::InOrder, FUEL), &Sources::new());
        if told.is_empty() { told } else { format!("==== {}\n{told}", stem(path)) }
    };
    paths.iter().map(one).collect()
}

/// Holds `text` against the file in `words/`.
fn compare(name: &str, text: &str) -> Result<(), String> {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(tests().join("words"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
    Ok(())
}

fn slugs() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(tests().join("fail")).expect("the folder is there");
    entries.map(|entry| entry.expect("readable").path()).collect()
}

pub fn trials() -> Vec<Trial> {
    let pair = |folder: &Path| {
        let (name, files) = (stem(folder), files(folder, "ptx"));
        trial(format!("words/{name}"), move || compare(&name, &told_of(&files)))
    };
    let lesson = |(name, programs): (String, Vec<lessons::Program>)| {
        trial(format!("words/{name}"), move || {
            let sources = sources();
            let one = |lessons::Program { name, text }| {
                let told = told(lessons::machine(&Loaded::new(text), Policy::InOrder), &sources);
                format!("==== {name}\n{told}")
            };
            compare(&name, &programs.into_iter().map(one).collect::<String>())
        })
    };
    let folders = slugs().into_iter().chain([tests().join("pass")]);
    folders.map(|folder| pair(&folder)).chain(lessons::programs().into_iter().map(lesson)).collect()
}
