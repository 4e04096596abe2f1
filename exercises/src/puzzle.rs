//! Exercises in which nothing is programmed: predict what a run gives (`predict`), count a kernel's executions
//! (`count`, see [`count`]), or name the run in which a kernel goes wrong (`break`).
//!
//! The shipped kernel runs, whatever the student's copy has become; only the lines `// ANSWER: 5`, `// SCHEDULE:
//! adversarial 17` and `// SIZES: n = 40` of the copy are read. The answers come from the run. Stored PTX makes it
//! possible without a compiler.

use crate::case::{Case, ScheduleAndSeed};
use crate::catalog::Exercise;
use crate::expression::evaluate;
use crate::judge::trial::AnswerTrial;
use crate::reason::{Reason, listed};
use crate::spec::{AnswerSource, ExerciseKind, Question};
use crate::stage::RunResults;
use crate::task::Task;
use crate::values;
use crate::verdict::Verdict;
use crate::{budget, count};
use emulator::Checks;
use trial::Schedule;

/// Judges the lines that the student filled in.
pub fn judge(exercise: &Exercise, task: &Task, trial: &mut AnswerTrial, written: &str) -> Result<Verdict, String> {
    match exercise.spec.kind {
        ExerciseKind::Break => breaks(exercise, task, trial, written),
        kind => {
            let answers = lines(written, "ANSWER");
            if let Some(verdict) = unanswered(exercise, task, &answers) {
                return Ok(verdict);
            }
            match kind {
                ExerciseKind::Count => count::judge(exercise, task, trial, &answers),
                _ => predicts(exercise, task, trial, &answers),
            }
        }
    }
}

/// Returns the text after `// NAME:`, each time.
fn lines<'a>(written: &'a str, name: &str) -> Vec<&'a str> {
    let begins = format!("// {name}:");
    written.lines().filter_map(|line| line.trim_start().strip_prefix(begins.as_str())).map(str::trim).collect()
}

fn is_open(answer: &str) -> bool {
    answer.is_empty() || answer.contains('?')
}

fn open(shown: &str, line: &str) -> Verdict {
    let line = say!("line-open", shown, line);
    Verdict::unsolved(&[Reason::Todo], "", &line, "")
}

/// Returns the verdict on answers that are not all there.
fn unanswered(exercise: &Exercise, task: &Task, answers: &[&str]) -> Option<Verdict> {
    let wanted = exercise.spec.questions.len();
    if answers.len() != wanted {
        let line = say!("line-answers", shown = &task.shown, count = answers.len(), wanted);
        return Some(Verdict::unsolved(&[Reason::Todo], "", &line, ""));
    }
    answers.iter().any(|answer| is_open(answer)).then(|| open(&task.shown, "ANSWER"))
}

/// Returns a question and its answer, marked as right or wrong.
pub fn mark(is_right: bool, question: &str, given: &str) -> String {
    let mark = if is_right { say!("answer-right") } else { say!("answer-wrong") };
    format!("{mark} {question}\n      {given}\n")
}

fn predicts(exercise: &Exercise, task: &Task, trial: &mut AnswerTrial, answers: &[&str]) -> Result<Verdict, String> {
    let spec = &exercise.spec;
    let mut text = String::new();
    let mut wrong = 0;
    for (number, (question, given)) in spec.questions.iter().zip(answers).enumerate() {
        let right = is_right(&right(question, trial)?, given);
        wrong += usize::from(!right);
        text += &mark(right, exercise.question(number), given);
    }
    if wrong > 0 {
        let more = say!("predicted-wrong") + "\n";
        let line = format!("{} (answer)", task.shown);
        return Ok(Verdict { runs: trial.runs, ..Verdict::unsolved(&[Reason::Answer], &(text + "\n"), &line, &more) });
    }
    let more = format!("{}\n{}", say!("predicted-right"), say!("idea", idea = exercise.idea()));
    Ok(Verdict::solved(&(text + "\n"), &task.shown, &more, trial.runs))
}

