//! The parts that all commands of a student share: the catalogue, the copies, the judge.

use crate::catalog::{Catalog, Exercise};
use crate::child::{FixInProgress, Judge, POLL_INTERVAL};
use crate::compile::Compiler;
use crate::desk::Desk;
use crate::judging::Judging;
use crate::listing::Listing;
use crate::progress::{Judged, SavedProgress, hash};
use crate::spec::ExerciseKind;
use crate::task::{MoreBy, Task};
use crate::terminal::ProgressLine;
use crate::verdict::Verdict;
use anyhow::{Context, Error, Result, bail};
use std::cell::OnceCell;
use std::path::{Path, PathBuf};

pub struct LearnSession {
    pub catalog: Catalog,
    pub desk: Desk,
    pub judge: Judge,
    /// True if text may carry colours.
    pub colour: bool,
    /// True if verdicts say everything.
    pub is_verbose: bool,
    pub more_by: MoreBy,
    /// The command that the student types, without its arguments: `cargo learn`.
    pub command: String,
    /// Why there is no compiler, once somebody has looked.
    missing: OnceCell<Option<String>>,
}

impl LearnSession {
    /// Lays the copies out, and says on stderr what an update did to them.
    pub fn begin(catalog: Catalog, desk: Desk, judge: Judge, colour: bool, command: String) -> Result<LearnSession> {
        let laid = desk.lay_out(&catalog)?;
        if laid.new > 0 {
            words::complain(&say!("laid-new", count = laid.new, folder = shown(&desk.folder)));
        }
        if laid.refreshed > 0 {
            words::complain(&say!("laid-refreshed", count = laid.refreshed));
        }
        for name in &laid.outdated {
            let short = name.rsplit('/').next().unwrap_or(name);
            words::complain(&say!("laid-outdated", name, command = &command, short));
        }
        Ok(LearnSession {
            catalog,
            desk,
            judge,
            colour,
            is_verbose: false,
            more_by: MoreBy::Option,
            command,
            missing: OnceCell::new(),
        })
    }

    pub fn progress(&self) -> Result<SavedProgress> {
        SavedProgress::read(&self.desk.folder)
    }

    /// Why an exercise cannot be done here, if it needs a compiler and there is none.
    pub fn obstacle(&self, exercise: &Exercise) -> Option<&str> {
        let look = || Compiler::find().err().map(|error| tell::in_a_line(&error));
        if exercise.needs_no_compiler() { None } else { self.missing.get_or_init(look).as_deref() }
    }

    /// The one that is named, or the first that is not solved and can be done.
    pub fn pick(&self, name: Option<&str>) -> Result<&Exercise> {
        let progress = self.progress()?;
        match name {
            Some(name) => self.catalog.find(name),
            None => {
                let is_open = |exercise: &&Exercise| !progress.is_solved(&exercise.name);
                let open = || self.all_from(self.beginning(&progress)).filter(is_open);
                let next = open().find(|exercise| self.obstacle(exercise).is_none()).or(open().next());
                next.or(self.catalog.exercises.last()).context(say!("no-exercises"))
            }
        }
    }

    /// The exercise at which a student wants to begin from now on: an exercise, or the first of a topic that is not
    /// solved and can be done.
    pub fn begin_at(&self, name: &str) -> Result<&Exercise> {
        let exercise = match (self.catalog.find(name), self.catalog.topic(name)) {
            (Ok(exercise), _) => exercise,
            (Err(_), Some(topic)) => {
                let progress = self.progress()?;
                let all = || self.catalog.exercises.iter().filter(|exercise| exercise.topic() == topic);
                let is_open = |exercise: &&Exercise| !progress.is_solved(&exercise.name);
                let can_be_done = |exercise: &&Exercise| self.obstacle(exercise).is_none();
                let next = all().filter(is_open).find(can_be_done).or(all().find(is_open)).or(all().next());
                next.with_context(|| say!("no-exercises-in", folder = topic))?
            }
            (Err(why), None) => {
                let command = &self.command;
                return Err(why.context(say!("nowhere-to-begin", name, command)));
            }
        };
        SavedProgress::change(&self.desk.folder, |progress| {
            progress.begins_at = Some(exercise.name.clone());
            Ok(())
        })?;
        Ok(exercise)
    }

    /// Returns the exercise at which the student has begun; the first one if nowhere.
    fn beginning(&self, progress: &SavedProgress) -> usize {
        let name = progress.begins_at.as_ref();
        name.and_then(|name| self.place(name)).unwrap_or(0)
    }

