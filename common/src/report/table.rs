//! Tables: what a lesson's kernels are (`--list`), and what came of them.

use super::{Reported, Setting};
use crate::device::context::DeviceKind;
use crate::lesson::verdict;
use crate::table::row::{Row, Variant};
use peers::Peer;
use std::fmt::Write;
use trial::MergedFinding;

/// `--list`.
pub fn list(rows: &[Row]) -> String {
    let head = [say!("head-row"), say!("head-kernel"), say!("head-variant"), say!("head-expected")];
    let mut table = TextTable::new(&head.each_ref().map(String::as_str));
    let (refused, correct) = (say!("expected-refused"), say!("expected-correct"));
    for row in rows {
        for (kernel, variant) in row.kernels() {
            let expected = match variant {
                Variant::Broken(expect) => expect.as_str(),
                Variant::CompileFail => &refused,
                Variant::Correct | Variant::Ladder => &correct,
            };
            table.line(&[row.name, &kernel, variant.as_str(), expected]);
        }
    }
    table.to_string()
}

/// The table, and whether all is well.
pub fn summary(setting: &Setting, reported: &[Reported], skipped: &[String]) -> String {
    let on_gpu = setting.device.kind == DeviceKind::Gpu;
    let mut head = vec![say!("head-kernel"), say!("head-expected"), say!("head-wrong", on_gpu)];
    head.extend(match on_gpu {
        true => vec![say!("head-time"), "GB/s".to_string(), say!("head-of-copy")],
        false => vec![say!("head-found")],
    });
    let is_compared = reported.iter().any(|reported| reported.ratio().is_some());
    if is_compared {
        head.push(say!("head-of-peer"));
    }
    head.push(say!("head-as-expected"));
    let mut table = TextTable::new(&head.iter().map(String::as_str).collect::<Vec<_>>());
    let (right, yes) = (say!("right"), say!("yes"));
    let out_of = |wrong: u64, runs: u64| say!("out-of", wrong, runs);
    for group in groups(reported) {
        let [reported] = group else {
            let name = say!("kernels-of-row", count = group.len(), row = group[0].kernel.row.name);
            let runs: u64 = group.iter().map(|reported| reported.outcome.summary.runs).sum();
            let wrong = out_of(0, runs);
            let columns = if on_gpu { 3 + usize::from(is_compared) } else { 1 };
            table.line(&[&[name.as_str(), &right, &wrong], &vec!["-"; columns][..], &[&yes]].concat());
            continue;
        };
        let summary = &reported.outcome.summary;
        let mut expected = reported.kernel.variant.expect().map_or(right.as_str(), |expect| expect.as_str());
        let mut wrong = out_of(summary.wrong_runs, summary.runs);
        if reported.kernel.is_refused() {
            (expected, wrong) = (reported.kernel.variant.as_str(), "-".to_string());
        }
        let verdict = in_a_word(reported);
        let number = |value: Option<f64>, text: fn(f64) -> String| value.map_or_else(|| "-".to_string(), text);
        if on_gpu {
            let mut cells = vec![
                number(reported.time_ms, |ms| format!("{ms:.3} ms")),
                number(reported.gb_per_s, |rate| format!("{rate:.0}")),
                number(reported.share_of_copy, |share| format!("{:.0} %", 100.0 * share)),
            ];
            cells.extend(is_compared.then(|| number(reported.ratio(), times)));
            cells.push(verdict);
            let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
            table.line(&[&[reported.kernel.name.as_str(), expected, &wrong], &cells[..]].concat());
        } else {
            table.line(&[&reported.kernel.name, expected, &wrong, &found(reported), &verdict]);
        }
    }
    let mut out = table.to_string();
    out += &about_peers(setting.program, reported, peers::ARE_BUILT);
    out.push('\n');
    for reported in reported.iter().filter(|reported| !reported.is_fixed()) {
        if let Err(why) = &reported.verdict {
            let _ = writeln!(out, "{}", say!("not-as-expected", kernel = &reported.kernel.name, why));
        }
    }
    for reported in reported.iter().filter(|reported| reported.verdict.is_ok()) {
        if let Some(came_with) = &reported.outcome.shipped {
            let (kernel, left, came_with) = (&reported.kernel.name, reported.outcome.real().count(), came_with.len());
            let _ = writeln!(out, "{}", say!("edited-in-vain", kernel, left, came_with));
        }
    }
    for why in skipped {
        let _ = writeln!(out, "{}", say!("skipped", why));
    }
    let fixed: Vec<&str> =
        reported.iter().filter(|reported| reported.is_fixed()).map(|reported| reported.kernel.name.as_str()).collect();
    if !fixed.is_empty() {
        let _ = writeln!(out, "{}", say!("is-fixed", count = fixed.len(), kernels = fixed.join(", ")));
    }
    if !reported.is_empty() && reported.iter().all(|reported| reported.verdict.is_ok()) {
        let _ = writeln!(out, "{}", say!("all-as-expected", count = reported.len()));
    }
    out
}

