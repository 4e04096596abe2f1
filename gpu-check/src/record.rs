//! What a checked program did, a line of JSON each: written by the library inside the program, read by the command.

use crate::readable;
use driver::emulated::Heard;
use driver::emulator::Fault;
use report::Source;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::OnceLock;
use tell::sarif::Problem;

/// The file that records go to.
pub const FILE: &str = "GPU_CHECK_RECORD";
/// `SCHEDULE/SEED`, as in `random/3`.
pub const RUN: &str = "GPU_CHECK_RUN";
/// `fast` looks for accesses out of bounds and nothing else.
pub const CHECKS: &str = "GPU_CHECK_CHECKS";
/// Part of the names of the kernels that are checked, and how many launches of them.
pub const KERNEL: &str = "GPU_CHECK_KERNEL";
pub const COUNT: &str = "GPU_CHECK_COUNT";
/// If it is there, memory that is never freed is named at the end.
pub const LEAKS: &str = "GPU_CHECK_LEAKS";

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Record {
    /// A launch begins to run.
    Begun {
        kernel: String,
    },
    /// A launch has run.
    Launch {
        kernel: String,
        /// False where it was left out by name or number.
        is_checked: bool,
    },
    /// One did not end as it should, and no finding says why.
    Stopped {
        kernel: String,
        why: Why,
    },
    /// One was not run: the emulated GPU cannot.
    Refused {
        kernel: String,
    },
    /// A call of the runtime returned an error, by its name.
    Failed {
        call: String,
        error: String,
    },
    Finding(Box<Found>),
}

/// What stopped a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Why {
    Assert,
    Trap,
    Stack,
    Other,
}

impl Why {
    fn of(fault: &Fault) -> Why {
        match fault {
            Fault::Assert => Why::Assert,
            Fault::LaunchFailed => Why::Trap,
            Fault::StackOverflow => Why::Stack,
            _ => Why::Other,
        }
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Why::Assert => "assert",
            Why::Trap => "trap",
            Why::Stack => "stack",
            Why::Other => "other",
        }
    }
}

/// A finding in one run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Found {
    pub is_note: bool,
    /// The report, for reading.
    pub text: String,
    /// For machines, and to see that it is the same bug in another run.
    pub problem: Problem,
}

/// A call of the runtime came to this error.
pub(crate) fn failed(call: &str, error: &str) {
    if out().is_some() {
        append(&Record::Failed { call: call.to_string(), error: error.to_string() });
    }
}

/// The file that the environment names.
fn out() -> Option<&'static File> {
    static OUT: OnceLock<Option<File>> = OnceLock::new();
    let open = || File::options().append(true).create(true).open(std::env::var_os(FILE)?).ok();
    OUT.get_or_init(open).as_ref()
}

/// Writes what is heard.
pub(crate) fn write(heard: Heard<'_>) {
    let record = match heard {
        Heard::Begins { kernel } => Record::Begun { kernel: report::readable(kernel) },
        Heard::Launch { kernel, is_checked, .. } => Record::Launch { kernel: kernel.to_string(), is_checked },
        Heard::Stopped { kernel, fault } => Record::Stopped { kernel: report::readable(kernel), why: Why::of(fault) },
        Heard::Refused { kernel } => Record::Refused { kernel: report::readable(kernel) },
        Heard::Finding { finding, is_note, fix, text } => {
            let mut texts: BTreeMap<&str, String> = BTreeMap::new();
            for location in finding.locations() {
                if let Ok(text) = std::fs::read_to_string(&location.file) {
                    texts.insert(&location.file, text);
                }
            }
            let source = |file: &str| {
                let (path, text) = texts.get_key_value(file)?;
                Some(Source { path, text })
            };
            let mut problem = Problem::of(finding, fix, source, crate::speech::language());
            let mut files = finding.accesses.iter().filter_map(|access| Some(&access.location.as_ref()?.file));
            let python = files.find(|file| file.ends_with(".py")).and_then(|file| texts.get(file.as_str()));
            let words = |text: &str| match python {
                Some(source) => {
                    let arrays = readable::arrays(&finding.kernel, source);
                    readable::in_python(&readable::with_arrays(text, &arrays))
                }
                None => text.to_string(),
            };
            problem.message = words(&problem.message);
            problem.title = words(&problem.title);
            let is_note = is_note || !finding.is_error();
            Record::Finding(Box::new(Found { is_note, text: words(text), problem }))
        }
    };
    append(&record);
}

fn append(record: &Record) {
    let Some(mut file) = out() else { return };
    let Ok(mut line) = serde_json::to_string(record) else { return };
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
            Ok(bytes.split(|&byte| byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect())
        }
        // No CUDA call was made.
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}
