//! The text for a student: which device and why, one report for each broken kernel, one table at the end.

use super::Reported;
use crate::context::DeviceKind;
use crate::lesson::Lesson;
use crate::module::Kernel;
use crate::outcome::{Merged, Outcome};
use crate::row::{Expect, Row, Variant};
use crate::shrink::{Attempt, Smallest};
use crate::token::{self, Schedule, Token};
use crate::verdict;
use driver::emulator::report::render::{Paint, Remarks, Source, hint, render};
use driver::emulator::report::{Finding, Slug};
use std::fmt::Write;
use std::path::Path;

/// The first lines.
pub fn opening(lesson: &Lesson) -> String {
    let device = &lesson.device;
    let mut out =
        format!("{} on the {}: {}\n  because {}\n", lesson.name, device.kind.as_str(), device.name, device.why);
    if let (Some(path), Some(input)) = (&lesson.options.input, &lesson.input) {
        let _ = writeln!(out, "  reading {}: {input}", path.display());
    }
    let unchanged = lesson.fixed_rows();
    if lesson.options.n.is_some() && !unchanged.is_empty() {
        let _ = writeln!(out, "  --n leaves these rows at their own size: {}", unchanged.join(", "));
    }
    out.push('\n');
    out
}

/// `--list`.
pub fn list(rows: &[Row]) -> String {
    let mut table = Table::new(&["row", "kernel", "variant", "expected"]);
    for row in rows {
        for (kernel, variant) in row.kernels() {
            let expected = match variant {
                Variant::Broken(expect) => expect.as_str(),
                Variant::CompileFail => "refused by nvcc",
                Variant::Correct | Variant::Ladder => "right, no findings",
            };
            table.line(&[row.name, &kernel, variant.as_str(), expected]);
        }
    }
    table.to_string()
}

/// Reports of one kernel that are printed whole.
pub const SHOWN: usize = 3;

/// What is to be said as soon as a kernel is done: its first reports, all of a surprise or of a replay.
pub fn progress(lesson: &Lesson, reported: &Reported) -> String {
    let mut out = String::new();
    if let Some(message) = reported.kernel.message() {
        let _ = writeln!(out, "{}: nvcc does not take it:\n", reported.kernel.name);
        message.trim().lines().for_each(|line| _ = writeln!(out, "{}", format!("    {line}").trim_end()));
        out.push('\n');
    }
    let all = lesson.options.replay.is_some() || reported.verdict.is_err();
    let findings = &reported.outcome.findings;
    let shown = if all { findings.len() } else { findings.len().min(SHOWN) };
    for merged in &findings[..shown] {
        out += &report(lesson, reported, merged);
        out.push('\n');
    }
    if findings.len() > shown {
        let more = findings.len() - shown;
        let (plural, all) = if more == 1 { ("", "it too") } else { ("s", "them too") };
        let name = &reported.kernel.name;
        let _ = writeln!(out, "{name}: {more} more finding{plural}; `--format json` lists {all}\n");
    }
    if let Some(first) = &reported.outcome.summary.first_wrong
        && (findings.is_empty() || lesson.options.replay.is_some())
    {
        let summary = &reported.outcome.summary;
        let _ = writeln!(
            out,
            "{}: the answer was wrong in {} of {} {}; first: {}",
            reported.kernel.name,
            summary.wrong_runs,
            summary.runs,
            runs(lesson.device.kind),
            first.why
        );
        out += &about_the_answer(lesson, reported);
        out.push('\n');
    }
    if let Some(smallest) = &reported.outcome.smallest {
        let is_told = |merged: &Merged| {
            let is_wrong = |smallest: &&Smallest| smallest.wrong.is_some();
            let told = merged.smallest.as_ref().filter(is_wrong).map(|one| smallest_token(reported, one));
            let first = merged.wrong.as_ref().map(|_| token_of(&reported.kernel, merged));
            [told, first].contains(&Some(smallest_token(reported, smallest)))
        };
        if !findings[..shown].iter().any(is_told) {
            let name = &reported.kernel.name;
            let (what, command) = smallest_run(lesson, reported, smallest);
            let wrong = smallest.wrong.as_deref().unwrap_or_default();
            let is_first = reported.outcome.summary.first_wrong.as_ref().is_some_and(|first| {
                let Attempt { schedule, seed, size, keep } = &smallest.attempt;
                keep.is_none() && (*schedule, *seed, *size) == (first.schedule, first.seed, first.size)
            });
            let _ = match is_first {
                true => writeln!(out, "{name}: to see it again:\n  {command}\n"),
                false => writeln!(out, "{name}: {what} is enough for a wrong answer ({wrong}):\n  {command}\n"),
            };
        }
    }
    out + &notes(&reported.outcome, |path| {
        lesson.source(path).map(|file| Source { path: file.source_path, text: file.source })
    })
}

