//! `docs/soak.md`: what came of it in a paragraph, the sums of each lesson, and a line for each kernel.

use std::collections::BTreeMap;
use std::fmt;

use super::{Commit, SCHEDULES};
use serde_json::Value;

pub struct Document {
    commit: String,
    /// The last answer's.
    pub date: String,
    seeds: u64,
    /// In the lessons' order, with what was seen under each schedule.
    kernels: Vec<(Kernel, BTreeMap<&'static str, ScheduleRuns>)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kernel {
    lesson: String,
    row: String,
    name: String,
    /// The slug that the lesson promises for a broken kernel.
    slug: Option<String>,
}

/// A kernel's runs under one schedule.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScheduleRuns {
    runs: u64,
    wrong: u64,
    /// Runs that showed the slug that was promised, or a wrong answer where only that was.
    caught: u64,
    /// Runs that showed anything else, by slug.
    others: BTreeMap<String, u64>,
    /// The lesson's own verdict.
    is_as_expected: bool,
}

impl Kernel {
    /// From a row of a lesson's answer.
    pub fn of(lesson: &str, row: &Value) -> Kernel {
        let text = |value: &Value| value.as_str().map(str::to_string);
        Kernel {
            lesson: lesson.to_string(),
            row: text(&row["row"]).unwrap_or_default(),
            name: text(&row["kernel"]).unwrap_or_default(),
            slug: text(&row["slug"]),
        }
    }
}

impl ScheduleRuns {
    pub fn of(row: &Value) -> ScheduleRuns {
        let number = |value: &Value| value.as_u64().unwrap_or(0);
        let slug = row["slug"].as_str().unwrap_or_default();
        let found = row["found"].as_object().into_iter().flatten();
        let mut others: BTreeMap<String, u64> = found.map(|(slug, count)| (slug.clone(), number(count))).collect();
        let found = others.remove(slug).unwrap_or(0);
        let wrong = number(&row["wrong_runs"]);
        ScheduleRuns {
            runs: number(&row["runs"]),
            wrong,
            caught: if slug == "wrong-result" { wrong } else { found },
            others,
            is_as_expected: row["expected"].as_bool() == Some(true),
        }
    }

    fn is_silent(&self) -> bool {
        self.wrong == 0 && self.others.is_empty()
    }

    /// `caught in 998 of 1000, 12 wrong`; `silent, 1000 right`.
    fn cell(&self, kernel: &Kernel) -> String {
        let ScheduleRuns { runs, wrong, caught, .. } = self;
        let mut text = match kernel.slug.as_deref() {
            None if self.is_silent() => format!("silent, {runs} right"),
            None => format!("{wrong} of {runs} wrong"),
            Some("wrong-result") => format!("{wrong} of {runs} wrong"),
            Some(_) => format!("caught in {caught} of {runs}, {wrong} wrong"),
        };
        for (slug, count) in &self.others {
            text += &format!(", {slug} in {count}");
        }
        if !self.is_as_expected {
            text = format!("**NOT AS EXPECTED**: {text}");
        }
        text
    }
}

impl Document {
    pub fn new(commit: &Commit, seeds: u64) -> Document {
        let changes = if commit.is_changed { ", with changes that are not committed" } else { "" };
        Document { commit: format!("`{}`{changes}", commit.hash), date: String::new(), seeds, kernels: Vec::new() }
    }

    pub fn add(&mut self, kernel: Kernel, schedule: &'static str, seen: ScheduleRuns) {
        match self.kernels.iter_mut().find(|(known, _)| *known == kernel) {
            Some((_, all)) => _ = all.insert(schedule, seen),
            None => self.kernels.push((kernel, BTreeMap::from([(schedule, seen)]))),
        }
    }

    /// Kernels and schedules that did not do what the lesson says.
    pub fn surprises(&self) -> usize {
        let all = self.kernels.iter().flat_map(|(_, seen)| seen.values());
        all.filter(|seen| !seen.is_as_expected).count()
    }

    /// Returns the sums that `lesson` showed under `schedule`; all of them for `None`.
    fn sums<'a>(&'a self, lesson: Option<&'a str>, schedule: Option<&'a str>) -> Sums<'a> {
        let mut sums = Sums::default();
        for (kernel, all) in &self.kernels {
            if lesson.is_some_and(|lesson| lesson != kernel.lesson) {
                continue;
            }
            for (name, seen) in all {
                if schedule.is_some_and(|schedule| schedule != *name) {
                    continue;
                }
                sums.runs += seen.runs;
                match kernel.slug {
                    None => {
                        sums.correct += 1;
                        sums.silent += u64::from(seen.is_silent());
                    }
                    Some(_) => {
                        sums.broken += 1;
                        sums.caught += u64::from(seen.is_as_expected && seen.caught > 0);
                        if sums.fewest.is_none_or(|fewest| seen.caught < fewest.seeds) {
                            sums.fewest = Some(Fewest { seeds: seen.caught, kernel: &kernel.name, schedule: name });
                        }
                    }
                }
            }
        }
        sums
    }

    fn lessons(&self) -> Vec<&str> {
        let mut lessons: Vec<&str> = self.kernels.iter().map(|(kernel, _)| kernel.lesson.as_str()).collect();
        lessons.dedup();
        lessons
    }
}

