use super::*;
use crate::device::context::DeviceKind;
use crate::report::tests::{on, setting};
use crate::{Counter, Expect, KernelFile, Row, Slug, Variant};
use emulator::counters::LineName;
use finding::{BarrierKind, Cause, Edit, Livelock, LivelockReason, Position, Scope};
use serde_json::Value;
use trial::Outcome;
use trial::testing::{race, record};

static ROW: Row = Row::pair("counter", Slug::RaceGlobal);
static FILE: KernelFile = KernelFile {
    name: "counter",
    source_path: "cuda/lesson04/counter.cu",
    source: "",
    ptx: "",
    shipped: None,
    fixes: &[],
};

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
        peer_ms: None,
    }
}

#[test]
fn a_broken_kernel_on_the_emulator() {
    let reported = reported(Variant::Broken(Expect::Finding(Slug::RaceGlobal)), None, true);
    let value = serde_json::to_value(row_object(&reported)).unwrap();
    let cause = serde_json::json!({
        "kind": "blocks-unordered", "family": "unordered", "distance": "grid",
        "place": { "kind": "argument", "number": 1, "index": null },
        "same_value": false, "allowed": false,
        "relation": {
            "kind": "threads", "strong": null, "one_access": false, "one_line": false, "updates": false,
            "in_loop": false, "in_branches": false, "two_arrays": false, "cooperative": false, "polled": null,
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
                "message": "data race on what argument 1 points to: nothing orders two accesses in different blocks",
                "accesses": [
                    { "location": { "file": "cuda/lesson04/counter.cu", "line": 13, "column": 5 },
                        "ptx_line": 40, "action": "writes 1",
                        "did": { "kind": "stored",
                          "value": { "bits": "0x1", "type": "s32", "stale": false, "unwritten": false } } },
                    { "location": { "file": "cuda/lesson04/counter.cu", "line": 16, "column": 5 },
                        "ptx_line": 40, "action": "reads 0",
                        "did": { "kind": "loaded",
                          "value": { "bits": "0x0", "type": "s32", "stale": false, "unwritten": false } } },
                ],
                "where": "block (0,0,0)", "place": { "kind": "block", "block": [0, 0, 0] },
                "why": "Blocks of one launch run in any order. The end of the kernel is the barrier between them.",
                "cause": cause,
                "help": help(&reported.outcome.findings[0].finding), "remedies": [],
                "luck": "the answer of this run was wrong (got 7, expected 64)",
                "replay": "counter/broken/random/7/64",
            }],
            "expected": true,
        })
    );
}

fn help(finding: &Finding) -> String {
    said(finding, &Reader::new(Language::English)).fix
}

/// One object with all that there may be: findings, notes, counters, times.
fn whole() -> Value {
    let mut broken = reported(Variant::Broken(Expect::Finding(Slug::RaceGlobal)), Some(0.5), true);
    broken.outcome.note(vec![race(13, 16, true)]);
    let mut counted = LaunchCounts::default();
    counted.totals[Counter::GlobalLoadRequests] = 2;
    let launch = CountedLaunch { kernel: "counter_correct".to_string(), counted };
    let mut correct = reported(Variant::Correct, None, false);
    correct.outcome.counts = Some(Counts::of(64, vec![launch]));
    let device = on(DeviceKind::Emulator);
    serde_json::to_value(object(&setting(&device), &[broken, correct])).unwrap()
}

/// A test of `lab/` holds the stored object to its schema.
#[test]
fn the_whole_object_is_as_stored() {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!("whole", serde_json::to_string_pretty(&whole()).unwrap()));
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
        Edit::InsertFence { scope, at: Position::After { at: at(13) } },
        Edit::InsertBarrier { barrier, at: Position::Between { first: at(13), second: at(16) } },
    ]];
    let kernel = reported(Variant::Correct, None, false).kernel;
    let value = serde_json::to_value(description_object(&kernel, &finding)).unwrap();
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
    assert!(serde_json::to_value(row_object(&reported)).unwrap().get("notes").is_none());
    reported.outcome.note(vec![race(13, 16, true)]);
    let value = serde_json::to_value(row_object(&reported)).unwrap();
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
    assert_eq!(serde_json::to_value(row_object(&reported)).unwrap()["input"], "my photo.png");
}

#[test]
fn counters_are_named_and_zeros_left_out() {
    let mut counted = LaunchCounts::default();
    counted.totals[Counter::GlobalLoadRequests] = 2;
    counted.totals[Counter::GlobalLoadSectors] = 8;
    let name = LineName { file: "/elsewhere/cuda/lesson04/counter.cu".to_string(), line: 7 };
    counted.lines.insert(name, counted.totals);
    let mut reported = reported(Variant::Correct, None, false);
    reported.outcome.counts =
        Some(Counts::of(64, vec![CountedLaunch { kernel: "counter_correct".to_string(), counted }]));
    let value = &serde_json::to_value(row_object(&reported)).unwrap()["counters"];
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
    let value = serde_json::to_value(row_object(&reported(Variant::Correct, Some(0.5), false))).unwrap();
    let keys: Vec<_> = value.as_object().unwrap().keys().map(String::as_str).collect();
    assert!(!keys.contains(&"slug"));
    assert_eq!(value["first_wrong_seed"], Value::Null);
    assert_eq!(
        (&value["time_ms"], &value["gb_per_s"], &value["share_of_copy"]),
        (&0.5.into(), &0.5.into(), &0.5.into())
    );
    assert!(!keys.contains(&"peer") && !keys.contains(&"peer_ms") && !keys.contains(&"ratio"));
}

#[test]
fn a_kernel_that_was_compared_has_its_peer() {
    static SUM: Row = Row::of("sum").correct(&["sum_correct"]).peer(Peer::Sum);
    let kernel = Kernel { name: "sum_correct".to_string(), variant: Variant::Correct, row: &SUM, file: &FILE };
    let compared = Reported { kernel, peer_ms: Some(1.5), ..reported(Variant::Correct, Some(0.5), false) };
    let value = serde_json::to_value(row_object(&compared)).unwrap();
    assert_eq!(
        (&value["peer"], &value["peer_ms"], &value["ratio"]),
        (&Peer::Sum.name().into(), &1.5.into(), &3.0.into())
    );
}
