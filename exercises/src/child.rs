//! Judging happens in a process of its own: an answer that makes the compiler or the emulator run for ever, take all
//! memory or crash costs that process and nothing else.
//!
//! One process judges many answers, one after the other, so that the compiler is loaded once. Tasks go in and verdicts
//! come out as lines of JSON. It is ended when an answer takes too long, and ends itself when nobody asks any more.

use crate::Language;
use crate::catalog::{Catalog, Exercise};
use crate::compile::Workshop;
use crate::confine;
use crate::judge::{self, Task};
use crate::reason::Reason;
use crate::sandbox::{self, Cell};
use crate::shown_run;
use crate::toolchain;
use crate::tried::{self, Told};
use crate::verdict::Verdict;
use anyhow::{Context, Result};
use rustix::process::{Resource, Rlimit, Signal, getrlimit, set_parent_process_death_signal, setrlimit};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// The hidden command that makes this program a judging process.
pub const COMMAND: &str = "judge-child";

/// What one answer may take.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub time: Duration,
    pub memory: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { time: Duration::from_secs(20), memory: 6 << 30 }
    }
}

/// So many times the time for a program that is built first; it has limits of its own.
const BUILDING: u32 = 6;

/// So many times the time may pass by the clock, where the machine is busy with something else.
const CROWDED: u32 = 4;

/// Bytes of a verdict's text; the rest is cut off.
const TEXT: usize = 64 << 10;

/// Bytes of a line that a judging process may answer. The page of a run is the longest.
const LINE: u64 = 16 << 20;

/// Asks judging processes, and starts one whenever there is none.
pub struct Judge {
    program: PathBuf,
    limits: Limits,
    /// Where it is shut in.
    cell: Option<Cell>,
    running: Option<Running>,
}

struct Running {
    process: Child,
    tasks: ChildStdin,
    answers: Receiver<String>,
    /// Its temporary files.
    scratch: PathBuf,
}

impl Running {
    /// Reads its answers from now on.
    fn over(mut process: Child, scratch: PathBuf) -> Result<Running> {
        let tasks = process.stdin.take().context("a judging process without input")?;
        let output = process.stdout.take().context("a judging process without output")?;
        let (sender, answers) = channel();
        std::thread::spawn(move || {
            let mut output = BufReader::new(output);
            loop {
                let mut line = String::new();
                match output.by_ref().take(LINE).read_line(&mut line) {
                    Ok(bytes) if bytes > 0 && line.ends_with('\n') && sender.send(line).is_ok() => {}
                    _ => return,
                }
            }
        });
        Ok(Running { process, tasks, answers, scratch })
    }

    /// Waits for an answer until it is over, which is asked again and again.
    fn answer_until(&self, mut is_over: impl FnMut() -> bool) -> Result<String, RecvTimeoutError> {
        loop {
            match self.answers.recv_timeout(LOOK) {
                Err(RecvTimeoutError::Timeout) if !is_over() => {}
                answer => return answer,
            }
        }
    }

    /// Processor time, of its own and in the system (proc(5), `/proc/pid/stat`); `None` where there is no such file.
    fn used(&self) -> Option<Duration> {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.process.id())).ok()?;
        // Its name, which comes second, may hold anything but ends at the last parenthesis.
        let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
        let (own, system): (u64, u64) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
        Some(Duration::from_millis((own + system) * 1000 / rustix::param::clock_ticks_per_second()))
    }
}

/// The time of one task. By the clock alone, an answer that is right would fail on a day on which the machine has other things
/// to do.
struct Clock {
    begin: Instant,
    before: Option<Duration>,
    time: Duration,
}

impl Clock {
    /// Begins now.
    fn of(running: &Running, time: Duration) -> Clock {
        Clock { begin: Instant::now(), before: running.used(), time }
    }

    /// By the clock.
    fn has_passed(&self) -> bool {
        self.begin.elapsed() >= self.time
    }

    /// By the time that the process has used.
    fn is_over(&self, running: &Running) -> bool {
        let passed = self.begin.elapsed();
        let used = running.used().zip(self.before).map_or(passed, |(now, before)| now.saturating_sub(before));
        used >= self.time || passed >= self.time * CROWDED
    }
}

/// How often to look how much it has used.
const LOOK: Duration = Duration::from_millis(50);

/// Judging processes that this one has started.
static STARTED: AtomicU64 = AtomicU64::new(0);

