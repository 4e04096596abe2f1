//! The counters in a report: bar charts for the rows that ask for them; with `--counters`, all of them, and by line.

use super::bars::{chart, number};
use super::table::TextTable;
use super::{Reported, Setting};
use crate::table::row::Row;
use emulator::counters::{Counter, CounterLevel, LaunchCounts, Metric, Ratio};
use std::fmt::Write;
use words::Language;

/// A row's charts, and with `--counters` its tables; nothing for a row that was not counted.
pub fn of_row(setting: &Setting, row: &Row, reported: &[Reported]) -> String {
    let mut out = String::new();
    let its = reported.iter().filter(|reported| reported.kernel.row.name == row.name);
    let counts = its.filter_map(|reported| reported.outcome.counts.as_ref().map(|counts| (reported, counts)));
    let counts: Vec<_> = counts.collect();
    let Some((_, first)) = counts.first() else { return out };
    let (name, size) = (row.name, first.size);
    let counted: Vec<(&Reported, &LaunchCounts)> =
        counts.iter().map(|(reported, counts)| (*reported, counts.total())).collect();
    for &metric in row.charts {
        let title = say!("chart", row = name, size, meaning = meaning(metric), name = metric.name());
        let lines: Vec<_> = counted.iter().map(|(r, c)| (r.kernel.name.as_str(), metric.of(&c.totals))).collect();
        let _ = writeln!(out, "{}", chart(&title, &lines));
    }
    if setting.counters {
        let _ = writeln!(out, "{}\n", say!("counted-in-order", row = name, size));
        for part in counted.chunks(KERNELS_A_TABLE) {
            let _ = writeln!(out, "{}", all(part));
        }
        let _ = writeln!(out, "{}\n", say!("counts-of-ptx"));
        for (reported, counted) in &counted {
            let _ = writeln!(out, "{}", by_line(setting, &reported.kernel.name, counted));
        }
    }
    out
}

fn meaning(metric: Metric) -> String {
    ::report::counter(metric.name(), Language::current())
}

const KERNELS_A_TABLE: usize = 3;

/// A line for each counter that is not zero everywhere, a column for each kernel.
fn all(counted: &[(&Reported, &LaunchCounts)]) -> String {
    let (counted_head, name_head) = (say!("head-counted"), say!("head-name"));
    let mut head = vec![counted_head.as_str()];
    head.extend(counted.iter().map(|(reported, _)| reported.kernel.name.as_str()));
    head.push(&name_head);
    let mut table = TextTable::new(&head);
    let sums = Counter::ALL.iter().map(|&counter| (Metric::Sum(counter), counter.level()));
    let ratios = Ratio::ALL.iter().map(|&ratio| (Metric::Per(ratio), ratio.level()));
    for (metric, level) in sums.chain(ratios) {
        let values: Vec<f64> = counted.iter().map(|(_, counted)| metric.of(&counted.totals)).collect();
        if values.iter().all(|&value| value == 0.0) {
            continue;
        }
        let mark = if level == CounterLevel::Ptx { "*" } else { "" };
        let mut cells = vec![format!("{}{mark}", meaning(metric))];
        cells.extend(values.into_iter().map(number));
        cells.push(metric.name().to_string());
        table.line(&cells.iter().map(String::as_str).collect::<Vec<_>>());
    }
    let addresses = counted.iter().map(|(_, counted)| counted.atomic_addresses).collect::<Vec<_>>();
    let busiest = counted.iter().map(|(_, counted)| counted.busiest_address).collect::<Vec<_>>();
    for (name, values) in [(say!("atomic-addresses"), addresses), (say!("busiest-address"), busiest)] {
        if values.iter().any(|&value| value != 0) {
            let mut cells = vec![name];
            cells.extend(values.into_iter().map(|value| number(value as f64)));
            table.line(&cells.iter().map(String::as_str).collect::<Vec<_>>());
        }
    }
    table.to_string()
}

/// The kernel's lines with what they cost.
fn by_line(setting: &Setting, kernel: &str, counted: &LaunchCounts) -> String {
    let mut table = TextTable::new(&[
        &say!("head-line"),
        &say!("head-instructions"),
        &say!("head-threads"),
        &say!("head-sectors"),
        &say!("head-conflicts"),
        &say!("head-atomics"),
        &say!("head-source"),
    ]);
    for (name, totals) in &counted.lines {
        let source = setting.source(&name.file);
        let text = source.and_then(|source| source.text.lines().nth(name.line as usize - 1)).unwrap_or("").trim();
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
    format!("{}\n\n{table}", say!("line-by-line", kernel))
}
