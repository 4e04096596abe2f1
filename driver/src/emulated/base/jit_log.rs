//! The JIT options that have an effect here (CUDA Driver API, `CUjit_option`): the log buffers, the time that was
//! taken, and the limit on registers, which attributes and occupancy queries respect. The other options tune a compiler
//! that is not there.

use super::outcome::CallResult;
use cust_raw::CUjit_option_enum::*;
use cust_raw::CUresult::*;
use cust_raw::{CUjit_option, CUresult};
use std::ffi::{c_uint, c_void};
use std::time::Instant;

/// One buffer of the caller's, and where its size stands: an option's value is both the size and, on return, the
/// number of bytes written.
#[derive(Clone, Copy)]
struct LogBuffer {
    start: *mut u8,
    size: *mut *mut c_void,
}

// SAFETY: the caller keeps the buffers until the link state is destroyed, on whichever thread that happens.
unsafe impl Send for LogBuffer {}

/// An `f32` of the caller's.
#[derive(Clone, Copy)]
struct WallTime(*mut *mut c_void);

// SAFETY: as above.
unsafe impl Send for WallTime {}

#[derive(Clone, Copy)]
pub(crate) struct JitLog {
    info: Option<LogBuffer>,
    error: Option<LogBuffer>,
    /// Where the milliseconds since `began` go.
    wall_time: Option<WallTime>,
    began: Instant,
    /// The most registers that a thread may have.
    pub(crate) max_registers: Option<u32>,
}

impl JitLog {
    /// # Safety
    /// `options` and `values` hold `count` entries each, except that `cust` leaves the last ones out of `values` where
    /// options without a value stand; they are only read up to the log options. Buffers stay writable.
    pub(crate) unsafe fn new(
        count: c_uint,
        options: *const CUjit_option,
        values: *mut *mut c_void,
    ) -> CallResult<JitLog> {
        if count > 0 && (options.is_null() || values.is_null()) {
            return Err(CUDA_ERROR_INVALID_VALUE);
        }
        let find = |wanted: CUjit_option| {
            // SAFETY: `count` options, read as numbers: they may be newer than the enum.
            let at = (0..count as usize).find(|&at| unsafe { options.cast::<u32>().add(at).read() } == wanted as u32);
            // SAFETY: this option has a value.
            at.map(|at| unsafe { values.add(at) })
        };
        let buffer = |start, size| {
            let (start, size) = (find(start)?, find(size)?);
            // SAFETY: found above.
            let start = unsafe { start.read() };
            (!start.is_null()).then_some(LogBuffer { start: start.cast(), size })
        };
        // SAFETY: this option has a value, which is the number itself.
        let max_registers = find(CU_JIT_MAX_REGISTERS).map(|place| unsafe { place.read() } as usize as u32);
        Ok(JitLog {
            // 0 is no limit.
            max_registers: max_registers.filter(|&most| most > 0),
            info: buffer(CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES),
            error: buffer(CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES),
            wall_time: find(CU_JIT_WALL_TIME).map(WallTime),
            began: Instant::now(),
        })
    }

    /// Writes both logs, each cut to its buffer.
    pub(crate) fn write(&self, info: &str, error: &str) {
        if let Some(WallTime(place)) = self.wall_time {
            // SAFETY: `new` was told that this option has a value; it is as wide as a pointer.
            unsafe { place.cast::<f32>().write(1e3 * self.began.elapsed().as_secs_f32()) };
        }
        for (buffer, text) in [(self.info, info), (self.error, error)] {
            let Some(LogBuffer { start, size }) = buffer else { continue };
            // SAFETY: `new` was told that the buffer is writable for the size that its option gives.
            unsafe {
                let room = size.read() as usize as u32 as usize;
                let fits = text.len().min(room.saturating_sub(1));
                if room > 0 {
                    std::ptr::copy_nonoverlapping(text.as_ptr(), start, fits);
                    start.add(fits).write(0);
                }
                size.write(fits as *mut c_void);
            }
        }
    }

    /// Writes why it failed and gives the code on.
    pub(crate) fn fail(&self, refusal: &super::image::ImageRefusal) -> CUresult {
        self.write("", &refusal.log);
        refusal.code
    }
}
