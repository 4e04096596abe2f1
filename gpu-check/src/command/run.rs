//! Runs of the program: one as it is, and where it is asked for, more under other schedules.

use super::cli::{CheckOptions, LeakCheck};
use super::compile::Program;
use super::library::Library;
use anyhow::{Context, Result};
use gpu_check::record::{
    self, AGAIN, CHECKS, COUNT, DEADLINE, EXHAUST, FILE, GROUP, KERNEL, LEAKS, LIMIT, RUN, Record,
};
use std::io::{IsTerminal, Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant, SystemTime};
use trial::Schedule;

/// Result of one run.
pub struct Run {
    pub records: Vec<Record>,
    pub status: u8,
    /// The signal that ended it, if it did not exit by itself.
    pub signal: Option<i32>,
    /// It did not end in time and was stopped.
    pub is_late: bool,
    /// Its output to stdout. `None` for a first run that writes to a terminal, and for an only run.
    pub output: Option<Vec<u8>>,
}

/// The runs that the options ask for, the first as the user sees it. The others go side by side.
pub fn all(options: &CheckOptions, library: &Library, program: &Program) -> Result<Vec<Run>> {
    let wanted: Vec<(Schedule, u64)> = wanted(options);
    let folder = tempfile::tempdir().context(say!("no-folder"))?;
    let one = |index: usize, (schedule, seed): (Schedule, u64)| {
        let file = folder.path().join(index.to_string());
        Order { options, library, program, schedule, seed, file, is_first: index == 0 }.run()
    };
    let mut runs = vec![one(0, wanted[0])?];
    let (next, others) = (AtomicUsize::new(1), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from).min(wanted.len() - 1) {
            scope.spawn(|| {
                while let Some((index, run)) = {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    wanted.get(index).map(|run| (index, *run))
                } {
                    others.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push((index, one(index, run)));
                }
            });
        }
    });
    let mut others = others.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    others.sort_by_key(|(index, _)| *index);
    for (_, run) in others {
        runs.push(run?);
    }
    Ok(runs)
}

fn wanted(options: &CheckOptions) -> Vec<(Schedule, u64)> {
    let seeds = |schedule: Schedule| if schedule.takes_seed() { options.seeds.unwrap_or(1) } else { 1 };
    let schedules = if options.schedules.is_empty() { &[Schedule::InOrder][..] } else { &options.schedules };
    schedules.iter().flat_map(|&schedule| (0..seeds(schedule)).map(move |seed| (schedule, seed))).collect()
}

/// A run that is to be made.
struct Order<'a> {
    options: &'a CheckOptions,
    library: &'a Library,
    program: &'a Program,
    schedule: Schedule,
    seed: u64,
    /// For its records.
    file: PathBuf,
    is_first: bool,
}

