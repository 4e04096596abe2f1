//! The log of errors (CUDA Driver API, "Error Log Management Functions"). The emulated device writes none: it says on
//! standard error what it has to say. So nobody who asks to be called is called.

use crate::emulated::base::outcome::{CallResult, out};
use crate::emulated::base::process::may_call;
use crate::emulated::context::handle;
use crate::types::CUlogsCallback;
use cust_raw::CUresult::CUDA_ERROR_INVALID_VALUE;
use std::collections::BTreeSet;
use std::ffi::{c_uint, c_void};
use std::sync::{Mutex, PoisonError};

/// The callbacks that are registered, by handle.
static CALLBACKS: Mutex<BTreeSet<u64>> = Mutex::new(BTreeSet::new());

pub(crate) unsafe fn register(callback: CUlogsCallback, _data: *mut c_void, place: *mut u64) -> CallResult {
    may_call()?;
    // SAFETY: an out-pointer of the caller.
    let place = unsafe { out(place)? };
    if callback.is_none() {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    let handle = handle::fresh();
    CALLBACKS.lock().unwrap_or_else(PoisonError::into_inner).insert(handle);
    place.set(handle);
    Ok(())
}

pub(crate) unsafe fn unregister(handle: u64) -> CallResult {
    may_call()?;
    let was_there = CALLBACKS.lock().unwrap_or_else(PoisonError::into_inner).remove(&handle);
    if was_there { Ok(()) } else { Err(CUDA_ERROR_INVALID_VALUE) }
}

/// Returns the end of the log, which is its beginning too.
pub(crate) unsafe fn current(place: *mut c_uint, flags: c_uint) -> CallResult {
    may_call()?;
    // SAFETY: an out-pointer of the caller.
    let place = unsafe { out(place)? };
    if flags != 0 {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    place.set(0);
    Ok(())
}