fn notes<'a>(outcome: &Outcome, source: impl Fn(&str) -> Option<Source<'a>>) -> String {
    outcome.notes.iter().map(|note| hint(&in_its_kernel(note), &source, Paint::Ansi) + "\n").collect()
}

/// Where to look, and what for, where no finding says it.
fn about_the_answer(lesson: &Lesson, reported: &Reported) -> String {
    let Kernel { name, variant, file, .. } = &reported.kernel;
    let is_said = variant.expect() == Some(Expect::WrongResult);
    let mut out = String::new();
    if let Some(lines) = file.extent(name) {
        let _ = writeln!(out, "  --> {}:{}", file.source_path, lines.start());
    }
    if let Some(wanted) = file.wanted() {
        let _ = writeln!(out, "   = wanted: {wanted}");
    }
    // A GPU may have shown a race.
    if is_said || lesson.device.kind == DeviceKind::Emulator {
        let _ = writeln!(out, "   = why: no rule is broken; the kernel does something else than was wanted");
    }
    if is_said {
        let _ = writeln!(out, "   = explain: cargo run -p {} -- --explain wrong-result", lesson.program);
    }
    out
}

/// `a size of 2, in order but for 3 choices of adversarial,` and the command.
fn smallest_run(lesson: &Lesson, reported: &Reported, smallest: &Smallest) -> (String, String) {
    let Attempt { schedule, size, keep, .. } = &smallest.attempt;
    let how = match keep.as_ref().map(Vec::len) {
        None => schedule.to_string(),
        // What a schedule decides for the whole run, and not choice by choice.
        Some(0) if *schedule == Schedule::Random => "in order, but lanes that parted do not wait to meet again".into(),
        Some(0) => "in order, but blocks begin in another order and lanes that parted do not wait to meet again".into(),
        Some(1) => format!("in order but for 1 choice of {schedule}"),
        Some(count) => format!("in order but for {count} choices of {schedule}"),
    };
    (format!("a size of {size}, {how},"), replay(lesson, reported, smallest_token(reported, smallest)))
}

/// The command that makes a run again.
fn replay(lesson: &Lesson, reported: &Reported, token: Token) -> String {
    let input = reported.input.as_deref().map(Path::to_string_lossy);
    format!("cargo run -p {} -- {}", lesson.program, token::arguments(token, input.as_deref()))
}

/// The token of the run that a finding was first seen in.
pub(super) fn token_of(kernel: &Kernel, merged: &Merged) -> Token {
    let Merged { schedule, seed, size, keep, .. } = merged;
    Token { keep: keep.clone(), ..Token::new(&kernel.name, kernel.variant.as_str(), *schedule, *seed, *size) }
}

/// The token of a run that was made smaller.
pub(super) fn smallest_token(reported: &Reported, smallest: &Smallest) -> Token {
    let Attempt { schedule, seed, size, keep } = smallest.attempt.clone();
    let kernel = &reported.kernel;
    Token { keep, ..Token::new(&kernel.name, kernel.variant.as_str(), schedule, seed, size) }
}

fn runs(device: DeviceKind) -> &'static str {
    match device {
        DeviceKind::Emulator => "runs",
        DeviceKind::Gpu => "launches",
    }
}

fn report(lesson: &Lesson, reported: &Reported, merged: &Merged) -> String {
    let token = token_of(&reported.kernel, merged);
    // The run above may be the smallest already.
    let is_smaller = |smallest: &&Smallest| smallest_token(reported, smallest) != token;
    let smallest = merged.smallest.as_ref().filter(is_smaller).map(|smallest| {
        let (what, command) = smallest_run(lesson, reported, smallest);
        let wrong =
            smallest.wrong.as_ref().map_or_else(String::new, |why| format!(", and the answer is wrong ({why})"));
        format!("{}{wrong}: {command}", what.trim_end_matches(','))
    });
    let remarks = Remarks {
        luck: Some(luck(reported, merged)),
        replay: Some(replay(lesson, reported, token)),
        smallest,
        explain: Some(format!("cargo run -p {} -- --explain {}", lesson.program, merged.finding.slug)),
        ..Remarks::default()
    };
    let source = |path: &str| lesson.source(path).map(|file| Source { path: file.source_path, text: file.source });
    render(&in_its_kernel(&merged.finding), source, &remarks, Paint::Ansi)
}

