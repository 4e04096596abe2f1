//! Results of calls, and the places that their callers gave for results.

use cust_raw::CUresult;
use emulator::MemoryError;

/// The result of a call of the emulated device, as the table gets it.
pub(crate) type CallResult<T = ()> = Result<T, CUresult>;

/// Returns the result code of a failed operation on device memory.
pub(crate) fn code(error: MemoryError) -> CUresult {
    match error {
        MemoryError::OutOfMemory => CUresult::CUDA_ERROR_OUT_OF_MEMORY,
        MemoryError::InvalidAddress => CUresult::CUDA_ERROR_INVALID_VALUE,
    }
}

/// A place that the caller gave for a result.
pub(crate) struct Out<T>(*mut T);

/// Checks an out-pointer; null is `CUDA_ERROR_INVALID_VALUE`.
///
/// # Safety
/// `place` is null or stays writable for one `T` until the call returns.
pub(crate) unsafe fn out<T>(place: *mut T) -> CallResult<Out<T>> {
    if place.is_null() { Err(CUresult::CUDA_ERROR_INVALID_VALUE) } else { Ok(Out(place)) }
}

impl<T> Out<T> {
    pub(crate) fn set(&self, value: T) {
        // SAFETY: `out` was told that the place is writable; a C caller may have misaligned it.
        unsafe { self.0.write_unaligned(value) }
    }
}
