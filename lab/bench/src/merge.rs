//! Several processes' files as one: each number is the median over them, each interval the widest.

use crate::record::{Record, Report};
use crate::stats::median;
use anyhow::{Result, bail, ensure};

/// Rows that not all files have are left out, with a note.
pub fn merged(reports: &[Report]) -> Result<Report> {
    let Some((first, others)) = reports.split_first() else { bail!("there is nothing to merge") };
    let mut machine = first.machine.clone();
    for other in others {
        let other = &other.machine;
        let same = |name: &str, a: &str, b: &str| -> Result<()> {
            ensure!(a == b, "{name} differs: {a} and {b}");
            Ok(())
        };
        same("gpu", &machine.gpu, &other.gpu)?;
        same("driver", &machine.driver, &other.driver)?;
        same("cuda", &machine.cuda, &other.cuda)?;
        same("cub", machine.cub.as_deref().unwrap_or("-"), other.cub.as_deref().unwrap_or("-"))?;
        for note in &other.notes {
            if !machine.notes.contains(note) {
                machine.notes.push(note.clone());
            }
        }
    }
    machine.processes = reports.iter().map(|report| report.machine.processes).sum();
    machine.copy_gb_per_s = median(&reports.iter().map(|report| report.machine.copy_gb_per_s).collect::<Vec<_>>());
    let mut records = Vec::new();
    for record in &first.records {
        let rows: Vec<&Record> = reports
            .iter()
            .filter_map(|report| report.records.iter().find(|other| other.key() == record.key()))
            .collect();
        if rows.len() == reports.len() && rows.iter().all(|row| row.peer == record.peer && row.bytes == record.bytes) {
            records.push(one(&rows));
        } else {
            let Record { job, input, n, method, .. } = record;
            machine.notes.push(say!("not-in-all", row = format!("{job}, {input}, n = {n}, {method}")));
        }
    }
    let merged = Report { machine, records };
    merged.check()?;
    Ok(merged)
}

/// The same row of all files as one.
fn one(rows: &[&Record]) -> Record {
    let over = |pick: fn(&Record) -> Option<f64>| {
        let values: Vec<f64> = rows.iter().filter_map(|row| pick(row)).collect();
        (!values.is_empty()).then_some(values)
    };
    let middle = |pick| over(pick).map(|values| median(&values));
    let least = |pick| over(pick).map(|values| values.into_iter().fold(f64::INFINITY, f64::min));
    let most = |pick| over(pick).map(|values| values.into_iter().fold(0.0, f64::max));
    let first = rows[0];
    let ms = middle(|row| Some(row.ms)).unwrap_or(first.ms);
    let peer_ms = middle(|row| row.peer_ms);
    Record {
        ms,
        ms_low: least(|row| Some(row.ms_low)).unwrap_or(ms),
        ms_high: most(|row| Some(row.ms_high)).unwrap_or(ms),
        gb_per_s: (first.bytes > 0).then(|| first.bytes as f64 / (ms * 1e6)),
        peer_ms,
        ratio: peer_ms.map(|peer| peer / ms),
        ratio_low: least(|row| row.ratio_low),
        ratio_high: most(|row| row.ratio_high),
        rounds: rows.iter().map(|row| row.rounds).min().unwrap_or(0),
        ..first.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::tests::{record, report};

    #[test]
    fn each_number_is_the_median_and_each_interval_the_widest() {
        let of = |ms: f64, peer: f64| report(vec![record("a", ms, Some(peer)), record("b", ms, None)]);
        let merged = merged(&[of(0.5, 0.4), of(0.3, 0.9), of(0.4, 0.6)]).unwrap();
        assert_eq!((merged.machine.processes, merged.records.len()), (3, 2));
        let row = &merged.records[0];
        assert_eq!((row.ms, row.peer_ms, row.ratio), (0.4, Some(0.6), Some(0.6 / 0.4)));
        assert_eq!((row.ms_low, row.ms_high), (0.9 * 0.3, 1.1 * 0.5));
        assert_eq!((row.ratio_low, row.ratio_high), (Some(0.9 * 0.4 / 0.5), Some(1.1 * 0.9 / 0.3)));
        assert_eq!(merged.records[1].peer_ms, None);
    }

    #[test]
    fn rows_that_one_file_lacks_are_named() {
        let both = report(vec![record("a", 0.5, None), record("b", 0.5, None)]);
        let merged = merged(&[both, report(vec![record("a", 0.5, None)])]).unwrap();
        assert_eq!(merged.records.len(), 1);
        assert!(merged.machine.notes.iter().any(|note| note.contains(", b")));
    }

    #[test]
    fn files_of_two_machines_are_refused() {
        let mut other = report(vec![]);
        other.machine.gpu = "NVIDIA A100".into();
        assert!(merged(&[report(vec![]), other]).is_err());
        assert!(merged(&[]).is_err());
    }
}
