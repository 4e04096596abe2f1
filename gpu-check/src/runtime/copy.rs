//! Copies and fills ("Memory Management").
//!
//! A synchronous call works in the legacy default stream. Programs that are built with `--default-stream per-thread`
//! call another name, and get the stream of their thread.

use super::array::{ARRAY, element};
use super::call::{Error, RuntimeResult, check, context};
use super::memory::{Extent, Pitched};
use crate::cu::{self, Address, Box3D, Copy2D, Copy3D, Handle, Side, UNIFIED};
use std::ffi::{c_int, c_uint, c_void};
use std::ptr::null_mut;

/// `cudaMemcpyKind`
const HOST_TO_HOST: c_int = 0;
const HOST_TO_DEVICE: c_int = 1;
const DEVICE_TO_HOST: c_int = 2;
const DEVICE_TO_DEVICE: c_int = 3;
const DEFAULT: c_int = 4;

/// The time at which a call is done, for the host.
#[derive(Clone, Copy)]
pub enum When {
    /// It is done when the call returns, in the legacy default stream.
    Now,
    /// It is done when the call returns, in this stream.
    NowIn(Handle),
    /// When the stream gets there.
    Later(Handle),
}

impl When {
    /// Makes a call in a stream, and waits for it where the copy is synchronous.
    fn in_stream(self, call: impl FnOnce(Handle) -> u32) -> RuntimeResult {
        match self {
            When::Later(stream) => check(call(stream)),
            When::Now => Err(Error::UNKNOWN),
            When::NowIn(stream) => {
                check(call(stream))?;
                // SAFETY: a handle, which is looked up.
                check(unsafe { cu::cuStreamSynchronize(stream) })
            }
        }
    }
}

pub unsafe fn copy(to: *mut c_void, from: *const c_void, bytes: usize, kind: c_int, when: When) -> RuntimeResult {
    context()?;
    let (here, there) = (from as Address, to as Address);
    // SAFETY: memory of the caller's, as long as it says; addresses of the device are looked up.
    unsafe {
        match (kind, when) {
            (HOST_TO_DEVICE, When::Now) => check(cu::cuMemcpyHtoD_v2(there, from, bytes)),
            (DEVICE_TO_HOST, When::Now) => check(cu::cuMemcpyDtoH_v2(to, here, bytes)),
            (DEVICE_TO_DEVICE, When::Now) => check(cu::cuMemcpyDtoD_v2(there, here, bytes)),
            (HOST_TO_HOST | DEFAULT, When::Now) => check(cu::cuMemcpy(there, here, bytes)),
            (HOST_TO_DEVICE, _) => when.in_stream(|stream| cu::cuMemcpyHtoDAsync_v2(there, from, bytes, stream)),
            (DEVICE_TO_HOST, _) => when.in_stream(|stream| cu::cuMemcpyDtoHAsync_v2(to, here, bytes, stream)),
            (DEVICE_TO_DEVICE, _) => when.in_stream(|stream| cu::cuMemcpyDtoDAsync_v2(there, here, bytes, stream)),
            (HOST_TO_HOST | DEFAULT, _) => when.in_stream(|stream| cu::cuMemcpyAsync(there, here, bytes, stream)),
            _ => Err(Error::INVALID_MEMCPY_DIRECTION),
        }
    }
}

/// Which kind of memory each side is in, as the driver numbers them: 1 is the host, 2 the device.
pub fn sides(kind: c_int) -> RuntimeResult<(c_uint, c_uint)> {
    match kind {
        HOST_TO_HOST => Ok((1, 1)),
        HOST_TO_DEVICE => Ok((1, 2)),
        DEVICE_TO_HOST => Ok((2, 1)),
        DEVICE_TO_DEVICE => Ok((2, 2)),
        DEFAULT => Ok((UNIFIED, UNIFIED)),
        _ => Err(Error::INVALID_MEMCPY_DIRECTION),
    }
}

/// Rows that are `pitch` bytes apart.
#[derive(Clone, Copy)]
pub struct Rows {
    pub pointer: *mut c_void,
    pub pitch: usize,
}

pub unsafe fn copy_2d(to: Rows, from: Rows, (width, height): (usize, usize), kind: c_int, when: When) -> RuntimeResult {
    context()?;
    let (source, target) = sides(kind)?;
    if width > to.pitch || width > from.pitch {
        return Err(Error(12));
    }
    let side = |rows: Rows, memory| Side {
        x: 0,
        y: 0,
        memory,
        host: rows.pointer,
        device: rows.pointer as Address,
        array: null_mut(),
        pitch: rows.pitch,
    };
    // SAFETY: memory of the caller's, as long as it says.
    unsafe { copy_sides(&Copy2D { from: side(from, source), to: side(to, target), width, height }, when) }
}

/// # Safety
/// Memory of the caller's is as long as the copy says.
pub unsafe fn copy_sides(copy: &Copy2D, when: When) -> RuntimeResult {
    // SAFETY: as above.
    unsafe {
        match when {
            When::Now => check(cu::cuMemcpy2DUnaligned_v2(copy)),
            _ => when.in_stream(|stream| cu::cuMemcpy2DAsync_v2(copy, stream)),
        }
    }
}

/// `cudaMemcpy3DParms`
#[repr(C)]
pub struct Parameters3D {
    from_array: Handle,
    from_at: [usize; 3],
    from: Pitched,
    to_array: Handle,
    to_at: [usize; 3],
    to: Pitched,
    extent: Extent,
    kind: c_int,
}

