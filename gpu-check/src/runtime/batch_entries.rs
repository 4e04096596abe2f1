//! The C functions of the runtime for batches of memory operations, for questions about managed memory, for the log of
//! errors, and for attributes of graph nodes, one line each, as in [`super::entries`]. Parameters look as the driver's
//! do.

use super::call::*;
use super::graph::with_context;
use crate::cu::{Address, Code, Handle, Location};
use crate::registry::is_of_cuda_12;
use driver::Entry;
use driver::types::{CUlogsCallback, CUmemcpyAttributes};
use std::ffi::{c_uint, c_ulonglong, c_void};

unsafe extern "C" {
    fn cuMemcpyBatchAsync_v2(
        to: *const Address,
        from: *const Address,
        sizes: *const usize,
        count: usize,
        attributes: *mut CUmemcpyAttributes,
        first: *const usize,
        groups: usize,
        stream: Handle,
    ) -> Code;
    fn cuMemcpyWithAttributesAsync(
        to: Address,
        from: Address,
        bytes: usize,
        attributes: *mut CUmemcpyAttributes,
        stream: Handle,
    ) -> Code;
    fn cuMemPrefetchBatchAsync(
        addresses: *const Address,
        sizes: *const usize,
        count: usize,
        places: *const Location,
        first: *const usize,
        groups: usize,
        flags: c_ulonglong,
        stream: Handle,
    ) -> Code;
    fn cuMemDiscardBatchAsync(
        addresses: *const Address,
        sizes: *const usize,
        count: usize,
        flags: c_ulonglong,
        stream: Handle,
    ) -> Code;
    fn cuMemRangeGetAttribute(
        data: *mut c_void,
        data_bytes: usize,
        attribute: c_uint,
        address: Address,
        bytes: usize,
    ) -> Code;
    fn cuMemRangeGetAttributes(
        data: *mut *mut c_void,
        sizes: *const usize,
        attributes: *const c_uint,
        count: usize,
        address: Address,
        bytes: usize,
    ) -> Code;
    fn cuLogsRegisterCallback(callback: CUlogsCallback, data: *mut c_void, handle: *mut u64) -> Code;
    fn cuLogsUnregisterCallback(handle: u64) -> Code;
    fn cuLogsCurrent(place: *mut c_uint, flags: c_uint) -> Code;
    fn cuGraphKernelNodeCopyAttributes(to: Handle, from: Handle) -> Code;
    fn cuGraphKernelNodeGetAttribute(node: Handle, attribute: c_uint, value: *mut c_void) -> Code;
    fn cuGraphKernelNodeSetAttribute(node: Handle, attribute: c_uint, value: *const c_void) -> Code;
    fn cuGraphNodeGetEnabled(executable: Handle, node: Handle, is_enabled: *mut c_uint) -> Code;
    fn cuGraphNodeSetEnabled(executable: Handle, node: Handle, is_enabled: c_uint) -> Code;
}

/// The lists of a batch of copies.
struct CopyBatch {
    to: *const Address,
    from: *const Address,
    sizes: *const usize,
    count: usize,
    attributes: *mut CUmemcpyAttributes,
    first: *const usize,
    groups: usize,
}

/// Copies by the batch. `last` is the stream, or in programs of CUDA 12 an out-pointer for the copy that failed, before
/// the stream.
unsafe fn copies(batch: CopyBatch, last: *mut c_void, stream: Handle) -> RuntimeResult {
    let CopyBatch { to, from, sizes, count, attributes, first, groups } = batch;
    let is_of_cuda_12 = is_of_cuda_12();
    if is_of_cuda_12 && !last.is_null() {
        // SAFETY: an out-pointer of the caller. No copy fails by itself.
        unsafe { last.cast::<usize>().write_unaligned(usize::MAX) };
    }
    let stream = if is_of_cuda_12 { stream } else { last as Handle };
    with_context(|| {
        // SAFETY: lists of the caller's.
        unsafe { cuMemcpyBatchAsync_v2(to, from, sizes, count, attributes, first, groups, stream) }
    })
}

entries! {
    cudaMemcpyBatchAsync(
        to: *const Address, from: *const Address, sizes: *const usize, count: usize,
        attributes: *mut CUmemcpyAttributes, first: *const usize, groups: usize, last: *mut c_void, stream: Handle,
    ) =>
        copies(CopyBatch { to, from, sizes, count, attributes, first, groups }, last, stream);
    cudaMemcpyWithAttributesAsync(
        to: *mut c_void, from: *const c_void, bytes: usize, attributes: *mut CUmemcpyAttributes, stream: Handle,
    ) =>
        with_context(|| cuMemcpyWithAttributesAsync(to as Address, from as Address, bytes, attributes, stream));
    cudaMemPrefetchBatchAsync(
        pointers: *const Address, sizes: *const usize, count: usize, places: *const Location, first: *const usize,
        groups: usize, flags: c_ulonglong, stream: Handle,
    ) =>
        with_context(|| cuMemPrefetchBatchAsync(pointers, sizes, count, places, first, groups, flags, stream));
    cudaMemDiscardBatchAsync(
        pointers: *const Address, sizes: *const usize, count: usize, flags: c_ulonglong, stream: Handle,
    ) =>
        with_context(|| cuMemDiscardBatchAsync(pointers, sizes, count, flags, stream));
    cudaMemDiscardAndPrefetchBatchAsync(
        pointers: *const Address, sizes: *const usize, count: usize, places: *const Location, first: *const usize,
        groups: usize, flags: c_ulonglong, stream: Handle,
    ) =>
        with_context(|| cuMemPrefetchBatchAsync(pointers, sizes, count, places, first, groups, flags, stream));

    cudaMemRangeGetAttribute(
        data: *mut c_void, data_bytes: usize, attribute: c_uint, pointer: *const c_void, bytes: usize,
    ) =>
        with_context(|| cuMemRangeGetAttribute(data, data_bytes, attribute, pointer as Address, bytes));
    cudaMemRangeGetAttributes(
        data: *mut *mut c_void, sizes: *const usize, attributes: *const c_uint, count: usize, pointer: *const c_void,
        bytes: usize,
    ) =>
        with_context(|| cuMemRangeGetAttributes(data, sizes, attributes, count, pointer as Address, bytes));

    cudaLogsRegisterCallback(callback: CUlogsCallback, data: *mut c_void, handle: *mut u64) =>
        with_context(|| cuLogsRegisterCallback(callback, data, handle));
    cudaLogsUnregisterCallback(handle: u64) => with_context(|| cuLogsUnregisterCallback(handle));
    cudaLogsCurrent(place: *mut c_uint, flags: c_uint) => with_context(|| cuLogsCurrent(place, flags));

    cudaGraphKernelNodeCopyAttributes(to: Handle, from: Handle) =>
        with_context(|| cuGraphKernelNodeCopyAttributes(to, from));
    cudaGraphKernelNodeGetAttribute(node: Handle, attribute: c_uint, value: *mut c_void) =>
        with_context(|| cuGraphKernelNodeGetAttribute(node, attribute, value));
    cudaGraphKernelNodeSetAttribute(node: Handle, attribute: c_uint, value: *const c_void) =>
        with_context(|| cuGraphKernelNodeSetAttribute(node, attribute, value));
    cudaGraphNodeGetEnabled(executable: Handle, node: Handle, is_enabled: *mut c_uint) =>
        with_context(|| cuGraphNodeGetEnabled(executable, node, is_enabled));
    cudaGraphNodeSetEnabled(executable: Handle, node: Handle, is_enabled: c_uint) =>
        with_context(|| cuGraphNodeSetEnabled(executable, node, is_enabled));
}
