//! The JSON object: scripts rely on its shape, which `docs/output.schema.json` tells and docs/output.md promises.

use super::text::luck;
use super::text::{smallest_token, token_of};
use super::{Reported, Setting};
use crate::counts::{CountedLaunch, Counts};
use crate::module::Kernel;
use crate::outcome::Merged;
use driver::emulator::counters::{Counted, Ratio, Totals};
use finding::json::KeyedCause;
use finding::{Access, Action, Finding, LaunchSite, MemoryAccess, Remedy, SourceLocation, ThreadName, Where};
use report::{Names, Said, Source, said};
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde::Serialize;
use serde_json::Value;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;

/// Of the object's shape: what may change within one is said in docs/output.md.
const VERSION: u32 = 1;

/// What a lesson gives with `--format json`.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Output")]
pub struct Object<'a> {
    #[schemars(extend("const" = VERSION))]
    version: u32,
    lesson: &'a str,
    device: Device<'a>,
    rows: Vec<RowObject<'a>>,
}

#[derive(Serialize, JsonSchema)]
struct Device<'a> {
    kind: &'a str,
    name: &'a str,
    why: &'a str,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Kernel")]
struct RowObject<'a> {
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
    runs: u64,
    wrong_runs: u64,
    first_wrong_seed: Option<u64>,
    /// The token for `--replay` of the smallest run with a wrong answer, where one was looked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    smallest_wrong: Option<String>,
    /// Runs that showed each kind of finding, notes left out.
    found: BTreeMap<&'a str, u64>,
    findings: Vec<FindingObject<'a>>,
    /// What fails nothing and is worth a word.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<ToldObject<'a>>,
    /// How many findings the kernel came with, where the student has edited it.
    #[serde(skip_serializing_if = "Option::is_none")]
    shipped_findings: Option<usize>,
    expected: bool,
    /// With `--checks`: how long the first run kept the host busy.
    #[serde(skip_serializing_if = "Option::is_none")]
    host_ms: Option<f64>,
    /// Of one run in order, where they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    counters: Option<CountersObject>,
    #[serde(skip_serializing_if = "Option::is_none")]
    time_ms: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    gb_per_s: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    share_of_copy: Option<f64>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Counters")]
