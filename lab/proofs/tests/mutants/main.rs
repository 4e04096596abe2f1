//! Programs changed at random ([`mutate`]), parsed and launched ([`launch`]): whatever a program is, the emulator
//! neither panics nor takes more than a gigabyte of the host's memory, nor much of its time.
//!
//!     cargo test -p proofs --test mutants     a fixed number of them, and what was found and fixed (`mutants/kept/`)
//!     cargo xtask fuzz --minutes 60             as many as an hour allows, from another seed each time
//!
//! A launch gets one second of its processor's time in `xtask fuzz`. In tests it gets ten: a slow machine must fail no
//! test, and a launch that hardly ends must.

mod launch;
mod mutate;

use emulator::split_mix;
use launch::{Ran, launch};
use libtest_mimic::{Arguments, Failed, Trial};
use mutate::{Dice, mutant};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::{Duration, Instant, SystemTime};

/// The number of mutants in the tests (some 25 s on a quiet machine), and in a sample of the tests.
const MUTANTS: u64 = 8000;
const SAMPLE: u64 = 2000;

const MOST_TIME: Duration = Duration::from_secs(1);
const MOST_TIME_IN_TESTS: Duration = Duration::from_secs(10);
const MOST_MEMORY: u64 = 1 << 30;
/// Here the process ends, so that the host's memory does not.
const TOO_MUCH: u64 = 4 << 30;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["--minutes", minutes] => fuzz(Duration::from_secs(60 * minutes.parse::<u64>().expect("minutes"))),
        ["--replay", seed, file] => {
            let mut tally = Tally::new(MOST_TIME);
            tally.add(Path::new(file), seed.parse().expect("a seed"));
            tally.finish()
        }
        _ => {
            let mut arguments = Arguments::from_args();
            // Memory is the process's.
            arguments.test_threads = Some(1);
            let trials = vec![
                Trial::test("kept_cases_run", || tested(|tally| kept().iter().for_each(|path| tally.add_kept(path)))),
                Trial::test("mutants_run", || {
                    tested(|tally| tally.add_many(&corpus(), 0, |made| made < skipped::share(SAMPLE, MUTANTS)))
                }),
            ];
            libtest_mimic::run(&arguments, trials).exit_code()
        }
    }
}

fn tested(run: impl FnOnce(&mut Tally)) -> Result<(), Failed> {
    let mut tally = Tally::new(MOST_TIME_IN_TESTS);
    run(&mut tally);
    println!("{}", tally.summary());
    if tally.failures.is_empty() { Ok(()) } else { Err(tally.failures.join("\n").into()) }
}

fn fuzz(time: Duration) -> ExitCode {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).expect("after 1970");
    let seed = now.as_secs();
    println!("from seed {seed}");
    let start = Instant::now();
    let mut tally = Tally::new(MOST_TIME);
    tally.add_many(&corpus(), seed, |_| start.elapsed() < time);
    tally.finish()
}

/// The results of many programs.
struct Tally {
    /// Processor time of one launch.
    most_time: Duration,
    made: u64,
    parsed: u64,
    launches: u64,
    slowest: (Duration, String),
    peak: u64,
    failures: Vec<String>,
}

impl Tally {
    fn new(most_time: Duration) -> Tally {
        std::panic::set_hook(Box::new(|panic| *PANIC.lock().expect("no panic holds it") = panic.to_string()));
        Tally { most_time, made: 0, parsed: 0, launches: 0, slowest: Default::default(), peak: 0, failures: Vec::new() }
    }

    /// Mutants of all programs by turns of `seed`, as long as `goes_on` says of their number.
    fn add_many(&mut self, corpus: &[PathBuf], mut seed: u64, goes_on: impl Fn(u64) -> bool) {
        while goes_on(self.made) {
            let seed = split_mix(&mut seed);
            self.add(&corpus[(seed % corpus.len() as u64) as usize], seed);
        }
    }

    /// The mutant of a file by a seed.
    fn add(&mut self, file: &Path, seed: u64) {
        let text = fs::read_to_string(file).expect("readable");
        self.launch(&mutant(&text, &mut Dice(seed)), seed, &format!("--replay {seed} {}", file.display()));
    }

