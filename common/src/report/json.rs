//! The JSON object: scripts rely on its shape.

use super::Reported;
use crate::lesson::Lesson;
use crate::outcome::Merged;
use crate::token::Token;
use serde::Serialize;
use std::borrow::Cow;
use std::path::Path;

#[derive(Serialize)]
pub struct Object<'a> {
    lesson: &'a str,
    device: Device<'a>,
    rows: Vec<RowObject<'a>>,
}

#[derive(Serialize)]
struct Device<'a> {
    kind: &'a str,
    name: &'a str,
    why: &'a str,
}

#[derive(Serialize)]
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
    findings: Vec<FindingObject<'a>>,
    expected: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    time_ms: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    gb_per_s: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    share_of_copy: Option<f64>,
}

#[derive(Serialize)]
struct FindingObject<'a> {
    slug: &'a str,
    file: &'a str,
    /// One for each access that has a line, in the order of the run.
    lines: Vec<u32>,
    count: u64,
    seed: u64,
    message: &'a str,
    /// The token for `--replay`.
    replay: String,
}

pub fn object<'a>(lesson: &'a Lesson, reported: &'a [Reported]) -> Object<'a> {
    let device = &lesson.device;
    Object {
        lesson: lesson.name,
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
        findings: outcome.findings.iter().map(|merged| finding(reported, merged)).collect(),
        expected: verdict.is_ok(),
        time_ms: *time_ms,
        gb_per_s: *gb_per_s,
        share_of_copy: *share_of_copy,
    }
}

fn finding<'a>(reported: &'a Reported, merged: &'a Merged) -> FindingObject<'a> {
    let finding = &merged.finding;
    let places = || finding.accesses.iter().filter_map(|access| access.location.as_ref());
    let kernel = &reported.kernel;
    FindingObject {
        slug: finding.slug.as_str(),
        file: match places().next() {
            Some(place) if kernel.file.is_at(&place.file) => kernel.file.source_path,
            Some(place) => &place.file,
            None => kernel.file.source_path,
        },
        lines: places().map(|place| place.line).collect(),
        count: merged.count,
        seed: merged.seed,
        message: &finding.message,
        replay: Token::new(&kernel.name, kernel.variant.as_str(), merged.schedule, merged.seed, merged.size)
            .to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::Outcome;
    use crate::outcome::tests::{race, record};
    use crate::{Expect, Kernel, KernelFile, Row, Slug, Variant};

    static ROW: Row = Row::pair("counter", Slug::RaceGlobal);
    static FILE: KernelFile =
        KernelFile { name: "counter", source_path: "cuda/lesson04/counter.cu", source: "", ptx: "" };

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
        assert_eq!(
            value,
            serde_json::json!({
                "row": "counter", "kernel": "counter_broken", "variant": "broken", "slug": "race-global",
                "file": "cuda/lesson04/counter.cu", "runs": 1, "wrong_runs": 1, "first_wrong_seed": 7,
                "findings": [{
                    "slug": "race-global", "file": "cuda/lesson04/counter.cu", "lines": [13, 16], "count": 3, "seed": 7,
                    "message": "a store and a load are not ordered", "replay": "counter/broken/random/7/64",
                }],
                "expected": true,
            })
        );
    }

    #[test]
    fn a_file_that_was_read_is_named() {
        let mut reported = reported(Variant::Broken(Expect::Finding(Slug::RaceGlobal)), None, true);
        reported.input = Some("my photo.png".into());
        assert_eq!(serde_json::to_value(row(&reported)).unwrap()["input"], "my photo.png");
    }

    #[test]
    fn a_correct_kernel_on_a_gpu_has_times_and_no_slug() {
        let value = serde_json::to_value(row(&reported(Variant::Correct, Some(0.5), false))).unwrap();
        let keys: Vec<_> = value.as_object().unwrap().keys().map(String::as_str).collect();
        assert!(!keys.contains(&"slug"));
        assert_eq!(value["first_wrong_seed"], serde_json::Value::Null);
        assert_eq!(
            (&value["time_ms"], &value["gb_per_s"], &value["share_of_copy"]),
            (&0.5.into(), &0.5.into(), &0.5.into())
        );
    }
}