    fn place(&self, name: &str) -> Option<usize> {
        self.catalog.exercises.iter().position(|exercise| exercise.name == name)
    }

    /// All exercises once, from this one on.
    fn all_from(&self, first: usize) -> impl Iterator<Item = &Exercise> {
        let all = &self.catalog.exercises;
        all.iter().cycle().skip(first).take(all.len())
    }

    /// Begins to judge the student's copy. What was being judged ends.
    pub fn begin_judging(&mut self, exercise: &Exercise) -> Result<Judging> {
        let task = self.task(exercise, &self.desk.file(exercise), None)?;
        Judging::begin(&mut self.judge, task).map_err(Error::msg)
    }

    /// The student's copy, by its hash.
    pub fn answer(&self, exercise: &Exercise) -> String {
        std::fs::read_to_string(self.desk.file(exercise)).map_or(String::new(), |text| hash(&text))
    }

    /// Judges the student's copy and writes the outcome down.
    pub fn judge(&mut self, name: &str, replay: Option<String>, why: Judged) -> Result<Verdict> {
        let exercise = self.catalog.find(name)?.clone();
        let file = self.desk.file(&exercise);
        let is_replay = replay.is_some();
        let answer = self.answer(&exercise);
        let verdict = self.judge_file(&exercise, &file, replay)?;
        if !is_replay {
            self.note(&exercise, &verdict, &answer, why)?;
        }
        Ok(verdict)
    }

    /// Writes down what came of the student's copy, by its hash.
    pub fn note(&self, exercise: &Exercise, verdict: &Verdict, answer: &str, why: Judged) -> Result<()> {
        SavedProgress::change(&self.desk.folder, |progress| {
            progress.record(&exercise.name).judged(verdict.passed, answer, why);
            Ok(())
        })
    }

    /// True if the student has thought before: this was not the first failure.
    pub fn is_fix_due(&self, name: &str) -> Result<bool> {
        Ok(self.progress()?.exercise.get(name).is_some_and(|record| record.failures > 1))
    }

    /// Begins to try what fixes the run that a verdict shows, if it shows one.
    pub fn try_fix(&self, exercise: &Exercise, file: &Path, verdict: &Verdict) -> Result<Option<FixInProgress>> {
        let is_any = !verdict.passed && verdict.replay.is_some() && exercise.spec.kind.has_fixes();
        let task = || self.task(exercise, file, verdict.replay.clone());
        is_any.then(|| self.judge.try_fix(&task()?)).transpose()
    }

    /// Judges any file; nothing is written down. Says on stderr what takes long: in a terminal on one line, which goes
    /// away.
    pub fn judge_file(&mut self, exercise: &Exercise, file: &Path, replay: Option<String>) -> Result<Verdict> {
        let task = self.task(exercise, file, replay)?;
        let mut judging = Judging::begin(&mut self.judge, task).map_err(Error::msg)?;
        let mut line = ProgressLine::default();
        loop {
            if let Some(answer) = judging.answer(&mut self.judge, POLL_INTERVAL) {
                line.clear();
                return answer.map_err(Error::msg);
            }
            if let Some(progress) = judging.progress(&self.judge) {
                line.show(&progress);
            }
            if let Some(warning) = judging.warning(&self.judge) {
                line.clear();
                words::complain(&warning);
            }
        }
    }

    /// Returns the task for the judge about a file, where the exercise can be done here.
    pub fn task(&self, exercise: &Exercise, file: &Path, replay: Option<String>) -> Result<Task> {
        if let Some(why) = self.obstacle(exercise) {
            let command = &self.command;
            bail!("{why}\n{}", say!("obstacle-next", command));
        }
        if is_gone(file) && file == self.desk.file(exercise) {
            bail!(self.gone(exercise));
        }
        Ok(Task {
            file: file.canonicalize().with_context(|| say!("cannot-open", path = file.display().to_string()))?,
            shown: shown(file),
            replay,
            colour: self.colour,
            command: self.command.clone(),
            is_built: exercise.spec.kind == ExerciseKind::Host,
            is_verbose: self.is_verbose,
            more_by: self.more_by,
            tells_idea: self.progress()?.exercise.get(&exercise.name).is_some_and(|record| record.failures > 0),
            ..Task::of(&self.catalog.folder, exercise)
        })
    }

    /// Returns the text about a copy that is not there.
    pub fn gone(&self, exercise: &Exercise) -> String {
        let (command, name) = (&self.command, exercise.short());
        say!("file-gone", file = shown(&self.desk.file(exercise)), command, name)
    }

