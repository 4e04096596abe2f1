//! Runs of the program: one as it is, and where it is asked for, more under other schedules.

use super::cli::{LeakCheck, Options};
use super::compile::Program;
use super::library::Library;
use anyhow::{Context, Result};
use gpu_check::record::{self, CHECKS, COUNT, FILE, KERNEL, LEAKS, RUN, Record};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use trial::Schedule;

/// What came of one run.
pub struct Run {
    pub records: Vec<Record>,
    pub status: u8,
    /// What ended it, if it did not end by itself.
    pub signal: Option<i32>,
    /// It did not end in time and was stopped.
    pub is_late: bool,
    /// What it wrote to stdout; `None` of the first, which goes where it always goes.
    pub output: Option<Vec<u8>>,
}

/// The runs that the options ask for, the first as the user sees it. The others go side by side.
pub fn all(options: &Options, library: &Library, program: &Program) -> Result<Vec<Run>> {
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

fn wanted(options: &Options) -> Vec<(Schedule, u64)> {
    let seeds = |schedule: Schedule| if schedule.takes_seed() { options.seeds } else { 1 };
    options.schedules.iter().flat_map(|&schedule| (0..seeds(schedule)).map(move |seed| (schedule, seed))).collect()
}

/// A run that is to be made.
struct Order<'a> {
    options: &'a Options,
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
        let reader = child.stdout.take().map(|mut stdout| {
            std::thread::spawn(move || {
                let mut bytes = Vec::new();
                // What came before an error is what there is.
                let _ = std::io::Read::read_to_end(&mut stdout, &mut bytes);
                bytes
            })
        });
        let (status, is_late) = wait(&mut child, self.options.limit)?;
        let output = reader.map(|reader| reader.join().expect("it does not panic"));
        let signal = status.signal().filter(|_| !is_late);
        Ok(Run { records: records(&self.file)?, status: number(status), signal, is_late, output })
    }

    fn command(&self) -> Command {
        let Order { options, library, program, .. } = self;
        let mut command = Command::new(&program.file);
        command.args(&program.arguments);
        command.env("LD_PRELOAD", library.preload()).env("LD_LIBRARY_PATH", library.search_path());
        command.env("LESSON_DEVICE", "emulator").env(FILE, &self.file).env("PYTHONPATH", library.python_path());
        command.env(RUN, format!("{}/{}", self.schedule, self.seed));
        if let Some(language) = words::Language::spoken() {
            command.env("LESSON_LANG", language.code());
        }
        // Of a command like this one that has started it.
        for inherited in [CHECKS, COUNT, KERNEL, LEAKS, "LESSON_NO_TRY"] {
            command.env_remove(inherited);
        }
        if options.fast {
            command.env(CHECKS, "fast");
        }
        if let Some(part) = &options.kernel_name {
            command.env(KERNEL, part);
        }
        if let Some(count) = options.launch_count {
            command.env(COUNT, count.to_string());
        }
        if options.leak_check == LeakCheck::Full {
            command.env(LEAKS, "1");
        }
        if options.no_try || !self.is_first {
            command.env("LESSON_NO_TRY", "1");
        }
        if !self.is_first {
            command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        }
        if options.limit.is_some() {
            // So that its children can be stopped with it.
            command.process_group(0);
        }
        command
    }
}

/// How it ended, and whether that took too long.
fn wait(child: &mut Child, limit: Option<Duration>) -> Result<(ExitStatus, bool)> {
    let Some(limit) = limit else { return Ok((child.wait()?, false)) };
    let begin = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok((status, false));
        }
        if begin.elapsed() >= limit {
            let group = rustix::process::Pid::from_child(child);
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
