//! Records of a checked program, a line of JSON each: written by the library inside the program, read by the command.

use crate::explored::ExploredRecord;
use crate::readable;
use driver::emulated::{self, Event};
use driver::emulator::finding::Finding;
use driver::emulator::{Fault, Progress};
use observer::{Heard, Observed, ReadSource};
use serde::{Deserialize, Serialize};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::Duration;
use trial::Fix;

/// The file that records go to.
pub const FILE: &str = "GPU_CHECK_RECORD";
/// Names the process that the records of this one count for: a worker of a test runner sets it for itself and for what
/// it starts.
pub const GROUP: &str = "GPU_CHECK_GROUP";
/// `SCHEDULE/SEED`, as in `random/3`.
pub const RUN: &str = "GPU_CHECK_RUN";
/// `fast` looks for accesses out of bounds and nothing else.
pub const CHECKS: &str = "GPU_CHECK_CHECKS";
/// Part of the names of the kernels that are checked, and how many launches of them.
pub const KERNEL: &str = "GPU_CHECK_KERNEL";
pub const COUNT: &str = "GPU_CHECK_COUNT";
/// If it is there, short launches in which nothing was found are run again under other schedules.
pub const AGAIN: &str = "GPU_CHECK_AGAIN";
/// If it is there, memory that is never freed is named at the end.
pub const LEAKS: &str = "GPU_CHECK_LEAKS";
/// Thread instructions after which a launch is ended.
pub const LIMIT: &str = "GPU_CHECK_LIMIT_INSTRUCTIONS";
/// The time at which a launch that still runs is ended, in milliseconds since 1970.
pub const DEADLINE: &str = "GPU_CHECK_DEADLINE";

/// Seconds for which all executions of a launch are explored before it runs. If it is not there, none are.
pub const EXHAUST: &str = "GPU_CHECK_EXHAUST";

/// A line of the file.
#[derive(Serialize, Deserialize)]
struct Line<R> {
    /// The process that the record counts for, if [`GROUP`] names one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    group: Option<String>,
    #[serde(flatten)]
    record: R,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Record {
    /// A launch begins to run.
    Begun {
        kernel: String,
    },
    /// A launch has run.
    Launch {
        /// The kernel's name in the PTX, which tells overloads apart.
        ptx_name: String,
        /// Schedules under which it was checked; 0 where it was left out by name or number.
        schedules: usize,
    },
    /// One did not end as it should, and no finding says why.
    Stopped {
        kernel: String,
        why: Why,
        /// Something was refused before, which may be the reason.
        is_after_refusal: bool,
    },
    /// One was not run: the emulated GPU cannot.
    Refused {
        kernel: String,
        /// The file name of the program.
        program: String,
    },
    /// A call failed because of what the emulated GPU cannot do.
    Unsupported {
        call: String,
        error: String,
        program: String,
    },
    /// A call of the runtime returned an error, by its name.
    Failed {
        call: String,
        error: String,
    },
    /// A compiler that the program has started gave PTX in place of machine code.
    StoodIn {
        tool: String,
    },
    /// All executions of a launch were to be explored.
    Explored(Box<ExploredRecord>),
    Source(SourceRecord),
    Finding(Box<FindingRecord>),
}

/// The reason why a kernel was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Why {
    Assert,
    Trap,
    Stack,
    /// `--limit-instructions`: no error, but not all of the launch was checked.
    Limit,
    Other,
}

impl Why {
    fn of(fault: &Fault) -> Why {
        match fault {
            Fault::Assert => Why::Assert,
            Fault::LaunchFailed => Why::Trap,
            Fault::StackOverflow => Why::Stack,
            Fault::InstructionLimit => Why::Limit,
            _ => Why::Other,
        }
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Why::Assert => "assert",
            Why::Trap => "trap",
            Why::Stack => "stack",
            Why::Limit => "limit",
            Why::Other => "other",
        }
    }
}