    /// The next hint, which counts from now on.
    pub fn hint(&self, exercise: &Exercise) -> Result<String> {
        let taken = self.take_hint(exercise)?;
        Ok(self.hints(exercise, taken).iter().map(|hint| format!("{hint}\n")).collect())
    }

    /// One hint more; gives how many are taken now.
    pub fn take_hint(&self, exercise: &Exercise) -> Result<usize> {
        SavedProgress::change(&self.desk.folder, |progress| {
            let record = progress.record(&exercise.name);
            record.hints = (record.hints + 1).min(exercise.hints().len());
            Ok(record.hints)
        })
    }

    /// The first hints, as they are shown; after the last one, what else there is.
    pub fn hints(&self, exercise: &Exercise, taken: usize) -> Vec<String> {
        let hints = exercise.hints();
        let of = hints.len();
        let said = |(number, hint): (u64, &String)| say!("hint", number, of, hint);
        let mut all: Vec<String> = (1u64..).zip(hints.iter().take(taken)).map(said).collect();
        if taken >= of {
            let command = &self.command;
            all.push(say!("hint-last", command, name = exercise.short()));
        }
        all
    }

    /// The first that is not solved and can be done, after `after` if there is one, else from where the student has
    /// begun.
    pub fn next(&self, after: Option<&str>) -> Result<Option<&Exercise>> {
        let progress = self.progress()?;
        let behind = after.and_then(|name| self.place(name)).map(|at| at + 1);
        let mut turned = self.all_from(behind.unwrap_or_else(|| self.beginning(&progress)));
        Ok(turned.find(|exercise| !progress.is_solved(&exercise.name) && self.obstacle(exercise).is_none()))
    }

    /// Returns the text for when there is no next exercise.
    pub fn nothing_left(&self) -> Result<String> {
        let command = &self.command;
        let progress = self.progress()?;
        let left = self.catalog.exercises.iter().find(|exercise| !progress.is_solved(&exercise.name));
        Ok(match left.and_then(|exercise| self.obstacle(exercise)) {
            Some(why) => say!("all-solved-without-compiler", why),
            None => say!("all-solved", command),
        })
    }

    /// All exercises, topic by topic, with what is done.
    pub fn list(&self) -> Result<String> {
        Listing::default().text(self)
    }

    /// Puts the student's copy back as it was handed out, and says so.
    pub fn reset(&self, exercise: &Exercise) -> Result<String> {
        let kept = self.desk.reset(exercise)?;
        let mut text = say!("reset-done", file = shown(&self.desk.file(exercise))) + "\n";
        if let Some(kept) = kept {
            text += &format!("{}\n", say!("reset-kept", file = shown(&kept)));
        }
        Ok(text)
    }

    /// An answer that works, and the idea. That it was seen is written down, unless the exercise was solved before.
    pub fn solution(&self, exercise: &Exercise) -> Result<String> {
        let path = exercise.solution();
        if !path.is_file() {
            bail!(say!("no-solution", name = &exercise.name));
        }
        let text =
            std::fs::read_to_string(&path).with_context(|| say!("cannot-read", path = path.display().to_string()))?;
        if !self.progress()?.is_solved(&exercise.name) {
            SavedProgress::change(&self.desk.folder, |progress| {
                progress.record(&exercise.name).saw_solution = true;
                Ok(())
            })?;
        }
        Ok(format!("{text}\n{}\n", say!("idea", idea = exercise.idea())))
    }

    /// True if nothing has been judged yet, nor a hint taken.
    pub fn is_new(&self) -> bool {
        let is_untouched = |progress: SavedProgress| {
            progress.exercise.values().all(|record| record.attempts == 0 && record.hints == 0)
        };
        self.progress().is_ok_and(is_untouched)
    }

    /// `3 of 56 solved`
    pub fn standing(&self) -> Result<String> {
        let progress = self.progress()?;
        let solved = self.catalog.exercises.iter().filter(|exercise| progress.is_solved(&exercise.name)).count();
        Ok(say!("standing", solved, of = self.catalog.exercises.len()))
    }
}

/// True if nothing stands there. What cannot be read is there.
pub fn is_gone(file: &Path) -> bool {
    std::fs::symlink_metadata(file).is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound)
}

/// A path from here, where that is shorter.
pub fn shown(path: &Path) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    let from = |base: &PathBuf| path.strip_prefix(base).ok().filter(|rest| !rest.as_os_str().is_empty());
    from(&here).unwrap_or(path).display().to_string()
}
