//! Is an answer right? It must compile, give the right result on inputs that are drawn anew, raise no finding under many
//! schedules, do the work on the device's threads, and keep to the budget.
//!
//! The first run that goes wrong is made smaller (`smaller`) and shown (`shown`). Findings come before wrong results (`result`): they
//! say why.

mod ended;
mod includes;
mod probe;
mod result;
mod shown;
mod smaller;
pub mod trial;

use self::trial::{Trial, Wrong, named};
use crate::case::{Case, Order, parse_token};
use crate::catalog::Exercise;
use crate::compile::{Compiled, Compiler, Workshop};
use crate::folded::folded;
use crate::letters::Plain;
use crate::reason::Reason;
use crate::spec::{Kind, Spec};
use crate::stage::Stop;
use crate::task::Task;
use crate::verdict::Verdict;
use crate::{answer, budget, edges, host, puzzle, refused};
use ::trial::Schedule;
use emulator::{Checks, Program};
use kernel_build::is_code;
use sha2::{Digest, Sha256};
use std::fs;
use std::sync::Arc;

/// Schedules for each special input: `in-order`, `reverse` and one that is drawn. It is the values that are tried.
const SPECIAL: usize = 3;

/// Judges an answer in this process. `Err` is the exercise's fault or the machine's, never the student's.
pub fn judge(exercise: &Exercise, task: &Task, workshop: &mut Workshop) -> Result<Verdict, String> {
    let bytes = fs::read(&task.file)
        .map_err(|error| say!("cannot-read", path = &task.shown) + ": " + &tell::of_system(&error))?;
    let Some(text) = answer::text(bytes) else {
        return Ok(Verdict::unsolved(&[Reason::Compile], "", &say!("line-no-text", shown = &task.shown), ""));
    };
    let spec = &exercise.spec;
    if spec.kind == Kind::Host {
        return host::judge(exercise, task, workshop);
    }
    if let Some(known) = &task.unless_known {
        return in_brief(exercise, task, &text, known, workshop);
    }
    let is_puzzle = spec.kind.is_puzzle();
    let answer = if is_puzzle {
        Answer { program: workshop.program(&exercise.shipped(), &spec.compile)?, warnings: String::new() }
    } else {
        match compile(workshop.compiler()?, task, &text, spec)? {
            Ok(answer) => answer,
            Err(verdict) => return Ok(verdict),
        }
    };
    let verdict = judge_program(exercise, task, &text, answer.program, workshop)?;
    // One that is right may look as it likes. Names of ASCII that stood for the author's own are as long.
    let verdict = if verdict.passed { verdict } else { verdict.below(&answer.warnings) };
    Ok(Verdict { text: Plain::of(&text).told(verdict.text), ..verdict })
}

fn judge_program(
    exercise: &Exercise,
    task: &Task,
    text: &str,
    answer: Arc<Program>,
    workshop: &mut Workshop,
) -> Result<Verdict, String> {
    let spec = &exercise.spec;
    let mut trial = Trial::of(exercise, task, text, answer, workshop)?;
    if spec.kind.is_puzzle() && task.replay.is_none() {
        return puzzle::judge(exercise, task, &mut trial, text);
    }
    if let Some(replay) = &task.replay {
        let (case, order) = parse_token(replay, spec)?;
        if let Some(rejected) = trial.rejection(&case, order)? {
            return Ok(rejected);
        }
        let passed = say!("replay-passed", shown = &task.shown, replay);
        return Ok(Verdict::passed(shown::printed(&trial.printed) + &passed, 1));
    }
    match trial.first_failure()? {
        Some(Failure::Run(case, order, wrong)) => return trial.smaller(&case, order, *wrong),
        Some(Failure::Counted(verdict)) => return Ok(*verdict),
        None => {}
    }
    let (cases, special, edges) = (Case::draw(spec), Case::special(spec), edges::cases(spec));
    let mut tried = say!("tried", inputs = cases.len(), schedules = 2 + spec.trial.seeds);
    if !special.is_empty() {
        tried += &say!("tried-special", count = special.len(), schedules = SPECIAL);
    }
    if !edges.is_empty() {
        tried += &say!("tried-edges", count = edges.len());
    }
    if is_counted(spec) {
        tried += &say!("tried-counted");
    }
    let more = format!(
        "{}\n{}\n{}\n{}{}\n",
        say!("right-every-time", runs = trial.runs),
        say!("all-tried", tried),
        budget::kept(exercise, trial.has_copies),
        trial.notes(&trial.notes, report::Fix::Idea),
        say!("idea", idea = exercise.idea()),
    );
    let has_notes = !trial.notes.is_empty();
    let busiest = trial.busiest;
    Ok(Verdict { has_notes, busiest, ..Verdict::solved("", &task.shown, &more.replace("\n\n", "\n"), trial.runs) })
}

