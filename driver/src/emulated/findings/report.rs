//! Reports of launches and copies about the program: kept until someone takes them.

use super::late;
use crate::emulated::base::observer::{self, Event, Found};
use crate::emulated::base::output;
use crate::emulated::base::saved_launch::SavedLaunch;
use crate::emulated::base::settings;
use cust_raw::CUresult;
use emulator::Fault;
use emulator::choices::{Misfit, ScheduleChoice, Stop};
use emulator::finding::{Cause, Distance, Finding, Identity, Relation, Severity, Slug};
use emulator::{Counters, LaunchReport};
use std::collections::{HashMap, VecDeque};
use std::fs::File;
use std::io::Write;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// The results of one launch, or the findings of a copy or a fill.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The kernel's name in the PTX; `None` for a copy or a fill.
    pub kernel: Option<String>,
    pub findings: Vec<Finding>,
    /// Findings that fail nothing and are worth a word.
    pub notes: Vec<Finding>,
    pub counters: Counters,
    /// The time that the host was busy with it.
    pub elapsed: Duration,
    /// The output of `printf`, in order.
    pub printed: Vec<u8>,
    /// The fault that ended the kernel, and with it the context.
    pub fault: Option<Fault>,
    /// All choices of a schedule whose policy records them, in order.
    pub choices: Vec<ScheduleChoice>,
    /// A given choice that did not fit: the launch is not at its end.
    pub misfit: Option<Misfit>,
}

/// A program that never takes its reports keeps only the last of them.
const KEPT: usize = 1 << 16;

#[derive(Default)]
pub(crate) struct Reports {
    kept: VecDeque<Report>,
    /// Printed by kernels and not yet shown.
    pending: Vec<u8>,
    /// The messages of assertions, which go to stderr.
    pending_assertions: Vec<u8>,
    captured: bool,
    /// Findings that nobody has taken: they go to the observer.
    unheard: Vec<Found>,
    /// Undefined values that work in the queue may explain: it may be a race with what was to write them.
    held: Vec<Found>,
    /// True once somebody has configured the device or taken a report, and so looks after them.
    heard: bool,
    /// Findings that were handed on, each with the greatest distance between its threads. A bug in a loop is handed on
    /// once, and once more as an error if it was a note before.
    reported: HashMap<(Identity, Severity), Option<Distance>>,
    /// True once a call was refused that would have ordered work of streams or graphs.
    pub(crate) misses_order: bool,
}

/// The file that this names gets lines for whoever judges the program from outside: the kernel and the stream of each
/// launch that has run, findings, notes, and calls that returned an error.
const LOG: &str = "LESSON_LOG";

/// Thread instructions of a launch that is handed on with its findings, at most: a program should not wait long while
/// it is run again.
const LONGEST: u64 = 1 << 20;

/// A call has returned an error. Two are answers to a question.
pub(crate) fn refused(name: &str, code: CUresult) {
    if !matches!(code, CUresult::CUDA_ERROR_NOT_READY | CUresult::CUDA_ERROR_NOT_FOUND) {
        log("error", &format!("{name} {code:?}"));
    }
    let is_cudas_answer = code == CUresult::CUDA_ERROR_NOT_SUPPORTED && UNSUPPORTED_BY_CUDA.contains(&name);
    if matches!(code, CUresult::CUDA_ERROR_NOT_SUPPORTED | CUresult::CUDA_ERROR_NO_BINARY_FOR_GPU) && !is_cudas_answer {
        unsupported(name, code);
    }
}

/// Calls that CUDA itself does not support: for graphs with nodes for memory or conditions, or for the graph that a
/// node has already.
const UNSUPPORTED_BY_CUDA: [&str; 7] = [
    "cuGraphAddChildGraphNode",
    "cuGraphClone",
    "cuGraphDestroyNode",
    "cuGraphNodeSetParams",
    "cuGraphNodeSetParams_v2",
    "cuGraphRemoveDependencies",
    "cuGraphRemoveDependencies_v2",
];

/// Calls that order the work of streams or graphs.
const ORDERING: [&str; 5] = [
    "cuStreamWaitValue",
    "cuStreamWriteValue",
    "cuStreamBatchMemOp",
    "cuGraphAddDependencies",
    "cuWaitExternalSemaphores",
];

/// Returns true for a call that orders the work of streams or graphs.
pub(crate) fn orders(call: &str) -> bool {
    ORDERING.iter().any(|ordering| call.starts_with(ordering))
}

/// Returns true for a race that an order of streams and graphs would have prevented.
fn is_of_host_order(finding: &Finding) -> bool {
    match &finding.cause {
        Cause::Unordered(it) => matches!(it.relation, Relation::Launches | Relation::Host { .. }),
        Cause::HostUnordered { .. } => true,
        _ => false,
    }
}

/// A call has failed because of what the emulated device cannot do: its caller is not to blame.
pub(crate) fn unsupported(call: &str, code: CUresult) {
    observer::tell(Event::Unsupported { call, code });
}

fn log(what: &str, name: &str) {
    static FILE: OnceLock<Option<File>> = OnceLock::new();
    let open = || File::options().append(true).create(true).open(std::env::var_os(LOG)?).ok();
    if let Some(mut file) = FILE.get_or_init(open).as_ref() {
        // A full disk is no reason to fail a CUDA call.
        let _ = file.write_all(format!("{what} {name}\n").as_bytes());
    }
}

