//! Small bar charts in text.

use std::fmt::Write;
use words::Language;

/// Eighths of a character, empty to full.
const EIGHTHS: [&str; 9] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"];

/// Columns of the terminal, where the environment says so.
pub fn columns() -> usize {
    let given = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    given.unwrap_or(80).clamp(40, 160)
}

/// A line for each bar: its label, the bar, its value. Bars start at 0; the longest fills what is left of `columns`.
pub fn bars(lines: &[(&str, f64)], columns: usize) -> String {
    let labels = lines.iter().map(|(label, _)| label.chars().count()).max().unwrap_or(0);
    let values: Vec<String> = lines.iter().map(|&(_, value)| number(value)).collect();
    let digits = values.iter().map(|value| value.chars().count()).max().unwrap_or(0);
    let most = lines.iter().map(|&(_, value)| value).fold(0.0, f64::max);
    let room = columns.saturating_sub(labels + digits + 6).max(8);
    let mut out = String::new();
    for (&(label, value), text) in lines.iter().zip(&values) {
        let share = if most > 0.0 { value / most } else { 0.0 };
        let eighths = (share * 8.0 * room as f64).round() as usize;
        // A value above zero is to be seen.
        let eighths = if value > 0.0 { eighths.max(1) } else { 0 };
        let bar = "█".repeat(eighths / 8) + EIGHTHS[eighths % 8];
        let _ = writeln!(out, "{}", format!("  {label:<labels$}  {text:>digits$}  {bar}").trim_end());
    }
    out
}

/// A title with its bars below, as wide as the terminal.
pub fn chart(title: &str, lines: &[(&str, f64)]) -> String {
    format!("{title}\n{}", bars(lines, columns()))
}

/// Whole numbers with thousands set apart, others with two digits. Where Spanish is read, a comma may begin the
/// decimals: there a narrow space stands.
pub fn number(value: f64) -> String {
    if value.fract() != 0.0 {
        return format!("{value:.2}");
    }
    let between = if Language::current() == Language::Spanish { '\u{202f}' } else { ',' };
    let digits = format!("{value:.0}");
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(between);
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_as_long_as_their_values() {
        let text = bars(&[("a", 16.0), ("bcd", 8.0), ("e", 0.0), ("f", 0.001)], 40);
        let bar = |line: usize| text.lines().nth(line).unwrap().chars().filter(|c| EIGHTHS.contains(&&*c.to_string()));
        assert_eq!((bar(0).count(), bar(2).count(), bar(3).count()), (27, 0, 1));
        assert_eq!(bar(1).count(), 14); // 13.5, with a half.
        assert!(text.lines().all(|line| line.chars().count() <= 40), "{text}");
        assert_eq!(bars(&[], 80), "");
    }

    #[test]
    fn thousands_are_set_apart() {
        for (value, text) in [(0.0, "0"), (999.0, "999"), (1000.0, "1,000"), (1234567.0, "1,234,567"), (6.666, "6.67")]
        {
            assert_eq!(number(value), text);
        }
    }
}