/// What a judging process answers.
type Answer = Result<Verdict, String>;

/// Why there is no answer.
enum Silence {
    /// Nobody waited for it.
    Unwanted,
    /// It took too long, or too much.
    Over(String),
    Broken(String),
}

impl Judge {
    /// `program` is this program's own file.
    pub fn new(program: &Path, limits: Limits) -> Judge {
        Judge { program: program.to_path_buf(), limits, cell: None, running: None }
    }

    /// A judge that can read a student's folder, what it takes to judge, and nothing else ([`crate::sandbox`]).
    pub fn shut_in(program: &Path, limits: Limits, cell: Cell) -> Judge {
        let mut judge = Judge::new(program, limits);
        judge.cell = Some(cell);
        judge
    }

    /// `Err` is the exercise's fault or the machine's.
    pub fn ask(&mut self, task: &Task) -> Answer {
        self.ask_unless(task, || false).unwrap_or_else(|| Err(say!("judge-unwanted")))
    }

    /// The same. It ends at once where `is_unwanted` says so, and then there is no answer.
    pub fn ask_unless(&mut self, task: &Task, is_unwanted: impl FnMut() -> bool) -> Option<Answer> {
        match self.said(task, is_unwanted) {
            Ok(answer) => Some(
                serde_json::from_str(&answer)
                    .unwrap_or_else(|error| Err(say!("judge-no-answer", why = error.to_string()))),
            ),
            Err(Silence::Unwanted) => None,
            Err(Silence::Over(why)) => Some(Ok(limited(&why, task))),
            Err(Silence::Broken(why)) => Some(Err(why)),
        }
    }

    /// The page of the run that the task names, as JSON (`common::page`), under the same conditions.
    pub fn page_unless(&mut self, task: &Task, is_unwanted: impl FnMut() -> bool) -> Option<Result<String, String>> {
        let task = Task { shows_run: true, ..task.clone() };
        match self.said(&task, is_unwanted) {
            Ok(answer) => Some(
                serde_json::from_str(&answer)
                    .unwrap_or_else(|error| Err(say!("judge-no-answer", why = error.to_string()))),
            ),
            Err(Silence::Unwanted) => None,
            Err(Silence::Over(why) | Silence::Broken(why)) => Some(Err(why)),
        }
    }

    /// The line that the process answers.
    fn said(&mut self, task: &Task, mut is_unwanted: impl FnMut() -> bool) -> Result<String, Silence> {
        let line = self.line(task).map_err(Silence::Broken)?;
        // A process that died while nobody asked is found out at the first attempt.
        for attempt in 0..2 {
            if self.running.is_none() {
                self.running = Some(self.start().map_err(|error| Silence::Broken(format!("{error:#}")))?);
            }
            let running = self.running.as_mut().expect("started above");
            let sent = writeln!(running.tasks, "{line}").and_then(|()| running.tasks.flush());
            if sent.is_err() && attempt == 0 {
                self.stop();
                continue;
            }
            let is_built = task.is_built;
            let time = if is_built { self.limits.time * BUILDING } else { self.limits.time };
            let clock = Clock::of(running, time);
            let mut is_left = false;
            let answer = running.answer_until(|| {
                is_left = is_unwanted();
                is_left || if is_built { clock.has_passed() } else { clock.is_over(running) }
            });
            return match answer {
                Ok(answer) => Ok(answer),
                Err(RecvTimeoutError::Timeout) => {
                    self.stop();
                    if is_left {
                        return Err(Silence::Unwanted);
                    }
                    Err(Silence::Over(say!("limit-time", seconds = time.as_secs())))
                }
                Err(RecvTimeoutError::Disconnected) => {
                    let how = self.stop().map_or_else(String::new, |status| format!(" ({})", confine::told(status)));
                    Err(Silence::Over(say!("limit-memory", how)))
                }
            };
        }
        Err(Silence::Broken(say!("judge-takes-nothing")))
    }

    /// What it is told: the task, and how programs of the host are built.
    fn line(&self, task: &Task) -> Result<String, String> {
        let recipe = match &self.cell {
            _ if !task.is_built => None,
            Some(cell) => Some(cell.recipe.clone().ok_or_else(|| say!("host-not-buildable"))?),
            None => Some(toolchain::recipe()?),
        };
        serde_json::to_string(&(task, recipe)).map_err(|error| error.to_string())
    }

