//! Initialisation of the process (CUDA Driver API, "Initialization"), and when calls are refused.

use super::outcome::CallResult;
use super::thread::is_in_host_function;
use cust_raw::CUresult;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// The process in which `cuInit` was called, or 0. Not a flag: a process that is forked afterwards cannot use CUDA.
static INITIALISED: AtomicU32 = AtomicU32::new(0);

/// `cuInit`. As on a GPU, it fails in a process that was forked from one that had called it.
pub(crate) fn initialise() -> CallResult {
    let own = std::process::id();
    match INITIALISED.compare_exchange(0, own, Ordering::AcqRel, Ordering::Acquire) {
        Err(other) if other != own => Err(CUresult::CUDA_ERROR_NOT_INITIALIZED),
        _ => Ok(()),
    }
}

/// True in a process that was forked from one that had called `cuInit`: what it has inherited is its parent's.
pub fn is_forked() -> bool {
    ![0, std::process::id()].contains(&INITIALISED.load(Ordering::Acquire))
}

static IS_ENDING: AtomicBool = AtomicBool::new(false);

/// Marks the end of the process: no function of the program is called any more.
pub(crate) fn begin_end() {
    IS_ENDING.store(true, Ordering::Release);
}

/// True once the process is about to end.
pub(crate) fn is_ending() -> bool {
    IS_ENDING.load(Ordering::Acquire)
}

/// `CUDA_ERROR_NOT_PERMITTED` inside a host function, `CUDA_ERROR_NOT_INITIALIZED` before `cuInit` and in a forked
/// process.
pub(crate) fn may_call() -> CallResult {
    if is_in_host_function() {
        return Err(CUresult::CUDA_ERROR_NOT_PERMITTED);
    }
    if INITIALISED.load(Ordering::Acquire) == std::process::id() {
        Ok(())
    } else {
        Err(CUresult::CUDA_ERROR_NOT_INITIALIZED)
    }
}
