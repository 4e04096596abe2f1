//! Two answers of a lesson, compared: the same verdicts, slugs and lines.

use serde_json::Value;
use std::collections::BTreeMap;

/// The part that counts of a kernel: whether all is as expected, and each finding's slug with its lines.
type Verdict = (bool, Vec<String>);

/// A line for each kernel that the second answer judges otherwise.
pub fn differences(stored: &Value, other: &Value) -> Vec<String> {
    let (stored, other) = (verdicts(stored), verdicts(other));
    let none = (false, vec!["not run".to_owned()]);
    let kernels = stored.keys().chain(other.keys().filter(|kernel| !stored.contains_key(*kernel)));
    let pairs = kernels.map(|kernel| (kernel, stored.get(kernel).unwrap_or(&none), other.get(kernel).unwrap_or(&none)));
    let changed = pairs.filter(|(_, stored, other)| stored != other);
    changed
        .map(|(kernel, before, after)| format!("{kernel}: stored {}, here {}", shown(before), shown(after)))
        .collect()
}

fn verdicts(answer: &Value) -> BTreeMap<String, Verdict> {
    let rows = answer["rows"].as_array().into_iter().flatten();
    rows.map(|row| (row["kernel"].as_str().unwrap_or("?").to_owned(), verdict(row))).collect()
}

fn verdict(row: &Value) -> Verdict {
    let findings = row["findings"].as_array().into_iter().flatten();
    let mut found: Vec<String> = findings.map(finding).collect();
    found.sort();
    (row["expected"] == true, found)
}

/// `race-shared at 17+19`. Which of two accesses came first depends on the run.
fn finding(finding: &Value) -> String {
    let mut lines: Vec<u64> = finding["lines"].as_array().into_iter().flatten().filter_map(Value::as_u64).collect();
    lines.sort_unstable();
    let lines: Vec<String> = lines.iter().map(u64::to_string).collect();
    format!("{} at {}", finding["slug"].as_str().unwrap_or("?"), lines.join("+"))
}

fn shown((is_expected, found): &Verdict) -> String {
    let found = if found.is_empty() { "no finding".to_owned() } else { found.join(", ") };
    format!("{found} ({})", if *is_expected { "as expected" } else { "not as expected" })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn answer(expected: bool, slug: &str, lines: &[u32]) -> Value {
        json!({ "rows": [{ "kernel": "k", "expected": expected, "findings": [{ "slug": slug, "lines": lines }] }] })
    }

    #[test]
    fn verdicts_slugs_and_lines_count_and_the_order_of_accesses_does_not() {
        let stored = answer(true, "race-shared", &[17, 19]);
        assert!(differences(&stored, &answer(true, "race-shared", &[19, 17])).is_empty());
        for other in [
            answer(false, "race-shared", &[17, 19]),
            answer(true, "race-global", &[17, 19]),
            answer(true, "race-shared", &[17, 20]),
        ] {
            assert_eq!(differences(&stored, &other).len(), 1, "{other}");
        }
        let want = "k: stored race-shared at 17+19 (as expected), here not run (not as expected)";
        assert_eq!(differences(&stored, &json!({ "rows": [] })), [want]);
    }
}
