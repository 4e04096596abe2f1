//! Judging in the background, by one thread: it asks the judging process, and whoever wants a verdict looks here.
//!
//! The last request is judged first. It ends the judgement that is under way: of the same file that would be out of
//! date, of another one it is made up for later. A judging process ends with the thread that started it, so no other
//! thread starts one.

use super::files::Folder;
use crate::catalog::Exercise;
use crate::child::{FixInProgress, Judge, Limits};
use crate::compile::Compiler;
use crate::progress::Judged;
use crate::sandbox::{self, SandboxCell};
use crate::session::LearnSession;
use crate::spec::ExerciseKind;
use crate::task::{MoreBy, Task};
use crate::toolchain;
use crate::verdict::Verdict;
use anyhow::{Error, Result};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::Duration;
use tokio::sync::watch;

/// Between two looks at a fix that is being tried.
const LOOK: Duration = Duration::from_millis(50);

/// Pages that are kept; the run of an older answer is of no use.
const PAGES: usize = 8;

/// The student's side, as all requests share it.
pub struct Bench {
    session: Mutex<LearnSession>,
    pub folder: Folder,
    judges: Judges,
    state: Mutex<JudgingState>,
    wake: Condvar,
    /// Counts what has changed.
    news: watch::Sender<u64>,
}

/// The settings of a judge.
struct Judges {
    program: PathBuf,
    limits: Limits,
    student: PathBuf,
    catalog: PathBuf,
    is_sandboxed: bool,
}

