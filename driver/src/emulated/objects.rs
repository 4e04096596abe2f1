//! The objects of a context, without the calls that act on them.

use super::queue::Mark;
use cust_raw::CUDA_ARRAY3D_DESCRIPTOR;
use emulator::{Kernel, LoadedModule, Profile};
use std::ffi::c_int;
use std::sync::Arc;
use std::time::Instant;

pub(crate) struct Module {
    pub(crate) loaded: Arc<LoadedModule>,
    /// Handles given out, by kernel: asking again gives the same one.
    pub(crate) functions: Vec<Option<u64>>,
}

pub(crate) struct Function {
    pub(crate) loaded: Arc<LoadedModule>,
    pub(crate) module: u64,
    pub(crate) index: usize,
    /// Set by the program, else what a block has without opting in.
    pub(crate) max_dynamic_shared: Option<u32>,
    pub(crate) carveout: c_int,
}

impl Function {
    pub(crate) fn new(loaded: Arc<LoadedModule>, module: u64, index: usize) -> Function {
        Function { loaded, module, index, max_dynamic_shared: None, carveout: -1 }
    }

    pub(crate) fn kernel(&self) -> &Kernel {
        &self.loaded.program.kernels()[self.index]
    }

    /// Dynamic shared memory that a launch may ask for.
    pub(crate) fn max_dynamic_shared(&self, profile: &Profile) -> u32 {
        let default = profile.shared_per_block.saturating_sub(self.kernel().shared_bytes);
        self.max_dynamic_shared.unwrap_or(default)
    }
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
    /// Where it was last recorded.
    pub(crate) recorded: Option<Mark>,
    /// When the stream got to that record.
    pub(crate) time: Option<Instant>,
}

pub(crate) struct Array {
    pub(crate) address: u64,
    /// Bytes of a row, and rows of a slice.
    pub(crate) pitch: usize,
    pub(crate) rows: usize,
    pub(crate) descriptor: CUDA_ARRAY3D_DESCRIPTOR,
}
