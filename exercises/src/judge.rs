//! Is an answer right? It must compile, give the right result on inputs that are drawn anew, raise no finding under many
//! schedules, do the work on the device's threads, and keep to the budget.
//!
//! The first run that goes wrong is made smaller (`smaller`) and shown (`shown`). Findings come before wrong results (`result`): they
//! say why.

mod ended;
mod includes;
mod result;
mod shown;
mod smaller;

pub use shown::{cut, folded};

use crate::case::{Case, Order, parse_token};
use crate::catalog::Exercise;
use crate::compile::{Compiled, Compiler, Workshop};
use crate::reason::Reason;
use crate::spec::{Amount, Check, Kind, Reference, Spec};
use crate::stage::{self, Manner, Outcome, Stop};
use crate::verdict::Verdict;
use crate::{answer, budget, host, puzzle, refused};
use emulator::finding::{Finding, Slug, explain_an_answer};
use emulator::{Checks, Config, Fault, Observe, Program};
use kernel_build::is_code;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use trial::{Schedule, add_note};

/// What to judge.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Task {
    /// The folder of all exercises.
    pub catalog: PathBuf,
    pub exercise: String,
    /// The answer, absolute.
    #[serde(with = "crate::answer")]
    pub file: PathBuf,
    /// What to call it.
    pub shown: String,
    /// Only this run.
    pub replay: Option<String>,
    pub colour: bool,
    /// What the student types in front of a command: `cargo learn`.
    pub command: String,
    /// By cargo, which takes its time.
    pub is_built: bool,
    /// Everything, and not only what comes first.
    pub is_verbose: bool,
    /// What fixes the run of `replay` is wanted, and no verdict on it.
    #[serde(default)]
    pub tries_fix: bool,
    /// The student has failed before: what would fix it may be told where none can be tried.
    #[serde(default)]
    pub tells_idea: bool,
    /// The page of the run of `replay` is wanted.
    #[serde(default)]
    pub shows_run: bool,
    /// Only whether it is right is wanted, and not even that for code that is among these.
    #[serde(default)]
    pub unless_known: Option<Vec<String>>,
}

