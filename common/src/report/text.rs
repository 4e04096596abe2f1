//! The text for a student: which device and why, and one report for each broken kernel. The table is in `table.rs`.

use super::{Reported, Setting};
use crate::context::DeviceKind;
use crate::input::Input;
use crate::module::Kernel;
use crate::outcome::{Merged, Outcome};
use crate::row::Expect;
use crate::shrink::{Attempt, Smallest};
use crate::token::{self, Schedule, Token};
use driver::emulator::finding::Slug;
use report::{Paint, Remarks, Source, render};
use std::fmt::Write;
use std::path::Path;

/// The first lines. `input` is what `--input` names; `unchanged` the rows that `--n` leaves at their own size.
pub fn opening(setting: &Setting, input: Option<&Input>, unchanged: &[&str]) -> String {
    let Setting { lesson, device, .. } = setting;
    let mut out = format!("{lesson} on the {}: {}\n  because {}\n", device.kind.as_str(), device.name, device.why);
    if let (Some(path), Some(input)) = (setting.input, input) {
        let _ = writeln!(out, "  reading {}: {input}", path.display());
    }
    if !unchanged.is_empty() {
        let _ = writeln!(out, "  --n leaves these rows at their own size: {}", unchanged.join(", "));
    }
    out.push('\n');
    out
}

/// Reports of one kernel that are printed whole.
pub const SHOWN: usize = 3;

/// What is to be said as soon as a kernel is done: its first reports, all of a surprise or of a replay.
pub fn progress(setting: &Setting, reported: &Reported) -> String {
    let mut out = String::new();
    if let Some(message) = reported.kernel.message() {
        let _ = writeln!(out, "{}: nvcc does not take it:\n", reported.kernel.name);
        message.trim().lines().for_each(|line| _ = writeln!(out, "{}", format!("    {line}").trim_end()));
        out.push('\n');
    }
    let all = setting.is_replay || reported.verdict.is_err();
    let findings = &reported.outcome.findings;
    let shown = if all { findings.len() } else { findings.len().min(SHOWN) };
    for merged in &findings[..shown] {
        out += &report(setting, reported, merged);
        out.push('\n');
    }
    if findings.len() > shown {
        let more = findings.len() - shown;
        let (plural, all) = if more == 1 { ("", "it too") } else { ("s", "them too") };
        let name = &reported.kernel.name;
        let _ = writeln!(out, "{name}: {more} more finding{plural}; `--format json` lists {all}\n");
    }
    if let Some(first) = &reported.outcome.summary.first_wrong
        && (findings.is_empty() || setting.is_replay)
    {
        let summary = &reported.outcome.summary;
        let _ = writeln!(
            out,
            "{}: the answer was wrong in {} of {} {}; first: {}",
            reported.kernel.name,
            summary.wrong_runs,
            summary.runs,
            runs(setting.device.kind),
            first.why
        );
        out += &about_the_answer(setting, reported);
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
            let (what, command) = smallest_run(setting, reported, smallest);
            let wrong = smallest.wrong.as_ref().map(ToString::to_string).unwrap_or_default();
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
    out + &notes(&reported.outcome, |path| setting.source(path))
}

fn notes<'a>(outcome: &Outcome, source: impl Fn(&str) -> Option<Source<'a>>) -> String {
    let remarks = Remarks { is_hint: true, names_kernel: true, ..Remarks::default() };
    outcome.notes.iter().map(|note| render(note, &source, &remarks, Paint::Ansi) + "\n").collect()
}

/// Where to look, and what for, where no finding says it.
fn about_the_answer(setting: &Setting, reported: &Reported) -> String {
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
    if is_said || setting.device.kind == DeviceKind::Emulator {
        let _ = writeln!(out, "   = why: no rule is broken; the kernel does something else than was wanted");
    }
    if is_said {
        let _ = writeln!(out, "   = explain: cargo run -p {} -- --explain wrong-result", setting.program);
    }
    out
}

