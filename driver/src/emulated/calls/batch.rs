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
use std::ffi::c_ulonglong;

/// The most operations of a batch: a number that is none must not be followed through memory.
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

fn check_attributes(attributes: &CUmemcpyAttributes) -> CallResult {
    // When the source may be read: in the order of the stream, during the call, or at any time. Page-locked memory is
    // read when the stream gets there, and pageable memory during the call.
    if (1..=3).contains(&attributes.srcAccessOrder) { Ok(()) } else { Err(CUDA_ERROR_INVALID_VALUE) }
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
        given(attributes, groups)?.iter().try_for_each(check_attributes)?;
        groups_of(first, groups, count)?;
        let is_empty = |at: usize| to[at] == 0 || from[at] == 0 || sizes[at] == 0;
        if (0..count).any(is_empty) {
            return Err(CUDA_ERROR_INVALID_VALUE);
        }
        check_stream(stream)?;
        (0..count).try_for_each(|at| copy::any_async(to[at], from[at], sizes[at], stream))
    }
}

/// The form of CUDA 12.8, with an out-pointer for the operation that failed, or a number that is none.
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
        check_attributes(&given(attributes, 1)?[0])?;
        copy::any_async(to, from, bytes, stream)
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

/// The contents may go, and stay here: a program that reads them without writing them first sees old values.
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