/// A finding in one run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FindingRecord {
    /// It is no finding by the rules, and worth a word: a note without a slug.
    pub is_hint: bool,
    pub finding: Finding,
    /// The result of trying to fix it.
    pub fix: Fix,
    /// The report, for those who show it while the program runs: the pytest plugin and the IPython extension.
    pub text: String,
}

impl FindingRecord {
    /// Returns true if it fails nothing.
    pub fn is_note(&self) -> bool {
        self.is_hint || !self.finding.is_error()
    }
}

/// A file that findings name. Its record comes before theirs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceRecord {
    /// Its name in findings.
    pub file: String,
    /// Its name in reports.
    pub shown: String,
    /// The contents at the time of the finding. The program may change or remove the file later.
    pub text: String,
}

thread_local! {
    /// True while a call of our runtime runs on this thread: what the driver refuses there is the runtime's to answer
    /// for.
    static IN_RUNTIME: Cell<bool> = const { Cell::new(false) };
    /// A launch was refused on this thread, and the call that asked for it has not returned yet.
    static REFUSED_LAUNCH: Cell<bool> = const { Cell::new(false) };
}

/// Something was refused in this process.
static HAS_REFUSED: AtomicBool = AtomicBool::new(false);

/// A call of the runtime begins. Drop the guard when it ends.
pub(crate) fn in_runtime() -> InRuntime {
    REFUSED_LAUNCH.set(false);
    InRuntime { before: IN_RUNTIME.replace(true) }
}

pub(crate) struct InRuntime {
    before: bool,
}

impl Drop for InRuntime {
    fn drop(&mut self) {
        IN_RUNTIME.set(self.before);
    }
}

/// A call failed because of what the emulated GPU cannot do. What follows from that is not the program's bug.
pub(crate) fn unsupported(call: &str, error: &str) {
    // A launch has its own record.
    if REFUSED_LAUNCH.take() {
        return;
    }
    HAS_REFUSED.store(true, Ordering::Relaxed);
    emulated::miss_work();
    append(&Record::Unsupported { call: call.to_string(), error: error.to_string(), program: program() });
}

/// The file name of this process's program; for an interpreter, that of its script.
fn program() -> String {
    let name = |argument: std::ffi::OsString| {
        Path::new(&argument).file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned())
    };
    let mut arguments = std::env::args_os();
    let first = arguments.next().map_or(String::new(), name);
    let script = arguments.find(|argument| !argument.to_string_lossy().starts_with('-'));
    match script.map(name).filter(|script| first.starts_with("python") && script.ends_with(".py")) {
        Some(script) => script,
        None => first,
    }
}

/// A call of the runtime came to this error.
pub(crate) fn failed(call: &str, error: &str) {
    // At the end of its time a program finds that its launch was stopped.
    if out().is_some() && !emulated::is_time_up() {
        append(&Record::Failed { call: call.to_string(), error: error.to_string() });
    }
}

/// A stand-in for this compiler gave PTX in place of machine code.
pub fn stood_in(tool: &str) {
    append(&Record::StoodIn { tool: tool.to_string() });
}

/// The file that the environment names.
fn out() -> Option<&'static File> {
    static OUT: OnceLock<Option<File>> = OnceLock::new();
    let open = || File::options().append(true).create(true).open(std::env::var_os(FILE)?).ok();
    OUT.get_or_init(open).as_ref()
}

/// Writes what is heard.
pub(crate) fn write(heard: Heard<'_>) {
    match heard {
        Heard::Finding(observed) => {
            new_sources(observed).into_iter().for_each(|source| append(&Record::Source(source)));
            append(&Record::Finding(Box::new(of_finding(observed))));
        }
        Heard::Event(event) => take_event(&event).iter().for_each(append),
    }
}

