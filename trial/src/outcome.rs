//! The outcome of the runs of one kernel.
//!
//! A finding that several schedules show is one finding, with a count and with how often its two accesses came in
//! either order: that is the student's measure of luck.

use crate::counts::Counts;
use crate::fix::Fix;
use crate::run_id::RunId;
use crate::smallest::Smallest;
use crate::wrong::Wrong;
use crate::wrote::LastWriter;
use emulator::Observed;
use emulator::finding::{Finding, Slug, SourceLocation};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The time that an answer's peer took on a GPU, in milliseconds, or why that is not known.
pub type PeerTime = Result<f64, String>;

/// Findings of one kernel that are told whole.
pub const SHOWN: usize = 3;

/// The results of one run.
#[derive(Clone, Debug)]
pub struct RunRecord {
    pub run: RunId,
    /// Why the answer is wrong, or how the device failed.
    pub wrong: Option<Wrong>,
    pub findings: Vec<Finding>,
    /// Findings that fail nothing and are worth a word; hints, where they were asked for.
    pub notes: Vec<Finding>,
    /// On a GPU: the launches' time, where this run counts for it.
    pub milliseconds: Option<f64>,
    /// The time of the kernel's peer, where it was called.
    pub peer: Option<PeerTime>,
    /// The time that the emulated launches kept the host busy, where `--checks` asks for it.
    pub host_ms: Option<f64>,
    /// The counts of its launches, under [`Checks::Counters`](emulator::Checks).
    pub counts: Option<Counts>,
    /// Observations besides findings; hints are among the notes.
    pub observed: Observed,
}

/// The results without the findings. A child process sends this to its parent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    pub runs: u64,
    pub wrong_runs: u64,
    pub first_wrong: Option<FirstWrong>,
    pub milliseconds: Vec<f64>,
    pub peer_ms: Vec<f64>,
    /// Why there are no times of the peer.
    pub peer_failed: Option<String>,
    pub host_ms: Option<f64>,
    /// Bytes that one timed run moves, where the lesson says so.
    pub bytes: Option<u64>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FirstWrong {
    pub run: RunId,
    pub why: Wrong,
}

/// A finding over all the runs that showed it.
#[derive(Clone, Debug)]
pub struct MergedFinding {
    /// As the first run reported it that counts as more than a note.
    pub finding: Finding,
    /// That run.
    pub run: RunId,
    /// Why that run's answer was wrong, if it was.
    pub wrong: Option<Wrong>,
    /// Added up over all runs.
    pub count: u64,
    pub runs: u64,
    /// Runs in which the two accesses came the other way round than in `finding`.
    pub reversed: u64,
    /// On the emulator: the smallest run that shows it, where one was looked for.
    pub smallest: Option<Smallest>,
    /// The result of trying to fix it.
    pub fix: Fix,
}

#[derive(Clone, Debug, Default)]
pub struct Outcome {
    pub summary: Summary,
    pub findings: Vec<MergedFinding>,
    /// Findings that fail nothing and are worth a word, and hints for a wrong answer that no finding explains.
    pub notes: Vec<Finding>,
    /// Runs that showed each kind of finding, notes left out.
    pub found: BTreeMap<Slug, u64>,
    /// On the emulator: the smallest run with a wrong answer, where one was looked for.
    pub smallest: Option<Smallest>,
    /// The last write of the wrong element in that run, where no finding explains a wrong answer.
    pub wrote: Option<LastWriter>,
    /// True if what the notes tell of has come to the host or decided anything in that run, as far as that is known.
    pub notes_matter: Option<bool>,
    /// The result of trying to fix a wrong answer that has no finding.
    pub fix: Fix,
    /// The findings that the kernel came with, notes left out, where the student has edited it.
    pub shipped: Option<Vec<Finding>>,
    /// On the emulator, where they were asked for: the counters of one run more.
    pub counts: Option<Counts>,
    /// Other observations of the last run.
    pub observed: Observed,
}

impl Outcome {
    /// Records in the order of the plan, whichever worker made them.
    pub fn of(records: Vec<RunRecord>, bytes: Option<u64>) -> Outcome {
        let mut outcome = Outcome { summary: Summary { bytes, ..Summary::default() }, ..Outcome::default() };
        for record in records {
            outcome.add(record);
        }
        outcome
    }

    /// The findings that are more than notes.
    pub fn real(&self) -> impl Iterator<Item = &Finding> + Clone {
        self.findings.iter().map(|merged| &merged.finding).filter(|finding| finding.is_error())
    }

    /// Puts findings before notes, and those that are expected before others.
    pub fn sort(&mut self, expected: Option<Slug>) {
        let is_other = |finding: &Finding| Some(finding.slug) != expected;
        self.findings.sort_by_key(|merged| (!merged.finding.is_error(), is_other(&merged.finding)));
    }

    /// Each once, as the first run shows it.
    pub fn note(&mut self, notes: Vec<Finding>) {
        for note in notes {
            add_note(&mut self.notes, note);
        }
    }

