//! Functions of a module and their attributes (CUDA Driver API, "Execution Control").

use super::library;
use super::module::give_parameter;
use crate::emulated::base::outcome::{CallResult, out};
use crate::emulated::base::process::may_call;
use crate::emulated::context::Context;
use crate::emulated::context::handle;
use crate::emulated::context::state::ContextState;
use cust_raw::CUresult::*;
use cust_raw::*;
use std::ffi::{c_char, c_int, c_uint};
use std::sync::Arc;

/// The context of a function handle. For a kernel of a library: its function in the current context.
pub(crate) fn resolve(function: CUfunction) -> CallResult<(Arc<Context>, u64)> {
    may_call()?;
    let handle = function as u64;
    match handle::owner(handle::HandleKind::Function, handle) {
        Ok(context) => Ok((context, handle)),
        Err(code) => library::function_here(handle).unwrap_or(Err(code)),
    }
}

pub(crate) unsafe fn attribute(value: *mut c_int, attribute: c_uint, function: CUfunction) -> CallResult {
    // SAFETY: an out-pointer of the caller.
    let value = unsafe { out(value)? };
    let (context, function) = resolve(function)?;
    let state = context.lock()?;
    let function = state.function(function)?;
    value.set(function.settings.attribute(function.kernel(), state.device.profile(), attribute)?);
    Ok(())
}

/// Two attributes can be set: the limit of dynamic shared memory, and the carve-out, which is only a hint.
pub(crate) unsafe fn set_attribute(function: CUfunction, attribute: c_uint, value: c_int) -> CallResult {
    let (context, handle) = resolve(function)?;
    let mut state = context.lock()?;
    let ContextState { device, functions, .. } = &mut *state;
    let function = functions.get_mut(&handle).ok_or(CUDA_ERROR_INVALID_HANDLE)?;
    let changed = function.settings.with(function.kernel(), device.profile(), attribute, value)?;
    function.settings = changed;
    Ok(())
}

/// A hint.
pub(crate) unsafe fn set_cache_config(function: CUfunction, _config: CUfunc_cache) -> CallResult {
    let (context, function) = resolve(function)?;
    context.lock()?.function(function).map(drop)
}

/// Bank size is fixed since Maxwell.
pub(crate) unsafe fn set_shared_config(function: CUfunction, _config: CUsharedconfig) -> CallResult {
    let (context, function) = resolve(function)?;
    context.lock()?.function(function).map(drop)
}

pub(crate) unsafe fn module(module: *mut CUmodule, function: CUfunction) -> CallResult {
    // SAFETY: an out-pointer of the caller.
    let module = unsafe { out(module)? };
    let (context, function) = resolve(function)?;
    module.set(context.lock()?.function(function)?.module as CUmodule);
    Ok(())
}

/// The name lives as long as the function's module.
pub(crate) unsafe fn name(name: *mut *const c_char, function: CUfunction) -> CallResult {
    // SAFETY: an out-pointer of the caller.
    let name = unsafe { out(name)? };
    let (context, function) = resolve(function)?;
    name.set(context.lock()?.function(function)?.name.as_ptr());
    Ok(())
}

pub(crate) unsafe fn parameter(
    function: CUfunction,
    index: usize,
    offset: *mut usize,
    bytes: *mut usize,
) -> CallResult {
    let (context, function) = resolve(function)?;
    let state = context.lock()?;
    // SAFETY: out-pointers of the caller.
    unsafe { give_parameter(state.function(function)?.kernel(), index, offset, bytes) }
}

/// `CU_FUNCTION_LOADING_STATE_LOADED`: a module is loaded as a whole.
pub(crate) unsafe fn is_loaded(loaded: *mut c_uint, function: CUfunction) -> CallResult {
    // SAFETY: an out-pointer of the caller.
    let loaded = unsafe { out(loaded)? };
    let (context, function) = resolve(function)?;
    context.lock()?.function(function)?;
    loaded.set(1);
    Ok(())
}

/// A kernel of a library is loaded into the current context by being named.
pub(crate) unsafe fn load(function: CUfunction) -> CallResult {
    let (context, function) = resolve(function)?;
    context.lock()?.function(function).map(drop)
}
