//! Findings as SARIF 2.1.0 (OASIS, "Static Analysis Results Interchange Format"), which editors and code hosts show on
//! the lines.
//!
//! One log has one run. The line that a report names is the result's location; the other end of a race and all lines
//! that led there are related locations. Written as plain JSON: the crates with types for all of the standard are
//! generated from its schema, take longer to build than a lesson, and a log uses a twentieth of them. That schema is
//! `lab/xtask/sarif-schema-2.1.0.json`, without the stray bracket in its patterns for a language.

use emulator::finding::{Finding, Severity, SourceLocation, TextEdit};
use report::{FindingTexts, Language, Reader, Source, deed_of, labelled, said};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use trial::Fix;

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// As SARIF's `level` has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    Error,
    Note,
}

/// A place in a file, from the repository's root; `column` counts characters from 1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FilePosition {
    pub path: String,
    pub line: u32,
    pub column: u32,
    /// The line itself; empty where the source is not at hand.
    #[serde(default)]
    pub text: String,
}

/// A problem and its place: one result of a log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// The slug, or another reason in one word.
    pub rule: String,
    pub level: Level,
    /// The message in a few words.
    #[serde(default)]
    pub title: String,
    /// The message, with why, and what fixes it.
    pub message: String,
    /// `None` where no line is to blame: nothing was handed in, the answer is wrong.
    pub at: Option<FilePosition>,
    /// Further lines, and what happened there.
    pub related: Vec<(FilePosition, String)>,
    /// Empty where it is no kernel's.
    pub kernel: String,
    /// The part that stays the same from run to run: the cause, and the lines by kernel.
    pub fingerprint: String,
    /// Changes of the file at `at` that fix it, and were tried.
    #[serde(default)]
    pub fix: Vec<TextEdit>,
}

impl Problem {
    /// A finding. `source` finds a file by the name that the PTX gives it.
    pub fn of<'a>(
        finding: &Finding,
        fix: &Fix,
        source: impl Fn(&str) -> Option<Source<'a>>,
        language: Language,
    ) -> Problem {
        let reader = Reader::of(finding, &source, language);
        let FindingTexts { message, why, fix: idea } = said(finding, &reader);
        let place = |at: &SourceLocation| place(at, &source);
        let located: Vec<(usize, &SourceLocation)> = (finding.accesses.iter().enumerate())
            .filter_map(|(index, access)| Some((index, access.location.as_ref()?)))
            .collect();
        let main = located.iter().find(|(index, _)| Some(*index) == finding.headline).or_else(|| located.last());
        let main_source = main.and_then(|(_, at)| source(&at.file));
        let (label, text) =
            labelled(&fix.state(main_source.map_or("", |it| it.text)), idea, finding.is_error(), &[], &reader);
        let mut related = Vec::new();
        for (index, at) in &located {
            let access = &finding.accesses[*index];
            related.push((place(at), format!("({}) {}", index + 1, deed_of(finding, access, &reader))));
            related.extend(access.called_from.iter().map(|caller| (place(caller), format!("({})", index + 1))));
        }
        // Which access comes first may change from run to run.
        let mut lines: Vec<String> = located.iter().map(|(_, at)| at.line.to_string()).collect();
        lines.sort();
        Problem {
            rule: finding.slug.as_str().to_string(),
            level: if finding.severity == Severity::Error { Level::Error } else { Level::Note },
            title: message.clone(),
            message: format!("{message}. {why} {}: {}.", capital(&label), text.replace('\n', "; ")),
            at: main.map(|(_, at)| *at).or_else(|| finding.written_beside()).map(place),
            related,
            kernel: finding.kernel.clone(),
            fingerprint: format!("{}:{}:{}", finding.kernel, finding.cause.key(), lines.join("+")),
            fix: fix.edits().to_vec(),
        }
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

fn place<'a>(at: &SourceLocation, source: &impl Fn(&str) -> Option<Source<'a>>) -> FilePosition {
    let source = source(&at.file);
    let text = source.and_then(|source| source.text.lines().nth(at.line.checked_sub(1)? as usize));
    // PTX counts bytes.
    let before = (at.column.max(1) - 1) as usize;
    let column = text.map_or(before, |text| text.char_indices().take_while(|(byte, _)| *byte < before).count());
    let path = source.map_or(at.file.as_str(), |source| source.path).to_string();
    let text = text.map_or(String::new(), |text| text.trim_end().to_string());
    FilePosition { path, line: at.line.max(1), column: column as u32 + 1, text }
}

