//! The output of `ncu --csv`: among messages of its own, a table with a line for each metric.

use anyhow::{Context, Result, ensure};
use std::collections::BTreeMap;

/// Every metric's value, of the one launch that the text is about.
pub fn metrics(text: &str) -> Result<BTreeMap<String, f64>> {
    let mut lines = text.lines().skip_while(|line| !line.starts_with("\"ID\""));
    // The output says why there is no table: most often its user may not read the GPU's counters.
    let head = cells(lines.next().with_context(|| format!("the profiler gave no table: {}", text.trim()))?);
    let column = |name: &str| head.iter().position(|cell| cell == name).with_context(|| format!("no column `{name}`"));
    let (name, value) = (column("Metric Name")?, column("Metric Value")?);
    let mut found = BTreeMap::new();
    for line in lines.filter(|line| line.starts_with('"')) {
        let cells = cells(line);
        if let (Some(name), Some(value)) = (cells.get(name), cells.get(value))
            && let Ok(number) = value.replace(',', "").parse()
        {
            found.insert(name.clone(), number);
        }
    }
    ensure!(!found.is_empty(), "the profiler's table has no numbers");
    Ok(found)
}

/// The cells of a line, each in quotes, a quote inside doubled.
fn cells(line: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut is_inside = false;
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' if is_inside && letters.peek() == Some(&'"') => {
                letters.next();
                cells.last_mut().expect("never empty").push('"');
            }
            '"' => is_inside = !is_inside,
            ',' if !is_inside => cells.push(String::new()),
            letter => cells.last_mut().expect("never empty").push(letter),
        }
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_among_messages() {
        let text = "==PROF== Connected to process 1\n\
            \"ID\",\"Kernel Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n\
            \"0\",\"copy(int *, \"\"a\"\")\",\"smsp__inst_executed.sum\",\"inst\",\"1,234,567\"\n\
            \"0\",\"copy\",\"a.ratio\",\"\",\"3.5\"\n\
            \"0\",\"copy\",\"b\",\"\",\"n/a\"\n==PROF== Disconnected\n";
        let found = metrics(text).unwrap();
        assert_eq!(found.len(), 2);
        assert_eq!((found["smsp__inst_executed.sum"], found["a.ratio"]), (1234567.0, 3.5));
    }

    #[test]
    fn no_table_is_an_error() {
        let why = metrics("==ERROR== no permission\n").unwrap_err().to_string();
        assert!(why.contains("no permission"), "{why}");
        assert!(metrics("\"ID\",\"Metric Name\",\"Metric Value\"\n").is_err());
    }
}