    /// Begins to try what fixes a failing run, in a process of its own; returns at once.
    pub fn try_fix(&self, task: &Task) -> Result<Trying> {
        let mut judge = Judge::new(&self.program, self.limits);
        judge.cell = self.cell.clone();
        let running = judge.running.insert(judge.start()?);
        let task = Task { tries_fix: true, ..task.clone() };
        writeln!(running.tasks, "{}", serde_json::to_string(&(task, None::<toolchain::Recipe>))?)?;
        running.tasks.flush()?;
        let clock = Clock::of(running, self.limits.time);
        Ok(Trying { judge, clock })
    }

    fn start(&self) -> Result<Running> {
        // Temporary files of the compiler go where they are removed, and where one who is shut in may write.
        let number = STARTED.fetch_add(1, Relaxed);
        let scratch = std::env::temp_dir().join(format!("learn-judge-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&scratch)
            .with_context(|| say!("cannot-create", path = scratch.display().to_string()))?;
        let process = Command::new(&self.program)
            .env("TMPDIR", &scratch)
            .env("LESSON_LANG", Language::current().code())
            .arg(COMMAND)
            .arg(self.limits.memory.to_string())
            .args(self.cell.as_ref().map(serde_json::to_string).transpose()?)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| say!("cannot-run", program = self.program.display().to_string()))?;
        Running::over(process, scratch)
    }

    fn stop(&mut self) -> Option<std::process::ExitStatus> {
        let mut running = self.running.take()?;
        // It may have ended by itself, and then this does nothing.
        let _ = running.process.kill();
        let status = running.process.wait().ok();
        // What cannot be removed lies among the system's temporary files.
        let _ = std::fs::remove_dir_all(&running.scratch);
        status
    }
}

impl Drop for Judge {
    fn drop(&mut self) {
        self.stop();
    }
}

/// A fix that is being tried. Dropped, it ends at once.
pub struct Trying {
    judge: Judge,
    clock: Clock,
}

impl Trying {
    /// What is told of it, as soon as it is known. A fix that cannot be found within the limits is none.
    pub fn told(&self, wait: Duration) -> Option<Told> {
        let Some(running) = &self.judge.running else { return Some(Told::default()) };
        let answer = match running.answers.recv_timeout(wait) {
            Err(RecvTimeoutError::Timeout) if !self.clock.is_over(running) => return None,
            answer => answer.unwrap_or_default(),
        };
        let told: Result<Result<Told, String>, _> = serde_json::from_str(&answer);
        Some(told.unwrap_or_else(|error| Err(error.to_string())).unwrap_or_default())
    }

    /// Waits for it.
    pub fn wait(&self) -> Told {
        loop {
            if let Some(told) = self.told(LOOK) {
                return told;
            }
        }
    }
}

/// The judging process: answers tasks until its input ends.
pub fn serve(memory: u64, cell: Option<&str>) -> Result<()> {
    set_limits(memory, 256 << 20)?;
    let mut workshop = Workshop::default();
    if let Some(cell) = cell {
        let cell: Cell = serde_json::from_str(cell).context("a cell that is none")?;
        // Without a compiler there are exercises that need none.
        sandbox::enter(&cell, &Catalog::read(&cell.catalog)?, workshop.compiler().ok())?;
        workshop.student = Some(cell.student);
    }
    let mut catalog: Option<Catalog> = None;
    for line in std::io::stdin().lock().lines() {
        let (task, recipe): (Task, _) = serde_json::from_str(&line?).context("a task that is none")?;
        workshop.recipe = recipe;
        let answer = if task.shows_run {
            serde_json::to_string(&page(&task, &mut workshop, &mut catalog))
        } else if task.tries_fix {
            serde_json::to_string(&told(&task, &mut workshop, &mut catalog))
        } else {
            serde_json::to_string(&answer(&task, &mut workshop, &mut catalog))
        }?;
        let mut stdout = std::io::stdout().lock();
        writeln!(stdout, "{answer}")?;
        stdout.flush()?;
        // The answer is out. A student reads it now; a grade's next task is already there.
        if workshop.student.is_none() {
            workshop.keep_headers();
        }
    }
    Ok(())
}

fn limited(why: &str, task: &Task) -> Verdict {
    Verdict::unsolved(&[Reason::Limit], &format!("{}\n\n", say!("error", why)), &format!("{} (limit)", task.shown), "")
}

fn told(task: &Task, workshop: &mut Workshop, catalog: &mut Option<Catalog>) -> Result<Told, String> {
    tried::fix(exercise(task, catalog)?, task, workshop)
}

fn page(task: &Task, workshop: &mut Workshop, catalog: &mut Option<Catalog>) -> Result<String, String> {
    shown_run::page(exercise(task, catalog)?, task, workshop)
}

fn exercise<'a>(task: &Task, catalog: &'a mut Option<Catalog>) -> Result<&'a Exercise, String> {
    if catalog.as_ref().is_none_or(|known| known.folder != task.catalog) {
        *catalog = Some(Catalog::read(&task.catalog).map_err(|error| format!("{error:#}"))?);
    }
    let Some(catalog) = catalog else {
        return Err(say!("no-exercises-in", folder = task.catalog.display().to_string()));
    };
    catalog.find(&task.exercise).map_err(|error| format!("{error:#}"))
}

