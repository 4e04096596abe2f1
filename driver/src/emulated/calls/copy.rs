//! One-dimensional copies (CUDA Driver API, "Memory Management"; "API synchronization behavior").
//!
//! Which copies the host waits for follows that chapter. Synchronous copies belong to the null stream. To the device,
//! from pageable memory: earlier work is done and the source may be reused on return, but only the null stream's order
//! says that the data has arrived. Device to device: the host does not wait at all. Asynchronous, from pageable memory:
//! taken at the call; to pageable memory: waited for; page-locked memory is read and written when the stream gets
//! there.

use crate::emulated::base::host_memory::HostMemory;
use crate::emulated::base::outcome::CallResult;
use crate::emulated::base::process::may_call;
use crate::emulated::context::current::{current, find};
use crate::emulated::context::stream_handle::{self, LockedStream};
use crate::emulated::context::{Context, Locked};
use crate::emulated::queue::{LEGACY, StreamMark};
use crate::emulated::task::{MemoryCopy, StreamTask};
use cust_raw::CUresult::*;
use cust_raw::*;
use std::ffi::c_void;

/// A host-to-device copy of the null stream has run. Orders the host behind it, or only behind what came before it: see
/// "API synchronization behavior" in the driver API's manual.
fn uploaded<'a>(context: &'a Context, state: Locked<'a>, mark: &StreamMark, pinned: bool) -> CallResult {
    let mut state = context.reach(state, mark)?;
    if pinned {
        state.queue.host_joins(mark)
    } else {
        state.queue.host_joins_before(mark)
    }
    Ok(())
}

pub(crate) unsafe fn host_to_device(to: CUdeviceptr, from: *const c_void, bytes: usize) -> CallResult {
    let context = current()?;
    let mut state = context.lock()?;
    if bytes == 0 {
        return Ok(());
    }
    // SAFETY: the caller's source, read before this returns.
    let from = unsafe { HostMemory::new(from, bytes)? };
    state.check_range(to, bytes)?;
    let pinned = from.is_pinned(&state.device);
    let mark = state.submit(LEGACY, move |state, order| match pinned {
        true => state.upload(to, from.read(), order),
        false => state.upload_pageable(to, from.read(), order),
    })?;
    uploaded(&context, state, &mark, pinned)
}

pub(crate) unsafe fn device_to_host(to: *mut c_void, from: CUdeviceptr, bytes: usize) -> CallResult {
    let context = current()?;
    let mut state = context.lock()?;
    if bytes == 0 {
        return Ok(());
    }
    // SAFETY: the caller's destination, written before this returns.
    let to = unsafe { HostMemory::new(to, bytes)? };
    state.check_range(from, bytes)?;
    let mark = state.submit(LEGACY, move |state, order| state.download(to, from, order))?;
    context.wait(state, &mark).map(drop)
}

pub(crate) unsafe fn device_to_device(to: CUdeviceptr, from: CUdeviceptr, bytes: usize) -> CallResult {
    let context = current()?;
    between(&context, LEGACY, to, from, bytes)
}

/// Queues a copy between two places that the device knows.
fn between(context: &Context, key: u64, to: u64, from: u64, bytes: usize) -> CallResult {
    let mut state = context.lock()?;
    if bytes == 0 {
        return Ok(());
    }
    state.check_range(to, bytes)?;
    state.check_range(from, bytes)?;
    if state.is_captured(key)? {
        // SAFETY: both are the device's memory.
        let copy = unsafe { MemoryCopy::line(&state, context.number, to, from, bytes)? };
        return state.capture(key, StreamTask::Copy(copy));
    }
    state.submit(key, move |state, order| state.transfer(to, from, bytes, order)).map(drop)
}

pub(crate) unsafe fn host_to_device_async(
    to: CUdeviceptr,
    from: *const c_void,
    bytes: usize,
    stream: CUstream,
) -> CallResult {
    let LockedStream { context, key } = stream_handle::resolve_here(stream)?;
    let mut state = context.lock()?;
    if bytes == 0 {
        return Ok(());
    }
    // SAFETY: the caller's source: pageable memory is read now, page-locked memory must stay until the copy is done.
    let memory = unsafe { HostMemory::new(from, bytes)? };
    state.check_range(to, bytes)?;
    if state.is_captured(key)? {
        // SAFETY: a node reads its source, pageable too, each time that the graph runs.
        let copy = unsafe { MemoryCopy::line(&state, context.number, to, from as u64, bytes)? };
        return state.capture(key, StreamTask::Copy(copy));
    }
    if memory.is_pinned(&state.device) {
        let mark = state.submit(key, move |state, order| state.upload(to, memory.read(), order))?;
        state.managed.submitted_copy(&mark, from as u64, bytes, false);
    } else {
        let staged = memory.read().to_vec();
        state.submit(key, move |state, order| state.upload(to, &staged, order))?;
    }
    Ok(())
}

/// Copies from memory of the host that is read during the call, page-locked or not.
///
/// # Safety
/// As [`HostMemory::new`].
pub(super) unsafe fn staged_async(to: CUdeviceptr, from: *const c_void, bytes: usize, stream: CUstream) -> CallResult {
    let LockedStream { context, key } = stream_handle::resolve_here(stream)?;
    let mut state = context.lock()?;
    // SAFETY: by the caller.
    let staged = unsafe { HostMemory::new(from, bytes)? }.read().to_vec();
    state.check_range(to, bytes)?;
    state.submit(key, move |state, order| state.upload(to, &staged, order)).map(drop)
}

