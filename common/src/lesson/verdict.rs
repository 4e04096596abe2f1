//! Did everything happen as the lesson says?

use crate::device::context::DeviceKind;
use crate::table::kernel::Kernel;
use crate::table::row::{Expect, Variant};
use emulator::finding::{Access, Edit, EditKind, Finding, LaunchSite, Slug, SourceLocation};
use report::Reader;
use std::collections::BTreeSet;
use std::path::Path;
use trial::Outcome;
use words::Language;

/// As expected, or why not.
pub type RowVerdict = Result<(), String>;

/// - correct, ladder: every answer right, and not one finding (a note, such as two equal stores, is shown and does not
///   count);
/// - broken with a slug: that finding, on the kernel's own lines, and no other kind that the row does not name;
/// - broken with a wrong result: at least one wrong answer, and no finding;
/// - source that does not compile: nvcc's message;
/// - broken, and edited by the student: all the findings that it came with, or the count of those that are gone;
/// - broken on a GPU: whatever it did. If a race passes there, that is luck, and the count of wrong launches says so.
///
/// `input` is the file that the row read, if the student named one: another may show what this one does not.
pub fn judge(kernel: &Kernel, device: DeviceKind, outcome: &Outcome, input: Option<&Path>) -> RowVerdict {
    if kernel.is_refused() {
        return kernel.message().map(|_| ()).ok_or_else(|| say!("compiles-now"));
    }
    let summary = &outcome.summary;
    if summary.runs == 0 {
        return Err(say!("did-not-run"));
    }
    match (kernel.variant, device) {
        (Variant::Correct | Variant::Ladder | Variant::CompileFail, _) => {
            if let Some(first) = &summary.first_wrong {
                let (wrong, runs, why) = (summary.wrong_runs, summary.runs, first.why.to_string());
                return Err(match device {
                    DeviceKind::Emulator => {
                        say!(
                            "wrong-first-run",
                            wrong,
                            runs,
                            run = format!("{}/{}", first.run.schedule, first.run.seed),
                            why
                        )
                    }
                    DeviceKind::Gpu => say!("wrong-first-launch", wrong, runs, launch = first.run.seed, why),
                });
            }
            match outcome.findings.iter().find(|merged| merged.finding.is_error()) {
                None => Ok(()),
                Some(merged) => Err(reported_as(&merged.finding)),
            }
        }
        (Variant::Broken(_), DeviceKind::Gpu) => Ok(()),
        (Variant::Broken(expect), DeviceKind::Emulator) => broken(kernel, expect, outcome, input),
    }
}

fn broken(kernel: &Kernel, expect: Expect, outcome: &Outcome, input: Option<&Path>) -> RowVerdict {
    let mut real = outcome.real();
    match expect {
        Expect::WrongResult => match real.next() {
            Some(finding) => Err(reported_as(finding)),
            None if outcome.summary.wrong_runs == 0 => Err(fixed(expect, input)),
            None => Ok(()),
        },
        Expect::Finding(slug) => {
            let is_another =
                |finding: &&Finding| finding.slug != slug && !kernel.row.may_show(&kernel.name, finding.slug);
            if let Some(other) = real.clone().find(is_another) {
                let is_there = real.clone().any(|finding| finding.slug == slug);
                let (slug, other) = (slug.as_str(), in_words(other));
                return Err(say!("another-finding", is_there, slug, other));
            }
            match real.find(|finding| is_in(kernel, finding)) {
                Some(_) => outcome.shipped.as_ref().map_or(Ok(()), |shipped| half_fixed(shipped, outcome)),
                None if outcome.findings.is_empty() && outcome.summary.wrong_runs == 0 => Err(fixed(expect, input)),
                None if outcome.findings.is_empty() => {
                    let (wrong, runs) = (outcome.summary.wrong_runs, outcome.summary.runs);
                    Err(say!("still-wrong", slug = slug.as_str(), wrong, runs))
                }
                None if outcome.summary.wrong_runs == 0
                    && outcome.findings.iter().all(|merged| !merged.finding.is_error()) =>
                {
                    Err(say!("note-is-left", slug = slug.as_str()))
                }
                None => Err(say!("not-on-own-lines", slug = slug.as_str())),
            }
        }
    }
}

