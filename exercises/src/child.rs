//! The judge: it has answers judged in a process of its own. An answer that makes the compiler or the emulator run
//! forever, take all memory or crash costs that process and nothing else.
//!
//! One process judges many answers, one after the other, so that the compiler is loaded once. Tasks go in and verdicts
//! come out as lines of JSON ([`serve`]). The process is killed when an answer takes too long, and ends by itself when
//! its input does.

mod fix;
mod process;
pub mod serve;

pub use fix::FixInProgress;

use crate::confine;
use crate::reason::Reason;
use crate::sandbox::SandboxCell;
use crate::task::{AnswerKind, Task};
use crate::toolchain::{self, Recipe};
use crate::verdict::Verdict;
use anyhow::Result;
use process::{JudgeProcess, TimeLimit};
use serde::de::DeserializeOwned;
use std::path::{Path, PathBuf};
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

/// The hidden command that makes this program a judging process.
pub const COMMAND: &str = "judge-child";

/// The time between two checks of a judging process's time limit.
pub const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// The factor by which a program that is built first has more time. The build has limits of its own.
const BUILD_FACTOR: u32 = 6;

/// The limits of one answer.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub time: Duration,
    /// In bytes.
    pub memory: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { time: Duration::from_secs(20), memory: 6 << 30 }
    }
}

/// The answer of a judging process. `Err` is the fault of the exercise or the machine.
pub type JudgingResult = Result<Verdict, String>;

/// Gives tasks to a judging process, and starts one whenever there is none.
pub struct Judge {
    program: PathBuf,
    limits: Limits,
    /// The confinement of the process, if it is sandboxed.
    cell: Option<SandboxCell>,
    process: Option<JudgeProcess>,
    /// The task that the process has not answered yet.
    pending: Option<PendingTask>,
}

/// A task that was given to a judging process.
struct PendingTask {
    time_limit: TimeLimit,
    is_built: bool,
    /// The name under which the report shows the student's file.
    shown: String,
}

impl PendingTask {
    /// Returns true if the time limit is reached. A build is done by other processes, so it is timed by the clock.
    fn is_out_of_time(&self, process: &JudgeProcess) -> bool {
        if self.is_built { self.time_limit.is_reached_on_clock() } else { self.time_limit.is_reached(process) }
    }
}

/// Why there is no answer.
enum NoAnswer {
    /// The one who asked does not want it any more.
    Cancelled,
    /// It took too much time or memory.
    LimitReached(String),
    /// The judging process could not be asked.
    Failed(String),
}

impl Judge {
    /// Creates a judge without a sandbox. `program` is this program's own file.
    pub fn new(program: &Path, limits: Limits) -> Judge {
        Judge { program: program.to_path_buf(), limits, cell: None, process: None, pending: None }
    }

    /// Creates a judge that can read a student's folder and what judging takes, and nothing else ([`crate::sandbox`]).
    pub fn sandboxed(program: &Path, limits: Limits, cell: SandboxCell) -> Judge {
        Judge { cell: Some(cell), ..Judge::new(program, limits) }
    }

    /// Judges an answer, and waits for the verdict.
    pub fn ask(&mut self, task: &Task) -> JudgingResult {
        self.ask_unless(task, || false).unwrap_or_else(|| Err(say!("judge-unwanted")))
    }

    /// As [`Judge::ask`], but ends the process and returns `None` as soon as `is_unwanted` returns true.
    pub fn ask_unless(&mut self, task: &Task, is_unwanted: impl FnMut() -> bool) -> Option<JudgingResult> {
        parse_answer(self.wait_for_line(task, is_unwanted), |why| Ok(limit_verdict(&why, &task.shown)))
    }

    /// Returns the page of the run that the task names, as JSON (`tell::page`). `is_unwanted` is as for
    /// [`Judge::ask_unless`].
    pub fn page_unless(&mut self, task: &Task, is_unwanted: impl FnMut() -> bool) -> Option<Result<String, String>> {
        let task = Task { asked: AnswerKind::Page, ..task.clone() };
        parse_answer(self.wait_for_line(&task, is_unwanted), Err)
    }

    /// Begins to judge an answer, and returns at once. Cancels the pending task, if there is one.
    pub fn begin(&mut self, task: &Task) -> Result<(), String> {
        self.end();
        let line = self.line_of(task)?;
        // That a process has died since it last answered is found out at the first attempt.
        for attempt in 0..2 {
            if self.process.is_none() {
                self.process = Some(self.start().map_err(|error| tell::in_a_line(&error))?);
            }
            let process = self.process.as_mut().expect("started above");
            if process.send(&line).is_err() && attempt == 0 {
                self.stop();
                continue;
            }
            let is_built = task.is_built;
            let time = if is_built { self.limits.time * BUILD_FACTOR } else { self.limits.time };
            let time_limit = TimeLimit::start(process, time);
            self.pending = Some(PendingTask { time_limit, is_built, shown: task.shown.clone() });
            return Ok(());
        }
        Err(say!("judge-takes-nothing"))
    }

