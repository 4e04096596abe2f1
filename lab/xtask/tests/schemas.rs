//! Stored outputs of the course's tests, checked against the schemas of `docs/`, to SARIF's, and to the patterns of an
//! editor's task.

#[path = "../../../emulator/report/tests/samples/mod.rs"]
mod samples;

use serde_json::Value;
use std::fs;
use std::path::Path;

/// An object of `--format json` with all that there may be: findings, notes, counters, times.
const OBJECT: &str = "common/src/report/json/snapshots/whole.snap";
fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The text of a snapshot, without what insta writes above it.
fn stored(path: &str) -> String {
    let text = read(path);
    let (_, body) = text.strip_prefix("---\n").and_then(|rest| rest.split_once("---\n")).expect("insta's head");
    body.to_string()
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

struct Schema(jsonschema::Validator);

impl Schema {
    fn of(schema: &Value) -> Schema {
        Schema(jsonschema::validator_for(schema).expect("a schema"))
    }

    #[track_caller]
    fn assert_fits(&self, value: &Value) {
        let errors: Vec<String> =
            self.0.iter_errors(value).map(|error| format!("{}: {error}", error.instance_path())).collect();
        assert!(errors.is_empty(), "{errors:#?}\n{value:#}");
    }

    /// The schema does say no.
    #[track_caller]
    fn assert_refuses(&self, value: &Value, path: &str, wrong: Value) {
        let mut value = value.clone();
        *value.pointer_mut(path).expect("it is there") = wrong;
        assert!(!self.0.is_valid(&value), "{path}");
    }
}

#[test]
fn the_object_of_a_lesson_fits() {
    let schema = Schema::of(&json(&read("docs/output.schema.json")));
    let object = json(&stored(OBJECT));
    schema.assert_fits(&object);
    for (path, wrong) in [
        ("/version", 2.into()),
        ("/rows/0/findings/0/cause/kind", "no-such-cause".into()),
        ("/rows/0/findings/0/cause/family", Value::Null),
        ("/rows/0/findings/0/accesses/0/did", "writes 1".into()),
        ("/rows/0/findings/0/remedies", serde_json::json!([{ "kind": "insert-barrier" }])),
    ] {
        schema.assert_refuses(&object, path, wrong);
    }
}

/// A trace holds findings as they are.
#[test]
fn every_finding_fits() {
    let trace = json(&read("docs/trace.schema.json"));
    let schema = Schema::of(&serde_json::json!({ "$ref": "#/$defs/Finding", "$defs": trace["$defs"] }));
    let findings: Vec<Value> =
        samples::findings().iter().map(|finding| serde_json::to_value(finding).expect("it is written")).collect();
    findings.iter().for_each(|finding| schema.assert_fits(finding));
    schema.assert_refuses(&findings[0], "/cause/kind", "no-such-cause".into());
}

#[test]
fn a_log_is_as_the_standard_says() {
    let schema = Schema::of(&json(&read("lab/xtask/sarif-schema-2.1.0.json")));
    for name in ["race", "no_line"] {
        let log = json(&stored(&format!("tell/tests/samples/{name}.sarif.snap")));
        schema.assert_fits(&log);
        schema.assert_refuses(&log, "/runs/0/results/0/level", "fatal".into());
    }
}

/// `.vscode/tasks.json` finds a report's title and the place below it.
#[test]
fn an_editors_task_reads_a_report() {
    let tasks = json(&read(".vscode/tasks.json"));
    let pattern = tasks["tasks"][0]["problemMatcher"][0]["pattern"].as_array().expect("two lines").clone();
    for language in ["en", "es"] {
        let text = stored(&format!("tell/tests/samples/report.{language}.snap"));
        let captured = |(pattern, line): (&Value, &str)| -> Vec<String> {
            let regex = fancy_regex::Regex::new(pattern["regexp"].as_str().expect("a regex")).expect("a regex");
            let captures = regex.captures(line).expect("it ends").expect("it fits");
            captures.iter().flatten().skip(1).map(|part| part.as_str().to_string()).collect()
        };
        let found: Vec<Vec<String>> = pattern.iter().zip(text.lines()).map(captured).collect();
        assert_eq!((found[0][0].as_str(), found[0][1].as_str()), ("error", "race-global"), "{text}");
        assert_eq!(found[1], ["cuda/lesson04/counter.cu", "16"], "{text}");
    }
}
