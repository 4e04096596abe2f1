//! On a GPU a race that did no harm looks like correct code. Beside the launches it was wrong in stands the emulator's
//! proof: the same lesson, run on the emulated device in a process of its own.

use super::{Reported, Setting};
use anyhow::Context as _;
use serde_json::Value;
use std::fmt::Write;
use std::process::{Command, Stdio};
use trial::token;
use words::Language;

/// The proofs of all broken kernels, or in words why there are none.
pub fn proofs(setting: &Setting, reported: &[Reported]) -> String {
    let mut rows: Vec<&str> = reported
        .iter()
        .filter(|reported| reported.kernel.is_broken())
        .map(|reported| reported.kernel.row.name)
        .collect();
    rows.dedup();
    if rows.is_empty() {
        return String::new();
    }
    match ask(setting, &rows) {
        Ok(answer) => proof(&answer, setting.program),
        Err(error) => say!("no-proof", why = crate::in_a_line(&error)) + "\n",
    }
}

fn ask(setting: &Setting, rows: &[&str]) -> anyhow::Result<Value> {
    let program = std::env::current_exe().context("this program does not find itself")?;
    let mut command = Command::new(program);
    command.args(["--device", "emulator", "--format", "json"]);
    rows.iter().for_each(|row| _ = command.args(["--only", row]));
    if let Some(input) = setting.input {
        command.arg("--input").arg(input);
    }
    let output = command.stdin(Stdio::null()).stderr(Stdio::inherit()).output()?;
    serde_json::from_slice(&output.stdout).context("its JSON does not parse")
}

/// One paragraph a broken kernel, from the JSON that the emulator's run printed.
fn proof(answer: &Value, program: &str) -> String {
    let mut out = say!("proofs") + "\n";
    for row in answer["rows"].as_array().into_iter().flatten().filter(|row| row["variant"] == "broken") {
        let (kernel, runs) = (text(&row["kernel"]), &row["runs"]);
        match row["findings"].as_array().and_then(|findings| findings.first()) {
            Some(finding) => {
                let lines = finding["lines"].as_array().into_iter().flatten().map(Value::to_string);
                let lines = lines.collect::<Vec<_>>().join("+");
                // A finding of the host has no line.
                let colon = if lines.is_empty() { "" } else { ":" };
                let (slug, file) = (text(&finding["slug"]), text(&finding["file"]));
                let _ = write!(out, "  {}", say!("proof", kernel, slug, at = format!("{file}{colon}{lines}")));
                // JSON is English.
                let is_read = Language::current() == Language::English;
                let _ = writeln!(
                    out,
                    "{}",
                    if is_read { format!(": {}", text(&finding["message"])) } else { String::new() }
                );
                let replay = token::arguments(text(&finding["replay"]), row["input"].as_str());
                let _ = writeln!(out, "    cargo run -p {program} -- --device emulator {replay}");
            }
            None => {
                let _ = writeln!(
                    out,
                    "  {}",
                    say!(
                        "proof-wrong",
                        kernel,
                        wrong = row["wrong_runs"].as_u64().unwrap_or(0),
                        runs = runs.as_u64().unwrap_or(0)
                    )
                );
            }
        }
    }
    out
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or("?")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_race_is_shown_with_its_lines_and_a_wrong_result_with_its_count() {
        let answer = serde_json::json!({ "rows": [
            { "kernel": "counter_broken", "variant": "broken", "runs": 65, "wrong_runs": 65, "findings": [{
                "slug": "race-global", "file": "cuda/lesson04/counter.cu", "lines": [13, 16],
                "message": "two accesses are not ordered", "replay": "counter/broken/in-order/0/64" }] },
            { "kernel": "counter_correct", "variant": "correct", "runs": 65, "wrong_runs": 0, "findings": [] },
            { "kernel": "filter_broken", "variant": "broken", "runs": 65, "wrong_runs": 65, "input": "my photo.png",
                "findings": [{ "slug": "race-global", "file": "cuda/lesson04/filter.cu", "lines": [9],
                "message": "two accesses are not ordered", "replay": "filter/broken/in-order/0/64" }] },
            { "kernel": "inc_broken", "variant": "broken", "runs": 65, "wrong_runs": 64, "findings": [] },
            { "kernel": "tail_broken", "variant": "broken", "runs": 65, "wrong_runs": 65, "findings": [{
                "slug": "undefined-value", "file": "cuda/lesson01/tail.cu", "lines": [],
                "message": "the host copies a value that was never written", "replay": "tail/broken/in-order/0/5" }] },
        ]});
        assert_eq!(
            proof(&answer, "lesson04-atomics"),
            "\
What the emulator finds in the same broken kernels, independent of luck:
  counter_broken: race-global at cuda/lesson04/counter.cu:13+16: two accesses are not ordered
    cargo run -p lesson04-atomics -- --device emulator --replay counter/broken/in-order/0/64
  filter_broken: race-global at cuda/lesson04/filter.cu:9: two accesses are not ordered
    cargo run -p lesson04-atomics -- --device emulator --replay filter/broken/in-order/0/64 --input 'my photo.png'
  inc_broken: wrong in 64 of 65 runs
  tail_broken: undefined-value at cuda/lesson01/tail.cu: the host copies a value that was never written
    cargo run -p lesson04-atomics -- --device emulator --replay tail/broken/in-order/0/5
"
        );
    }
}
