//! Merges the findings of all runs.

use super::bug::{self, Bug};
use super::cli::{CheckOptions, Format, NOT_CHECKED};
use super::explored::ExploredLaunches;
use super::run::Run;
use anyhow::{Context, Result};
use gpu_check::record::{Record, Why};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use tell::sarif;

/// Something that the emulated GPU cannot do, and the program that asked for it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RefusedWork<'a> {
    Launch { kernel: &'a str, program: &'a str },
    Call { call: &'a str, error: &'a str, program: &'a str },
}

impl RefusedWork<'_> {
    fn text(&self) -> String {
        match *self {
            RefusedWork::Launch { kernel, program } => say!("refused-launch", kernel, program),
            RefusedWork::Call { call, error, program } => say!("refused-call", call, error, program),
        }
    }

    fn json(&self) -> Value {
        match *self {
            RefusedWork::Launch { kernel, program } => json!({ "kernel": kernel, "program": program }),
            RefusedWork::Call { call, error, program } => json!({ "call": call, "error": error, "program": program }),
        }
    }
}

/// The three outcomes of a check.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CheckOutcome {
    Found,
    NothingFound,
    NotChecked,
}

/// Failed calls, and refused work, are named up to this many.
const NAMED: usize = 3;

/// The launches of a run that was stopped.
#[derive(Clone, Copy, Default)]
struct StoppedRun<'a> {
    /// The number of launches that began.
    begun: usize,
    /// The kernel of the last one, if it had not ended.
    under_way: Option<&'a str>,
}