#[derive(Default)]
struct JudgingState {
    /// The last comes first.
    queue: Vec<JudgingJob>,
    running: Option<JudgingJob>,
    is_unwanted: bool,
    is_over: bool,
    /// Cargo builds what programs of the host need, and takes long.
    is_building: bool,
    done: HashMap<String, FileResults>,
    pages: Vec<(String, String, Result<String, String>)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct JudgingJob {
    exercise: String,
    wants: Wants,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wants {
    Verdict { is_verbose: bool, why: Judged },
    Fix,
    Page,
}

/// The results for a file: its verdict, and the fix that was looked for.
#[derive(Clone, Debug)]
pub struct FileResults {
    /// The version that was judged.
    pub version: String,
    pub outcome: Result<Verdict, String>,
    pub fix: JudgingFix,
    pub is_verbose: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JudgingFix {
    /// Nobody has asked.
    Untried,
    Trying,
    /// Lines of a report; empty where nothing helps.
    Told(String),
}

/// The state of one exercise at a moment.
#[derive(Clone, Debug)]
pub struct ExerciseState {
    pub number: u64,
    pub is_judging: bool,
    /// It waits for cargo.
    pub is_building: bool,
    pub done: Option<FileResults>,
}

/// The fix that is being tried: for which exercise, in which version.
type TriedFix = Option<(String, String, FixInProgress)>;

impl Judges {
    fn judge(&self, is_built: bool) -> Judge {
        if !self.is_sandboxed {
            return Judge::new(&self.program, self.limits);
        }
        // If there is none, asking says so.
        let recipe = if is_built { toolchain::recipe().ok() } else { None };
        let cell = SandboxCell { student: self.student.clone(), catalog: self.catalog.clone(), recipe };
        Judge::sandboxed(&self.program, self.limits, cell)
    }
}

/// True if answers can be judged behind walls here.
pub fn can_sandbox() -> bool {
    sandbox::is_there() && !matches!(Compiler::find(), Ok(Compiler::Nvcc(_)))
}

impl Bench {
    /// `session` is asked for everything but verdicts; its judge is replaced by one behind walls, where there are any.
    pub fn new(mut session: LearnSession, program: &Path, limits: Limits, is_sandboxed: bool) -> Result<Bench> {
        let folder = Folder::open(&session.desk.folder)?;
        let student = session.desk.folder.canonicalize()?;
        let judges = Judges {
            program: program.to_path_buf(),
            limits,
            student,
            catalog: session.catalog.folder.clone(),
            is_sandboxed,
        };
        session.judge = judges.judge(false);
        let (session, state) = (Mutex::new(session), Mutex::default());
        Ok(Bench { session, folder, judges, state, wake: Condvar::new(), news: watch::channel(0).0 })
    }

    /// For one who asks about exercises, hints and progress.
    pub fn session(&self) -> MutexGuard<'_, LearnSession> {
        self.session.lock().unwrap_or_else(|error| error.into_inner())
    }

    fn state(&self) -> MutexGuard<'_, JudgingState> {
        self.state.lock().unwrap_or_else(|error| error.into_inner())
    }

    /// Tells of each change.
    pub fn news(&self) -> watch::Receiver<u64> {
        self.news.subscribe()
    }

    pub fn standing(&self, exercise: &str) -> ExerciseState {
        // The number first: what comes between is told again.
        let number = *self.news.borrow();
        let state = self.state();
        let is_it = |job: &&JudgingJob| job.exercise == exercise && matches!(job.wants, Wants::Verdict { .. });
        let is_judging = state.queue.iter().chain(&state.running).any(|job| is_it(&job));
        let is_building = is_judging && state.is_building;
        ExerciseState { number, is_judging, is_building, done: state.done.get(exercise).cloned() }
    }

    /// Judges a file, before everything else. `is_verbose`: as the last time, if nothing is said.
    pub fn judge(&self, exercise: &str, is_verbose: Option<bool>, why: Judged) {
        let mut state = self.state();
        let before = state.done.get(exercise).is_some_and(|done| done.is_verbose);
        let wants = Wants::Verdict { is_verbose: is_verbose.unwrap_or(before), why };
        let job = JudgingJob { exercise: exercise.to_string(), wants };
        state.queue.retain(|other| other.exercise != exercise);
        if let Some(running) = state.running.clone() {
            state.is_unwanted = true;
            if running.exercise != exercise && !state.queue.contains(&running) {
                state.queue.insert(0, running);
            }
        }
        state.queue.push(job);
        self.changed(state);
    }

    /// Judges a file unless its verdict is there or under way.
    pub fn judge_if_new(&self, exercise: &str, version: &str) {
        let ExerciseState { is_judging, done, .. } = self.standing(exercise);
        if !is_judging && done.is_none_or(|done| done.version != version) {
            self.judge(exercise, None, Judged::Saved);
        }
    }

    /// Tries what fixes the last failure.
    pub fn try_fix(&self, exercise: &str) {
        self.add(JudgingJob { exercise: exercise.to_string(), wants: Wants::Fix });
    }

    /// The page of the failing run of a version, as JSON, once it is there. `Err`: there will be none, and why.
    pub fn page(&self, exercise: &str, version: &str) -> Option<Result<String, String>> {
        let state = self.state();
        let has_run = |done: &FileResults| {
            done.version == version && done.outcome.as_ref().is_ok_and(|verdict| verdict.replay.is_some())
        };
        if !state.done.get(exercise).is_some_and(has_run) {
            return Some(Err(say!("web-no-run")));
        }
        let known = state.pages.iter().find(|(name, of, _)| name == exercise && of == version);
        if let Some((.., page)) = known {
            return Some(page.clone());
        }
        drop(state);
        self.add(JudgingJob { exercise: exercise.to_string(), wants: Wants::Page });
        None
    }

    /// Forgets an exercise: what is known of it is out of date.
    pub fn forget(&self, exercise: &str) {
        let mut state = self.state();
        state.done.remove(exercise);
        self.changed(state);
    }

    /// Ends the thread.
    pub fn stop(&self) {
        let mut state = self.state();
        (state.is_over, state.is_unwanted) = (true, true);
        self.changed(state);
    }

    fn add(&self, job: JudgingJob) {
        let mut state = self.state();
        if state.running.as_ref() != Some(&job) && !state.queue.contains(&job) {
            state.queue.push(job);
            self.changed(state);
        }
    }

    fn changed(&self, state: MutexGuard<JudgingState>) {
        self.news.send_modify(|number| *number += 1);
        drop(state);
        self.wake.notify_all();
    }

    /// The thread's work, until [`Bench::stop`].
    pub fn work(self: &Arc<Self>) {
        let (mut plain, mut built) = (self.judges.judge(false), None);
        let mut tried: TriedFix = None;
        while let Some(job) = self.next_job(&mut tried) {
            // A fix that was tried for the last answer is of no use any more.
            if matches!(job.wants, Wants::Verdict { .. }) {
                tried = None;
            }
            let exercise = self.session().catalog.find(&job.exercise).ok().cloned();
            if let Some(exercise) = exercise {
                let judge = match exercise.spec.kind {
                    ExerciseKind::Host => built.get_or_insert_with(|| {
                        self.build();
                        self.judges.judge(true)
                    }),
                    _ => &mut plain,
                };
                match job.wants {
                    Wants::Verdict { is_verbose, why } => self.give_verdict(&exercise, judge, is_verbose, why),
                    Wants::Page => self.make_page(&exercise, judge),
                    Wants::Fix => {
                        if let Err(error) = self.begin_fix(&exercise, &mut tried) {
                            self.tell(&exercise.name, JudgingFix::Told(tell::in_a_line(&error)));
                        }
                    }
                }
            }
            let mut state = self.state();
            (state.running, state.is_unwanted) = (None, state.is_over);
            self.changed(state);
        }
    }

    /// Returns the next job; looks after a fix that is being tried while there is nothing to do.
    fn next_job(&self, tried: &mut TriedFix) -> Option<JudgingJob> {
        let mut state = self.state();
        loop {
            if state.is_over {
                return None;
            }
            if let Some(job) = state.queue.pop() {
                state.running = Some(job.clone());
                return Some(job);
            }
            let Some((exercise, version, trying)) = tried else {
                state = self.wake.wait(state).unwrap_or_else(|error| error.into_inner());
                continue;
            };
            if let Some(told) = trying.poll(Duration::ZERO) {
                if let Some(done) = state.done.get_mut(exercise).filter(|done| done.version == *version) {
                    done.fix = JudgingFix::Told(told.text);
                }
                *tried = None;
                self.news.send_modify(|number| *number += 1);
                continue;
            }
            state = self.wake.wait_timeout(state, LOOK).unwrap_or_else(|error| error.into_inner()).0;
        }
    }

    /// Has cargo build what programs of the host need; says so if it takes long. What goes wrong is told with the
    /// verdict.
    fn build(&self) {
        let tells = |is_building| {
            let mut state = self.state();
            state.is_building = is_building;
            self.changed(state);
        };
        let _ = toolchain::recipe_telling(|| tells(true));
        tells(false);
    }

    fn give_verdict(&self, exercise: &Exercise, judge: &mut Judge, is_verbose: bool, why: Judged) {
        let below = below(exercise);
        let asked = (|| {
            let version = self.folder.read(&below)?.version;
            let task = {
                let session = self.session();
                session.task(exercise, &session.desk.file(exercise), None)?
            };
            // Nobody who reads a page needs to know where the files are.
            let shown = exercise.path();
            Ok((version, Task { is_verbose, shown, more_by: MoreBy::Button, ..task }))
        })();
        let (version, task) = match asked {
            Ok(asked) => asked,
            Err(error) => return self.keep(exercise, self.version(&below), Err(error), is_verbose, why),
        };
        let Some(answer) = judge.ask_unless(&task, || self.state().is_unwanted) else { return };
        if self.version(&below) != version {
            // It was saved by somebody else in between; nobody can say which of them was judged.
            let mut state = self.state();
            if !state.is_unwanted {
                state
                    .queue
                    .push(JudgingJob { exercise: exercise.name.clone(), wants: Wants::Verdict { is_verbose, why } });
            }
            return;
        }
        self.keep(exercise, version, answer.map_err(Error::msg), is_verbose, why);
    }

    fn version(&self, below: &Path) -> String {
        self.folder.read(below).map_or(String::new(), |held| held.version)
    }

    /// Writes a verdict down, and where it is due tries what fixes the answer.
    fn keep(&self, exercise: &Exercise, version: String, outcome: Result<Verdict>, is_verbose: bool, why: Judged) {
        let mut is_due = false;
        let outcome = outcome.and_then(|verdict| {
            let session = self.session();
            session.note(exercise, &verdict, &version, why)?;
            is_due = !verdict.passed && session.is_fix_due(&exercise.name)?;
            Ok(verdict)
        });
        let outcome = outcome.map_err(|error| say!("error", why = tell::in_a_line(&error)));
        let mut state = self.state();
        state
            .done
            .insert(exercise.name.clone(), FileResults { version, outcome, fix: JudgingFix::Untried, is_verbose });
        if is_due {
            // Last, so that it is done at once.
            state.queue.push(JudgingJob { exercise: exercise.name.clone(), wants: Wants::Fix });
        }
        self.changed(state);
    }

    fn begin_fix(&self, exercise: &Exercise, tried: &mut TriedFix) -> Result<()> {
        let is_tried = tried.as_ref().is_some_and(|(name, ..)| *name == exercise.name);
        let Some(done) = self.state().done.get(&exercise.name).cloned().filter(|_| !is_tried) else { return Ok(()) };
        let Ok(verdict) = &done.outcome else { return Ok(()) };
        if matches!(done.fix, JudgingFix::Told(_)) || self.version(&below(exercise)) != done.version {
            return Ok(());
        }
        let session = self.session();
        let trying = session.try_fix(exercise, &session.desk.file(exercise), verdict)?;
        drop(session);
        match trying {
            Some(trying) => {
                *tried = Some((exercise.name.clone(), done.version, trying));
                self.tell(&exercise.name, JudgingFix::Trying);
            }
            None => self.tell(&exercise.name, JudgingFix::Told(String::new())),
        }
        Ok(())
    }

    fn tell(&self, exercise: &str, fix: JudgingFix) {
        let mut state = self.state();
        if let Some(done) = state.done.get_mut(exercise) {
            done.fix = fix;
        }
        self.changed(state);
    }

    fn make_page(&self, exercise: &Exercise, judge: &mut Judge) {
        let done = self.state().done.get(&exercise.name).cloned();
        let Some(FileResults { version, outcome: Ok(verdict), .. }) = done else { return };
        let task = {
            let session = self.session();
            session.task(exercise, &session.desk.file(exercise), verdict.replay)
        };
        let page = match task {
            Ok(task) => match judge.page_unless(&task, || self.state().is_unwanted) {
                Some(page) => page,
                None => return,
            },
            Err(error) => Err(tell::in_a_line(&error)),
        };
        let page = if self.version(&below(exercise)) == version { page } else { Err(say!("web-no-run")) };
        let mut state = self.state();
        if state.pages.len() == PAGES {
            drop(state.pages.remove(0));
        }
        state.pages.push((exercise.name.clone(), version, page));
    }
}

/// The student's file, from the folder of the copies.
pub fn below(exercise: &Exercise) -> PathBuf {
    Path::new(exercise.topic()).join(exercise.file_name())
}