/// `a size of 2, in order but for 3 choices of adversarial,` and the command.
fn smallest_run(setting: &Setting, reported: &Reported, smallest: &Smallest) -> (String, String) {
    let Attempt { schedule, size, keep, .. } = &smallest.attempt;
    let how = match keep.as_ref().map(Vec::len) {
        None => schedule.to_string(),
        // What a schedule decides for the whole run, and not choice by choice.
        Some(0) if *schedule == Schedule::Random => "in order, but lanes that parted do not wait to meet again".into(),
        Some(0) => "in order, but blocks begin in another order and lanes that parted do not wait to meet again".into(),
        Some(1) => format!("in order but for 1 choice of {schedule}"),
        Some(count) => format!("in order but for {count} choices of {schedule}"),
    };
    (format!("a size of {size}, {how},"), replay(setting, reported, smallest_token(reported, smallest)))
}

/// The command that makes a run again.
fn replay(setting: &Setting, reported: &Reported, token: Token) -> String {
    let input = reported.input.as_deref().map(Path::to_string_lossy);
    format!("cargo run -p {} -- {}", setting.program, token::arguments(token, input.as_deref()))
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

pub(super) fn runs(device: DeviceKind) -> &'static str {
    match device {
        DeviceKind::Emulator => "runs",
        DeviceKind::Gpu => "launches",
    }
}

fn report(setting: &Setting, reported: &Reported, merged: &Merged) -> String {
    let token = token_of(&reported.kernel, merged);
    // The run above may be the smallest already.
    let is_smaller = |smallest: &&Smallest| smallest_token(reported, smallest) != token;
    let smallest = merged.smallest.as_ref().filter(is_smaller).map(|smallest| {
        let (what, command) = smallest_run(setting, reported, smallest);
        let wrong =
            smallest.wrong.as_ref().map_or_else(String::new, |why| format!(", and the answer is wrong ({why})"));
        format!("{}{wrong}: {command}", what.trim_end_matches(','))
    });
    let remarks = Remarks {
        luck: Some(luck(reported, merged)),
        replay: Some(replay(setting, reported, token)),
        smallest,
        more: Some(format!("cargo run -p {} -- --explain {}", setting.program, merged.finding.slug)),
        names_kernel: true,
        ..Remarks::default()
    };
    render(&merged.finding, |path| setting.source(path), &remarks, Paint::Ansi)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::tests::{race, record};
    use crate::report::tests::{counter_broken, on, reported, setting};

    #[test]
    fn the_first_lines_say_where_and_why_and_what_the_options_change() {
        let device = on(DeviceKind::Emulator);
        let first = "lesson04 on the emulator: a device\n  because it was asked for\n";
        assert_eq!(opening(&setting(&device), None, &[]), format!("{first}\n"));
        let reading = Setting { input: Some(Path::new("a.bin")), ..setting(&device) };
        let input = Input::of(vec![1, 2, 3]);
        assert_eq!(
            opening(&reading, Some(&input), &["lock_order", "names"]),
            format!(
                "{first}  reading a.bin: {input}\n  --n leaves these rows at their own size: lock_order, names\n\n"
            )
        );
    }

    #[test]
    fn a_finding_quotes_its_lines_and_names_the_command_of_its_program() {
        let device = on(DeviceKind::Emulator);
        let text = progress(&setting(&device), &counter_broken(vec![race(2, 3, false)]));
        assert!(text.contains("store();") && text.contains("load();"), "{text}");
        assert!(text.contains("cargo run -p lesson04-atomics -- --replay counter/broken/random/7/64"), "{text}");
    }

    #[test]
    fn a_replay_shows_every_finding_and_any_other_run_the_first_three() {
        let device = on(DeviceKind::Emulator);
        let reported = counter_broken((1..=5).map(|line| race(line, line + 10, false)).collect());
        let shown = |is_replay| {
            let text = progress(&Setting { is_replay, ..setting(&device) }, &reported);
            text.matches("-- --replay counter/broken/random/7/64").count()
        };
        let text = progress(&setting(&device), &reported);
        assert!(text.contains("counter_broken: 2 more findings"), "{text}");
        assert_eq!((shown(false), shown(true)), (SHOWN, 5), "{text}");
    }

    #[test]
    fn a_report_names_its_kernel_and_the_wrong_answer() {
        let finding = race(13, 16, false);
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
}
