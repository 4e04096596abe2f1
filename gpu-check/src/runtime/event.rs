//! Events ("Event Management").

use super::call::{RuntimeResult, check, context};
use crate::cu::{self, Handle};
use cust_raw::CUipcEventHandle;
use std::ffi::c_uint;

pub unsafe fn create(event: *mut Handle, flags: c_uint) -> RuntimeResult {
    context()?;
    // SAFETY: an out-pointer of the caller.
    check(unsafe { cu::cuEventCreate(event, flags) })
}

pub unsafe fn ipc_handle(handle: *mut CUipcEventHandle, event: Handle) -> RuntimeResult {
    context()?;
    // SAFETY: an out-pointer of the caller, and a handle, which is looked up.
    check(unsafe { cu::cuIpcGetEventHandle(handle, event) })
}

pub unsafe fn open_ipc(event: *mut Handle, handle: CUipcEventHandle) -> RuntimeResult {
    context()?;
    // SAFETY: an out-pointer of the caller.
    check(unsafe { cu::cuIpcOpenEventHandle(event, handle) })
}

pub unsafe fn record(event: Handle, stream: Handle, flags: c_uint) -> RuntimeResult {
    context()?;
    // SAFETY: handles, which are looked up.
    check(unsafe { cu::cuEventRecordWithFlags(event, stream, flags) })
}

pub unsafe fn query(event: Handle) -> RuntimeResult {
    context()?;
    // SAFETY: a handle, which is looked up.
    check(unsafe { cu::cuEventQuery(event) })
}

pub unsafe fn synchronize(event: Handle) -> RuntimeResult {
    context()?;
    // SAFETY: a handle, which is looked up.
    check(unsafe { cu::cuEventSynchronize(event) })
}

pub unsafe fn destroy(event: Handle) -> RuntimeResult {
    context()?;
    // SAFETY: a handle, which is looked up.
    check(unsafe { cu::cuEventDestroy_v2(event) })
}

pub unsafe fn elapsed_time(milliseconds: *mut f32, start: Handle, end: Handle) -> RuntimeResult {
    context()?;
    // SAFETY: an out-pointer of the caller.
    check(unsafe { cu::cuEventElapsedTime(milliseconds, start, end) })
}
