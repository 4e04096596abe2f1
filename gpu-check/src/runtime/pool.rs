//! Memory in the order of streams, and pools of it ("Stream Ordered Memory Allocator").

use super::call::{Error, RuntimeResult, check, context, give};
use super::device::check_device;
use crate::cu::{self, Address, Handle};
use std::ffi::{c_int, c_uint, c_void};

pub unsafe fn allocate(pointer: *mut *mut c_void, bytes: usize, stream: Handle) -> RuntimeResult {
    context()?;
    if pointer.is_null() {
        return Err(Error::INVALID_VALUE);
    }
    let mut address = 0;
    // SAFETY: an out-pointer to a local, and one of the caller.
    unsafe {
        check(cu::cuMemAllocAsync(&mut address, bytes, stream))?;
        give(pointer, address as *mut c_void)
    }
}

pub unsafe fn allocate_from(pointer: *mut *mut c_void, bytes: usize, pool: Handle, stream: Handle) -> RuntimeResult {
    context()?;
    if pointer.is_null() {
        return Err(Error::INVALID_VALUE);
    }
    let mut address = 0;
    // SAFETY: an out-pointer to a local, and one of the caller.
    unsafe {
        check(cu::cuMemAllocFromPoolAsync(&mut address, bytes, pool, stream))?;
        give(pointer, address as *mut c_void)
    }
}

pub unsafe fn free(pointer: *mut c_void, stream: Handle) -> RuntimeResult {
    context()?;
    // SAFETY: an address and a handle, which are looked up.
    check(unsafe { cu::cuMemFreeAsync(pointer as Address, stream) })
}

pub unsafe fn default_pool(pool: *mut Handle, device: c_int) -> RuntimeResult {
    context()?;
    check_device(device)?;
    // SAFETY: an out-pointer of the caller.
    check(unsafe { cu::cuDeviceGetDefaultMemPool(pool, device) })
}

pub unsafe fn device_pool(pool: *mut Handle, device: c_int) -> RuntimeResult {
    context()?;
    check_device(device)?;
    // SAFETY: an out-pointer of the caller.
    check(unsafe { cu::cuDeviceGetMemPool(pool, device) })
}

pub unsafe fn set_device_pool(device: c_int, pool: Handle) -> RuntimeResult {
    context()?;
    check_device(device)?;
    // SAFETY: a handle, which is looked up.
    check(unsafe { cu::cuDeviceSetMemPool(device, pool) })
}

/// Locations and kinds of allocations are as the driver's.
pub unsafe fn default_pool_at(pool: *mut Handle, location: *const c_void, kind: c_uint) -> RuntimeResult {
    context()?;
    // SAFETY: pointers of the caller.
    check(unsafe { cu::cuMemGetDefaultMemPool(pool, location, kind) })
}

pub unsafe fn pool_at(pool: *mut Handle, location: *const c_void, kind: c_uint) -> RuntimeResult {
    context()?;
    // SAFETY: pointers of the caller.
    check(unsafe { cu::cuMemGetMemPool(pool, location, kind) })
}

pub unsafe fn set_pool_at(location: *const c_void, kind: c_uint, pool: Handle) -> RuntimeResult {
    context()?;
    // SAFETY: a pointer of the caller, and a handle, which is looked up.
    check(unsafe { cu::cuMemSetMemPool(location, kind, pool) })
}

pub unsafe fn access(flags: *mut c_uint, pool: Handle, location: *const c_void) -> RuntimeResult {
    // SAFETY: pointers of the caller.
    check(unsafe { cu::cuMemPoolGetAccess(flags, pool, location) })
}

/// The properties are laid out as the driver's.
pub unsafe fn create(pool: *mut Handle, properties: *const c_void) -> RuntimeResult {
    context()?;
    // SAFETY: an out-pointer and properties of the caller.
    check(unsafe { cu::cuMemPoolCreate(pool, properties) })
}

pub unsafe fn destroy(pool: Handle) -> RuntimeResult {
    context()?;
    // SAFETY: a handle, which is looked up.
    check(unsafe { cu::cuMemPoolDestroy(pool) })
}

pub unsafe fn trim(pool: Handle, keep: usize) -> RuntimeResult {
    context()?;
    // SAFETY: a handle, which is looked up.
    check(unsafe { cu::cuMemPoolTrimTo(pool, keep) })
}

/// The attributes have the driver's numbers.
pub unsafe fn set_attribute(pool: Handle, attribute: c_int, value: *mut c_void) -> RuntimeResult {
    context()?;
    // SAFETY: a value of the caller's, as wide as the attribute.
    check(unsafe { cu::cuMemPoolSetAttribute(pool, attribute, value) })
}

pub unsafe fn attribute(pool: Handle, attribute: c_int, value: *mut c_void) -> RuntimeResult {
    context()?;
    // SAFETY: room of the caller's, as wide as the attribute.
    check(unsafe { cu::cuMemPoolGetAttribute(pool, attribute, value) })
}

/// The descriptions are laid out as the driver's.
pub unsafe fn set_access(pool: Handle, list: *const c_void, count: usize) -> RuntimeResult {
    context()?;
    // SAFETY: a handle, which is looked up, and a list of the caller's.
    check(unsafe { cu::cuMemPoolSetAccess(pool, list, count) })
}

/// The kinds of handle have the driver's numbers.
pub unsafe fn export(handle: *mut c_void, pool: Handle, kind: c_uint, flags: c_uint) -> RuntimeResult {
    context()?;
    // SAFETY: room of the caller's for a handle of this kind, and a pool, which is looked up.
    check(unsafe { cu::cuMemPoolExportToShareableHandle(handle, pool, kind, flags.into()) })
}

pub unsafe fn import(pool: *mut Handle, handle: *mut c_void, kind: c_uint, flags: c_uint) -> RuntimeResult {
    context()?;
    // SAFETY: an out-pointer and a handle of the caller.
    check(unsafe { cu::cuMemPoolImportFromShareableHandle(pool, handle, kind, flags.into()) })
}

/// The data is laid out as the driver's.
pub unsafe fn export_pointer(data: *mut c_void, pointer: *mut c_void) -> RuntimeResult {
    context()?;
    // SAFETY: an out-pointer of the caller.
    check(unsafe { cu::cuMemPoolExportPointer(data, pointer as Address) })
}

pub unsafe fn import_pointer(pointer: *mut *mut c_void, pool: Handle, data: *mut c_void) -> RuntimeResult {
    context()?;
    // SAFETY: an out-pointer and data of the caller.
    check(unsafe { cu::cuMemPoolImportPointer(pointer.cast(), pool, data) })
}
