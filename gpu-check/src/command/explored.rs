//! Tells what exploring all executions of launches has shown (`--exhaust`).

use super::run::Run;
use gpu_check::explored::{ExecutionCounts, ExploredRecord, RaceLine, RaceRecord};
use gpu_check::record::Record;
use serde_json::{Value, json};
use tell::sarif::{FilePosition, Level, Problem};

/// The launches of the first run that were to be explored. Equal rows are one, with their number.
#[derive(Default)]
pub struct ExploredLaunches<'a>(Vec<(&'a ExploredRecord, usize)>);

impl<'a> ExploredLaunches<'a> {
    pub fn of(runs: &'a [Run]) -> ExploredLaunches<'a> {
        let mut rows: Vec<(&ExploredRecord, usize)> = Vec::new();
        for record in runs.first().map_or(&[][..], |run| &run.records) {
            let Record::Explored(found) = record else { continue };
            match rows.iter_mut().find(|(row, _)| *row == &**found) {
                Some((_, count)) => *count += 1,
                None => rows.push((found, 1)),
            }
        }
        ExploredLaunches(rows)
    }

    /// The number of rows that show a wrong execution, of kernels for which `is_reported` is false.
    pub fn errors(&self, is_reported: impl Fn(&str) -> bool) -> usize {
        self.wrong().filter(|row| !is_reported(&row.kernel)).count()
    }

    fn wrong(&self) -> impl Iterator<Item = &ExploredRecord> {
        self.0.iter().map(|(row, _)| *row).filter(|row| row.is_wrong())
    }

    /// A row for each launch, and the lines of races. Empty if none was to be explored.
    pub fn text(&self) -> String {
        if self.0.is_empty() {
            return String::new();
        }
        let mut text = format!("\n{}\n", say!("exhausted-head"));
        for (row, count) in &self.0 {
            let (launch, verdict) = (launch(row), verdict(row));
            text += &format!("  {}\n", say!("exhausted-row", launch, verdict, count = *count));
            row.racing.iter().for_each(|race| text += &format!("    {}\n", race_text(race)));
            simplest_lines(row).iter().for_each(|line| text += &format!("    {line}\n"));
        }
        text
    }

    pub fn json(&self) -> Vec<Value> {
        let row = |(row, count): &(&ExploredRecord, usize)| {
            let mut value = json!(row);
            value["launches"] = json!(count);
            value
        };
        self.0.iter().map(row).collect()
    }

    /// Problems of launches with a wrong execution.
    pub fn problems(&self) -> Vec<Problem> {
        self.wrong().map(problem).collect()
    }
}

fn problem(row: &ExploredRecord) -> Problem {
    let lines: Vec<&RaceLine> = row.racing.iter().flat_map(|race| &race.accesses).collect();
    let related = row.racing.iter().flat_map(|race| race.accesses.iter().map(|line| (position(line), race_text(race))));
    Problem {
        rule: "wrong-execution".to_string(),
        level: Level::Error,
        title: verdict(row),
        message: format!("{}: {}", launch(row), verdict(row)),
        at: lines.first().map(|line| position(line)),
        related: related.collect(),
        kernel: row.kernel.clone(),
        fingerprint: format!("{}:wrong-execution", row.kernel),
        fix: Vec::new(),
    }
}

fn position(line: &RaceLine) -> FilePosition {
    FilePosition { path: line.file.clone(), line: line.line, column: line.column.max(1), text: String::new() }
}

/// `kernel<<<2, 64>>>`
fn launch(row: &ExploredRecord) -> String {
    format!("{}<<<{}, {}>>>", row.kernel, sides(row.grid), sides(row.block))
}

fn sides([x, y, z]: [u32; 3]) -> String {
    if [y, z] == [1, 1] { x.to_string() } else { format!("({x}, {y}, {z})") }
}

fn verdict(row: &ExploredRecord) -> String {
    let ExecutionCounts { executions, complete, wrong, .. } = row.counts;
    if let Some(why) = &row.refused {
        return say!("exhausted-refused", why = why.as_str());
    }
    match (complete, wrong) {
        _ if row.never_ends() => say!("exhausted-endless-all"),
        _ if executions == 0 => say!("exhausted-none"),
        (true, 0) => say!("exhausted-right", executions, results = results(row)),
        (true, _) => say!("exhausted-wrong", wrong, executions, why = reasons(row), results = results(row)),
        (false, 0) => say!("exhausted-bounded", executions, results = results(row)),
        (false, _) => say!("exhausted-bounded-wrong", wrong, executions, why = reasons(row), results = results(row)),
    }
}

/// Lists the mistakes, each with its number of executions.
fn reasons(row: &ExploredRecord) -> String {
    let ExecutionCounts { races, endless, trapped, misplaced, .. } = row.counts;
    let all = [
        (races, say!("exhausted-racing", count = races)),
        (endless, say!("exhausted-endless", count = endless)),
        (trapped, say!("exhausted-trapped", count = trapped)),
        (misplaced, say!("exhausted-misplaced", count = misplaced)),
    ];
    all.into_iter().filter(|(count, _)| *count > 0).map(|(_, text)| text).collect::<Vec<_>>().join(", ")
}

fn results(row: &ExploredRecord) -> String {
    let mut text = say!("exhausted-results", count = row.counts.results, complete = row.counts.complete);
    if row.counts.undecided > 0 {
        text += &say!("exhausted-undecided", count = row.counts.undecided);
    }
    text
}

fn race_text(race: &RaceRecord) -> String {
    let [first, second] = race.accesses.each_ref().map(line_text);
    if first == second {
        return say!("exhausted-race-same", access = first);
    }
    say!("exhausted-race", first, second)
}

/// Lists the steps of the simplest wrong execution.
fn simplest_lines(row: &ExploredRecord) -> Vec<String> {
    let Some(simplest) = &row.simplest else { return Vec::new() };
    let steps = trial::execution_lines(simplest).into_iter().map(|line| format!("  {line}"));
    [say!("exhausted-simplest")].into_iter().chain(steps).collect()
}

fn line_text(line: &RaceLine) -> String {
    let place = format!("{}:{}", line.file, line.line);
    say!("exhausted-line", place, access = line.access.as_str())
}
