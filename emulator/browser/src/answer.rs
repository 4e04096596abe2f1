//! Answers for a page.

use crate::counts::Counts;
use emulator::choices::{ScheduleChoice, Stop};
use emulator::finding::Finding;
use emulator::{Base64Bytes, Fault, Replayed};
use report::{Language, Paint, Reader, Remarks, Source, deed_of, message, parameter_name, render, why};
use serde::Serialize;
use std::collections::BTreeMap;
use trace::{Array, ArrayName, Trace};

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum EmulatorAnswer {
    Loaded,
    Ran(Box<RunAnswer>),
    Error { error: LocalizedText },
}

/// The results of a run.
#[derive(Serialize)]
pub struct RunAnswer {
    launches: Vec<Launch>,
    /// Errors and notes that no launch has by itself: races of the host, undefined bytes that it read.
    of_host: Vec<FindingAnswer>,
    /// The bytes that the host read, in order.
    reads: Vec<Base64Bytes>,
    /// All choices that were made, where they are a person's.
    choices: Vec<ScheduleChoice>,
    /// Why the run is not at its end: what there is to choose from, or which choice does not fit.
    stop: Option<Stop>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<Trace>,
    /// The name of each array of the trace in the source, where it is known.
    arrays: Vec<Option<String>>,
}

#[derive(Serialize)]
struct Launch {
    findings: Vec<FindingAnswer>,
    notes: Vec<FindingAnswer>,
    /// The output of `printf`.
    printed: String,
    /// The fault that ended the kernel, if there was one.
    fault: Option<String>,
    warp_instructions: u64,
    thread_instructions: u64,
    /// The counts, where they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    counts: Option<Counts>,
}

/// A finding, as data and in words.
#[derive(Serialize)]
struct FindingAnswer {
    message: LocalizedText,
    why: LocalizedText,
    /// The action of each access, with its thread.
    deeds: Vec<LocalizedText>,
    report: LocalizedText,
    finding: Finding,
}

/// A text in each language.
#[derive(Serialize)]
pub struct LocalizedText {
    pub en: String,
    pub es: String,
}

impl EmulatorAnswer {
    pub fn ran(replayed: Replayed, trace: Option<Trace>, sources: &BTreeMap<String, String>) -> EmulatorAnswer {
        let told = |findings: Vec<Finding>| findings.into_iter().map(|finding| told(finding, sources)).collect();
        let choices = replayed.launches.iter().flat_map(|launch| launch.choices.iter().copied()).collect();
        let stop = replayed.launches.last().and_then(|launch| launch.stop.clone());
        let launch = |report: emulator::LaunchReport| Launch {
            findings: told(report.findings),
            notes: told(report.notes),
            printed: String::from_utf8_lossy(&[report.printed, report.assertions].concat()).into_owned(),
            fault: report.fault.as_ref().map(name),
            warp_instructions: report.counters.warp_instructions,
            thread_instructions: report.counters.thread_instructions,
            counts: report.counters.counted.as_deref().map(Counts::of),
        };
        EmulatorAnswer::Ran(Box::new(RunAnswer {
            launches: replayed.launches.into_iter().map(launch).collect(),
            of_host: told(replayed.of_host),
            reads: replayed.reads.into_iter().map(Base64Bytes).collect(),
            arrays: trace.iter().flat_map(|trace| &trace.arrays).map(|array| name_of(array, sources)).collect(),
            choices,
            stop,
            trace,
        }))
    }
}

fn told(finding: Finding, sources: &BTreeMap<String, String>) -> FindingAnswer {
    let source = |file: &str| {
        let (path, text) = sources.get_key_value(file)?;
        Some(Source { path, text })
    };
    let said = |text: &dyn Fn(&Reader) -> String| {
        let text = |language| text(&Reader::of(&finding, source, language));
        LocalizedText { en: text(Language::English), es: text(Language::Spanish) }
    };
    let report = |language| render(&finding, source, &Remarks { language, ..Remarks::default() }, Paint::Plain);
    FindingAnswer {
        message: said(&|reader| message(&finding, reader)),
        why: said(&|reader| why(&finding, reader)),
        deeds: finding.accesses.iter().map(|access| said(&|reader| deed_of(&finding, access, reader))).collect(),
        report: said(&|reader| report(reader.language)),
        finding,
    }
}

/// Returns the name of an array in the source.
fn name_of(array: &Array, sources: &BTreeMap<String, String>) -> Option<String> {
    match &array.name {
        ArrayName::Shared { name, .. } | ArrayName::Variable { name } => Some(name.clone()),
        ArrayName::Argument { number, kernel } => {
            sources.values().find_map(|source| parameter_name(source, kernel, *number))
        }
    }
}

fn name(fault: &Fault) -> String {
    match fault {
        Fault::Internal(why) => format!("{}: {why}", fault.name()),
        other => other.name().to_string(),
    }
}