impl Order<'_> {
    fn run(&self) -> Result<Run> {
        let mut command = self.command();
        let name = self.program.file.to_string_lossy().into_owned();
        let mut child = command.spawn().with_context(|| say!("no-start", program = name))?;
        let is_first = self.is_first;
        let reader = child.stdout.take().map(|stdout| std::thread::spawn(move || kept(stdout, is_first)));
        let (status, is_late) = wait(&mut child, self.options.limit, &self.file)?;
        let output = reader.map(|reader| reader.join().expect("it does not panic"));
        let signal = status.signal().filter(|_| !is_late);
        Ok(Run { records: records(&self.file)?, status: number(status), signal, is_late, output })
    }

    fn command(&self) -> Command {
        let Order { options, library, program, .. } = self;
        let mut command = Command::new(&program.file);
        command.args(&program.arguments);
        command.env("LD_PRELOAD", library.preload()).env("LD_LIBRARY_PATH", library.search_path());
        library.stand_ins.put_first(&mut command);
        command.env("LESSON_DEVICE", "emulator").env(FILE, &self.file).env("PYTHONPATH", library.python_path());
        command.env(RUN, format!("{}/{}", self.schedule, self.seed));
        if let Some(language) = words::Language::spoken() {
            command.env("LESSON_LANG", language.code());
        }
        // Variables of a command like this one that has started it.
        for inherited in [AGAIN, CHECKS, COUNT, DEADLINE, EXHAUST, GROUP, KERNEL, LEAKS, LIMIT, "LESSON_NO_TRY"] {
            command.env_remove(inherited);
        }
        if options.runs_again() {
            command.env(AGAIN, "1");
        }
        if options.fast {
            command.env(CHECKS, "fast");
        }
        // The executions of a launch do not depend on the run's schedule.
        if let Some(time) = options.exhaust.filter(|_| self.is_first) {
            command.env(EXHAUST, time.as_secs_f64().to_string());
        }
        if let Some(part) = &options.kernel_name {
            command.env(KERNEL, part);
        }
        if let Some(count) = options.launch_count {
            command.env(COUNT, count.to_string());
        }
        if let Some(limit) = options.limit_instructions {
            command.env(LIMIT, limit.to_string());
        }
        if options.leak_check == LeakCheck::Full {
            command.env(LEAKS, "1");
        }
        if options.no_try || !self.is_first {
            command.env("LESSON_NO_TRY", "1");
        }
        if self.is_first && wanted(options).len() > 1 && !std::io::stdout().is_terminal() {
            command.stdout(Stdio::piped());
        }
        if !self.is_first {
            command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        }
        if let Some(end) = options.limit.and_then(|limit| SystemTime::now().checked_add(limit)) {
            let since = end.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
            command.env(DEADLINE, since.as_millis().to_string());
            // So that its children can be stopped with it.
            command.process_group(0);
        }
        // SAFETY: between fork and exec the child makes one system call, and allocates nothing.
        unsafe { command.pre_exec(end_with_parent) };
        command
    }
}

/// Has the kernel end this process when the thread that started it ends. A command that is killed leaves no program
/// behind.
fn end_with_parent() -> std::io::Result<()> {
    Ok(rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))?)
}

/// All that a program writes to its stdout. It is passed on as it comes, if `is_shown`.
fn kept(mut stdout: ChildStdout, is_shown: bool) -> Vec<u8> {
    let (mut all, mut some) = (Vec::new(), [0; 1 << 16]);
    // Keep the output from before an error.
    while let Ok(count @ 1..) = stdout.read(&mut some) {
        all.extend_from_slice(&some[..count]);
        if is_shown {
            let mut shown = std::io::stdout();
            // A reader that has gone away is no reason to stop the check.
            let _ = shown.write_all(&some[..count]).and_then(|()| shown.flush());
        }
    }
    all
}

/// The time in which a program whose launch has reached the limit tells what the launch has shown. The emulator looks
/// at the time every few million instructions.
const GRACE: Duration = Duration::from_secs(10);

/// Returns true if a launch has begun and not ended.
fn is_launch_under_way(records: &[Record]) -> bool {
    let last = records.iter().rev().find_map(|record| match record {
        Record::Begun { .. } => Some(true),
        Record::Launch { .. } | Record::Refused { .. } => Some(false),
        _ => None,
    });
    last.unwrap_or(false)
}

/// Waits for the child, whose records are in `file`. Returns how it ended, and whether that took too long. If it did,
/// nothing that the child has started is left.
fn wait(child: &mut Child, limit: Option<Duration>, file: &Path) -> Result<(ExitStatus, bool)> {
    let Some(limit) = limit else { return Ok((child.wait()?, false)) };
    let begin = Instant::now();
    let group = rustix::process::Pid::from_child(child);
    let mut end: Option<Duration> = None;
    loop {
        let status = child.try_wait()?;
        let is_late = begin.elapsed() >= limit;
        if let (Some(status), false) = (status, is_late) {
            return Ok((status, false));
        }
        if is_late && end.is_none() {
            let is_under_way = record::read(file).is_ok_and(|records| is_launch_under_way(&records));
            end = Some(if is_under_way { limit + GRACE } else { limit });
        }
        if status.is_some() || end.is_some_and(|end| begin.elapsed() >= end) {
            // It may have ended by itself meanwhile.
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
            return Ok((child.wait()?, true));
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// As a shell has it: a program that a signal ended has 128 and the signal's number.
fn number(status: ExitStatus) -> u8 {
    let code = status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0));
    u8::try_from(code).unwrap_or(u8::MAX)
}

fn records(file: &Path) -> Result<Vec<Record>> {
    record::read(file).with_context(|| say!("no-records", file = file.display().to_string()))
}
