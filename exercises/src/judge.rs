//! Is an answer right? It must compile, give the right result on inputs that are drawn anew, raise no finding under many
//! schedules, do the work on the device's threads, and keep to the budget.
//!
//! The first run that goes wrong is made smaller and shown. Findings come before wrong results: they say why.
//!
//! It is long because the order in which all this is asked is one thing.

use crate::case::{Case, Order, parse_token, token};
use crate::catalog::Exercise;
use crate::compile::{Compiled, Compiler, Workshop};
use crate::reason::{Reason, listed};
use crate::spec::{Amount, Buffer, Check, Fill, Kind, Reference, Spec};
use crate::stage::{self, Manner, Outcome, Stop};
use crate::values::{self, Difference};
use crate::verdict::Verdict;
use crate::{Language, budget, host, puzzle};
use common::sarif::Problem;
use common::{Fix, Schedule, add_note};
use emulator::finding::{Finding, Slug, explain_an_answer};
use emulator::{Checks, Program};
use report::{Paint, Remarks, Source, render};
use serde::{Deserialize, Serialize};
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

/// What to judge.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Task {
    /// The folder of all exercises.
    pub catalog: PathBuf,
    pub exercise: String,
    /// The answer, absolute.
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
}

/// Findings shown of one run; all of them where everything is wanted.
const SHOWN: usize = 1;

/// Lines shown of what a compiler or a program says, as they stand on a screen of this width.
const SAID: usize = 14;
const WIDTH: usize = 100;

/// Rows of such a screen that a verdict may take.
const ROWS: usize = 24;

/// Schedules for each special input: `in-order`, `reverse` and one that is drawn. It is the values that are tried.
const SPECIAL: usize = 3;

/// Runs that making a failure smaller may take.
const SMALLER: u32 = 60;

/// The same for runs that end when their fuel is spent.
const SMALLER_ENDLESS: u32 = 4;

