//! Reports of launches and copies about the program: kept until someone takes them.

use super::late;
use super::tried::Before;
use crate::emulated::base::listen::{self, Heard};
use crate::emulated::base::output;
use crate::speech::language;
use cust_raw::CUresult;
use emulator::Fault;
use emulator::choices::{Misfit, Stop};
use emulator::finding::{Distance, Finding, Identity, Severity, Slug};
use emulator::{Counters, LaunchReport};
use report::{Paint, Remarks, Source, render};
use std::collections::{HashMap, VecDeque};
use std::fs::File;
use std::io::Write;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use trial::Fix;

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
    captured: bool,
    /// For a program that has nobody to take its reports: they go to stderr.
    unheard: Vec<Unheard>,
    /// Undefined values that work in the queue may explain: it may be a race with what was to write them.
    held: Vec<Unheard>,
    /// True once somebody has configured the device or taken a report, and so looks after them.
    heard: bool,
    /// Findings that were reported, each with the greatest distance between its threads. A bug in a loop is reported
    /// once, and once more as an error if it was a note before.
    reported: HashMap<(Identity, Severity), Option<Distance>>,
}

/// A finding, or a note.
struct Unheard {
    finding: Finding,
    is_hint: bool,
    /// The launch, where fixes can be tried on it.
    before: Option<Arc<Before>>,
}

/// The file that this names gets lines for whoever judges the program from outside: the kernel and the stream of each
/// launch that has run, findings, notes, and calls that returned an error.
const LOG: &str = "LESSON_LOG";

/// If it is there, no fixes are tried. With the value `untold` nothing is said of a fix: the reader is to find it.
const NO_TRY: &str = "LESSON_NO_TRY";
const UNTOLD: &str = "untold";

/// Thread instructions of a launch on which fixes are tried, at most: a program should not wait for them for long.
const TRIED: u64 = 1 << 20;

/// A call has returned an error. Two are answers to a question.
pub(crate) fn refused(name: &str, code: CUresult) {
    if !matches!(code, CUresult::CUDA_ERROR_NOT_READY | CUresult::CUDA_ERROR_NOT_FOUND) {
        log("error", &format!("{name} {code:?}"));
    }
    if matches!(code, CUresult::CUDA_ERROR_NOT_SUPPORTED | CUresult::CUDA_ERROR_NO_BINARY_FOR_GPU) {
        unsupported(name, code);
    }
}

/// A call has failed because of what the emulated device cannot do: its caller is not to blame.
pub(crate) fn unsupported(call: &str, code: CUresult) {
    listen::tell(Heard::Unsupported { call, code });
}

fn log(what: &str, name: &str) {
    static FILE: OnceLock<Option<File>> = OnceLock::new();
    let open = || File::options().append(true).create(true).open(std::env::var_os(LOG)?).ok();
    if let Some(mut file) = FILE.get_or_init(open).as_ref() {
        // A full disk is no reason to fail a CUDA call.
        let _ = file.write_all(format!("{what} {name}\n").as_bytes());
    }
}