/// `1.19×`, and `0.0027×` rather than `0.00×`.
fn times(ratio: f64) -> String {
    let digits = if ratio >= 0.1 {
        2
    } else if ratio >= 0.01 {
        3
    } else {
        4
    };
    format!("{ratio:.digits$}×")
}

/// Returns what the kernels were compared with, or how to have that, where they were timed.
fn about_peers(program: &str, reported: &[Reported], are_built: bool) -> String {
    let timed = reported.iter().filter(|reported| reported.time_ms.is_some() && reported.verdict.is_ok());
    let with_peer: Vec<(&Reported, Peer)> =
        timed.filter_map(|reported| Some((reported, reported.kernel.peer()?))).collect();
    if !are_built && !with_peer.is_empty() && with_peer.iter().all(|(reported, _)| reported.ratio().is_none()) {
        return say!("peers-not-built", program) + "\n";
    }
    let mut out = String::new();
    let mut names: Vec<&str> = Vec::new();
    for (reported, peer) in with_peer {
        if let Some(why) = &reported.outcome.summary.peer_failed {
            out += &(say!("peer-failed", kernel = &reported.kernel.name, why) + "\n");
        } else if !names.contains(&peer.name()) && reported.ratio().is_some() {
            names.push(peer.name());
        }
    }
    if !names.is_empty() {
        out.insert_str(0, &format!("{}\n  {}\n", say!("about-peers"), names.join("\n  ")));
    }
    out
}

/// Returns what the table says of a kernel: as the lesson says, or how it differs.
fn in_a_word(reported: &Reported) -> String {
    match &reported.verdict {
        Ok(()) => say!("yes"),
        Err(_) if reported.is_fixed() => say!("fixed"),
        Err(_)
            if reported
                .outcome
                .shipped
                .as_ref()
                .is_some_and(|shipped| (1..shipped.len()).contains(&reported.outcome.real().count())) =>
        {
            say!("partly-fixed")
        }
        Err(_) if verdict::cause_is_another(&reported.outcome) => say!("changed"),
        Err(_) => say!("no"),
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
            Some(line) => say!("refused-at", line),
            None => say!("refused"),
        };
    }
    let mut texts: Vec<String> = Vec::new();
    for MergedFinding { finding, .. } in &reported.outcome.findings {
        let text = verdict::in_short(finding);
        texts.push(if finding.is_error() { text } else { say!("as-note", text) });
    }
    match texts.len() {
        0 => "-".to_string(),
        1..=2 => texts.join(", "),
        n => say!("and-more", first = &texts[0], count = n - 1),
    }
}

/// The line of nvcc's first error: `cuda/a.cu(12): error: ...`.
fn line_of_error(message: &str) -> Option<u32> {
    let before = message.split_once("): error")?.0;
    before[before.rfind('(')? + 1..].parse().ok()
}

/// Left-aligned columns, two spaces apart.
pub(super) struct TextTable {
    lines: Vec<Vec<String>>,
}

impl TextTable {
    pub(super) fn new(head: &[&str]) -> TextTable {
        let mut table = TextTable { lines: Vec::new() };
        table.line(head);
        table
    }

    pub(super) fn line(&mut self, cells: &[&str]) {
        self.lines.push(cells.iter().map(|cell| cell.to_string()).collect());
    }
}

impl std::fmt::Display for TextTable {
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
    use crate::report::tests::{CATALOGUE, FILE, counter_broken, on, reported, setting};
    use crate::table::row::Expect;
    use crate::{Kernel, KernelFile, Slug};
    use emulator::finding::Finding;
    use trial::Outcome;
    use trial::testing::{race, record};

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
    fn a_fixed_kernel_is_called_so_and_a_failing_one_is_not() {
        let with = |name: &str, variant, is_wrong, findings: Vec<Finding>| {
            let kernel = Kernel { name: name.to_string(), variant, row: &CATALOGUE, file: &FILE };
            let outcome = Outcome::of(vec![record(0, is_wrong, findings)], None);
            in_a_word(&Reported { kernel, outcome, ..reported(Err("not so".to_string())) })
        };
        let broken = Variant::Broken(Expect::Finding(Slug::RaceGlobal));
        assert_eq!(with("x_broken", broken, false, vec![]), "fixed");
        assert_eq!(with("x_broken", broken, true, vec![]), "NO");
        assert_eq!(with("x_broken", broken, false, vec![race(13, 16, false)]), "NO");
        assert_eq!(with("x_correct", Variant::Correct, false, vec![]), "NO");
        assert_eq!(in_a_word(&reported(Ok(()))), "yes");
    }

    #[test]
    fn what_does_not_compile_is_shown_in_nvccs_own_words() {
        static REFUSED: [crate::RefusedSource; 2] = [
            crate::RefusedSource {
                file: KernelFile { name: "old", ..FILE },
                message: Some("cuda/old.cu(4): error: gone\n"),
            },
            crate::RefusedSource { file: KernelFile { name: "fixed", ..FILE }, message: None },
        ];
        static ROW: Row = Row::of("gone").compile_fail(&REFUSED);
        let [old, fixed] = ["old", "fixed"].map(|name| {
            let kernel = Kernel { name: name.to_string(), variant: Variant::CompileFail, row: &ROW, file: &FILE };
            let verdict = verdict::judge(&kernel, DeviceKind::Emulator, &Outcome::default(), None);
            Reported { kernel, outcome: Outcome::default(), ..reported(verdict) }
        });
        assert_eq!((found(&old), found(&fixed)), ("refused at 4".to_string(), "-".to_string()));
        assert_eq!(old.verdict, Ok(()));
        assert!(fixed.verdict.unwrap_err().contains("nvcc compiles it now"));
        assert!(list(&[ROW]).contains("gone  old     compile-fail  refused by nvcc"), "{}", list(&[ROW]));
    }

