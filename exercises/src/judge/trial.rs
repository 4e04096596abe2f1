//! An answer that is tried: one run of it, and what is wrong with that run. What it left in its buffers is looked at in
//! `result`, how it ended itself in `ended`.

use crate::case::{Case, ScheduleAndSeed};
use crate::catalog::Exercise;
use crate::compile::Workshop;
use crate::reason::Reason;
use crate::spec::{Amount, Check, Reference};
use crate::stage::{self, NoRun, RunResults, RunSettings};
use crate::task::Task;
use emulator::finding::{Finding, Slug, explain_an_answer};
use emulator::{Checks, Config, Fault, Observe, Program};
use report::{Paint, Source};
use std::sync::Arc;
use trial::add_note;

/// One judgement in progress.
pub struct AnswerTrial<'a> {
    pub exercise: &'a Exercise,
    pub task: &'a Task,
    text: &'a str,
    pub answer: Arc<Program>,
    pub(super) check: Option<(&'a Reference, Arc<Program>)>,
    pub runs: u64,
    /// That threads have executed in all of them.
    pub(super) instructions: u64,
    /// Instructions of the busiest thread in the run that is counted, and elements that one accessed.
    pub(super) busiest: (u64, u64),
    /// True if that run copied asynchronously.
    pub(super) has_copies: bool,
    /// The output of the last run.
    pub(super) printed: Vec<u8>,
    /// The observations of each run beside findings.
    pub observe: Observe,
    /// Findings of any run that fail nothing and are worth a word.
    pub(super) notes: Vec<Finding>,
}

/// The inputs of one case, and what should come of them.
pub(super) struct TrialScene {
    pub(super) case: Case,
    pub(super) inputs: Vec<Vec<u8>>,
    pub(super) expected: Option<Vec<Vec<u8>>>,
}

/// The mistakes of one run.
pub struct RunMistakes {
    pub(super) kinds: Vec<Reason>,
    pub outcome: RunResults,
    /// In words, where the result is wrong.
    pub result: Option<String>,
}

impl RunMistakes {
    /// In which way it is wrong: its first kind, and the cause of that.
    pub(super) fn way(&self) -> (Reason, Option<&'static str>) {
        let is_first = |finding: &&Finding| Reason::Finding(finding.slug) == self.kinds[0];
        (self.kinds[0], self.outcome.findings.iter().find(is_first).map(|finding| finding.cause.key()))
    }
}

