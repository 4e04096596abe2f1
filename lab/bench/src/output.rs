//! Records as lines: a table for people, and CSV.

use crate::record::{Record, Report};

pub const HEADING: &str = "\
job        input            n           method                                    ms     [95 % interval]    GB/s  \
ratio to peer
";

/// A row of the table.
pub fn line(record: &Record) -> String {
    let Record { job, input, n, method, ms, ms_low, ms_high, .. } = record;
    let rate = record.gb_per_s.map(|rate| format!("{rate:.0}")).unwrap_or_default();
    let ratio = match (&record.peer, record.ratio, record.ratio_low, record.ratio_high) {
        (Some(peer), Some(ratio), Some(low), Some(high)) => format!("{ratio:.3} [{low:.3} {high:.3}] {peer}"),
        _ => String::new(),
    };
    let [ms, low, high] = [ms, ms_low, ms_high].map(|&time| short(time));
    let line = format!("{job:<10} {input:<16} {n:<11} {method:<35} {ms:>9}  [{low:>8} {high:>8}] {rate:>7}  {ratio}");
    line.trim_end().to_string()
}

/// Milliseconds with five digits.
fn short(ms: f64) -> String {
    let digits = (4 - ms.log10().floor() as i32).clamp(0, 9) as usize;
    format!("{ms:.digits$}")
}

/// The whole table.
pub fn table(report: &Report) -> String {
    let lines: Vec<String> = report.records.iter().map(|record| line(record) + "\n").collect();
    HEADING.to_string() + &lines.concat()
}

const COLUMNS: &str =
    "job,input,n,method,ms,ms_low,ms_high,rounds,bytes,gb_per_s,peer,peer_ms,ratio,ratio_low,ratio_high";

/// A line for each record, under a line of names. What there is not is empty.
pub fn csv(report: &Report) -> String {
    let mut text = format!("{COLUMNS}\n");
    for record in &report.records {
        let number = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
        let cells = [
            quoted(&record.job),
            quoted(&record.input),
            record.n.to_string(),
            quoted(&record.method),
            record.ms.to_string(),
            record.ms_low.to_string(),
            record.ms_high.to_string(),
            record.rounds.to_string(),
            record.bytes.to_string(),
            number(record.gb_per_s),
            quoted(record.peer.as_deref().unwrap_or_default()),
            number(record.peer_ms),
            number(record.ratio),
            number(record.ratio_low),
            number(record.ratio_high),
        ];
        text.push_str(&cells.join(","));
        text.push('\n');
    }
    text
}

/// A cell in quotes where it needs them (RFC 4180).
fn quoted(cell: &str) -> String {
    let is_plain = !cell.contains([',', '"', '\n', '\r']);
    if is_plain { cell.to_string() } else { format!("\"{}\"", cell.replace('"', "\"\"")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::tests::{record, report};

    #[test]
    fn csv_has_a_cell_for_each_column() {
        let mut odd = record("b", 0.5, None);
        odd.input = "a, \"b\"".into();
        let text = csv(&report(vec![record("a", 0.5, Some(0.25)), odd]));
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 3);
        assert_eq!(lines[1].split(',').count(), COLUMNS.split(',').count());
        assert!(lines[1].starts_with("copy,random,1048576,a,0.5,0.45,0.55,21,8388608,"), "{text}");
        assert!(lines[1].contains(",cuMemcpyDtoDAsync,0.25,0.5,"), "{text}");
        assert!(lines[2].starts_with("copy,\"a, \"\"b\"\"\",") && lines[2].ends_with(",,,,,"), "{text}");
    }

    #[test]
    fn a_line_names_the_peer_only_where_there_is_one() {
        assert!(line(&record("a", 0.5, Some(0.25))).contains("0.500 [0.450 0.550] cuMemcpyDtoDAsync"));
        assert!(line(&record("a", 0.5, None)).ends_with("17"));
    }

    #[test]
    fn times_have_five_digits() {
        assert_eq!(short(0.002_345_678), "0.0023457");
        assert_eq!(short(123.456_78), "123.46");
        assert_eq!(short(0.000_000_012), "0.000000012");
    }
}
