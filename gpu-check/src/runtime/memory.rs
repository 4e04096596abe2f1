//! Allocation ("Memory Management", "Unified Addressing").

use super::call::{Error, RuntimeResult, check, context, give};
use crate::cu::{self, Address, Handle, Location};
use crate::registry;
use cust_raw::CUipcMemHandle;
use std::ffi::{c_int, c_uint, c_void};
use std::ptr::null_mut;

/// `cudaExtent`: in bytes, rows and slices.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Extent {
    pub width: usize,
    pub height: usize,
    pub depth: usize,
}

/// `cudaPitchedPtr`
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Pitched {
    pub pointer: *mut c_void,
    pub pitch: usize,
    pub width: usize,
    pub height: usize,
}

pub unsafe fn ipc_handle(handle: *mut CUipcMemHandle, pointer: *mut c_void) -> RuntimeResult {
    context()?;
    // SAFETY: an out-pointer of the caller.
    check(unsafe { cu::cuIpcGetMemHandle(handle, pointer as Address) })
}

pub unsafe fn open_ipc(pointer: *mut *mut c_void, handle: CUipcMemHandle, flags: c_uint) -> RuntimeResult {
    context()?;
    // SAFETY: an out-pointer of the caller: device pointers are as wide.
    check(unsafe { cu::cuIpcOpenMemHandle_v2(pointer.cast(), handle, flags) })
}

pub unsafe fn close_ipc(pointer: *mut c_void) -> RuntimeResult {
    context()?;
    // SAFETY: an address, which is looked up.
    check(unsafe { cu::cuIpcCloseMemHandle(pointer as Address) })
}

/// Gives what `allocate` has found, or null for nothing.
unsafe fn allocated(
    pointer: *mut *mut c_void,
    bytes: usize,
    allocate: impl FnOnce(*mut Address) -> u32,
) -> RuntimeResult {
    context()?;
    if pointer.is_null() {
        return Err(Error::INVALID_VALUE);
    }
    let mut address = 0;
    if bytes > 0 {
        check(allocate(&mut address))?;
    }
    // SAFETY: an out-pointer of the caller.
    unsafe { give(pointer, address as *mut c_void) }
}

pub unsafe fn allocate(pointer: *mut *mut c_void, bytes: usize) -> RuntimeResult {
    // SAFETY: an out-pointer of the caller, and one to a local.
    unsafe { allocated(pointer, bytes, |address| cu::cuMemAlloc_v2(address, bytes)) }
}

pub unsafe fn allocate_managed(pointer: *mut *mut c_void, bytes: usize, flags: c_uint) -> RuntimeResult {
    if bytes == 0 {
        return Err(Error::INVALID_VALUE);
    }
    // SAFETY: as above.
    unsafe { allocated(pointer, bytes, |address| cu::cuMemAllocManaged(address, bytes, flags)) }
}

/// Rows of 16-byte elements: the pitch fits all smaller ones.
unsafe fn pitched(width: usize, height: usize) -> RuntimeResult<(*mut c_void, usize)> {
    context()?;
    let (mut address, mut pitch) = (0, 0);
    // SAFETY: out-pointers to locals.
    check(unsafe { cu::cuMemAllocPitch_v2(&mut address, &mut pitch, width, height, 16) })?;
    Ok((address as *mut c_void, pitch))
}

pub unsafe fn allocate_pitch(
    pointer: *mut *mut c_void,
    pitch: *mut usize,
    width: usize,
    height: usize,
) -> RuntimeResult {
    if pointer.is_null() || pitch.is_null() {
        return Err(Error::INVALID_VALUE);
    }
    // SAFETY: out-pointers of the caller.
    unsafe {
        let (found, row) = pitched(width, height)?;
        give(pointer, found)?;
        give(pitch, row)
    }
}

pub unsafe fn allocate_3d(pointer: *mut Pitched, extent: Extent) -> RuntimeResult {
    if pointer.is_null() {
        return Err(Error::INVALID_VALUE);
    }
    let rows = extent.height.checked_mul(extent.depth).ok_or(Error(2))?;
    // SAFETY: an out-pointer of the caller.
    unsafe {
        let (found, pitch) = pitched(extent.width, rows)?;
        give(pointer, Pitched { pointer: found, pitch, width: extent.width, height: extent.height })
    }
}

pub unsafe fn free(pointer: *mut c_void) -> RuntimeResult {
    context()?;
    // SAFETY: an address, which is looked up.
    check(unsafe { cu::cuMemFree_v2(pointer as Address) })
}

pub unsafe fn allocate_host(pointer: *mut *mut c_void, bytes: usize, flags: c_uint) -> RuntimeResult {
    context()?;
    if pointer.is_null() {
        return Err(Error::INVALID_VALUE);
    }
    if bytes == 0 {
        // SAFETY: an out-pointer of the caller.
        return unsafe { give(pointer, null_mut()) };
    }
    // SAFETY: an out-pointer of the caller.
    check(unsafe { cu::cuMemHostAlloc(pointer, bytes, flags) })
}