struct CountersObject {
    size: usize,
    total: TotalsObject,
    launches: Vec<LaunchObject>,
    lines: Vec<LineObject>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Launch")]
struct LaunchObject {
    kernel: String,
    #[serde(flatten)]
    total: TotalsObject,
}

/// By name; those that are zero are left out.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Totals")]
struct TotalsObject {
    counters: BTreeMap<&'static str, u64>,
    ratios: BTreeMap<&'static str, f64>,
    atomic_addresses: u64,
    busiest_address: u64,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Line")]
struct LineObject {
    file: String,
    line: u32,
    counters: BTreeMap<&'static str, u64>,
}

/// All that the text says of a finding, and no less.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "FindingOverRuns")]
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
    /// The run that is told here.
    schedule: &'a str,
    seed: u64,
    size: usize,
    /// Why that run's answer was wrong, if it was.
    wrong: Option<&'a str>,
    luck: String,
    /// The token for `--replay`.
    replay: String,
    /// The token of the smallest run that shows this, where one was looked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    smallest: Option<String>,
}

/// What a finding and a note both say.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Finding")]
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
    #[schemars(with = "KeyedCause<'static>")]
    cause: Value,
    help: String,
    /// What may fix it, the smallest first: each a list of edits that belong together.
    #[schemars(with = "Vec<Remedy>")]
    remedies: Value,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Access")]
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

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "LaunchSite")]
struct LaunchedByObject {
    kernel: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    location: Option<PlaceObject>,
    ptx_line: u32,
    thread: ThreadObject,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Location")]
struct PlaceObject {
    file: String,
    line: u32,
    column: u32,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Thread")]
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
    let Reported { kernel, outcome, verdict, input, time_ms, gb_per_s, share_of_copy } = reported;
    RowObject {
        row: kernel.row.name,
        kernel: &kernel.name,
        variant: kernel.variant.as_str(),
        slug: kernel.variant.expect().map(|expect| expect.as_str()),
        file: kernel.file.source_path,
        message: kernel.message(),
        input: input.as_deref().map(Path::to_string_lossy),
        runs: outcome.summary.runs,
        wrong_runs: outcome.summary.wrong_runs,
        first_wrong_seed: outcome.summary.first_wrong.as_ref().map(|first| first.seed),
        smallest_wrong: outcome.smallest.as_ref().map(|one| smallest_token(reported, one).to_string()),
        found: outcome.found.iter().map(|(slug, runs)| (slug.as_str(), *runs)).collect(),
        findings: outcome.findings.iter().map(|merged| finding(reported, merged)).collect(),
        notes: outcome.notes.iter().map(|note| told(kernel, note)).collect(),
        shipped_findings: outcome.shipped.as_ref().map(Vec::len),
        expected: verdict.is_ok(),
        host_ms: outcome.summary.host_ms,
        counters: outcome.counts.as_ref().map(|counts| counters(kernel, counts)),
        time_ms: *time_ms,
        gb_per_s: *gb_per_s,
        share_of_copy: *share_of_copy,
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
    let file = |name: &str| if kernel.file.is_at(name) { kernel.file.source_path } else { name }.to_string();
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

fn finding<'a>(reported: &'a Reported, merged: &'a Merged) -> FindingObject<'a> {
    let (kernel, finding) = (&reported.kernel, &merged.finding);
    FindingObject {
        slug: finding.slug.as_str(),
        severity: if finding.is_error() { "error" } else { "note" },
        told: told(kernel, finding),
        count: merged.count,
        runs: merged.runs,
        reversed: merged.reversed,
        schedule: merged.schedule.as_str(),
        seed: merged.seed,
        size: merged.size,
        wrong: merged.wrong.as_deref(),
        luck: luck(reported, merged),
        replay: token_of(kernel, merged).to_string(),
        smallest: merged.smallest.as_ref().map(|one| smallest_token(reported, one).to_string()),
    }
}

fn told<'a>(kernel: &'a Kernel, finding: &'a Finding) -> ToldObject<'a> {
    let at_hand = |path: &str| {
        kernel.file.is_at(path).then_some(Source { path: kernel.file.source_path, text: kernel.file.source })
    };
    let names = Names::of(finding, at_hand);
    let Said { message, why, help } = said(finding, &names);
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
        action: report::action(access, &names),
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
        told_place: report::place(finding, &names),
        place: &finding.place,
        why,
        cause: with_files_named(KeyedCause::from(&finding.cause), &path),
        help,
        remedies: with_files_named(&finding.remedies, &path),
    }
}

/// As JSON, with the name of each file as `name` has it.
fn with_files_named(data: impl Serialize, name: &impl Fn(&str) -> String) -> Value {
    let mut value = serde_json::to_value(data).expect("plain data has a JSON form");
    name_files(&mut value, name);
    value
}

/// Only a source location has a `file`.
fn name_files(value: &mut Value, name: &impl Fn(&str) -> String) {
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                match value {
                    Value::String(file) if key == "file" => *file = name(file),
                    value => name_files(value, name),
                }
            }
        }
        Value::Array(all) => all.iter_mut().for_each(|one| name_files(one, name)),
        _ => {}
    }
}

