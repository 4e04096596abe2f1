//! Virtual memory management (CUDA Driver API, "Virtual Memory Management").
//!
//! One handle is mapped at one place at a time, and whole. Memory is readable and writable, or not accessible.

use super::{device, ipc};
use crate::emulated::base::outcome::{CallResult, code, out};
use crate::emulated::base::process::may_call;
use crate::emulated::context::Context;
use crate::emulated::context::current::current_or_early;
use crate::emulated::context::handle;
use crate::emulated::context::virtual_memory::{GRANULARITY, Mapping, Physical, left_behind};
use crate::types::*;
use cust_raw::CUresult::*;
use cust_raw::{
    CUdeviceptr, CUmemAccessDesc, CUmemAllocationGranularity_flags, CUmemAllocationProp, CUmemGenericAllocationHandle,
};
use std::ffi::{c_int, c_uint, c_ulonglong, c_void};
use std::sync::{Arc, Once};

const ACCESS_NONE: u32 = 0;
const ACCESS_READ: u32 = 1;
const ACCESS_READWRITE: u32 = 3;

/// Sizes and addresses that are no multiples are refused.
fn check_multiples(values: &[u64]) -> CallResult {
    let is_multiple = values.iter().all(|value| value % GRANULARITY == 0);
    if is_multiple { Ok(()) } else { Err(CUDA_ERROR_INVALID_VALUE) }
}

/// `CU_MEM_ALLOCATION_COMP_GENERIC`
const COMPRESSED: u8 = 1;