impl Task {
    /// The exercise as it is handed out, where nobody's answer is judged.
    pub fn of(catalog: &Path, exercise: &Exercise) -> Task {
        Task {
            catalog: catalog.to_path_buf(),
            exercise: exercise.name.clone(),
            file: exercise.shipped(),
            shown: exercise.file_name(),
            replay: None,
            colour: false,
            command: String::new(),
            is_built: false,
            is_verbose: false,
            tries_fix: false,
            tells_idea: false,
            shows_run: false,
            unless_known: None,
        }
    }
}

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
        workshop.program(&exercise.shipped(), &spec.compile)?
    } else {
        match compile(workshop.compiler()?, task, &text, spec)? {
            Ok(program) => program,
            Err(verdict) => return Ok(verdict),
        }
    };
    let mut trial = Trial::of(exercise, task, &text, answer, workshop)?;
    if is_puzzle && task.replay.is_none() {
        return puzzle::judge(exercise, task, &mut trial, &text);
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
    let (cases, special) = (Case::draw(spec), Case::special(spec));
    let mut tried = say!("tried", inputs = cases.len(), schedules = 2 + spec.trial.seeds);
    if !special.is_empty() {
        tried += &say!("tried-special", count = special.len(), schedules = SPECIAL);
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
        Compiled::Ptx(ptx) => ptx,
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

/// The student's program, or what the compiler says about it.
pub fn compile(
    compiler: &Compiler,
    task: &Task,
    text: &str,
    spec: &Spec,
) -> Result<Result<Arc<Program>, Verdict>, String> {
    let ptx = match compiler.compile(&task.file, text, &spec.compile).map_err(|error| tell::in_a_line(&error))? {
        Compiled::Ptx(ptx) => ptx,
        Compiled::Refused(log) => {
            let log = log.replace(&*task.file.to_string_lossy(), &task.shown);
            let folder = task.file.parent().unwrap_or(&task.file);
            let mut files: Vec<String> = log.lines().filter_map(|line| refused::file(line, folder)).collect();
            files.dedup();
            let log = if task.is_verbose { log.trim().to_string() } else { folded(log.trim()) };
            let told = log.clone() + &includes::note(&log, text) + "\n\n";
            let line = say!("line-does-not-compile", shown = &task.shown);
            return Ok(Err(Verdict::unsolved(&[Reason::Compile], &told, &line, "").with_refused(files)));
        }
    };
    match Program::from_ptx(&[&ptx]) {
        Ok(program) => Ok(Ok(Arc::new(program))),
        Err(error) => {
            let line = say!("line-ptx-not-loaded", shown = &task.shown, why = error.message);
            Ok(Err(Verdict::unsolved(&[Reason::Compile], "", &line, "")))
        }
    }
}

/// One judgement in progress.
pub struct Trial<'a> {
    pub exercise: &'a Exercise,
    pub task: &'a Task,
    text: &'a str,
    pub answer: Arc<Program>,
    check: Option<(&'a Reference, Arc<Program>)>,
    pub runs: u64,
    /// Instructions of the busiest thread in the run that is counted, and elements that one accessed.
    busiest: (u64, u64),
    /// Whether that run copied asynchronously.
    has_copies: bool,
    /// What the last run printed.
    printed: Vec<u8>,
    /// What each run looks for beside findings.
    pub observe: Observe,
    /// What was seen in any run that fails nothing and is worth a word.
    notes: Vec<Finding>,
}

/// The inputs of one case, and what should come of them.
struct Scene {
    case: Case,
    inputs: Vec<Vec<u8>>,
    expected: Option<Vec<Vec<u8>>>,
}

/// What is wrong with one run.
pub struct Wrong {
    kinds: Vec<Reason>,
    pub outcome: Outcome,
    /// In words, where the result is wrong.
    pub result: Option<String>,
}

/// The first thing that an answer fails at.
pub enum Failure {
    Run(Case, Order, Box<Wrong>),
    /// Too few threads, or over the budget.
    Counted(Box<Verdict>),
}

impl<'a> Trial<'a> {
    pub fn of(
        exercise: &'a Exercise,
        task: &'a Task,
        text: &'a str,
        answer: Arc<Program>,
        workshop: &mut Workshop,
    ) -> Result<Trial<'a>, String> {
        workshop.has_compiled();
        let check = match &exercise.spec.reference {
            Some(reference) if !reference.is_empty() => {
                Some((reference, workshop.program(&exercise.check_file(), &exercise.spec.compile)?))
            }
            _ => None,
        };
        Ok(Trial {
            exercise,
            task,
            text,
            answer,
            check,
            runs: 0,
            busiest: (0, 0),
            has_copies: false,
            printed: Vec::new(),
            observe: Observe::default(),
            notes: Vec::new(),
        })
    }

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
        Ok(self.counted()?.map(|verdict| Failure::Counted(Box::new(verdict))))
    }

    /// What is wrong with one run.
    pub fn wrong(&mut self, case: &Case, order: Order) -> Result<Option<Wrong>, String> {
        self.at(case)?.wrong(self, order)
    }

    fn at(&self, case: &Case) -> Result<Scene, String> {
        let spec = &self.exercise.spec;
        let inputs = stage::inputs(spec, &case.sizes, case.seed).map_err(broken)?;
        let expected = match &self.check {
            Some((reference, program)) if reference.kernel.is_some() => {
                let kernel = reference.kernel.as_deref().unwrap_or_default();
                let args = self.reference_args(reference);
                let made = stage::reference(program, spec, kernel, args, &inputs, &case.sizes, false);
                Some(made.map_err(broken)?.0)
            }
            _ => None,
        };
        Ok(Scene { case: case.clone(), inputs, expected })
    }

    /// What the buffers that are compared must hold after a run, if one answer alone is right.
    pub fn only_answer(&mut self, case: &Case) -> Result<Option<Vec<Vec<u8>>>, String> {
        let buffers = &self.exercise.spec.buffers;
        let is_exact = buffers.iter().all(|buffer| matches!(buffer.check, None | Some(Check::Equal)));
        let is_alone = self.check.as_ref().is_none_or(|(reference, _)| reference.accept.is_none());
        let Some(expected) = self.at(case)?.expected.filter(|_| is_exact && is_alone) else { return Ok(None) };
        let compared = buffers.iter().zip(expected).filter(|(buffer, _)| buffer.check.is_some());
        Ok(Some(compared.map(|(_, bytes)| bytes).collect()))
    }

    /// One run, whatever comes of it.
    pub fn run(&mut self, case: &Case, order: Order, checks: Checks) -> Result<Outcome, String> {
        self.at(case)?.run(self, order, checks).map_err(broken)
    }

    /// The verdict about one run, if something is wrong with it.
    pub fn rejection(&mut self, case: &Case, order: Order) -> Result<Option<Verdict>, String> {
        let wrong = self.at(case)?.wrong(self, order)?;
        wrong.map(|wrong| self.rejected(case, order, wrong, false, "")).transpose()
    }

    fn reference_args<'b>(&'b self, reference: &'b Reference) -> &'b [Amount] {
        let first = || self.exercise.spec.launches.first().map_or(&[][..], |launch| &launch.args);
        reference.args.as_deref().unwrap_or_else(first)
    }

    /// The first thing that may explain a wrong answer.
    pub fn explained(&mut self, case: &Case, order: Order, wrong: &Wrong) -> Result<Option<Finding>, String> {
        let scene = self.at(case)?;
        Ok(self.hints(&scene, order, wrong)?.into_iter().next())
    }

    /// What may explain a wrong answer that no finding explains, in a run of its own.
    fn hints(&mut self, scene: &Scene, order: Order, wrong: &Wrong) -> Result<Vec<Finding>, String> {
        if wrong.result.is_none() || wrong.outcome.buffers.is_empty() || explain_an_answer(&wrong.outcome.findings) {
            return Ok(Vec::new());
        }
        let runs = self.runs;
        let observe = Observe { hints: true, ..Observe::default() };
        let hints = scene.observe(self, order, Checks::Full, observe).map_err(broken)?.observed.hints;
        self.runs = runs;
        Ok(hints)
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

impl Scene {
    fn run(&self, trial: &mut Trial, order: Order, checks: Checks) -> Result<Outcome, Stop> {
        self.observe(trial, order, checks, trial.observe)
    }

    fn observe(&self, trial: &mut Trial, order: Order, checks: Checks, observe: Observe) -> Result<Outcome, Stop> {
        trial.runs += 1;
        let spec = &trial.exercise.spec;
        let policy = order.schedule.policy(order.seed);
        let manner = Manner { config: Config { checks, policy, workers: 1, fuel: spec.trial.fuel }, observe };
        let outcome = stage::run(&trial.answer, spec, &spec.launches, &self.inputs, &self.case.sizes, &manner)?;
        trial.printed.clone_from(&outcome.printed);
        Ok(outcome)
    }

    /// Runs once; `None` where all is well.
    fn wrong(&self, trial: &mut Trial, order: Order) -> Result<Option<Wrong>, String> {
        let mut outcome = match self.run(trial, order, Checks::Full) {
            Ok(outcome) => outcome,
            Err(Stop::Exercise(why)) => return Err(why),
            Err(stop) => {
                let (kind, text) = named(stop);
                let result = Some(say!("error", why = text) + "\n");
                return Ok(Some(Wrong { kinds: vec![kind], outcome: Outcome::default(), result }));
            }
        };
        outcome.notes.iter().cloned().for_each(|note| add_note(&mut trial.notes, note));
        let mut kinds: Vec<Reason> = Vec::new();
        // What ended the launch is the reason: the first access that is not allowed, or what comes last in its list.
        let is_access =
            |finding: &&Finding| matches!(finding.slug, Slug::OutOfBounds | Slug::Misaligned | Slug::UseAfterFree);
        let ended_by = |fault: &Fault| match fault {
            Fault::IllegalAddress | Fault::MisalignedAddress => outcome.findings.iter().find(is_access),
            _ => None,
        };
        let fatal = outcome.fault.as_ref().and_then(|fault| ended_by(fault).or(outcome.findings.last()));
        let fatal = fatal.map(|finding| finding.slug);
        // Notes come last.
        outcome.findings.sort_by_key(|finding| !finding.is_error());
        for slug in fatal.into_iter().chain(outcome.findings.iter().map(|finding| finding.slug)) {
            if !kinds.contains(&Reason::Finding(slug)) {
                kinds.push(Reason::Finding(slug));
            }
        }
        let result = match &outcome.fault {
            Some(fault) if kinds.is_empty() => {
                kinds.push(Reason::Fault);
                let other = || say!("error-fault", fault = say!("fault", name = fault.name())) + "\n";
                Some(trial.ended(&outcome).unwrap_or_else(other))
            }
            Some(_) => trial.ended(&outcome),
            None => self.result(trial, &outcome)?,
        };
        if result.is_some() && outcome.fault.is_none() {
            kinds.push(Reason::Answer);
        }
        Ok((!kinds.is_empty()).then_some(Wrong { kinds, outcome, result }))
    }
}

/// A reason, and words.
fn named(stop: Stop) -> (Reason, String) {
    match stop {
        Stop::Signature(text) => (Reason::Compile, text),
        Stop::Launch(text) => (Reason::Launch, text),
        Stop::Unsupported(text) => (Reason::Unsupported, text),
        Stop::Exercise(text) => (Reason::Error, text),
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

fn broken(stop: Stop) -> String {
    named(stop).1
}
