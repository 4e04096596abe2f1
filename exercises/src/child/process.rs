//! A judging process, seen from the process that started it.

use crate::Language;
use crate::sandbox::SandboxCell;
use anyhow::{Context, Result};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// The line of a judging process when the compiler is done. An answer is JSON, and never this.
pub(super) const COMPILED: &str = "compiled";

/// The factor by which a task may take more time by the clock than its limit of processor time, if the machine is busy.
pub(super) const WALL_TIME_FACTOR: u32 = 4;

/// The limit of an answer's length, in bytes. The page of a run is the longest.
const MAX_LINE: u64 = 16 << 20;

/// A judging process. Dropping it kills it.
pub(super) struct JudgeProcess {
    pub(super) process: Child,
    tasks: ChildStdin,
    answers: Receiver<String>,
    /// True if the compiler is done with the last task.
    has_compiled: Arc<AtomicBool>,
    /// The folder of its temporary files.
    scratch: PathBuf,
}

impl JudgeProcess {
    /// Starts a process, in a sandbox if there is a cell. Its temporary files get a folder of their own, which is
    /// removed with the process and writable from inside the sandbox.
    pub fn spawn(program: &Path, memory: u64, cell: Option<&SandboxCell>) -> Result<JudgeProcess> {
        static STARTED: AtomicU64 = AtomicU64::new(0);
        let number = STARTED.fetch_add(1, Relaxed);
        let scratch = std::env::temp_dir().join(format!("learn-judge-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&scratch)
            .with_context(|| say!("cannot-create", path = scratch.display().to_string()))?;
        let mut process = Command::new(program)
            .env("TMPDIR", &scratch)
            .env("LESSON_LANG", Language::current().code())
            .arg(super::COMMAND)
            .arg(memory.to_string())
            .args(cell.map(serde_json::to_string).transpose()?)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(if cell.is_some() { Stdio::piped() } else { Stdio::inherit() })
            .spawn()
            .with_context(|| say!("cannot-run", program = program.display().to_string()))?;
        if let (Some(cell), Some(stderr)) = (cell, process.stderr.take()) {
            forward_stderr(cell, stderr);
        }
        JudgeProcess::attach(process, scratch)
    }

    /// Takes over a process that was started with pipes, and reads its answers from now on.
    pub fn attach(mut process: Child, scratch: PathBuf) -> Result<JudgeProcess> {
        let tasks = process.stdin.take().context("a judging process without input")?;
        let output = process.stdout.take().context("a judging process without output")?;
        let (sender, answers) = channel();
        let has_compiled = Arc::new(AtomicBool::new(false));
        let compiled = has_compiled.clone();
        std::thread::spawn(move || read_answers(output, &compiled, &sender));
        Ok(JudgeProcess { process, tasks, answers, has_compiled, scratch })
    }

    /// Sends the line of a task.
    pub fn send(&mut self, line: &str) -> io::Result<()> {
        self.has_compiled.store(false, Relaxed);
        writeln!(self.tasks, "{line}")?;
        self.tasks.flush()
    }

    /// Waits up to `wait` for an answer.
    pub fn receive(&self, wait: Duration) -> Result<String, RecvTimeoutError> {
        self.answers.recv_timeout(wait)
    }

    /// Returns true if the compiler is done with the last task.
    pub fn has_compiled(&self) -> bool {
        self.has_compiled.load(Relaxed)
    }

    /// Kills the process, unless it has ended by itself, and removes its temporary files. Returns how it ended.
    pub fn kill(&mut self) -> Option<ExitStatus> {
        let _ = self.process.kill();
        let status = self.process.wait().ok();
        // A folder that cannot be removed lies among the system's temporary files.
        let _ = std::fs::remove_dir_all(&self.scratch);
        status
    }

    /// Returns the processor time that the process has taken, in user and system mode (proc(5), `/proc/pid/stat`).
    /// `None` if there is no such file.
    fn processor_time(&self) -> Option<Duration> {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.process.id())).ok()?;
        // The name of the program, which comes second, may hold anything but ends at the last parenthesis.
        let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
        let (user, system): (u64, u64) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
        Some(Duration::from_millis((user + system) * 1000 / rustix::param::clock_ticks_per_second()))
    }
}

impl Drop for JudgeProcess {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Passes on the lines of a judging process until it ends, answers too long a line, or nobody receives them.
fn read_answers(output: ChildStdout, compiled: &AtomicBool, sender: &Sender<String>) {
    let mut output = BufReader::new(output);
    loop {
        let mut line = String::new();
        match output.by_ref().take(MAX_LINE).read_line(&mut line) {
            Ok(_) if line.strip_suffix('\n') == Some(COMPILED) => compiled.store(true, Relaxed),
            Ok(bytes) if bytes > 0 && line.ends_with('\n') && sender.send(line).is_ok() => {}
            _ => return,
        }
    }
}

/// Forwards what a sandboxed process writes besides its answers, such as the compiler's messages, with the student's
/// name before each line.
fn forward_stderr(cell: &SandboxCell, stderr: ChildStderr) {
    let name = cell.student.file_name().unwrap_or_default().to_string_lossy();
    let name: String = name.chars().filter(|c| !c.is_control()).collect();
    std::thread::spawn(move || {
        for line in BufReader::new(stderr).split(b'\n').map_while(Result::ok) {
            words::complain(&format!("{name}: {}", String::from_utf8_lossy(&line)));
        }
    });
}

/// The time limit of one task, in processor time: by the clock alone, a right answer would fail on a busy machine.
pub(super) struct TimeLimit {
    begin: Instant,
    /// The processor time that the process had taken before the task.
    before: Option<Duration>,
    limit: Duration,
}

impl TimeLimit {
    /// Starts the time of a task.
    pub fn start(process: &JudgeProcess, limit: Duration) -> TimeLimit {
        TimeLimit { begin: Instant::now(), before: process.processor_time(), limit }
    }

    pub fn seconds(&self) -> u64 {
        self.limit.as_secs()
    }

    /// Returns true if as much time as the limit has passed on the clock.
    pub fn is_reached_on_clock(&self) -> bool {
        self.begin.elapsed() >= self.limit
    }

    /// Returns true if the process has taken the limit of processor time, or a multiple of it by the clock.
    pub fn is_reached(&self, process: &JudgeProcess) -> bool {
        let passed = self.begin.elapsed();
        let taken =
            process.processor_time().zip(self.before).map_or(passed, |(now, before)| now.saturating_sub(before));
        taken >= self.limit || passed >= self.limit * WALL_TIME_FACTOR
    }
}