impl<'a> AnswerTrial<'a> {
    pub fn of(
        exercise: &'a Exercise,
        task: &'a Task,
        text: &'a str,
        answer: Arc<Program>,
        workshop: &mut Workshop,
    ) -> Result<AnswerTrial<'a>, String> {
        workshop.has_compiled();
        let check = match &exercise.spec.reference {
            Some(reference) if !reference.is_empty() => {
                Some((reference, workshop.program(&exercise.check_file(), &exercise.spec.compile)?))
            }
            _ => None,
        };
        Ok(AnswerTrial {
            exercise,
            task,
            text,
            answer,
            check,
            runs: 0,
            instructions: 0,
            busiest: (0, 0),
            has_copies: false,
            printed: Vec::new(),
            observe: Observe::default(),
            notes: Vec::new(),
        })
    }

    /// Returns what is wrong with one run.
    pub fn wrong(&mut self, case: &Case, order: ScheduleAndSeed) -> Result<Option<RunMistakes>, String> {
        self.at(case)?.wrong(self, order)
    }

    pub(super) fn at(&self, case: &Case) -> Result<TrialScene, String> {
        let spec = &self.exercise.spec;
        let inputs = stage::inputs(spec, &case.sizes, case.seed).map_err(NoRun::words)?;
        let expected = match &self.check {
            Some((reference, program)) if reference.kernel.is_some() => {
                let kernel = reference.kernel.as_deref().unwrap_or_default();
                let args = self.reference_args(reference);
                let made = stage::reference(program, spec, kernel, args, &inputs, &case.sizes, false);
                Some(made.map_err(NoRun::words)?.0)
            }
            _ => None,
        };
        Ok(TrialScene { case: case.clone(), inputs, expected })
    }

    /// Returns the contents of the buffers that are compared after a run, if one answer alone is right.
    pub fn only_answer(&mut self, case: &Case) -> Result<Option<Vec<Vec<u8>>>, String> {
        let buffers = &self.exercise.spec.buffers;
        let is_exact = buffers.iter().all(|buffer| matches!(buffer.check, None | Some(Check::Equal)));
        let is_alone = self.check.as_ref().is_none_or(|(reference, _)| reference.accept.is_none());
        let Some(expected) = self.at(case)?.expected.filter(|_| is_exact && is_alone) else { return Ok(None) };
        let compared = buffers.iter().zip(expected).filter(|(buffer, _)| buffer.check.is_some());
        Ok(Some(compared.map(|(_, bytes)| bytes).collect()))
    }

    /// One run, whatever comes of it.
    pub fn run(&mut self, case: &Case, order: ScheduleAndSeed, checks: Checks) -> Result<RunResults, String> {
        self.at(case)?.run(self, order, checks).map_err(NoRun::words)
    }

    /// A line of the answer, from 1.
    pub fn line(&self, number: u32) -> Option<&str> {
        self.text.lines().nth((number as usize).checked_sub(1)?).map(str::trim_end)
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

    pub(super) fn reference_args<'b>(&'b self, reference: &'b Reference) -> &'b [Amount] {
        let first = || self.exercise.spec.launches.first().map_or(&[][..], |launch| &launch.args);
        reference.args.as_deref().unwrap_or_else(first)
    }

    /// The first thing that may explain a wrong answer.
    pub fn explained(
        &mut self,
        case: &Case,
        order: ScheduleAndSeed,
        wrong: &RunMistakes,
    ) -> Result<Option<Finding>, String> {
        let scene = self.at(case)?;
        Ok(self.hints(&scene, order, wrong)?.into_iter().next())
    }

    /// Returns hints for a wrong answer that no finding explains, from a run of its own.
    pub(super) fn hints(
        &mut self,
        scene: &TrialScene,
        order: ScheduleAndSeed,
        wrong: &RunMistakes,
    ) -> Result<Vec<Finding>, String> {
        if wrong.result.is_none() || wrong.outcome.buffers.is_empty() || explain_an_answer(&wrong.outcome.findings) {
            return Ok(Vec::new());
        }
        let runs = self.runs;
        let observe = Observe { hints: true, ..Observe::default() };
        let hints = scene.observe(self, order, Checks::Full, observe).map_err(NoRun::words)?.observed.hints;
        self.runs = runs;
        Ok(hints)
    }
}

impl TrialScene {
    pub(super) fn run(
        &self,
        trial: &mut AnswerTrial,
        order: ScheduleAndSeed,
        checks: Checks,
    ) -> Result<RunResults, NoRun> {
        self.observe(trial, order, checks, trial.observe)
    }

    fn observe(
        &self,
        trial: &mut AnswerTrial,
        order: ScheduleAndSeed,
        checks: Checks,
        observe: Observe,
    ) -> Result<RunResults, NoRun> {
        trial.runs += 1;
        let spec = &trial.exercise.spec;
        let policy = order.schedule.policy(order.seed);
        let manner = RunSettings {
            config: Config { checks, policy, workers: 1, fuel: spec.trial.fuel, ..Config::default() },
            observe,
        };
        let outcome = stage::run(&trial.answer, spec, &spec.launches, &self.inputs, &self.case.sizes, &manner)?;
        trial.instructions += outcome.instructions;
        trial.printed.clone_from(&outcome.printed);
        Ok(outcome)
    }

    /// Runs once; `None` where all is well.
    pub(super) fn wrong(&self, trial: &mut AnswerTrial, order: ScheduleAndSeed) -> Result<Option<RunMistakes>, String> {
        let mut outcome = match self.run(trial, order, Checks::Full) {
            Ok(outcome) => outcome,
            Err(NoRun::Exercise(why)) => return Err(why),
            Err(stop) => {
                let (kind, text) = named(stop);
                let result = Some(say!("error", why = text) + "\n");
                return Ok(Some(RunMistakes { kinds: vec![kind], outcome: RunResults::default(), result }));
            }
        };
        outcome.notes.iter().cloned().for_each(|note| add_note(&mut trial.notes, note));
        let mut kinds: Vec<Reason> = Vec::new();
        // The reason is what ended the launch: the first access that is not allowed, or what comes last in its list.
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
        Ok((!kinds.is_empty()).then_some(RunMistakes { kinds, outcome, result }))
    }
}

/// A reason, and words.
pub(super) fn named(stop: NoRun) -> (Reason, String) {
    match stop {
        NoRun::Signature(text) => (Reason::Compile, text),
        NoRun::Launch(text) => (Reason::Launch, text),
        NoRun::Unsupported(text) => (Reason::Unsupported, text),
        NoRun::Exercise(text) => (Reason::Error, text),
    }
}
