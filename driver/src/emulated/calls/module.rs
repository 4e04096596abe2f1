//! Modules (CUDA Driver API, "Module Management"). The device's code is PTX: cubins and fatbins are refused.

use crate::emulated::base::image;
use crate::emulated::base::jit_log::JitLog;
use crate::emulated::base::outcome::{CallResult, code, out};
use crate::emulated::base::process::may_call;
use crate::emulated::context::Context;
use crate::emulated::context::current::current;
use crate::emulated::context::handle;
use crate::emulated::context::objects::{Function, Module};
use crate::emulated::context::state::ContextState;
use cust_raw::CUresult::*;
use cust_raw::*;
use emulator::{Kernel, Program};
use std::ffi::{CStr, c_char, c_uint, c_void};
use std::sync::Arc;

/// A name of the caller's.
///
/// # Safety
/// `name` is null or NUL-terminated.
pub(crate) unsafe fn text<'a>(name: *const c_char) -> CallResult<&'a CStr> {
    if name.is_null() {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    // SAFETY: as above.
    Ok(unsafe { CStr::from_ptr(name) })
}

/// The context of a module handle.
fn owner(module: CUmodule) -> CallResult<Arc<Context>> {
    may_call()?;
    handle::owner(handle::HandleKind::Module, module as u64)
}

impl ContextState {
    pub(crate) fn module(&mut self, module: u64) -> CallResult<&mut Module> {
        self.modules.get_mut(&module).ok_or(CUDA_ERROR_INVALID_HANDLE)
    }

    /// Makes a module of this program, and gives its handle.
    pub(crate) fn add_module(&mut self, context: &Arc<Context>, program: &Arc<Program>) -> CallResult<u64> {
        let loaded = Arc::new(self.device.load(program).map_err(code)?);
        let functions = vec![None; program.kernels().len()];
        let key = handle::register(handle::HandleKind::Module, context);
        self.modules.insert(key, Module { loaded, functions });
        Ok(key)
    }

    /// To be called when no work uses the module any more.
    pub(crate) fn remove_module(&mut self, module: u64) -> CallResult {
        let removed = self.modules.remove(&module).ok_or(CUDA_ERROR_INVALID_HANDLE)?;
        handle::forget(module);
        for function in removed.functions.into_iter().flatten() {
            handle::forget(function);
            self.functions.remove(&function);
        }
        self.device.unload(Arc::unwrap_or_clone(removed.loaded));
        Ok(())
    }

    /// The function of a module's kernel: asking again gives the same one.
    pub(crate) fn function_of(&mut self, context: &Arc<Context>, module: u64, kernel: usize) -> CallResult<u64> {
        let found = self.module(module)?;
        if let Some(known) = found.functions[kernel] {
            return Ok(known);
        }
        let key = handle::register(handle::HandleKind::Function, context);
        found.functions[kernel] = Some(key);
        let made = Function::new(found.loaded.clone(), module, kernel);
        self.functions.insert(key, made);
        Ok(key)
    }

    /// Address and size of a module's variable.
    pub(crate) fn global_of(&mut self, module: u64, name: &CStr) -> CallResult<(u64, u64)> {
        let mut globals = self.module(module)?.loaded.globals.iter();
        let found = globals.find(|(known, ..)| known.as_bytes() == name.to_bytes());
        found.map(|(_, start, size)| (*start, *size)).ok_or(CUDA_ERROR_NOT_FOUND)
    }
}

/// Which kernel of a program has this name. If a line was passed over that may have declared it, that is said.
pub(crate) fn kernel_named(program: &Program, name: &CStr) -> CallResult<usize> {
    let found = program.kernels().iter().position(|kernel| kernel.name.as_bytes() == name.to_bytes());
    found.ok_or_else(|| {
        for line in image::may_have_declared(program, &name.to_string_lossy()) {
            words::complain(&line);
        }
        CUDA_ERROR_NOT_FOUND
    })
}

/// A variable's address and size to where the caller wants them; either may be null.
///
/// # Safety
/// Both are null or out-pointers of the caller.
pub(crate) unsafe fn give_global(found: (u64, u64), address: *mut CUdeviceptr, bytes: *mut usize) -> CallResult {
    if !address.is_null() {
        // SAFETY: an out-pointer of the caller.
        unsafe { out(address)? }.set(found.0);
    }
    if !bytes.is_null() {
        // SAFETY: an out-pointer of the caller.
        unsafe { out(bytes)? }.set(found.1 as usize);
    }
    Ok(())
}

/// Writes the offset of a parameter in the parameter block, and its size unless `bytes` is null.
///
/// # Safety
/// Both are null or out-pointers of the caller.
pub(crate) unsafe fn give_parameter(
    kernel: &Kernel,
    index: usize,
    offset: *mut usize,
    bytes: *mut usize,
) -> CallResult {
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

/// A file's content as an image.
///
/// # Safety
/// `file` is null or NUL-terminated.
pub(crate) unsafe fn read(file: *const c_char) -> CallResult<Vec<u8>> {
    // SAFETY: as above.
    let file = unsafe { text(file)? };
    use std::os::unix::ffi::OsStrExt;
    let path = std::ffi::OsStr::from_bytes(file.to_bytes());
    let mut bytes = std::fs::read(path).map_err(|_| CUDA_ERROR_FILE_NOT_FOUND)?;
    bytes.push(0);
    Ok(bytes)
}

pub(crate) unsafe fn load(module: *mut CUmodule, file: *const c_char) -> CallResult {
    // SAFETY: NUL-terminated, by the caller.
    let bytes = unsafe { read(file)? };
    // SAFETY: `bytes` ends with a NUL.
    unsafe { load_data(module, bytes.as_ptr().cast()) }
}

pub(crate) unsafe fn load_data(module: *mut CUmodule, image: *const c_void) -> CallResult {
    // SAFETY: passed on as it came.
    unsafe { load_data_ex(module, image, 0, std::ptr::null_mut(), std::ptr::null_mut()) }
}

pub(crate) unsafe fn load_data_ex(
    module: *mut CUmodule,
    image: *const c_void,
    option_count: c_uint,
    options: *mut CUjit_option,
    option_values: *mut *mut c_void,
) -> CallResult {
    // SAFETY: an out-pointer, an image and options of the caller.
    let (module, image, log) = unsafe {
        let log = JitLog::new(option_count, options, option_values)?;
        (out(module)?, image::sources(image)?.with_max_registers(log.max_registers), log)
    };
    let context = current()?;
    let profile = context.lock()?.device.profile().clone();
    // Parsed with the context unlocked: other threads may use it meanwhile.
    let program = Arc::new(image::program(&image, &profile).map_err(|refusal| log.fail(&refusal))?);
    log.write(&image::remarks(&program), "");

    let key = context.lock()?.add_module(&context, &program)?;
    module.set(key as CUmodule);
    Ok(())
}

/// Work that uses the module is done first.
pub(crate) unsafe fn unload(module: CUmodule) -> CallResult {
    let context = owner(module)?;
    let mut state = context.drain(context.lock()?)?;
    // A library's module goes with its library.
    if state.libraries.values().any(|&of_library| of_library == module as u64) {
        return Err(CUDA_ERROR_NOT_PERMITTED);
    }
    state.remove_module(module as u64)
}

pub(crate) unsafe fn function(function: *mut CUfunction, module: CUmodule, name: *const c_char) -> CallResult {
    // SAFETY: an out-pointer and a NUL-terminated name of the caller.
    let (function, name) = unsafe { (out(function)?, text(name)?) };
    let context = owner(module)?;
    let mut state = context.lock()?;
    let kernel = kernel_named(&state.module(module as u64)?.loaded.program, name)?;
    function.set(state.function_of(&context, module as u64, kernel)? as CUfunction);
    Ok(())
}

/// Either out-pointer may be null.
pub(crate) unsafe fn global(
    address: *mut CUdeviceptr,
    bytes: *mut usize,
    module: CUmodule,
    name: *const c_char,
) -> CallResult {
    // SAFETY: a NUL-terminated name of the caller.
    let name = unsafe { text(name)? };
    let context = owner(module)?;
    let found = context.lock()?.global_of(module as u64, name)?;
    // SAFETY: out-pointers of the caller.
    unsafe { give_global(found, address, bytes) }
}

pub(crate) unsafe fn function_count(count: *mut c_uint, module: CUmodule) -> CallResult {
    // SAFETY: an out-pointer of the caller.
    let count = unsafe { out(count)? };
    let context = owner(module)?;
    count.set(context.lock()?.module(module as u64)?.functions.len() as c_uint);
    Ok(())
}

/// At most `count` of the module's functions.
pub(crate) unsafe fn functions(list: *mut CUfunction, count: c_uint, module: CUmodule) -> CallResult {
    let context = owner(module)?;
    let mut state = context.lock()?;
    let all = state.module(module as u64)?.functions.len();
    for kernel in 0..all.min(count as usize) {
        let function = state.function_of(&context, module as u64, kernel)?;
        // SAFETY: the caller's list has `count` places.
        unsafe { out(list.wrapping_add(kernel))? }.set(function as CUfunction);
    }
    Ok(())
}

/// All of a module is there once it is loaded (`CU_MODULE_EAGER_LOADING`).
pub(crate) unsafe fn loading_mode(mode: *mut c_uint) -> CallResult {
    may_call()?;
    // SAFETY: an out-pointer of the caller.
    unsafe { out(mode)? }.set(1);
    Ok(())
}
