//! Starts the programs that a submission needs: the Rust compiler, and what it built. This program starts itself first,
//! gives up what the other must not have, and then becomes it.
//!
//! A program that a student wrote is machine code. Where submissions are graded it can read itself and the system's
//! libraries, write to one file, and has no network, no other processes and no way to reach the ones that are there:
//! Landlock ([`crate::sandbox`]) for files, and a filter of system calls ([`crate::refused`]) for what Landlock does
//! not know. Memory, files and time are limited in any case.

use crate::refused;
use crate::sandbox::{self, Walls};
use anyhow::{Context, Result, bail};
use rustix::process::{
    Pid, Resource, Rlimit, Signal, getrlimit, kill_process_group, set_parent_process_death_signal, setrlimit,
};
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The hidden command that makes this program another.
pub const COMMAND: &str = "confine";

/// The limits of the program.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Confinement {
    /// Bytes.
    pub memory: u64,
    /// Bytes of a file that it writes.
    pub file: u64,
    pub walls: Option<Walls>,
    /// True if system calls are filtered: no processes, no sockets.
    pub is_alone: bool,
}

/// The end of a program.
pub struct Ended {
    /// `None`: it was stopped.
    pub status: Option<ExitStatus>,
    pub stdout: String,
    pub stderr: String,
    /// It printed too much, and was stopped if it had not ended.
    pub is_flood: bool,
    /// Names of system calls that it made and was refused.
    pub refused: Vec<String>,
}

impl Confinement {
    /// The command that starts `program` so. Where there are walls, it gets nothing of this process's environment,
    /// which may hold what is private.
    pub fn command(&self, program: &Path) -> Result<Command, String> {
        let this = std::env::current_exe().map_err(|error| say!("no-own-path") + ": " + &tell::of_system(&error))?;
        let mut command = Command::new(this);
        command.arg(COMMAND).arg(serde_json::to_string(self).map_err(|error| error.to_string())?).arg(program);
        if self.walls.is_some() {
            command
                .env_clear()
                .env("LESSON_LANG", crate::Language::current().code())
                .env("PATH", "/usr/local/bin:/usr/bin:/bin")
                .env("TMPDIR", std::env::temp_dir());
        }
        Ok(command)
    }
}

/// Runs it until it ends, has run for so long, or has printed more than so many bytes. Whatever it started ends with
/// it.
pub fn run(command: &mut Command, time: Duration, output: u64) -> Result<Ended, String> {
    let (own, its) = UnixStream::pair()
        .map_err(|error| say!("cannot-run", program = "socketpair") + ": " + &tell::of_system(&error))?;
    let mut child = command
        .process_group(0)
        // The starter sends the listener for refused calls through it. The program itself reads nothing.
        .stdin(OwnedFd::from(its))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| {
            say!("cannot-run", program = command.get_program().to_string_lossy().into_owned())
                + ": "
                + &tell::of_system(&error)
        })?;
    // So that the other side ends with the child.
    command.stdin(Stdio::null());
    let group = Pid::from_child(&child);
    let is_over = Arc::new(AtomicBool::new(false));
    let listening = std::thread::spawn({
        let is_over = is_over.clone();
        move || refused::listen(own.as_fd(), &is_over)
    });
    let flood = Arc::new(AtomicBool::new(false));
    let stdout = child.stdout.take().map(|from| read_in_background(from, output, &flood));
    let stderr = child.stderr.take().map(|from| read_in_background(from, output, &flood));
    let begin = Instant::now();
    let status = loop {
        match child.try_wait().map_err(|error| tell::of_system(&error))? {
            Some(status) => break Some(status),
            None if flood.load(Relaxed) || begin.elapsed() > time => break None,
            None => std::thread::sleep(Duration::from_millis(2)),
        }
    };
    // Everything that is left of it; mostly nothing is.
    let _ = kill_process_group(group, Signal::KILL);
    child.wait().map_err(|error| tell::of_system(&error))?;
    is_over.store(true, Relaxed);
    let text = |reader: Option<JoinHandle<Vec<u8>>>| {
        let bytes = reader.and_then(|reader| reader.join().ok()).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    };
    let (stdout, stderr) = (text(stdout), text(stderr));
    let mut refused = listening.join().unwrap_or_default();
    refused.extend(status.and_then(refused::ended_by));
    Ok(Ended { status, stdout, stderr, is_flood: flood.load(Relaxed), refused })
}

fn read_in_background(from: impl Read + Send + 'static, most: u64, flood: &Arc<AtomicBool>) -> JoinHandle<Vec<u8>> {
    let flood = flood.clone();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        // An error ends it as the end does.
        let _ = from.take(most + 1).read_to_end(&mut bytes);
        if bytes.len() as u64 > most {
            flood.store(true, Relaxed);
        }
        bytes
    })
}

/// Returns the end of a process, in words.
pub fn told(status: ExitStatus) -> String {
    match (status.code(), status.to_string().strip_prefix("signal: ")) {
        (Some(code), _) => say!("status-code", code),
        (None, Some(signal)) => say!("status-signal", signal),
        (None, None) => status.to_string(),
    }
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

/// The hidden command: becomes `words`, or gives the reason why not.
pub fn become_it(how: &str, words: &[OsString]) -> Result<()> {
    let how: Confinement = serde_json::from_str(how).context("a confinement that is none")?;
    let [program, arguments @ ..] = words else { bail!("there is no program") };
    // Behind the walls it could not be opened.
    let nothing = File::open("/dev/null").with_context(|| say!("cannot-open", path = "/dev/null"))?;
    let starter = std::io::stdin().as_fd().try_clone_to_owned()?;
    set_limits(how.memory, how.file)?;
    if let Some(walls) = &how.walls {
        sandbox::shut(walls)?;
    }
    if how.is_alone {
        refused::filter(starter.as_fd())?;
    }
    let error = Command::new(program).args(arguments).stdin(nothing).exec();
    Err(error).with_context(|| say!("cannot-run", program = Path::new(program).display().to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_a_process_ended_has_words() {
        let ended = |script: &str| told(Command::new("sh").args(["-c", script]).status().unwrap());
        assert_eq!(ended("exit 3"), "exit status 3");
        assert_eq!(ended("kill -9 $$"), "signal 9 (SIGKILL)");
    }
}
