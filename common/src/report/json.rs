//! The JSON object: scripts rely on its shape, which `docs/output.schema.json` tells and docs/output.md promises.

use super::text::{luck, smallest_token, token_of};
use super::{Reported, Setting};
use crate::table::kernel::Kernel;
use crate::table::kernel_file::KernelFile;
use emulator::counters::{Counted, Ratio, Totals};
use finding::json::KeyedCause;
use finding::{
    Access, Action, Finding, LaunchSite, MemoryAccess, Severity, SourceLocation, TextEdit, ThreadName, Where,
};
use peers::Peer;
use report::{FindingTexts, Language, Reader, Source, labelled, said};
use serde::Serialize;
use serde_json::Value;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;
use tell::json::with_files_named;
use trial::{CountedLaunch, Counts, Fix, MergedFinding};

/// The version of the object's shape: docs/output.md says what may change within one.
const VERSION: u32 = 1;

/// What a lesson gives with `--format json`.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Output"))]
pub struct Object<'a> {
    #[cfg_attr(feature = "schema", schemars(extend("const" = VERSION)))]
    version: u32,
    lesson: &'a str,
    device: Device<'a>,
    rows: Vec<RowObject<'a>>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Device<'a> {
    kind: &'a str,
    name: &'a str,
    why: &'a str,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Kernel"))]
struct RowObject<'a> {
    #[serde(flatten)]
    of: KernelObject<'a>,
    #[serde(flatten)]
    answers: AnswersObject,
    /// Runs that showed each kind of finding, notes left out.
    found: BTreeMap<&'a str, u64>,
    findings: Vec<FindingObject<'a>>,
    /// What fails nothing and is worth a word.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<NoteObject<'a>>,
    /// How many findings the kernel came with, where the student has edited it.
    #[serde(skip_serializing_if = "Option::is_none")]
    shipped_findings: Option<usize>,
    expected: bool,
    /// With `--checks`: how long the first run kept the host busy.
    #[serde(skip_serializing_if = "Option::is_none")]
    host_ms: Option<f64>,
    /// The counters of one run in order, where they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    counters: Option<CountersObject>,
    #[serde(flatten)]
    times: TimesObject,
}

/// Which kernel, and what it read.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct KernelObject<'a> {
    row: &'a str,
    kernel: &'a str,
    variant: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    slug: Option<&'a str>,
    file: &'a str,
    /// What nvcc says of source that it refuses.
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'a str>,
    /// `--input`, where the row read it: a replay needs it too.
    #[serde(skip_serializing_if = "Option::is_none")]
    input: Option<Cow<'a, str>>,
}

/// The answers of its runs.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct AnswersObject {
    runs: u64,
    wrong_runs: u64,
    first_wrong_seed: Option<u64>,
    /// The token for `--replay` of the smallest run with a wrong answer, where one was looked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    smallest_wrong: Option<String>,
    /// What came of trying to fix a wrong answer that has no finding; absent where nothing was tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<FixObject>,
}

/// On a GPU.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct TimesObject {
    #[serde(skip_serializing_if = "Option::is_none")]
    time_ms: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    gb_per_s: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    share_of_copy: Option<f64>,
    /// The library's function that the kernel was compared with on the same memory, in turns.
    #[serde(skip_serializing_if = "Option::is_none")]
    peer: Option<&'static str>,
    /// The median of its times.
    #[serde(skip_serializing_if = "Option::is_none")]
    peer_ms: Option<f64>,
    /// `peer_ms` over `time_ms`: above 1 the kernel is faster.
    #[serde(skip_serializing_if = "Option::is_none")]
    ratio: Option<f64>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Counters"))]
struct CountersObject {
    size: usize,
    total: TotalsObject,
    launches: Vec<LaunchObject>,
    lines: Vec<LineObject>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Launch"))]
struct LaunchObject {
    kernel: String,
    #[serde(flatten)]
    total: TotalsObject,
}

/// By name; those that are zero are left out.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Totals"))]
struct TotalsObject {
    counters: BTreeMap<&'static str, u64>,
    ratios: BTreeMap<&'static str, f64>,
    atomic_addresses: u64,
    busiest_address: u64,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Line"))]
struct LineObject {
    file: String,
    line: u32,
    counters: BTreeMap<&'static str, u64>,
}

/// All that the text says of a finding, and no less.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "FindingOverRuns"))]
struct FindingObject<'a> {
    slug: &'a str,
    /// `error`, or `note` for what is a finding by the letter and does no harm.
    severity: &'a str,
    #[serde(flatten)]
    told: ToldObject<'a>,
    count: u64,
    /// Runs that showed it, and those of them in which the accesses came the other way round.
    runs: u64,
    reversed: u64,
    #[serde(flatten)]
    run: RunObject<'a>,
    /// What came of trying to fix it; absent where nothing was tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<FixObject>,
}

/// The run that is told, and the smallest.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct RunObject<'a> {
    schedule: &'a str,
    seed: u64,
    size: usize,
    /// Why that run's answer was wrong, if it was.
    wrong: Option<String>,
    luck: String,
    /// The token for `--replay`.
    replay: String,
    /// The token of the smallest run that shows this, where one was looked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    smallest: Option<String>,
}

