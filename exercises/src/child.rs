//! Judging happens in a process of its own: an answer that makes the compiler or the emulator run for ever, take all
//! memory or crash costs that process and nothing else.
//!
//! One process judges many answers, one after the other, so that the compiler is loaded once. Tasks go in and verdicts
//! come out as lines of JSON. It is ended when an answer takes too long, and ends itself when nobody asks any more.

pub mod serve;

use crate::Language;
use crate::confine;
use crate::reason::Reason;
use crate::sandbox::Cell;
use crate::task::{AnswerKind, Task};
use crate::toolchain;
use crate::tried::FixText;
use crate::verdict::Verdict;
use anyhow::{Context, Result};
use serde::de::DeserializeOwned;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, ChildStdin, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// The hidden command that makes this program a judging process.
pub const COMMAND: &str = "judge-child";

/// The limits of one answer.
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

/// The factor by which a program that is built first has more time; the build has limits of its own.
const BUILDING: u32 = 6;

/// A task may take so many times its time by the clock, where the machine is busy with something else.
const CROWDED: u32 = 4;

/// Bytes of a line that a judging process may answer. The page of a run is the longest.
const LINE: u64 = 16 << 20;

/// Asks judging processes, and starts one whenever there is none.
pub struct Judge {
    program: PathBuf,
    limits: Limits,
    /// The confinement of the process, if it is shut in.
    cell: Option<Cell>,
    running: Option<Running>,
    /// The task that it has not answered yet.
    asked: Option<PendingTask>,
}

/// A task that was given to a judging process.
struct PendingTask {
    clock: Clock,
    is_built: bool,
    /// The name of its answer.
    shown: String,
}

impl PendingTask {
    fn is_over(&self, running: &Running) -> bool {
        if self.is_built { self.clock.has_passed() } else { self.clock.is_over(running) }
    }
}

struct Running {
    process: Child,
    tasks: ChildStdin,
    answers: Receiver<String>,
    /// The compiler is done with the last task.
    has_compiled: Arc<AtomicBool>,
    /// Its temporary files.
    scratch: PathBuf,
}

