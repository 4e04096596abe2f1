//! Grades as a text for another program, and texts of several runs put together.

use crate::grade::Grade;
use crate::reason::{Reason, listed};
use anyhow::{Context, Result, bail};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use tell::sarif::{self, FilePosition, Level, Problem};

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum ReportFormat {
    Json,
    Junit,
    Csv,
    // One log of what is wrong in the files, for editors and code hosts.
    Sarif,
    // One student's, as notices of a GitHub Actions run ("Workflow commands"). The last two are those by which GitHub
    // Classroom's own reporter told the points.
    Github,
}

/// Reports of several runs, written as JSON: one report. Nobody may be in two of them with one exercise.
pub fn merge(files: &[PathBuf]) -> Result<Vec<Grade>> {
    let mut all: Vec<(Grade, &Path)> = Vec::new();
    for file in files {
        let shown = file.display();
        let text = fs::read_to_string(file).with_context(|| say!("cannot-read", path = shown.to_string()))?;
        let grades: Vec<Grade> =
            serde_json::from_str(&text).with_context(|| say!("merge-no-report", file = shown.to_string()))?;
        all.extend(grades.into_iter().map(|grade| (grade, file.as_path())));
    }
    let name = |(grade, _): &(Grade, &Path)| (grade.student.clone(), grade.exercise.clone());
    all.sort_by_key(name);
    if let Some(pair) = all.windows(2).find(|pair| name(&pair[0]) == name(&pair[1])) {
        let (student, exercise) = name(&pair[0]);
        let [first, second] = [0, 1].map(|at| pair[at].1.display().to_string());
        bail!(say!("merge-twice", student, exercise, first, second));
    }
    Ok(all.into_iter().map(|(grade, _)| grade).collect())
}

