//! The text for a student: which device and why, and one report for each broken kernel. The table is in `table.rs`.

use super::{Reported, Setting};
use crate::device::context::DeviceKind;
use crate::speech;
use crate::table::input::Input;
use crate::table::kernel::Kernel;
use crate::table::kernel_file::KernelFile;
use crate::table::row::{Expect, Row, Variant};
use emulator::finding::{AtomicOperation, MemoryPlace, Slug};
use report::{Paint, Reader, Remarks, Source, deed_alone, labelled, named_place, parameter_name, remark, render};
use std::fmt::{Display, Write};
use std::path::Path;
use trial::{
    FirstWrong, Kept, LastWriter, MergedFinding, Outcome, ReplayToken, RunId, SHOWN, Schedule, Smallest, Wrong, token,
};
use words::Language;

/// The first lines. `input` is what `--input` names; `unchanged` the rows that `--n` leaves at their own size.
pub fn opening(setting: &Setting, input: Option<&Input>, unchanged: &[&str]) -> String {
    let Setting { lesson, device, .. } = setting;
    let (name, why) = (&device.name, &device.why);
    let mut out = say!("opening", lesson = *lesson, device = device.kind.as_str(), name) + "\n";
    let _ = writeln!(out, "  {}", say!("opening-why", why));
    if setting.is_exhaustive {
        let _ = writeln!(out, "  {}", say!("opening-exhaust"));
    } else if device.kind == DeviceKind::Emulator && !setting.is_replay {
        let _ = writeln!(out, "  {}", say!("opening-runs"));
    }
    if let (Some(path), Some(input)) = (setting.input, input) {
        let path = path.display().to_string();
        let _ = writeln!(out, "  {}", say!("opening-input", path, input = input.to_string()));
    }
    if !unchanged.is_empty() {
        let _ = writeln!(out, "  {}", say!("opening-unchanged", rows = unchanged.join(", ")));
    }
    out.push('\n');
    out
}

/// The page that a report offers to write.
const PAGE: &str = "run.html";

/// Returns the text to print as soon as a kernel is done: its first reports, all of a surprise, of a replay and with
/// `--verbose`.
pub fn progress(setting: &Setting, reported: &Reported) -> String {
    let mut out = String::new();
    let name = &reported.kernel.name;
    if let Some(message) = reported.kernel.message() {
        let _ = writeln!(out, "{}\n", say!("does-not-compile", kernel = name));
        message.trim().lines().for_each(|line| _ = writeln!(out, "{}", format!("    {line}").trim_end()));
        let all = reported.kernel.row.kernels();
        let correct = all.iter().find(|(_, variant)| matches!(variant, Variant::Correct)).map(|(name, _)| name);
        let file = |name: &String| setting.files.iter().find(|file| file.extent(name).is_some());
        if let Some((correct, file)) = correct.and_then(|name| Some((name, file(name)?))) {
            let (instead, name) = super::removed::instead(message);
            let text = say!("next-on-refused", instead, name, correct, path = file.source_path);
            let _ = writeln!(out, "\n   = {}: {text}", say!("label-next"));
        }
        out.push('\n');
    }
    let all = setting.is_replay || setting.is_verbose || reported.verdict.is_err();
    let findings = &reported.outcome.findings;
    let shown = if all { findings.len() } else { findings.len().min(SHOWN) };
    for merged in &findings[..shown] {
        out += &report(setting, reported, merged, Paint::Ansi, false);
        out.push('\n');
    }
    if findings.len() > shown {
        let _ = writeln!(out, "{}\n", say!("more-findings", kernel = name, count = findings.len() - shown));
    }
    if let Some(first) = &reported.outcome.summary.first_wrong
        && (findings.is_empty() || setting.is_replay)
    {
        out += &about_the_answer(setting, reported, first);
        out.push('\n');
    } else if let Some(smallest) = &reported.outcome.smallest {
        let is_told = |merged: &MergedFinding| {
            let is_wrong = |smallest: &&Smallest| smallest.wrong.is_some();
            let told = merged.smallest.as_ref().filter(is_wrong).map(|one| smallest_token(reported, one));
            let first = merged.wrong.as_ref().map(|_| token_of(&reported.kernel, merged));
            [told, first].contains(&Some(smallest_token(reported, smallest)))
        };
        if !findings[..shown].iter().any(is_told) {
            let command = page(setting, reported, smallest_token(reported, smallest));
            let wrong = smallest.wrong.as_ref().map(ToString::to_string).unwrap_or_default();
            let first = reported.outcome.summary.first_wrong.as_ref();
            let what = match first.is_some_and(|first| smallest.is_same_as(first)) {
                true => say!("see-again", kernel = name),
                false => format!(
                    "{}\n  {}",
                    say!("smallest-wrong", kernel = name, wrong),
                    smallest_run(smallest, reported.kernel.row)
                ),
            };
            let _ = writeln!(out, "{what}\n  {command}\n");
        }
    }
    match reported.outcome.notes_matter {
        // A false trail.
        Some(false) if !setting.is_verbose => out,
        _ => out + &notes(&reported.outcome, |path| setting.source(path)),
    }
}

