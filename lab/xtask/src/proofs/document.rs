//! `docs/proofs.md`: the totals, what is not proved, and a line for each kernel.

use serde_json::Value;
use std::fmt::Write;

/// Heads what another command has measured, which stays as it is.
const APPENDIX: &str = "\n## Locks and barriers\n";

const HEAD: &str = "\
# What is proved of the lessons' kernels

Made by `cargo xtask proofs`. It runs each lesson with `--exhaust`, built for release. That visits every execution of a
kernel that the PTX memory model allows, at a small size ([executions.md](executions.md)).

A correct kernel is *proved* at size n if all its executions were visited, and none is wrong. A kernel with one
execution has no two threads that share memory at that size, or only such as barriers order. A broken kernel is *shown*
if an execution is wrong. Where a bound ended the search, the number differs from run to run, so only its magnitude is
given. Each row runs in a process of its own, with 8 GiB of memory at most.

CI remakes a sample: `cargo xtask proofs --check --sample`.
";

/// The result of a kernel's search.
#[derive(Clone, Debug)]
pub struct Proof {
    pub kernel: String,
    pub is_broken: bool,
    size: u64,
    executions: u64,
    is_complete: bool,
    pub wrong: u64,
    refused: Option<String>,
    milliseconds: u64,
}

/// A lesson's kernels, and the time of all together.
#[derive(Clone, Debug)]
pub struct LessonProofs {
    pub package: String,
    pub proofs: Vec<Proof>,
    pub seconds: u64,
}

/// A kernel's line in the document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    pub lesson: String,
    pub kernel: String,
    size: String,
    verdict: String,
    time: String,
}

impl Proof {
    /// Reads a kernel's object in the JSON of `--exhaust`.
    pub fn of(kernel: &Value, is_broken: bool) -> Option<Proof> {
        Some(Proof {
            kernel: kernel["kernel"].as_str()?.to_string(),
            is_broken,
            size: kernel["size"].as_u64()?,
            executions: kernel["executions"].as_u64()?,
            is_complete: kernel["complete"].as_bool()? && kernel["refused"].is_null(),
            wrong: kernel["wrong"].as_u64()?,
            refused: kernel["refused"].as_str().map(str::to_string),
            milliseconds: kernel["milliseconds"].as_u64()?,
        })
    }

    /// A kernel of a row whose search ran out of memory.
    pub fn without_memory(kernel: &str, is_broken: bool) -> Proof {
        let refused = Some("memory of the search".to_string());
        let kernel = kernel.to_string();
        Proof { kernel, is_broken, refused, size: 0, executions: 0, is_complete: false, wrong: 0, milliseconds: 10_000 }
    }

    fn is_proved(&self) -> bool {
        !self.is_broken && self.is_complete && self.executions > 0 && self.wrong == 0
    }

    fn is_shown(&self) -> bool {
        self.is_broken && self.wrong > 0
    }

    fn verdict(&self) -> String {
        let Proof { executions, wrong, .. } = *self;
        let seen = magnitude(executions);
        match &self.refused {
            Some(feature) => format!("not explored: {feature}"),
            None if self.is_complete && wrong == 0 => format!("all {executions} right"),
            None if self.is_complete => format!("{wrong} of {executions} wrong"),
            None if wrong == 0 => format!("{seen}, none wrong"),
            None if wrong == executions => format!("{seen}, all wrong"),
            None => format!("{seen}, some wrong"),
        }
    }

    fn time(&self) -> &'static str {
        match self.milliseconds {
            0..100 => "< 0.1 s",
            100..1000 => "< 1 s",
            1000..10_000 => "< 10 s",
            _ => "10 s",
        }
    }

    fn line(&self, package: &str) -> Line {
        Line {
            lesson: package.to_string(),
            kernel: self.kernel.clone(),
            size: self.size.to_string(),
            verdict: self.verdict(),
            time: self.time().to_string(),
        }
    }
}

impl LessonProofs {
    pub fn new(package: &str) -> LessonProofs {
        LessonProofs { package: package.to_string(), proofs: Vec::new(), seconds: 0 }
    }

    pub fn lines(&self) -> Vec<Line> {
        self.proofs.iter().map(|proof| proof.line(&self.package)).collect()
    }

    fn count(&self, is: impl Fn(&Proof) -> bool) -> usize {
        self.proofs.iter().filter(|proof| is(proof)).count()
    }

