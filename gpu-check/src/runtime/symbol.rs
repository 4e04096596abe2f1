//! Variables of the device by the host's stand-in for each ("Memory Management").

use super::call::{Error, RuntimeResult, context, give};
use super::copy::{When, copy};
use crate::registry;
use std::ffi::{c_int, c_void};

/// A part of a variable.
pub fn part(symbol: *const c_void, offset: usize, bytes: usize) -> RuntimeResult<*mut c_void> {
    let (address, size) = registry::variable(context()?, symbol as usize)?;
    match offset.checked_add(bytes) {
        Some(end) if end <= size => Ok((address + offset as u64) as *mut c_void),
        _ => Err(Error::INVALID_VALUE),
    }
}

pub unsafe fn copy_to(
    symbol: *const c_void,
    from: *const c_void,
    (bytes, offset): (usize, usize),
    kind: c_int,
    when: When,
) -> RuntimeResult {
    // SAFETY: memory of the caller's, as long as it says.
    unsafe { copy(part(symbol, offset, bytes)?, from, bytes, kind, when) }
}

pub unsafe fn copy_from(
    to: *mut c_void,
    symbol: *const c_void,
    (bytes, offset): (usize, usize),
    kind: c_int,
    when: When,
) -> RuntimeResult {
    // SAFETY: memory of the caller's, as long as it says.
    unsafe { copy(to, part(symbol, offset, bytes)?, bytes, kind, when) }
}

pub unsafe fn address(address: *mut *mut c_void, symbol: *const c_void) -> RuntimeResult {
    let (found, _) = registry::variable(context()?, symbol as usize)?;
    // SAFETY: an out-pointer of the caller.
    unsafe { give(address, found as *mut c_void) }
}

pub unsafe fn size(size: *mut usize, symbol: *const c_void) -> RuntimeResult {
    let (_, bytes) = registry::variable(context()?, symbol as usize)?;
    // SAFETY: an out-pointer of the caller.
    unsafe { give(size, bytes) }
}