fn notes<'a>(outcome: &Outcome, source: impl Fn(&str) -> Option<Source<'a>>) -> String {
    let language = Language::current();
    let remarks = Remarks { is_hint: true, names_kernel: true, language, ..Remarks::default() };
    outcome.notes.iter().map(|note| render(note, &source, &remarks, Paint::Ansi) + "\n").collect()
}

/// Explains a wrong answer that no finding explains: the answer, the line that wrote it, and what to do. Of the
/// smallest run, if one was looked for.
fn about_the_answer(setting: &Setting, reported: &Reported, first: &FirstWrong) -> String {
    let Kernel { name, variant, file, .. } = &reported.kernel;
    let Outcome { summary, smallest, wrote, notes, notes_matter, findings, .. } = &reported.outcome;
    let smaller = smallest.as_ref().filter(|smallest| !smallest.is_same_as(first));
    let why = smaller.and_then(|smaller| smaller.wrong.as_ref()).unwrap_or(&first.why).to_string();
    let (wrong, runs, is_smaller) = (summary.wrong_runs, summary.runs, smaller.is_some());
    let on_gpu = setting.device.kind == DeviceKind::Gpu;
    let mut out = say!("answer-wrong", kernel = name, wrong, runs, on_gpu, is_smaller, why) + "\n";
    let is_said = variant.expect() == Some(Expect::WrongResult);
    // A GPU may have shown a race.
    let is_silent = findings.is_empty() && (is_said || !on_gpu);
    if is_silent {
        out += &match wrote {
            Some(wrote) => written(setting, wrote),
            None => header(file, name),
        };
    }
    let write_label = |out: &mut String, label: &str, text: String| _ = writeln!(out, "   = {label}: {text}");
    if let Some(text) = speech::wanted(file) {
        write_label(&mut out, &say!("label-wanted"), text);
    }
    if is_silent {
        write_label(&mut out, &say!("label-ruled-out"), say!("why-wrong", has_line = wrote.is_some()));
        let note = match notes_matter {
            _ if notes.is_empty() => match wrote.as_ref().and_then(LastWriter::changed_by) {
                Some(AtomicOperation::Increment) => "increment",
                Some(AtomicOperation::Decrement) => "decrement",
                Some(_) => "atomic",
                None => "none",
            },
            Some(true) => "reason",
            Some(false) if !setting.is_verbose => "none",
            Some(false) => "other",
            _ => "open",
        };
        let reference = format!("{}/src/reference.rs", setting.program);
        let (unread, line) = wrote.as_ref().map(|wrote| wrote.unread.clone()).unwrap_or_default();
        let (count, english) = (unread.len(), Reader::default());
        let unread = unread.iter().map(|place| named_place(place, &english)).collect::<Vec<_>>().join(", ");
        write_label(&mut out, &say!("label-next"), say!("next-on-wrong", note, count, unread, line, reference));
    }
    let fix = &reported.outcome.fix;
    if !fix.edits().is_empty() {
        let line = wrote.as_ref().filter(|_| is_silent).and_then(|wrote| Some(wrote.access.location.as_ref()?.line));
        let shown = Vec::from_iter(line);
        let (label, text) =
            labelled(&fix.state(file.source), String::new(), true, &shown, &Reader::new(Language::current()));
        let _ = writeln!(out, "{}", remark(&label, &text, 2, Paint::Plain));
    }
    if is_said {
        write_label(&mut out, &say!("label-more"), "--explain wrong-result".to_string());
    }
    if let (Some(smallest), false) = (smallest, on_gpu) {
        let command = page(setting, reported, smallest_token(reported, smallest));
        write_label(&mut out, &say!("label-see", is_smaller), command);
    }
    out
}

/// The kernel's first line.
fn header(file: &KernelFile, name: &str) -> String {
    let Some(first) = file.extent(name).map(|lines| *lines.start()) else { return String::new() };
    let header = file.source.lines().nth(first as usize - 1).unwrap_or_default();
    format!("  --> {}:{first}\n{first:>2} | {header}\n", file.source_path)
}

