//! What all runs say, once.

use super::cli::{Format, NOTHING, Options};
use super::run::Run;
use anyhow::{Context, Result};
use gpu_check::record::{Found, Record, Why};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use tell::sarif;

/// A finding, and the runs that have it.
struct Bug<'a> {
    found: &'a Found,
    runs: BTreeSet<usize>,
}

/// Causes between two launches.
const OF_TWO: [&str; 3] = [":launches-unordered:", ":parent-and-child-unordered:", ":grids-unordered:"];

/// Calls that failed are named up to so many.
const FAILED: usize = 3;

type Key<'a> = (&'a str, &'a str, &'a str, String);

/// What makes it the same bug in another run: the slug, the kernel and the lines, or, without those, the array. Why it is told to be
/// one may change with the order in which threads got there.
fn key(found: &Found) -> Key<'_> {
    let problem = &found.problem;
    let lines = problem.fingerprint.rsplit(':').next().unwrap_or_default();
    let place = match lines.is_empty() {
        true => problem.title.split(':').next().unwrap_or_default().replace(|letter: char| letter.is_ascii_digit(), ""),
        false => lines.to_string(),
    };
    // Of two launches either may be the one that a report is about.
    let is_of_two = OF_TWO.iter().any(|cause| problem.fingerprint.contains(cause));
    if is_of_two && !lines.is_empty() {
        return (&problem.rule, "", "", place);
    }
    let file = problem.at.as_ref().map_or("", |at| at.path.as_str());
    (&problem.rule, &problem.kernel, file, place)
}

/// The launches that began in a run, and the kernel of the last one if it has not ended.
fn begun(run: &Run) -> (usize, Option<&str>) {
    run.records.iter().fold((0, None), |(count, under_way), record| match record {
        Record::Begun { kernel } => (count + 1, Some(kernel.as_str())),
        Record::Launch { .. } | Record::Refused { .. } => (count, None),
        _ => (count, under_way),
    })
}