impl Running {
    /// Reads its answers from now on.
    fn over(mut process: Child, scratch: PathBuf) -> Result<Running> {
        let tasks = process.stdin.take().context("a judging process without input")?;
        let output = process.stdout.take().context("a judging process without output")?;
        let (sender, answers) = channel();
        let has_compiled = Arc::new(AtomicBool::new(false));
        let compiled = has_compiled.clone();
        std::thread::spawn(move || {
            let mut output = BufReader::new(output);
            loop {
                let mut line = String::new();
                match output.by_ref().take(LINE).read_line(&mut line) {
                    Ok(_) if line.strip_suffix('\n') == Some(COMPILED) => compiled.store(true, Relaxed),
                    Ok(bytes) if bytes > 0 && line.ends_with('\n') && sender.send(line).is_ok() => {}
                    _ => return,
                }
            }
        });
        Ok(Running { process, tasks, answers, has_compiled, scratch })
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

/// The time of one task. By the clock alone, an answer that is right would fail on a day on which the machine has other
/// things to do.
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

/// The line of a judging process when the compiler is done. An answer is JSON, and never this.
const COMPILED: &str = "compiled";

/// The time between two looks at how much it has used.
pub const LOOK: Duration = Duration::from_millis(50);

/// Judging processes that this one has started.
static STARTED: AtomicU64 = AtomicU64::new(0);

/// The answer of a judging process.
pub type Answer = Result<Verdict, String>;

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
        Judge { program: program.to_path_buf(), limits, cell: None, running: None, asked: None }
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

    /// As [`Judge::ask`], but it ends at once where `is_unwanted` says so, and then there is no answer.
    pub fn ask_unless(&mut self, task: &Task, is_unwanted: impl FnMut() -> bool) -> Option<Answer> {
        answered(self.said(task, is_unwanted), |why| Ok(limited(&why, &task.shown)))
    }

    /// Begins to judge, and returns at once. What was being judged ends.
    pub fn begin(&mut self, task: &Task) -> Result<(), String> {
        if self.asked.is_some() {
            self.stop();
        }
        let line = self.line(task)?;
        // A process that died while nobody asked is found out at the first attempt.
        for attempt in 0..2 {
            if self.running.is_none() {
                self.running = Some(self.start().map_err(|error| tell::in_a_line(&error))?);
            }
            let running = self.running.as_mut().expect("started above");
            running.has_compiled.store(false, Relaxed);
            let sent = writeln!(running.tasks, "{line}").and_then(|()| running.tasks.flush());
            if sent.is_err() && attempt == 0 {
                self.stop();
                continue;
            }
            let is_built = task.is_built;
            let time = if is_built { self.limits.time * BUILDING } else { self.limits.time };
            let clock = Clock::of(running, time);
            self.asked = Some(PendingTask { clock, is_built, shown: task.shown.clone() });
            return Ok(());
        }
        Err(say!("judge-takes-nothing"))
    }

    /// The answer to what was begun, once it is there; waits so long for it.
    pub fn answer(&mut self, wait: Duration) -> Option<Answer> {
        let shown = self.asked.as_ref()?.shown.clone();
        answered(self.heard(wait)?, |why| Ok(limited(&why, &shown)))
    }

    /// Ends what is being judged; nobody wants its answer.
    pub fn end(&mut self) {
        if self.asked.is_some() {
            self.stop();
        }
    }

    /// True if the compiler is at work on what is being judged.
    pub fn is_compiling(&self) -> bool {
        self.running.as_ref().is_some_and(|running| !running.has_compiled.load(Relaxed))
    }

    /// The page of the run that the task names, as JSON (`tell::page`), under the same conditions.
    pub fn page_unless(&mut self, task: &Task, is_unwanted: impl FnMut() -> bool) -> Option<Result<String, String>> {
        let task = Task { asked: AnswerKind::Page, ..task.clone() };
        answered(self.said(&task, is_unwanted), Err)
    }

    /// The line that the process answers.
    fn said(&mut self, task: &Task, mut is_unwanted: impl FnMut() -> bool) -> Result<String, Silence> {
        self.begin(task).map_err(Silence::Broken)?;
        loop {
            if let Some(said) = self.heard(LOOK) {
                return said;
            }
            if is_unwanted() {
                self.end();
                return Err(Silence::Unwanted);
            }
        }
    }

    /// The line that the process answers, if it comes within this time.
    fn heard(&mut self, wait: Duration) -> Option<Result<String, Silence>> {
        let (running, asked) = (self.running.as_ref()?, self.asked.as_ref()?);
        let why = match running.answers.recv_timeout(wait) {
            Ok(answer) => {
                self.asked = None;
                return Some(Ok(answer));
            }
            Err(RecvTimeoutError::Timeout) if !asked.is_over(running) => return None,
            Err(RecvTimeoutError::Timeout) => {
                let (seconds, compiles) = (asked.clock.time.as_secs(), self.is_compiling());
                self.stop();
                if compiles { say!("limit-compiler", seconds) } else { say!("limit-time", seconds) }
            }
            Err(RecvTimeoutError::Disconnected) => {
                let how = self.stop().map_or_else(String::new, |status| format!(" ({})", confine::told(status)));
                say!("limit-memory", how)
            }
        };
        Some(Err(Silence::Over(why)))
    }

    /// Returns the line that it is sent: the task, and how programs of the host are built.
    fn line(&self, task: &Task) -> Result<String, String> {
        let recipe = match &self.cell {
            _ if !task.is_built => None,
            Some(cell) => Some(cell.recipe.clone().ok_or_else(|| say!("host-not-buildable"))?),
            None => Some(toolchain::recipe()?),
        };
        serde_json::to_string(&(task, recipe)).map_err(|error| error.to_string())
    }

    /// Begins to try what fixes a failing run, in a process of its own; returns at once.
    pub fn try_fix(&self, task: &Task) -> Result<FixInProgress> {
        let mut judge = Judge::new(&self.program, self.limits);
        judge.cell = self.cell.clone();
        let running = judge.running.insert(judge.start()?);
        let task = Task { asked: AnswerKind::Fix, ..task.clone() };
        writeln!(running.tasks, "{}", serde_json::to_string(&(task, None::<toolchain::Recipe>))?)?;
        running.tasks.flush()?;
        let clock = Clock::of(running, self.limits.time);
        Ok(FixInProgress { judge, clock })
    }

    fn start(&self) -> Result<Running> {
        // Temporary files of the compiler go where they are removed, and where one who is shut in may write.
        let number = STARTED.fetch_add(1, Relaxed);
        let scratch = std::env::temp_dir().join(format!("learn-judge-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&scratch)
            .with_context(|| say!("cannot-create", path = scratch.display().to_string()))?;
        let said = if self.cell.is_some() { Stdio::piped() } else { Stdio::inherit() };
        let mut process = Command::new(&self.program)
            .env("TMPDIR", &scratch)
            .env("LESSON_LANG", Language::current().code())
            .arg(COMMAND)
            .arg(self.limits.memory.to_string())
            .args(self.cell.as_ref().map(serde_json::to_string).transpose()?)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(said)
            .spawn()
            .with_context(|| say!("cannot-run", program = self.program.display().to_string()))?;
        if let (Some(cell), Some(said)) = (&self.cell, process.stderr.take()) {
            tell_whose(cell, said);
        }
        Running::over(process, scratch)
    }

    fn stop(&mut self) -> Option<std::process::ExitStatus> {
        self.asked = None;
        let mut running = self.running.take()?;
        // It may have ended by itself, and then this does nothing.
        let _ = running.process.kill();
        let status = running.process.wait().ok();
        // A folder that cannot be removed lies among the system's temporary files.
        let _ = std::fs::remove_dir_all(&running.scratch);
        status
    }
}

impl Drop for Judge {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Forwards the output of a judging process besides its answers, such as its compiler's last words: whose answer it was
/// at stands before it.
fn tell_whose(cell: &Cell, said: ChildStderr) {
    let name = cell.student.file_name().unwrap_or_default().to_string_lossy();
    let name: String = name.chars().filter(|c| !c.is_control()).collect();
    std::thread::spawn(move || {
        for line in BufReader::new(said).split(b'\n').map_while(Result::ok) {
            words::complain(&format!("{name}: {}", String::from_utf8_lossy(&line)));
        }
    });
}

/// A fix that is being tried. Dropped, it ends at once.
pub struct FixInProgress {
    judge: Judge,
    clock: Clock,
}

impl FixInProgress {
    /// Returns the text about it, as soon as it is known. A fix that cannot be found within the limits is none.
    pub fn told(&self, wait: Duration) -> Option<FixText> {
        let Some(running) = &self.judge.running else { return Some(FixText::default()) };
        let answer = match running.answers.recv_timeout(wait) {
            Err(RecvTimeoutError::Timeout) if !self.clock.is_over(running) => return None,
            answer => answer.unwrap_or_default(),
        };
        let told: Result<Result<FixText, String>, _> = serde_json::from_str(&answer);
        Some(told.unwrap_or_else(|error| Err(error.to_string())).unwrap_or_default())
    }

    /// Waits for it.
    pub fn wait(&self) -> FixText {
        loop {
            if let Some(told) = self.told(LOOK) {
                return told;
            }
        }
    }
}

/// Returns the answer in a line, or the reason for its lack; `over` answers for a limit that was reached. `None`:
/// nobody wants it.
fn answered<T: DeserializeOwned>(
    said: Result<String, Silence>,
    over: impl FnOnce(String) -> Result<T, String>,
) -> Option<Result<T, String>> {
    Some(match said {
        Ok(answer) => {
            serde_json::from_str(&answer).unwrap_or_else(|error| Err(say!("judge-no-answer", why = error.to_string())))
        }
        Err(Silence::Unwanted) => return None,
        Err(Silence::Over(why)) => over(why),
        Err(Silence::Broken(why)) => Err(why),
    })
}

fn limited(why: &str, shown: &str) -> Verdict {
    Verdict::unsolved(&[Reason::Limit], &format!("{}\n\n", say!("error", why)), &format!("{shown} (limit)"), "")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A shell in place of a judging process; what it answered, and after how long.
    fn asked(script: &str, time: Duration) -> (Result<String, String>, Duration) {
        let mut shell = Command::new("sh");
        let process = shell.args(["-c", script]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let running = Running::over(process, PathBuf::new()).unwrap();
        let begin = Instant::now();
        let mut judge = Judge::new(Path::new("sh"), Limits::default());
        judge.asked = Some(PendingTask { clock: Clock::of(&running, time), is_built: false, shown: String::new() });
        judge.running = Some(running);
        let answer = loop {
            match judge.heard(LOOK) {
                Some(Ok(answer)) => break Ok(answer),
                Some(Err(Silence::Over(why))) => break Err(why),
                Some(Err(_)) => panic!("nobody has left"),
                None => {}
            }
        };
        (answer, begin.elapsed())
    }

    /// A student must not read a guess about the kernel's loops if it is the compiler that hangs.
    #[test]
    fn a_compiler_that_is_stuck_is_called_that() {
        let time = Duration::from_millis(200);
        let why = |script| asked(script, time).0.unwrap_err();
        assert!(why("while :; do :; done").contains("the compiler did not finish within 0 s"));
        assert!(why("echo compiled; while :; do :; done").contains("endless loop"));
        assert_eq!(asked("echo compiled; echo verdict", time).0, Ok("verdict\n".into()));
    }

    /// A newer save: the older judgement ends, and its answer is never taken for the newer one's.
    #[test]
    fn what_is_begun_ends_what_was_begun_before() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("judge");
        let script = "printf '#!/bin/sh\\nread task\\ncase $task in *first*) sleep 60;; esac\\necho verdict\\n' > \
            \"$0\" \
                      && chmod +x \"$0\"";
        assert!(Command::new("sh").args(["-c", script]).arg(&program).status().unwrap().success());
        let task = |shown: &str| -> Task {
            serde_json::from_str(&format!(
                r#"{{"catalog":"","exercise":"","file":"","shown":"{shown}","replay":null,"colour":false,"command":"",
                    "is_built":false,"is_verbose":false}}"#,
            ))
            .unwrap()
        };
        let mut judge = Judge::new(&program, Limits::default());
        judge.begin(&task("first")).unwrap();
        let process = format!("/proc/{}", judge.running.as_ref().unwrap().process.id());
        assert!(judge.answer(Duration::ZERO).is_none() && Path::new(&process).exists());
        judge.begin(&task("second")).unwrap();
        assert!(!Path::new(&process).exists());
        // It is no JSON, and it is an answer.
        assert!(
            judge
                .answer(Duration::from_secs(30))
                .unwrap()
                .unwrap_err()
                .contains("the judging process answered something else")
        );
        assert!(judge.answer(Duration::ZERO).is_none(), "it is answered once");
    }

    /// A newer answer needs no fix of the last one.
    #[test]
    fn a_fix_is_asked_for_without_waiting_and_trying_it_ends_when_nobody_wants_it() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("judge");
        // Written by another process: what this one holds open, as long as another test's child does too, cannot be
        // run.
        let script = "printf '#!/bin/sh\\nread task\\nexec sleep 60\\n' > \"$0\" && chmod +x \"$0\"";
        assert!(Command::new("sh").args(["-c", script]).arg(&program).status().unwrap().success());
        let task: Task = serde_json::from_str(
            r#"{"catalog":"","exercise":"","file":"","shown":"","replay":null,"colour":false,"command":"",
                "is_built":false,"is_verbose":false}"#,
        )
        .unwrap();
        assert_eq!(task.asked, AnswerKind::Verdict, "a task that does not say is judged");
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
        assert!(asked("while :; do :; done", time).0.is_err());
        let (answer, passed) = asked("sleep 60", time);
        assert!(answer.is_err() && passed >= CROWDED * time, "{answer:?} after {passed:?}");
    }
}
