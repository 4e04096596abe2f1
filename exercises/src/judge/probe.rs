//! Checks that a wrong result would be noticed at some sizes: nothing is launched, and something must be found wrong.

use super::trial::AnswerTrial;
use crate::case::Case;
use crate::stage::{self, NoRun, RunSettings};
use emulator::{Checks, Config, Observe};

impl AnswerTrial<'_> {
    /// True if what is judged differs when no kernel runs.
    pub fn notices_idleness(&self, case: &Case) -> Result<bool, String> {
        let (scene, spec) = (self.at(case)?, &self.exercise.spec);
        let config = Config { checks: Checks::Full, workers: 1, fuel: spec.trial.fuel, ..Config::default() };
        let manner = RunSettings { config, observe: Observe::default() };
        let outcome = stage::run(&self.answer, spec, &[], &scene.inputs, &case.sizes, &manner).map_err(NoRun::words)?;
        Ok(!outcome.findings.is_empty() || scene.result(self, &outcome)?.is_some())
    }
}