/// A log of one run of `program`. `explained` tells of a rule: one line, and a page in Markdown.
pub fn log(program: &str, problems: &[Problem], explained: impl Fn(&str) -> Option<(String, String)>) -> Value {
    let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
    for problem in problems {
        let next = numbers.len();
        numbers.entry(&problem.rule).or_insert(next);
    }
    let mut rules = vec![Value::Null; numbers.len()];
    for (rule, number) in &numbers {
        rules[*number] = match explained(rule) {
            Some((line, page)) => {
                json!({ "id": rule, "shortDescription": { "text": line }, "help": { "text": page, "markdown": page } })
            }
            None => json!({ "id": rule }),
        };
    }
    let results: Vec<Value> = problems.iter().map(|problem| result(problem, numbers[problem.rule.as_str()])).collect();
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": program, "version": env!("CARGO_PKG_VERSION"), "rules": rules } },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

fn result(problem: &Problem, rule: usize) -> Value {
    let mut result = json!({
        "ruleId": problem.rule,
        "ruleIndex": rule,
        "level": problem.level,
        "message": { "text": format!("{}{}", problem.message, links(&problem.related)) },
        "partialFingerprints": { "causeAndLines/v1": problem.fingerprint },
    });
    let mut location = problem.at.as_ref().map(physical);
    if !problem.kernel.is_empty() {
        let location = location.get_or_insert_with(|| json!({}));
        let name = &problem.kernel;
        location["logicalLocations"] = json!([{ "name": name, "fullyQualifiedName": name, "kind": "function" }]);
    }
    if let Some(location) = location {
        result["locations"] = json!([location]);
    }
    if let (Some(at), false) = (&problem.at, problem.fix.is_empty()) {
        let replacements: Vec<Value> = problem.fix.iter().map(replacement).collect();
        let change = json!({ "artifactLocation": artifact(&at.path), "replacements": replacements });
        result["fixes"] = json!([{ "artifactChanges": [change] }]);
    }
    if !problem.related.is_empty() {
        let related = problem.related.iter().enumerate().map(|(id, (place, message))| {
            let mut location = physical(place);
            location["id"] = json!(id);
            location["message"] = json!({ "text": message });
            location
        });
        result["relatedLocations"] = related.collect();
    }
    result
}

/// ` (1) [reverse.cu:19](0), (2) [reverse.cu:17](1)`: what viewers turn into links to the related locations (3.11.6).
fn links(related: &[(FilePosition, String)]) -> String {
    let link = |(id, (place, message)): (usize, &(FilePosition, String))| {
        let file = place.path.rsplit('/').next().unwrap_or_default();
        let number = message.split(' ').next().unwrap_or_default();
        format!("{number} [{file}:{}]({id})", place.line)
    };
    let all: Vec<String> = related.iter().enumerate().map(link).collect();
    if all.is_empty() { String::new() } else { format!(" {}", all.join(", ")) }
}

fn physical(place: &FilePosition) -> Value {
    let mut region = json!({ "startLine": place.line, "startColumn": place.column });
    if !place.text.is_empty() {
        region["snippet"] = json!({ "text": place.text });
    }
    json!({ "physicalLocation": {
        "artifactLocation": artifact(&place.path),
        "region": region,
    } })
}

fn artifact(path: &str) -> Value {
    json!({ "uri": uri(path), "uriBaseId": "%SRCROOT%" })
}

fn replacement(edit: &TextEdit) -> Value {
    let TextEdit { start, end, text } = edit;
    json!({
        "deletedRegion": {
            "startLine": start.line, "startColumn": start.column, "endLine": end.line, "endColumn": end.column,
        },
        "insertedContent": { "text": text },
    })
}

/// A path as a relative reference (RFC 3986): what is no unreserved character or slash is written by its bytes.
fn uri(path: &str) -> String {
    let mut out = String::new();
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => out.push(char::from(byte)),
            byte => out += &format!("%{byte:02X}"),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use trial::testing::race;

    /// A test of `lab/` holds the stored logs to the standard's schema, and the reports to `.vscode/tasks.json`.
    fn assert_stored(name: &str, text: &str) {
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path("../tests/samples");
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.bind(|| insta::assert_snapshot!(name, text));
    }

    #[test]
    fn a_race_is_one_result_with_both_lines() {
        let source = |_: &str| Some(Source { path: "cuda/a b.cu", text: "\n" });
        let problem = Problem::of(&race(13, 16, false), &Fix::Untried, source, Language::English);
        let log = log("lesson04-atomics", std::slice::from_ref(&problem), |rule| Some((rule.into(), "page".into())));
        assert_stored("race.sarif", &format!("{log:#}"));
        let result = &log["runs"][0]["results"][0];
        assert_eq!((&result["ruleId"], &result["level"]), (&json!("race-global"), &json!("error")));
        let line = |location: &Value| location["physicalLocation"]["region"]["startLine"].as_u64();
        let related = result["relatedLocations"].as_array().expect("related lines");
        let mut lines: Vec<_> = related.iter().map(line).collect();
        lines.sort_unstable();
        assert_eq!(lines, [Some(13), Some(16)]);
        assert!(lines.contains(&line(&result["locations"][0])));
        let uri = &result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
        assert_eq!(uri, "cuda/a%20b.cu");
        let text = result["message"]["text"].as_str().expect("a message");
        assert!(text.ends_with(" (1) [a b.cu:13](0), (2) [a b.cu:16](1)"), "{text}");
    }

    #[test]
    fn a_report_is_as_an_editors_task_reads_it() {
        let source = |_: &str| Some(Source { path: "cuda/lesson04/counter.cu", text: "\n" });
        for language in Language::ALL {
            let remarks = report::Remarks { language, names_kernel: true, ..report::Remarks::default() };
            let text = report::render(&race(13, 16, false), source, &remarks, report::Paint::Plain);
            assert_stored(&format!("report.{language}"), &text);
        }
    }

    #[test]
    fn a_problem_without_a_line_has_no_location() {
        let problem = Problem {
            rule: "missing".into(),
            level: Level::Error,
            title: String::new(),
            message: "there is no file".into(),
            at: None,
            related: vec![],
            kernel: String::new(),
            fingerprint: "missing".into(),
            fix: Vec::new(),
        };
        let log = log("cargo learn", &[problem], |_| None);
        assert_stored("no_line.sarif", &format!("{log:#}"));
        assert_eq!(log["runs"][0]["results"][0].get("locations"), None);
    }
}
