//! Is an answer right? It must compile, give the right result on inputs that are drawn anew, raise no finding under
//! many schedules, do the work on the device's threads, and keep to the budget.
//!
//! The first run that goes wrong is made smaller (`smaller`) and shown (`shown`). Findings come before wrong results
//! (`result`): they say why.

mod ended;
mod every;
pub mod explored;
mod includes;
mod never_released;
mod probe;
mod result;
mod shown;
mod smaller;
pub mod trial;

use self::trial::{AnswerTrial, RunMistakes, TrialScene, named};
use crate::case::{Case, ScheduleAndSeed, parse_token};
use crate::catalog::Exercise;
use crate::compile::{Compiled, Compiler, Workshop};
use crate::folded::folded;
use crate::letters::Plain;
use crate::plan::{Plan, is_needed, more_at_edge};
use crate::reason::Reason;
use crate::spec::{ExerciseKind, Spec};
use crate::stage::NoRun;
use crate::task::Task;
use crate::verdict::Verdict;
use crate::{answer, budget, host, puzzle, refused};
use emulator::counters::LaunchCounts;
use emulator::{Checks, Program};
use kernel_build::is_code;
use sha2::{Digest, Sha256};
use std::fs;
use std::sync::Arc;

/// Judges an answer in this process. `Err` is the exercise's fault or the machine's, never the student's.
pub fn judge(exercise: &Exercise, task: &Task, workshop: &mut Workshop) -> Result<Verdict, String> {
    let bytes = fs::read(&task.file)
        .map_err(|error| say!("cannot-read", path = &task.shown) + ": " + &tell::of_system(&error))?;
    let Some(text) = answer::text(bytes) else {
        return Ok(Verdict::unsolved(&[Reason::Compile], "", &say!("line-no-text", shown = &task.shown), ""));
    };
    let spec = &exercise.spec;
    if spec.kind == ExerciseKind::Host {
        return host::judge(exercise, task, workshop);
    }
    if let Some(known) = &task.unless_known {
        return in_brief(exercise, task, &text, known, workshop);
    }
    let is_puzzle = spec.kind.is_puzzle();
    let answer = if is_puzzle {
        CompiledAnswer { program: workshop.program(&exercise.shipped(), &spec.compile)?, warnings: String::new() }
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
    let mut trial = AnswerTrial::of(exercise, task, text, answer, workshop)?;
    if spec.kind.is_puzzle() && task.replay.is_none() {
        return puzzle::judge(exercise, task, &mut trial, text);
    }
    if let Some(replay) = &task.replay {
        if let Some(verdict) = trial.replay_executions(replay)? {
            return Ok(verdict);
        }
        let (case, order) = parse_token(replay, spec)?;
        if let Some(rejected) = trial.rejection(&case, order)? {
            return Ok(rejected);
        }
        let passed = say!("replay-passed", shown = &task.shown, replay);
        return Ok(Verdict::passed(shown::printed(&trial.printed) + &passed, 1));
    }
    match trial.first_failure()? {
        Some(AnswerFailure::Run(case, order, wrong)) => return trial.smaller(&case, order, *wrong),
        Some(AnswerFailure::Rule(verdict)) => return Ok(*verdict),
        None => {}
    }
    let plan = Plan::new(spec);
    let mut tried = say!("tried", inputs = plan.drawn, schedules = 2 + spec.trial.seeds);
    let special = plan.inputs.len() - plan.drawn;
    let is_more = trial.answer.depends_on_schedule();
    if special != 0 {
        tried += &say!("tried-special", count = special, schedules = plan.for_special(is_more));
    }
    if !plan.edges.is_empty() {
        tried += &say!("tried-edges", count = plan.edges.len(), schedules = plan.for_edge(is_more), is_more);
    }
    if !plan.spread.is_empty() {
        tried += &say!("tried-spread", count = plan.spread.len());
    }
    if is_counted(spec) {
        tried += &say!("tried-counted");
    }
    let more = format!(
        "{}\n{}\n{}\n{}{}\n",
        say!("right-every-time", runs = trial.runs),
        say!("all-tried", tried),
        budget::kept(exercise, trial.has_copies),
        trial.notes(&trial.notes, report::FixState::Idea),
        say!("idea", idea = exercise.idea()),
    );
    let has_notes = !trial.notes.is_empty();
    let busiest = trial.busiest;
    Ok(Verdict { has_notes, busiest, ..Verdict::solved("", &task.shown, &more.replace("\n\n", "\n"), trial.runs) })
}

/// Judges whether it is right, without a word about why not. Code that is known is not judged again.
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
    let mut trial = AnswerTrial::of(exercise, task, text, Arc::new(answer), workshop)?;
    let verdict = match trial.first_failure()? {
        Some(AnswerFailure::Run(_, _, wrong)) => Verdict { kinds: wrong.kinds, ..Verdict::default() },
        Some(AnswerFailure::Rule(verdict)) => *verdict,
        None => Verdict { busiest: trial.busiest, ..Verdict::passed(String::new(), trial.runs) },
    };
    Ok(Verdict { code, ..verdict })
}

