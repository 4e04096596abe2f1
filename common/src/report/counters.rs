//! What the counters say: bar charts for the rows that ask for them; with `--counters`, all of them, and by line.

use super::Reported;
use super::bars::{bars, columns, number};
use super::text::Table;
use crate::lesson::Lesson;
use driver::emulator::counters::{Counted, Counter, Level, Metric, Ratio};
use std::fmt::Write;

/// The charts of each row, and with `--counters` its tables.
pub fn counters(lesson: &Lesson, reported: &[Reported]) -> String {
    let mut out = String::new();
    for row in reported.chunk_by(|a, b| a.kernel.row.name == b.kernel.row.name) {
        let counted: Vec<(&Reported, &Counted)> = row
            .iter()
            .filter_map(|reported| reported.outcome.counts.as_ref().map(|counts| (reported, counts.total())))
            .collect();
        let Some((first, _)) = counted.first() else { continue };
        let size = first.outcome.counts.as_ref().map_or(0, |counts| counts.size);
        let name = first.kernel.row.name;
        for &metric in first.kernel.row.charts {
            let _ = writeln!(out, "{name}, {size} elements: {} ({})", metric.meaning(), metric.name());
            let lines: Vec<_> = counted.iter().map(|(r, c)| (r.kernel.name.as_str(), metric.of(&c.totals))).collect();
            let _ = writeln!(out, "{}", bars(&lines, columns()));
        }
        if lesson.options.counters {
            let _ = writeln!(out, "{name}, {size} elements, in order:\n");
            for part in counted.chunks(KERNELS_A_TABLE) {
                let _ = writeln!(out, "{}", all(part));
            }
            for (reported, counted) in &counted {
                let _ = writeln!(out, "{}", by_line(lesson, &reported.kernel.name, counted));
            }
        }
    }
    if lesson.options.counters && !out.is_empty() {
        out += "Lines marked * count PTX instructions; a GPU runs SASS and counts others. The rest is what the program\nasks for, \
                and the same on a GPU.\n\n";
    }
    out
}

const KERNELS_A_TABLE: usize = 4;

/// A line for each counter that is not zero everywhere, a column for each kernel.
fn all(counted: &[(&Reported, &Counted)]) -> String {
    let mut head = vec!["counter"];
    head.extend(counted.iter().map(|(reported, _)| reported.kernel.name.as_str()));
    head.push("");
    let mut table = Table::new(&head);
    let sums = Counter::ALL.iter().map(|&counter| (Metric::Sum(counter), counter.level()));
    let ratios = Ratio::ALL.iter().map(|&ratio| (Metric::Per(ratio), ratio.level()));
    for (metric, level) in sums.chain(ratios) {
        let values: Vec<f64> = counted.iter().map(|(_, counted)| metric.of(&counted.totals)).collect();
        if values.iter().all(|&value| value == 0.0) {
            continue;
        }
        let mut cells = vec![metric.name().to_string()];
        cells.extend(values.into_iter().map(number));
        cells.push(if level == Level::Ptx { "*".to_string() } else { String::new() });
        table.line(&cells.iter().map(String::as_str).collect::<Vec<_>>());
    }
    let addresses = counted.iter().map(|(_, counted)| counted.atomic_addresses).collect::<Vec<_>>();
    let busiest = counted.iter().map(|(_, counted)| counted.busiest_address).collect::<Vec<_>>();
    for (name, values) in [("atomic_addresses", addresses), ("atomic_operations_on_the_busiest", busiest)] {
        if values.iter().any(|&value| value != 0) {
            let mut cells = vec![name.to_string()];
            cells.extend(values.into_iter().map(|value| number(value as f64)));
            table.line(&cells.iter().map(String::as_str).collect::<Vec<_>>());
        }
    }
    table.to_string()
}

/// The kernel's lines with what they cost.
fn by_line(lesson: &Lesson, kernel: &str, counted: &Counted) -> String {
    let mut table = Table::new(&["line", "warp instr.*", "threads", "sectors/load", "conflicts", "atomics", "source"]);
    for (name, totals) in &counted.lines {
        let file = lesson.source(&name.file);
        let text = file.and_then(|file| file.source.lines().nth(name.line as usize - 1)).unwrap_or("").trim();
        let short: String = text.chars().take(60).collect();
        let ratio = |ratio: Ratio| ratio.of(totals).map_or_else(|| "-".to_string(), number);
        let sum = |sum: u64| if sum == 0 { "-".to_string() } else { number(sum as f64) };
        table.line(&[
            &name.line.to_string(),
            &number(totals[Counter::Instructions] as f64),
            &ratio(Ratio::ThreadsPerInstruction),
            &ratio(Ratio::LoadSectorsPerRequest),
            &sum(totals[Counter::SharedLoadConflicts] + totals[Counter::SharedStoreConflicts]),
            &sum(totals[Counter::AtomicOperations]),
            &short,
        ]);
    }
    format!("{kernel}, line by line:\n\n{table}")
}