    fn row(&self) -> String {
        let numbers = [
            self.count(|proof| !proof.is_broken),
            self.count(Proof::is_proved),
            self.count(|proof| proof.is_broken),
            self.count(Proof::is_shown),
        ];
        let numbers = numbers.map(|number| number.to_string()).join(" | ");
        format!("| {} | {numbers} | {} |", self.package, rounded(self.seconds))
    }
}

impl Line {
    pub fn is_of(&self, lesson: &str, kernel: &str) -> bool {
        self.lesson == lesson && self.kernel == kernel
    }

    pub fn is_of_same_kernel(&self, other: &Line) -> bool {
        self.is_of(&other.lesson, &other.kernel)
    }

    /// Returns true if the search ended by itself, in little time.
    pub fn is_quick(&self) -> bool {
        !self.is_bounded() && self.time == "< 0.1 s"
    }

    fn is_bounded(&self) -> bool {
        self.verdict.starts_with("over ")
    }

    /// Returns true if the other one contradicts this one. A slower machine may come to the bound of time.
    fn contradicts(&self, stored: &Line) -> bool {
        let is_slow = !matches!(stored.time.as_str(), "< 0.1 s" | "< 1 s");
        let same = (&self.size, &self.verdict) == (&stored.size, &stored.verdict);
        !same && !((self.is_bounded() || stored.is_bounded()) && is_slow)
    }

    fn markdown(&self) -> String {
        format!("| `{}` | {} | {} | {} |", self.kernel, self.size, self.verdict, self.time)
    }
}

/// Returns the order of magnitude of a number that differs from run to run.
fn magnitude(number: u64) -> String {
    match number.checked_ilog10() {
        Some(digits) => format!("over {}", grouped(10_u64.pow(digits))),
        None => "over 0".to_string(),
    }
}

fn grouped(number: u64) -> String {
    match number / 1000 {
        0 => number.to_string(),
        thousands => format!("{},{:03}", grouped(thousands), number % 1000),
    }
}

/// Rounds a time up so that a run which takes a little longer writes the same.
fn rounded(seconds: u64) -> String {
    match seconds {
        0..10 => "< 10 s".to_string(),
        10..60 => "< 1 min".to_string(),
        _ => format!("< {} min", seconds / 60 + 1),
    }
}

/// The document's first sentence of numbers.
pub fn totals(lessons: &[LessonProofs]) -> String {
    let count = |is: &dyn Fn(&Proof) -> bool| lessons.iter().map(|lesson| lesson.count(is)).sum::<usize>();
    let (correct, proved) = (count(&|proof| !proof.is_broken), count(&Proof::is_proved));
    let (broken, shown) = (count(&|proof| proof.is_broken), count(&Proof::is_shown));
    format!("{proved} of {correct} correct kernels are proved, and {shown} of {broken} broken ones are shown")
}

pub fn text(lessons: &[LessonProofs], appendix: &str) -> String {
    let mut text = format!("{HEAD}\n**{}.**\n\n", totals(lessons));
    text += "| lesson | correct | proved | broken | shown | time on one core |\n|---|---|---|---|---|---|\n";
    for lesson in lessons {
        let _ = writeln!(text, "{}", lesson.row());
    }
    text += &open(lessons);
    for lesson in lessons {
        let _ = write!(text, "\n## {}\n", lesson.package);
        let (broken, correct): (Vec<&Proof>, Vec<&Proof>) = lesson.proofs.iter().partition(|proof| proof.is_broken);
        text += &table("correct kernel", &correct, &lesson.package);
        text += &table("broken kernel", &broken, &lesson.package);
    }
    text + appendix
}

fn table(head: &str, proofs: &[&Proof], package: &str) -> String {
    if proofs.is_empty() {
        return String::new();
    }
    let lines: Vec<String> = proofs.iter().map(|proof| proof.line(package).markdown()).collect();
    format!("\n| {head} | n | executions | time |\n|---|---|---|---|\n{}\n", lines.join("\n"))
}

/// Lists the correct kernels that are not proved and the broken ones that are not shown, each with the obstacle.
fn open(lessons: &[LessonProofs]) -> String {
    let mut text = "\n## What is open\n".to_string();
    for (head, is_broken) in [("correct, not proved", false), ("broken, not shown", true)] {
        let is_open = |proof: &&Proof| proof.is_broken == is_broken && !proof.is_proved() && !proof.is_shown();
        let proofs = lessons.iter().flat_map(|lesson| &lesson.proofs).filter(is_open);
        let rows: Vec<String> = proofs.map(|proof| format!("| `{}` | {} |", proof.kernel, obstacle(proof))).collect();
        if !rows.is_empty() {
            let _ = write!(text, "\n| {head} | obstacle |\n|---|---|\n{}\n", rows.join("\n"));
        }
    }
    text
}