/// What came of trying to fix a finding.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Fix"))]
#[serde(tag = "kind", rename_all = "kebab-case")]
enum FixObject {
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
    /// What fixes the kernel's first finding fixes this one.
    WithFirst,
    /// None of the `tried` changes is enough.
    NoneHolds { tried: usize },
}

/// What fails nothing.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct NoteObject<'a> {
    slug: &'a str,
    /// `note` for what PTX allows and the CUDA programming guide does not, `hint` for what may explain a wrong answer.
    severity: Severity,
    #[serde(flatten)]
    told: ToldObject<'a>,
}

/// What a finding and a note both say.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Finding"))]
struct ToldObject<'a> {
    kernel: String,
    file: &'a str,
    /// One for each access that has a line, in the order of the run.
    lines: Vec<u32>,
    message: String,
    /// In the order of the run.
    accesses: Vec<AccessObject<'a>>,
    #[serde(rename = "where")]
    told_place: String,
    /// The same as data.
    place: &'a Where,
    why: String,
    /// The same as data, files named as `file` is.
    #[cfg_attr(feature = "schema", schemars(with = "KeyedCause<'static>"))]
    cause: Value,
    help: String,
    /// What may fix it, the smallest first: each a list of edits that belong together.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<finding::Remedy>"))]
    remedies: Value,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Access"))]
struct AccessObject<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    location: Option<PlaceObject>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    called_from: Vec<PlaceObject>,
    /// Line in the PTX.
    ptx_line: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    thread: Option<ThreadObject>,
    /// The memory that it touched, where it did.
    #[serde(skip_serializing_if = "Option::is_none")]
    memory: Option<&'a MemoryAccess>,
    /// With the value: "stored 7".
    action: String,
    /// The same as data.
    did: &'a Action,
    /// The launches by kernels that led to its grid, innermost first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    launched_by: Vec<LaunchedByObject>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "LaunchSite"))]
