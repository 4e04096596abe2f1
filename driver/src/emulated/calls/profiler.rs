//! Control of a profiler (CUDA Driver API, "Profiler Control"): there is none, so these do nothing, as on a GPU that
//! nobody profiles.

use crate::emulated::base::outcome::CallResult;
use crate::emulated::base::process::may_call;
use cust_raw::CUoutput_mode;
use std::ffi::c_char;

/// Begins or ends what is profiled.
pub(crate) unsafe fn control() -> CallResult {
    may_call()
}

pub(crate) unsafe fn initialize(
    _configuration: *const c_char,
    _output: *const c_char,
    _mode: CUoutput_mode,
) -> CallResult {
    may_call()
}