/// Judges an answer in this process. `Err` is the exercise's fault or the machine's, never the student's.
pub fn judge(exercise: &Exercise, task: &Task, workshop: &mut Workshop) -> Result<Verdict, String> {
    let bytes =
        fs::read(&task.file).map_err(|error| say!("cannot-read", path = &task.shown) + &format!(": {error}"))?;
    let Ok(text) = String::from_utf8(bytes) else {
        return Ok(Verdict::unsolved(&[Reason::Compile], "", &say!("line-no-text", shown = &task.shown), ""));
    };
    let spec = &exercise.spec;
    if spec.kind == Kind::Host {
        return host::judge(exercise, task, workshop);
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
        let passed = || Verdict::passed(say!("replay-passed", shown = &task.shown, replay), 1);
        return Ok(trial.rejection(&case, order)?.unwrap_or_else(passed));
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
        budget::kept(exercise),
        trial.notes(&trial.notes, report::Fix::Idea),
        say!("idea", idea = exercise.idea()),
    );
    let has_notes = !trial.notes.is_empty();
    Ok(Verdict { has_notes, ..Verdict::solved("", &task.shown, &more.replace("\n\n", "\n"), trial.runs) })
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
    let ptx = match compiler.compile(&task.file, text, &spec.compile).map_err(|error| format!("{error:#}"))? {
        Compiled::Ptx(ptx) => ptx,
        Compiled::Refused(log) => {
            let log = log.replace(&*task.file.to_string_lossy(), &task.shown);
            let told = if task.is_verbose { log.trim().to_string() } else { folded(log.trim()) } + "\n\n";
            let line = say!("line-does-not-compile", shown = &task.shown);
            return Ok(Err(Verdict::unsolved(&[Reason::Compile], &told, &line, "")));
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
    result: Option<String>,
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
        let check = match &exercise.spec.reference {
            Some(reference) if !reference.is_empty() => {
                Some((reference, workshop.program(&exercise.check_file(), &exercise.spec.compile)?))
            }
            _ => None,
        };
        Ok(Trial { exercise, task, text, answer, check, runs: 0, notes: Vec::new() })
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

    /// A line of the answer, from 1.
    pub fn line(&self, number: u32) -> Option<&str> {
        self.text.lines().nth((number as usize).checked_sub(1)?).map(str::trim_end)
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

    /// One run, whatever comes of it.
    pub fn run(&mut self, case: &Case, order: Order, checks: Checks) -> Result<Outcome, String> {
        self.at(case)?.run(self, order, checks).map_err(broken)
    }

    /// The verdict about one run, if something is wrong with it.
    pub fn rejection(&mut self, case: &Case, order: Order) -> Result<Option<Verdict>, String> {
        let wrong = self.at(case)?.wrong(self, order)?;
        wrong.map(|wrong| self.rejected(case, order, wrong, false, "")).transpose()
    }

    pub fn paint(&self) -> Paint {
        if self.task.colour { Paint::Ansi } else { Paint::Plain }
    }

    /// The answer's text, by the name that its PTX gives it.
    pub fn source(&self, file: &str) -> Option<Source<'_>> {
        // Stored PTX names the shipped file.
        let is_it = file == self.task.file.to_string_lossy() || file.ends_with(&self.exercise.file_name());
        is_it.then_some(Source { path: self.task.shown.as_str(), text: self.text })
    }

    fn notes(&self, notes: &[Finding], fix: report::Fix) -> String {
        let shown = if self.task.is_verbose { usize::MAX } else { SHOWN };
        let remarks = Remarks { is_hint: true, language: Language::current(), fix, ..Remarks::default() };
        let one = |note| render(note, |file| self.source(file), &remarks, self.paint()) + "\n";
        notes.iter().take(shown).map(one).collect()
    }

    fn reference_args<'b>(&'b self, reference: &'b Reference) -> &'b [Amount] {
        let first = || self.exercise.spec.launches.first().map_or(&[][..], |launch| &launch.args);
        reference.args.as_deref().unwrap_or_else(first)
    }

    /// A smaller run that goes wrong in the same way, and the verdict about it. An answer that was wrong stays wrong, since a
    /// finding beside a right one looks harmless.
    fn smaller(&mut self, case: &Case, order: Order, wrong: Wrong) -> Result<Verdict, String> {
        let endless = wrong.kinds[0] == Reason::Finding(Slug::Livelock);
        let runs = self.runs;
        let spec: &'a Spec = &self.exercise.spec;
        let (order, wrong) = self.told_by_its_answer(case, order, wrong)?;
        let first = case.clone();
        let mut again = |case: &Case| -> Result<Option<Wrong>, String> {
            let again = self.at(case)?.wrong(self, order)?;
            Ok(again
                .filter(|again| again.kinds[0] == wrong.kinds[0] && again.result.is_some() >= wrong.result.is_some()))
        };
        let most = if endless { SMALLER_ENDLESS } else { SMALLER };
        let case = case.shrink(spec, |case| matches!(again(case), Ok(Some(_))), most);
        for case in case.plainer() {
            if let Some(wrong) = again(&case)? {
                let also = if endless { String::new() } else { self.also(first, order, &wrong)? };
                self.runs = runs;
                return self.rejected(&case, order, wrong, true, &also);
            }
        }
        Err(say!("run-not-the-same"))
    }

    /// What goes wrong elsewhere and not in the run that is shown: in the first that failed, at the largest sizes, with special values.
    fn also(&mut self, first: Case, order: Order, shown: &Wrong) -> Result<String, String> {
        let (spec, in_order) = (&self.exercise.spec, Order { schedule: Schedule::InOrder, seed: 0 });
        let others = [Case::largest(spec)].into_iter().chain(Case::special(spec)).map(|case| (case, in_order));
        for (case, order) in [(first, order)].into_iter().chain(others) {
            let other = self.at(&case)?.wrong(self, order)?;
            let is_new = |kind: &&Reason| **kind != Reason::Answer && !shown.kinds.contains(kind);
            if let Some(kind) = other.iter().flat_map(|other| &other.kinds).find(is_new) {
                let (command, name) = (&self.task.command, self.exercise.short());
                let replay = format!("{command} run {name} --replay {}", token(&case, order));
                return Ok(say!("another-run-shows", kind = kind.as_str(), replay) + "\n");
            }
        }
        Ok(String::new())
    }

    /// The same with a wrong answer, under another schedule, if there is one.
    fn told_by_its_answer(&mut self, case: &Case, order: Order, wrong: Wrong) -> Result<(Order, Wrong), String> {
        if wrong.result.is_some() || wrong.outcome.fault.is_some() {
            return Ok((order, wrong));
        }
        let scene = self.at(case)?;
        for order in Order::all(&self.exercise.spec, 0) {
            if let Some(other) = scene.wrong(self, order)?
                && other.result.is_some()
                && other.kinds[0] == wrong.kinds[0]
            {
                return Ok((order, other));
            }
        }
        Ok((order, wrong))
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
        let hints = scene.run_with(self, order, Checks::Full, true).map_err(broken)?.hints;
        self.runs = runs;
        Ok(hints)
    }

    /// `is_found`: by looking for a small one. `also` is what is said last.
    fn rejected(
        &mut self,
        case: &Case,
        order: Order,
        wrong: Wrong,
        is_found: bool,
        also: &str,
    ) -> Result<Verdict, String> {
        let scene = self.at(case)?;
        let hints = self.hints(&scene, order, &wrong)?;
        let has_notes = !(hints.is_empty() && wrong.outcome.notes.is_empty());
        let replay = token(case, order);
        let mut text = String::new();
        let paint = self.paint();
        let source = |file: &str| self.source(file);
        let command = format!("{} run {} --replay {replay}", self.task.command, self.exercise.short());
        let shown = if self.task.is_verbose { usize::MAX } else { SHOWN };
        for finding in wrong.outcome.findings.iter().take(shown) {
            let remarks = Remarks {
                language: Language::current(),
                is_verbose: self.task.is_verbose,
                luck: wrong.result.is_none().then(|| scene.luck()),
                // At the first failure the student is to think. After the next one a fix is tried.
                fix: report::Fix::Untold,
                replay: Some(command.clone()),
                more: Some(format!("cargo learn explain {}", finding.slug)),
                ..Remarks::default()
            };
            // Without a result nothing is known about it.
            let remarks = if wrong.outcome.fault.is_some() { Remarks { luck: None, ..remarks } } else { remarks };
            let _ = writeln!(text, "{}", render(finding, source, &remarks, paint));
        }
        if let Some(rest) = wrong.outcome.findings.len().checked_sub(shown).filter(|rest| *rest > 0) {
            let _ = writeln!(text, "{}\n", say!("more-findings", count = rest));
        }
        let result = wrong.result.as_ref().map(|result| {
            let mut result = result.clone();
            if wrong.outcome.findings.is_empty() {
                let _ = writeln!(result, "   = {}", say!("replay", command = &command));
                if wrong.kinds == [Reason::Answer] {
                    let _ = writeln!(result, "   = {}", say!("more-about-answers"));
                }
            }
            result + "\n"
        });
        let result = result.unwrap_or_default();
        let notes: String = [&hints, &wrong.outcome.notes].map(|notes| self.notes(notes, report::Fix::Untold)).concat();
        let line = format!("{} ({})", self.task.shown, listed(&wrong.kinds, ", "));
        let sizes: Vec<String> = case.sizes.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        let input = if sizes.is_empty() { String::new() } else { format!("{}, ", sizes.join(", ")) };
        let more = say!("run-shown", is_found, run = format!("{input}{order}")) + "\n";
        let with = |result: &str, notes: &str| {
            Verdict::unsolved(&wrong.kinds, &format!("{text}{result}{notes}"), &line, &format!("{more}{also}"))
        };
        // What the buffers hold says least, and then a note beside a finding.
        let brief = result.lines().next().map_or(String::new(), |first| format!("{first}\n\n"));
        let shorter = [with(&result, &notes), with(&brief, &notes)];
        let fits = |verdict: &Verdict| self.task.is_verbose || text.is_empty() || rows(&verdict.text) <= ROWS;
        let verdict = shorter.into_iter().find(fits).unwrap_or_else(|| with(&brief, ""));
        let problem = |finding| Problem::of(finding, &Fix::Untried, |file| self.source(file), Language::current());
        let problems = wrong.outcome.findings.iter().map(problem).collect();
        Ok(Verdict { runs: self.runs, has_notes, replay: Some(replay), problems, ..verdict })
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
        budget::judge(self, &scene.case, &outcome)
    }
}

impl Scene {
    /// Of a run whose result was right beside a finding.
    fn luck(&self) -> String {
        match self.inputs.iter().flatten().all(|byte| *byte == 0) {
            true => say!("luck-zeros"),
            false => say!("luck-right"),
        }
    }

    fn run(&self, trial: &mut Trial, order: Order, checks: Checks) -> Result<Outcome, Stop> {
        self.run_with(trial, order, checks, false)
    }

    fn run_with(&self, trial: &mut Trial, order: Order, checks: Checks, hints: bool) -> Result<Outcome, Stop> {
        trial.runs += 1;
        let spec = &trial.exercise.spec;
        let manner = Manner { checks, policy: order.schedule.policy(order.seed), fuel: spec.trial.fuel, hints };
        stage::run(&trial.answer, spec, &spec.launches, &self.inputs, &self.case.sizes, &manner)
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
        // What ended the launch comes last in its list, and is the reason.
        let fatal = outcome.fault.as_ref().and(outcome.findings.last()).map(|finding| finding.slug);
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
                Some(say!("error-fault", fault = format!("{fault:?}")) + "\n")
            }
            Some(_) => None,
            None => self.result(trial, &outcome)?,
        };
        if result.is_some() && outcome.fault.is_none() {
            kinds.push(Reason::Answer);
        }
        Ok((!kinds.is_empty()).then_some(Wrong { kinds, outcome, result }))
    }

    /// What is wrong with the result, in words.
    fn result(&self, trial: &Trial, outcome: &Outcome) -> Result<Option<String>, String> {
        let spec = &trial.exercise.spec;
        if let Some(expected) = &self.expected {
            for (number, buffer) in spec.buffers.iter().enumerate() {
                let (got, want) = (&outcome.buffers[number], &expected[number]);
                if let Some(check) = &buffer.check {
                    if let Some(difference) = values::compare(check, buffer.ty, got, want) {
                        return Ok(Some(self.differs(spec, number, got, want, &difference)));
                    }
                } else if is_input(buffer) && *want == self.inputs[number] && got != want {
                    return Ok(Some(say!("error-input-changed", buffer = &buffer.name) + "\n"));
                }
            }
        }
        let Some((reference, program)) = &trial.check else { return Ok(None) };
        let Some(accept) = &reference.accept else { return Ok(None) };
        let args = trial.reference_args(reference);
        let judged = stage::reference(program, spec, accept, args, &outcome.buffers, &self.case.sizes, true);
        let said = judged.map_err(broken)?.1;
        if said == 0 {
            return Ok(None);
        }
        let words = usize::try_from(said - 1).ok().and_then(|at| trial.exercise.meaning(at));
        let why = words.map_or_else(|| say!("not-accepted"), String::from);
        let mut text = say!("error-wrong-result", why) + "\n";
        for (buffer, bytes) in spec.buffers.iter().zip(&outcome.buffers).filter(|(buffer, _)| buffer.check.is_some()) {
            let _ = writeln!(text, "   = {}: {}", buffer.name, values::list(bytes, buffer.ty, 0));
        }
        Ok(Some(text))
    }

    fn differs(
        &self,
        spec: &Spec,
        number: usize,
        got: &[u8],
        want: &[u8],
        Difference { first, count }: &Difference,
    ) -> String {
        let buffer = &spec.buffers[number];
        let length = want.len() / buffer.ty.bytes();
        let name = &buffer.name;
        let why = match buffer.check {
            Some(Check::Sorted) => say!("wrong-elements-in-any-order", count = *count, length, name),
            _ => {
                let (got, want) = (values::element(got, buffer.ty, *first), values::element(want, buffer.ty, *first));
                say!("wrong-elements", count = *count, length, name, first = *first, got, want)
            }
        };
        let mut text = say!("error-wrong-result", why) + "\n";
        let inputs = spec.buffers.iter().zip(&self.inputs).filter(|(buffer, _)| is_input(buffer));
        for (input, bytes) in inputs {
            let around = if bytes.len() / input.ty.bytes() == length { *first } else { 0 };
            let _ = writeln!(text, "   = {}: {}", input.name, values::list(bytes, input.ty, around));
        }
        let _ = writeln!(text, "   = {}", say!("expected", list = values::list(want, buffer.ty, *first)));
        let _ = writeln!(text, "   = {}", say!("got", list = values::list(got, buffer.ty, *first)));
        text
    }
}