fn reported_as(finding: &Finding) -> String {
    say!("reported-as", finding = in_words(finding))
}

/// `race-global: a load and a store of ... are not ordered`.
fn in_words(finding: &Finding) -> String {
    format!("{}: {}", finding.slug, report::message(finding, &Reader::new(Language::current())))
}

/// A broken kernel without its bug: most likely the student's own doing, and no failure of theirs.
fn fixed(expect: Expect, input: Option<&Path>) -> String {
    let gone = match expect {
        Expect::Finding(Slug::RaceGlobal | Slug::RaceShared) => "race",
        Expect::Finding(_) => "finding",
        Expect::WrongResult => "nothing",
    };
    let has_input = input.is_some();
    let input = input.map_or_else(String::new, |path| path.display().to_string());
    say!("looks-fixed", gone, has_input, input, expected = expect.as_str())
}

/// An edited kernel whose findings are not all gone: it does what the lesson says only if none is.
fn half_fixed(shipped: &[Finding], outcome: &Outcome) -> RowVerdict {
    let left = outcome.real().count();
    if cause_is_another(outcome) {
        let reader = Reader::new(Language::current());
        let named = outcome.real().map(|finding| format!("{}: {}", in_short(finding), report::fix(finding, &reader)));
        let named: Vec<String> = named.collect();
        return Err(say!("other-cause", findings = named.join("; ")));
    }
    let shipped = shipped.len();
    if left >= shipped {
        return Ok(());
    }
    let named: Vec<String> = outcome.real().map(in_short).collect();
    Err(say!("on-the-way", shipped, left, findings = named.join(", ")))
}

/// True of an edited kernel with as many findings as it came with, of which some ask for something else: one of two
/// fences is there now. Lines move when a file is edited, so they are not compared.
pub fn cause_is_another(outcome: &Outcome) -> bool {
    let edits = |finding: &Finding| -> Vec<Vec<EditKind>> {
        finding.remedies.iter().map(|remedy| remedy.iter().map(Edit::kind).collect()).collect()
    };
    let asks = |finding: &Finding| (finding.slug, finding.cause.key(), edits(finding));
    let Some(shipped) = &outcome.shipped else { return false };
    let before: BTreeSet<_> = shipped.iter().map(asks).collect();
    outcome.real().count() == shipped.len() && !outcome.real().map(asks).all(|asked| before.contains(&asked))
}

/// `race-global at 13+15`: a finding with its lines. What was never written has none.
pub fn in_short(finding: &Finding) -> String {
    let places = finding.accesses.iter().filter_map(|access| access.location.as_ref());
    let lines: BTreeSet<u32> = places.map(|place| place.line).collect();
    let lines: Vec<String> = lines.iter().map(u32::to_string).collect();
    let slug = finding.slug.as_str();
    if lines.is_empty() { slug.to_string() } else { say!("finding-at", slug, lines = lines.join("+")) }
}

