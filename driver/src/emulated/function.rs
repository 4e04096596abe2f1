//! Functions of a module and their attributes (CUDA Driver API, "Execution Control").

use super::objects::{Function, Settings};
use super::outcome::{Outcome, out};
use super::state::{Context, State};
use super::{handle, library};
use cust_raw::CUfunction_attribute_enum::*;
use cust_raw::CUresult::*;
use cust_raw::*;
use emulator::{Kernel, Profile};
use std::ffi::{c_char, c_int, c_uint};
use std::sync::Arc;

impl State {
    pub(crate) fn function(&self, function: u64) -> Outcome<&Function> {
        self.functions.get(&function).ok_or(CUDA_ERROR_INVALID_HANDLE)
    }
}

/// The context of a function handle. For a kernel of a library: its function in the current context.
pub(crate) fn resolve(function: CUfunction) -> Outcome<(Arc<Context>, u64)> {
    super::state::may_call()?;
    let handle = function as u64;
    match handle::owner(handle::Kind::Function, handle) {
        Ok(context) => Ok((context, handle)),
        Err(code) => library::function_here(handle).unwrap_or(Err(code)),
    }
}

pub(crate) unsafe fn attribute(value: *mut c_int, attribute: c_uint, function: CUfunction) -> Outcome {
    // SAFETY: an out-pointer of the caller.
    let value = unsafe { out(value)? };
    let (context, function) = resolve(function)?;
    let state = context.lock()?;
    let function = state.function(function)?;
    value.set(function.settings.attribute(function.kernel(), state.device.profile(), attribute)?);
    Ok(())
}

/// Two attributes can be set: the limit of dynamic shared memory, and the carve-out, which is only a hint.
pub(crate) unsafe fn set_attribute(function: CUfunction, attribute: c_uint, value: c_int) -> Outcome {
    let (context, handle) = resolve(function)?;
    let mut state = context.lock()?;
    let State { device, functions, .. } = &mut *state;
    let function = functions.get_mut(&handle).ok_or(CUDA_ERROR_INVALID_HANDLE)?;
    let changed = function.settings.with(function.kernel(), device.profile(), attribute, value)?;
    function.settings = changed;
    Ok(())
}

/// Attributes by number, as a newer header may know more of them.
const MAX_THREADS_PER_BLOCK: c_uint = CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK as c_uint;
const SHARED_SIZE_BYTES: c_uint = CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES as c_uint;
const CONST_SIZE_BYTES: c_uint = CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES as c_uint;
const LOCAL_SIZE_BYTES: c_uint = CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES as c_uint;
const NUM_REGS: c_uint = CU_FUNC_ATTRIBUTE_NUM_REGS as c_uint;
const PTX_VERSION: c_uint = CU_FUNC_ATTRIBUTE_PTX_VERSION as c_uint;
const BINARY_VERSION: c_uint = CU_FUNC_ATTRIBUTE_BINARY_VERSION as c_uint;
const CACHE_MODE_CA: c_uint = CU_FUNC_ATTRIBUTE_CACHE_MODE_CA as c_uint;
const MAX_DYNAMIC_SHARED: c_uint = CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES as c_uint;
const CARVEOUT: c_uint = CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT as c_uint;
/// Those of thread block clusters, which this device does not have.
const CLUSTERS: std::ops::RangeInclusive<c_uint> = 10..=15;

impl Settings {
    /// An attribute of this kernel.
    pub(crate) fn attribute(&self, kernel: &Kernel, profile: &Profile, attribute: c_uint) -> Outcome<c_int> {
        Ok(match attribute {
            MAX_THREADS_PER_BLOCK => kernel.max_threads as c_int,
            SHARED_SIZE_BYTES => kernel.shared_bytes as c_int,
            CONST_SIZE_BYTES => kernel.const_bytes as c_int,
            LOCAL_SIZE_BYTES => kernel.local_bytes as c_int,
            NUM_REGS => kernel.registers as c_int,
            // The virtual architecture, as CUB relies on, and what a driver would have compiled it for.
            PTX_VERSION => kernel.architecture as c_int,
            BINARY_VERSION => (profile.capability.0 * 10 + profile.capability.1) as c_int,
            MAX_DYNAMIC_SHARED => self.max_dynamic_shared(kernel, profile) as c_int,
            CARVEOUT => self.carveout,
            CACHE_MODE_CA => 0,
            other if CLUSTERS.contains(&other) => 0,
            _ => return Err(CUDA_ERROR_INVALID_VALUE),
        })
    }

    /// With this attribute set.
    pub(crate) fn with(self, kernel: &Kernel, profile: &Profile, attribute: c_uint, value: c_int) -> Outcome<Settings> {
        let room = profile.shared_per_block_optin.saturating_sub(kernel.shared_bytes);
        match attribute {
            MAX_DYNAMIC_SHARED if (0..=room as c_int).contains(&value) => {
                Ok(Settings { max_dynamic_shared: Some(value as u32), ..self })
            }
            CARVEOUT if (-1..=100).contains(&value) => Ok(Settings { carveout: value, ..self }),
            _ => Err(CUDA_ERROR_INVALID_VALUE),
        }
    }
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

/// The name lives as long as the function's module.
pub(crate) unsafe fn name(name: *mut *const c_char, function: CUfunction) -> Outcome {
    // SAFETY: an out-pointer of the caller.
    let name = unsafe { out(name)? };
    let (context, function) = resolve(function)?;
    name.set(context.lock()?.function(function)?.name.as_ptr());
    Ok(())
}

pub(crate) unsafe fn parameter(function: CUfunction, index: usize, offset: *mut usize, bytes: *mut usize) -> Outcome {
    let (context, function) = resolve(function)?;
    let state = context.lock()?;
    // SAFETY: out-pointers of the caller.
    unsafe { give_parameter(state.function(function)?.kernel(), index, offset, bytes) }
}

/// Writes the offset of a parameter in the parameter block, and its size unless `bytes` is null.
///
/// # Safety
/// Both are null or out-pointers of the caller.
pub(crate) unsafe fn give_parameter(kernel: &Kernel, index: usize, offset: *mut usize, bytes: *mut usize) -> Outcome {
    // SAFETY: an out-pointer of the caller.
    let offset = unsafe { out(offset)? };
    let parameter = kernel.parameters.get(index).ok_or(CUDA_ERROR_INVALID_VALUE)?;
    offset.set(parameter.offset as usize);
    if !bytes.is_null() {
        // SAFETY: an out-pointer of the caller.
        unsafe { out(bytes)? }.set(parameter.bytes as usize);
    }
    Ok(())
}

/// `CU_FUNCTION_LOADING_STATE_LOADED`: a module is loaded as a whole.
pub(crate) unsafe fn is_loaded(loaded: *mut c_uint, function: CUfunction) -> Outcome {
    // SAFETY: an out-pointer of the caller.
    let loaded = unsafe { out(loaded)? };
    let (context, function) = resolve(function)?;
    context.lock()?.function(function)?;
    loaded.set(1);
    Ok(())
}

/// A kernel of a library is loaded into the current context by being named.
pub(crate) unsafe fn load(function: CUfunction) -> Outcome {
    let (context, function) = resolve(function)?;
    context.lock()?.function(function).map(drop)
}