/// Returns the answer that the run gives.
pub fn right(question: &Question, trial: &mut AnswerTrial) -> Result<String, String> {
    let spec = &trial.exercise.spec;
    let order: ScheduleAndSeed = question.under.as_deref().unwrap_or("in-order").parse()?;
    let case = Case::largest(spec);
    let checks = if matches!(question.answer, AnswerSource::Counter(_)) { Checks::Counters } else { Checks::Full };
    let outcome = trial.run(&case, order, checks)?;
    match &question.answer {
        AnswerSource::Finding(_) => {
            Ok(outcome.findings.first().map_or("none", |finding| finding.slug.as_str()).to_string())
        }
        AnswerSource::Counter(sum) => {
            let counted = outcome.counted.as_ref().ok_or_else(|| say!("question-no-run"))?;
            Ok(budget::value(sum, counted)?.to_string())
        }
        AnswerSource::Element(place) => element(place, trial, &case, &outcome),
        AnswerSource::Executions(_) | AnswerSource::Wrong(_) => Err(say!("form-counts")),
    }
}

fn element(place: &str, trial: &AnswerTrial, case: &Case, outcome: &RunResults) -> Result<String, String> {
    let spec = &trial.exercise.spec;
    let parts = place.strip_suffix(']').and_then(|place| place.split_once('['));
    let (name, index) = parts.ok_or_else(|| say!("element-unreadable", place))?;
    let number =
        spec.buffers.iter().position(|buffer| buffer.name == name).ok_or_else(|| say!("buffer-unknown", name))?;
    let at = usize::try_from(evaluate(index, &case.sizes)?).map_err(|_| say!("element-outside", place))?;
    let ty = spec.buffers[number].ty;
    let bytes = outcome.buffers.get(number).ok_or_else(|| say!("question-no-run"))?;
    if (at + 1) * ty.bytes() > bytes.len() {
        return Err(say!("element-outside", place));
    }
    Ok(values::element(bytes, ty, at))
}

/// Numbers by value, hexadecimal ones too; words by their letters.
pub fn is_right(right: &str, given: &str) -> bool {
    let number = |text: &str| {
        let plain = text.replace(['_', '\''], "");
        let hex = plain.strip_prefix("0x").and_then(|digits| i64::from_str_radix(digits, 16).ok());
        hex.map(|value| value as f64).or_else(|| plain.parse::<f64>().ok())
    };
    match (number(right), number(given)) {
        (Some(right), Some(given)) => right == given,
        _ => right.eq_ignore_ascii_case(given.trim_matches('`')),
    }
}

fn breaks(exercise: &Exercise, task: &Task, trial: &mut AnswerTrial, written: &str) -> Result<Verdict, String> {
    let spec = &exercise.spec;
    let shows = &spec.breaks.as_ref().ok_or_else(|| say!("form-break"))?.shows;
    let schedules = lines(written, "SCHEDULE");
    let [schedule] = schedules[..] else { return Ok(open(&task.shown, "SCHEDULE")) };
    if is_open(schedule) {
        return Ok(open(&task.shown, "SCHEDULE"));
    }
    let sizes = lines(written, "SIZES");
    let (case, order) = match (read_sizes(&sizes, &Case::largest(spec), exercise), read_order(schedule)) {
        (Ok(case), Ok(order)) => (case, order),
        (Err(why), _) | (_, Err(why)) => {
            let (told, line) = (say!("error", why) + "\n\n", format!("{} (todo)", task.shown));
            return Ok(Verdict::unsolved(&[Reason::Todo], &told, &line, ""));
        }
    };
    match trial.rejection(&case, order)? {
        Some(shown) if shown.is(*shows) => {
            let told = &shown.text[..shown.line_at.unwrap_or(0)];
            let found = say!("run-found", order = order.to_string(), shows = shows.as_str());
            let more = format!("{found}\n{}", say!("idea", idea = exercise.idea()));
            Ok(Verdict::solved(&format!("{}\n", told.trim_end()), &task.shown, &more, trial.runs))
        }
        other => {
            let (shows, order) = (shows.as_str(), order.to_string());
            let line = match other {
                None => say!("line-shows-nothing", shown = &task.shown, order, shows),
                Some(other) => {
                    let saw = listed(&other.kinds, ", ");
                    say!("line-shows-other", shown = &task.shown, order, saw, shows)
                }
            };
            Ok(Verdict::unsolved(&[Reason::Answer], "", &line, ""))
        }
    }
}