/// nvcc writes whole paths. From the program's folder a shorter one leads there.
fn shown<'a>(path: &'a str, here: &Option<String>) -> &'a str {
    here.as_deref().and_then(|here| path.strip_prefix(here)).unwrap_or(path)
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

    /// True if findings are shown by us, and with fixes that were tried.
    pub(crate) fn wants_fixes(&self) -> bool {
        !self.heard && std::env::var_os(NO_TRY).is_none()
    }

    pub(crate) fn launched(
        &mut self,
        (kernel, stream): (&str, u64),
        report: LaunchReport,
        elapsed: Duration,
        before: Option<Before>,
        schedules: usize,
    ) {
        let LaunchReport { findings, notes, printed, counters, fault, stop, .. } = report;
        let misfit = stop.and_then(|stop| match stop {
            Stop::Misfit(misfit) => Some(misfit),
            Stop::Unanswered(_) => None,
        });
        log("launch", kernel);
        log("stream", &format!("{stream} {kernel}"));
        listen::tell(Heard::Launch { kernel, counters: &counters, schedules });
        if let Some(fault) = fault.as_ref().filter(|_| !findings.iter().any(Finding::is_error)) {
            listen::tell(Heard::Stopped { kernel, fault });
        }
        if !self.captured {
            self.pending.extend_from_slice(&printed);
        }
        let before = before.filter(|_| counters.thread_instructions <= TRIED);
        let kernel = Some(kernel.to_string());
        self.keep(Report { kernel, findings, notes, counters, elapsed, printed, fault, misfit }, before);
    }

    pub(crate) fn moved(&mut self, findings: Vec<Finding>) {
        if !findings.is_empty() {
            self.keep(Report { findings, ..Report::default() }, None);
        }
    }

    fn keep(&mut self, report: Report, before: Option<Before>) {
        for finding in report.findings.iter().chain(&report.notes) {
            log(if finding.is_error() { "finding" } else { "note" }, finding.slug.as_str());
        }
        if !self.heard {
            let before = before.filter(|_| report.findings.iter().any(Finding::is_error)).map(Arc::new);
            let unheard = |(finding, is_hint): (&Finding, bool)| Unheard {
                finding: finding.clone(),
                is_hint,
                before: before.clone(),
            };
            let findings = report.findings.iter().map(|finding| (finding, false));
            self.unheard.extend(findings.chain(report.notes.iter().map(|note| (note, true))).map(unheard));
        }
        if self.kept.len() == KEPT {
            self.kept.pop_front();
        }
        self.kept.push_back(report);
    }

    /// Writes the output of kernels to stdout and findings that nobody takes to stderr, as a GPU does when the host
    /// waits. `is_idle` says that no work is queued. Until then an undefined value is held back, since queued work may
    /// be about to write it.
    pub(crate) fn print(&mut self, is_idle: bool) {
        let races: Vec<&Finding> = self.unheard.iter().map(|it| &it.finding).filter(|it| it.slug.is_race()).collect();
        self.held.retain(|it| !races.iter().any(|race| late::explains(race, &it.finding)));
        let (values, others): (Vec<Unheard>, Vec<Unheard>) = std::mem::take(&mut self.unheard)
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
        if !self.unheard.is_empty() {
            self.say();
        }
    }

    /// Returns true if the finding has not been reported. With a listener it is reported again if the threads are
    /// farther apart than before: `__syncwarp()` is no fix if a later launch of the kernel has several warps.
    fn is_new(&mut self, finding: &Finding) -> bool {
        let (key, distance) = ((finding.identity(), finding.severity), finding.cause.distance());
        let is_new = match self.reported.get(&key) {
            None => true,
            Some(known) => listen::has_listener() && distance > *known,
        };
        if is_new {
            self.reported.insert(key, distance);
        }
        is_new
    }

    /// Says what nobody will take. With the sources at hand, where the PTX's paths lead to them.
    fn say(&mut self) {
        let mut sources: HashMap<String, Option<String>> = HashMap::new();
        let here = std::env::current_dir().ok().and_then(|folder| Some(format!("{}/", folder.to_str()?)));
        // A fix leaves nothing of its launch's other findings either.
        let mut fixed: Vec<Arc<Before>> = Vec::new();
        for Unheard { finding, is_hint, before } in std::mem::take(&mut self.unheard) {
            if !self.is_new(&finding) {
                continue;
            }
            for location in finding.locations() {
                sources.entry(location.file.clone()).or_insert_with(|| std::fs::read_to_string(&location.file).ok());
            }
            let source = |file: &str| {
                let (path, text) = sources.get_key_value(file)?;
                Some(Source { path: shown(path, &here), text: text.as_deref()? })
            };
            // If lines of two files are concerned, words that name a line say too little.
            let mut files = finding.accesses.iter().filter_map(|access| Some(access.location.as_ref()?.file.as_str()));
            let file = files.next().filter(|first| files.all(|other| other == *first));
            let text = file.and_then(|file| Some((file, source(file)?.text)));
            let is_untold = std::env::var_os(NO_TRY).is_some_and(|value| value == UNTOLD);
            let before = before.filter(|_| finding.is_error() && !is_hint).zip(text);
            let is_untold = is_untold && before.is_none();
            let fix = match before {
                None => Fix::Untried,
                Some((before, _)) if fixed.iter().any(|known| Arc::ptr_eq(known, &before)) => Fix::WithFirst,
                Some((before, (file, text))) => {
                    let fix = before.fix(&finding, file, text);
                    fixed.extend(Some(before).filter(|_| matches!(fix, Fix::Tried { .. })));
                    fix
                }
            };
            let told = if is_untold { report::FixState::Untold } else { fix.state(text.map_or("", |(_, text)| text)) };
            let remarks = Remarks {
                is_hint,
                language: language(),
                fix: told,
                names_kernel: listen::names_kernels(),
                ..Remarks::default()
            };
            let text = render(&finding, source, &remarks, Paint::Plain);
            if !listen::has_listener() {
                words::complain(&text);
                continue;
            }
            let as_error = || {
                let error = Finding { severity: Severity::Error, ..finding.clone() };
                render(&error, source, &Remarks { is_hint: false, ..remarks.clone() }, Paint::Plain)
            };
            listen::tell(Heard::Finding {
                finding: &finding,
                is_note: is_hint,
                fix: &fix,
                text: &text,
                as_error: &as_error,
            });
        }
    }
}