/// The line that wrote the wrong element last, and who did.
fn written(setting: &Setting, wrote: &LastWriter) -> String {
    let LastWriter { kernel, access, place, names_block, change, .. } = wrote;
    let Some(at) = &access.location else { return String::new() };
    let source = setting.source(&at.file);
    let mut reader = Reader::new(Language::current());
    if let Some(MemoryPlace::Argument { number, .. }) = place
        && let Some(name) = source.and_then(|source| parameter_name(source.text, kernel, *number))
    {
        reader = reader.with(*number, &name);
    }
    let element = place.as_ref().map(|place| named_place(place, &reader)).unwrap_or_default();
    let deed = deed_alone(access, *names_block, &reader);
    let deed = match change {
        None => say!("wrote-last", deed, element),
        Some((found, left)) => say!("changed-last", deed, element, found = report::written(*found, &reader), left),
    };
    let (path, line) = (source.map_or(at.file.as_str(), |source| source.path), at.line);
    let text = source.and_then(|source| source.text.lines().nth((line as usize).checked_sub(1)?)).unwrap_or_default();
    let indent = " ".repeat((at.column as usize).saturating_sub(1).min(text.chars().count()));
    let kernel = say!("of-kernel", kernel);
    format!("  --> {path}:{line}{kernel}\n{line:>2} | {text}\n   | {indent}^ {deed}\n")
}

/// `size 2, one warp after the other, except at the 3 steps after @, ...`
fn smallest_run(smallest: &Smallest, row: &Row) -> String {
    let RunId { schedule, size, keep, .. } = &smallest.run;
    let (size, schedule) = (*size, *schedule);
    let size = say!("size", size, unit = row.sizes.unit.as_str());
    match keep.as_ref().and_then(Kept::numbers).map(<[u64]>::len) {
        None => say!("smallest-run", size, schedule = schedule.as_str()),
        // Without choices, the schedule still decides some things for the whole run.
        Some(0) => say!("smallest-without-choices", size, reorders_blocks = schedule != Schedule::Random),
        Some(count) => say!("smallest-with-choices", size, count, is_adversarial = schedule == Schedule::Adversarial),
    }
}

/// The command that makes a run again.
pub(crate) fn replay(setting: &Setting, reported: &Reported, token: ReplayToken) -> String {
    let input = reported.input.as_deref().map(Path::to_string_lossy);
    rerun(setting.program, token, input.as_deref())
}

/// The command that makes a run of a program again.
fn rerun(program: &str, token: impl Display, input: Option<&str>) -> String {
    format!("cargo run -p {program} -- {}", token::arguments(token, input))
}

/// The command that makes a run again and writes it as a page.
fn page(setting: &Setting, reported: &Reported, token: ReplayToken) -> String {
    format!("{} --web {PAGE}", replay(setting, reported, token))
}

/// The command that writes a run of a program as a page.
pub(crate) fn page_of(program: &str, token: &str) -> String {
    format!("{} --web {PAGE}", rerun(program, token, None))
}

/// The token of the run that a finding was first seen in.
pub(super) fn token_of(kernel: &Kernel, merged: &MergedFinding) -> ReplayToken {
    ReplayToken::new(&kernel.name, kernel.variant.as_str(), merged.run.clone())
}

/// The token of a run that was made smaller.
pub(super) fn smallest_token(reported: &Reported, smallest: &Smallest) -> ReplayToken {
    let kernel = &reported.kernel;
    ReplayToken::new(&kernel.name, kernel.variant.as_str(), smallest.run.clone())
}

