//! Copies of planes and volumes, and those from and to arrays (CUDA Driver API, `cuMemcpy2D`, `cuMemcpy3D`,
//! `cuMemcpyHtoA` and its relatives), row by row.

use crate::emulated::base::outcome::CallResult;
use crate::emulated::context::current::{current, find};
use crate::emulated::context::stream_handle::{self, LockedStream};
use crate::emulated::queue::LEGACY;
use crate::emulated::task::StreamTask;
use crate::emulated::task::copy::{
    ARRAY, CopyEnd, CopyExtent, CopyRows, DEVICE, Description, HOST, MemoryCopy, ends, extent, line,
};
use cust_raw::CUresult::*;
use cust_raw::*;
use std::ffi::c_void;
use std::ptr::addr_of;

/// `None` stands for the synchronous form. Only a copy inside device memory, or an asynchronous one without pageable
/// memory, is left for later.
unsafe fn copy(ends: (Description, Description), extent: CopyExtent, stream: Option<CUstream>) -> CallResult {
    let (context, key) = match stream {
        None => (current()?, LEGACY),
        Some(stream) => {
            let LockedStream { context, key } = stream_handle::resolve_here(stream)?;
            (context, key)
        }
    };
    let mut state = context.lock()?;
    let is_captured = stream.is_some() && state.is_captured(key)?;
    // SAFETY: the caller's memory.
    let copy = unsafe { MemoryCopy::new(&state, context.number, ends, extent)? };
    let Some((to, from)) = &copy.rows else { return Ok(()) };
    let on_host = |rows: &CopyRows| matches!(rows.end, CopyEnd::Host(_));
    let waits = match stream {
        None => on_host(to) || on_host(from),
        Some(_) => to.is_pageable(&state.device) || from.is_pageable(&state.device),
    };
    if is_captured {
        return state.capture(key, StreamTask::Copy(copy));
    }
    let mark = state.submit(key, move |state, order| copy.run(state, order))?;
    if waits { context.wait(state, &mark).map(drop) } else { Ok(()) }
}

pub(crate) unsafe fn plane(parameters: *const CUDA_MEMCPY2D) -> CallResult {
    let ends = ends!(parameters,);
    // SAFETY: the caller's struct and memory.
    unsafe { copy(ends, [(*parameters).WidthInBytes, (*parameters).Height, 1], None) }
}

pub(crate) unsafe fn plane_async(parameters: *const CUDA_MEMCPY2D, stream: CUstream) -> CallResult {
    let ends = ends!(parameters,);
    // SAFETY: the caller's struct and memory.
    unsafe { copy(ends, [(*parameters).WidthInBytes, (*parameters).Height, 1], Some(stream)) }
}

pub(crate) unsafe fn volume(parameters: *const CUDA_MEMCPY3D) -> CallResult {
    let ends = ends!(parameters, srcZ, dstZ, srcHeight, dstHeight);
    // SAFETY: the caller's struct and memory.
    unsafe { copy(ends, extent(parameters), None) }
}

pub(crate) unsafe fn volume_async(parameters: *const CUDA_MEMCPY3D, stream: CUstream) -> CallResult {
    let ends = ends!(parameters, srcZ, dstZ, srcHeight, dstHeight);
    // SAFETY: the caller's struct and memory.
    unsafe { copy(ends, extent(parameters), Some(stream)) }
}

/// Volumes between two contexts are refused; inside the current one this is the plain copy.
unsafe fn volume_peer_in(parameters: *const CUDA_MEMCPY3D_PEER, stream: Option<CUstream>) -> CallResult {
    let ends = ends!(parameters, srcZ, dstZ, srcHeight, dstHeight);
    let here = current()?.handle;
    // SAFETY: the caller's struct.
    let (contexts, extent) = unsafe {
        let contexts = [(*parameters).srcContext as u64, (*parameters).dstContext as u64];
        (contexts, [(*parameters).WidthInBytes, (*parameters).Height, (*parameters).Depth])
    };
    if contexts.iter().any(|&handle| find(handle).is_none()) {
        return Err(CUDA_ERROR_INVALID_CONTEXT);
    }
    if contexts.iter().any(|&handle| handle != here) {
        return Err(CUDA_ERROR_NOT_SUPPORTED);
    }
    // SAFETY: the caller's memory.
    unsafe { copy(ends, extent, stream) }
}

pub(crate) unsafe fn volume_peer(parameters: *const CUDA_MEMCPY3D_PEER) -> CallResult {
    // SAFETY: passed on as it came.
    unsafe { volume_peer_in(parameters, None) }
}

pub(crate) unsafe fn volume_peer_async(parameters: *const CUDA_MEMCPY3D_PEER, stream: CUstream) -> CallResult {
    // SAFETY: passed on as it came.
    unsafe { volume_peer_in(parameters, Some(stream)) }
}

fn of_array(array: CUarray, offset: usize) -> Description {
    Description { array: array as u64, ..line(ARRAY, offset) }
}

fn of_host(host: *const c_void) -> Description {
    Description { host: host as u64, ..line(HOST, 0) }
}

fn of_device(device: u64) -> Description {
    Description { device, ..line(DEVICE, 0) }
}

pub(crate) unsafe fn host_to_array(to: CUarray, offset: usize, from: *const c_void, bytes: usize) -> CallResult {
    // SAFETY: the caller's memory.
    unsafe { copy((of_array(to, offset), of_host(from)), [bytes, 1, 1], None) }
}

pub(crate) unsafe fn array_to_host(to: *mut c_void, from: CUarray, offset: usize, bytes: usize) -> CallResult {
    // SAFETY: the caller's memory.
    unsafe { copy((of_host(to), of_array(from, offset)), [bytes, 1, 1], None) }
}

pub(crate) unsafe fn host_to_array_async(
    to: CUarray,
    offset: usize,
    from: *const c_void,
    bytes: usize,
    stream: CUstream,
) -> CallResult {
    // SAFETY: the caller's memory.
    unsafe { copy((of_array(to, offset), of_host(from)), [bytes, 1, 1], Some(stream)) }
}

pub(crate) unsafe fn array_to_host_async(
    to: *mut c_void,
    from: CUarray,
    offset: usize,
    bytes: usize,
    stream: CUstream,
) -> CallResult {
    // SAFETY: the caller's memory.
    unsafe { copy((of_host(to), of_array(from, offset)), [bytes, 1, 1], Some(stream)) }
}

pub(crate) unsafe fn device_to_array(to: CUarray, offset: usize, from: CUdeviceptr, bytes: usize) -> CallResult {
    // SAFETY: no host memory.
    unsafe { copy((of_array(to, offset), of_device(from)), [bytes, 1, 1], None) }
}

pub(crate) unsafe fn array_to_device(to: CUdeviceptr, from: CUarray, offset: usize, bytes: usize) -> CallResult {
    // SAFETY: no host memory.
    unsafe { copy((of_device(to), of_array(from, offset)), [bytes, 1, 1], None) }
}

pub(crate) unsafe fn array_to_array(
    to: CUarray,
    to_offset: usize,
    from: CUarray,
    from_offset: usize,
    bytes: usize,
) -> CallResult {
    // SAFETY: no host memory.
    unsafe { copy((of_array(to, to_offset), of_array(from, from_offset)), [bytes, 1, 1], None) }
}