#[derive(Default)]
struct Sums<'a> {
    runs: u64,
    broken: u64,
    /// Broken kernels with the promised finding, and no other, in at least one run.
    caught: u64,
    /// Whose finding came in the fewest runs.
    fewest: Option<Fewest<'a>>,
    correct: u64,
    silent: u64,
}

#[derive(Clone, Copy)]
struct Fewest<'a> {
    seeds: u64,
    kernel: &'a str,
    schedule: &'a str,
}

impl fmt::Display for Document {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Document { commit, date, seeds, kernels } = self;
        let all = self.sums(None, None);
        let broken = kernels.iter().filter(|(kernel, _)| kernel.slug.is_some()).count();
        let correct = kernels.len() - broken;
        writeln!(f, "# Soak: every kernel under {seeds} seeds of each schedule\n")?;
        let mut text = format!(
            "Made by `cargo xtask soak --seeds {seeds}` on {date}, at commit {commit}. The lessons' {} kernels ran on \
             the \
             emulator {} times: {seeds} seeds each of `random`, `pct` and `adversarial`.",
            kernels.len(),
            all.runs
        );
        if let Some(Fewest { seeds: fewest, kernel, schedule }) = all.fewest {
            text += &match all.broken - all.caught {
                0 => format!(" Each of the {broken} broken kernels was caught under every schedule,"),
                missed => {
                    format!(" Of the {broken} broken kernels, {missed} times one was not caught under a schedule,")
                }
            };
            text += &match fewest == *seeds {
                true => format!(" in all {seeds} seeds."),
                false => format!(" in at least {fewest} of {seeds} seeds (`{kernel}` under `{schedule}`)."),
            };
        }
        text += &match all.correct - all.silent {
            0 => format!(" All {correct} correct kernels gave right answers and no finding in every run."),
            noisy => format!(" Of the {correct} correct kernels, {noisy} times one was not silent under a schedule."),
        };
        writeln!(f, "{}\n", wrapped(&text))?;
        writeln!(f, "| lesson | schedule | runs | broken kernels caught | in at least | correct kernels silent |")?;
        writeln!(f, "|---|---|---|---|---|---|")?;
        for lesson in self.lessons() {
            for schedule in SCHEDULES {
                let sums = self.sums(Some(lesson), Some(schedule));
                let fewest = sums.fewest.map_or_else(
                    || "-".to_string(),
                    |Fewest { seeds: fewest, kernel, .. }| match fewest == *seeds {
                        true => format!("{fewest} seeds"),
                        false => format!("{fewest} seeds (`{kernel}`)"),
                    },
                );
                let Sums { runs, broken, caught, correct, silent, .. } = sums;
                writeln!(
                    f,
                    "| {lesson} | {schedule} | {runs} | {caught} of {broken} | {fewest} | {silent} of {correct} |"
                )?;
            }
        }
        let text = "A broken kernel is caught if the run shows the finding of its slug. With the slug `wrong-result` \
            it is \
                    caught if the run's answer is wrong. Wrong answers depend on luck and are counted too.";
        writeln!(f, "\n## Kernel by kernel\n\n{}\n", wrapped(text))?;
        writeln!(f, "| lesson | kernel | expected | {} |", SCHEDULES.join(" | "))?;
        writeln!(f, "|---|---|---|{}", "---|".repeat(SCHEDULES.len()))?;
        // Many correct kernels of one row share a line while there is nothing to tell.
        let is_plain = |(kernel, seen): &(Kernel, BTreeMap<_, ScheduleRuns>)| {
            kernel.slug.is_none() && seen.values().all(|seen| seen.is_silent() && seen.is_as_expected)
        };
        let belong = |a: &(Kernel, _), b: &(Kernel, _)| {
            (&a.0.lesson, &a.0.row) == (&b.0.lesson, &b.0.row) && is_plain(a) && is_plain(b)
        };
        for group in
            kernels.chunk_by(belong).flat_map(|row| row.chunks(if row.len() > LINES_A_ROW { row.len() } else { 1 }))
        {
            let (kernel, seen) = &group[0];
            if group.len() > 1 {
                let runs =
                    |schedule| group.iter().filter_map(|(_, all)| all.get(schedule)).map(|seen| seen.runs).sum::<u64>();
                let cells = SCHEDULES.map(|schedule| format!("silent, {} right", runs(schedule)));
                let name = format!("{} kernels of {}", group.len(), kernel.row);
                writeln!(f, "| {} | {name} | right | {} |", kernel.lesson, cells.join(" | "))?;
                continue;
            }
            let cells = SCHEDULES.map(|schedule| seen.get(schedule).map_or("-".to_string(), |seen| seen.cell(kernel)));
            let expected = kernel.slug.as_deref().unwrap_or("right");
            writeln!(f, "| {} | {} | {expected} | {} |", kernel.lesson, kernel.name, cells.join(" | "))?;
        }
        Ok(())
    }
}

