//! Reports of a lesson: text for a student, JSON for a script.

pub mod bars;
pub mod counters;
pub mod json;
pub mod proof;
mod removed;
pub mod table;
pub mod text;

use crate::device::context::OpenDevice;
use crate::lesson::verdict::RowVerdict;
use crate::table::kernel::Kernel;
use crate::table::kernel_file::KernelFile;
use report::{Language, Source};
use std::path::{Path, PathBuf};
use tell::explain;
use tell::sarif::{self, Problem};
use trial::{Fix, Outcome};

/// All findings as one SARIF log; notes too.
pub fn sarif(setting: &Setting, reported: &[Reported]) -> serde_json::Value {
    let of_kernel = |reported: &Reported| {
        let findings = reported.outcome.findings.iter().map(|merged| (&merged.finding, &merged.fix));
        let notes = reported.outcome.notes.iter().map(|note| (note, &Fix::Untried));
        let problem =
            |(finding, fix)| Problem::of(finding, fix, |file: &str| setting.source(file), Language::current());
        findings.chain(notes).map(problem).collect::<Vec<_>>()
    };
    let problems: Vec<Problem> = reported.iter().flat_map(of_kernel).collect();
    sarif::log(setting.program, &problems, explain::in_short)
}

/// One kernel's results, ready to print.
pub struct Reported {
    pub kernel: Kernel,
    pub outcome: Outcome,
    pub verdict: RowVerdict,
    /// `--input`, where the row read it.
    pub input: Option<PathBuf>,
    /// On a GPU: the median over the timed runs.
    pub time_ms: Option<f64>,
    pub gb_per_s: Option<f64>,
    /// The share of the throughput of the driver's own copy, measured in the same run.
    pub share_of_copy: Option<f64>,
    /// The same median of the kernel's peer, for a kernel that did as the lesson says.
    pub peer_ms: Option<f64>,
}

impl Reported {
    /// Returns true for a broken kernel that was right in every run, without findings: a student has fixed it.
    pub fn is_fixed(&self) -> bool {
        let Outcome { summary, findings, .. } = &self.outcome;
        let is_right = summary.runs > 0 && summary.wrong_runs == 0 && findings.is_empty();
        self.verdict.is_err() && self.kernel.is_broken() && is_right
    }

    /// Returns how many times as fast as its peer the kernel is.
    pub fn ratio(&self) -> Option<f64> {
        Some(self.peer_ms.filter(|_| self.outcome.summary.peer_failed.is_none())? / self.time_ms?)
    }
}

/// The origin of the results: all that a report says of a lesson besides its kernels.
#[derive(Clone, Copy, Debug)]
pub struct Setting<'a> {
    pub lesson: &'a str,
    /// The package, as `cargo run -p` wants it.
    pub program: &'a str,
    pub device: &'a OpenDevice,
    /// For quoting the lines that a finding names.
    pub files: &'static [KernelFile],
    /// `--input`.
    pub input: Option<&'a Path>,
    /// `--replay`: one run, of which all is shown.
    pub is_replay: bool,
    /// All executions are visited, in place of runs.
    pub is_exhaustive: bool,
    /// `--verbose`: every finding, with all that there is to say.
    pub is_verbose: bool,
    /// `--counters`.
    pub counters: bool,
}

impl Setting<'_> {
    pub(crate) fn source(&self, path: &str) -> Option<Source<'static>> {
        let file = self.files.iter().find(|file| file.is_at(path))?;
        Some(Source { path: file.source_path, text: file.source })
    }

    /// A file as its readers know it, by the name that the PTX gives it.
    pub(crate) fn named(&self, path: &str) -> String {
        self.source(path).map_or(path, |source| source.path).to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::context::DeviceKind;
    use crate::{Expect, Row, Slug, Variant};
    use emulator::finding::Finding;
    use trial::testing::record;

    pub static CATALOGUE: Row = Row::of("catalogue").correct(&["add_int"]);
    pub static FILE: KernelFile = KernelFile {
        name: "catalogue",
        source_path: "cuda/catalogue.cu",
        source: "",
        ptx: "",
        shipped: None,
        fixes: &[],
    };

    pub fn reported(verdict: Result<(), String>) -> Reported {
        Reported {
            kernel: Kernel { name: "add_int".to_string(), variant: Variant::Correct, row: &CATALOGUE, file: &FILE },
            outcome: Outcome::of(vec![record(0, false, vec![])], None),
            verdict,
            input: None,
            time_ms: None,
            gb_per_s: None,
            share_of_copy: None,
            peer_ms: None,
        }
    }

    pub static COUNTER: Row = Row::pair("counter", Slug::RaceGlobal);
    pub static COUNTER_FILE: KernelFile = KernelFile {
        name: "counter",
        source_path: "cuda/lesson04/counter.cu",
        source: "// Line 1.\nstore();\nload();\n",
        ptx: "",
        shipped: None,
        fixes: &[],
    };

    pub fn on(kind: DeviceKind) -> OpenDevice {
        OpenDevice { kind, name: "a device".to_string(), why: "it was asked for".to_string() }
    }

    pub fn setting(device: &OpenDevice) -> Setting<'_> {
        Setting {
            lesson: "lesson04",
            program: "lesson04-atomics",
            device,
            files: std::slice::from_ref(&COUNTER_FILE),
            input: None,
            is_replay: false,
            is_exhaustive: false,
            is_verbose: false,
            counters: false,
        }
    }

    pub fn counter_broken(findings: Vec<Finding>) -> Reported {
        let variant = Variant::Broken(Expect::Finding(Slug::RaceGlobal));
        Reported {
            kernel: Kernel { name: "counter_broken".to_string(), variant, row: &COUNTER, file: &COUNTER_FILE },
            outcome: Outcome::of(vec![record(7, true, findings)], None),
            ..reported(Ok(()))
        }
    }
}