/// Rows that a text takes on a screen.
fn rows(text: &str) -> usize {
    text.lines().map(|line| line.chars().count().div_ceil(WIDTH).max(1)).sum()
}

/// The beginning of what a compiler or a program says, and how many lines more it said.
pub fn folded(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let mut room = SAID;
    let fits = |line: &&&str| {
        let left = room.checked_sub(rows(line).max(1));
        room = left.unwrap_or(0);
        left.is_some()
    };
    let shown = lines.iter().take_while(fits).count().max(1).min(lines.len());
    let mut out = lines[..shown].join("\n");
    if shown < lines.len() {
        out += &format!("\n{}", say!("more-lines", count = lines.len() - shown));
    }
    out
}

/// Filled with what the kernel is to read; zeros and the like may be its scratch.
fn is_input(buffer: &Buffer) -> bool {
    matches!(buffer.fill, Fill::Ramp | Fill::Random(_) | Fill::OneOf(_) | Fill::Permutation(_))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_compiler_says_is_cut_where_it_grows_too_long_for_a_screen() {
        assert_eq!(folded("one\ntwo"), "one\ntwo");
        let long = ["line"; 20].join("\n");
        assert_eq!(folded(&long), ["line"; SAID].join("\n") + "\n6 more lines: --verbose");
        let wide = ["x".repeat(WIDTH * SAID), "y".into()].join("\n");
        assert_eq!(folded(&wide), "x".repeat(WIDTH * SAID) + "\n1 more line: --verbose");
    }
}