/// With the kernel's name in front of the place: a reader has many kernels before them.
fn in_its_kernel(finding: &Finding) -> Finding {
    if finding.kernel.is_empty() {
        return finding.clone(); // The host's own read.
    }
    let place = if finding.place.is_empty() { String::new() } else { format!(", {}", finding.place) };
    Finding { place: format!("in kernel `{}`{place}", finding.kernel), ..finding.clone() }
}

/// How much chance had to do with it.
pub(super) fn luck(reported: &Reported, merged: &Merged) -> String {
    let summary = &reported.outcome.summary;
    let answer = merged.wrong.as_ref().map_or_else(|| "right".to_string(), |why| format!("wrong ({why})"));
    if summary.runs == 1 {
        return format!("this run's answer was {answer}");
    }
    let mut text = format!(
        "this run's answer was {answer}; {} of {} runs gave a wrong one, and {} showed this",
        summary.wrong_runs, summary.runs, merged.runs
    );
    if matches!(merged.finding.slug, Slug::RaceShared | Slug::RaceGlobal | Slug::RaceScope) {
        text += " race";
        if merged.reversed > 0 {
            let _ = write!(text, ", {} of them with (2) before (1)", merged.reversed);
        }
    }
    text
}

/// The table, and whether all is well.
pub fn summary(lesson: &Lesson, reported: &[Reported], skipped: &[String]) -> String {
    let on_gpu = lesson.device.kind == DeviceKind::Gpu;
    let wrong = format!("wrong {}", runs(lesson.device.kind));
    let mut head = vec!["kernel", "expected", wrong.as_str(), "found", "as expected"];
    if on_gpu {
        head = vec!["kernel", "expected", wrong.as_str(), "time", "GB/s", "of copy", "as expected"];
    }
    let mut table = Table::new(&head);
    for group in groups(reported) {
        let [reported] = group else {
            let name = format!("{} kernels of {}", group.len(), group[0].kernel.row.name);
            let runs: u64 = group.iter().map(|reported| reported.outcome.summary.runs).sum();
            let wrong = format!("0 of {runs}");
            let rest: &[&str] = if on_gpu { &["-", "-", "-", "yes"] } else { &["-", "yes"] };
            table.line(&[&[name.as_str(), "right", wrong.as_str()], rest].concat());
            continue;
        };
        let summary = &reported.outcome.summary;
        let mut expected = reported.kernel.variant.expect().map_or("right", |expect| expect.as_str());
        let mut wrong = format!("{} of {}", summary.wrong_runs, summary.runs);
        if reported.kernel.is_refused() {
            (expected, wrong) = (reported.kernel.variant.as_str(), "-".to_string());
        }
        let verdict = in_a_word(reported);
        let number = |value: Option<f64>, text: fn(f64) -> String| value.map_or_else(|| "-".to_string(), text);
        if on_gpu {
            table.line(&[
                &reported.kernel.name,
                expected,
                &wrong,
                &number(reported.time_ms, |ms| format!("{ms:.3} ms")),
                &number(reported.gb_per_s, |rate| format!("{rate:.0}")),
                &number(reported.share_of_copy, |share| format!("{:.0} %", 100.0 * share)),
                verdict,
            ]);
        } else {
            table.line(&[&reported.kernel.name, expected, &wrong, &found(reported), verdict]);
        }
    }
    let mut out = table.to_string();
    out.push('\n');
    for reported in reported {
        if let Err(why) = &reported.verdict {
            let _ = writeln!(out, "not as expected: {}: {why}", reported.kernel.name);
        }
    }
    for reported in reported.iter().filter(|reported| reported.verdict.is_ok()) {
        if let Some(came_with) = &reported.outcome.shipped {
            let (name, left, came_with) = (&reported.kernel.name, reported.outcome.real().count(), came_with.len());
            let _ = writeln!(out, "edited, and no finding is gone: {name} has {left} and came with {came_with}");
        }
    }
    for why in skipped {
        let _ = writeln!(out, "skipped: {why}");
    }
    if !reported.is_empty() && reported.iter().all(|reported| reported.verdict.is_ok()) {
        let _ = match reported.len() {
            1 => writeln!(out, "The kernel did what the lesson says."),
            n => writeln!(out, "All {n} kernels did what the lesson says."),
        };
    }
    out
}