struct LaunchedByObject {
    kernel: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    location: Option<PlaceObject>,
    ptx_line: u32,
    thread: ThreadObject,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Location"))]
struct PlaceObject {
    file: String,
    line: u32,
    column: u32,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Thread"))]
struct ThreadObject {
    block: [u32; 3],
    thread: [u32; 3],
    warp: u32,
    lane: u32,
}

pub fn object<'a>(setting: &Setting<'a>, reported: &'a [Reported]) -> Object<'a> {
    let device = setting.device;
    Object {
        version: VERSION,
        lesson: setting.lesson,
        device: Device { kind: device.kind.as_str(), name: &device.name, why: &device.why },
        rows: reported.iter().map(row).collect(),
    }
}

fn row(reported: &Reported) -> RowObject<'_> {
    let Reported { kernel, outcome, verdict, input, time_ms, gb_per_s, share_of_copy, peer_ms } = reported;
    let ratio = reported.ratio();
    RowObject {
        of: KernelObject {
            row: kernel.row.name,
            kernel: &kernel.name,
            variant: kernel.variant.as_str(),
            slug: kernel.variant.expect().map(|expect| expect.as_str()),
            file: kernel.file.source_path,
            message: kernel.message(),
            input: input.as_deref().map(Path::to_string_lossy),
        },
        answers: AnswersObject {
            runs: outcome.summary.runs,
            wrong_runs: outcome.summary.wrong_runs,
            first_wrong_seed: outcome.summary.first_wrong.as_ref().map(|first| first.run.seed),
            smallest_wrong: outcome.smallest.as_ref().map(|one| smallest_token(reported, one).to_string()),
            fix: fix(kernel, &outcome.fix),
        },
        found: outcome.found.iter().map(|(slug, runs)| (slug.as_str(), *runs)).collect(),
        findings: outcome.findings.iter().map(|merged| finding(reported, merged)).collect(),
        notes: outcome.notes.iter().map(|one| note(kernel, one)).collect(),
        shipped_findings: outcome.shipped.as_ref().map(Vec::len),
        expected: verdict.is_ok(),
        host_ms: outcome.summary.host_ms,
        counters: outcome.counts.as_ref().map(|counts| counters(kernel, counts)),
        times: TimesObject {
            time_ms: *time_ms,
            gb_per_s: *gb_per_s,
            share_of_copy: *share_of_copy,
            peer: kernel.peer().filter(|_| ratio.is_some()).map(Peer::name),
            peer_ms: peer_ms.filter(|_| ratio.is_some()),
            ratio,
        },
    }
}

fn counters(kernel: &Kernel, counts: &Counts) -> CountersObject {
    let sums = |totals: &Totals| totals.counted().map(|(counter, value)| (counter.name(), value)).collect();
    let total = |counted: &Counted| TotalsObject {
        counters: sums(&counted.totals),
        ratios: Ratio::ALL.iter().filter_map(|ratio| Some((ratio.name(), ratio.of(&counted.totals)?))).collect(),
        atomic_addresses: counted.atomic_addresses,
        busiest_address: counted.busiest_address,
    };
    let file = |name: &str| kernel.file.named(name).to_string();
    let launch = |one: &CountedLaunch| LaunchObject { kernel: one.kernel.clone(), total: total(&one.counted) };
    CountersObject {
        size: counts.size,
        total: total(counts.total()),
        launches: counts.launches.iter().map(launch).collect(),
        lines: counts
            .total()
            .lines
            .iter()
            .map(|(name, totals)| LineObject { file: file(&name.file), line: name.line, counters: sums(totals) })
            .collect(),
    }
}

fn finding<'a>(reported: &'a Reported, merged: &'a MergedFinding) -> FindingObject<'a> {
    let (kernel, finding) = (&reported.kernel, &merged.finding);
    FindingObject {
        slug: finding.slug.as_str(),
        severity: if finding.is_error() { "error" } else { "note" },
        told: told(kernel, finding),
        count: merged.count,
        runs: merged.runs,
        reversed: merged.reversed,
        run: RunObject {
            schedule: merged.run.schedule.as_str(),
            seed: merged.run.seed,
            size: merged.run.size,
            wrong: merged.wrong.as_ref().map(ToString::to_string),
            luck: luck(reported, merged),
            replay: token_of(kernel, merged).to_string(),
            smallest: merged.smallest.as_ref().map(|one| smallest_token(reported, one).to_string()),
        },
        fix: fix(kernel, &merged.fix),
    }
}

fn fix(kernel: &Kernel, fix: &Fix) -> Option<FixObject> {
    let KernelFile { source, source_path, .. } = kernel.file;
    let named = |file: &str| kernel.file.named(file).to_string();
    Some(match fix {
        Fix::Untried => return None,
        Fix::Tried { remedy, edits, runs, .. } => FixObject::Tried {
            text: labelled(&fix.told(source), String::new(), true, &[], &Reader::new(Language::English))
                .1
                .replace('\n', " "),
            runs: *runs,
            file: source_path.to_string(),
            edits: edits.clone(),
            remedy: with_files_named(remedy, &named),
        },
        Fix::WithFirst => FixObject::WithFirst,
        Fix::NoneHolds { tried } => FixObject::NoneHolds { tried: *tried },
    })
}

fn note<'a>(kernel: &'a Kernel, note: &'a Finding) -> NoteObject<'a> {
    NoteObject { slug: note.slug.as_str(), severity: note.severity, told: told(kernel, note) }
}

fn told<'a>(kernel: &'a Kernel, finding: &'a Finding) -> ToldObject<'a> {
    let at_hand = |path: &str| {
        kernel.file.is_at(path).then_some(Source { path: kernel.file.source_path, text: kernel.file.source })
    };
    let reader = Reader::of(finding, at_hand, Language::English);
    let FindingTexts { message, why, fix } = said(finding, &reader);
    let places = || finding.accesses.iter().filter_map(|access| access.location.as_ref());
    let path = |file: &str| at_hand(file).map_or(file, |source| source.path).to_string();
    let place =
        |place: &SourceLocation| PlaceObject { file: path(&place.file), line: place.line, column: place.column };
    let thread = |ThreadName { block, thread, linear }: ThreadName| ThreadObject {
        block,
        thread,
        warp: linear / 32,
        lane: linear % 32,
    };
    let launch = |site: &LaunchSite| LaunchedByObject {
        kernel: site.kernel.clone(),
        location: site.location.as_ref().map(place),
        ptx_line: site.ptx_line,
        thread: thread(site.thread),
    };
    let access = |access: &'a Access| AccessObject {
        location: access.location.as_ref().map(place),
        called_from: access.called_from.iter().map(place).collect(),
        ptx_line: access.ptx_line,
        thread: access.thread.map(thread),
        memory: access.memory.as_ref(),
        action: report::action(access, &reader),
        did: &access.action,
        launched_by: access.launched_by.iter().map(launch).collect(),
    };
    ToldObject {
        kernel: finding.kernel.clone(),
        file: match places().next() {
            Some(place) if kernel.file.is_at(&place.file) => kernel.file.source_path,
            Some(place) => &place.file,
            None => kernel.file.source_path,
        },
        lines: places().map(|place| place.line).collect(),
        accesses: finding.accesses.iter().map(access).collect(),
        message,
        told_place: report::place(finding, &reader),
        place: &finding.place,
        why,
        cause: with_files_named(KeyedCause::from(&finding.cause), &path),
        help: fix,
        remedies: with_files_named(&finding.remedies, &path),
    }
}

/// The JSON Schema of [`Object`], as `docs/output.schema.json` has it.
#[cfg(feature = "schema")]
pub fn schema() -> String {
    let settings = schemars::generate::SchemaSettings::draft2020_12().for_serialize();
    let schema: schemars::Schema = settings.into_generator().into_root_schema_for::<Object>();
    let text = serde_json::to_string_pretty(&schema).expect("a schema is JSON");
    text + "\n"
}

#[cfg(test)]
mod tests;