/// More correct kernels of one row than this share a line.
const LINES_A_ROW: usize = 4;

/// In lines of up to 120 characters.
fn wrapped(text: &str) -> String {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.last_mut().expect("there is a line from the start");
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > 120 {
            lines.push(word.to_string());
        } else {
            line.push_str(if line.is_empty() { "" } else { " " });
            line.push_str(word);
        }
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn document(rows: &[Value]) -> Document {
        let mut document = Document::new(&Commit { hash: "1a2b".to_string(), is_changed: false }, 64);
        document.date = "2026-01-02".to_string();
        for row in rows {
            for schedule in SCHEDULES {
                document.add(Kernel::of("lesson04", row), schedule, ScheduleRuns::of(row));
            }
        }
        document
    }

    fn broken(caught: u64) -> Value {
        json!({ "kernel": "counter_broken", "slug": "race-global", "runs": 64, "wrong_runs": 63,
                "found": { "race-global": caught }, "expected": caught > 0 })
    }

    fn correct(wrong: u64) -> Value {
        json!({ "kernel": "counter_correct", "runs": 64, "wrong_runs": wrong, "found": {}, "expected": wrong == 0 })
    }

    #[test]
    fn it_opens_with_what_came_of_it() {
        let wrong = json!({ "kernel": "wraps_broken", "slug": "wrong-result", "runs": 64, "wrong_runs": 64,
                            "found": {}, "expected": true });
        let document = document(&[broken(60), wrong, correct(0)]);
        let text = document.to_string();
        for part in [
            "--seeds 64` on 2026-01-02, at commit `1a2b`.",
            "3 kernels ran on the emulator 576 times",
            "Each of the 2 broken kernels was caught under every schedule, in at least 60 of 64 seeds \
             (`counter_broken` \
             under `adversarial`).",
            "All 1 correct kernels gave right answers",
            "| lesson04 | pct | 192 | 2 of 2 | 60 seeds (`counter_broken`) | 1 of 1 |",
            "| lesson04 | counter_broken | race-global | caught in 60 of 64, 63 wrong | caught",
            "| lesson04 | wraps_broken | wrong-result | 64 of 64 wrong |",
            "| lesson04 | counter_correct | right | silent, 64 right |",
        ] {
            assert!(text.replace('\n', " ").contains(part), "no `{part}` in\n{text}");
        }
        assert_eq!(document.surprises(), 0);
        assert!(text.lines().filter(|line| !line.starts_with('|')).all(|line| line.chars().count() <= 120));
    }

    #[test]
    fn what_is_not_as_expected_is_said_at_the_top_and_in_its_line() {
        let document = document(&[broken(0), correct(1)]);
        let text = document.to_string();
        for part in [
            "Of the 1 broken kernels, 3 times one was not caught under a schedule, in at least 0 of 64 seeds",
            "Of the 1 correct kernels, 3 times one was not silent under a schedule",
            "| right | **NOT AS EXPECTED**: 1 of 64 wrong |",
        ] {
            assert!(text.replace('\n', " ").contains(part), "no `{part}` in\n{text}");
        }
        assert_eq!(document.surprises(), 6);
    }

    #[test]
    fn a_catalogue_is_one_line_until_something_in_it_fails() {
        let kernel = |wrong: u64, name: &str| {
            let mut row = correct(wrong);
            (row["row"], row["kernel"]) = (json!("catalogue"), json!(name));
            row
        };
        let names = ["a", "b", "c", "d", "e"];
        let text = document(&names.map(|name| kernel(0, name))).to_string();
        assert!(text.contains("| lesson04 | 5 kernels of catalogue | right | silent, 320 right |"), "{text}");
        let text = document(&names.map(|name| kernel(u64::from(name == "c"), name))).to_string();
        assert!(text.contains("| lesson04 | a | right | silent") && text.contains("| c | right | **NOT"), "{text}");
    }

    #[test]
    fn a_finding_that_nobody_promised_is_named() {
        let mut row = correct(0);
        row["found"] = json!({ "race-shared": 2 });
        row["expected"] = json!(false);
        assert!(document(&[row]).to_string().contains("**NOT AS EXPECTED**: 0 of 64 wrong, race-shared in 2"));
    }
}
