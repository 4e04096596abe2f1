//! Launches whose shape and parameters are set one call at a time (CUDA Driver API, "Execution Control [DEPRECATED]").
//! PyCUDA still sets the shape of a block so.
//!
//! The settings belong to the function, and persist across its launches.

use super::function;
use super::launch::submit;
use crate::emulated::base::outcome::CallResult;
use crate::emulated::context::objects::StepLaunch;
use crate::emulated::task::launch::{BUFFER_POINTER, BUFFER_SIZE, END};
use cust_raw::CUresult::*;
use cust_raw::*;
use emulator::LaunchConfig;
use std::ffi::{c_int, c_uint, c_void};
use std::ptr::{null_mut, without_provenance_mut};

/// More bytes of parameters than any kernel takes.
const MOST_BYTES: usize = 1 << 16;

/// Changes what is set for the next launch of a function.
fn change(function: CUfunction, change: impl FnOnce(&mut StepLaunch) -> CallResult) -> CallResult {
    let (context, handle) = function::resolve(function)?;
    let mut state = context.lock()?;
    change(&mut state.functions.get_mut(&handle).ok_or(CUDA_ERROR_INVALID_HANDLE)?.in_steps)
}

/// Converts a size or an offset that is declared as `int`.
fn unsigned(value: c_int) -> CallResult<u32> {
    u32::try_from(value).map_err(|_| CUDA_ERROR_INVALID_VALUE)
}

pub(crate) unsafe fn set_block_shape(function: CUfunction, x: c_int, y: c_int, z: c_int) -> CallResult {
    let block = [unsigned(x)?, unsigned(y)?, unsigned(z)?];
    if block.contains(&0) {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    change(function, |launch| {
        launch.block = block;
        Ok(())
    })
}

pub(crate) unsafe fn set_shared_size(function: CUfunction, bytes: c_uint) -> CallResult {
    change(function, |launch| {
        launch.shared = bytes;
        Ok(())
    })
}

pub(crate) unsafe fn set_parameter_size(function: CUfunction, bytes: c_uint) -> CallResult {
    change(function, |launch| {
        if bytes as usize > MOST_BYTES {
            return Err(CUDA_ERROR_INVALID_VALUE);
        }
        launch.parameters.resize(bytes as usize, 0);
        Ok(())
    })
}

pub(crate) unsafe fn set_integer(function: CUfunction, offset: c_int, value: c_uint) -> CallResult {
    set_bytes(function, offset, &value.to_ne_bytes())
}

pub(crate) unsafe fn set_float(function: CUfunction, offset: c_int, value: f32) -> CallResult {
    set_bytes(function, offset, &value.to_ne_bytes())
}

pub(crate) unsafe fn set_vector(function: CUfunction, offset: c_int, from: *mut c_void, bytes: c_uint) -> CallResult {
    if from.is_null() {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    // SAFETY: the caller gives that many bytes.
    set_bytes(function, offset, unsafe { std::slice::from_raw_parts(from.cast(), bytes as usize) })
}

fn set_bytes(function: CUfunction, offset: c_int, bytes: &[u8]) -> CallResult {
    let offset = unsigned(offset)? as usize;
    let end = offset.checked_add(bytes.len()).filter(|&end| end <= MOST_BYTES).ok_or(CUDA_ERROR_INVALID_VALUE)?;
    change(function, |launch| {
        if launch.parameters.len() < end {
            launch.parameters.resize(end, 0);
        }
        launch.parameters[offset..end].copy_from_slice(bytes);
        Ok(())
    })
}

pub(crate) unsafe fn launch(function: CUfunction) -> CallResult {
    // SAFETY: the caller's function.
    unsafe { launch_grid_async(function, 1, 1, null_mut()) }
}

pub(crate) unsafe fn launch_grid(function: CUfunction, width: c_int, height: c_int) -> CallResult {
    // SAFETY: the caller's function.
    unsafe { launch_grid_async(function, width, height, null_mut()) }
}

pub(crate) unsafe fn launch_grid_async(
    function: CUfunction,
    width: c_int,
    height: c_int,
    stream: CUstream,
) -> CallResult {
    let (context, handle) = function::resolve(function)?;
    let StepLaunch { block, shared, mut parameters } = context.lock()?.function(handle)?.in_steps.clone();
    let grid = [unsigned(width)?, unsigned(height)?, 1];
    let config = LaunchConfig { grid, block, dynamic_shared: shared, cooperative: false, cluster: None };
    let mut size = parameters.len();
    let mut extra: [*mut c_void; 5] = [
        without_provenance_mut(BUFFER_POINTER),
        parameters.as_mut_ptr().cast(),
        without_provenance_mut(BUFFER_SIZE),
        (&raw mut size).cast(),
        without_provenance_mut(END),
    ];
    // SAFETY: a list as the API has it, which is copied before the call returns.
    unsafe { submit(function, (config, false), stream, null_mut(), extra.as_mut_ptr()) }
}
