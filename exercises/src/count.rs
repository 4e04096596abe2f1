//! Exercises of kind `count`: how many executions has a kernel, and how many of them are wrong?
//!
//! The numbers stand nowhere. The emulator visits every execution of the shipped kernel that the memory model allows
//! (`docs/executions.md`), and judges each by its data races, its end and its result.

use crate::catalog::Exercise;
use crate::judge::explored::{JudgedExecution, ReadEvent, thread_name};
use crate::judge::trial::AnswerTrial;
use crate::puzzle::{is_right, mark};
use crate::reason::Reason;
use crate::spec::AnswerSource;
use crate::task::Task;
use crate::verdict::Verdict;
use emulator::explore::ThreadPlace;
use std::collections::BTreeSet;

/// Executions of a kernel that are listed at most.
const SHOWN: usize = 12;

/// The executions of each kernel that is asked about, in the order of the questions.
type Explored<'a> = Vec<(&'a str, Vec<JudgedExecution>)>;

/// Judges numbers of executions, given one for each question.
pub fn judge(exercise: &Exercise, task: &Task, trial: &mut AnswerTrial, answers: &[&str]) -> Result<Verdict, String> {
    let explored = explore(exercise, trial)?;
    let (mut text, mut hint) = (String::new(), None);
    for (number, (question, given)) in exercise.spec.questions.iter().zip(answers).enumerate() {
        let asked = Asked { source: &question.answer, all: executions(&explored, &question.answer) };
        let is_right = is_right(&asked.right().to_string(), given);
        text += &mark(is_right, exercise.question(number), given);
        // The first number that is wrong often explains the next one.
        hint = hint.or_else(|| (!is_right).then(|| asked.hint(given)));
    }
    let Some(hint) = hint else {
        let listed: String = explored.iter().map(|(kernel, all)| list(kernel, all) + "\n").collect();
        let more = format!("{}\n{}", say!("counted-right"), say!("idea", idea = exercise.idea()));
        return Ok(Verdict::solved(&format!("{text}\n{listed}"), &task.shown, &more, trial.runs));
    };
    let (line, more) = (format!("{} (answer)", task.shown), hint + "\n");
    Ok(Verdict { runs: trial.runs, ..Verdict::unsolved(&[Reason::Answer], &(text + "\n"), &line, &more) })
}

fn explore<'a>(exercise: &'a Exercise, trial: &mut AnswerTrial) -> Result<Explored<'a>, String> {
    let mut explored = Explored::new();
    for kernel in exercise.spec.questions.iter().filter_map(|question| question.answer.counted_kernel()) {
        if explored.iter().all(|(known, _)| *known != kernel) {
            explored.push((kernel, trial.executions(kernel)?));
        }
    }
    Ok(explored)
}

fn executions<'a>(explored: &'a Explored<'a>, source: &AnswerSource) -> &'a [JudgedExecution] {
    let is_it = |(kernel, _): &&(&str, _)| source.counted_kernel() == Some(*kernel);
    explored.iter().find(is_it).map_or(&[], |(_, all)| all.as_slice())
}

/// A question with the executions that it is about.
struct Asked<'a> {
    source: &'a AnswerSource,
    all: &'a [JudgedExecution],
}

impl Asked<'_> {
    fn asks_wrong(&self) -> bool {
        matches!(self.source, AnswerSource::Wrong(_))
    }

    fn count(&self, is: impl Fn(&&JudgedExecution) -> bool) -> u64 {
        self.all.iter().filter(is).count() as u64
    }

    fn right(&self) -> u64 {
        self.count(|execution| !self.asks_wrong() || execution.is_wrong())
    }

    /// Returns what a wrong number may have counted instead.
    fn hint(&self, given: &str) -> String {
        let Ok(number) = given.parse::<u64>() else { return say!("count-no-number", given) };
        let is_too_many = number > self.right();
        if self.asks_wrong() {
            let is_race_forgotten = number == self.count(|execution| execution.is_mistaken);
            return match is_race_forgotten {
                true => say!("count-race-is-wrong", given),
                false => say!("count-wrong-differs", given, is_too_many),
            };
        }
        if Some(number) == interleavings(self.all) {
            return say!("count-interleavings", given);
        }
        let results: BTreeSet<_> = self.all.iter().flat_map(|execution| &execution.results).collect();
        if number == results.len() as u64 {
            return say!("count-results", given);
        }
        say!("count-differs", given, is_too_many)
    }
}

/// Returns the number of orders in which the threads' accesses can run, one after the other. `None` if the number of a
/// thread's accesses depends on what it reads.
fn interleavings(all: &[JudgedExecution]) -> Option<u64> {
    let accesses = &all.first()?.accesses;
    let is_fixed = all.iter().all(|execution| execution.accesses == *accesses);
    // The binomial coefficients of each thread with all threads before it.
    let (mut orders, mut placed) = (1u64, 0u64);
    for number in accesses.iter().flat_map(|&count| 1..=count) {
        placed += 1;
        orders = orders.checked_mul(placed)? / number;
    }
    is_fixed.then_some(orders)
}

fn list(kernel: &str, all: &[JudgedExecution]) -> String {
    let wrong = all.iter().filter(|execution| execution.is_wrong()).count();
    let mut text = say!("count-list", kernel, count = all.len(), wrong) + "\n";
    for (number, execution) in (1..).zip(all).take(SHOWN) {
        text += &format!("{number:>4}  {}\n", describe(execution));
    }
    if all.len() > SHOWN {
        text += &format!("      {}\n", say!("count-list-more", count = all.len() - SHOWN));
    }
    text
}

/// Describes an execution in one line.
fn describe(execution: &JudgedExecution) -> String {
    let places = &execution.threads;
    let of_thread = |reads: &[ReadEvent]| {
        let reads_of_it: Vec<String> = reads.iter().map(|read| read.describe(places)).collect();
        format!("{}: {}", thread_name(reads[0].reader, places), reads_of_it.join(", "))
    };
    let reads = execution.reads.chunk_by(|one, next| one.reader == next.reader).map(of_thread);
    let order = |(element, writers): &(String, Vec<ThreadPlace>)| {
        let writers: Vec<String> = writers.iter().map(|writer| thread_name(*writer, places)).collect();
        say!("count-order", element, writers = writers.join(", "))
    };
    let events: Vec<String> = reads.chain(execution.orders.iter().map(order)).collect();
    format!("{} - {}", events.join("; "), verdict(execution))
}

fn verdict(execution: &JudgedExecution) -> String {
    let parts = [
        (execution.has_race, "race"),
        (execution.is_endless, "endless"),
        (execution.is_misplaced, "access"),
        (execution.is_mistaken, "result"),
    ];
    let why: Vec<String> = parts.into_iter().filter(|(is, _)| *is).map(|(_, why)| say!("count-why", why)).collect();
    if why.is_empty() { say!("answer-right") } else { format!("{} ({})", say!("answer-wrong"), why.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(accesses: &[u64]) -> JudgedExecution {
        JudgedExecution { accesses: accesses.to_vec(), ..JudgedExecution::default() }
    }

    #[test]
    fn interleavings_are_counted_by_the_accesses_of_each_thread() {
        for (accesses, orders) in [(&[2, 2][..], 6), (&[2, 1], 3), (&[1, 1, 1], 6), (&[3, 3], 20), (&[4], 1)] {
            assert_eq!(interleavings(&[with(accesses)]), Some(orders), "{accesses:?}");
        }
        assert_eq!(interleavings(&[with(&[2, 2]), with(&[2, 1])]), None);
    }
}
