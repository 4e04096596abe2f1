//! The device runtime: what kernels call to launch other kernels (CUDA Programming Guide, "CUDA Dynamic Parallelism").
//!
//! A launch takes two calls. The first gets the kernel and the shape of the grid and gives a buffer in global memory,
//! in which the thread writes the arguments; it gives none where the launch cannot be. The second puts the grid into a
//! stream ([`super::queue`]). What threads call is in [`super::device_calls`].
//!
//! Errors are kept for each thread, as on a GPU, until it asks. An error that a launch left and that nobody had asked
//! for when the thread ended is a finding. So is an argument that points into shared or local memory, since the child
//! has its own of both. An 8-byte integer that happens to look like such a pointer would be taken for one.

use super::launch::Launch;
use super::queue::GridQueue;
use crate::exec::runtime::CudaErrorCode;
use crate::types::{Kernel, LaunchConfig};
use finding::LaunchRefusal;
use rustc_hash::FxHashMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Launches that may be pending, unless the host sets another limit; and how deep launches can be nested. On an H200
/// that was as deep, and the next one failed as one too many pending; the programming guide's limit of 24 did not show.
pub const PENDING_LAUNCHES: usize = 2048;

/// A launch that was prepared before its arguments were there.
pub(super) struct Prepared {
    /// Position of its kernel among the code's parts.
    pub part: usize,
    pub config: LaunchConfig,
    pub resident: u64,
}

/// A launch that failed, until its thread asks.
pub(super) struct UnreadFailure {
    pub code: CudaErrorCode,
    pub pc: u32,
    pub calls: Vec<u32>,
    /// It was a launch, and the thread has not asked yet.
    pub unread: Option<FailedLaunch>,
}

pub(super) struct FailedLaunch {
    /// `None` where a pointer or a buffer leads to no kernel.
    pub kernel: Option<String>,
    pub reason: LaunchRefusal,
}

/// The state that threads have left with the runtime.
#[derive(Default)]
pub(super) struct RuntimeState {
    /// Buffers for arguments that nobody has.
    pub free: Vec<u64>,
    pub prepared: FxHashMap<u64, Prepared>,
    /// By block and thread.
    pub failures: FxHashMap<(u64, u32), UnreadFailure>,
}

/// The device runtime of one launch.
pub struct Runtime<'a> {
    pub queue: GridQueue<'a>,
    pub(super) kernels: &'a [Kernel],
    pub(super) most_pending: usize,
    /// Names and texts of errors, one after the other, and their addresses: by code, name or text.
    pub(super) texts: FxHashMap<(CudaErrorCode, bool), u64>,
    state: Mutex<RuntimeState>,
    pub(super) any_failure: AtomicBool,
}

/// Memory that the device runtime needs for a launch.
pub struct RuntimeLayout {
    slot: u64,
    slots: usize,
    texts: Vec<u8>,
    offsets: Vec<((CudaErrorCode, bool), u64)>,
}

impl RuntimeLayout {
    pub fn new(kernels: &[Kernel], pending: usize) -> RuntimeLayout {
        let slot = kernels.iter().map(|kernel| u64::from(kernel.parameter_bytes)).max().unwrap_or(0);
        // Lines of a checker's cells are as long: one buffer's are no other's.
        let slot = slot.max(1).next_multiple_of(64);
        let (mut texts, mut offsets) = (Vec::new(), Vec::new());
        for code in CudaErrorCode::ALL {
            for (is_name, text) in [(true, code.name()), (false, code.text())] {
                offsets.push(((*code, is_name), texts.len() as u64));
                texts.extend(text.bytes().chain([0]));
            }
        }
        RuntimeLayout { slot, slots: pending, texts, offsets }
    }

    pub fn bytes(&self) -> u64 {
        self.slot * self.slots as u64 + self.texts.len() as u64
    }

    /// Returns the address of the texts, and the texts.
    pub fn texts(&self) -> (u64, &[u8]) {
        (self.slot * self.slots as u64, &self.texts)
    }
}

impl<'a> Runtime<'a> {
    /// `base` is the address of memory laid out like this.
    pub fn new(root: &Arc<Launch<'a>>, kernels: &'a [Kernel], layout: &RuntimeLayout, base: u64) -> Runtime<'a> {
        let free = (0..layout.slots as u64).rev().map(|slot| base + slot * layout.slot).collect();
        let texts = layout.offsets.iter().map(|&(key, offset)| (key, base + layout.texts().0 + offset)).collect();
        Runtime {
            queue: GridQueue::new(root, layout.slots),
            kernels,
            most_pending: layout.slots,
            texts,
            state: Mutex::new(RuntimeState { free, ..RuntimeState::default() }),
            any_failure: AtomicBool::new(false),
        }
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, RuntimeState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