/// True if every access of the finding that has a place lies in the kernel's file, and not in another kernel; or in one
/// that the kernel has launched. What was never written has no line: there the kernel is the last one before the host
/// read it.
fn is_in(kernel: &Kernel, finding: &Finding) -> bool {
    let has_place = finding.accesses.iter().any(|access| access.location.is_some());
    if finding.slug == Slug::UndefinedValue && !has_place {
        return finding.kernel == kernel.name;
    }
    let extent = kernel.file.extent(&kernel.name);
    let is_own = |place: &SourceLocation| {
        kernel.file.is_at(&place.file) && kernel.file.line_belongs_to(place.line, &kernel.name)
    };
    let launches = |site: &LaunchSite| {
        let lines = extent.as_ref().zip(site.location.as_ref());
        lines.is_some_and(|(lines, place)| kernel.file.is_at(&place.file) && lines.contains(&place.line))
    };
    let is_ours = |access: &Access| match &access.location {
        Some(place) => is_own(place) || access.launched_by.iter().any(launches),
        None => true,
    };
    has_place && finding.accesses.iter().all(is_ours)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{KernelFile, Row, Slug};
    use emulator::finding::{BarrierKind, Cause, Missing, Position, Relation, Word};
    use trial::testing::{race, record};

    static ROW: Row = Row::pair("counter", Slug::RaceGlobal);
    static FILE: KernelFile = KernelFile {
        name: "counter",
        source_path: "cuda/lesson04/counter.cu",
        source: "__global__ void counter_broken(int* a) {\n *a += 1;\n}\n__global__ void counter_correct(int* a) {\n\
            }\n",
        ptx: "",
        shipped: None,
        fixes: &[],
    };

    fn kernel(name: &str, variant: Variant) -> Kernel {
        Kernel { name: name.to_string(), variant, row: &ROW, file: &FILE }
    }

    fn verdict(expect: Expect, device: DeviceKind, records: Vec<trial::RunRecord>) -> RowVerdict {
        judge(&kernel("counter_broken", Variant::Broken(expect)), device, &Outcome::of(records, None), None)
    }

    const RACE: Expect = Expect::Finding(Slug::RaceGlobal);

    #[test]
    fn a_broken_kernel_needs_its_slug_on_its_own_lines() {
        let on_its_own = record(0, false, vec![race(2, 2, false)]);
        assert_eq!(verdict(RACE, DeviceKind::Emulator, vec![on_its_own.clone()]), Ok(()));
        for (what, records) in [
            ("nothing found", vec![record(0, true, vec![])]),
            ("only a note", vec![record(0, true, vec![race(2, 2, true)])]),
            ("another kernel's line", vec![record(0, true, vec![race(4, 4, false)])]),
        ] {
            assert!(verdict(RACE, DeviceKind::Emulator, records).is_err(), "{what}");
        }
        let why = verdict(Expect::Finding(Slug::RaceShared), DeviceKind::Emulator, vec![on_its_own]).unwrap_err();
        assert!(why.contains("race-global"), "{why}");
    }

    #[test]
    fn what_was_never_written_has_no_line_and_a_kernel() {
        let mut finding = race(2, 2, false);
        finding.accesses.iter_mut().for_each(|access| access.location = None);
        finding.slug = Slug::UndefinedValue;
        let of = |finding: &Finding| {
            verdict(Expect::Finding(finding.slug), DeviceKind::Emulator, vec![record(0, true, vec![finding.clone()])])
        };
        assert_eq!(of(&finding), Ok(()));
        assert!(of(&Finding { kernel: "counter_correct".to_string(), ..finding.clone() }).is_err());
        assert!(of(&Finding { slug: Slug::RaceGlobal, ..finding }).is_err());
    }

    #[test]
    fn a_fixed_kernel_is_not_as_the_lesson_says_and_no_failure_of_the_student() {
        let right = || vec![record(0, false, vec![])];
        assert_eq!(
            verdict(RACE, DeviceKind::Emulator, right()).unwrap_err(),
            "no race any more, and every answer is correct. If you fixed it, well done. The lesson expects \
             `race-global` here"
        );
        let kernel = kernel("counter_broken", Variant::Broken(Expect::WrongResult));
        let input = Some(Path::new("zeros.bin"));
        assert_eq!(
            judge(&kernel, DeviceKind::Emulator, &Outcome::of(right(), None), input).unwrap_err(),
            "every answer is correct on this input (zeros.bin). If you fixed it, well done. The lesson expects \
             `wrong-result` here"
        );
        // Silent, but still wrong.
        let why = verdict(RACE, DeviceKind::Emulator, vec![record(0, true, vec![])]).unwrap_err();
        assert_eq!(why, "no race-global any more, but the answer is still wrong in 1 of 1 runs");
    }

    #[test]
    fn a_kernel_that_is_half_fixed_says_what_is_left() {
        let of = |shipped, lines: &[(u32, u32)]| {
            let findings = lines.iter().map(|&(a, b)| race(a, b, false)).collect();
            let shipped: Option<usize> = shipped;
            let shipped = shipped.map(|count| vec![race(1, 1, false); count]);
            let outcome = Outcome { shipped, ..Outcome::of(vec![record(0, true, findings)], None) };
            judge(&kernel("counter_broken", Variant::Broken(RACE)), DeviceKind::Emulator, &outcome, None)
        };
        assert_eq!(of(None, &[(2, 2)]), Ok(()));
        assert_eq!(of(Some(1), &[(2, 2)]), Ok(()));
        assert_eq!(of(Some(1), &[(2, 2), (1, 2)]), Ok(()));
        assert_eq!(
            of(Some(3), &[(2, 2)]).unwrap_err(),
            "you are on the way: the kernel came with 3 findings, and 1 is left: race-global at 2"
        );
        assert!(of(Some(3), &[]).unwrap_err().contains("the answer is still wrong"));
    }

    #[test]
    fn a_kernel_whose_race_has_another_cause_now_says_which() {
        let at = |line| SourceLocation { file: "counter.cu".to_string(), line, column: 1 };
        let flag = |line, acquired| {
            let mut finding = race(2, 2, false);
            if let Cause::Unordered(race) = &mut finding.cause
                && let Relation::Threads(pair) = &mut race.relation
            {
                let (first, set, look) = (at(line), at(line + 1), Some(at(20)));
                pair.missing = Some(Missing::FenceBeforeFlag { first, set, look, acquired, word: Word::Flag });
            }
            finding
        };
        let of = |before: Finding, after: Finding| {
            let now = Outcome::of(vec![record(0, true, vec![after])], None);
            let outcome = Outcome { shipped: Some(vec![before]), ..now };
            judge(&kernel("counter_broken", Variant::Broken(RACE)), DeviceKind::Emulator, &outcome, None)
        };
        // The lines have moved, and that is all.
        assert_eq!(of(flag(9, true), flag(10, true)), Ok(()));
        let why = of(flag(9, false), flag(9, true)).unwrap_err();
        let begins = "the number of findings is the same, but the cause has changed: race-global at 2: ";
        assert!(why.starts_with(begins), "{why}");
        // The same cause, and another edit: a barrier of the block where one of the warp would have done.
        let barrier = |barrier| {
            let at = Position::Between { first: at(9), second: at(10) };
            Finding { remedies: vec![vec![Edit::InsertBarrier { barrier, at }]], ..flag(9, true) }
        };
        assert_eq!(of(barrier(BarrierKind::Block), barrier(BarrierKind::Block)), Ok(()));
        assert!(of(barrier(BarrierKind::Warp { mask: u32::MAX }), barrier(BarrierKind::Block)).is_err());
    }

    #[test]
    fn a_wrong_result_needs_a_wrong_answer_and_no_finding() {
        let emulator = DeviceKind::Emulator;
        assert_eq!(verdict(Expect::WrongResult, emulator, vec![record(0, true, vec![])]), Ok(()));
        assert!(verdict(Expect::WrongResult, emulator, vec![record(0, false, vec![])]).is_err());
        assert!(verdict(Expect::WrongResult, emulator, vec![record(0, true, vec![race(2, 2, false)])]).is_err());
    }

    #[test]
    fn on_a_gpu_luck_decides_nothing_about_a_broken_kernel() {
        assert_eq!(verdict(RACE, DeviceKind::Gpu, vec![record(0, false, vec![])]), Ok(()));
        assert_eq!(verdict(RACE, DeviceKind::Gpu, vec![record(0, true, vec![])]), Ok(()));
        assert!(verdict(RACE, DeviceKind::Gpu, vec![]).is_err());
    }

    #[test]
    fn a_correct_kernel_is_right_and_silent() {
        for device in [DeviceKind::Emulator, DeviceKind::Gpu] {
            let of = |records| {
                judge(&kernel("counter_correct", Variant::Correct), device, &Outcome::of(records, None), None)
            };
            assert_eq!(of(vec![record(0, false, vec![])]), Ok(()));
            let why = of(vec![record(0, false, vec![]), record(7, true, vec![])]).unwrap_err();
            let which = if device == DeviceKind::Gpu { "in launch 7" } else { "under random/7" };
            assert_eq!(why, format!("wrong in 1 of 2 runs, first {which}: got 7, expected 64"));
            assert!(of(vec![record(0, false, vec![race(4, 4, false)])]).is_err());
            assert_eq!(of(vec![record(0, false, vec![race(4, 4, true)])]), Ok(()));
            assert!(of(vec![]).is_err());
        }
    }
}