    #[test]
    fn the_table_speaks_of_runs_on_the_emulator_and_of_launches_on_a_gpu() {
        let kernels = [counter_broken(vec![race(2, 3, false)])];
        let [emulator, gpu] = [DeviceKind::Emulator, DeviceKind::Gpu].map(|kind| {
            let device = on(kind);
            summary(&setting(&device), &kernels, &[])
        });
        assert!(emulator.starts_with("kernel          expected     wrong runs  found"), "{emulator}");
        assert!(emulator.ends_with("\nThe kernel did what the lesson says.\n"), "{emulator}");
        assert!(gpu.starts_with("kernel          expected     wrong launches  time"), "{gpu}");
    }

    static SUMS: Row = Row::of("sums").correct(&["sum_correct"]).own_peer("sum_max", Peer::Max).peer(Peer::Sum);

    /// A launch of each kernel; the peer took so long.
    fn timed(kernels: &[(&str, Option<f64>)]) -> Vec<Reported> {
        let timed = |&(name, peer_ms): &(&str, Option<f64>)| Reported {
            kernel: Kernel { name: name.to_string(), variant: Variant::Correct, row: &SUMS, file: &FILE },
            time_ms: Some(0.1),
            gb_per_s: Some(4000.0),
            share_of_copy: Some(0.96),
            peer_ms,
            ..reported(Ok(()))
        };
        let counter = counter_broken(vec![race(2, 3, false)]);
        kernels.iter().map(timed).chain([counter]).collect()
    }

    #[test]
    fn a_table_with_a_peer_has_a_column_more() {
        let device = on(DeviceKind::Gpu);
        let shown = |kernels: &[(&str, Option<f64>)]| summary(&setting(&device), &timed(kernels), &[]);
        let compared = shown(&[("sum_correct", Some(0.119)), ("sum_max", Some(0.00427))]);
        assert_eq!(
            compared.split("\n\n").next().unwrap(),
            "\
kernel          expected     wrong launches  time      GB/s  of copy  vs CUB  as expected
sum_correct     correct      0 of 1          0.100 ms  4000  96 %     1.19×   yes
sum_max         correct      0 of 1          0.100 ms  4000  96 %     0.043×  yes
counter_broken  race-global  1 of 1          -         -     -        -       yes
vs CUB: the time of CUB's function over the kernel's; above 1 the kernel is faster
  cub::DeviceReduce::Sum
  cub::DeviceReduce::Max"
        );
        let alone = shown(&[("sum_correct", None)]);
        let lines = "\
kernel          expected     wrong launches  time      GB/s  of copy  as expected
sum_correct     correct      0 of 1          0.100 ms  4000  96 %     yes
counter_broken  race-global  1 of 1          -         -     -        yes
";
        assert!(alone.starts_with(lines), "{alone}");
    }

    #[test]
    fn below_the_table_stands_how_to_compare_or_why_it_was_not_done() {
        let mut kernels = timed(&[("sum_correct", None)]);
        let hint = "To compare with CUB: cargo run --release -p lesson04-atomics --features peers (needs nvcc)\n";
        assert_eq!(about_peers("lesson04-atomics", &kernels, false), hint);
        assert_eq!(about_peers("lesson04-atomics", &kernels, true), "");
        kernels[0].outcome.summary.peer_failed = Some("no memory".to_string());
        kernels[0].peer_ms = Some(0.1);
        assert_eq!(about_peers("lesson04-atomics", &kernels, true), "Not compared with CUB: sum_correct: no memory\n");
        assert_eq!(kernels[0].ratio(), None);
        kernels[0].verdict = Err("wrong".to_string());
        assert_eq!(about_peers("lesson04-atomics", &kernels, true), "");
        // On the emulator nothing is timed.
        assert_eq!(about_peers("lesson04-atomics", &[reported(Ok(()))], false), "");
    }

    #[test]
    fn a_slow_kernel_has_a_ratio_too() {
        assert_eq!([1.186, 0.618, 0.0428, 0.0027].map(times), ["1.19×", "0.62×", "0.043×", "0.0027×"]);
    }

    #[test]
    fn columns_line_up() {
        let rows = [Row::pair("counter", Slug::RaceGlobal), Row::of("filter").ladder(&["filter_warp"])];
        assert_eq!(
            list(&rows),
            "\
row      kernel           variant  expected
counter  counter_broken   broken   race-global
counter  counter_correct  correct  correct, no findings
filter   filter_warp      ladder   correct, no findings
"
        );
    }
}
