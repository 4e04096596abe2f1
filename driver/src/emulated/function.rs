//! Functions of a module and their attributes (CUDA Driver API, "Execution Control").

use super::handle;
use super::objects::Function;
use super::outcome::{Outcome, out};
use super::state::{Context, State};
use cust_raw::CUfunction_attribute_enum::*;
use cust_raw::CUresult::*;
use cust_raw::*;
use std::ffi::c_int;
use std::sync::Arc;

impl State {
    pub(crate) fn function(&self, function: u64) -> Outcome<&Function> {
        self.functions.get(&function).ok_or(CUDA_ERROR_INVALID_HANDLE)
    }
}

/// The context of a function handle.
pub(crate) fn resolve(function: CUfunction) -> Outcome<(Arc<Context>, u64)> {
    super::state::may_call()?;
    let context = handle::owner(handle::Kind::Function, function as u64)?;
    Ok((context, function as u64))
}

pub(crate) unsafe fn attribute(value: *mut c_int, attribute: CUfunction_attribute, function: CUfunction) -> Outcome {
    // SAFETY: an out-pointer of the caller.
    let value = unsafe { out(value)? };
    let (context, function) = resolve(function)?;
    let state = context.lock()?;
    let function = state.function(function)?;
    let kernel = function.kernel();
    value.set(match attribute {
        CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK => kernel.max_threads as c_int,
        CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES => kernel.shared_bytes as c_int,
        CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES => kernel.const_bytes as c_int,
        CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES => kernel.local_bytes as c_int,
        CU_FUNC_ATTRIBUTE_NUM_REGS => kernel.registers as c_int,
        // The virtual architecture, as CUB relies on, and what a driver would have compiled it for.
        CU_FUNC_ATTRIBUTE_PTX_VERSION => kernel.architecture as c_int,
        CU_FUNC_ATTRIBUTE_BINARY_VERSION => {
            let (major, minor) = state.device.profile().capability;
            (major * 10 + minor) as c_int
        }
        CU_FUNC_ATTRIBUTE_CACHE_MODE_CA => 0,
        CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES => function.max_dynamic_shared(state.device.profile()) as c_int,
        CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT => function.carveout,
        CU_FUNC_ATTRIBUTE_MAX => return Err(CUDA_ERROR_INVALID_VALUE),
    });
    Ok(())
}

/// Two attributes can be set: the limit of dynamic shared memory, and the carve-out, which is only a hint.
pub(crate) unsafe fn set_attribute(function: CUfunction, attribute: CUfunction_attribute, value: c_int) -> Outcome {
    let (context, handle) = resolve(function)?;
    let mut state = context.lock()?;
    let optin = state.device.profile().shared_per_block_optin;
    let function = state.functions.get_mut(&handle).ok_or(CUDA_ERROR_INVALID_HANDLE)?;
    let room = optin.saturating_sub(function.kernel().shared_bytes);
    match attribute {
        CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES if (0..=room as c_int).contains(&value) => {
            function.max_dynamic_shared = Some(value as u32);
        }
        CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT if (-1..=100).contains(&value) => function.carveout = value,
        _ => return Err(CUDA_ERROR_INVALID_VALUE),
    }
    Ok(())
}

/// A hint.
pub(crate) unsafe fn set_cache_config(function: CUfunction, _config: CUfunc_cache) -> Outcome {
    let (context, function) = resolve(function)?;
    context.lock()?.function(function).map(drop)
}

/// Bank size is fixed since Maxwell.
pub(crate) unsafe fn set_shared_config(function: CUfunction, _config: CUsharedconfig) -> Outcome {
    let (context, function) = resolve(function)?;
    context.lock()?.function(function).map(drop)
}

pub(crate) unsafe fn module(module: *mut CUmodule, function: CUfunction) -> Outcome {
    // SAFETY: an out-pointer of the caller.
    let module = unsafe { out(module)? };
    let (context, function) = resolve(function)?;
    module.set(context.lock()?.function(function)?.module as CUmodule);
    Ok(())
}
