//! Attributes of a range of managed memory (CUDA Driver API, "Unified Addressing"). The values are those of an H200.

use super::memory::CPU;
use crate::emulated::base::outcome::CallResult;
use crate::emulated::context::advice::{Advice, AdvisedPlace};
use crate::emulated::context::current::current;
use cust_raw::CUdeviceptr;
use cust_raw::CUresult::*;
use std::ffi::{c_int, c_uint, c_void};

/// The device number that stands for no place, or for several (`CU_DEVICE_INVALID`).
const NOWHERE: c_int = -2;

// `CU_MEM_RANGE_ATTRIBUTE_...`
const READ_MOSTLY: c_uint = 1;
const PREFERRED_LOCATION: c_uint = 2;
const ACCESSED_BY: c_uint = 3;
const LAST_PREFETCH_LOCATION: c_uint = 4;
const PREFERRED_LOCATION_TYPE: c_uint = 5;
const PREFERRED_LOCATION_ID: c_uint = 6;
const LAST_PREFETCH_LOCATION_TYPE: c_uint = 7;
const LAST_PREFETCH_LOCATION_ID: c_uint = 8;

/// Returns a place that all of a range has, or one without a kind.
fn common(all: &[Advice], place: impl Fn(&Advice) -> Option<AdvisedPlace>) -> AdvisedPlace {
    let nowhere = AdvisedPlace { kind: 0, id: NOWHERE };
    let first = place(&all[0]);
    if all.iter().all(|advice| place(advice) == first) { first.unwrap_or(nowhere) } else { nowhere }
}

/// Returns the values of an attribute: one, but for the processors that access the range.
fn values(all: &[Advice], attribute: c_uint) -> CallResult<Vec<c_int>> {
    let preferred = || common(all, |advice| advice.preferred);
    let prefetched_to = || common(all, |advice| advice.prefetched_to);
    let device = |place: AdvisedPlace| if place.kind > 1 { CPU } else { place.id };
    let accesses = |by: usize| all.iter().all(|advice| advice.accessed_by[by]);
    Ok(vec![match attribute {
        READ_MOSTLY => all.iter().all(|advice| advice.is_read_mostly).into(),
        PREFERRED_LOCATION => device(preferred()),
        ACCESSED_BY => {
            let processors = [0, CPU].into_iter().zip([accesses(0), accesses(1)]);
            return Ok(processors.filter(|(_, accesses)| *accesses).map(|(processor, _)| processor).collect());
        }
        LAST_PREFETCH_LOCATION => device(prefetched_to()),
        PREFERRED_LOCATION_TYPE => preferred().kind as c_int,
        PREFERRED_LOCATION_ID => preferred().id,
        LAST_PREFETCH_LOCATION_TYPE => prefetched_to().kind as c_int,
        LAST_PREFETCH_LOCATION_ID => prefetched_to().id,
        _ => return Err(CUDA_ERROR_INVALID_VALUE),
    }])
}

/// Writes an attribute of a range.
///
/// # Safety
/// `data` is null or has `data_bytes` bytes.
pub(crate) unsafe fn attribute(
    data: *mut c_void,
    data_bytes: usize,
    attribute: c_uint,
    address: CUdeviceptr,
    bytes: usize,
) -> CallResult {
    let is_fitting = match attribute {
        ACCESSED_BY => data_bytes > 0 && data_bytes.is_multiple_of(size_of::<c_int>()),
        _ => data_bytes == size_of::<c_int>(),
    };
    if data.is_null() || !is_fitting {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    let context = current()?;
    let state = context.lock()?;
    state.check_unified(address, bytes)?;
    let values = values(&state.advice.within(address, bytes as u64), attribute)?;
    for place in 0..data_bytes / size_of::<c_int>() {
        let value = values.get(place).copied().unwrap_or(NOWHERE);
        // SAFETY: as above.
        unsafe { data.cast::<c_int>().add(place).write_unaligned(value) };
    }
    Ok(())
}

/// Writes several attributes.
pub(crate) unsafe fn attributes(
    data: *mut *mut c_void,
    sizes: *mut usize,
    attributes: *mut c_uint,
    count: usize,
    address: CUdeviceptr,
    bytes: usize,
) -> CallResult {
    if data.is_null() || sizes.is_null() || attributes.is_null() || count == 0 {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    for index in 0..count {
        // SAFETY: lists of the caller's, and a place as large as it says.
        unsafe {
            let (place, size) = (data.add(index).read_unaligned(), sizes.add(index).read_unaligned());
            attribute(place, size, attributes.add(index).read_unaligned(), address, bytes)?;
        }
    }
    Ok(())
}
