//! The one device, and the state of the primary context ("Device Management").

use super::call::{Error, RuntimeResult, check, context, give, reset as reset_context};
use super::version::NEWEST;
use crate::cu;
use std::ffi::{c_char, c_int, c_uint, c_void};

/// There is one, number 0.
pub fn check_device(device: c_int) -> RuntimeResult {
    if device == 0 { Ok(()) } else { Err(Error::INVALID_DEVICE) }
}

/// A device can be asked for before anything else.
fn initialised() -> RuntimeResult {
    // SAFETY: no pointers.
    check(unsafe { cu::cuInit(0) })
}

pub unsafe fn count(count: *mut c_int) -> RuntimeResult {
    initialised()?;
    // SAFETY: an out-pointer of the caller.
    check(unsafe { cu::cuDeviceGetCount(count) })
}

pub unsafe fn get(device: *mut c_int) -> RuntimeResult {
    // SAFETY: an out-pointer of the caller.
    unsafe { give(device, 0) }
}

pub unsafe fn set(device: c_int) -> RuntimeResult {
    check_device(device)?;
    context().map(drop)
}

pub unsafe fn attribute(value: *mut c_int, attribute: c_int, device: c_int) -> RuntimeResult {
    initialised()?;
    check_device(device)?;
    // SAFETY: an out-pointer of the caller.
    check(unsafe { cu::cuDeviceGetAttribute(value, attribute, device) })
}

pub unsafe fn synchronize() -> RuntimeResult {
    context()?;
    // SAFETY: no pointers.
    check(unsafe { cu::cuCtxSynchronize() })
}

pub unsafe fn reset() -> RuntimeResult {
    reset_context()
}

pub unsafe fn limit(value: *mut usize, limit: c_int) -> RuntimeResult {
    context()?;
    // SAFETY: an out-pointer of the caller.
    check(unsafe { cu::cuCtxGetLimit(value, limit) })
}

pub unsafe fn set_limit(limit: c_int, value: usize) -> RuntimeResult {
    context()?;
    // SAFETY: no pointers.
    check(unsafe { cu::cuCtxSetLimit(limit, value) })
}

pub unsafe fn cache_config(config: *mut c_int) -> RuntimeResult {
    context()?;
    // SAFETY: an out-pointer of the caller.
    check(unsafe { cu::cuCtxGetCacheConfig(config) })
}

pub unsafe fn set_cache_config(config: c_int) -> RuntimeResult {
    context()?;
    // SAFETY: no pointers.
    check(unsafe { cu::cuCtxSetCacheConfig(config) })
}

pub unsafe fn shared_config(config: *mut c_int) -> RuntimeResult {
    context()?;
    // SAFETY: an out-pointer of the caller.
    check(unsafe { cu::cuCtxGetSharedMemConfig(config) })
}

pub unsafe fn set_shared_config(config: c_int) -> RuntimeResult {
    context()?;
    // SAFETY: no pointers.
    check(unsafe { cu::cuCtxSetSharedMemConfig(config) })
}

pub unsafe fn flags(flags: *mut c_uint) -> RuntimeResult {
    initialised()?;
    let (mut found, mut active) = (0, 0);
    // SAFETY: out-pointers to locals, and one of the caller.
    unsafe {
        check(cu::cuDevicePrimaryCtxGetState(0, &mut found, &mut active))?;
        give(flags, found)
    }
}

pub unsafe fn set_flags(flags: c_uint) -> RuntimeResult {
    initialised()?;
    // SAFETY: no pointers.
    check(unsafe { cu::cuDevicePrimaryCtxSetFlags_v2(0, flags) })
}

pub unsafe fn driver_version(version: *mut c_int) -> RuntimeResult {
    // SAFETY: an out-pointer of the caller.
    check(unsafe { cu::cuDriverGetVersion(version) })
}

pub unsafe fn pci_bus_id(id: *mut c_char, length: c_int, device: c_int) -> RuntimeResult {
    initialised()?;
    check_device(device)?;
    // SAFETY: `length` bytes of the caller's.
    check(unsafe { cu::cuDeviceGetPCIBusId(id, length, device) })
}

pub unsafe fn by_pci_bus_id(device: *mut c_int, id: *const c_char) -> RuntimeResult {
    initialised()?;
    // SAFETY: an out-pointer and a name of the caller.
    check(unsafe { cu::cuDeviceGetByPCIBusId(device, id) })
}

pub unsafe fn can_access_peer(can: *mut c_int, device: c_int, peer: c_int) -> RuntimeResult {
    initialised()?;
    check_device(device)?;
    check_device(peer)?;
    // SAFETY: an out-pointer of the caller.
    check(unsafe { cu::cuDeviceCanAccessPeer(can, device, peer) })
}

/// Whatever is asked for, there is one device to choose.
pub unsafe fn choose(device: *mut c_int) -> RuntimeResult {
    // SAFETY: an out-pointer of the caller.
    unsafe { give(device, 0) }
}

/// Profilers and lists of devices have nothing to act on.
pub unsafe fn nothing() -> RuntimeResult {
    Ok(())
}

/// No device has a peer.
pub unsafe fn no_peer(_peer: c_int) -> RuntimeResult {
    Err(Error::INVALID_DEVICE)
}

/// A function of the driver's by its name; version 0 is the newest that there is. Where it is not found, `status` says
/// so.
pub unsafe fn entry_point(
    symbol: *const c_char,
    function: *mut *mut c_void,
    version: c_int,
    flags: u64,
    status: *mut c_uint,
) -> RuntimeResult {
    let version = if version == 0 { NEWEST } else { version };
    // SAFETY: a name and out-pointers of the caller.
    match unsafe { cu::cuGetProcAddress_v2(symbol, function, version, flags, status) } {
        // CUDA_ERROR_NOT_FOUND
        500 if !status.is_null() => Ok(()),
        code => check(code),
    }
}