    /// Waits up to `wait` for the answer to the pending task. Returns `None` if there is none yet, or no such task.
    pub fn answer(&mut self, wait: Duration) -> Option<JudgingResult> {
        let shown = self.pending.as_ref()?.shown.clone();
        parse_answer(self.poll_line(wait)?, |why| Ok(limit_verdict(&why, &shown)))
    }

    /// Cancels the pending task, if there is one, and kills its process.
    pub fn end(&mut self) {
        if self.pending.is_some() {
            self.stop();
        }
    }

    /// Returns true if the compiler is at work on the last task.
    pub fn is_compiling(&self) -> bool {
        self.process.as_ref().is_some_and(|process| !process.has_compiled())
    }

    /// Begins to look for a fix of a failing run, in a second process, and returns at once.
    pub fn try_fix(&self, task: &Task) -> Result<FixInProgress> {
        let mut process = self.start()?;
        let task = Task { asked: AnswerKind::Fix, ..task.clone() };
        process.send(&serde_json::to_string(&(task, None::<Recipe>))?)?;
        Ok(FixInProgress::new(process, self.limits.time))
    }

    fn start(&self) -> Result<JudgeProcess> {
        JudgeProcess::spawn(&self.program, self.limits.memory, self.cell.as_ref())
    }

    /// Kills the process. Returns the status with which it ended, if there was one.
    fn stop(&mut self) -> Option<std::process::ExitStatus> {
        self.pending = None;
        self.process.take()?.kill()
    }

    /// Gives a task to the process, and waits for the line that it answers.
    fn wait_for_line(&mut self, task: &Task, mut is_unwanted: impl FnMut() -> bool) -> Result<String, NoAnswer> {
        self.begin(task).map_err(NoAnswer::Failed)?;
        loop {
            if let Some(line) = self.poll_line(POLL_INTERVAL) {
                return line;
            }
            if is_unwanted() {
                self.end();
                return Err(NoAnswer::Cancelled);
            }
        }
    }

    /// Waits up to `wait` for the line that answers the pending task. Kills the process if the time limit is reached.
    fn poll_line(&mut self, wait: Duration) -> Option<Result<String, NoAnswer>> {
        let (process, pending) = (self.process.as_ref()?, self.pending.as_ref()?);
        let why = match process.receive(wait) {
            Ok(line) => {
                self.pending = None;
                return Some(Ok(line));
            }
            Err(RecvTimeoutError::Timeout) if !pending.is_out_of_time(process) => return None,
            Err(RecvTimeoutError::Timeout) => {
                let (seconds, compiles) = (pending.time_limit.seconds(), self.is_compiling());
                self.stop();
                if compiles { say!("limit-compiler", seconds) } else { say!("limit-time", seconds) }
            }
            Err(RecvTimeoutError::Disconnected) => {
                let how = self.stop().map_or_else(String::new, |status| format!(" ({})", confine::told(status)));
                say!("limit-memory", how)
            }
        };
        Some(Err(NoAnswer::LimitReached(why)))
    }

    /// Returns the line for a task: the task, and the recipe by which host programs are built.
    fn line_of(&self, task: &Task) -> Result<String, String> {
        let recipe = match &self.cell {
            _ if !task.is_built => None,
            Some(cell) => Some(cell.recipe.clone().ok_or_else(|| say!("host-not-buildable"))?),
            None => Some(toolchain::recipe()?),
        };
        serde_json::to_string(&(task, recipe)).map_err(|error| error.to_string())
    }
}

/// Parses the line of a judging process. `on_limit` makes the answer if a limit was reached. Returns `None` if the task
/// was cancelled.
fn parse_answer<T: DeserializeOwned>(
    line: Result<String, NoAnswer>,
    on_limit: impl FnOnce(String) -> Result<T, String>,
) -> Option<Result<T, String>> {
    Some(match line {
        Ok(line) => {
            serde_json::from_str(&line).unwrap_or_else(|error| Err(say!("judge-no-answer", why = error.to_string())))
        }
        Err(NoAnswer::Cancelled) => return None,
        Err(NoAnswer::LimitReached(why)) => on_limit(why),
        Err(NoAnswer::Failed(why)) => Err(why),
    })
}

fn limit_verdict(why: &str, shown: &str) -> Verdict {
    Verdict::unsolved(&[Reason::Limit], &format!("{}\n\n", say!("error", why)), &format!("{shown} (limit)"), "")
}

#[cfg(test)]
mod tests;