/// A finding over all its runs, in the language of this process. On a page there is no other page to see.
pub(crate) fn report(
    setting: &Setting,
    reported: &Reported,
    merged: &MergedFinding,
    paint: Paint,
    on_page: bool,
) -> String {
    let token = token_of(&reported.kernel, merged);
    // The run above may be the smallest already.
    let is_smaller = |smallest: &&Smallest| smallest_token(reported, smallest) != token;
    let smaller = merged.smallest.as_ref().filter(is_smaller);
    let told = smaller.filter(|_| setting.is_verbose).map(|smaller| {
        let is_wrong = smaller.wrong.is_some();
        let why = smaller.wrong.as_ref().map(ToString::to_string).unwrap_or_default();
        let what = say!("smallest-shows-it", run = smallest_run(smaller, reported.kernel.row), is_wrong, why);
        format!("{what}: {}", replay(setting, reported, smallest_token(reported, smaller)))
    });
    let shown = smaller.filter(|_| told.is_none());
    let seen = shown.map_or_else(|| token.clone(), |smaller| smallest_token(reported, smaller));
    let slug = merged.finding.slug.as_str();
    // A fix that was tried leaves no finding at all.
    let below = reported.outcome.findings.iter().skip_while(|one| !std::ptr::eq(*one, merged));
    let fix = match merged.fix.state(reported.kernel.file.source) {
        report::FixState::Idea
            if !on_page && merged.finding.is_error() && below.clone().any(|one| !one.fix.edits().is_empty()) =>
        {
            report::FixState::WithNext
        }
        fix => fix,
    };
    let remarks = Remarks {
        language: Language::current(),
        is_verbose: setting.is_verbose,
        luck: Some(if setting.is_verbose { luck(reported, merged) } else { luck_in_short(reported, merged) }),
        fix,
        replay: on_page.then(|| replay(setting, reported, token)),
        see: (!on_page).then(|| page(setting, reported, seen)),
        is_smaller: shown.is_some(),
        smallest: told,
        more: Some(say!("more", slug, is_verbose = setting.is_verbose)),
        names_kernel: true,
        ..Remarks::default()
    };
    render(&merged.finding, |path| setting.source(path), &remarks, paint)
}

/// Returns how much chance had to do with it, in a line.
fn luck_in_short(reported: &Reported, merged: &MergedFinding) -> String {
    let summary = &reported.outcome.summary;
    if summary.runs == 1 {
        return answer(merged.wrong.as_ref());
    }
    // No rule promises what a race or a barrier in a branch gives.
    let (slug, is_lucky) = (merged.finding.slug, summary.wrong_runs == 0);
    let by_luck = is_lucky && (slug.is_race() || slug == Slug::BarrierDivergence);
    say!("luck", found = merged.runs, runs = summary.runs, wrong = summary.wrong_runs, by_luck)
}

/// Returns the text for the answer of one run.
pub(crate) fn answer(wrong: Option<&Wrong>) -> String {
    match wrong {
        None => say!("luck-right"),
        Some(Wrong::Stopped(_)) => say!("luck-stopped"),
        Some(why) => say!("luck-wrong", why = why.in_short()),
    }
}

/// The same, and what came of the run that is told, and how often the two accesses came in the other order.
pub(super) fn luck(reported: &Reported, merged: &MergedFinding) -> String {
    let summary = &reported.outcome.summary;
    let this = match &merged.wrong {
        None => say!("luck-right"),
        Some(why) => say!("luck-wrong", why = why.to_string()),
    };
    if summary.runs == 1 {
        return this;
    }
    let is_race = matches!(merged.finding.slug, Slug::RaceShared | Slug::RaceGlobal | Slug::RaceScope);
    let reversed = if is_race { merged.reversed } else { 0 };
    say!("luck-long", found = merged.runs, runs = summary.runs, wrong = summary.wrong_runs, reversed, this)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::tests::{counter_broken, on, reported, setting};
    use trial::testing::{race, record};

    #[test]
    fn the_first_lines_say_where_and_why_and_what_the_options_change() {
        let device = on(DeviceKind::Emulator);
        let first = "lesson04 on the emulator: a device\n  because it was asked for\n";
        let replay = Setting { is_replay: true, ..setting(&device) };
        assert_eq!(opening(&replay, None, &[]), format!("{first}\n"));
        let first = format!("{first}  {}\n", say!("opening-runs"));
        let reading = Setting { input: Some(Path::new("a.bin")), ..setting(&device) };
        let input = Input::of(vec![1, 2, 3]);
        assert_eq!(
            opening(&reading, Some(&input), &["lock_order", "names"]),
            format!(
                "{first}  reading a.bin: {input}\n  --n does not change the size of these rows: lock_order, names\n\n"
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
        assert_eq!(
            luck(&reported, &reported.outcome.findings[0]),
            "the answer of this run was wrong (got 7, expected 64)"
        );
        reported.outcome = Outcome::of(vec![record(7, false, vec![finding])], None);
        assert_eq!(luck(&reported, &reported.outcome.findings[0]), "the answer of this run was correct");
    }

    #[test]
    fn notes_have_no_slug_and_stand_once() {
        let mut outcome = Outcome::default();
        outcome.note(vec![race(13, 16, true), race(16, 13, true), race(13, 13, true)]);
        let said = notes(&outcome, |_| None);
        assert_eq!(said.matches("note\x1b[0m").count(), 2, "{said:?}");
        assert!(!said.contains("race-global") && said.contains(", kernel `counter_broken`"), "{said:?}");
    }
}
