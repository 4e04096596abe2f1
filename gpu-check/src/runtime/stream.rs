//! Streams ("Stream Management").

use super::call::{Error, RuntimeResult, check, context, give};
use crate::cu::{self, Address, Callback, Handle};
use std::ffi::{c_int, c_uint, c_void};

pub unsafe fn create(stream: *mut Handle, flags: c_uint, priority: c_int) -> RuntimeResult {
    context()?;
    // SAFETY: an out-pointer of the caller.
    check(unsafe { cu::cuStreamCreateWithPriority(stream, flags, priority) })
}

pub unsafe fn destroy(stream: Handle) -> RuntimeResult {
    context()?;
    // SAFETY: a handle, which is looked up.
    check(unsafe { cu::cuStreamDestroy_v2(stream) })
}

pub unsafe fn query(stream: Handle) -> RuntimeResult {
    context()?;
    // SAFETY: a handle, which is looked up.
    check(unsafe { cu::cuStreamQuery(stream) })
}

pub unsafe fn synchronize(stream: Handle) -> RuntimeResult {
    context()?;
    // SAFETY: a handle, which is looked up.
    check(unsafe { cu::cuStreamSynchronize(stream) })
}

pub unsafe fn wait_event(stream: Handle, event: Handle, flags: c_uint) -> RuntimeResult {
    context()?;
    // SAFETY: handles, which are looked up.
    check(unsafe { cu::cuStreamWaitEvent(stream, event, flags) })
}

/// The function is told the driver's code, which for what can happen in a stream is the runtime's too.
pub unsafe fn add_callback(
    stream: Handle,
    callback: Option<Callback>,
    data: *mut c_void,
    flags: c_uint,
) -> RuntimeResult {
    context()?;
    // SAFETY: a function of the caller's for exactly this.
    check(unsafe { cu::cuStreamAddCallback(stream, callback, data, flags) })
}

pub unsafe fn flags(stream: Handle, flags: *mut c_uint) -> RuntimeResult {
    context()?;
    // SAFETY: an out-pointer of the caller.
    check(unsafe { cu::cuStreamGetFlags(stream, flags) })
}

pub unsafe fn priority(stream: Handle, priority: *mut c_int) -> RuntimeResult {
    context()?;
    // SAFETY: an out-pointer of the caller.
    check(unsafe { cu::cuStreamGetPriority(stream, priority) })
}

pub unsafe fn device(stream: Handle, device: *mut c_int) -> RuntimeResult {
    let mut flags = 0;
    // SAFETY: out-pointers to a local and of the caller; a stream that is none is refused by the first call.
    unsafe {
        self::flags(stream, &mut flags)?;
        give(device, 0)
    }
}

pub unsafe fn attach(stream: Handle, address: *mut c_void, bytes: usize, flags: c_uint) -> RuntimeResult {
    context()?;
    // SAFETY: a handle and an address, which are looked up.
    check(unsafe { cu::cuStreamAttachMemAsync(stream, address as Address, bytes, flags) })
}

pub unsafe fn priority_range(least: *mut c_int, greatest: *mut c_int) -> RuntimeResult {
    context()?;
    // SAFETY: out-pointers of the caller; either may be null.
    check(unsafe { cu::cuCtxGetStreamPriorityRange(least, greatest) })
}

pub unsafe fn id(stream: Handle, id: *mut u64) -> RuntimeResult {
    context()?;
    // SAFETY: an out-pointer of the caller.
    check(unsafe { cu::cuStreamGetId(stream, id) })
}

/// `cudaStreamAttrValue`: how caches are used, how the host waits. None of it changes a result.
pub type Value = [u64; 8];

/// Writes an attribute's default: values that were set are not kept.
pub unsafe fn attribute(stream: Handle, value: *mut Value) -> RuntimeResult {
    let mut flags = 0;
    // SAFETY: out-pointers to a local and of the caller; a stream that is none is refused by the first call.
    unsafe {
        self::flags(stream, &mut flags)?;
        give(value, [0; 8])
    }
}

/// `cudaAccessPolicyWindow`
#[repr(C)]
struct PolicyWindow {
    address: *mut c_void,
    bytes: usize,
    hit_ratio: f32,
    hit: c_int,
    miss: c_int,
}

impl PolicyWindow {
    /// Returns true for one that an H200 takes.
    fn is_right(&self) -> bool {
        /// `accessPolicyMaxWindowSize`
        const MOST_BYTES: usize = 128 << 20;
        /// `cudaAccessPropertyPersisting`, which only a hit may be.
        const PERSISTING: c_int = 2;
        self.bytes <= MOST_BYTES && (0.0..=1.0).contains(&self.hit_ratio) && self.miss != PERSISTING
    }
}

pub unsafe fn set_attribute(stream: Handle, attribute: c_int, value: *const Value) -> RuntimeResult {
    /// `cudaLaunchAttributeAccessPolicyWindow`
    const WINDOW: c_int = 1;
    let mut flags = 0;
    // SAFETY: an out-pointer to a local.
    unsafe { self::flags(stream, &mut flags)? };
    // SAFETY: the caller's value is of the kind that the attribute says.
    let is_right = !value.is_null()
        && (attribute != WINDOW || unsafe { value.cast::<PolicyWindow>().read_unaligned() }.is_right());
    if is_right { Ok(()) } else { Err(Error::INVALID_VALUE) }
}

pub unsafe fn copy_attributes(to: Handle, from: Handle) -> RuntimeResult {
    let mut flags = 0;
    // SAFETY: out-pointers to a local.
    unsafe {
        self::flags(to, &mut flags)?;
        self::flags(from, &mut flags)
    }
}