/// `adversarial 17`, or as a token has it.
fn read_order(text: &str) -> Result<ScheduleAndSeed, String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let apart =
        words.iter().filter(|word| !word.starts_with(|c: char| c.is_ascii_digit())).copied().collect::<Vec<_>>();
    if let (2.., Ok(near)) = (apart.len(), apart.join("-").parse::<Schedule>()) {
        return Err(say!("schedule-unknown-near", name = apart.join(" "), near = near.as_str()));
    }
    let order: ScheduleAndSeed = words.join(":").parse()?;
    let names = Schedule::ALL.map(Schedule::as_str).join(", ");
    if order.schedule.takes_seed() && !text.contains(|c: char| c.is_ascii_digit()) {
        return Err(say!("schedule-without-seed", text, schedule = order.schedule.as_str(), names));
    }
    Ok(order)
}

fn read_sizes(lines: &[&str], largest: &Case, exercise: &Exercise) -> Result<Case, String> {
    let mut case = largest.clone();
    for one in lines.iter().flat_map(|line| line.split(',')).filter(|one| !is_open(one)) {
        let pair = one.split_once('=').and_then(|(name, value)| Some((name.trim(), value.trim().parse::<i64>().ok()?)));
        let (name, value) = pair.ok_or_else(|| say!("size-unreadable", text = one.trim()))?;
        let size = exercise.spec.sizes.get(name).ok_or_else(|| say!("size-unknown", name))?;
        let (low, high) = size.ends();
        if size.at(size.place_of(value)) != value {
            return Err(say!("size-not-of-exercise", name, value, low, high));
        }
        case.sizes.insert(name.to_string(), value);
    }
    Ok(case)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schedule_in_two_words_is_guessed() {
        let why = read_order("in order").unwrap_err();
        assert_eq!(why, "there is no schedule `in order`; did you mean `in-order`?");
        assert_eq!(
            read_order("random 3").map(|order| order.to_string()),
            read_order("random:3").map(|order| order.to_string())
        );
        assert!(read_order("random three").is_err());
    }

    #[test]
    fn numbers_are_compared_by_value_and_words_by_letters() {
        for (right, given) in
            [("64", "64"), ("64", "0x40"), ("1024", "1_024"), ("0.5", ".5"), ("race-shared", "`Race-Shared`")]
        {
            assert!(is_right(right, given), "{right} {given}");
        }
        for (right, given) in [("64", "65"), ("none", "0"), ("race-shared", "race")] {
            assert!(!is_right(right, given), "{right} {given}");
        }
    }

    #[test]
    fn answers_are_read_from_their_lines() {
        let text = "// question\n  // ANSWER: 5\n// ANSWER:?\n// SCHEDULE: random 3\n";
        assert_eq!(lines(text, "ANSWER"), ["5", "?"]);
        assert_eq!(read_order("random 3"), Ok(ScheduleAndSeed { schedule: Schedule::Random, seed: 3 }));
        assert_eq!(read_order("in-order"), Ok(ScheduleAndSeed { schedule: Schedule::InOrder, seed: 0 }));
        assert!(read_order("random").unwrap_err().contains("needs a seed"));
        assert!(read_order("chaos 3").unwrap_err().contains("`chaos`"));
    }
}