impl Reports {
    /// From here on somebody takes the reports.
    pub(crate) fn hear(&mut self) {
        self.heard = true;
        self.unheard.clear();
    }

    pub(crate) fn take(&mut self) -> Vec<Report> {
        self.hear();
        self.kept.drain(..).collect()
    }

    pub(crate) fn capture(&mut self, captured: bool) {
        self.captured = captured;
    }

    /// True if findings are handed to the observer, and with their launches.
    pub(crate) fn wants_launches(&self) -> bool {
        !self.heard && observer::wants_launches()
    }

    pub(crate) fn launched(
        &mut self,
        (kernel, stream): (&str, u64),
        report: LaunchReport,
        elapsed: Duration,
        before: Option<SavedLaunch>,
        schedules: usize,
    ) {
        let LaunchReport { findings, notes, printed, assertions, counters, fault, stop, choices, .. } = report;
        let misfit = stop.and_then(|stop| match stop {
            Stop::Misfit(misfit) => Some(misfit),
            Stop::Unanswered(_) => None,
        });
        log("launch", kernel);
        log("stream", &format!("{stream} {kernel}"));
        observer::tell(Event::Launch { kernel, counters: &counters, schedules });
        if let Some(fault) = fault.as_ref().filter(|_| !findings.iter().any(Finding::is_error)) {
            observer::tell(Event::Stopped { kernel, fault });
        }
        if !self.captured {
            self.pending.extend_from_slice(&printed);
            self.pending_assertions.extend_from_slice(&assertions);
        }
        let printed = [printed, assertions].concat();
        let before = before.filter(|_| counters.thread_instructions <= LONGEST && !settings::is_time_up());
        let kernel = Some(kernel.to_string());
        self.keep(Report { kernel, findings, notes, counters, elapsed, printed, fault, choices, misfit }, before);
    }

    pub(crate) fn moved(&mut self, findings: Vec<Finding>) {
        if !findings.is_empty() {
            self.keep(Report { findings, ..Report::default() }, None);
        }
    }

    fn keep(&mut self, mut report: Report, before: Option<SavedLaunch>) {
        if self.misses_order {
            report.findings.retain(|finding| !is_of_host_order(finding));
            report.notes.retain(|note| !is_of_host_order(note));
        }
        for finding in report.findings.iter().chain(&report.notes) {
            log(if finding.is_error() { "finding" } else { "note" }, finding.slug.as_str());
        }
        if !self.heard {
            let before = before.filter(|_| report.findings.iter().any(Finding::is_error)).map(Arc::new);
            let unheard = |(finding, is_note): (&Finding, bool)| Found {
                finding: finding.clone(),
                is_note,
                is_known: false,
                launch: before.clone(),
            };
            let findings = report.findings.iter().map(|finding| (finding, false));
            self.unheard.extend(findings.chain(report.notes.iter().map(|note| (note, true))).map(unheard));
        }
        if self.kept.len() == KEPT {
            self.kept.pop_front();
        }
        self.kept.push_back(report);
    }

    /// Writes the output of kernels to stdout, as a GPU does when the host waits. Hands on findings that nobody takes.
    /// `is_idle` says that no work is queued. Until then an undefined value is held back, since queued work may
    /// be about to write it.
    pub(crate) fn print(&mut self, is_idle: bool) {
        let races: Vec<&Finding> = self.unheard.iter().map(|it| &it.finding).filter(|it| it.slug.is_race()).collect();
        self.held.retain(|it| !races.iter().any(|race| late::explains(race, &it.finding)));
        let (values, others): (Vec<Found>, Vec<Found>) = std::mem::take(&mut self.unheard)
            .into_iter()
            .partition(|it| !is_idle && it.finding.slug == Slug::UndefinedValue);
        let values =
            values.into_iter().filter(|it| !others.iter().any(|race| late::explains(&race.finding, &it.finding)));
        self.held.extend(values);
        self.unheard = others;
        if is_idle {
            self.unheard.append(&mut self.held);
        }
        if !self.pending.is_empty() {
            output::print(&self.pending);
            self.pending.clear();
        }
        output::print_assertions(&std::mem::take(&mut self.pending_assertions));
        if !self.unheard.is_empty() {
            self.hand_on();
        }
    }

    /// Returns true if the finding was handed on before, with threads less far apart. `None` if it was handed on as it
    /// is now.
    fn is_known(&mut self, finding: &Finding) -> Option<bool> {
        let (key, distance) = ((finding.identity(), finding.severity), finding.cause.distance());
        let known = self.reported.get(&key).copied();
        if known.is_some_and(|known| distance <= known) {
            return None;
        }
        self.reported.insert(key, distance);
        Some(known.is_some())
    }

    /// Hands on what nobody will take.
    fn hand_on(&mut self) {
        let found: Vec<Found> = std::mem::take(&mut self.unheard)
            .into_iter()
            .filter_map(|it| {
                let is_known = self.is_known(&it.finding)?;
                Some(Found { is_known, ..it })
            })
            .collect();
        observer::tell(Event::Findings(&found));
    }
}
