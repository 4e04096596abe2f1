//! One judgement in the background: whoever has begun it asks now and then for its result, and may do other things.

use crate::child::{Judge, JudgingResult};
use crate::task::{MoreBy, Task};
use crate::toolchain;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// Work that takes longer has a line that tells what it is. Most verdicts come within half a second.
const PATIENCE: Duration = Duration::from_secs(2);

/// A compiler that takes so long is probably stuck. The headers of cooperative groups take it some seconds.
const STUCK: Duration = Duration::from_secs(15);

/// A kernel that takes so long has probably an endless loop.
const ENDLESS: Duration = Duration::from_secs(6);

/// The program that is at work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum JudgingStage {
    Cargo,
    Compiler,
    Runs,
}

pub struct Judging {
    task: Task,
    /// Cargo builds what the task needs first, until this ends.
    cargo: Option<Receiver<()>>,
    work: JudgingStage,
    /// Since when.
    since: Instant,
    /// Seconds of it that were told last.
    told: u64,
    is_warned: bool,
}

impl Judging {
    /// Begins to judge a task. The judge's present task ends.
    pub fn begin(judge: &mut Judge, task: Task) -> Result<Judging, String> {
        judge.end();
        let cargo = task.is_built.then(toolchain::recipe_in_background);
        if cargo.is_none() {
            judge.begin(&task)?;
        }
        let work = if cargo.is_some() { JudgingStage::Cargo } else { JudgingStage::Compiler };
        Ok(Judging { task, cargo, work, since: Instant::now(), told: 0, is_warned: false })
    }

    /// Its answer, once that is there; waits so long for it.
    pub fn answer(&mut self, judge: &mut Judge, wait: Duration) -> Option<JudgingResult> {
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

    fn look(&mut self, judge: &Judge) {
        let work = match &self.cargo {
            Some(_) => JudgingStage::Cargo,
            None if judge.is_compiling() => JudgingStage::Compiler,
            None => JudgingStage::Runs,
        };
        if work != self.work {
            (self.work, self.since, self.told, self.is_warned) = (work, Instant::now(), 0, false);
        }
    }

    /// Tells what is at work, on what and since when: once a second, as soon as it takes long.
    pub fn progress(&mut self, judge: &Judge) -> Option<String> {
        self.look(judge);
        let passed = self.since.elapsed();
        let seconds = passed.as_secs();
        if passed < PATIENCE || seconds == self.told {
            return None;
        }
        self.told = seconds;
        let file = self.task.file.file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned());
        Some(match self.work {
            JudgingStage::Cargo => toolchain::progress_text(&toolchain::building(), passed),
            JudgingStage::Compiler if self.has_groups() => say!("judging-groups", file, seconds),
            JudgingStage::Compiler => say!("judging-compiler", file, seconds),
            JudgingStage::Runs => say!("judging-runs", file, seconds),
        })
    }

    /// Tells what can be done about work that takes very long: once for each kind of work.
    pub fn warning(&mut self, judge: &Judge) -> Option<String> {
        self.look(judge);
        let passed = self.since.elapsed();
        let patience = match self.work {
            JudgingStage::Cargo => PATIENCE,
            JudgingStage::Compiler => STUCK,
            JudgingStage::Runs => ENDLESS,
        };
        if self.is_warned || passed < patience {
            return None;
        }
        self.is_warned = true;
        let seconds = passed.as_secs();
        let what = match self.work {
            // It will end, and takes its time.
            JudgingStage::Cargo => return Some(say!("host-builds")),
            JudgingStage::Compiler => say!("stuck-compiler", seconds),
            JudgingStage::Runs => say!("stuck-runs", seconds),
        };
        let next = if self.task.more_by == MoreBy::Key { say!("stuck-watch") } else { say!("stuck-once") };
        Some(format!("{what} {next}"))
    }

    /// True for a file whose headers take the compiler some seconds.
    fn has_groups(&self) -> bool {
        std::fs::read_to_string(&self.task.file).is_ok_and(|text| text.contains("cooperative_groups"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Catalog;
    use crate::child::Limits;
    use std::path::Path;

    /// Something that has been at work for a minute.
    fn at_work(more_by: MoreBy, is_built: bool) -> (Judging, Judge) {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("catalog");
        let catalog = Catalog::read(&folder).unwrap();
        let exercise = catalog.find("missing_barrier").unwrap();
        let task = Task { file: exercise.solution(), more_by, ..Task::of(&folder, exercise) };
        let (_, cargo) = std::sync::mpsc::channel();
        let since = Instant::now().checked_sub(Duration::from_secs(60)).unwrap();
        let (cargo, work) = if is_built { (Some(cargo), JudgingStage::Cargo) } else { (None, JudgingStage::Runs) };
        let judging = Judging { task, cargo, work, since, told: 0, is_warned: false };
        (judging, Judge::new(Path::new("nowhere"), Limits::default()))
    }

    #[test]
    fn only_the_watch_promises_to_begin_anew_when_the_file_is_saved() {
        for (more_by, promises) in [(MoreBy::Key, true), (MoreBy::Option, false)] {
            let (mut judging, judge) = at_work(more_by, false);
            let warning = judging.warning(&judge).unwrap();
            assert_eq!((warning.contains("save"), warning.contains("Ctrl-C")), (promises, !promises), "{warning}");
            assert_eq!(judging.warning(&judge), None);
        }
    }

    #[test]
    fn the_file_and_the_seconds_are_told_once_a_second() {
        let (mut judging, judge) = at_work(MoreBy::Key, false);
        let progress = judging.progress(&judge).unwrap();
        assert!(progress.contains("solution.cu") && progress.contains("60 s"), "{progress}");
        assert_eq!(judging.progress(&judge), None);
        let (mut judging, judge) = at_work(MoreBy::Key, true);
        assert!(judging.progress(&judge).unwrap().starts_with("cargo "));
    }

    #[test]
    fn the_headers_of_cooperative_groups_are_named() {
        let (mut judging, _) = at_work(MoreBy::Key, false);
        assert!(!judging.has_groups());
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("catalog");
        judging.task.file = Catalog::read(&folder).unwrap().find("whole_grid").unwrap().solution();
        assert!(judging.has_groups());
    }
}