/// The JSON Schema of [`Object`], as `docs/output.schema.json` has it.
pub fn schema() -> String {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let schema: Schema = settings.into_generator().into_root_schema_for::<Object>();
    let text = serde_json::to_string_pretty(&schema).expect("a schema is JSON");
    text + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::DeviceKind;
    use crate::outcome::Outcome;
    use crate::outcome::tests::{race, record};
    use crate::report::tests::{on, setting};
    use crate::{Counter, Expect, KernelFile, Row, Slug, Variant};
    use driver::emulator::counters::LineName;
    use finding::{BarrierKind, Cause, Edit, Livelock, LivelockReason, Position, Scope};

    static ROW: Row = Row::pair("counter", Slug::RaceGlobal);
    static FILE: KernelFile =
        KernelFile { name: "counter", source_path: "cuda/lesson04/counter.cu", source: "", ptx: "", shipped: None };

    fn reported(variant: Variant, time_ms: Option<f64>, findings: bool) -> Reported {
        let name = format!("counter_{}", variant.as_str());
        let findings = if findings { vec![race(13, 16, false)] } else { vec![] };
        Reported {
            kernel: Kernel { name, variant, row: &ROW, file: &FILE },
            outcome: Outcome::of(vec![record(7, !findings.is_empty(), findings)], None),
            verdict: Ok(()),
            input: None,
            time_ms,
            gb_per_s: time_ms,
            share_of_copy: time_ms,
        }
    }

    #[test]
    fn a_broken_kernel_on_the_emulator() {
        let reported = reported(Variant::Broken(Expect::Finding(Slug::RaceGlobal)), None, true);
        let value = serde_json::to_value(row(&reported)).unwrap();
        let cause = serde_json::json!({
            "kind": "blocks-unordered", "family": "unordered", "distance": "grid",
            "place": { "kind": "argument", "number": 1, "index": null },
            "same_value": false, "allowed": false,
            "relation": {
                "kind": "threads", "strong": null, "one_access": false, "one_line": false, "polled": null,
                "compares": false, "plain": "load", "both_update": false, "branch": null, "missing": null,
            },
            "others": [], "lost_update": null, "narrow_elsewhere": null,
        });
        assert_eq!(
            value,
            serde_json::json!({
                "row": "counter", "kernel": "counter_broken", "variant": "broken", "slug": "race-global",
                "file": "cuda/lesson04/counter.cu", "runs": 1, "wrong_runs": 1, "first_wrong_seed": 7,
                "found": { "race-global": 1 },
                "findings": [{
                    "slug": "race-global", "severity": "error", "kernel": "counter_broken",
                    "file": "cuda/lesson04/counter.cu", "lines": [13, 16], "count": 3, "runs": 1, "reversed": 0,
                    "schedule": "random", "seed": 7, "size": 64, "wrong": "got 7, expected 64",
                    "message": "two accesses of what argument 1 points to are not ordered",
                    "accesses": [
                        { "location": { "file": "cuda/lesson04/counter.cu", "line": 13, "column": 5 },
                            "ptx_line": 40, "action": "stored 1",
                            "did": { "kind": "stored", "value": { "bits": "0x1", "type": "s32", "stale": false } } },
                        { "location": { "file": "cuda/lesson04/counter.cu", "line": 16, "column": 5 },
                            "ptx_line": 40, "action": "loaded 0",
                            "did": { "kind": "loaded", "value": { "bits": "0x0", "type": "s32", "stale": false } } },
                    ],
                    "where": "block (0,0,0)", "place": { "kind": "block", "block": [0, 0, 0] },
                    "why": "they are in different blocks, and blocks are not ordered within a launch",
                    "cause": cause,
                    "help": help(&reported.outcome.findings[0].finding), "remedies": [],
                    "luck": "this run's answer was wrong (got 7, expected 64)",
                    "replay": "counter/broken/random/7/64",
                }],
                "expected": true,
            })
        );
    }

    fn help(finding: &Finding) -> String {
        said(finding, &Names::of(finding, |_| None)).help
    }

    /// One object with all that there may be: findings, notes, counters, times.
    fn whole() -> Value {
        let mut broken = reported(Variant::Broken(Expect::Finding(Slug::RaceGlobal)), Some(0.5), true);
        broken.outcome.note(vec![race(13, 16, true)]);
        let mut counted = Counted::default();
        counted.totals[Counter::GlobalLoadRequests] = 2;
        let launch = CountedLaunch { kernel: "counter_correct".to_string(), counted };
        let mut correct = reported(Variant::Correct, None, false);
        correct.outcome.counts = Some(Counts::of(64, vec![launch]));
        let device = on(DeviceKind::Emulator);
        serde_json::to_value(object(&setting(&device), &[broken, correct])).unwrap()
    }

    #[test]
    fn the_object_is_as_the_schema_says_and_the_schema_asks_for_something() {
        let schema = serde_json::from_str(&schema()).unwrap();
        let validator = jsonschema::validator_for(&schema).unwrap();
        let mut value = whole();
        let errors: Vec<String> =
            validator.iter_errors(&value).map(|error| format!("{}: {error}", error.instance_path())).collect();
        assert!(errors.is_empty(), "{errors:#?}");
        for (path, wrong) in [
            ("/version", 2.into()),
            ("/rows/0/findings/0/cause/kind", "no-such-cause".into()),
            ("/rows/0/findings/0/cause/family", Value::Null),
            ("/rows/0/findings/0/accesses/0/did", "stored 1".into()),
            ("/rows/0/findings/0/remedies", serde_json::json!([{ "kind": "insert-barrier" }])),
        ] {
            let was = std::mem::replace(value.pointer_mut(path).unwrap(), wrong);
            assert!(!validator.is_valid(&value), "{path}");
            *value.pointer_mut(path).unwrap() = was;
        }
    }

    #[test]
    fn the_stored_schema_is_the_one_of_the_types() {
        let stored = include_str!("../../../docs/output.schema.json");
        assert!(stored == schema(), "docs/output.schema.json is not up to date: cargo xtask schema");
    }

    #[test]
    fn causes_and_remedies_name_files_as_the_rest_does() {
        let at = |line| SourceLocation { file: "/elsewhere/cuda/lesson04/counter.cu".to_string(), line, column: 5 };
        let (scope, barrier) = (Scope::Device, BarrierKind::Block);
        let mut finding = race(13, 16, false);
        finding.cause = Cause::Livelock(Box::new(Livelock {
            proven: true,
            instructions: 7,
            fuel: 9,
            more_blocks: 0,
            not_begun: 0,
            reason: Some(LivelockReason::KeptLock { taken: at(13) }),
        }));
        finding.remedies = vec![vec![
            Edit::InsertFence { scope, at: Position::After(at(13)) },
            Edit::InsertBarrier { barrier, at: Position::Between(at(13), at(16)) },
        ]];
        let kernel = reported(Variant::Correct, None, false).kernel;
        let value = serde_json::to_value(told(&kernel, &finding)).unwrap();
        let at = |line| serde_json::json!({ "file": "cuda/lesson04/counter.cu", "line": line, "column": 5 });
        assert_eq!(
            value["cause"],
            serde_json::json!({
                "kind": "kept-lock", "family": "livelock", "proven": true, "instructions": 7, "fuel": 9,
                "more_blocks": 0, "not_begun": 0, "reason": { "kind": "kept-lock", "taken": at(13) },
            })
        );
        assert_eq!(
            value["remedies"],
            serde_json::json!([[
                { "kind": "insert-fence", "scope": "device", "at": { "kind": "after", "at": at(13) } },
                { "kind": "insert-barrier", "barrier": { "kind": "block" },
                    "at": { "kind": "between", "first": at(13), "second": at(16) } },
            ]])
        );
    }

    #[test]
    fn notes_stand_beside_findings() {
        let mut reported = reported(Variant::Correct, None, false);
        assert!(serde_json::to_value(row(&reported)).unwrap().get("notes").is_none());
        reported.outcome.note(vec![race(13, 16, true)]);
        let value = serde_json::to_value(row(&reported)).unwrap();
        assert_eq!(value["findings"], serde_json::json!([]));
        assert_eq!(
            (&value["notes"][0]["lines"], &value["notes"][0]["cause"]["kind"]),
            (&[13, 16].into(), &"blocks-unordered".into())
        );
    }

    #[test]
    fn a_file_that_was_read_is_named() {
        let mut reported = reported(Variant::Broken(Expect::Finding(Slug::RaceGlobal)), None, true);
        reported.input = Some("my photo.png".into());
        assert_eq!(serde_json::to_value(row(&reported)).unwrap()["input"], "my photo.png");
    }

    #[test]
    fn counters_are_named_and_zeros_left_out() {
        let mut counted = Counted::default();
        counted.totals[Counter::GlobalLoadRequests] = 2;
        counted.totals[Counter::GlobalLoadSectors] = 8;
        let name = LineName { file: "/elsewhere/cuda/lesson04/counter.cu".to_string(), line: 7 };
        counted.lines.insert(name, counted.totals);
        let mut reported = reported(Variant::Correct, None, false);
        reported.outcome.counts =
            Some(Counts::of(64, vec![CountedLaunch { kernel: "counter_correct".to_string(), counted }]));
        let value = &serde_json::to_value(row(&reported)).unwrap()["counters"];
        let counters = serde_json::json!({
            "l1tex__t_requests_pipe_lsu_mem_global_op_ld": 2, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld": 8,
        });
        assert_eq!((&value["size"], &value["total"]["counters"]), (&64.into(), &counters));
        let ratio = "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio";
        assert_eq!(value["total"]["ratios"][ratio], 4.0);
        assert_eq!(value["launches"][0]["kernel"], "counter_correct");
        let line = serde_json::json!({ "file": "cuda/lesson04/counter.cu", "line": 7, "counters": counters });
        assert_eq!(value["lines"], serde_json::json!([line]));
    }

    #[test]
    fn a_correct_kernel_on_a_gpu_has_times_and_no_slug() {
        let value = serde_json::to_value(row(&reported(Variant::Correct, Some(0.5), false))).unwrap();
        let keys: Vec<_> = value.as_object().unwrap().keys().map(String::as_str).collect();
        assert!(!keys.contains(&"slug"));
        assert_eq!(value["first_wrong_seed"], Value::Null);
        assert_eq!(
            (&value["time_ms"], &value["gb_per_s"], &value["share_of_copy"]),
            (&0.5.into(), &0.5.into(), &0.5.into())
        );
    }
}