fn answer(task: &Task, workshop: &mut Workshop, catalog: &mut Option<Catalog>) -> Answer {
    let mut verdict = judge::judge(exercise(task, catalog)?, task, workshop)?;
    if verdict.text.len() > TEXT {
        let end = (0..=TEXT).rev().find(|at| verdict.text.is_char_boundary(*at)).unwrap_or(0);
        verdict.text.truncate(end);
        verdict.line_at = verdict.line_at.filter(|at| *at < end);
        verdict.text.push_str(&format!("\n{}\n", say!("cut-off")));
    }
    Ok(verdict)
}

/// No core files, bounded memory and files, and an end when the process that started this one ends.
pub fn set_limits(memory: u64, file: u64) -> Result<()> {
    // Within those that are set already.
    let set = |resource, most: u64| {
        let most = Some(getrlimit(resource).maximum.map_or(most, |before| before.min(most)));
        setrlimit(resource, Rlimit { current: most, maximum: most })
    };
    set(Resource::Core, 0).context("cannot limit core files")?;
    set(Resource::As, memory).context("cannot limit memory")?;
    set(Resource::Fsize, file).context("cannot limit files")?;
    set_parent_process_death_signal(Some(Signal::KILL)).context("cannot tie this process to its parent")?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A shell in place of a judging process; what it answered, and after how long.
    fn asked(script: &str, time: Duration) -> (Result<String, RecvTimeoutError>, Duration) {
        let mut shell = Command::new("sh");
        let process = shell.args(["-c", script]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut running = Running::over(process, PathBuf::new()).unwrap();
        let begin = Instant::now();
        let clock = Clock::of(&running, time);
        let answer = running.answer_until(|| clock.is_over(&running));
        running.process.kill().unwrap();
        running.process.wait().unwrap();
        (answer, begin.elapsed())
    }

    /// A newer answer needs no fix of the last one.
    #[test]
    fn a_fix_is_asked_for_without_waiting_and_trying_it_ends_when_nobody_wants_it() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("judge");
        // Written by another process: what this one holds open, as long as another test's child does too, cannot be run.
        let script = "printf '#!/bin/sh\\nread task\\nexec sleep 60\\n' > \"$0\" && chmod +x \"$0\"";
        assert!(Command::new("sh").args(["-c", script]).arg(&program).status().unwrap().success());
        let task: Task = serde_json::from_str(
            r#"{"catalog":"","exercise":"","file":"","shown":"","replay":null,"colour":false,"command":"",
                "is_built":false,"is_verbose":false}"#,
        )
        .unwrap();
        assert!(!task.tries_fix, "a task that does not say is judged");
        let trying = Judge::new(&program, Limits::default()).try_fix(&task).unwrap();
        assert_eq!(trying.told(Duration::ZERO), None);
        let process = format!("/proc/{}", trying.judge.running.as_ref().unwrap().process.id());
        assert!(Path::new(&process).exists());
        drop(trying);
        assert!(!Path::new(&process).exists());
    }

    #[test]
    fn time_is_a_processors_and_only_at_last_the_clocks() {
        let time = Duration::from_millis(500);
        // Kept waiting, it has used nothing.
        assert_eq!(asked("sleep 1; echo verdict", time).0, Ok("verdict\n".into()));
        assert_eq!(asked("while :; do :; done", time).0, Err(RecvTimeoutError::Timeout));
        let (answer, passed) = asked("sleep 60", time);
        assert!(answer == Err(RecvTimeoutError::Timeout) && passed >= CROWDED * time, "{answer:?} after {passed:?}");
    }
}