/// The grades as a text for another program.
pub fn report(grades: &[Grade], format: ReportFormat) -> Result<String> {
    let mut text = String::new();
    match format {
        ReportFormat::Json => text = serde_json::to_string_pretty(grades)? + "\n",
        ReportFormat::Csv => {
            text.push_str("student,exercise,passed,kinds,seconds,points,of,refused,reason\n");
            for Grade { student, exercise, verdict, seconds, points, of, .. } in grades {
                // Everything that is no number: names of folders and files are the students' own.
                let (kinds, refused) = (listed(&verdict.kinds, " "), verdict.refused.join(" "));
                let reason = verdict.reason();
                let [student, exercise, kinds, refused, reason] =
                    [student, exercise, &kinds, &refused, &reason].map(|text| quoted(text));
                let passed = verdict.passed;
                let row =
                    format!("{student},{exercise},{passed},{kinds},{seconds:.2},{points},{of},{refused},{reason}");
                text += &(row + "\n");
            }
        }
        ReportFormat::Junit => {
            text.push_str("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
            for student in grades.chunk_by(|a, b| a.student == b.student) {
                let failed = student.iter().filter(|grade| !grade.verdict.passed).count();
                let name = escaped(&student[0].student);
                let _ =
                    writeln!(text, "  <testsuite name=\"{name}\" tests=\"{}\" failures=\"{failed}\">", student.len());
                for Grade { exercise, verdict, seconds, .. } in student {
                    let _ =
                        write!(text, "    <testcase classname=\"{name}\" name=\"{exercise}\" time=\"{seconds:.2}\"");
                    if verdict.passed {
                        text.push_str("/>\n");
                    } else {
                        let kinds = escaped(&listed(&verdict.kinds, ", "));
                        let _ = writeln!(
                            text,
                            ">\n      <failure message=\"{kinds}\">{}</failure>",
                            escaped(&verdict.text)
                        );
                        text.push_str("    </testcase>\n");
                    }
                }
                text.push_str("  </testsuite>\n");
            }
            text.push_str("</testsuites>\n");
        }
        ReportFormat::Sarif => {
            let problems: Vec<Problem> = grades.iter().flat_map(|grade| problems(grade, is_class(grades))).collect();
            let log = sarif::log("cargo learn", &problems, tell::explain::in_short);
            text = serde_json::to_string_pretty(&log)? + "\n";
        }
        ReportFormat::Github => {
            let names_student = is_class(grades);
            for grade in grades {
                let Grade { student, exercise, verdict, points, of, .. } = grade;
                // One student's repository needs no name.
                let whole = if names_student { format!("{student}: {exercise}") } else { exercise.clone() };
                let exercise = property(&whole);
                if verdict.passed {
                    let _ = writeln!(
                        text,
                        "::notice title={exercise}::{}",
                        data(&say!("points-of", points = *points, of = *of))
                    );
                    continue;
                }
                let kinds = listed(&verdict.kinds, " ");
                let _ = writeln!(
                    text,
                    "::error title={exercise}::{}, {kinds}",
                    data(&say!("points-of", points = *points, of = *of))
                );
                for Problem { at, rule, message, .. } in problems(grade, names_student) {
                    if let Some(FilePosition { path, line, .. }) = at {
                        let (path, message) = (property(&path), data(&message));
                        let _ = writeln!(text, "::error file={path},line={line},title={rule}::{message}");
                    }
                }
                let _ = writeln!(text, "::group::{}\n{}::endgroup::", data(&whole), harmless(&verdict.text));
            }
            let (points, of) = grades.iter().fold((0, 0), |sum, grade| (sum.0 + grade.points, sum.1 + grade.of));
            let _ = writeln!(text, "::notice title=Autograding complete::Points {points}/{of}");
            let totals = serde_json::json!({ "totalPoints": points, "maxPoints": of });
            let _ = writeln!(text, "::notice title=Autograding report::{totals}");
        }
    }
    Ok(text)
}

fn is_class(grades: &[Grade]) -> bool {
    grades.iter().any(|grade| grade.student != grades[0].student)
}

/// Returns the problems of one answer. In a class a path begins with the student.
fn problems(grade: &Grade, names_student: bool) -> Vec<Problem> {
    let Grade { student, exercise, verdict, .. } = grade;
    let mut problems = verdict.problems.clone();
    if problems.is_empty() && !verdict.passed {
        let rule = verdict.main_kind().unwrap_or(Reason::Error).as_str();
        problems.push(Problem {
            rule: rule.to_string(),
            level: Level::Error,
            title: String::new(),
            message: verdict.line().to_string(),
            at: None,
            related: Vec::new(),
            kernel: exercise.clone(),
            fingerprint: format!("{exercise}:{rule}"),
            fix: Vec::new(),
        });
    }
    if names_student {
        for problem in &mut problems {
            problem.fingerprint = format!("{student}:{}", problem.fingerprint);
            let related = problem.related.iter_mut().map(|(place, _)| place);
            problem.at.iter_mut().chain(related).for_each(|place| place.path = format!("{student}/{}", place.path));
        }
    }
    problems
}

/// A message of a workflow command (GitHub, "Workflow commands").
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// One of its properties.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

/// For the log of a GitHub Actions run, where a line that begins with `::`, or has `##[` anywhere, is a command: what a
/// kernel prints must not give points.
fn harmless(text: &str) -> String {
    text.replace("##[", "# #[").split(['\n', '\r']).map(|line| format!("| {line}\n")).collect()
}

/// A field of CSV. One that a spreadsheet would take for a formula is made text, and one that it might split, too.
fn quoted(text: &str) -> String {
    let is_formula = text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n']);
    let plain = if is_formula { format!("'{text}") } else { text.to_string() };
    let is_split = plain.contains([',', ';', '\t', '"', '\n', '\r']);
    if is_split { format!("\"{}\"", plain.replace('"', "\"\"")) } else { plain }
}

/// For XML, which has no way to write most control characters.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(c),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verdict::Verdict;

    #[test]
    fn names_and_texts_cannot_break_out_of_a_report() {
        let grade = Grade {
            student: "=1+1,\"<a>\"".into(),
            exercise: "02_sync/x".into(),
            verdict: Verdict::failed(Reason::Answer, "a < b & \u{1b}[31m".into()),
            seconds: 0.5,
            cached: false,
            points: 0,
            of: 2,
        };
        let csv = report(std::slice::from_ref(&grade), ReportFormat::Csv).unwrap();
        assert_eq!(csv.lines().nth(1), Some("\"'=1+1,\"\"<a>\"\"\",02_sync/x,false,answer,0.50,0,2,,a < b & [31m"));
        let junit = report(&[grade], ReportFormat::Junit).unwrap();
        assert!(
            junit.contains("a &lt; b &amp; \u{fffd}[31m") && junit.contains("name=\"=1+1,&quot;&lt;a&gt;&quot;\""),
            "{junit}"
        );
        assert_eq!(junit.matches('<').count(), junit.matches('>').count());
    }

    #[test]
    fn a_spreadsheet_runs_no_cell() {
        for begin in ["=", "+", "-", "@", "\t", "\r", "\n", "\t=", "a;="] {
            let text = format!("{begin}HYPERLINK(1)");
            let grade = Grade {
                student: text.clone(),
                exercise: text.clone(),
                verdict: Verdict::failed(Reason::Compile, String::new()).with_refused(vec![text.clone()]),
                seconds: 0.5,
                cached: false,
                points: 0,
                of: 1,
            };
            let csv = report(&[grade], ReportFormat::Csv).unwrap();
            let (_, row) = csv.split_once('\n').unwrap();
            let cell = if begin == "a;=" { format!("\"{text}\"") } else { format!("'{text}") };
            assert_eq!(row.matches(&cell).count(), 3, "{row}");
            // Nothing but a letter, a digit, a quote or an apostrophe begins a cell.
            let cells = row.split([',', ';', '\t', '\n', '\r']).filter(|cell| !row.contains('"') && !cell.is_empty());
            cells.for_each(|cell| assert!(cell.starts_with(|c: char| c.is_alphanumeric() || c == '\''), "{row}"));
        }
    }

    #[test]
    fn a_kernels_output_gives_no_command_to_github() {
        let text = "::error::a\r::notice::b\n  ::notice::c\nx ##[notice]d";
        let verdict = Verdict::failed(Reason::Answer, text.into());
        let (student, exercise) = ("a".into(), "02_sync/x".into());
        let report = report(
            &[Grade { student, exercise, verdict, seconds: 0.5, cached: false, points: 0, of: 2 }],
            ReportFormat::Github,
        );
        let report = report.unwrap();
        let commands: Vec<&str> = report.lines().filter(|line| line.trim_start().starts_with("::")).collect();
        let wanted = [
            "::error title=02_sync/x::0 of 2 points, answer",
            "::group::02_sync/x",
            "::endgroup::",
            "::notice title=Autograding complete::Points 0/2",
            "::notice title=Autograding report::{\"maxPoints\":2,\"totalPoints\":0}",
        ];
        assert_eq!(commands, wanted);
        assert!(!report.contains("##[") && !report.contains('\r'), "{report}");
    }

    /// Both lines of a race, on the student's file.
    #[test]
    fn a_finding_is_a_mark_on_its_line() {
        let at = |line| FilePosition { path: "02_sync/x.cu".into(), line, column: 5, text: String::new() };
        let problem = Problem {
            rule: "race-shared".into(),
            level: Level::Error,
            title: "a".into(),
            message: "a\nb: 100 %".into(),
            at: Some(at(12)),
            related: vec![(at(12), "(2)".into()), (at(10), "(1)".into())],
            kernel: "k".into(),
            fingerprint: "k".into(),
            fix: Vec::new(),
        };
        let failed = Verdict { problems: vec![problem], ..Verdict::failed(Reason::Answer, "no".into()) };
        let grade = |student: &str, verdict: &Verdict| Grade {
            student: student.into(),
            exercise: "02_sync/x".into(),
            verdict: verdict.clone(),
            seconds: 0.5,
            cached: false,
            points: 0,
            of: 2,
        };
        let github = report(&[grade("ada", &failed)], ReportFormat::Github).unwrap();
        let mark = "::error file=02_sync/x.cu,line=12,title=race-shared::a%0Ab: 100 %25\n";
        assert!(github.contains(mark), "{github}");
        let class = report(&[grade("ada", &failed), grade("b, c", &failed)], ReportFormat::Github).unwrap();
        for line in [
            "::error title=ada%3A 02_sync/x::0 of 2 points, answer\n",
            "::error file=b%2C c/02_sync/x.cu,line=12,title=race-shared::",
            "::group::b, c: 02_sync/x\n",
        ] {
            assert!(class.contains(line), "{line}: {class}");
        }
        let missing = Verdict::failed(Reason::Missing, "there is no file".into());
        let log = report(&[grade("ada", &failed), grade("bob", &missing)], ReportFormat::Sarif).unwrap();
        let log: serde_json::Value = serde_json::from_str(&log).unwrap();
        let results = log["runs"][0]["results"].as_array().unwrap();
        let uri = &results[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
        assert_eq!((uri.as_str(), results.len()), (Some("ada/02_sync/x.cu"), 2));
        assert_eq!(results[0]["relatedLocations"].as_array().map(Vec::len), Some(2));
        assert_eq!(results[1]["message"]["text"], "there is no file");
    }
}
