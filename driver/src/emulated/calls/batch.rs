//! Copies, prefetches and discards by the batch, and copies with attributes (CUDA Driver API, "Memory Management"). The
//! errors are those of an H200.
//!
//! The operations of a batch run one after the other, in the order of its lists.

use super::{copy, memory};
use crate::emulated::base::outcome::CallResult;
use crate::emulated::context::stream_handle::{self, LockedStream};
use crate::emulated::queue::LEGACY;
use crate::types::{CUmemLocation, CUmemcpyAttributes};
use cust_raw::CUresult::*;
use cust_raw::{CUdeviceptr, CUstream};
use emulator::HostMemory;
use std::ffi::{c_uint, c_ulonglong, c_void};

/// The most operations of a batch: a count that is garbage must not be followed through memory.
const MOST: usize = 1 << 20;

/// Returns a list of the caller's.
///
/// # Safety
/// `list` is null or has `count` entries.
unsafe fn given<T: Copy>(list: *const T, count: usize) -> CallResult<Vec<T>> {
    if list.is_null() || count == 0 || count > MOST {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    // SAFETY: as above.
    Ok((0..count).map(|index| unsafe { list.add(index).read_unaligned() }).collect())
}

/// Checks a stream: batches run in none that is captured, and not in the legacy stream.
fn check_stream(stream: CUstream) -> CallResult {
    let LockedStream { context, key } = stream_handle::resolve_here(stream)?;
    let mut state = context.lock()?;
    if key == LEGACY {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    if state.is_captured(key)? { Err(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED) } else { Ok(()) }
}

/// Returns which of `groups` each of `count` operations belongs to: `first` has the first operation of each group.
///
/// # Safety
/// `first` is null or has an entry for each group.
unsafe fn groups_of(first: *const usize, groups: usize, count: usize) -> CallResult<Vec<usize>> {
    // SAFETY: as above.
    let first = unsafe { given(first, groups)? };
    let is_ordered = first[0] == 0 && first.is_sorted_by(|one, next| one < next) && first.iter().all(|at| *at < count);
    if !is_ordered {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    Ok((0..count).map(|at| first.partition_point(|first| *first <= at) - 1).collect())
}

/// `CU_MEMCPY_SRC_ACCESS_ORDER_STREAM`, `_DURING_API_CALL` and `_ANY`: when the source may be read. At any time is here
/// in the order of the stream.
const IN_STREAM_ORDER: c_uint = 1;
const DURING_CALL: c_uint = 2;
const ANY: c_uint = 3;

fn check_attributes(attributes: &CUmemcpyAttributes) -> CallResult {
    let is_known = matches!(attributes.srcAccessOrder, IN_STREAM_ORDER | DURING_CALL | ANY);
    if is_known { Ok(()) } else { Err(CUDA_ERROR_INVALID_VALUE) }
}

/// Queues a copy whose source is read as its attributes say.
///
/// # Safety
/// Memory of the host must stay until it was read or written.
unsafe fn copy(
    to: CUdeviceptr,
    from: CUdeviceptr,
    bytes: usize,
    attributes: &CUmemcpyAttributes,
    stream: CUstream,
) -> CallResult {
    let LockedStream { context, .. } = stream_handle::resolve_here(stream)?;
    let is_on_host = |address| {
        let place = context.lock()?.allocation(address).map(|found| found.place);
        CallResult::Ok(matches!(place, Some(HostMemory::PageLocked | HostMemory::Registered)))
    };
    let is_read_now = attributes.srcAccessOrder == DURING_CALL && is_on_host(from)? && !is_on_host(to)?;
    // SAFETY: by the caller.
    unsafe {
        match is_read_now {
            true => copy::staged_async(to, from as *const c_void, bytes, stream),
            false => copy::any_async(to, from, bytes, stream),
        }
    }
}

#[expect(clippy::too_many_arguments, reason = "the API has them")]
pub(crate) unsafe fn copies(
    to: *mut CUdeviceptr,
    from: *mut CUdeviceptr,
    sizes: *mut usize,
    count: usize,
    attributes: *mut CUmemcpyAttributes,
    first: *mut usize,
    groups: usize,
    stream: CUstream,
) -> CallResult {
    // SAFETY: lists of the caller's.
    unsafe {
        let (to, from, sizes) = (given(to, count)?, given(from, count)?, given(sizes, count)?);
        let attributes = given(attributes, groups)?;
        attributes.iter().try_for_each(check_attributes)?;
        let groups = groups_of(first, groups, count)?;
        let is_empty = |at: usize| to[at] == 0 || from[at] == 0 || sizes[at] == 0;
        if (0..count).any(is_empty) {
            return Err(CUDA_ERROR_INVALID_VALUE);
        }
        check_stream(stream)?;
        (0..count).try_for_each(|at| copy(to[at], from[at], sizes[at], &attributes[groups[at]], stream))
    }
}

/// Copies by the batch. The form of CUDA 12.8 tells which copy failed, or `SIZE_MAX` if it was none by itself.
#[expect(clippy::too_many_arguments, reason = "the API has them")]
pub(crate) unsafe fn copies_until(
    to: *mut CUdeviceptr,
    from: *mut CUdeviceptr,
    sizes: *mut usize,
    count: usize,
    attributes: *mut CUmemcpyAttributes,
    first: *mut usize,
    groups: usize,
    failed: *mut usize,
    stream: CUstream,
) -> CallResult {
    // SAFETY: pointers of the caller.
    unsafe {
        if !failed.is_null() {
            failed.write_unaligned(usize::MAX);
        }
        copies(to, from, sizes, count, attributes, first, groups, stream)
    }
}

pub(crate) unsafe fn copy_with_attributes(
    to: CUdeviceptr,
    from: CUdeviceptr,
    bytes: usize,
    attributes: *mut CUmemcpyAttributes,
    stream: CUstream,
) -> CallResult {
    // SAFETY: a pointer of the caller.
    unsafe {
        let attributes = given(attributes, 1)?[0];
        check_attributes(&attributes)?;
        copy(to, from, bytes, &attributes, stream)
    }
}

#[expect(clippy::too_many_arguments, reason = "the API has them")]
pub(crate) unsafe fn prefetches(
    addresses: *mut CUdeviceptr,
    sizes: *mut usize,
    count: usize,
    locations: *mut CUmemLocation,
    first: *mut usize,
    groups: usize,
    flags: c_ulonglong,
    stream: CUstream,
) -> CallResult {
    // SAFETY: lists of the caller's.
    unsafe {
        let (addresses, sizes) = (given(addresses, count)?, given(sizes, count)?);
        let (locations, groups) = (given(locations, groups)?, groups_of(first, groups, count)?);
        check_batch(flags, stream)?;
        (0..count).try_for_each(|at| memory::prefetch_to(addresses[at], sizes[at], locations[groups[at]], 0, stream))
    }
}

fn check_batch(flags: c_ulonglong, stream: CUstream) -> CallResult {
    if flags == 0 { check_stream(stream) } else { Err(CUDA_ERROR_INVALID_VALUE) }
}

/// Checks a discard. The contents stay: a program that reads them without writing them first sees old values.
pub(crate) unsafe fn discards(
    addresses: *mut CUdeviceptr,
    sizes: *mut usize,
    count: usize,
    flags: c_ulonglong,
    stream: CUstream,
) -> CallResult {
    // SAFETY: lists of the caller's.
    let (addresses, sizes) = unsafe { (given(addresses, count)?, given(sizes, count)?) };
    check_batch(flags, stream)?;
    addresses.into_iter().zip(sizes).try_for_each(|(address, bytes)| memory::check_managed(address, bytes))
}