/// Returns a digest of the instructions alone: without lines of the source, and what debuggers want.
fn digest(ptx: &str) -> String {
    let mut hash = Sha256::new();
    // Sections stand at the end.
    let code = ptx.lines().take_while(|line| !line.trim_start().starts_with(".section"));
    code.filter(|line| is_code(line)).for_each(|line| hash.update(format!("{line}\n")));
    format!("{:x}", hash.finalize())
}

/// True if there is something to count in a run of its own.
fn is_counted(spec: &Spec) -> bool {
    spec.work.is_some() || !spec.budget.is_empty()
}

/// A student's answer, compiled.
pub struct CompiledAnswer {
    pub program: Arc<Program>,
    /// The compiler's warnings, as a verdict shows them.
    pub warnings: String,
}

/// The student's program, or what the compiler says about it.
pub fn compile(
    compiler: &Compiler,
    task: &Task,
    text: &str,
    spec: &Spec,
) -> Result<Result<CompiledAnswer, Verdict>, String> {
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
        Ok(program) => Ok(Ok(CompiledAnswer { program: Arc::new(program), warnings })),
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
pub enum AnswerFailure {
    Run(Case, ScheduleAndSeed, Box<RunMistakes>),
    /// Too few threads, over the budget, on without a lock, or an execution that no run has shown.
    Rule(Box<Verdict>),
}

impl AnswerTrial<'_> {
    /// Tries everything: all inputs under all schedules, executions at small sizes, then the run that is counted.
    /// `None`: the answer is right.
    pub fn first_failure(&mut self) -> Result<Option<AnswerFailure>, String> {
        let plan = Plan::new(&self.exercise.spec);
        let is_more = self.answer.depends_on_schedule();
        for (number, (case, _)) in plan.inputs.iter().enumerate() {
            let orders = plan.orders(number, is_more);
            if let Some(failure) = self.at(case)?.first_failure(self, orders.iter().copied())? {
                return Ok(Some(failure));
            }
        }
        // A mistake that shows at other sizes, too, is found above, and made smaller.
        for (number, (case, orders)) in plan.edges.iter().enumerate() {
            let (scene, before) = (self.at(case)?, self.instructions);
            let needed = orders.iter().copied().filter(|order| is_needed(order, is_more));
            let mut failure = scene.first_failure(self, needed)?;
            if failure.is_none() && is_more {
                let instructions = (self.instructions - before) / orders.len() as u64;
                failure = scene.first_failure(self, more_at_edge(number, instructions))?;
            }
            if failure.is_some() {
                return Ok(failure);
            }
        }
        for case in &plan.spread {
            if let Some(failure) = self.at(case)?.first_failure(self, [ScheduleAndSeed::FIRST])? {
                return Ok(Some(failure));
            }
        }
        let mut verdict = self.every_execution(&plan)?;
        if verdict.is_none() {
            verdict = self.goes_on_without_lock()?;
        }
        if verdict.is_none() {
            verdict = self.counted()?;
        }
        Ok(verdict.map(|verdict| AnswerFailure::Rule(Box::new(verdict))))
    }

    /// Counts one run at the largest sizes, and one at two thirds of them: what costs less at the largest alone is no
    /// answer.
    fn counted(&mut self) -> Result<Option<Verdict>, String> {
        let spec = &self.exercise.spec;
        if !is_counted(spec) {
            return Ok(None);
        }
        let (largest, smaller) = (Case::largest(spec), Case::two_thirds(spec));
        let (over, counted) = self.count(&largest)?;
        self.busiest = (counted.busiest_thread, counted.most_accesses);
        self.has_copies = budget::has_copies(&counted);
        if over.is_some() || smaller == largest {
            return Ok(over);
        }
        Ok(self.count(&smaller)?.0)
    }

    /// Counts one run; returns what is over a limit, if anything, and the counters.
    fn count(&mut self, case: &Case) -> Result<(Option<Verdict>, LaunchCounts), String> {
        let scene = self.at(case)?;
        let outcome = match scene.run(self, ScheduleAndSeed::FIRST, Checks::Counters) {
            Ok(outcome) => outcome,
            Err(stop) => return Ok((Some(stopped(stop, &self.task.shown)?), LaunchCounts::default())),
        };
        let over = budget::judge(self, case, &outcome)?;
        Ok((over, outcome.counted.unwrap_or_default()))
    }
}

impl TrialScene {
    /// Runs under each of these schedules until one run is wrong.
    fn first_failure(
        &self,
        trial: &mut AnswerTrial,
        orders: impl IntoIterator<Item = ScheduleAndSeed>,
    ) -> Result<Option<AnswerFailure>, String> {
        for order in orders {
            if let Some(wrong) = self.wrong(trial, order)? {
                return Ok(Some(AnswerFailure::Run(self.case.clone(), order, Box::new(wrong))));
            }
        }
        Ok(None)
    }
}

fn stopped(stop: NoRun, shown: &str) -> Result<Verdict, String> {
    match named(stop) {
        (Reason::Error, why) => Err(why),
        (kind, text) => {
            Ok(Verdict::unsolved(&[kind], &(say!("error", why = text) + "\n\n"), &format!("{shown} ({kind})"), ""))
        }
    }
}