fn obstacle(proof: &Proof) -> String {
    match &proof.refused {
        Some(feature) => format!("not explored: {feature}"),
        None if proof.is_complete => format!("all {} executions are right at n = {}", proof.executions, proof.size),
        None if proof.milliseconds >= 9_000 => {
            format!("the time: {} executions at n = {}", magnitude(proof.executions), proof.size)
        }
        None => format!("the number of executions: {} at n = {}", magnitude(proof.executions), proof.size),
    }
}

/// Returns what stands after the last lesson.
pub fn appendix(text: &str) -> &str {
    text.find(APPENDIX).map_or("", |begin| &text[begin..])
}

/// Reads the kernels' lines.
pub fn parse(text: &str) -> Vec<Line> {
    let text = text.strip_suffix(appendix(text)).unwrap_or(text);
    let mut lesson = String::new();
    let mut lines = Vec::new();
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("## ") {
            lesson = name.to_string();
        }
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        if let ["", kernel, size, verdict, time, ""] = cells[..]
            && let Some(kernel) = kernel.strip_prefix('`')
        {
            let [size, verdict, time] = [size, verdict, time].map(str::to_string);
            let kernel = kernel.trim_end_matches('`').to_string();
            lines.push(Line { lesson: lesson.clone(), kernel, size, verdict, time });
        }
    }
    lines
}

/// Names the kernels whose verdict is not the stored one.
pub fn differences(stored: &[Line], made: &[Line]) -> Vec<String> {
    let mut problems = Vec::new();
    for line in made {
        let Line { lesson, kernel, size, verdict, .. } = line;
        match stored.iter().find(|other| other.is_of_same_kernel(line)) {
            None => problems.push(format!("{lesson}: {kernel} is missing")),
            Some(other) if line.contradicts(other) => problems.push(format!(
                "{lesson}: {kernel} is `{verdict}` at n = {size}, not `{}` at n = {}",
                other.verdict, other.size
            )),
            Some(_) => {}
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn proof(kernel: &str, executions: u64, wrong: u64, complete: bool, milliseconds: u64) -> Proof {
        let object = json!({
            "kernel": kernel, "size": 2, "executions": executions, "complete": complete, "wrong": wrong,
            "milliseconds": milliseconds,
        });
        Proof::of(&object, kernel.ends_with("_broken")).unwrap()
    }

    fn lesson(proofs: &[Proof]) -> LessonProofs {
        LessonProofs { package: "lesson99".to_string(), proofs: proofs.to_vec(), seconds: 61 }
    }

    #[test]
    fn a_document_is_read_as_it_was_written() {
        let made = lesson(&[
            proof("a_correct", 6, 0, true, 12),
            proof("b_correct", 23_456, 0, false, 10_003),
            proof("a_broken", 8, 3, true, 120),
            proof("b_broken", 4000, 4000, false, 10_000),
        ]);
        let appendix_text = format!("{APPENDIX}\n| `x` | 2 | all 2 right | 0.1 s |\n");
        let text = text(std::slice::from_ref(&made), &appendix_text);
        assert_eq!(parse(&text).len(), 4);
        assert!(differences(&parse(&text), &made.lines()).is_empty());
        assert_eq!(appendix(&text), appendix_text);
        for part in [
            "**1 of 2 correct kernels are proved, and 2 of 2 broken ones are shown.**",
            "| lesson99 | 2 | 1 | 2 | 2 | < 2 min |",
            "| `b_correct` | the time: over 10,000 executions at n = 2 |",
            "| `a_correct` | 2 | all 6 right | < 0.1 s |",
            "| `a_broken` | 2 | 3 of 8 wrong | < 1 s |",
            "| `b_broken` | 2 | over 1,000, all wrong | 10 s |",
        ] {
            assert!(text.contains(part), "{part}\n{text}");
        }
    }

    #[test]
    fn a_verdict_that_changed_is_a_difference_unless_the_time_ran_out() {
        let stored = lesson(&[proof("a", 6, 0, true, 12), proof("b", 90, 0, true, 8000)]).lines();
        let made = lesson(&[proof("a", 5, 0, true, 12), proof("b", 70, 0, false, 10_000)]).lines();
        assert_eq!(differences(&stored, &made), ["lesson99: a is `all 5 right` at n = 2, not `all 6 right` at n = 2"]);
        let slower = lesson(&[proof("a", 5, 0, false, 10_000), proof("c", 1, 0, true, 0)]).lines();
        assert_eq!(differences(&stored, &slower).len(), 2);
    }
}
