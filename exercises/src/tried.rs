//! A fix that is tried before it is told: the answer is changed near what its failing run shows, and judged again in full.
//!
//! Most changes are tried in the PTX, on the failing run alone, which is quick. What helps there is made in the source, compiled,
//! and must then hold against everything that an answer must hold against: inputs, schedules, threads and budget.

use crate::Language;
use crate::answer;
use crate::case::{Case, Order, parse_token};
use crate::catalog::Exercise;
use crate::compile::{Compiled, Workshop};
use crate::judge::{Failure, Task, Trial, Wrong, compile};
use common::Fix;
use emulator::Program;
use emulator::finding::{Finding, Remedy, TextEdit};
use repair::candidates::{candidates_in, guesses_in};
use repair::patch::patched;
use repair::search::{Searched, Shown, search};
use repair::source::text_edits;
use repair::versions::Versions;
use report::{Reader, labelled, remark, said};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What is told of a fix.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Told {
    /// Lines as a report has them; empty where there is nothing to say.
    pub text: String,
    /// How the file changes, where a change holds.
    pub edits: Vec<TextEdit>,
}

/// Starts of the compiler for one finding; NVRTC, which is in this process, needs less than nvcc.
const STARTS: usize = 8;

/// As wide as the numbers of lines in most files.
const WIDTH: usize = 2;

/// Looks for what fixes the run of the task's token. `Err` is the exercise's fault or the machine's.
pub fn fix(exercise: &Exercise, task: &Task, workshop: &mut Workshop) -> Result<Told, String> {
    let spec = &exercise.spec;
    let (Some(replay), true) = (&task.replay, spec.kind.has_fixes()) else { return Ok(Told::default()) };
    let text = answer::read(&task.file)
        .map_err(|error| say!("cannot-read", path = &task.shown) + ": " + &common::of_system(&error))?;
    let Ok(answer) = compile(workshop.compiler()?, task, &text, spec)? else { return Ok(Told::default()) };
    let (case, order) = parse_token(replay, spec)?;
    let mut trial = Trial::of(exercise, task, &text, answer.clone(), workshop)?;
    let Some(wrong) = trial.wrong(&case, order)? else { return Ok(Told::default()) };
    let error = wrong.outcome.findings.iter().find(|finding| finding.is_error()).cloned();
    let finding = error.or(trial.explained(&case, order, &wrong)?);
    let runs = vec![(case, order)];
    let mut trying = Trying {
        trial,
        workshop,
        text: &text,
        answer,
        runs,
        left: Vec::new(),
        versions: Versions::with_starts(STARTS),
        compiles_all: false,
        compiled: None,
    };
    let fix = trying.fix(finding.as_ref());
    Ok(Told { text: trying.text(finding.as_ref(), &fix), edits: fix.edits().to_vec() })
}

struct Trying<'a, 'w> {
    trial: Trial<'a>,
    workshop: &'w mut Workshop,
    /// The answer as it is: source and program.
    text: &'a str,
    answer: Arc<Program>,
    /// The run that fails, and runs at which a change failed that helped there.
    runs: Vec<(Case, Order)>,
    /// What the last of these has shown.
    left: Vec<Finding>,
    versions: Versions,
    compiles_all: bool,
    /// The last source that was compiled.
    compiled: Option<(Vec<TextEdit>, Option<Arc<Program>>)>,
}

impl Trying<'_, '_> {
    /// By what the finding's cause suggests, then by what beginners mistake.
    fn fix(&mut self, finding: Option<&Finding>) -> Fix {
        let launches = &self.trial.exercise.spec.launches;
        let is_found = |name: &&str| finding.is_some_and(|finding| finding.kernel == *name);
        let mut names = launches.iter().map(|launch| launch.kernel.as_str());
        let first = names.clone().next().unwrap_or_default();
        let launched = names.find(is_found).unwrap_or(first);
        let kernel = finding.map_or(launched, |finding| finding.kernel.as_str());
        let Searched { remedy, tried } = search(finding, &mut Of { trying: self, kernel, launched });
        let told = remedy.and_then(|remedy| Some((text_edits(self.text, kernel, &remedy).ok()?, remedy)));
        match told {
            Some((edits, remedy)) => {
                Fix::Tried { remedy, edits, runs: self.trial.runs, took_compiler: self.versions.was_compiled() }
            }
            None if tried == 0 => Fix::Untried,
            None => Fix::NoneHolds { tried },
        }
    }

    /// The fix, or the idea where no fix is known.
    fn text(&self, finding: Option<&Finding>, fix: &Fix) -> String {
        let language = Language::current();
        let source = |file: &str| self.trial.source(file);
        let reader = finding.map_or(Reader::new(language), |finding| Reader::of(finding, source, language));
        let told = fix.told(self.text);
        let idea = finding.map_or(String::new(), |finding| said(finding, &reader).fix);
        let (label, text) = labelled(&told, idea, true, &[], &reader);
        let line = remark(&label, &text, WIDTH, self.trial.paint()) + "\n";
        if text.is_empty() { String::new() } else { line }
    }