/// Whether the kernel did as the lesson says. One that the student has mended did not, and is no failure.
fn in_a_word(reported: &Reported) -> &'static str {
    let Outcome { summary, findings, .. } = &reported.outcome;
    match &reported.verdict {
        Ok(()) => "yes",
        Err(_) if reported.kernel.is_broken() && summary.runs > 0 && summary.wrong_runs == 0 && findings.is_empty() => {
            "mended"
        }
        Err(_)
            if reported
                .outcome
                .shipped
                .as_ref()
                .is_some_and(|shipped| (1..shipped.len()).contains(&reported.outcome.real().count())) =>
        {
            "in part"
        }
        Err(_) if verdict::cause_is_another(&reported.outcome) => "changed",
        Err(_) => "NO",
    }
}

/// More correct kernels of one row than this, all as expected and without times, share a line of the table.
const LINES_A_ROW: usize = 4;

/// The kernels as the table shows them: alone, or a whole row's correct ones together.
fn groups(reported: &[Reported]) -> Vec<&[Reported]> {
    let is_plain = |reported: &Reported| {
        reported.kernel.variant == Variant::Correct && reported.verdict.is_ok() && reported.gb_per_s.is_none()
    };
    let mut groups = Vec::new();
    for row in reported.chunk_by(|a, b| a.kernel.row.name == b.kernel.row.name && is_plain(a) && is_plain(b)) {
        if row.len() > LINES_A_ROW { groups.push(row) } else { groups.extend(row.chunks(1)) }
    }
    groups
}

/// `race-global at 15`: each kind of finding with its lines.
fn found(reported: &Reported) -> String {
    if let Some(message) = reported.kernel.message() {
        return match line_of_error(message) {
            Some(line) => format!("refused at {line}"),
            None => "refused".to_string(),
        };
    }
    let mut texts: Vec<String> = Vec::new();
    for Merged { finding, .. } in &reported.outcome.findings {
        let note = if finding.benign { " (note)" } else { "" };
        texts.push(format!("{}{note}", verdict::in_short(finding)));
    }
    match texts.len() {
        0 => "-".to_string(),
        1..=2 => texts.join(", "),
        n => format!("{}, and {} more", texts[0], n - 1),
    }
}

/// The line of nvcc's first error: `cuda/a.cu(12): error: ...`.
fn line_of_error(message: &str) -> Option<u32> {
    let before = message.split_once("): error")?.0;
    before[before.rfind('(')? + 1..].parse().ok()
}

/// Left-aligned columns, two spaces apart.
pub(super) struct Table {
    lines: Vec<Vec<String>>,
}

impl Table {
    pub(super) fn new(head: &[&str]) -> Table {
        let mut table = Table { lines: Vec::new() };
        table.line(head);
        table
    }

    pub(super) fn line(&mut self, cells: &[&str]) {
        self.lines.push(cells.iter().map(|cell| cell.to_string()).collect());
    }
}

