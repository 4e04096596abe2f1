//! Modules (CUDA Driver API, "Module Management"). The device's code is PTX: cubins and fatbins are refused.

use super::image;
use super::jit_log::JitLog;
use super::objects::{Function, Module};
use super::outcome::{Outcome, out};
use super::state::{Context, State, current};
use super::{handle, memory};
use cust_raw::CUresult::*;
use cust_raw::*;
use std::ffi::{CStr, c_char, c_uint, c_void};
use std::sync::Arc;

/// A name of the caller's.
///
/// # Safety
/// `name` is null or NUL-terminated.
unsafe fn text<'a>(name: *const c_char) -> Outcome<&'a CStr> {
    if name.is_null() {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    // SAFETY: as above.
    Ok(unsafe { CStr::from_ptr(name) })
}

/// The context of a module handle.
fn owner(module: CUmodule) -> Outcome<Arc<Context>> {
    super::state::may_call()?;
    handle::owner(handle::Kind::Module, module as u64)
}

impl State {
    pub(crate) fn module(&mut self, module: u64) -> Outcome<&mut Module> {
        self.modules.get_mut(&module).ok_or(CUDA_ERROR_INVALID_HANDLE)
    }
}

pub(crate) unsafe fn load(module: *mut CUmodule, file: *const c_char) -> Outcome {
    // SAFETY: NUL-terminated, by the caller.
    let file = unsafe { text(file)? };
    use std::os::unix::ffi::OsStrExt;
    let path = std::ffi::OsStr::from_bytes(file.to_bytes());
    let mut bytes = std::fs::read(path).map_err(|_| CUDA_ERROR_FILE_NOT_FOUND)?;
    bytes.push(0);
    // SAFETY: `bytes` ends with a NUL.
    unsafe { load_data(module, bytes.as_ptr().cast()) }
}

pub(crate) unsafe fn load_data(module: *mut CUmodule, image: *const c_void) -> Outcome {
    // SAFETY: passed on as it came.
    unsafe { load_data_ex(module, image, 0, std::ptr::null_mut(), std::ptr::null_mut()) }
}

pub(crate) unsafe fn load_data_ex(
    module: *mut CUmodule,
    image: *const c_void,
    option_count: c_uint,
    options: *mut CUjit_option,
    option_values: *mut *mut c_void,
) -> Outcome {
    // SAFETY: an out-pointer, an image and options of the caller.
    let (module, sources, log) = unsafe {
        let log = JitLog::new(option_count, options, option_values)?;
        (out(module)?, image::sources(image)?, log)
    };
    let context = current()?;
    let profile = context.lock()?.device.profile().clone();
    // Parsed with the context unlocked: other threads may use it meanwhile.
    let program = Arc::new(image::program(&sources, &profile).map_err(|refusal| log.fail(&refusal))?);
    log.write(&image::remarks(&program), "");

    let mut state = context.lock()?;
    let loaded = Arc::new(state.device.load(&program).map_err(memory::code)?);
    let functions = vec![None; program.kernels().len()];
    let key = handle::register(handle::Kind::Module, &context);
    state.modules.insert(key, Module { loaded, functions });
    module.set(key as CUmodule);
    Ok(())
}

/// Work that uses the module is done first.
pub(crate) unsafe fn unload(module: CUmodule) -> Outcome {
    let context = owner(module)?;
    let mut state = context.drain(context.lock()?)?;
    let removed = state.modules.remove(&(module as u64)).ok_or(CUDA_ERROR_INVALID_HANDLE)?;
    handle::forget(module as u64);
    for function in removed.functions.into_iter().flatten() {
        handle::forget(function);
        state.functions.remove(&function);
    }
    state.device.unload(Arc::unwrap_or_clone(removed.loaded));
    Ok(())
}

pub(crate) unsafe fn function(function: *mut CUfunction, module: CUmodule, name: *const c_char) -> Outcome {
    // SAFETY: an out-pointer and a NUL-terminated name of the caller.
    let (function, name) = unsafe { (out(function)?, text(name)?) };
    let context = owner(module)?;
    let mut state = context.lock()?;
    let found = state.module(module as u64)?;
    let kernels = found.loaded.program.kernels();
    let same = |kernel: &emulator::Kernel| kernel.name.as_bytes() == name.to_bytes();
    let Some(index) = kernels.iter().position(same) else {
        for line in image::may_have_declared(&found.loaded.program, &name.to_string_lossy()) {
            words::complain(&line);
        }
        return Err(CUDA_ERROR_NOT_FOUND);
    };
    if let Some(known) = found.functions[index] {
        function.set(known as CUfunction);
        return Ok(());
    }
    let key = handle::register(handle::Kind::Function, &context);
    found.functions[index] = Some(key);
    let made = Function::new(found.loaded.clone(), module as u64, index);
    state.functions.insert(key, made);
    function.set(key as CUfunction);
    Ok(())
}

/// Either out-pointer may be null.
pub(crate) unsafe fn global(
    address: *mut CUdeviceptr,
    bytes: *mut usize,
    module: CUmodule,
    name: *const c_char,
) -> Outcome {
    // SAFETY: a NUL-terminated name of the caller.
    let name = unsafe { text(name)? };
    let context = owner(module)?;
    let mut state = context.lock()?;
    let found = state.module(module as u64)?;
    let mut globals = found.loaded.globals.iter();
    let (_, start, size) =
        globals.find(|(known, ..)| known.as_bytes() == name.to_bytes()).ok_or(CUDA_ERROR_NOT_FOUND)?;
    if !address.is_null() {
        // SAFETY: an out-pointer of the caller.
        unsafe { out(address)? }.set(*start);
    }
    if !bytes.is_null() {
        // SAFETY: an out-pointer of the caller.
        unsafe { out(bytes)? }.set(*size as usize);
    }
    Ok(())
}