/// Checks that memory on the device is asked for, and returns the kinds of handle that it shall have, and whether it
/// shall be compressed. The errors are those of an H200.
///
/// # Safety
/// `properties` is null or the caller's.
unsafe fn check_properties(properties: *const CUmemAllocationProp) -> CallResult<(c_uint, bool)> {
    may_call()?;
    if properties.is_null() {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    // SAFETY: the caller's struct, with a number for each enum.
    let wanted = unsafe { properties.cast::<CUmemAllocationPropValues>().read_unaligned() };
    if wanted.kind != CU_MEM_ALLOCATION_TYPE_PINNED || wanted.location.kind != CU_MEM_LOCATION_TYPE_DEVICE {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    device::check(wanted.location.id)?;
    match wanted.requestedHandleTypes {
        kinds @ (0 | CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR) => Ok((kinds, wanted.allocFlags[0] == COMPRESSED)),
        // It needs a service of the machine (IMEX).
        CU_MEM_HANDLE_TYPE_FABRIC => Err(CUDA_ERROR_NOT_PERMITTED),
        _ => Err(CUDA_ERROR_INVALID_VALUE),
    }
}

pub(crate) unsafe fn granularity(
    place: *mut usize,
    properties: *const CUmemAllocationProp,
    _option: CUmemAllocationGranularity_flags,
) -> CallResult {
    // SAFETY: pointers of the caller.
    let place = unsafe { out(place)? };
    // SAFETY: as above.
    unsafe { check_properties(properties)? };
    place.set(GRANULARITY as usize);
    Ok(())
}

/// A wish for an address is not met.
pub(crate) unsafe fn reserve(
    place: *mut CUdeviceptr,
    bytes: usize,
    alignment: usize,
    _wish: CUdeviceptr,
    flags: c_ulonglong,
) -> CallResult {
    // SAFETY: an out-pointer of the caller.
    let place = unsafe { out(place)? };
    check_multiples(&[bytes as u64])?;
    if bytes == 0 || flags != 0 || !(alignment == 0 || alignment.is_power_of_two()) {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    let context = current_or_early()?;
    let mut state = context.lock()?;
    let address = state.device.reserve(bytes as u64, GRANULARITY.max(alignment as u64)).map_err(code)?;
    state.virtual_memory.reserved.insert(address, bytes as u64);
    place.set(address);
    Ok(())
}

/// Nothing may be mapped there.
pub(crate) unsafe fn free_reserved(address: CUdeviceptr, bytes: usize) -> CallResult {
    match free_in(current_or_early(), address, bytes) {
        Err(_) if left_behind().free(address, bytes as u64) => Ok(()),
        result => result,
    }
}

fn free_in(context: CallResult<Arc<Context>>, address: CUdeviceptr, bytes: usize) -> CallResult {
    let context = context?;
    let mut state = context.lock()?;
    let memory = &mut state.virtual_memory;
    if memory.reserved.get(&address) != Some(&(bytes as u64)) || memory.overlaps(address, bytes as u64) {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    memory.reserved.remove(&address);
    state.device.end_reservation(address, bytes as u64);
    Ok(())
}

pub(crate) unsafe fn create(
    place: *mut CUmemGenericAllocationHandle,
    bytes: usize,
    properties: *const CUmemAllocationProp,
    flags: c_ulonglong,
) -> CallResult {
    // SAFETY: pointers of the caller.
    let place = unsafe { out(place)? };
    // SAFETY: as above.
    let (handle_kinds, is_compressed) = unsafe { check_properties(properties)? };
    check_multiples(&[bytes as u64])?;
    if bytes == 0 || flags != 0 {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    let context = current_or_early()?;
    let mut state = context.lock()?;
    if bytes as u64 > state.free_memory() {
        return Err(CUDA_ERROR_OUT_OF_MEMORY);
    }
    let handle = handle::fresh();
    let mut memory = Physical::new(bytes as u64, handle_kinds)?;
    memory.is_compressed = is_compressed;
    state.virtual_memory.physical.insert(handle, memory);
    place.set(handle);
    Ok(())
}

/// Drops a reference to physical memory. Its mappings stay.
pub(crate) unsafe fn release(handle: CUmemGenericAllocationHandle) -> CallResult {
    may_call()?;
    if left_behind().release(handle) {
        return Ok(());
    }
    let context = current_or_early()?;
    let mut state = context.lock()?;
    let memory = state.virtual_memory.physical.get_mut(&handle).ok_or(CUDA_ERROR_INVALID_VALUE)?;
    memory.references = memory.references.checked_sub(1).ok_or(CUDA_ERROR_INVALID_VALUE)?;
    state.virtual_memory.sweep();
    Ok(())
}

/// A second mapping of the same memory is not implemented. That is said once.
fn refuse_second() -> CallResult {
    static SAID: Once = Once::new();
    SAID.call_once(|| words::complain(&say!("unsupported-second-mapping")));
    Err(CUDA_ERROR_NOT_SUPPORTED)
}

/// The memory is not accessible yet.
pub(crate) unsafe fn map(
    address: CUdeviceptr,
    bytes: usize,
    offset: usize,
    handle: CUmemGenericAllocationHandle,
    flags: c_ulonglong,
) -> CallResult {
    let bytes = bytes as u64;
    check_multiples(&[address, bytes])?;
    let context = current_or_early()?;
    let mut state = context.lock()?;
    let memory = &mut state.virtual_memory;
    let of = memory.physical.get(&handle).ok_or(CUDA_ERROR_INVALID_VALUE)?;
    // Only all of it can be mapped, on an H200 too.
    if offset != 0 || bytes != of.bytes {
        return Err(CUDA_ERROR_NOT_SUPPORTED);
    }
    let is_valid = flags == 0 && of.references > 0;
    if !is_valid || !memory.is_reserved(address, bytes) || memory.overlaps(address, bytes) {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    if memory.mapped.values().any(|mapping| mapping.handle == handle) {
        return refuse_second();
    }
    memory.mapped.insert(address, Mapping { handle, bytes, is_accessible: false });
    Ok(())
}

/// Whole mappings only. Waits for all work first.
pub(crate) unsafe fn unmap(address: CUdeviceptr, bytes: usize) -> CallResult {
    match unmap_in(current_or_early(), address, bytes) {
        Err(_) if left_behind().has(address, bytes as u64) => Ok(()),
        result => result,
    }
}

fn unmap_in(context: CallResult<Arc<Context>>, address: CUdeviceptr, bytes: usize) -> CallResult {
    let context = context?;
    let mut state = context.drain(context.lock()?)?;
    let gone = state.virtual_memory.exactly(address, bytes as u64)?;
    state.remap(|memory| memory.mapped.retain(|address, _| !gone.contains(address)))
}

/// Read-only memory is not implemented. That is said once.
fn refuse_read_only() -> CallResult<bool> {
    static SAID: Once = Once::new();
    SAID.call_once(|| words::complain(&say!("unsupported-read-only-mapping")));
    Err(CUDA_ERROR_NOT_SUPPORTED)
}

/// Waits for all work first.
pub(crate) unsafe fn set_access(
    address: CUdeviceptr,
    bytes: usize,
    list: *const CUmemAccessDesc,
    count: usize,
) -> CallResult {
    // There is one device.
    if list.is_null() || count != 1 {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    // SAFETY: the caller's struct, with a number for each enum.
    let wanted = unsafe { list.cast::<CUmemAccessDescValues>().read_unaligned() };
    if wanted.location.kind != CU_MEM_LOCATION_TYPE_DEVICE {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    device::check(wanted.location.id)?;
    let is_accessible = match wanted.flags {
        ACCESS_NONE => false,
        ACCESS_READWRITE => true,
        ACCESS_READ => refuse_read_only()?,
        _ => return Err(CUDA_ERROR_INVALID_VALUE),
    };
    let context = current_or_early()?;
    let mut state = context.drain(context.lock()?)?;
    let changed = state.virtual_memory.exactly(address, bytes as u64)?;
    state.remap(|memory| {
        let inside = memory.mapped.iter_mut().filter(|(address, _)| changed.contains(address));
        inside.for_each(|(_, mapping)| mapping.is_accessible = is_accessible);
    })
}

pub(crate) unsafe fn access(
    flags: *mut c_ulonglong,
    location: *const cust_raw::CUmemLocation,
    address: CUdeviceptr,
) -> CallResult {
    // SAFETY: an out-pointer of the caller.
    let flags = unsafe { out(flags)? };
    if location.is_null() {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    // SAFETY: a location of the caller's, laid out as ours.
    let location = unsafe { location.cast::<CUmemLocation>().read_unaligned() };
    device::check(location.id)?;
    let context = current_or_early()?;
    let (_, mapping) = context.lock()?.virtual_memory.around(address).ok_or(CUDA_ERROR_INVALID_VALUE)?;
    flags.set(if mapping.is_accessible { ACCESS_READWRITE } else { ACCESS_NONE }.into());
    Ok(())
}

pub(crate) unsafe fn retain(place: *mut CUmemGenericAllocationHandle, address: *mut c_void) -> CallResult {
    // SAFETY: an out-pointer of the caller.
    let place = unsafe { out(place)? };
    let context = current_or_early()?;
    let mut state = context.lock()?;
    let (_, mapping) = state.virtual_memory.around(address as u64).ok_or(CUDA_ERROR_INVALID_VALUE)?;
    let memory = state.virtual_memory.physical.get_mut(&mapping.handle).ok_or(CUDA_ERROR_INVALID_VALUE)?;
    memory.references += 1;
    place.set(mapping.handle);
    Ok(())
}

pub(crate) unsafe fn properties(place: *mut CUmemAllocationProp, handle: CUmemGenericAllocationHandle) -> CallResult {
    // SAFETY: an out-pointer of the caller.
    let place = unsafe { out(place.cast::<CUmemAllocationPropValues>())? };
    let context = current_or_early()?;
    let state = context.lock()?;
    let memory = state.virtual_memory.physical.get(&handle).ok_or(CUDA_ERROR_INVALID_VALUE)?;
    let mut found = CUmemAllocationPropValues::on_device();
    found.requestedHandleTypes = memory.handle_kinds;
    found.allocFlags[0] = if memory.is_compressed { COMPRESSED } else { 0 };
    place.set(found);
    Ok(())
}

/// Returns a file descriptor of memory that was made for that, which the caller closes.
pub(crate) unsafe fn export(
    descriptor: *mut c_void,
    handle: CUmemGenericAllocationHandle,
    kind: c_uint,
    flags: c_ulonglong,
) -> CallResult {
    // SAFETY: an out-pointer of the caller, for an `int`.
    let descriptor = unsafe { out(descriptor.cast::<c_int>())? };
    let context = current_or_early()?;
    let mut state = context.drain(context.lock()?)?;
    let memory = state.virtual_memory.physical.get_mut(&handle).ok_or(CUDA_ERROR_INVALID_VALUE)?;
    if kind != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR || flags != 0 {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    let (file, is_first) = memory.export()?;
    descriptor.set(file);
    let is_accessible = |mapping: &Mapping| mapping.handle == handle && mapping.is_accessible;
    let mapped = state.virtual_memory.mapped.iter().find(|(_, mapping)| is_accessible(mapping));
    match mapped.map(|(address, mapping)| (*address, mapping.bytes)) {
        Some((address, bytes)) if is_first => ipc::count_as_written(&context, state, address, bytes).map(drop),
        _ => Ok(()),
    }
}

/// Returns a new handle of the memory behind a file descriptor, which stays open.
pub(crate) unsafe fn import(
    place: *mut CUmemGenericAllocationHandle,
    descriptor: *mut c_void,
    kind: c_uint,
) -> CallResult {
    // SAFETY: an out-pointer of the caller.
    let place = unsafe { out(place)? };
    let context = current_or_early()?;
    let mut state = context.lock()?;
    if kind != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    let memory = Physical::import(descriptor as c_int)?;
    check_multiples(&[memory.bytes]).map_err(|_| CUDA_ERROR_UNKNOWN)?;
    let handle = handle::fresh();
    state.virtual_memory.physical.insert(handle, memory);
    place.set(handle);
    Ok(())
}
