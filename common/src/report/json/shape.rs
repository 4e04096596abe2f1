//! The shape of the JSON object. The doc comments here are the descriptions in `docs/output.schema.json`.

#[cfg(feature = "schema")]
use finding::json::KeyedCause;
use finding::{Action, MemoryAccess, Severity, TextEdit, Where};
use serde::Serialize;
use serde_json::Value;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The version of the object's shape: docs/output.md says what may change within one.
pub const VERSION: u32 = 1;

/// The object that a lesson prints with `--format json`.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Output"))]
pub struct OutputObject<'a> {
    #[cfg_attr(feature = "schema", schemars(extend("const" = VERSION)))]
    pub version: u32,
    pub lesson: &'a str,
    pub device: Device<'a>,
    pub rows: Vec<RowObject<'a>>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Device<'a> {
    pub kind: &'a str,
    pub name: &'a str,
    pub why: &'a str,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Kernel"))]
pub struct RowObject<'a> {
    #[serde(flatten)]
    pub kernel: KernelObject<'a>,
    #[serde(flatten)]
    pub answers: AnswersObject,
    /// Runs that showed each kind of finding, notes left out.
    pub found: BTreeMap<&'a str, u64>,
    pub findings: Vec<FindingObject<'a>>,
    /// Notes: findings that fail nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<NoteObject<'a>>,
    /// The number of findings that the kernel came with, if the student has edited it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shipped_findings: Option<usize>,
    pub expected: bool,
    /// With `--checks`: how long the first run kept the host busy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub host_ms: Option<f64>,
    /// The counters of one run in order, where they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counters: Option<CountersObject>,
    #[serde(flatten)]
    pub times: TimesObject,
}

/// Which kernel, and what it read.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct KernelObject<'a> {
    pub row: &'a str,
    pub kernel: &'a str,
    pub variant: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slug: Option<&'a str>,
    pub file: &'a str,
    /// The compiler's message, if nvcc refuses the source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<&'a str>,
    /// `--input`, where the row read it: a replay needs it too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input: Option<Cow<'a, str>>,
}

/// The answers of its runs.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AnswersObject {
    pub runs: u64,
    pub wrong_runs: u64,
    pub first_wrong_seed: Option<u64>,
    /// The token for `--replay` of the smallest run with a wrong answer, where one was looked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub smallest_wrong: Option<String>,
    /// The result of trying to fix a wrong answer that has no finding; absent if nothing was tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<FixObject>,
}

/// On a GPU.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TimesObject {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_ms: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gb_per_s: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub share_of_copy: Option<f64>,
    /// The library's function that the kernel was compared with on the same memory, in turns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peer: Option<&'static str>,
    /// The median of its times.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peer_ms: Option<f64>,
    /// `peer_ms` over `time_ms`: above 1 the kernel is faster.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ratio: Option<f64>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Counters"))]
pub struct CountersObject {
    pub size: usize,
    pub total: TotalsObject,
    pub launches: Vec<LaunchObject>,
    pub lines: Vec<LineObject>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Launch"))]
pub struct LaunchObject {
    pub kernel: String,
    #[serde(flatten)]
    pub total: TotalsObject,
}

/// By name; those that are zero are left out.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Totals"))]
pub struct TotalsObject {
    pub counters: BTreeMap<&'static str, u64>,
    pub ratios: BTreeMap<&'static str, f64>,
    pub atomic_addresses: u64,
    pub busiest_address: u64,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Line"))]
pub struct LineObject {
    pub file: String,
    pub line: u32,
    pub counters: BTreeMap<&'static str, u64>,
}

/// All that the text says of a finding, and no less.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "FindingOverRuns"))]
pub struct FindingObject<'a> {
    pub slug: &'a str,
    /// `error`, or `note` for what is a finding by the letter and does no harm.
    pub severity: &'a str,
    #[serde(flatten)]
    pub description: DescriptionObject<'a>,
    pub count: u64,
    /// Runs that showed it, and those of them in which the accesses came the other way round.
    pub runs: u64,
    pub reversed: u64,
    #[serde(flatten)]
    pub run: RunObject<'a>,
    /// The result of trying to fix it; absent if nothing was tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<FixObject>,
}

/// The run that is told, and the smallest.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RunObject<'a> {
    pub schedule: &'a str,
    pub seed: u64,
    pub size: usize,
    /// Why that run's answer was wrong, if it was.
    pub wrong: Option<String>,
    pub luck: String,
    /// The token for `--replay`.
    pub replay: String,
    /// The token of the smallest run that shows this, where one was looked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub smallest: Option<String>,
}

/// The result of trying to fix a finding.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Fix"))]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum FixObject {
    /// With these changes so many runs gave no finding, and all answers were right.
    Tried {
        /// In words.
        text: String,
        runs: u64,
        /// The file that `edits` change.
        file: String,
        edits: Vec<TextEdit>,
        #[cfg_attr(feature = "schema", schemars(with = "finding::Remedy"))]
        remedy: Value,
    },
    /// Fixed by the remedy of the kernel's first finding.
    WithFirst,
    /// None of the `tried` changes is enough.
    NoneHolds { tried: usize },
}

/// A note: a finding that fails nothing.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NoteObject<'a> {
    pub slug: &'a str,
    /// `note` for what PTX allows and the CUDA programming guide does not, `hint` for what may explain a wrong answer.
    pub severity: Severity,
    #[serde(flatten)]
    pub description: DescriptionObject<'a>,
}

/// The fields that findings and notes have in common.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Finding"))]
pub struct DescriptionObject<'a> {
    pub kernel: String,
    pub file: &'a str,
    /// One for each access that has a line, in the order of the run.
    pub lines: Vec<u32>,
    pub message: String,
    /// In the order of the run.
    pub accesses: Vec<AccessObject<'a>>,
    #[serde(rename = "where")]
    pub place_text: String,
    /// The same as data.
    pub place: &'a Where,
    pub why: String,
    /// The same as data, files named as `file` is.
    #[cfg_attr(feature = "schema", schemars(with = "KeyedCause<'static>"))]
    pub cause: Value,
    pub help: String,
    /// Remedies that may fix it, the smallest first: each a list of edits that belong together.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<finding::Remedy>"))]
    pub remedies: Value,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Access"))]
pub struct AccessObject<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub location: Option<PlaceObject>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub called_from: Vec<PlaceObject>,
    /// Line in the PTX.
    pub ptx_line: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thread: Option<ThreadObject>,
    /// The memory that it touched, where it did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<&'a MemoryAccess>,
    /// With the value: "stored 7".
    pub action: String,
    /// The same as data.
    pub did: &'a Action,
    /// The launches by kernels that led to its grid, innermost first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub launched_by: Vec<LaunchedByObject>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "LaunchSite"))]
pub struct LaunchedByObject {
    pub kernel: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub location: Option<PlaceObject>,
    pub ptx_line: u32,
    pub thread: ThreadObject,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Location"))]
pub struct PlaceObject {
    pub file: String,
    pub line: u32,
    pub column: u32,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Thread"))]
pub struct ThreadObject {
    pub block: [u32; 3],
    pub thread: [u32; 3],
    pub warp: u32,
    pub lane: u32,
}