/// Returns the record of an event, if it has one. Remembers refusals, and tells stderr how far a launch is.
fn take_event(event: &Event<'_>) -> Option<Record> {
    // A launch that is ended by the time limit has not run. What follows it is of no interest: only its findings are.
    if emulated::is_time_up() && matches!(event, Event::Begins { .. } | Event::Launch { .. } | Event::Stopped { .. }) {
        return None;
    }
    Some(match *event {
        Event::Begins { kernel } => Record::Begun { kernel: report::readable(kernel) },
        Event::Explored { kernel, grid, block, found } => {
            Record::Explored(Box::new(ExploredRecord::new(kernel, [grid, block], found)))
        }
        Event::Launch { kernel, schedules, .. } => Record::Launch { ptx_name: kernel.to_string(), schedules },
        Event::Stopped { kernel, fault } => Record::Stopped {
            kernel: report::readable(kernel),
            why: Why::of(fault),
            is_after_refusal: HAS_REFUSED.load(Ordering::Relaxed),
        },
        Event::Refused { kernel } => {
            REFUSED_LAUNCH.set(true);
            HAS_REFUSED.store(true, Ordering::Relaxed);
            Record::Refused { kernel: report::readable(kernel), program: program() }
        }
        Event::Unsupported { call, code } => {
            if !IN_RUNTIME.get() {
                unsupported(call, &format!("{code:?}"));
            }
            return None;
        }
        Event::Progress { kernel, elapsed, progress } => {
            tell_progress(kernel, elapsed, progress);
            return None;
        }
        Event::Blocked { elapsed } => {
            words::complain(&say!("blocked", seconds = elapsed.as_secs()));
            return None;
        }
        Event::InvalidShape { .. } | Event::Findings(_) | Event::Leaks(_) => return None,
    })
}

fn of_finding(observed: &Observed<'_>) -> FindingRecord {
    let finding = observed.finding.clone();
    let text = readable::in_language_of(&finding, observed.text());
    FindingRecord { is_hint: observed.is_note, fix: observed.fix.clone(), text, finding }
}

/// Sources of a finding that no record has yet, or not with this text.
fn new_sources(observed: &Observed<'_>) -> Vec<SourceRecord> {
    static WRITTEN: Mutex<BTreeMap<String, String>> = Mutex::new(BTreeMap::new());
    let mut written = WRITTEN.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let mut sources = Vec::new();
    for ReadSource { file, shown, text } in observed.sources() {
        if written.get(file).is_none_or(|known| known != text) {
            written.insert(file.to_string(), text.to_string());
            sources.push(SourceRecord { file: file.to_string(), shown: shown.to_string(), text: text.to_string() });
        }
    }
    sources
}

/// Tells on stderr how far a long launch has come, so that its user need not guess whether it hangs.
fn tell_progress(kernel: &str, elapsed: Duration, progress: &Progress) {
    let Progress { blocks_done, blocks, instructions } = *progress;
    let millions = instructions / 1_000_000;
    let (kernel, seconds) = (report::readable(kernel), elapsed.as_secs());
    words::complain(&say!("progress", kernel, seconds, done = blocks_done, blocks, millions));
}

/// The process that records of this one count for. It is read once, before threads of the program change its
/// environment.
fn group() -> Option<String> {
    static NAMED: OnceLock<Option<String>> = OnceLock::new();
    NAMED.get_or_init(|| std::env::var(GROUP).ok()).clone()
}

fn append(record: &Record) {
    let Some(mut file) = out() else { return };
    let Ok(mut line) = serde_json::to_string(&Line { group: group(), record }) else { return };
    // Behind what a process that was killed has left of a line.
    line.insert(0, '\n');
    line.push('\n');
    // In one piece: processes of one program write to one file. A full disk is no reason to fail a CUDA call.
    let _ = file.write_all(line.as_bytes());
}

/// All records of a file. One that is not whole, since its program was killed while it wrote, is passed over.
pub fn read(file: &Path) -> std::io::Result<Vec<Record>> {
    match std::fs::read(file) {
        Ok(bytes) => {
            let line = |line: &[u8]| serde_json::from_slice::<Line<Record>>(line).ok();
            Ok(bytes.split(|&byte| byte == b'\n').filter_map(line).map(|line| line.record).collect())
        }
        // No CUDA call was made.
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}