pub struct Merged<'a> {
    bugs: Vec<Bug<'a>>,
    runs: usize,
    /// Of the first run.
    launches: usize,
    kernels: usize,
    /// Of the runs whose output is kept, those that print something else than the first of them.
    differing: usize,
    late: usize,
    /// Launches that had begun in a run that was stopped, the most of any, and the last of them if it had not ended.
    begun: Option<(usize, Option<&'a str>)>,
    /// Launches of the first run that were left out, by name or number.
    unchecked: usize,
    /// Kernels that did not end as they should, each with why.
    stopped: BTreeSet<(&'a str, Why)>,
    /// Launches of the first run that were not run.
    refused: Vec<&'a str>,
    /// Calls of the first run that failed, each with its error, as they were met.
    failed: Vec<(&'a str, &'a str)>,
    /// What ended the first run that did not end by itself.
    signal: Option<i32>,
}

impl<'a> Merged<'a> {
    pub fn of(runs: &'a [Run]) -> Merged<'a> {
        let (mut bugs, mut known): (Vec<Bug>, BTreeMap<Key, usize>) = (Vec::new(), BTreeMap::new());
        for (number, run) in runs.iter().enumerate() {
            for record in &run.records {
                let Record::Finding(found) = record else { continue };
                let index = *known.entry(key(found)).or_insert_with(|| {
                    bugs.push(Bug { found, runs: BTreeSet::new() });
                    bugs.len() - 1
                });
                bugs[index].runs.insert(number);
            }
        }
        // Errors first, each group as it was met.
        bugs.sort_by_key(|bug| bug.found.is_note);
        let stopped = runs.iter().flat_map(|run| &run.records).filter_map(|record| match record {
            Record::Stopped { kernel, why } => Some((kernel.as_str(), *why)),
            _ => None,
        });
        let (mut kernels, mut refused, mut failed, mut unchecked) = (Vec::new(), Vec::new(), Vec::new(), 0);
        for record in runs.first().map_or(&[][..], |run| &run.records) {
            match record {
                Record::Launch { kernel, is_checked: true } => kernels.push(kernel.as_str()),
                Record::Launch { is_checked: false, .. } => unchecked += 1,
                Record::Refused { kernel } => refused.push(kernel.as_str()),
                Record::Failed { call, error } if !failed.contains(&(call.as_str(), error.as_str())) => {
                    failed.push((call.as_str(), error.as_str()));
                }
                _ => {}
            }
        }
        let outputs: Vec<&Vec<u8>> = runs.iter().filter_map(|run| run.output.as_ref()).collect();
        Merged {
            bugs,
            runs: runs.len(),
            launches: kernels.len(),
            kernels: kernels.iter().collect::<BTreeSet<_>>().len(),
            differing: outputs.iter().filter(|output| Some(*output) != outputs.first()).count(),
            late: runs.iter().filter(|run| run.is_late).count(),
            begun: runs
                .iter()
                .filter(|run| run.is_late)
                .map(begun)
                .max_by_key(|&(count, kernel)| (kernel.is_some(), count)),
            unchecked,
            stopped: stopped.collect(),
            refused,
            failed,
            signal: runs.iter().find_map(|run| run.signal),
        }
    }

    fn errors(&self) -> usize {
        self.bugs.iter().filter(|bug| !bug.found.is_note).count() + self.stopped.len()
    }

    /// For reading: to stderr, as the program's own output is on stdout, or to the file that was named.
    pub fn tell(&self, options: &Options, took: Duration) -> Result<()> {
        let mut text = String::new();
        for bug in &self.bugs {
            text += &format!("\n{}\n", bug.found.text.trim_end());
            if self.runs > 1 {
                text += &format!("   = {}\n", say!("in-runs", count = bug.runs.len(), all = self.runs));
            }
        }
        for (kernel, why) in &self.stopped {
            text += &format!("\n{}\n", say!("stopped", kernel = *kernel, why = why.as_str()));
        }
        text += &format!("\n{}\n", self.summary(took));
        match &options.log_file {
            None => words::to_stderr(&text),
            Some(file) => {
                std::fs::write(file, text).with_context(|| say!("not-written", file = file.display().to_string()))?
            }
        }
        Ok(())
    }

    fn summary(&self, took: Duration) -> String {
        let mut lines = Vec::new();
        // The host's own copies and frees have no line either, and no kernel.
        if self.bugs.iter().any(|bug| bug.found.problem.at.is_none() && !bug.found.problem.kernel.is_empty()) {
            lines.push(say!("no-lines"));
        }
        if self.late > 0 {
            lines.push(say!("late", count = self.late, all = self.runs));
        }
        if let Some((number, Some(kernel))) = self.begun {
            lines.push(say!("unended", number, kernel));
        }
        if self.differing > 0 {
            lines.push(say!("differing", count = self.differing, all = self.runs));
        }
        if !self.failed.is_empty() {
            let shown: Vec<String> =
                self.failed.iter().take(FAILED).map(|(call, error)| format!("{call} ({error})")).collect();
            lines.push(say!("failed", count = self.failed.len(), calls = shown.join(", ")));
        }
        if let Some(signal) = self.signal {
            lines.push(say!("signal", signal));
        }
        if !self.refused.is_empty() {
            lines.push(say!("refused", count = self.refused.len(), kernel = self.refused[0]));
        }
        if self.unchecked > 0 {
            lines.push(say!("unchecked", count = self.unchecked));
        }
        let seconds = format!("{:.1}", took.as_secs_f64());
        lines.push(match self.launches {
            0 if !self.refused.is_empty() || self.unchecked > 0 => say!("all-refused"),
            0 => match self.begun {
                Some((count, _)) if count > 0 => say!("nothing-ended", count),
                _ if self.late > 0 => say!("nothing-begun"),
                _ => say!("nothing-checked"),
            },
            launches => {
                say!("checked", launches, kernels = self.kernels, errors = self.errors(), runs = self.runs, seconds)
            }
        });
        lines.iter().map(|line| format!("gpu-check: {line}")).collect::<Vec<_>>().join("\n")
    }

    /// One object, to the file that was named, or to stderr: stdout is the program's.
    pub fn tell_machines(&self, options: &Options) -> Result<()> {
        let problems: Vec<sarif::Problem> = self.bugs.iter().map(|bug| bug.found.problem.clone()).collect();
        let value = match options.format {
            Format::Sarif => sarif::log("gpu-check", &problems, |_| None),
            _ => json!({
                "runs": self.runs,
                "late": self.late,
                "unended": self.begun.and_then(|(number, kernel)| Some(json!({ "kernel": kernel?, "launch": number }))),
                "differing": self.differing,
                "launches": self.launches,
                "unchecked": self.unchecked,
                "kernels": self.kernels,
                "errors": self.errors(),
                "signal": self.signal,
                "stopped": self.stopped.iter().map(|(kernel, why)| json!({ "kernel": kernel, "why": why })).collect::<Vec<_>>(),
                "refused": self.refused,
                "failed": self.failed.iter().map(|(call, error)| json!({ "call": call, "error": error })).collect::<Vec<_>>(),
                "findings": self.bugs.iter().map(|bug| json!({
                    "isNote": bug.found.is_note,
                    "inRuns": bug.runs.len(),
                    "problem": bug.found.problem,
                })).collect::<Vec<_>>(),
            }),
        };
        let text = serde_json::to_string_pretty(&value)? + "\n";
        match &options.log_file {
            None => words::to_stderr(&text),
            Some(file) => {
                std::fs::write(file, text).with_context(|| say!("not-written", file = file.display().to_string()))?
            }
        }
        Ok(())
    }

    /// The program's own exit status, unless something was found, nothing was checked, or it did not end.
    pub fn status(&self, options: &Options, runs: &[Run]) -> u8 {
        if self.errors() > 0 || self.late > 0 {
            return options.error_exitcode;
        }
        if let Some(failed) = runs.iter().map(|run| run.status).find(|status| *status != 0) {
            return failed;
        }
        if self.launches == 0 || !self.refused.is_empty() { NOTHING } else { 0 }
    }
}