impl<'a> StoppedRun<'a> {
    fn of(run: &'a Run) -> StoppedRun<'a> {
        run.records.iter().fold(StoppedRun::default(), |so_far, record| match record {
            Record::Begun { kernel } => StoppedRun { begun: so_far.begun + 1, under_way: Some(kernel) },
            Record::Launch { .. } | Record::Refused { .. } => StoppedRun { under_way: None, ..so_far },
            _ => so_far,
        })
    }
}

pub struct MergedRuns<'a> {
    bugs: Vec<Bug<'a>>,
    runs: usize,
    /// The number of launches in the first run.
    launches: usize,
    kernels: usize,
    /// The number of these launches that were checked under each number of schedules.
    schedules_of: BTreeMap<usize, usize>,
    /// Number of runs whose output differs from that of the first run whose output was kept.
    differing: usize,
    late: usize,
    /// The most telling of the runs that were stopped: one with a launch under way, then the one with most launches.
    stopped_run: Option<StoppedRun<'a>>,
    /// Launches of the first run that were left out, by name or number.
    unchecked: usize,
    /// Kernels that did not end as they should, each with why.
    stopped: BTreeSet<(&'a str, Why)>,
    /// Kernels that `--limit-instructions` has ended.
    limited: BTreeSet<&'a str>,
    /// Calls that the emulated GPU refused in any run, in the order of their first occurrence.
    refused: Vec<RefusedWork<'a>>,
    /// Calls of the first run that failed, each with its error, as they were met.
    failed: Vec<(&'a str, &'a str)>,
    explored: ExploredLaunches<'a>,
    /// Compilers in whose place a stand-in gave PTX.
    stood_in: BTreeSet<&'a str>,
    /// The signal that ended the first run that did not exit by itself.
    signal: Option<i32>,
}

impl<'a> MergedRuns<'a> {
    pub fn of(runs: &'a [Run]) -> MergedRuns<'a> {
        let mut bugs = bug::merged(runs);
        let outputs: Vec<&Vec<u8>> = runs.iter().filter_map(|run| run.output.as_ref()).collect();
        let differing = outputs.iter().filter(|output| Some(*output) != outputs.first()).count();
        if differing > 0 {
            bugs.iter_mut().for_each(Bug::explain_difference);
        }
        // Errors first, each group as it was met.
        bugs.sort_by_key(|bug| bug.is_note);
        let stopped = runs.iter().flat_map(|run| &run.records).filter_map(|record| match record {
            // A consequence of a refusal is not the program's bug.
            Record::Stopped { kernel, why, is_after_refusal } if !is_after_refusal || *why == Why::Limit => {
                Some((kernel.as_str(), *why))
            }
            _ => None,
        });
        let (limited, stopped): (BTreeSet<_>, BTreeSet<_>) = stopped.partition(|(_, why)| *why == Why::Limit);
        let mut refused: Vec<RefusedWork> = Vec::new();
        for record in runs.iter().flat_map(|run| &run.records) {
            let one = match record {
                Record::Refused { kernel, program } => RefusedWork::Launch { kernel, program },
                Record::Unsupported { call, error, program } => RefusedWork::Call { call, error, program },
                _ => continue,
            };
            if !refused.contains(&one) {
                refused.push(one);
            }
        }
        let stood_in = runs.iter().flat_map(|run| &run.records).filter_map(|record| match record {
            Record::StoodIn { tool } => Some(tool.as_str()),
            _ => None,
        });
        let (mut kernels, mut failed, mut unchecked) = (Vec::new(), Vec::new(), 0);
        let mut schedules_of = BTreeMap::new();
        for record in runs.first().map_or(&[][..], |run| &run.records) {
            match record {
                Record::Launch { schedules: 0, .. } => unchecked += 1,
                Record::Launch { ptx_name, schedules } => {
                    kernels.push(ptx_name.as_str());
                    *schedules_of.entry(*schedules).or_insert(0) += 1;
                }
                Record::Failed { call, error } if !failed.contains(&(call.as_str(), error.as_str())) => {
                    failed.push((call.as_str(), error.as_str()));
                }
                _ => {}
            }
        }
        MergedRuns {
            bugs,
            runs: runs.len(),
            launches: kernels.len(),
            kernels: kernels.iter().collect::<BTreeSet<_>>().len(),
            schedules_of,
            differing,
            late: runs.iter().filter(|run| run.is_late).count(),
            stopped_run: runs
                .iter()
                .filter(|run| run.is_late)
                .map(StoppedRun::of)
                .max_by_key(|run| (run.under_way.is_some(), run.begun)),
            unchecked,
            stopped,
            limited: limited.into_iter().map(|(kernel, _)| kernel).collect(),
            refused,
            failed,
            explored: ExploredLaunches::of(runs),
            stood_in: stood_in.collect(),
            signal: runs.iter().find_map(|run| run.signal),
        }
    }

    /// Texts of what keeps this from being a whole check.
    fn unfinished(&self) -> Vec<String> {
        let limited = self.limited.iter().map(|kernel| say!("limited", kernel = *kernel));
        self.refused.iter().map(RefusedWork::text).chain(limited).collect()
    }

    fn outcome(&self) -> CheckOutcome {
        if self.errors() > 0 || self.late > 0 {
            CheckOutcome::Found
        } else if !self.refused.is_empty() || !self.limited.is_empty() || self.launches == 0 {
            CheckOutcome::NotChecked
        } else {
            CheckOutcome::NothingFound
        }
    }

    /// The most schedules of a launch, and how many launches were checked under that many.
    fn most_schedules(&self) -> (usize, usize) {
        self.schedules_of.last_key_value().map_or((1, 0), |(schedules, launches)| (*schedules, *launches))
    }

    fn errors(&self) -> usize {
        let found = self.bugs.iter().filter(|bug| !bug.is_note).count();
        found + self.stopped.len() + self.explored.errors(|kernel| self.is_reported(kernel))
    }

    /// Returns true if an error of this kernel is reported anyway.
    fn is_reported(&self, kernel: &str) -> bool {
        let mut errors = self.bugs.iter().filter(|bug| !bug.is_note);
        errors.any(|bug| report::readable(&bug.found.finding.kernel) == kernel)
            || self.stopped.iter().any(|(stopped, _)| *stopped == kernel)
    }

    /// For reading: to stderr, as the program's own output is on stdout, or to the file that was named.
    pub fn tell(&self, options: &CheckOptions, took: Duration) -> Result<()> {
        let mut text = String::new();
        for bug in &self.bugs {
            text += &format!("\n{}\n", bug.text().trim_end());
            if self.runs > 1 {
                text += &format!("   = {}\n", say!("in-runs", count = bug.runs.len(), all = self.runs));
            }
        }
        for (kernel, why) in &self.stopped {
            text += &format!("\n{}\n", say!("stopped", kernel = *kernel, why = why.as_str()));
        }
        text += &self.explored.text();
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
        if self.bugs.iter().any(|bug| bug.found.finding.locations().next().is_none() && bug.is_of_kernel()) {
            lines.push(say!("no-lines"));
        }
        if !self.stood_in.is_empty() {
            let tools = self.stood_in.iter().copied().collect::<Vec<_>>().join(", ");
            lines.push(say!("stood-in", tools));
        }
        if self.late > 0 {
            lines.push(say!("late", count = self.late, all = self.runs));
        }
        if let Some(StoppedRun { begun, under_way: Some(kernel) }) = self.stopped_run {
            lines.push(say!("unended", number = begun, kernel));
        }
        if self.differing > 0 {
            lines.push(say!("differing", count = self.differing, all = self.runs));
        }
        if !self.failed.is_empty() {
            let shown: Vec<String> =
                self.failed.iter().take(NAMED).map(|(call, error)| format!("{call} ({error})")).collect();
            lines.push(say!("failed", count = self.failed.len(), calls = shown.join(", ")));
        }
        if let Some(signal) = self.signal {
            // A pointer that a refused call has not given may be the reason.
            lines.push(say!("signal", signal, refused = !self.refused.is_empty()));
        }
        if self.unchecked > 0 {
            lines.push(say!("unchecked", count = self.unchecked));
        }
        lines.push(self.result_line(took));
        let unfinished = self.unfinished();
        if !unfinished.is_empty() {
            let more = unfinished.len().saturating_sub(NAMED);
            let what = unfinished.into_iter().take(NAMED).collect::<Vec<_>>().join("; ");
            lines.push(say!("not-all-checked", what, more));
        }
        lines.iter().map(|line| format!("gpu-check: {line}")).collect::<Vec<_>>().join("\n")
    }

    /// Tells how much was checked, and what came of it.
    fn result_line(&self, took: Duration) -> String {
        if self.launches == 0 {
            return match self.stopped_run {
                _ if !self.unfinished().is_empty() || self.unchecked > 0 => say!("all-refused"),
                Some(StoppedRun { begun: count @ 1.., .. }) => say!("nothing-ended", count),
                _ if self.late > 0 => say!("nothing-begun"),
                _ => say!("nothing-checked"),
            };
        }
        let schedules = match self.most_schedules() {
            (1, _) => String::new(),
            (schedules, again) if again == self.launches => say!("checked-under-all", schedules),
            (schedules, again) => say!("checked-under", schedules, again),
        };
        let (errors, seconds) = (self.errors(), format!("{:.1}", took.as_secs_f64()));
        let mut result = match self.outcome() {
            CheckOutcome::NotChecked => String::new(),
            _ => say!("checked-result", errors, differs = i64::from(self.differing > 0)),
        };
        if self.differing > 0 && errors > 0 {
            result += &say!("checked-differs");
        }
        let (launches, kernels, runs) = (self.launches, self.kernels, self.runs);
        say!("checked", launches, kernels, runs, schedules, result, seconds)
    }

    /// One object, to the file that was named, or to stderr: stdout is the program's.
    pub fn tell_machines(&self, options: &CheckOptions) -> Result<()> {
        let mut problems: Vec<sarif::Problem> = self.bugs.iter().map(Bug::problem).collect();
        problems.extend(self.explored.problems());
        let value = match options.format {
            Format::Sarif => self.sarif(&problems),
            _ => json!({
                "runs": self.runs,
                "late": self.late,
                "unended": self.stopped_run.and_then(|run| {
                    Some(json!({ "kernel": run.under_way?, "launch": run.begun }))
                }),
                "differing": self.differing,
                "launches": self.launches,
                "unchecked": self.unchecked,
                "kernels": self.kernels,
                "schedules": self.schedules_of.iter().map(|(schedules, launches)| json!({
                    "schedules": schedules,
                    "launches": launches,
                })).collect::<Vec<_>>(),
                "errors": self.errors(),
                "signal": self.signal,
                "stopped": self.stopped.iter().map(|(kernel, why)| json!({
                    "kernel": kernel,
                    "why": why,
                })).collect::<Vec<_>>(),
                "exhausted": self.explored.json(),
                "limited": self.limited,
                "refused": self.refused.iter().map(RefusedWork::json).collect::<Vec<_>>(),
                "outcome": match self.outcome() {
                    CheckOutcome::Found => "found",
                    CheckOutcome::NothingFound => "nothing-found",
                    CheckOutcome::NotChecked => "not-checked",
                },
                "failed": self.failed.iter().map(|(call, error)| json!({
                    "call": call,
                    "error": error,
                })).collect::<Vec<_>>(),
                "findings": self.bugs.iter().map(|bug| json!({
                    "isNote": bug.is_note,
                    "inRuns": bug.runs.len(),
                    "problem": bug.problem(),
                    "finding": bug.finding(),
                    "fix": bug.found.fix,
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

    /// Builds a SARIF log. Parts that were not checked become tool notifications rather than results.
    fn sarif(&self, problems: &[sarif::Problem]) -> Value {
        let mut log = sarif::log("gpu-check", problems, |_| None);
        let unfinished = self.unfinished();
        let told = unfinished.iter().map(|text| {
            let text = say!("not-all-checked", what = text.clone(), more = 0);
            json!({ "level": "error", "message": { "text": text } })
        });
        log["runs"][0]["invocations"] = json!([{
            "executionSuccessful": unfinished.is_empty(),
            "toolExecutionNotifications": told.collect::<Vec<_>>(),
        }]);
        log
    }

    /// The program's own exit status, unless something was found, not everything was checked, or it did not end.
    pub fn status(&self, options: &CheckOptions, runs: &[Run]) -> u8 {
        if self.outcome() == CheckOutcome::Found {
            return options.error_exitcode;
        }
        if !self.unfinished().is_empty() {
            return NOT_CHECKED;
        }
        if let Some(failed) = runs.iter().map(|run| run.status).find(|status| *status != 0) {
            return failed;
        }
        if self.launches == 0 { NOT_CHECKED } else { 0 }
    }
}
