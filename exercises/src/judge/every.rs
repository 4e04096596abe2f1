//! A search through the executions of an answer at small sizes, for one that no schedule has shown.
//!
//! A schedule gives one execution, and which one depends on its seed. The search goes through those that the PTX memory
//! model allows. Its bounds are counts, so it finds the same each time. Races are left to the runs, which know of loads
//! that the compiler has moved.

use super::explored::{Described, JudgedExecution, ReadEvent, thread_name};
use super::trial::{AnswerTrial, TrialScene};
use crate::case::{Case, parse_token, token_of_executions};
use crate::plan::Plan;
use crate::reason::Reason;
use crate::spec::{LaunchSpec, Spec};
use crate::stage::{self, ExerciseStage, NoRun, RunResults};
use crate::verdict::Verdict;
use emulator::LaunchExecution;
use emulator::explore::{Bounds, ThreadPlace};
use emulator::finding::Slug;
use std::ops::ControlFlow;
use std::time::Duration;

/// The bounds at one size, but for runs. The time is for machines that are far too slow.
const BOUNDS: Bounds = Bounds { executions: 100, runs: 0, time: Duration::from_secs(10) };
/// Runs of the answer's threads that a search takes at one size, and at all sizes together.
const AT_ONE_SIZE: u64 = 1 << 12;
const IN_ALL: u64 = 1 << 14;
/// Threads of a launch at most.
const THREADS: u64 = 96;
/// Reads of a wrong execution that are listed.
const READS: usize = 3;

/// A wrong execution.
struct WrongExecution {
    /// In words. `None` if it does not end.
    mistake: Option<String>,
    /// Its reads that differ from those of the first right one, each with what that one reads.
    reads: Vec<(ReadEvent, Option<ReadEvent>)>,
    threads: Vec<ThreadPlace>,
}

impl AnswerTrial<'_> {
    /// Searches the small sizes for a wrong execution.
    pub(super) fn every_execution(&mut self, plan: &Plan) -> Result<Option<Verdict>, String> {
        if only_launch(&self.exercise.spec).is_none() || !self.answer.depends_on_schedule() {
            return Ok(None);
        }
        let mut spent = 0;
        for (case, _) in &plan.edges {
            if spent >= IN_ALL {
                break;
            }
            if let Some(verdict) = self.executions_at(case, &mut spent)? {
                return Ok(Some(verdict));
            }
        }
        Ok(None)
    }

    /// Searches the executions of a token that [`token_of_executions`] has made. `None` if the token is another one.
    pub(super) fn replay_executions(&mut self, replay: &str) -> Result<Option<Verdict>, String> {
        let Some(case) = replay.strip_suffix("/executions") else { return Ok(None) };
        let (case, _) = parse_token(&format!("{case}/in-order"), &self.exercise.spec)?;
        let passed = || Verdict::passed(say!("replay-passed", shown = &self.task.shown, replay), 1);
        Ok(Some(self.executions_at(&case, &mut 0)?.unwrap_or_else(passed)))
    }

    /// Searches the executions of a case, and adds the runs of threads that it took to `spent`.
    fn executions_at(&mut self, case: &Case, spent: &mut u64) -> Result<Option<Verdict>, String> {
        let Some(wrong) = self.at(case)?.wrong_execution(self, spent)? else { return Ok(None) };
        let kind = if wrong.mistake.is_some() { Reason::Answer } else { Reason::Finding(Slug::Livelock) };
        let command =
            format!("{} run {} --replay {}", self.task.command, self.exercise.short(), token_of_executions(case));
        let mut text = wrong.mistake.unwrap_or_else(|| say!("execution-endless") + "\n");
        for (read, right) in wrong.reads.iter().take(READS) {
            let reader = thread_name(read.reader, &wrong.threads);
            let read = read.describe(&wrong.threads);
            let right = right.as_ref().map_or_else(String::new, |right| right.describe(&wrong.threads));
            text += &format!("   = {}\n", say!("execution-read", has_right = !right.is_empty(), reader, read, right));
        }
        text += &format!("   = {}\n   = {}\n\n", say!("execution-of-all"), say!("execution-again", command));
        let sizes: Vec<String> = case.sizes.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        let more = say!("execution-shown", sizes = sizes.join(", "));
        Ok(Some(Verdict::unsolved(&[kind], &text, &format!("{} ({kind})", self.task.shown), &(more + "\n"))))
    }
}

/// Returns the launch of an exercise that has one alone: after others, memory would depend on their executions.
fn only_launch(spec: &Spec) -> Option<&LaunchSpec> {
    match &spec.launches[..] {
        [launch] if !launch.cooperative => Some(launch),
        _ => None,
    }
}

impl TrialScene {
    /// Returns the first wrong execution that the search comes to.
    fn wrong_execution(&self, trial: &AnswerTrial, spent: &mut u64) -> Result<Option<WrongExecution>, String> {
        let spec = &trial.exercise.spec;
        let Some(launch) = only_launch(spec) else { return Ok(None) };
        let threads = stage::threads(launch, &self.case.sizes)?;
        if threads > THREADS {
            return Ok(None);
        }
        let bounds = Bounds { runs: AT_ONE_SIZE / threads.max(1), ..BOUNDS };
        let (mut right, mut found) = (None, Ok(None));
        let mut visit = |stage: &ExerciseStage, execution: &LaunchExecution| {
            let outcome = RunResults { buffers: stage.buffers_after(execution), ..RunResults::default() };
            let is_endless = execution.graph.is_deadlock;
            let mistake = if is_endless { Ok(None) } else { self.result(trial, &outcome) };
            let describe = || Described { stage, inputs: &self.inputs, trial }.execution(execution);
            match mistake {
                Ok(None) if !is_endless => _ = right.get_or_insert_with(describe),
                Ok(mistake) => found = Ok(Some(wrong(mistake, describe(), right.as_ref()))),
                Err(why) => found = Err(why),
            }
            if matches!(found, Ok(None)) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        match stage::explore(&trial.answer, spec, launch, &self.inputs, &self.case.sizes, bounds, &mut visit) {
            Ok(summary) => {
                *spent += summary.runs * threads;
                found
            }
            Err(NoRun::Exercise(why)) => Err(why),
            // The runs have failed at the same launch.
            Err(_) => Ok(None),
        }
    }
}

fn wrong(mistake: Option<String>, execution: JudgedExecution, right: Option<&JudgedExecution>) -> WrongExecution {
    let in_right = |read: &ReadEvent| {
        let is_it = |other: &&ReadEvent| (other.reader, other.index) == (read.reader, read.index);
        right.and_then(|right| right.reads.iter().find(is_it)).cloned()
    };
    let reads = execution.reads.into_iter().map(|read| (in_right(&read), read));
    let reads = reads.filter(|(right, read)| right.as_ref() != Some(read)).map(|(right, read)| (read, right));
    WrongExecution { mistake, reads: reads.collect(), threads: execution.threads }
}
