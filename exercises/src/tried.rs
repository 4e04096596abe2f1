//! A fix that is tried before it is told: the answer is changed near what its failing run shows, and judged again in
//! full.
//!
//! Most changes are tried in the PTX, on the failing run alone, which is quick. What helps there is made in the source,
//! compiled, and must then hold against everything that an answer must hold against: inputs, schedules, threads and
//! budget.

use crate::Language;
use crate::answer;
use crate::case::{Case, ScheduleAndSeed, parse_token};
use crate::catalog::Exercise;
use crate::compile::{Compiled, Workshop};
use crate::judge::trial::{AnswerTrial, RunMistakes};
use crate::judge::{AnswerFailure, CompiledAnswer, compile};
use crate::task::Task;
use emulator::Program;
use emulator::finding::{Finding, TextEdit};
use repair::search::CandidateRuns;
use report::{Reader, labelled, remark, said};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use trial::{Fix, Fixable, KernelToFix, Proof};

/// The text about a fix.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FixText {
    /// Lines as a report has them; empty where there is nothing to say.
    pub text: String,
    /// The changes of the file, where a change holds.
    pub edits: Vec<TextEdit>,
}

/// Starts of the compiler for one finding; NVRTC, which is in this process, needs less than nvcc.
const STARTS: usize = 8;

/// As wide as the numbers of lines in most files.
const WIDTH: usize = 2;

/// Looks for what fixes the run of the task's token. `Err` is the exercise's fault or the machine's.
pub fn fix(exercise: &Exercise, task: &Task, workshop: &mut Workshop) -> Result<FixText, String> {
    let spec = &exercise.spec;
    let (Some(replay), true) = (&task.replay, spec.kind.has_fixes()) else { return Ok(FixText::default()) };
    let text = answer::read(&task.file)
        .map_err(|error| say!("cannot-read", path = &task.shown) + ": " + &tell::of_system(&error))?;
    let Ok(CompiledAnswer { program: answer, .. }) = compile(workshop.compiler()?, task, &text, spec)? else {
        return Ok(FixText::default());
    };
    let (case, order) = parse_token(replay, spec)?;
    let mut trial = AnswerTrial::of(exercise, task, &text, answer.clone(), workshop)?;
    let Some(wrong) = trial.wrong(&case, order)? else { return Ok(FixText::default()) };
    let error = wrong.outcome.findings.iter().find(|finding| finding.is_error()).cloned();
    let finding = error.or(trial.explained(&case, order, &wrong)?);
    let launches = || spec.launches.iter().map(|launch| launch.kernel.as_str());
    let is_found = |name: &&str| finding.as_ref().is_some_and(|finding| finding.kernel == *name);
    let launched = launches().find(is_found).or(launches().next()).unwrap_or_default();
    let kernel = finding.as_ref().map_or(launched, |finding| &finding.kernel);
    let runs = vec![(case, order)];
    let mut fixing = AnswerFixes { trial, workshop, text: &text, answer, kernel, launched, runs };
    let fix = trial::fix(&mut fixing, finding.as_ref(), STARTS);
    Ok(FixText { text: fixing.told(finding.as_ref(), &fix), edits: fix.edits().to_vec() })
}

struct AnswerFixes<'a, 'w> {
    trial: AnswerTrial<'a>,
    workshop: &'w mut Workshop,
    /// The answer as it is: source and program.
    text: &'a str,
    answer: Arc<Program>,
    kernel: &'a str,
    launched: &'a str,
    /// The run that fails, and runs at which a change failed that helped there.
    runs: Vec<(Case, ScheduleAndSeed)>,
}

impl AnswerFixes<'_, '_> {
    /// The fix, or the idea where no fix is known.
    fn told(&self, finding: Option<&Finding>, fix: &Fix) -> String {
        let language = Language::current();
        let source = |file: &str| self.trial.source(file);
        let reader = finding.map_or(Reader::new(language), |finding| Reader::of(finding, source, language));
        let told = fix.state(self.text);
        let idea = finding.map_or(String::new(), |finding| said(finding, &reader).fix);
        let (label, text) = labelled(&told, idea, true, &[], &reader);
        let line = remark(&label, &text, WIDTH, self.trial.paint()) + "\n";
        if text.is_empty() { String::new() } else { line }
    }

    /// From now on the trial runs this.
    fn load(&mut self, ptx: &str) -> bool {
        let program = Program::from_ptx(&[ptx]).ok();
        program.map(|program| self.trial.answer = Arc::new(program)).is_some()
    }
}

impl Fixable for AnswerFixes<'_, '_> {
    fn code(&self) -> KernelToFix<'_> {
        let ptx = self.answer.sources().first().map_or("", |ptx| ptx);
        KernelToFix { source: self.text, ptx, kernel: self.kernel, launched: self.launched }
    }

    fn is_here(&self, file: &str) -> bool {
        self.trial.source(file).is_some()
    }

    fn proof(&self) -> Proof {
        Proof::Source
    }

    fn can_compile(&mut self) -> bool {
        self.workshop.compiler().is_ok()
    }

    fn compile(&mut self, text: &str) -> Result<String, String> {
        let (task, spec) = (self.trial.task, &self.trial.exercise.spec);
        match self.workshop.compiler()?.compile(&task.file, text, &spec.compile) {
            Ok(Compiled::Ptx { ptx, .. }) => Ok(ptx),
            Ok(Compiled::Refused(log)) => Err(log),
            Err(error) => Err(tell::in_a_line(&error)),
        }
    }

    fn look(&mut self, ptx: &str) -> CandidateRuns {
        if !self.load(ptx) {
            return CandidateRuns::Unfit;
        }
        for (case, order) in &self.runs {
            match self.trial.wrong(case, *order) {
                Ok(None) => {}
                Ok(Some(wrong)) => return CandidateRuns::Bad(errors(wrong)),
                Err(_) => return CandidateRuns::Unfit,
            }
        }
        CandidateRuns::Nothing
    }

    fn hold(&mut self, ptx: &str) -> Result<(), Vec<Finding>> {
        if !self.load(ptx) {
            return Err(Vec::new());
        }
        self.trial.runs = 0;
        match self.trial.first_failure() {
            Ok(None) => Ok(()),
            Ok(Some(AnswerFailure::Run(case, order, wrong))) => {
                self.runs.push((case, order));
                Err(errors(*wrong))
            }
            _ => Err(Vec::new()),
        }
    }

    fn runs(&self) -> u64 {
        self.trial.runs
    }
}

fn errors(wrong: RunMistakes) -> Vec<Finding> {
    wrong.outcome.findings.into_iter().filter(Finding::is_error).collect()
}
