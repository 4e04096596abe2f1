//! `--trace FILE`: the file that a lesson writes, in both forms, and what is refused before the work.

use common::testing::Table;
use lesson02_sync::{KERNELS, ROWS};
use serde_json::Value;
use std::path::{Path, PathBuf};

const TABLE: Table = Table { program: env!("CARGO_BIN_EXE_lesson02-sync"), files: KERNELS, rows: ROWS };

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// Runs the lesson, and reads what it has written.
fn traced(name: &str, arguments: &[&str]) -> Value {
    let path = file(name);
    let _ = std::fs::remove_file(&path);
    let output = TABLE.run(&[arguments, &["--trace", path.to_str().expect("a plain name")]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.contains(&format!("is in {}", path.display())), "{said}");
    serde_json::from_slice(&std::fs::read(&path).expect("it is written")).expect("it is JSON")
}

fn line(trace: &Value, position: &Value) -> u64 {
    let event = &trace["events"][position.as_u64().expect("a position") as usize];
    assert_eq!(event["kind"], "access");
    let site = event["site"].as_u64().expect("a site") as usize;
    trace["sites"][site]["location"]["line"].as_u64().expect("a line")
}

#[test]
fn a_trace_shows_the_race() {
    // Other runs of the row end alone, with a fix and a smaller run: the trace is of the one that is to be repeated.
    let of_row = traced("row.json", &["--only", "reverse"]);
    let of_replay = traced("replay.json", &["--replay", "reverse/broken/in-order/0/64"]);
    assert_eq!(of_row, of_replay);
    let trace = of_row;
    assert_eq!(
        (&trace["kernel"], &trace["replay"]),
        (&"reverse_broken".into(), &"reverse/broken/in-order/0/64".into())
    );
    let found = &trace["findings"][0];
    assert_eq!(found["finding"]["slug"], "race-shared");
    let lines: Vec<u64> = found["accesses"].as_array().expect("two").iter().map(|at| line(&trace, at)).collect();
    assert_eq!(lines, [19, 17]);
}

#[test]
fn a_viewer_gets_the_trace_in_its_own_form() {
    let timeline = traced("reverse.perfetto.json", &["--replay", "reverse/broken/in-order/0/64"]);
    let entries = timeline["traceEvents"].as_array().expect("a list");
    for entry in entries {
        assert!(["ph", "ts", "pid", "tid"].iter().all(|&field| !entry[field].is_null()), "{entry}");
    }
    let of = |ph: &str, name: &str| entries.iter().filter(|entry| entry["ph"] == ph && entry["name"] == name).count();
    // Two warps, each in that line once; and an arrow from the one access to the other.
    assert_eq!(
        (of("X", "reverse.cu:17"), of("X", "turn"), of("s", "race-shared"), of("f", "race-shared")),
        (2, 2, 1, 1)
    );
}

#[test]
fn without_a_bug_the_first_run_is_traced() {
    let trace = traced("correct.json", &["--replay", "reverse/correct/random/7/64"]);
    assert_eq!((&trace["replay"], &trace["findings"]), (&"reverse/correct/random/7/64".into(), &Value::Array(vec![])));
    let opens = trace["events"].as_array().expect("a list").iter().filter(|event| event["kind"] == "opens").count();
    assert_eq!(opens, 1);
}

#[test]
fn what_cannot_be_written_is_refused_before_the_work() {
    let nowhere = file("no_such_folder/trace.json");
    for (path, says) in [(nowhere.to_str().expect("a plain name"), "--trace cannot write"), ("trace.txt", ".json")] {
        let output = TABLE.run(&["--only", "reverse", "--trace", path]);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(output.stdout.is_empty() && error.contains(says) && error.contains(path), "{error}");
    }
}