/// Whether it is right, without a word about why not. Code that is known is not judged again.
fn in_brief(
    exercise: &Exercise,
    task: &Task,
    text: &str,
    known: &[String],
    workshop: &mut Workshop,
) -> Result<Verdict, String> {
    let compiled = workshop.compiler()?.compile(&task.file, text, &exercise.spec.compile);
    let ptx = match compiled.map_err(|error| tell::in_a_line(&error))? {
        Compiled::Ptx { ptx, .. } => ptx,
        Compiled::Refused(log) => return Ok(Verdict::failed(Reason::Compile, log)),
    };
    let code = Some(digest(&ptx));
    if code.as_ref().is_some_and(|code| known.contains(code)) {
        return Ok(Verdict { code, ..Verdict::default() });
    }
    let Ok(answer) = Program::from_ptx(&[&ptx]) else {
        return Ok(Verdict { code, ..Verdict::failed(Reason::Compile, String::new()) });
    };
    let mut trial = Trial::of(exercise, task, text, Arc::new(answer), workshop)?;
    let verdict = match trial.first_failure()? {
        Some(Failure::Run(_, _, wrong)) => Verdict { kinds: wrong.kinds, ..Verdict::default() },
        Some(Failure::Counted(verdict)) => *verdict,
        None => Verdict { busiest: trial.busiest, ..Verdict::passed(String::new(), trial.runs) },
    };
    Ok(Verdict { code, ..verdict })
}

/// Of the instructions alone: without lines of the source, and what debuggers want.
fn digest(ptx: &str) -> String {
    let mut hash = Sha256::new();
    // Sections stand at the end.
    let code = ptx.lines().take_while(|line| !line.trim_start().starts_with(".section"));
    code.filter(|line| is_code(line)).for_each(|line| hash.update(format!("{line}\n")));
    format!("{:x}", hash.finalize())
}

/// Whether there is something to count in a run of its own.
fn is_counted(spec: &Spec) -> bool {
    spec.work.is_some() || !spec.budget.is_empty()
}

/// A student's answer, compiled.
pub struct Answer {
    pub program: Arc<Program>,
    /// What the compiler says about it all the same, as a verdict shows it.
    pub warnings: String,
}

