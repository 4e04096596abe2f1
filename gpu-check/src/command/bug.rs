//! Findings of all runs: one for each bug, in words.

use super::run::Run;
use driver::emulator::finding::{Cause, Finding, Severity};
use gpu_check::readable;
use gpu_check::record::{FindingRecord, Record, SourceRecord};
use gpu_check::speech::language;
use report::Source;
use std::collections::{BTreeSet, HashMap};
use tell::sarif::Problem;

/// A finding, and the runs that have it.
pub struct Bug<'a> {
    pub found: &'a FindingRecord,
    pub is_note: bool,
    pub runs: BTreeSet<usize>,
    /// The sources that it names.
    sources: Vec<&'a SourceRecord>,
}

/// Merges the findings of all runs, in the order of their first occurrence.
pub fn merged(runs: &[Run]) -> Vec<Bug<'_>> {
    let (mut bugs, mut known): (Vec<Bug>, HashMap<_, usize>) = (Vec::new(), HashMap::new());
    for (number, run) in runs.iter().enumerate() {
        let mut sources: HashMap<&str, &SourceRecord> = HashMap::new();
        for record in &run.records {
            let found = match record {
                Record::Finding(found) => &**found,
                Record::Source(source) => {
                    sources.insert(&source.file, source);
                    continue;
                }
                _ => continue,
            };
            let bug =
                || Bug { found, is_note: found.is_note(), runs: BTreeSet::new(), sources: named(found, &sources) };
            let index = *known.entry((found.is_note(), found.finding.identity())).or_insert_with(|| {
                bugs.push(bug());
                bugs.len() - 1
            });
            // An order of the lanes of one warp does not order the warps of a larger launch.
            if found.finding.cause.distance() > bugs[index].found.finding.cause.distance() {
                bugs[index] = Bug { runs: std::mem::take(&mut bugs[index].runs), ..bug() };
            }
            bugs[index].runs.insert(number);
        }
    }
    bugs
}

fn named<'a>(found: &FindingRecord, sources: &HashMap<&str, &'a SourceRecord>) -> Vec<&'a SourceRecord> {
    let files: BTreeSet<&str> = found.finding.locations().map(|location| location.file.as_str()).collect();
    files.into_iter().filter_map(|file| sources.get(file).copied()).collect()
}

impl Bug<'_> {
    /// Turns a note about volatile accesses that nothing orders into an error, since the outputs of the runs differ.
    pub fn explain_difference(&mut self) {
        if matches!(&self.found.finding.cause, Cause::Unordered(race) if race.allowed) {
            self.is_note = false;
        }
    }

    pub fn is_of_kernel(&self) -> bool {
        !self.found.finding.kernel.is_empty()
    }

    /// The report, for reading.
    pub fn text(&self) -> String {
        let finding = self.finding();
        let of_all = observer::only_file(&finding).and_then(|file| self.source(file));
        let fix = self.found.fix.state(of_all.map_or("", |source| &source.text));
        let shown = |file: &str| self.source(file).map(|it| Source { path: &it.shown, text: &it.text });
        let is_hint = self.is_note && self.found.is_hint;
        readable::in_language_of(&finding, observer::text(&finding, is_hint, fix, shown, true))
    }

    /// The finding for machines.
    pub fn problem(&self) -> Problem {
        let finding = self.finding();
        let named = |file: &str| self.source(file).map(|it| Source { path: &it.file, text: &it.text });
        let mut problem = Problem::of(&finding, &self.found.fix, named, language());
        problem.message = readable::in_language_of(&finding, problem.message);
        problem.title = readable::in_language_of(&finding, problem.title);
        problem
    }

    /// The finding, as severe as it is in all runs together.
    pub fn finding(&self) -> Finding {
        let finding = self.found.finding.clone();
        match self.is_note {
            false => Finding { severity: Severity::Error, ..finding },
            true => finding,
        }
    }

    fn source(&self, file: &str) -> Option<&SourceRecord> {
        self.sources.iter().copied().find(|source| source.file == file)
    }
}
