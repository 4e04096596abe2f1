//! The catalogue tests itself: each exercise fails as shipped in the way it says, its solution and other right answers
//! pass, every wrong answer is rejected for the reason it names, and nothing is missing.

use crate::catalog::{Catalog, Exercise};
use crate::child::{Judge, Limits};
use crate::judge::Task;
use crate::reason::{Reason, listed};
use crate::spec::Kind;
use crate::{budget, case, cheats, stored};
use anyhow::{Result, bail};
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Lines of a shipped file: one screen.
const SCREEN: usize = 60;

/// Authors' machines may be busy: what a student waits for is in the report.
const LIMITS: Limits = Limits { time: Duration::from_secs(90), memory: 6 << 30 };

/// What was found out about one exercise.
#[derive(Debug)]
pub struct Verified {
    pub name: String,
    pub problems: Vec<String>,
    pub answers: usize,
    /// What is said of each answer that is rejected, by its name.
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
                loop {
                    let Some(exercise) = left.lock().ok().and_then(|mut left| left.next()) else { return };
                    let verified = one(catalog, exercise, &mut judge, command);
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

fn one(catalog: &Catalog, exercise: &Exercise, judge: &mut Judge, command: &str) -> Verified {
    let begin = Instant::now();
    let mut problems = form(exercise);
    if catalog.pack.is_some() {
        let names = stored::missing(exercise).join(&format!(" {} ", say!("and")));
        if !names.is_empty() {
            problems.push(say!("verify-ptx-missing", names, command, name = &exercise.name));
        }
    }
    let (mut answers, mut rejected, mut busiest) = (0, Vec::new(), (0, 0));
    let mut look = |path: PathBuf, wanted: Option<Reason>| {
        answers += 1;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let task = Task {
            file: path,
            shown: format!("{}/{name}", exercise.name),
            command: command.into(),
            is_built: exercise.spec.kind == Kind::Host,
            ..Task::of(&catalog.folder, exercise)
        };
        match judge.ask(&task) {
            Err(why) => problems.push(format!("{name}: {why}")),
            Ok(verdict) if wanted.is_none() && verdict.passed && !verdict.has_notes => {
                busiest = (busiest.0.max(verdict.busiest.0), busiest.1.max(verdict.busiest.1));
            }
            Ok(verdict) if !verdict.passed && wanted.is_some_and(|wanted| verdict.is(wanted)) => {
                rejected.push((name, verdict.text));
            }
            Ok(verdict) => {
                let got = if verdict.passed && wanted.is_none() {
                    say!("verify-passes-with-note", name)
                } else if verdict.passed {
                    say!("verify-passes", name, wanted = wanted.map_or("", Reason::as_str))
                } else {
                    let wanted = wanted.map_or("pass", Reason::as_str);
                    say!("verify-rejected", name, kinds = listed(&verdict.kinds, ", "), wanted)
                };
                problems.push(format!("{got}\n{}", indented(&verdict.text)));
            }
        }
    };
    look(exercise.shipped(), Some(exercise.spec.fails));
    look(exercise.solution(), None);
    for path in exercise.files("right_").unwrap_or_default() {
        look(path, None);
    }
    for path in exercise.files("wrong_").unwrap_or_default() {
        // `form` has told of one without a kind.
        if let Ok(Some(kind)) = wrong_kind(&fs::read_to_string(&path).unwrap_or_default()) {
            look(path, Some(kind));
        }
    }
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
        Err(why) => problems.push(say!("verify-cheats", why)),
        Ok(cheats) => {
            for (name, text) in cheats {
                answers += 1;
                problems.extend(passes(catalog, exercise, judge, name, &text));
            }
        }
    }
    Verified { name: exercise.name.clone(), problems, answers, rejected, took: begin.elapsed() }
}

/// What is wrong if an answer passes that does not do the work.
fn passes(catalog: &Catalog, exercise: &Exercise, judge: &mut Judge, name: &str, text: &str) -> Option<String> {
    let file =
        std::env::temp_dir().join(format!("cheat-{}-{}.cu", std::process::id(), exercise.name.replace('/', "-")));
    if let Err(error) = fs::write(&file, text) {
        return Some(say!("cannot-write", path = file.display().to_string(), why = "other") + &format!(": {error}"));
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
        Err(why) => Some(format!("{name}: {why}")),
        Ok(verdict) if verdict.is(Reason::Compile) => {
            Some(say!("file-does-not-compile", path = name) + "\n" + &indented(&verdict.text))
        }
        Ok(verdict) => verdict.passed.then(|| say!("verify-cheat-passes", name)),
    }
}

/// What can be seen without running anything.
pub fn form(exercise: &Exercise) -> Vec<String> {
    let spec = &exercise.spec;
    let mut wrong = Vec::new();
    let mut must = |holds: bool, text: String| {
        if !holds {
            wrong.push(text);
        }
    };
    must(spec.hints.len() >= 2, say!("form-hints", count = spec.hints.len()));
    must(
        spec.hints.iter().chain([&spec.idea, &spec.title]).all(|text| !text.trim().is_empty()),
        say!("form-empty-text"),
    );
    if let Some(spanish) = &exercise.spanish {
        let verdicts = spec.reference.as_ref().map_or(0, |reference| reference.verdicts.len());
        let counts = [
            ("hints", spanish.hints.len(), spec.hints.len()),
            ("questions", spanish.questions.len(), spec.questions.len()),
            ("verdicts", spanish.verdicts.len(), verdicts),
        ];
        for (name, count, wanted) in counts {
            must(count == wanted, say!("form-spanish-count", name, count, wanted));
        }
    }
    let rights = exercise.files("right_").unwrap_or_default();
    let wrongs = exercise.files("wrong_").unwrap_or_default();
    // A number has one form.
    must(!rights.is_empty() || spec.kind == Kind::Predict, say!("form-no-right"));
    must(wrongs.len() >= 3, say!("form-wrongs", count = wrongs.len()));
    for path in &wrongs {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let text = fs::read_to_string(path).unwrap_or_default();
        match wrong_kind(&text) {
            Ok(kind) => must(kind.is_some(), say!("form-wrong-without-kind", name = &name)),
            Err(why) => must(false, format!("{name}: {why}")),
        }
        let why = text.lines().nth(1).unwrap_or_default();
        must(why.starts_with("// ") && why.len() > 10, say!("form-wrong-without-why", name));
    }
    match fs::read_to_string(exercise.shipped()) {
        Err(error) => must(false, format!("{}: {error}", exercise.file_name())),
        Ok(text) => {
            must(text.matches("TODO:").count() == 1, say!("form-todo"));
            let lines = text.lines().count();
            if let Some(spanish) = &exercise.spanish {
                let is_stored = spec.kind.is_puzzle();
                spanish.problems(&text, is_stored).into_iter().for_each(|problem| must(false, problem));
                let lines = spanish.file(&text).lines().count();
                must(lines <= SCREEN, say!("form-screen", lines, most = SCREEN));
            }
            must(lines <= SCREEN, say!("form-screen", lines, most = SCREEN));
        }
    }
    let texts: Vec<String> = rights.iter().chain([&exercise.solution()]).flat_map(fs::read_to_string).collect();
    let texts: Vec<String> = if spec.kind.is_puzzle() { texts } else { texts.iter().map(|text| bare(text)).collect() };
    must(texts.iter().collect::<HashSet<_>>().len() == texts.len(), say!("form-same-answers"));
    for (sum, limit) in &spec.budget {
        if let Err(why) = budget::check(sum, limit) {
            must(false, say!("form-budget", why));
        }
    }
    must((spec.kind == Kind::Predict) != spec.questions.is_empty(), say!("form-questions"));
    must((spec.kind == Kind::Host) == spec.host.is_some(), say!("form-host"));
    must((spec.kind == Kind::Break) == spec.breaks.is_some(), say!("form-break"));
    for (name, size) in &spec.sizes {
        let (low, high) = size.ends();
        must(low <= high && low >= 0, say!("form-size", name, low, high));
    }
    must(spec.sizes.is_empty() || case::Case::draw(spec).len() >= 2, say!("form-inputs"));
    must(
        spec.buffers.is_empty() || spec.buffers.iter().any(|buffer| buffer.check.is_some()) || spec.kind.is_puzzle(),
        say!("form-no-check"),
    );
    wrong
}

/// KIND of `// wrong: KIND`, if it begins so.
fn wrong_kind(text: &str) -> Result<Option<Reason>, String> {
    let kind = text.lines().next().and_then(|line| line.strip_prefix("// wrong: "));
    kind.map(|kind| kind.trim().parse()).transpose()
}

/// Without comments and spaces.
fn bare(text: &str) -> String {
    text.lines().map(|line| line.split("//").next().unwrap_or("")).flat_map(str::split_whitespace).collect()
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
    use emulator::finding::Slug;

    #[test]
    fn the_kind_of_a_wrong_answer_stands_in_its_first_line() {
        assert_eq!(wrong_kind("// wrong: race-shared\n// why\n"), Ok(Some(Reason::Finding(Slug::RaceShared))));
        assert_eq!(wrong_kind("// wrong:\n"), Ok(None));
        assert_eq!(wrong_kind("\n// wrong: answer\n"), Ok(None));
    }

    #[test]
    fn a_mistyped_kind_is_named() {
        assert_eq!(wrong_kind("// wrong: rase-shared\n"), Err("no verdict has the reason `rase-shared`".into()));
    }

    #[test]
    fn answers_that_differ_in_comments_alone_are_the_same() {
        assert_eq!(bare("int a; // one\n int b;"), bare("int a;\n// two\nint  b;"));
        assert_ne!(bare("int a;"), bare("int b;"));
    }
}
