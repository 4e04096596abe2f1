//! PTX files that say what they must do, for the emulator and for a real GPU alike.
//!
//! A file is plain PTX; `// run:` comments at its top launch a kernel and state the results
//! that the PTX ISA demands. The grammar is in `emulator/tests/conformance/README.md`.
//! A device takes part by implementing [`Machine`]; [`check`] does the rest. The package `conformance` of `lab/` has
//! these modules too, with their tests and a GPU.

mod expression;
mod judge;
mod parse;
mod value;

pub use judge::check;

use std::ops::Range;

/// A launch that a device is asked to do.
#[derive(Clone, Debug, PartialEq)]
pub struct Job<'a> {
    pub ptx: &'a str,
    pub kernel: &'a str,
    pub grid: [u32; 3],
    pub block: [u32; 3],
    /// Bytes of dynamic shared memory.
    pub shared: u32,
    /// All blocks are there at once (`launch=cooperative`).
    pub cooperative: bool,
    pub parameters: Vec<Parameter>,
}

/// One kernel parameter, in the order of the kernel's list.
#[derive(Clone, Debug, PartialEq)]
pub enum Parameter {
    Scalar(Vec<u8>),
    /// The address of fresh memory.
    Buffer {
        bytes: Vec<u8>,
        /// False: the bytes are poison, and count as never written.
        defined: bool,
        /// The bytes that are judged afterwards; a device reads no others.
        reads: Vec<Range<usize>>,
    },
}

/// The outcome of a job.
#[derive(Clone, Debug, PartialEq)]
pub enum JobOutcome {
    /// The module or the kernel was not accepted, and why.
    Refused(String),
    Ran {
        /// One a buffer, in order; bytes that were not to be read are as they were.
        buffers: Vec<Vec<u8>>,
        /// The output of `printf`, where the device can tell.
        printed: Option<String>,
        /// The kind of failure of the launch: "illegal-address", "misaligned-address", "illegal-instruction", ...
        fault: Option<String>,
        /// Slugs of what checkers found.
        findings: Vec<String>,
    },
}

/// A device under test.
pub trait Machine {
    /// As `// run(name):` names it.
    fn name(&self) -> &'static str;
    /// Runs one kernel in fresh memory. The error is the harness's own, such as a lost device.
    fn run(&mut self, job: &Job) -> Result<JobOutcome, String>;
}