    fn add(&mut self, record: RunRecord) {
        self.summary.runs += 1;
        self.counts = self.counts.take().or(record.counts);
        self.observed = record.observed;
        self.summary.milliseconds.extend(record.milliseconds);
        match record.peer {
            Some(Ok(milliseconds)) => self.summary.peer_ms.push(milliseconds),
            Some(Err(why)) => _ = self.summary.peer_failed.get_or_insert(why),
            None => (),
        }
        self.summary.host_ms = self.summary.host_ms.or(record.host_ms);
        if let Some(why) = &record.wrong {
            self.summary.wrong_runs += 1;
            let first = || FirstWrong { run: record.run.clone(), why: why.clone() };
            self.summary.first_wrong.get_or_insert_with(first);
        }
        self.note(record.notes);
        let slugs: BTreeSet<Slug> =
            record.findings.iter().filter(|finding| finding.is_error()).map(|finding| finding.slug).collect();
        slugs.into_iter().for_each(|slug| *self.found.entry(slug).or_insert(0) += 1);
        let mut seen = Vec::new(); // What this run has already shown: one run counts once.
        for finding in record.findings {
            let identity = finding.identity();
            let is_first_here = !seen.contains(&identity);
            let new = MergedFinding {
                count: finding.count,
                finding,
                run: record.run.clone(),
                wrong: record.wrong.clone(),
                runs: 1,
                reversed: 0,
                smallest: None,
                fix: Fix::Untried,
            };
            match self.findings.iter_mut().find(|merged| merged.finding.identity() == identity) {
                None => self.findings.push(new),
                Some(merged) => merged.join(new, is_first_here),
            }
            seen.push(identity);
        }
    }
}

/// Adds a note unless it is there: other lines make another one, and which warp or lane came first does not.
pub fn add_note(notes: &mut Vec<Finding>, note: Finding) {
    let kinds = |note: &Finding| -> Vec<_> {
        note.accesses.iter().map(|access| access.memory.as_ref().map(|memory| memory.kind)).collect()
    };
    let says = |note: &Finding| (note.cause.key(), kinds(note), note.identity());
    let is_known = |known: &Finding| says(known) == says(&note);
    if !notes.iter().any(is_known) {
        notes.push(note);
    }
}

impl MergedFinding {
    fn join(&mut self, other: MergedFinding, is_first_here: bool) {
        let is_reversed = places(&self.finding) != places(&other.finding);
        self.count += other.count;
        if is_first_here {
            self.runs += 1;
            self.reversed += u64::from(is_reversed);
        }
        if !self.finding.is_error() && other.finding.is_error() {
            let flipped = if is_reversed { self.runs - self.reversed } else { self.reversed };
            *self = MergedFinding { count: self.count, runs: self.runs, reversed: flipped, ..other };
        }
    }
}

/// Returns the places of the accesses, in the order of the run.
fn places(finding: &Finding) -> Vec<Option<&SourceLocation>> {
    finding.accesses.iter().map(|access| access.location.as_ref()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{race, random, record};
    use crate::wrong::Mismatch;

    #[test]
    fn the_same_two_lines_are_one_finding_in_either_order() {
        let outcome = Outcome::of(
            vec![
                record(0, false, vec![race(13, 16, false)]),
                record(1, true, vec![race(16, 13, false)]),
                record(2, true, vec![race(13, 16, false), race(13, 13, false)]),
            ],
            None,
        );
        let found: Vec<_> = outcome.findings.iter().map(|m| (m.run.seed, m.count, m.runs, m.reversed)).collect();
        assert_eq!(found, [(0, 9, 3, 1), (2, 3, 1, 0)]);
        assert_eq!(outcome.found, BTreeMap::from([(Slug::RaceGlobal, 3)]));
        assert_eq!((outcome.summary.runs, outcome.summary.wrong_runs), (3, 2));
        assert_eq!(
            outcome.summary.first_wrong,
            Some(FirstWrong { run: random(1), why: Wrong::Answer(Mismatch::new("got 1, expected 64")) })
        );
    }

    #[test]
    fn a_note_gives_way_to_the_first_real_finding() {
        let outcome = Outcome::of(
            vec![record(0, false, vec![race(13, 16, true)]), record(1, false, vec![race(16, 13, false)])],
            None,
        );
        let [merged] = &outcome.findings[..] else { panic!("one finding, not {:?}", outcome.findings) };
        assert!(merged.finding.is_error());
        assert_eq!((merged.run.seed, merged.count, merged.runs, merged.reversed), (1, 6, 2, 1));
    }

    #[test]
    fn notes_of_other_lines_are_others_and_of_the_same_in_either_order_one() {
        let mut notes = Vec::new();
        let made = [race(13, 16, true), race(13, 20, true), race(16, 13, true)];
        made.into_iter().for_each(|note| add_note(&mut notes, note));
        let lines =
            |note: &Finding| note.accesses.iter().map(|end| end.location.as_ref().unwrap().line).collect::<Vec<_>>();
        assert_eq!(notes.iter().map(lines).collect::<Vec<_>>(), [[13, 16], [13, 20]]);
    }

    #[test]
    fn a_run_that_reports_a_pair_twice_counts_once() {
        let outcome = Outcome::of(vec![record(0, false, vec![race(13, 16, false), race(16, 13, false)])], None);
        assert_eq!((outcome.findings[0].count, outcome.findings[0].runs, outcome.findings[0].reversed), (6, 1, 0));
    }
}
