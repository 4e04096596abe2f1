//! Locks that are never released: an answer that gives up waiting after some tries goes on without the lock.
//!
//! No schedule is sure to hold a lock for longer than such an answer waits. So in one more run all locks are taken
//! before the launch, and what they guard must stay as it is. Then each lock is taken alone, and nobody may release it.

use super::named;
use super::trial::AnswerTrial;
use crate::case::{Case, ScheduleAndSeed};
use crate::reason::Reason;
use crate::spec::{NeverReleased, Spec};
use crate::stage::{self, NoRun, RunResults, RunSettings};
use crate::values;
use crate::verdict::Verdict;
use emulator::{Checks, Config, Observe};

/// Thread instructions of such a run: many more tries than anybody writes who means to wait.
const FUEL: u64 = 1 << 22;

impl AnswerTrial<'_> {
    /// Returns the verdict on an answer that goes on without a lock, `None` for one that waits.
    pub(super) fn goes_on_without_lock(&mut self) -> Result<Option<Verdict>, String> {
        let spec = &self.exercise.spec;
        for rule in &spec.never_released {
            if let Some(changed) = self.changed_without(rule)? {
                let told =
                    say!("error-lock-ignored", lock = &rule.buffer, is_lock = changed == rule.buffer, changed) + "\n\n";
                let line = format!("{} ({})", self.task.shown, Reason::Answer);
                return Ok(Some(Verdict::unsolved(&[Reason::Answer], &told, &line, "")));
            }
        }
        Ok(None)
    }

    /// Returns the first buffer that is written although no lock is ever released; or the locks, if the launch ends and
    /// has released one that was never free. `None` too for an answer that takes no lock, and does the work in another
    /// way.
    fn changed_without(&mut self, rule: &NeverReleased) -> Result<Option<String>, String> {
        let spec = &self.exercise.spec;
        // With few threads each of them has many tries.
        let case = Case::smallest(spec);
        let free = stage::inputs(spec, &case.sizes, case.seed).map_err(NoRun::words)?;
        let Some(number) = spec.buffers.iter().position(|buffer| buffer.name == rule.buffer) else { return Ok(None) };
        if !names(spec, &self.held(&case, &free)?).contains(&rule.buffer) {
            return Ok(None);
        }
        let held = values::encode(rule.value.real(&case.sizes)?, spec.buffers[number].ty);
        let mut all = free.clone();
        all[number] = held.repeat(free[number].len() / held.len());
        let written = names(spec, &self.held(&case, &all)?);
        if let Some(changed) = written.into_iter().find(|name| rule.unchanged.contains(name)) {
            return Ok(Some(changed));
        }
        // An answer that waits for the first lock does not come to the second one.
        for at in (0..free[number].len()).step_by(held.len()) {
            let mut one = free.clone();
            one[number][at..at + held.len()].copy_from_slice(&held);
            let outcome = self.held(&case, &one)?;
            let is_changed = |bytes: &Vec<u8>| bytes[at..at + held.len()] != held;
            if outcome.fault.is_none() && outcome.buffers.get(number).is_some_and(is_changed) {
                return Ok(Some(rule.buffer.clone()));
            }
        }
        Ok(None)
    }

    /// Runs the launches on these inputs, in order.
    fn held(&mut self, case: &Case, inputs: &[Vec<u8>]) -> Result<RunResults, String> {
        let spec = &self.exercise.spec;
        self.runs += 1;
        let policy = ScheduleAndSeed::FIRST.schedule.policy(ScheduleAndSeed::FIRST.seed);
        let config = Config { checks: Checks::Counters, policy, workers: 1, fuel: FUEL, ..Config::default() };
        let manner = RunSettings { config, observe: Observe::default() };
        stage::run(&self.answer, spec, &spec.launches, inputs, &case.sizes, &manner).map_err(|stop| named(stop).1)
    }
}

/// The buffers that a run has written.
fn names(spec: &Spec, outcome: &RunResults) -> Vec<String> {
    let written = spec.buffers.iter().zip(&outcome.writers).filter(|(_, writers)| **writers > 0);
    written.map(|(buffer, _)| buffer.name.clone()).collect()
}