    /// The runs that fail, with another program.
    fn look(&mut self, program: Option<Arc<Program>>) -> Shown {
        let Some(program) = program else { return Shown::Unfit };
        self.trial.answer = program;
        for (case, order) in &self.runs {
            match self.trial.wrong(case, *order) {
                Ok(None) => {}
                Ok(Some(wrong)) => return Shown::Bad(errors(wrong)),
                Err(_) => return Shown::Unfit,
            }
        }
        Shown::Nothing
    }

    /// Whether the changed source is right.
    fn holds(&mut self, kernel: &str, edits: &[TextEdit]) -> bool {
        let Some(program) = self.compiled(kernel, edits) else { return false };
        self.trial.answer = program;
        self.trial.runs = 0;
        self.left.clear();
        match self.trial.first_failure() {
            Ok(None) => true,
            Ok(Some(Failure::Run(case, order, wrong))) => {
                self.runs.push((case, order));
                self.left = errors(*wrong);
                false
            }
            _ => false,
        }
    }

    /// The changed source as a program; `None` where it does not compile.
    fn compiled(&mut self, kernel: &str, edits: &[TextEdit]) -> Option<Arc<Program>> {
        if let Some((known, program)) = &self.compiled
            && known == edits
        {
            return program.clone();
        }
        let (task, spec) = (self.trial.task, &self.trial.exercise.spec);
        let compiler = self.workshop.compiler().ok()?;
        let compile = |text: &str| match compiler.compile(&task.file, text, &spec.compile) {
            Ok(Compiled::Ptx(ptx)) => Ok(ptx),
            Ok(Compiled::Refused(log)) => Err(log),
            Err(error) => Err(common::in_a_line(&error)),
        };
        let ptx = self.versions.ptx(self.text, kernel, edits, compile);
        let program = ptx.and_then(|ptx| Program::from_ptx(&[&ptx]).ok().map(Arc::new));
        self.compiled = Some((edits.to_vec(), program.clone()));
        program
    }

    /// The program with a remedy in its PTX, which takes no compiler.
    fn patched(&self, kernel: &str, remedy: &Remedy) -> Option<Arc<Program>> {
        // What cannot be told is not tried.
        text_edits(self.text, kernel, remedy).ok().filter(|_| !self.compiles_all)?;
        let ptx = self.answer.sources().first().and_then(|ptx| patched(ptx, kernel, remedy).ok());
        ptx.and_then(|ptx| Program::from_ptx(&[&ptx]).ok().map(Arc::new))
    }
}

fn errors(wrong: Wrong) -> Vec<Finding> {
    wrong.outcome.findings.into_iter().filter(Finding::is_error).collect()
}

/// A search for what fixes one kernel.
struct Of<'a, 'b, 'w> {
    trying: &'a mut Trying<'b, 'w>,
    kernel: &'a str,
    /// By the host: a finding may be of a child's.
    launched: &'a str,
}

impl repair::search::Trial for Of<'_, '_, '_> {
    fn candidates(&mut self, finding: &Finding) -> Vec<Remedy> {
        let is_here = |file: &str| self.trying.trial.source(file).is_some();
        candidates_in(self.trying.text, is_here, finding, self.kernel)
    }

    fn guesses(&mut self, finding: Option<&Finding>) -> Vec<Remedy> {
        guesses_in(self.trying.text, finding, self.launched)
    }

    fn is_quick(&self, remedy: &Remedy) -> bool {
        self.trying.patched(self.kernel, remedy).is_some()
    }

    fn compiles_all(&mut self) -> bool {
        self.trying.compiles_all = true;
        true
    }

    fn expect(&mut self, remedies: &[Remedy]) {
        let edits: Vec<Vec<TextEdit>> = remedies
            .iter()
            .filter(|remedy| !self.is_quick(remedy))
            .filter_map(|remedy| text_edits(self.trying.text, self.kernel, remedy).ok())
            .collect();
        self.trying.versions.expect(edits);
    }

    fn look(&mut self, remedy: &Remedy) -> Shown {
        let patched = self.trying.patched(self.kernel, remedy);
        let edits = text_edits(self.trying.text, self.kernel, remedy).ok();
        let program = patched.or_else(|| self.trying.compiled(self.launched, &edits?));
        self.trying.look(program)
    }

    fn holds(&mut self, remedy: &Remedy) -> bool {
        let edits = text_edits(self.trying.text, self.kernel, remedy);
        edits.is_ok_and(|edits| self.trying.holds(self.launched, &edits))
    }

    fn shown_last(&mut self) -> Vec<Finding> {
        std::mem::take(&mut self.trying.left)
    }
}