/// The student's program, or what the compiler says about it.
pub fn compile(compiler: &Compiler, task: &Task, text: &str, spec: &Spec) -> Result<Result<Answer, Verdict>, String> {
    let (ptx, warnings) =
        match compiler.compile(&task.file, text, &spec.compile).map_err(|error| tell::in_a_line(&error))? {
            Compiled::Ptx { ptx, warnings } => (ptx, warned(&warnings, task)),
            Compiled::Refused(log) => {
                let log = log.replace(&*task.file.to_string_lossy(), &task.shown);
                let folder = task.file.parent().unwrap_or(&task.file);
                let mut files: Vec<String> = log.lines().filter_map(|line| refused::file(line, folder)).collect();
                files.dedup();
                let log = if task.is_verbose { log.trim().to_string() } else { folded(log.trim(), task.more_by) };
                let told = log.clone() + &includes::note(&log, text) + "\n\n";
                let line = say!("line-does-not-compile", shown = &task.shown);
                return Ok(Err(Verdict::unsolved(&[Reason::Compile], &told, &line, "").with_refused(files)));
            }
        };
    match Program::from_ptx(&[&ptx]) {
        Ok(program) => Ok(Ok(Answer { program: Arc::new(program), warnings })),
        Err(error) => {
            let line = say!("line-ptx-not-loaded", shown = &task.shown, why = error.message);
            Ok(Err(Verdict::unsolved(&[Reason::Compile], "", &line, "")))
        }
    }
}

/// The first thing that the compiler warns of in the answer itself; all of it where everything is wanted.
fn warned(log: &str, task: &Task) -> String {
    let log = log.replace(&*task.file.to_string_lossy(), &task.shown);
    let of_answer = log.split("\n\n").filter(|warning| warning.contains("warning") && warning.contains(&task.shown));
    let shown = if task.is_verbose { usize::MAX } else { 1 };
    let told: String = of_answer.take(shown).map(|warning| format!("{}\n\n", warning.trim())).collect();
    if told.is_empty() { told } else { format!("{}\n{told}", say!("compiler-warns")) }
}

/// The first thing that an answer fails at.
pub enum Failure {
    Run(Case, Order, Box<Wrong>),
    /// Too few threads, or over the budget.
    Counted(Box<Verdict>),
}

impl Trial<'_> {
    /// Tries everything: all inputs under all schedules, then the run that is counted. `None`: the answer is right.
    pub fn first_failure(&mut self) -> Result<Option<Failure>, String> {
        let spec = &self.exercise.spec;
        let (cases, special) = (Case::draw(spec), Case::special(spec));
        for (number, case) in cases.iter().chain(&special).enumerate() {
            let scene = self.at(case)?;
            let most = if number < cases.len() { usize::MAX } else { SPECIAL };
            for order in Order::all(spec, number).into_iter().take(most) {
                if let Some(wrong) = scene.wrong(self, order)? {
                    return Ok(Some(Failure::Run(case.clone(), order, Box::new(wrong))));
                }
            }
        }
        // What is wrong at other sizes, too, is found above, and made smaller.
        for case in edges::cases(spec) {
            if let Some(wrong) = self.wrong(&case, Order::FIRST)? {
                return Ok(Some(Failure::Run(case, Order::FIRST, Box::new(wrong))));
            }
        }
        Ok(self.counted()?.map(|verdict| Failure::Counted(Box::new(verdict))))
    }

    /// One run at the largest sizes, counted.
    fn counted(&mut self) -> Result<Option<Verdict>, String> {
        let spec = &self.exercise.spec;
        if !is_counted(spec) {
            return Ok(None);
        }
        let scene = self.at(&Case::largest(spec))?;
        let order = Order { schedule: Schedule::InOrder, seed: 0 };
        let outcome = match scene.run(self, order, Checks::Counters) {
            Ok(outcome) => outcome,
            Err(stop) => return stopped(stop, &self.task.shown).map(Some),
        };
        self.busiest =
            outcome.counted.as_ref().map_or((0, 0), |counted| (counted.busiest_thread, counted.most_accesses));
        self.has_copies = outcome.counted.as_ref().is_some_and(budget::has_copies);
        budget::judge(self, &scene.case, &outcome)
    }
}

fn stopped(stop: Stop, shown: &str) -> Result<Verdict, String> {
    match named(stop) {
        (Reason::Error, why) => Err(why),
        (kind, text) => {
            Ok(Verdict::unsolved(&[kind], &(say!("error", why = text) + "\n\n"), &format!("{shown} ({kind})"), ""))
        }
    }
}
