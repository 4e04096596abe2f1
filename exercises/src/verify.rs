//! The catalogue tests itself: each exercise fails as shipped in the way it says, its solution and other right answers
//! pass, every wrong answer is rejected for the reason it names, and nothing is missing.

use crate::catalog::{Catalog, Exercise};
use crate::child::{Judge, Limits};
use crate::compile::Workshop;
use crate::form::{form, obstacles, wrong_kind};
use crate::reason::{Reason, listed};
use crate::spec::ExerciseKind;
use crate::task::Task;
use crate::{cheats, ends, ranges, stored};
use anyhow::{Result, bail};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Authors' machines may be busy: what a student waits for is in the report.
const LIMITS: Limits = Limits { time: Duration::from_secs(90), memory: 6 << 30 };

/// The results for one exercise.
#[derive(Debug)]
pub struct Verified {
    pub name: String,
    pub problems: Vec<String>,
    pub answers: usize,
    /// The text about each answer that is rejected, by its name.
    pub rejected: Vec<(String, String)>,
    pub took: Duration,
}

/// Looks at all exercises whose names hold `part`, with `workers` processes.
pub fn verify(catalog: &Catalog, part: &str, program: &Path, workers: usize, command: &str) -> Result<Vec<Verified>> {
    let wanted = catalog.matching(part);
    if wanted.is_empty() {
        bail!(say!("verify-no-exercise", part));
    }
    let left = Mutex::new(wanted.iter());
    let done = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..workers.clamp(1, wanted.len()) {
            scope.spawn(|| {
                let mut judge = Judge::new(program, LIMITS);
                let mut workshop = Workshop::default();
                loop {
                    let Some(exercise) = left.lock().ok().and_then(|mut left| left.next()) else { return };
                    let verified = one(catalog, exercise, &mut judge, &mut workshop, command);
                    done.lock().map(|mut done| done.push(verified)).unwrap_or_default();
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_default();
    if done.len() != wanted.len() {
        bail!(say!("worker-ended"));
    }
    done.sort_by(|a: &Verified, b| a.name.cmp(&b.name));
    Ok(done)
}

fn one(catalog: &Catalog, exercise: &Exercise, judge: &mut Judge, workshop: &mut Workshop, command: &str) -> Verified {
    let begin = Instant::now();
    let mut problems = form(exercise);
    if catalog.pack.is_some() {
        let names = stored::missing(exercise).join(&format!(" {} ", say!("and")));
        if !names.is_empty() {
            problems.push(say!("verify-ptx-missing", names, command, name = &exercise.name));
        }
    }
    let (mut answers, mut rejected, mut busiest) = (0, Vec::new(), (0, 0));
    let verified = |problems, answers, rejected| Verified {
        name: exercise.name.clone(),
        problems,
        answers,
        rejected,
        took: begin.elapsed(),
    };
    if !obstacles(exercise).is_empty() {
        return verified(problems, answers, rejected);
    }
    problems.extend(ranges::problems(exercise));
    let mut found = Problems::default();
    let mut look = |path: PathBuf, wanted: Option<Reason>| {
        answers += 1;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let task = Task {
            file: path,
            shown: format!("{}/{name}", exercise.name),
            command: command.into(),
            is_built: exercise.spec.kind == ExerciseKind::Host,
            ..Task::of(&catalog.folder, exercise)
        };
        match judge.ask(&task) {
            // The exercise is at fault, and would be with every other answer.
            Err(why) if answers == 1 => {
                problems.push(why.replace('\n', "\n      "));
                return false;
            }
            Err(why) => found.add(name, &why, String::new()),
            Ok(verdict) if wanted.is_none() && verdict.passed && !verdict.has_notes => {
                busiest = (busiest.0.max(verdict.busiest.0), busiest.1.max(verdict.busiest.1));
            }
            Ok(verdict) if !verdict.passed && wanted.is_some_and(|wanted| verdict.is(wanted)) => {
                rejected.push((name, verdict.text));
            }
            // The text of a verdict that passes tells an author nothing.
            Ok(verdict) if verdict.passed && wanted.is_some() => {
                let wanted = wanted.map_or("", Reason::as_str);
                problems.push(say!("verify-passes", name, wanted));
            }
            Ok(verdict) => {
                let text = indented(&verdict.text);
                if verdict.passed {
                    found.add(name.clone(), &say!("verify-passes-with-note", name), text);
                } else {
                    let (kinds, wanted) = (listed(&verdict.kinds, ", "), wanted.map_or("pass", Reason::as_str));
                    found.add(name.clone(), &say!("verify-rejected", name, kinds, wanted), text);
                }
            }
        }
        true
    };
    // A mistake in everything shows first in what should be right.
    if !look(exercise.solution(), None) {
        return verified(problems, answers, rejected);
    }
    look(exercise.shipped(), Some(exercise.spec.fails));
    for path in exercise.files("right_").unwrap_or_default() {
        look(path, None);
    }
    for path in exercise.files("wrong_").unwrap_or_default() {
        // `form` has told of one without a kind.
        if let Ok(Some(kind)) = wrong_kind(&fs::read_to_string(&path).unwrap_or_default()) {
            look(path, Some(kind));
        }
    }
    // A reference that stops at every input has ended this above.
    problems.extend(ends::problem(exercise, workshop));
    if let Some(work) = &exercise.spec.work {
        let bounds = [("busiest", work.busiest, busiest.0, 100), ("accesses", work.accesses, busiest.1, 20)];
        for (name, stated, most, floor) in bounds {
            // Another version of the compiler may need a few more.
            if stated.is_some_and(|stated| stated > (most * 10 / 3).max(floor)) {
                let (stated, wanted) = (stated.unwrap_or(0), (most * 3).max(floor));
                problems.push(say!("verify-busiest", name, stated, most, wanted));
            }
        }
    }
    match cheats::all(exercise) {
        Err(why) => found.add(say!("verify-cheats"), &why, String::new()),
        Ok(cheats) => {
            for (name, text) in cheats {
                answers += 1;
                passes(catalog, exercise, judge, &name, &text, &mut found);
            }
        }
    }
    problems.extend(found.told());
    verified(problems, answers, rejected)
}

/// The problems of answers. A problem that several have in common is told of the first one.
#[derive(Default)]
struct Problems(Vec<Shared>);

struct Shared {
    /// By which it is known again.
    cause: String,
    text: String,
    first: String,
    others: Vec<String>,
}

impl Problems {
    /// `what` is wrong with the answer of this name, and `told` is what judging said.
    fn add(&mut self, name: String, what: &str, told: String) {
        let line = told.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or(what);
        let cause = line.replace(&name, "");
        match self.0.iter_mut().find(|known| known.cause == cause) {
            Some(known) => known.others.push(name),
            None => {
                // A compiler has several lines to say.
                let what = what.replace('\n', "\n      ");
                let text = if told.is_empty() { what } else { format!("{what}\n{told}") };
                self.0.push(Shared { cause, text, first: name, others: Vec::new() });
            }
        }
    }

    fn told(self) -> Vec<String> {
        let told = |Shared { text, first, others, .. }: Shared| match others.is_empty() {
            true if text.contains(&first) => text,
            true => format!("{first}: {text}"),
            false if text.contains(&first) => {
                let count = others.len();
                format!("{}\n   {}", text.trim_end(), say!("verify-same", count, names = others.join(", ")))
            }
            // The exercise's own fault: the answers are named after it.
            false => {
                let count = others.len() + 1;
                let names = [first].into_iter().chain(others).collect::<Vec<_>>().join(", ");
                format!("{}\n   {}", text.trim_end(), say!("verify-no-verdict", count, names))
            }
        };
        self.0.into_iter().map(told).collect()
    }
}

/// Adds what is wrong if an answer passes that does not do the work.
fn passes(catalog: &Catalog, exercise: &Exercise, judge: &mut Judge, name: &str, text: &str, found: &mut Problems) {
    let file =
        std::env::temp_dir().join(format!("cheat-{}-{}.cu", std::process::id(), exercise.name.replace('/', "-")));
    if let Err(error) = fs::write(&file, text) {
        let why =
            say!("cannot-write", path = file.display().to_string(), why = "other") + ": " + &tell::of_system(&error);
        return found.add(name.to_string(), &why, String::new());
    }
    let task = Task {
        file: file.clone(),
        shown: format!("{}/{name}", exercise.name),
        command: "cargo learn".into(),
        ..Task::of(&catalog.folder, exercise)
    };
    let verdict = judge.ask(&task);
    // A file among the system's temporary ones; what cannot be removed does no harm.
    let _ = fs::remove_file(&file);
    match verdict {
        Err(why) => found.add(name.to_string(), &why, String::new()),
        Ok(verdict) if verdict.is(Reason::Compile) => {
            let what = say!("file-does-not-compile", path = name);
            found.add(name.to_string(), &what, indented(&verdict.text));
        }
        Ok(verdict) if verdict.passed => found.add(name.to_string(), &say!("verify-cheat-passes", name), String::new()),
        Ok(_) => {}
    }
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("      {line}\n")).collect()
}

/// The report, and whether all is well.
pub fn report(verified: &[Verified], disagreements: &[String]) -> (String, bool) {
    let mut text = String::new();
    for one in verified {
        let word = if one.problems.is_empty() { say!("verify-ok") } else { say!("verify-failed") };
        let seconds = format!("{:.1}", one.took.as_secs_f64());
        let line = say!("verify-line", name = &one.name, answers = one.answers, seconds);
        text.push_str(&format!("{word:<6} {line}\n"));
        for problem in &one.problems {
            text.push_str(&format!("   {}\n", problem.trim_end()));
        }
    }
    for problem in disagreements {
        text.push_str(&format!("{} {problem}\n", say!("verify-failed")));
    }
    let good = verified.iter().filter(|one| one.problems.is_empty()).count();
    text.push_str(&(say!("verify-standing", good, of = verified.len()) + "\n"));
    (text, good == verified.len() && disagreements.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_several_answers_have_in_common_is_told_once() {
        let mut found = Problems::default();
        for name in ["solution.cu", "right_a.cu"] {
            found.add(name.into(), "check.cu does not compile", String::new());
            let told = format!("error: {name} has no kernel `k`\n= {name}\n");
            found.add(name.into(), &format!("{name} is rejected as compile, it should pass"), told);
        }
        found.add("wrong_b.cu".into(), "wrong_b.cu is rejected as answer, it should be idle", "error: b\n".into());
        found.add("wrong_c.cu".into(), "out of time", String::new());
        let wanted = [
            "check.cu does not compile\n   without a verdict therefore: 2 answers (solution.cu, right_a.cu)",
            "solution.cu is rejected as compile, it should pass\nerror: solution.cu has no kernel `k`\n\
             = solution.cu\n   the same with 1 more answer: right_a.cu",
            "wrong_b.cu is rejected as answer, it should be idle\nerror: b\n",
            "wrong_c.cu: out of time",
        ];
        assert_eq!(found.told(), wanted);
    }
}
