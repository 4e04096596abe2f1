//! The objects of a context, without the calls that act on them.

use super::capture::Captured;
use super::queue::Mark;
use cust_raw::CUDA_ARRAY3D_DESCRIPTOR;
use emulator::{Kernel, LoadedModule, Profile};
use std::ffi::{CString, c_int};
use std::sync::Arc;
use std::time::Duration;

pub(crate) struct Module {
    pub(crate) loaded: Arc<LoadedModule>,
    /// Handles given out, by kernel: asking again gives the same one.
    pub(crate) functions: Vec<Option<u64>>,
}

pub(crate) struct Function {
    pub(crate) loaded: Arc<LoadedModule>,
    pub(crate) module: u64,
    pub(crate) index: usize,
    pub(crate) settings: Settings,
    /// For `cuFuncGetName`, as C has it.
    pub(crate) name: CString,
}

/// The program's settings for a kernel.
#[derive(Clone, Copy)]
pub(crate) struct Settings {
    /// `None`: what a block has without opting in.
    pub(crate) max_dynamic_shared: Option<u32>,
    pub(crate) carveout: c_int,
}

impl Settings {
    pub(crate) const fn new() -> Settings {
        Settings { max_dynamic_shared: None, carveout: -1 }
    }

    /// Dynamic shared memory that a launch may ask for.
    pub(crate) fn max_dynamic_shared(&self, kernel: &Kernel, profile: &Profile) -> u32 {
        let default = profile.shared_per_block.saturating_sub(kernel.shared_bytes);
        self.max_dynamic_shared.unwrap_or(default)
    }
}

impl Function {
    pub(crate) fn new(loaded: Arc<LoadedModule>, module: u64, index: usize) -> Function {
        let name = c_name(&loaded.program.kernels()[index]);
        Function { loaded, module, index, settings: Settings::new(), name }
    }

    pub(crate) fn kernel(&self) -> &Kernel {
        &self.loaded.program.kernels()[self.index]
    }
}

/// A kernel's name for C. A name in PTX holds no NUL.
pub(crate) fn c_name(kernel: &Kernel) -> CString {
    CString::new(kernel.name.as_str()).unwrap_or_default()
}

/// Priorities are accepted and have no effect on what runs first.
pub(crate) const LEAST_PRIORITY: c_int = 0;
pub(crate) const GREATEST_PRIORITY: c_int = -5;

#[derive(Clone, Copy, Default)]
pub(crate) struct Stream {
    pub(crate) flags: u32,
    pub(crate) priority: c_int,
}

pub(crate) struct Event {
    pub(crate) flags: u32,
    /// The stream position where it was last recorded.
    pub(crate) recorded: Option<Mark>,
    /// When the stream got to that record.
    pub(crate) time: Option<Duration>,
    /// The point where it was recorded since, in a stream that was captured.
    pub(crate) captured: Option<Captured>,
}

pub(crate) struct Array {
    pub(crate) address: u64,
    /// Bytes of a row, and rows of a slice.
    pub(crate) pitch: usize,
    pub(crate) rows: usize,
    pub(crate) descriptor: CUDA_ARRAY3D_DESCRIPTOR,
}
