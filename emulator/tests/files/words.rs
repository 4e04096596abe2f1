//! The texts of reports, word for word: the reports of every file of `fail/`, and the notes and hints on those of
//! `pass/`. What is said of the lessons' broken kernels, of `cuda/reports/` and of `cuda/explain/` is there too. Each
//! is run in order. `words/` holds them, a file for each slug and folder. After a change `INSTA_UPDATE=always cargo
//! test -p emulator --test files words` writes them anew, and the difference is what to review.
//!
//! With `WORDS=folder` they are held to that folder instead, and other schedules are in them: made before a change of
//! the checker and compared behind it, they say whether it changed any word.

use crate::machine::{Emulated, Loaded};
use crate::schedules::policies;
use crate::{cuda, files, kernels, lessons, read, stem, tests, trial};
use emulator::Policy;
use emulator::finding::Finding;
use libtest_mimic::Trial;
use report::{Language, Paint, Remarks, Source, hint, render};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

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

/// Returns the folder where the reports are kept, and of how many schedules by seed beside the ones in order and in
/// reverse.
fn elsewhere() -> Option<(PathBuf, u64)> {
    let folder = std::env::var_os("WORDS")?;
    Some((std::path::absolute(folder).expect("a path"), 4))
}

/// Returns the reports of the runs of a file, each finding under its kernel and how often it was seen.
fn told<'a>(mut machine: Emulated, source: impl Fn(&str) -> Option<Source<'a>>) -> String {
    machine.looks_for_hints = true;
    // Another test checks that a run is as its line says.
    let _ = machine.check();
    let mut out = String::new();
    let mut tell = |finding: &Finding, text: String| {
        let _ = writeln!(out, "[{} x{}]\n{text}", finding.kernel, finding.count);
    };
    for finding in &machine.findings {
        tell(finding, render(finding, &source, &Remarks { is_verbose: true, ..Remarks::default() }, Paint::Plain));
    }
    // Hints are asked for where no finding explains an answer.
    let hints = machine.hints.iter().filter(|_| machine.findings.is_empty());
    for note in machine.notes.iter().chain(hints) {
        tell(note, hint(note, &source, Language::English, Paint::Plain));
    }
    out
}

/// Reports of files, each under its name, against what is kept under `name`.
fn compare(
    name: &str,
    files: impl IntoIterator<Item = (String, String)>,
    machine: fn(&Loaded, Policy) -> Emulated<'_>,
) -> Result<(), String> {
    let sources = sources();
    let source = |file: &str| {
        let (path, text) = sources.iter().find(|(path, _)| file.ends_with(path.as_str()))?;
        Some(Source { path, text })
    };
    let mut out = String::new();
    for (name, text) in files {
        let loaded = Loaded::new(text);
        let mut tell = |name: &str, policy| {
            let told = told(machine(&loaded, policy), source);
            if !told.is_empty() {
                let _ = write!(out, "==== {name}\n{told}");
            }
        };
        match elsewhere() {
            None => tell(&name, Policy::InOrder),
            Some((_, seeds)) => policies(seeds).for_each(|policy| tell(&format!("{name} {policy:?}"), policy)),
        }
    }
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(elsewhere().map_or(tests().join("words"), |(folder, _)| folder));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, out));
    Ok(())
}

fn slugs() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(tests().join("fail")).expect("the folder is there");
    entries.map(|entry| entry.expect("readable").path()).collect()
}

pub fn trials() -> Vec<Trial> {
    let pairs = slugs().into_iter().chain([tests().join("pass")]).map(|folder: PathBuf| {
        let name = stem(&folder);
        trial(format!("words/{name}"), move || {
            let files = files(&folder, "ptx").into_iter().map(|path| (stem(&path), read(&path)));
            compare(&name, files, |loaded, policy| Emulated::checked(loaded, policy, FUEL))
        })
    });
    let lessons = lessons::programs().into_iter().map(|(name, programs)| {
        trial(format!("words/{name}"), move || {
            let files = programs.into_iter().map(|program| (program.name, program.text));
            compare(&name, files, lessons::machine)
        })
    });
    let shown = ["explain", "reports"].map(|name| {
        trial(format!("words/{name}"), move || {
            compare(name, cuda::programs(name), |loaded, policy| Emulated::checked(loaded, policy, FUEL))
        })
    });
    pairs.chain(lessons).chain(shown).collect()
}