pub unsafe fn free_host(pointer: *mut c_void) -> RuntimeResult {
    context()?;
    if pointer.is_null() {
        return Ok(());
    }
    // SAFETY: an address, which is looked up.
    check(unsafe { cu::cuMemFreeHost(pointer) })
}

pub unsafe fn register(pointer: *mut c_void, bytes: usize, flags: c_uint) -> RuntimeResult {
    context()?;
    // SAFETY: memory of the caller's, which stays until it is unregistered.
    check(unsafe { cu::cuMemHostRegister_v2(pointer, bytes, flags) })
}

pub unsafe fn unregister(pointer: *mut c_void) -> RuntimeResult {
    context()?;
    // SAFETY: an address, which is looked up.
    check(unsafe { cu::cuMemHostUnregister(pointer) })
}

pub unsafe fn device_pointer(device: *mut *mut c_void, host: *mut c_void, flags: c_uint) -> RuntimeResult {
    context()?;
    let mut address = 0;
    // SAFETY: an out-pointer to a local; the host's address is looked up.
    check(unsafe { cu::cuMemHostGetDevicePointer_v2(&mut address, host, flags) })?;
    // SAFETY: an out-pointer of the caller.
    unsafe { give(device, address as *mut c_void) }
}

pub unsafe fn host_flags(flags: *mut c_uint, host: *mut c_void) -> RuntimeResult {
    context()?;
    // SAFETY: an out-pointer of the caller; the host's address is looked up.
    check(unsafe { cu::cuMemHostGetFlags(flags, host) })
}

pub unsafe fn info(free: *mut usize, total: *mut usize) -> RuntimeResult {
    context()?;
    // SAFETY: out-pointers of the caller.
    check(unsafe { cu::cuMemGetInfo_v2(free, total) })
}

/// Advice about managed memory, which changes nothing here.
pub unsafe fn advise(
    pointer: *const c_void,
    bytes: usize,
    advice: c_int,
    place: Location,
    is_v2: bool,
) -> RuntimeResult {
    context()?;
    // SAFETY: an address, which is looked up.
    check(unsafe {
        if is_v2 || !registry::is_of_cuda_12() {
            cu::cuMemAdvise_v2(pointer as Address, bytes, advice as c_uint, place)
        } else {
            cu::cuMemAdvise(pointer as Address, bytes, advice as c_uint, place.kind)
        }
    })
}

/// Has managed memory moved, which changes nothing here. `last` is the flags, or in programs of CUDA 12 the stream.
pub unsafe fn prefetch(
    pointer: *const c_void,
    bytes: usize,
    place: Location,
    last: usize,
    stream: Handle,
    is_v2: bool,
) -> RuntimeResult {
    context()?;
    // SAFETY: an address, which is looked up, and the program's stream.
    check(unsafe {
        if is_v2 || !registry::is_of_cuda_12() {
            cu::cuMemPrefetchAsync_v2(pointer as Address, bytes, place, last as c_uint, stream)
        } else {
            cu::cuMemPrefetchAsync(pointer as Address, bytes, place.kind, last as Handle)
        }
    })
}

/// `cudaPointerAttributes`, as long as CUDA 12 has it; 13 adds room for later use.
#[repr(C)]
pub struct Attributes {
    kind: c_int,
    device: c_int,
    device_pointer: *mut c_void,
    host_pointer: *mut c_void,
}

/// Memory that CUDA does not know is no error: its kind says so.
pub unsafe fn attributes(attributes: *mut Attributes, pointer: *const c_void) -> RuntimeResult {
    context()?;
    let address = pointer as Address;
    let number = |attribute| {
        let mut value: c_int = 0;
        // SAFETY: an out-pointer to a local as wide as these attributes are.
        match unsafe { cu::cuPointerGetAttribute((&raw mut value).cast(), attribute, address) } {
            0 => Ok(Some(value)),
            // CUDA_ERROR_INVALID_VALUE: it does not know the address.
            1 => Ok(None),
            code => Err(Error(code)),
        }
    };
    // CU_POINTER_ATTRIBUTE_MEMORY_TYPE, of which 1 is the host, and CU_POINTER_ATTRIBUTE_IS_MANAGED.
    let (kind, on_host) = match (number(2)?, number(8)?) {
        (None, _) => (0, true),
        (Some(_), Some(1)) => (3, true),
        (Some(1), _) => (1, true),
        (Some(_), _) => (2, false),
    };
    let here = |is_there| if is_there { pointer.cast_mut() } else { null_mut() };
    let found = Attributes {
        kind,
        device: if kind == 0 { -2 } else { 0 },
        device_pointer: here(kind != 0),
        host_pointer: here(on_host),
    };
    // SAFETY: an out-pointer of the caller.
    unsafe { give(attributes, found) }
}
