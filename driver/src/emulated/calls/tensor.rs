//! Tensor maps (CUDA Driver API, "Tensor Map Object Management").
//!
//! The limits are those of an H200, as observed. They differ from the API's description in two points: a map need not
//! be aligned to 64 bytes, and a box has at most 228 KiB.
//!
//! Left out, and refused with `CUDA_ERROR_NOT_SUPPORTED`: the interleaved layouts, im2col, and packed types.

use crate::emulated::base::outcome::CallResult;
use crate::emulated::base::process::may_call;
use crate::types::CUtensorMap;
use cust_raw::CUresult::*;
use cust_raw::{cuuint32_t, cuuint64_t};
use emulator::{Swizzle, TensorElement, TensorMap};
use std::ffi::{c_uint, c_void};

/// `CU_TENSOR_MAP_INTERLEAVE_32B`
const LAST_INTERLEAVE: u32 = 2;
/// `CU_TENSOR_MAP_L2_PROMOTION_L2_256B`
const LAST_PROMOTION: u32 = 3;
/// `CU_TENSOR_MAP_DATA_TYPE_16U6_ALIGN16B`
const LAST_TYPE: u32 = 15;
/// `CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA`
const NAN: u32 = 1;

/// Returns the type with this number in the driver API.
fn element(number: u32) -> Option<TensorElement> {
    use TensorElement::*;
    [U8, U16, U32, S32, U64, S64, F16, F32, F64, Bf16, F32Ftz, Tf32, Tf32Ftz].get(number as usize).copied()
}

/// Reads the first `count` values of a caller's array; the others are `rest`.
///
/// # Safety
/// `from` is null or has `count` values.
unsafe fn values<T: Copy, const N: usize>(from: *const T, count: usize, rest: T) -> CallResult<[T; N]> {
    if from.is_null() && count > 0 {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    let mut all = [rest; N];
    for (at, value) in all.iter_mut().enumerate().take(count) {
        // SAFETY: as the caller says.
        *value = unsafe { from.add(at).read_unaligned() };
    }
    Ok(all)
}

#[allow(clippy::too_many_arguments, reason = "the driver API has so many")]
pub(crate) unsafe fn encode_tiled(
    map: *mut CUtensorMap,
    data_type: c_uint,
    rank: cuuint32_t,
    address: *mut c_void,
    extents: *const cuuint64_t,
    strides: *const cuuint64_t,
    box_extents: *const cuuint32_t,
    steps: *const cuuint32_t,
    interleave: c_uint,
    swizzle: c_uint,
    promotion: c_uint,
    fill: c_uint,
) -> CallResult {
    may_call()?;
    let is_number =
        data_type <= LAST_TYPE && interleave <= LAST_INTERLEAVE && promotion <= LAST_PROMOTION && fill <= NAN;
    if map.is_null() || !is_number || !(1..=5).contains(&rank) {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    let swizzle = Swizzle::of_number(swizzle).ok_or(CUDA_ERROR_INVALID_VALUE)?;
    let Some(element) = element(data_type).filter(|_| interleave == 0) else {
        return Err(CUDA_ERROR_NOT_SUPPORTED);
    };
    let count = rank as usize;
    // SAFETY: the caller's arrays, of as many values as the API says.
    let tiled = unsafe {
        TensorMap {
            element,
            rank,
            address: address as u64,
            extents: values(extents, count, 1)?,
            strides: values(strides, count - 1, 0)?,
            box_extents: values(box_extents, count, 1)?,
            steps: values(steps, count, 1)?,
            swizzle,
            fills_with_nan: fill == NAN,
        }
    };
    if !tiled.is_valid() {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    // SAFETY: an out-pointer of the caller.
    unsafe { map.write_unaligned(CUtensorMap { opaque: tiled.encode() }) };
    Ok(())
}

pub(crate) unsafe fn replace_address(map: *mut CUtensorMap, address: *mut c_void) -> CallResult {
    may_call()?;
    if map.is_null() {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    // SAFETY: the caller's map.
    let old = unsafe { map.read_unaligned() };
    let old = TensorMap::decode(&old.opaque).ok_or(CUDA_ERROR_INVALID_VALUE)?;
    let new = TensorMap { address: address as u64, ..old };
    if !new.is_valid() {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    // SAFETY: as above.
    unsafe { map.write_unaligned(CUtensorMap { opaque: new.encode() }) };
    Ok(())
}