/// The same for the driver.
///
/// # Safety
/// `parameters` is null or the caller's.
pub unsafe fn described(parameters: *const Parameters3D) -> RuntimeResult<Copy3D> {
    if parameters.is_null() {
        return Err(Error::INVALID_VALUE);
    }
    // SAFETY: the caller's parameters.
    let Parameters3D { from_array, from_at, from, to_array, to_at, to, extent, kind } =
        unsafe { parameters.read_unaligned() };
    let (source, target) = sides(kind)?;
    // In an array, elements are counted, and so they are in the extent if there is an array on either side.
    let bytes = |array: Handle| if array.is_null() { Ok(1) } else { element(array) };
    let (from_bytes, to_bytes) = (bytes(from_array)?, bytes(to_array)?);
    let side = |place: Pitched, at: [usize; 3], memory, array: Handle, bytes: usize| Box3D {
        x: at[0].saturating_mul(bytes),
        y: at[1],
        z: at[2],
        level: 0,
        memory: if array.is_null() { memory } else { ARRAY },
        host: place.pointer,
        device: place.pointer as Address,
        array,
        reserved: null_mut(),
        pitch: place.pitch,
        height: place.height,
    };
    Ok(Copy3D {
        from: side(from, from_at, source, from_array, from_bytes),
        to: side(to, to_at, target, to_array, to_bytes),
        width: extent.width.saturating_mul(from_bytes.max(to_bytes)),
        height: extent.height,
        depth: extent.depth,
    })
}

/// As the runtime describes what the driver was told.
pub fn parameters(copy: &Copy3D) -> Parameters3D {
    // In an array or not: a side has one of the two.
    let place = |side: &Box3D| Pitched {
        pointer: if side.memory == 1 { side.host } else { side.device as *mut c_void },
        pitch: side.pitch,
        width: side.pitch,
        height: side.height,
    };
    let kind = match (copy.from.memory, copy.to.memory) {
        (1, 1) => HOST_TO_HOST,
        (1, 2 | ARRAY) => HOST_TO_DEVICE,
        (2 | ARRAY, 1) => DEVICE_TO_HOST,
        (2 | ARRAY, 2 | ARRAY) => DEVICE_TO_DEVICE,
        _ => DEFAULT,
    };
    let array = |side: &Box3D| if side.memory == ARRAY { side.array } else { null_mut() };
    let bytes = |side: &Box3D| if side.memory == ARRAY { element(side.array).unwrap_or(1) } else { 1 };
    let (from, to) = (bytes(&copy.from), bytes(&copy.to));
    Parameters3D {
        from_array: array(&copy.from),
        from_at: [copy.from.x / from, copy.from.y, copy.from.z],
        from: place(&copy.from),
        to_array: array(&copy.to),
        to_at: [copy.to.x / to, copy.to.y, copy.to.z],
        to: place(&copy.to),
        extent: Extent { width: copy.width / from.max(to), height: copy.height, depth: copy.depth },
        kind,
    }
}

/// Bytes in a row, for the driver.
pub fn line(to: *mut c_void, from: *const c_void, bytes: usize, kind: c_int) -> RuntimeResult<Copy3D> {
    let (source, target) = sides(kind)?;
    let side = |pointer: *mut c_void, memory| Box3D {
        x: 0,
        y: 0,
        z: 0,
        level: 0,
        memory,
        host: pointer,
        device: pointer as Address,
        array: null_mut(),
        reserved: null_mut(),
        pitch: bytes,
        height: 1,
    };
    Ok(Copy3D { from: side(from.cast_mut(), source), to: side(to, target), width: bytes, height: 1, depth: 1 })
}

pub unsafe fn copy_3d(parameters: *const Parameters3D, when: When) -> RuntimeResult {
    context()?;
    // SAFETY: the caller's parameters.
    let copy = unsafe { described(parameters)? };
    // SAFETY: memory of the caller's, as long as it says.
    unsafe {
        match when {
            When::Now => check(cu::cuMemcpy3D_v2(&copy)),
            _ => when.in_stream(|stream| cu::cuMemcpy3DAsync_v2(&copy, stream)),
        }
    }
}

pub unsafe fn fill(to: *mut c_void, value: c_int, bytes: usize, when: When) -> RuntimeResult {
    context()?;
    let (address, value) = (to as Address, value as u8);
    // SAFETY: an address, which is looked up.
    unsafe {
        match when {
            When::Now => check(cu::cuMemsetD8_v2(address, value, bytes)),
            _ => when.in_stream(|stream| cu::cuMemsetD8Async(address, value, bytes, stream)),
        }
    }
}

pub unsafe fn fill_2d(to: Rows, value: c_int, (width, height): (usize, usize), when: When) -> RuntimeResult {
    context()?;
    let (address, pitch, value) = (to.pointer as Address, to.pitch, value as u8);
    // SAFETY: an address, which is looked up.
    unsafe {
        match when {
            When::Now => check(cu::cuMemsetD2D8_v2(address, pitch, value, width, height)),
            _ => when.in_stream(|stream| cu::cuMemsetD2D8Async(address, pitch, value, width, height, stream)),
        }
    }
}

/// Slice by slice.
pub unsafe fn fill_3d(to: Pitched, value: c_int, extent: Extent, when: When) -> RuntimeResult {
    if extent.width == 0 || extent.height == 0 {
        return Ok(());
    }
    let slice = to.pitch.checked_mul(to.height).ok_or(Error::INVALID_VALUE)?;
    (0..extent.depth).try_for_each(|index| {
        let pointer = to.pointer.wrapping_byte_add(slice.wrapping_mul(index));
        // SAFETY: an address, which is looked up.
        unsafe { fill_2d(Rows { pointer, pitch: to.pitch }, value, (extent.width, extent.height), when) }
    })
}