impl std::fmt::Display for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let columns = self.lines.iter().map(Vec::len).max().unwrap_or(0);
        let widths: Vec<usize> = (0..columns)
            .map(|column| {
                self.lines
                    .iter()
                    .filter_map(|line| line.get(column))
                    .map(|cell| cell.chars().count())
                    .max()
                    .unwrap_or(0)
            })
            .collect();
        for line in &self.lines {
            let text: Vec<_> = line.iter().zip(&widths).map(|(cell, &width)| format!("{cell:<width$}")).collect();
            writeln!(f, "{}", text.join("  ").trim_end())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::tests::{race, record};
    use crate::{Kernel, KernelFile};

    static CATALOGUE: Row = Row::of("catalogue").correct(&["add_int"]);
    static FILE: KernelFile =
        KernelFile { name: "catalogue", source_path: "cuda/catalogue.cu", source: "", ptx: "", shipped: None };

    fn reported(verdict: Result<(), String>) -> Reported {
        Reported {
            kernel: Kernel { name: "add_int".to_string(), variant: Variant::Correct, row: &CATALOGUE, file: &FILE },
            outcome: Outcome::of(vec![record(0, false, vec![])], None),
            verdict,
            input: None,
            time_ms: None,
            gb_per_s: None,
            share_of_copy: None,
        }
    }

    #[test]
    fn a_catalogue_is_one_line_until_something_in_it_fails() {
        let sizes = |reported: &[Reported]| groups(reported).iter().map(|group| group.len()).collect::<Vec<_>>();
        assert_eq!(sizes(&[(); 4].map(|()| reported(Ok(())))), [1, 1, 1, 1]);
        assert_eq!(sizes(&[(); 6].map(|()| reported(Ok(())))), [6]);
        let mut one_fails = [(); 11].map(|()| reported(Ok(())));
        one_fails[5].verdict = Err("wrong".to_string());
        assert_eq!(sizes(&one_fails), [5, 1, 5]);
    }

    #[test]
    fn a_mended_kernel_is_called_so_and_a_failing_one_is_not() {
        let with = |name: &str, variant, is_wrong, findings: Vec<Finding>| {
            let kernel = Kernel { name: name.to_string(), variant, row: &CATALOGUE, file: &FILE };
            let outcome = Outcome::of(vec![record(0, is_wrong, findings)], None);
            in_a_word(&Reported { kernel, outcome, ..reported(Err("not so".to_string())) })
        };
        let broken = Variant::Broken(Expect::Finding(Slug::RaceGlobal));
        assert_eq!(with("x_broken", broken, false, vec![]), "mended");
        assert_eq!(with("x_broken", broken, true, vec![]), "NO");
        assert_eq!(with("x_broken", broken, false, vec![race(13, 16, false)]), "NO");
        assert_eq!(with("x_correct", Variant::Correct, false, vec![]), "NO");
        assert_eq!(in_a_word(&reported(Ok(()))), "yes");
    }

    #[test]
    fn a_report_names_its_kernel_and_the_wrong_answer() {
        let finding = race(13, 16, false);
        assert_eq!(in_its_kernel(&finding).place, "in kernel `counter_broken`, 4 bytes");
        let host = Finding { kernel: String::new(), ..finding.clone() };
        assert_eq!(in_its_kernel(&host).place, "4 bytes");

        let mut reported = reported(Ok(()));
        reported.outcome = Outcome::of(vec![record(7, true, vec![finding.clone()])], None);
        assert_eq!(luck(&reported, &reported.outcome.findings[0]), "this run's answer was wrong (got 7, expected 64)");
        reported.outcome = Outcome::of(vec![record(7, false, vec![finding])], None);
        assert_eq!(luck(&reported, &reported.outcome.findings[0]), "this run's answer was right");
    }

    #[test]
    fn notes_have_no_slug_and_stand_once() {
        let mut outcome = Outcome::default();
        outcome.note(vec![race(13, 16, true), race(16, 13, true), race(13, 13, true)]);
        let said = notes(&outcome, |_| None);
        assert_eq!(said.matches("note\x1b[0m").count(), 2, "{said:?}");
        assert!(!said.contains("race-global") && said.contains("in kernel `counter_broken`"), "{said:?}");
    }

    #[test]
    fn what_does_not_compile_is_shown_in_nvccs_own_words() {
        static REFUSED: [crate::Refused; 2] = [
            crate::Refused { file: KernelFile { name: "old", ..FILE }, message: Some("cuda/old.cu(4): error: gone\n") },
            crate::Refused { file: KernelFile { name: "mended", ..FILE }, message: None },
        ];
        static ROW: Row = Row::of("gone").compile_fail(&REFUSED);
        let [old, mended] = ["old", "mended"].map(|name| {
            let kernel = Kernel { name: name.to_string(), variant: Variant::CompileFail, row: &ROW, file: &FILE };
            let verdict = verdict::judge(&kernel, DeviceKind::Emulator, &Outcome::default(), None);
            Reported { kernel, outcome: Outcome::default(), ..reported(verdict) }
        });
        assert_eq!((found(&old), found(&mended)), ("refused at 4".to_string(), "-".to_string()));
        assert_eq!(old.verdict, Ok(()));
        assert!(mended.verdict.unwrap_err().contains("nvcc takes it now"));
        assert!(list(&[ROW]).contains("gone  old     compile-fail  refused by nvcc"), "{}", list(&[ROW]));
    }

    #[test]
    fn columns_line_up() {
        let rows = [Row::pair("counter", Slug::RaceGlobal), Row::of("filter").ladder(&["filter_warp"])];
        assert_eq!(
            list(&rows),
            "\
row      kernel           variant  expected
counter  counter_broken   broken   race-global
counter  counter_correct  correct  right, no findings
filter   filter_warp      ladder   right, no findings
"
        );
    }
}
