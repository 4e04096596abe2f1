//! A fix that is tried before it is told: the answer is changed near what its failing run shows, and judged again in full.
//!
//! Most changes are tried in the PTX, on the failing run alone, which is quick. What helps there is made in the source, compiled,
//! and must then hold against everything that an answer must hold against: inputs, schedules, threads and budget.

use crate::Language;
use crate::case::{Case, Order, parse_token};
use crate::catalog::Exercise;
use crate::compile::{Compiled, Workshop};
use crate::judge::{Task, Trial, compile};
use common::Fix;
use emulator::Program;
use emulator::finding::{Finding, Remedy, TextEdit};
use repair::candidates::candidates;
use repair::patch::patched;
use repair::search::{Searched, Shown, search};
use repair::source::{Source, apply, text_edits};
use report::{Reader, labelled, remark, said};
use serde::{Deserialize, Serialize};
use std::fs;
use std::sync::Arc;

/// What is told of a fix.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Told {
    /// Lines as a report has them; empty where there is nothing to say.
    pub text: String,
    /// How the file changes, where a change holds.
    pub edits: Vec<TextEdit>,
}

/// As wide as the numbers of lines in most files.
const WIDTH: usize = 2;

/// Looks for what fixes the run of the task's token. `Err` is the exercise's fault or the machine's.
pub fn fix(exercise: &Exercise, task: &Task, workshop: &mut Workshop) -> Result<Told, String> {
    let spec = &exercise.spec;
    let (Some(replay), true) = (&task.replay, spec.kind.has_fixes()) else { return Ok(Told::default()) };
    let text = fs::read_to_string(&task.file)
        .map_err(|error| say!("cannot-read", path = &task.shown) + &format!(": {error}"))?;
    let Ok(answer) = compile(workshop.compiler()?, task, &text, spec)? else { return Ok(Told::default()) };
    let (case, order) = parse_token(replay, spec)?;
    let mut trial = Trial::of(exercise, task, &text, answer.clone(), workshop)?;
    let Some(wrong) = trial.wrong(&case, order)? else { return Ok(Told::default()) };
    let error = wrong.outcome.findings.iter().find(|finding| finding.is_error()).cloned();
    let Some(finding) = error.or(trial.explained(&case, order, &wrong)?) else { return Ok(Told::default()) };
    let mut trying = Trying { trial, workshop, text: &text, answer, case, order, compiled: None };
    let fix = trying.fix(&finding);
    Ok(Told { text: trying.text(&finding, &fix), edits: fix.edits().to_vec() })
}

struct Trying<'a, 'w> {
    trial: Trial<'a>,
    workshop: &'w mut Workshop,
    /// The answer as it is: source and program.
    text: &'a str,
    answer: Arc<Program>,
    /// The run that fails.
    case: Case,
    order: Order,
    /// The last source that was compiled.
    compiled: Option<(String, Option<Arc<Program>>)>,
}

impl Trying<'_, '_> {
    fn fix(&mut self, finding: &Finding) -> Fix {
        let Searched { remedy, tried } = search(finding, &mut Of { trying: self, kernel: &finding.kernel });
        let told = remedy.and_then(|remedy| Some((text_edits(self.text, &finding.kernel, &remedy).ok()?, remedy)));
        match told {
            Some((edits, remedy)) => Fix::Tried { remedy, edits, runs: self.trial.runs, is_answer_known: true },
            None if tried == 0 => Fix::Untried,
            None => Fix::NoneHolds { tried },
        }
    }

    /// The fix, or the idea where no fix is known.
    fn text(&self, finding: &Finding, fix: &Fix) -> String {
        let source = |file: &str| self.trial.source(file);
        let reader = Reader::of(finding, &source, Language::current());
        let told = fix.told(self.text);
        let also = matches!(fix, Fix::NoneHolds { .. }).then_some(report::Fix::Untried);
        let line = |fix: &report::Fix| {
            let (label, text) = labelled(fix, said(finding, &reader).fix, &reader);
            remark(&label, &text, WIDTH, self.trial.paint()) + "\n"
        };
        [Some(told), also].iter().flatten().map(line).collect()
    }

    /// The changed source as a program; `None` where it does not compile.
    fn compiled(&mut self, kernel: &str, remedy: &Remedy) -> Option<Arc<Program>> {
        let text = apply(self.text, &text_edits(self.text, kernel, remedy).ok()?);
        if let Some((known, program)) = &self.compiled
            && *known == text
        {
            return program.clone();
        }
        let (task, spec) = (self.trial.task, &self.trial.exercise.spec);
        let program = match self.workshop.compiler().ok()?.compile(&task.file, &text, &spec.compile).ok()? {
            Compiled::Ptx(ptx) => Program::from_ptx(&[&ptx]).ok().map(Arc::new),
            Compiled::Refused(_) => None,
        };
        self.compiled = Some((text, program.clone()));
        program
    }

    /// The program with a remedy: in its PTX where that is possible, which takes no compiler.
    fn changed(&mut self, kernel: &str, remedy: &Remedy) -> Option<Arc<Program>> {
        // What cannot be told is not tried.
        text_edits(self.text, kernel, remedy).ok()?;
        let ptx = self.answer.sources().first().and_then(|ptx| patched(ptx, kernel, remedy).ok());
        let program = ptx.and_then(|ptx| Program::from_ptx(&[&ptx]).ok().map(Arc::new));
        program.or_else(|| self.compiled(kernel, remedy))
    }
}

/// A search for what fixes one kernel.
struct Of<'a, 'b, 'w> {
    trying: &'a mut Trying<'b, 'w>,
    kernel: &'a str,
}

impl repair::search::Trial for Of<'_, '_, '_> {
    fn candidates(&mut self, finding: &Finding) -> Vec<Remedy> {
        Source::parse(self.trying.text).map_or(Vec::new(), |source| candidates(finding, &source, self.kernel))
    }

    fn look(&mut self, remedy: &Remedy) -> Shown {
        let Some(program) = self.trying.changed(self.kernel, remedy) else { return Shown::Unfit };
        let Trying { trial, case, order, .. } = &mut *self.trying;
        trial.answer = program;
        match trial.wrong(case, *order) {
            Ok(None) => Shown::Nothing,
            Ok(Some(wrong)) => Shown::Bad(wrong.outcome.findings.into_iter().filter(Finding::is_error).collect()),
            Err(_) => Shown::Unfit,
        }
    }

    fn holds(&mut self, remedy: &Remedy) -> bool {
        let Some(program) = self.trying.compiled(self.kernel, remedy) else { return false };
        let trial = &mut self.trying.trial;
        trial.answer = program;
        trial.runs = 0;
        matches!(trial.first_failure(), Ok(None))
    }
}