pub(crate) unsafe fn device_to_host_async(
    to: *mut c_void,
    from: CUdeviceptr,
    bytes: usize,
    stream: CUstream,
) -> CallResult {
    let LockedStream { context, key } = stream_handle::resolve_here(stream)?;
    let mut state = context.lock()?;
    if bytes == 0 {
        return Ok(());
    }
    // SAFETY: the caller's destination: pageable memory is written before this returns, page-locked memory must stay
    // until the copy is done.
    let memory = unsafe { HostMemory::new(to, bytes)? };
    state.check_range(from, bytes)?;
    if state.is_captured(key)? {
        // SAFETY: a node writes its target each time that the graph runs.
        let copy = unsafe { MemoryCopy::line(&state, context.number, to as u64, from, bytes)? };
        return state.capture(key, StreamTask::Copy(copy));
    }
    let pinned = memory.is_pinned(&state.device);
    let mark = state.submit(key, move |state, order| state.download(memory, from, order))?;
    if pinned {
        state.managed.submitted_copy(&mark, to as u64, bytes, true);
        return Ok(());
    }
    context.wait(state, &mark).map(drop)
}

pub(crate) unsafe fn device_to_device_async(
    to: CUdeviceptr,
    from: CUdeviceptr,
    bytes: usize,
    stream: CUstream,
) -> CallResult {
    let LockedStream { context, key } = stream_handle::resolve_here(stream)?;
    between(&context, key, to, from, bytes)
}

/// With unified addressing an address says by itself where it points. What CUDA does not know is pageable memory.
pub(crate) unsafe fn any(to: CUdeviceptr, from: CUdeviceptr, bytes: usize) -> CallResult {
    let context = current()?;
    let state = context.lock()?;
    let known = |address| state.allocation(address).is_some();
    let ends = (known(to), known(from));
    drop(state);
    // SAFETY: passed on as it came; an unknown address is the caller's host memory or is refused.
    unsafe {
        match ends {
            (true, true) => device_to_device(to, from, bytes),
            (true, false) => host_to_device(to, from as *const c_void, bytes),
            (false, true) => device_to_host(to as *mut c_void, from, bytes),
            (false, false) => host_to_host(to, from, bytes),
        }
    }
}

pub(crate) unsafe fn any_async(to: CUdeviceptr, from: CUdeviceptr, bytes: usize, stream: CUstream) -> CallResult {
    let LockedStream { context, .. } = stream_handle::resolve_here(stream)?;
    let state = context.lock()?;
    let known = |address| state.allocation(address).is_some();
    let ends = (known(to), known(from));
    drop(state);
    // SAFETY: as above.
    unsafe {
        match ends {
            (true, true) => device_to_device_async(to, from, bytes, stream),
            (true, false) => host_to_device_async(to, from as *const c_void, bytes, stream),
            (false, true) => device_to_host_async(to as *mut c_void, from, bytes, stream),
            (false, false) => host_to_host(to, from, bytes),
        }
    }
}

/// Fully synchronous, in either form.
unsafe fn host_to_host(to: u64, from: u64, bytes: usize) -> CallResult {
    if bytes == 0 {
        return Ok(());
    }
    // SAFETY: both are the caller's host memory; they may overlap.
    unsafe {
        let (to, from) = (HostMemory::new(to as _, bytes)?, HostMemory::new(from as _, bytes)?);
        std::ptr::copy(from.address() as *const u8, to.address() as *mut u8, bytes);
    }
    Ok(())
}

/// Between contexts, each of which has its own memory: both sides' work is done first.
pub(crate) unsafe fn peer(
    to: CUdeviceptr,
    to_context: CUcontext,
    from: CUdeviceptr,
    from_context: CUcontext,
    bytes: usize,
) -> CallResult {
    may_call()?;
    let known = |handle: CUcontext| find(handle as u64).ok_or(CUDA_ERROR_INVALID_CONTEXT);
    let (target, source) = (known(to_context)?, known(from_context)?);
    if bytes == 0 {
        return Ok(());
    }
    if target.handle == source.handle {
        return between(&target, LEGACY, to, from, bytes);
    }
    target.lock()?.check_range(to, bytes)?;
    let mut staged = vec![0; bytes];
    let mut state = source.lock()?;
    state.check_range(from, bytes)?;
    // SAFETY: `staged` outlives the wait below.
    let buffer = unsafe { HostMemory::new(staged.as_mut_ptr().cast(), bytes)? };
    let mark = state.submit(LEGACY, move |state, order| state.download(buffer, from, order))?;
    drop(source.wait(state, &mark)?);
    let mut state = target.lock()?;
    let mark = state.submit(LEGACY, move |state, order| state.upload(to, &staged, order))?;
    target.wait(state, &mark).map(drop)
}

/// The stream must be one of the current context; the copy itself is done at once, an order that the program allows.
pub(crate) unsafe fn peer_async(
    to: CUdeviceptr,
    to_context: CUcontext,
    from: CUdeviceptr,
    from_context: CUcontext,
    bytes: usize,
    stream: CUstream,
) -> CallResult {
    let LockedStream { context, key } = stream_handle::resolve_here(stream)?;
    if to_context == from_context && to_context as u64 == context.handle {
        return between(&context, key, to, from, bytes);
    }
    drop(context.wait_stream(context.lock()?, key)?);
    // SAFETY: passed on as it came.
    unsafe { peer(to, to_context, from, from_context, bytes) }
}
