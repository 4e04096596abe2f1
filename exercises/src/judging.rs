//! One judgement in the background: whoever has begun it asks now and then for its result, and may do other things.

use crate::child::{Answer, Judge};
use crate::task::Task;
use crate::toolchain;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// After so long one is told what takes its time. Most verdicts come within half a second.
const PATIENCE: Duration = Duration::from_secs(4);

/// What is at work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Work {
    Cargo,
    Compiler,
    Runs,
}

pub struct Judging {
    task: Task,
    /// Cargo builds what the task needs first, until this ends.
    cargo: Option<Receiver<()>>,
    work: Work,
    /// Since when.
    since: Instant,
    is_told: bool,
}

impl Judging {
    /// What this judge was judging ends.
    pub fn begin(judge: &mut Judge, task: Task) -> Result<Judging, String> {
        judge.end();
        let cargo = task.is_built.then(toolchain::recipe_in_background);
        if cargo.is_none() {
            judge.begin(&task)?;
        }
        let work = if cargo.is_some() { Work::Cargo } else { Work::Compiler };
        Ok(Judging { task, cargo, work, since: Instant::now(), is_told: false })
    }

    /// Its answer, once that is there; waits so long for it.
    pub fn answer(&mut self, judge: &mut Judge, wait: Duration) -> Option<Answer> {
        if let Some(cargo) = &self.cargo {
            if cargo.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
                return None;
            }
            self.cargo = None;
            if let Err(why) = judge.begin(&self.task) {
                return Some(Err(why));
            }
        }
        judge.answer(wait)
    }

    /// What takes so long: once for each kind of work.
    pub fn notice(&mut self, judge: &Judge) -> Option<String> {
        let work = match &self.cargo {
            Some(_) => Work::Cargo,
            None if judge.is_compiling() => Work::Compiler,
            None => Work::Runs,
        };
        if work != self.work {
            (self.work, self.since, self.is_told) = (work, Instant::now(), false);
        }
        let passed = self.since.elapsed();
        let patience = if work == Work::Cargo { toolchain::PATIENCE } else { PATIENCE };
        if self.is_told || passed < patience {
            return None;
        }
        self.is_told = true;
        let seconds = passed.as_secs();
        Some(match work {
            Work::Cargo => say!("host-builds"),
            Work::Compiler => say!("judging-compiler", seconds),
            Work::Runs => say!("judging-runs", seconds),
        })
    }
}