    /// A program that says its seed.
    fn add_kept(&mut self, file: &Path) {
        let text = fs::read_to_string(file).expect("readable");
        let seed = text.lines().find_map(|line| line.strip_prefix("// seed: ")).expect("its seed");
        self.launch(&text, seed.parse().expect("a number"), &file.display().to_string());
    }

    fn launch(&mut self, text: &str, seed: u64, name: &str) {
        let written = folder().join(format!("{seed}.ptx"));
        // A program that ends the whole process is left behind as a file.
        fs::write(&written, format!("{text}// seed: {seed}\n")).expect("the folder is writable");
        // From here on the peak is this program's.
        let _ = fs::write("/proc/self/clear_refs", "5");
        let ran = watched(name, || launch(text, seed));
        let memory = memory("VmHWM:");
        self.made += 1;
        self.peak = self.peak.max(memory);
        let mut wrong = Vec::new();
        match ran {
            Err(panic) => wrong.push(panic),
            Ok(Ran { is_parsed, launches, slowest }) => {
                self.parsed += u64::from(is_parsed);
                self.launches += launches;
                wrong.extend((slowest > self.most_time).then(|| format!("took {slowest:.1?}")));
                if slowest > self.slowest.0 {
                    self.slowest = (slowest, name.to_string());
                }
            }
        }
        if memory > MOST_MEMORY {
            wrong.push(format!("took {} MiB", memory >> 20));
        }
        if wrong.is_empty() {
            fs::remove_file(&written).expect("just written");
        }
        for wrong in wrong {
            let failure = format!("{name}\n  {wrong}");
            println!("{failure}");
            self.failures.push(failure);
        }
    }

    fn summary(&self) -> String {
        let Tally { made, parsed, launches, slowest: (time, name), peak, failures, .. } = self;
        format!(
            "{made} programs, {parsed} parsed, {launches} launches, {} failures; at most {} MiB; the slowest launch \
             took {time:.2?}: {name}",
            failures.len(),
            peak >> 20
        )
    }

    fn finish(self) -> ExitCode {
        println!("{}", self.summary());
        if self.failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}

static PANIC: Mutex<String> = Mutex::new(String::new());

/// Runs it in a thread of its own; its panic is an error. Ends the process before the host's memory is used up.
fn watched(name: &str, run: impl FnOnce() -> Ran + Send) -> Result<Ran, String> {
    std::thread::scope(|scope| {
        let running = scope.spawn(run);
        let mut wait = Duration::from_micros(50);
        while !running.is_finished() {
            std::thread::sleep(wait);
            wait = (wait * 2).min(Duration::from_millis(20));
            if memory("VmRSS:") > TOO_MUCH {
                eprintln!("{name}\n  takes more than {} MiB; its program is in {}", TOO_MUCH >> 20, folder().display());
                std::process::exit(1);
            }
        }
        running.join().map_err(|_| PANIC.lock().expect("no panic holds it").clone())
    })
}

/// A line of `/proc/self/status`, in bytes; 0 where there is none.
fn memory(key: &str) -> u64 {
    let text = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find(|line| line.starts_with(key));
    line.and_then(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok()).unwrap_or(0) * 1024
}

/// `target/fuzz/`.
fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("fuzz");
    fs::create_dir_all(&folder).expect("the folder is writable");
    folder
}

/// Programs that were found by this and run since.
fn kept() -> Vec<PathBuf> {
    programs(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mutants/kept"))
}

/// The lessons' kernels as nvcc compiles them, and the emulator's own test programs.
fn corpus() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let lessons = (1..=6).flat_map(|lesson| programs(&root.join(format!("cuda/ptx/lesson{lesson:02}"))));
    let tests = root.join("emulator/tests");
    lessons.chain(["pass", "fail"].iter().flat_map(|folder| programs(&tests.join(folder)))).collect()
}

/// The PTX of a folder and of those in it, by name.
fn programs(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("readable").path()).collect();
    paths.sort();
    let (folders, files): (Vec<_>, Vec<_>) = paths.into_iter().partition(|path| path.is_dir());
    let files = files.into_iter().filter(|path| path.extension().is_some_and(|it| it == "ptx"));
    files.chain(folders.iter().flat_map(|folder| programs(folder))).collect()
}
