//! Launches (CUDA Driver API, "Execution Control").
//!
//! Shape, sizes and parameters are checked when the launch is submitted, with the codes of a real driver; parameters
//! are copied then, so the caller's may go away. The kernel runs when its stream gets there.

use super::function;
use crate::emulated::base::outcome::CallResult;
use crate::emulated::context::state::{ContextState, StreamWork};
use crate::emulated::context::stream_handle::{self, LockedStream};
use crate::emulated::task::launch::pack;
use crate::emulated::task::{Kernel, Launch, StreamTask};
use cust_raw::CUresult::*;
use cust_raw::*;
use emulator::{HostOrder, LaunchConfig};
use std::ffi::{c_uint, c_void};

#[expect(clippy::too_many_arguments, reason = "the API has them")]
pub(crate) unsafe fn kernel(
    function: CUfunction,
    grid_x: c_uint,
    grid_y: c_uint,
    grid_z: c_uint,
    block_x: c_uint,
    block_y: c_uint,
    block_z: c_uint,
    shared: c_uint,
    stream: CUstream,
    parameters: *mut *mut c_void,
    extra: *mut *mut c_void,
) -> CallResult {
    let (grid, block) = ([grid_x, grid_y, grid_z], [block_x, block_y, block_z]);
    let config = LaunchConfig { grid, block, dynamic_shared: shared, cooperative: false, cluster: None };
    // SAFETY: the caller's parameters.
    unsafe { submit(function, (config, false), stream, parameters, extra) }
}

#[expect(clippy::too_many_arguments, reason = "the API has them")]
pub(crate) unsafe fn cooperative_kernel(
    function: CUfunction,
    grid_x: c_uint,
    grid_y: c_uint,
    grid_z: c_uint,
    block_x: c_uint,
    block_y: c_uint,
    block_z: c_uint,
    shared: c_uint,
    stream: CUstream,
    parameters: *mut *mut c_void,
) -> CallResult {
    let (grid, block) = ([grid_x, grid_y, grid_z], [block_x, block_y, block_z]);
    let config = LaunchConfig { grid, block, dynamic_shared: shared, cooperative: true, cluster: None };
    // SAFETY: the caller's parameters.
    unsafe { submit(function, (config, false), stream, parameters, std::ptr::null_mut()) }
}

/// Submits a launch with its shape; with true, it has programmatic stream serialization.
///
/// # Safety
/// As [`Launch::new`].
pub(super) unsafe fn submit(
    function: CUfunction,
    (config, is_dependent): (LaunchConfig, bool),
    stream: CUstream,
    parameters: *mut *mut c_void,
    extra: *mut *mut c_void,
) -> CallResult {
    let (owner, function) = function::resolve(function)?;
    let LockedStream { context, key } = stream_handle::resolve_here(stream)?;
    if owner.handle != context.handle {
        return Err(CUDA_ERROR_INVALID_HANDLE);
    }
    let mut state = context.lock()?;
    // SAFETY: the caller's parameters.
    let launch = unsafe { Launch::new(state.function(function)?, state.device.profile(), config, parameters, extra) };
    if let (Err(CUDA_ERROR_NOT_SUPPORTED), Ok(false)) = (&launch, state.is_captured(key)) {
        // SAFETY: the caller's parameters.
        unsafe { miss(&mut state, function, key, parameters, extra) };
    }
    let mut launch = launch?;
    if is_dependent {
        launch.depend();
    }
    if state.is_captured(key)? {
        return state.capture(key, StreamTask::Kernel(Kernel::new(context.number, launch, function)));
    }
    state.not_captured(key)?;
    launch.submit(&mut state, key, &[]);
    Ok(())
}

/// Takes note of a launch that was refused, where it would have run.
///
/// # Safety
/// As [`Launch::new`].
unsafe fn miss(
    state: &mut ContextState,
    function: u64,
    key: u64,
    parameters: *mut *mut c_void,
    extra: *mut *mut c_void,
) {
    let Ok(function) = state.function(function) else { return };
    let loaded = function.loaded.clone();
    // SAFETY: as above.
    let parameters = unsafe { pack(function.kernel(), parameters, extra) }.unwrap_or_default();
    let work = StreamWork::device(move |state: &mut ContextState, _: &HostOrder| state.miss_work(&loaded, &parameters));
    state.queue.submit(key, &[], work);
}
