//! Libraries and their kernels (CUDA Driver API, "Library Management").
//!
//! A library belongs to no context. Its code is kept as a program, and becomes a module of a context when it is first
//! needed there. A kernel's handle may stand for a function: [`function_here`] gives that of the current context.

use super::device;
use super::module::{give_global, give_parameter, kernel_named, read, text};
use crate::emulated::base::image;
use crate::emulated::base::jit_log::JitLog;
use crate::emulated::base::outcome::{CallResult, out};
use crate::emulated::base::process::may_call;
use crate::emulated::context::Context;
use crate::emulated::context::current::{self, current, this_or_current};
use crate::emulated::context::handle;
use crate::emulated::context::objects::{Settings, c_name};
use crate::emulated::context::state::{ContextState, profile};
use crate::types::{CU_LIBRARY_BINARY_IS_PRESERVED, CUkernel, CUlibrary, CUlibraryOption};
use cust_raw::CUresult::*;
use cust_raw::{CUcontext, CUdevice, CUdeviceptr, CUfunction, CUjit_option, CUmodule};
use emulator::Program;
use std::collections::BTreeMap;
use std::ffi::{CString, c_char, c_int, c_uint, c_void};
use std::sync::{Arc, Mutex, MutexGuard};

struct Libraries {
    libraries: BTreeMap<u64, LoadedLibrary>,
    kernels: BTreeMap<u64, Kernel>,
}

#[derive(Clone)]
struct LoadedLibrary {
    program: Arc<Program>,
    /// Handles, one for each kernel of the program.
    kernels: Vec<u64>,
}

struct Kernel {
    library: u64,
    index: usize,
    settings: Settings,
    name: CString,
}

/// A kernel with what it takes to load it. No lock is held any more: the context's own comes next.
struct LoadableKernel {
    library: u64,
    program: Arc<Program>,
    index: usize,
    settings: Settings,
}

fn libraries() -> MutexGuard<'static, Libraries> {
    static LIBRARIES: Mutex<Libraries> = Mutex::new(Libraries { libraries: BTreeMap::new(), kernels: BTreeMap::new() });
    LIBRARIES.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

impl Libraries {
    fn library(&self, library: CUlibrary) -> CallResult<&LoadedLibrary> {
        may_call()?;
        self.libraries.get(&(library as u64)).ok_or(CUDA_ERROR_INVALID_HANDLE)
    }

    fn kernel(&self, kernel: CUkernel) -> CallResult<&Kernel> {
        may_call()?;
        self.kernels.get(&(kernel as u64)).ok_or(CUDA_ERROR_INVALID_HANDLE)
    }

    fn found(&self, kernel: CUkernel) -> CallResult<LoadableKernel> {
        let &Kernel { library, index, settings, .. } = self.kernel(kernel)?;
        let program = self.libraries.get(&library).ok_or(CUDA_ERROR_INVALID_HANDLE)?.program.clone();
        Ok(LoadableKernel { library, program, index, settings })
    }
}

impl LoadableKernel {
    fn kernel(&self) -> &emulator::Kernel {
        &self.program.kernels()[self.index]
    }

    fn function_in(&self, context: &Arc<Context>) -> CallResult<u64> {
        let mut state = context.lock()?;
        let module = state.module_of(context, self.library, &self.program)?;
        let is_new = state.module(module)?.functions[self.index].is_none();
        let function = state.function_of(context, module, self.index)?;
        if let Some(made) = state.functions.get_mut(&function).filter(|_| is_new) {
            made.settings = self.settings;
        }
        Ok(function)
    }
}

impl ContextState {
    /// The library's module here, which is made where it is missing.
    fn module_of(&mut self, context: &Arc<Context>, library: u64, program: &Arc<Program>) -> CallResult<u64> {
        if let Some(&module) = self.libraries.get(&library) {
            return Ok(module);
        }
        let module = self.add_module(context, program)?;
        self.libraries.insert(library, module);
        Ok(module)
    }
}

/// The function of a kernel in the current context; `None` if this is no kernel's handle.
pub(super) fn function_here(kernel: u64) -> Option<CallResult<(Arc<Context>, u64)>> {
    let found = libraries().found(kernel as CUkernel).ok()?;
    Some(current().and_then(|context| {
        let function = found.function_in(&context)?;
        Ok((context, function))
    }))
}

/// The function of a kernel in this context, or in the current one if it is null.
pub(super) fn function_of(kernel: CUkernel, context: CUcontext) -> CallResult<CUfunction> {
    let found = libraries().found(kernel)?;
    let context = this_or_current(context)?;
    Ok(found.function_in(&context)? as CUfunction)
}

/// The library's module in the current context.
fn module_here(library: CUlibrary) -> CallResult<(Arc<Context>, u64)> {
    let program = libraries().library(library)?.program.clone();
    let context = current()?;
    let module = context.lock()?.module_of(&context, library as u64, &program)?;
    Ok((context, module))
}

/// Options of the JIT compiler are taken as for a module; those of the library tell where its code is kept.
#[expect(clippy::too_many_arguments, reason = "the API has them")]
pub(crate) unsafe fn load_data(
    library: *mut CUlibrary,
    code: *const c_void,
    options: *mut CUjit_option,
    option_values: *mut *mut c_void,
    option_count: c_uint,
    library_options: *mut CUlibraryOption,
    _library_option_values: *mut *mut c_void,
    library_option_count: c_uint,
) -> CallResult {
    may_call()?;
    // SAFETY: an out-pointer, an image and options of the caller.
    let (library, image, log) = unsafe {
        let log = JitLog::new(option_count, options, option_values)?;
        check_options(library_options, library_option_count, CU_LIBRARY_BINARY_IS_PRESERVED)?;
        (out(library)?, image::sources(code)?.with_max_registers(log.max_registers), log)
    };
    let program = Arc::new(image::program(&image, &profile()).map_err(|refusal| log.fail(&refusal))?);
    log.write(&image::remarks(&program), "");
    library.set(add(program) as CUlibrary);
    Ok(())
}

#[expect(clippy::too_many_arguments, reason = "the API has them")]
pub(crate) unsafe fn load_file(
    library: *mut CUlibrary,
    file: *const c_char,
    options: *mut CUjit_option,
    option_values: *mut *mut c_void,
    option_count: c_uint,
    library_options: *mut CUlibraryOption,
    library_option_values: *mut *mut c_void,
    library_option_count: c_uint,
) -> CallResult {
    // SAFETY: a name and options of the caller; what was read ends with a NUL.
    unsafe {
        // No caller keeps what is read from a file.
        check_options(library_options, library_option_count, CU_LIBRARY_BINARY_IS_PRESERVED - 1)?;
        let bytes = read(file)?;
        let (code, values) = (bytes.as_ptr().cast(), library_option_values);
        load_data(library, code, options, option_values, option_count, library_options, values, library_option_count)
    }
}

/// # Safety
/// `options` is null or has `count` entries.
unsafe fn check_options(options: *const CUlibraryOption, count: c_uint, last: CUlibraryOption) -> CallResult {
    // SAFETY: as above.
    let is_known = |index| unsafe { options.add(index).read_unaligned() } <= last;
    if count > 0 && (options.is_null() || !(0..count as usize).all(is_known)) {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    Ok(())
}

fn add(program: Arc<Program>) -> u64 {
    let library = handle::fresh();
    let mut all = libraries();
    let mut kernels = Vec::new();
    for (index, kernel) in program.kernels().iter().enumerate() {
        let (key, name) = (handle::fresh(), c_name(kernel));
        all.kernels.insert(key, Kernel { library, index, settings: Settings::new(), name });
        kernels.push(key);
    }
    all.libraries.insert(library, LoadedLibrary { program, kernels });
    library
}

/// Work that uses it is done first, in every context that has loaded it.
pub(crate) unsafe fn unload(library: CUlibrary) -> CallResult {
    let key = library as u64;
    {
        let mut all = libraries();
        let removed = all.library(library)?.clone();
        all.libraries.remove(&key);
        removed.kernels.iter().for_each(|kernel| drop(all.kernels.remove(kernel)));
    }
    for context in current::all() {
        if context.lock_faulted().libraries.contains_key(&key) {
            let mut state = context.finish(context.lock_faulted());
            let module = state.libraries.remove(&key);
            module.map_or(Ok(()), |module| state.remove_module(module))?;
        }
    }
    Ok(())
}

pub(crate) unsafe fn kernel(kernel: *mut CUkernel, library: CUlibrary, name: *const c_char) -> CallResult {
    // SAFETY: an out-pointer and a NUL-terminated name of the caller.
    let (kernel, name) = unsafe { (out(kernel)?, text(name)?) };
    let LoadedLibrary { program, kernels } = libraries().library(library)?.clone();
    kernel.set(kernels[kernel_named(&program, name)?] as CUkernel);
    Ok(())
}

pub(crate) unsafe fn kernel_count(count: *mut c_uint, library: CUlibrary) -> CallResult {
    // SAFETY: an out-pointer of the caller.
    let count = unsafe { out(count)? };
    count.set(libraries().library(library)?.kernels.len() as c_uint);
    Ok(())
}

/// At most `count` of the library's kernels.
pub(crate) unsafe fn kernels(list: *mut CUkernel, count: c_uint, library: CUlibrary) -> CallResult {
    let kernels = libraries().library(library)?.kernels.clone();
    for (index, kernel) in kernels.into_iter().take(count as usize).enumerate() {
        // SAFETY: the caller's list has `count` places.
        unsafe { out(list.wrapping_add(index))? }.set(kernel as CUkernel);
    }
    Ok(())
}

pub(crate) unsafe fn module(module: *mut CUmodule, library: CUlibrary) -> CallResult {
    // SAFETY: an out-pointer of the caller.
    let module = unsafe { out(module)? };
    module.set(module_here(library)?.1 as CUmodule);
    Ok(())
}

/// Either out-pointer may be null.
pub(crate) unsafe fn global(
    address: *mut CUdeviceptr,
    bytes: *mut usize,
    library: CUlibrary,
    name: *const c_char,
) -> CallResult {
    // SAFETY: a NUL-terminated name of the caller.
    let name = unsafe { text(name)? };
    let (context, module) = module_here(library)?;
    let found = context.lock()?.global_of(module, name)?;
    // SAFETY: out-pointers of the caller.
    unsafe { give_global(found, address, bytes) }
}

/// Variables lie in device memory, `.managed` ones too: none is where the host could use it.
pub(crate) unsafe fn managed(
    _address: *mut CUdeviceptr,
    _bytes: *mut usize,
    library: CUlibrary,
    name: *const c_char,
) -> CallResult {
    // SAFETY: a NUL-terminated name of the caller.
    unsafe { text(name)? };
    libraries().library(library)?;
    Err(CUDA_ERROR_NOT_FOUND)
}

pub(crate) unsafe fn kernel_function(function: *mut CUfunction, kernel: CUkernel) -> CallResult {
    // SAFETY: an out-pointer of the caller.
    let function = unsafe { out(function)? };
    function.set(function_of(kernel, std::ptr::null_mut())?);
    Ok(())
}

pub(crate) unsafe fn kernel_library(library: *mut CUlibrary, kernel: CUkernel) -> CallResult {
    // SAFETY: an out-pointer of the caller.
    let library = unsafe { out(library)? };
    library.set(libraries().kernel(kernel)?.library as CUlibrary);
    Ok(())
}

/// The name lives as long as the library.
pub(crate) unsafe fn kernel_name(name: *mut *const c_char, kernel: CUkernel) -> CallResult {
    // SAFETY: an out-pointer of the caller.
    let name = unsafe { out(name)? };
    name.set(libraries().kernel(kernel)?.name.as_ptr());
    Ok(())
}

pub(crate) unsafe fn kernel_attribute(
    value: *mut c_int,
    attribute: c_uint,
    kernel: CUkernel,
    device: CUdevice,
) -> CallResult {
    device::check(device)?;
    // SAFETY: an out-pointer of the caller.
    let value = unsafe { out(value)? };
    let found = libraries().found(kernel)?;
    value.set(found.settings.attribute(found.kernel(), &profile(), attribute)?);
    Ok(())
}

/// For contexts that will load the kernel, and for those that have.
pub(crate) unsafe fn set_kernel_attribute(
    attribute: c_uint,
    value: c_int,
    kernel: CUkernel,
    device: CUdevice,
) -> CallResult {
    device::check(device)?;
    let found = libraries().found(kernel)?;
    let settings = found.settings.with(found.kernel(), &profile(), attribute, value)?;
    if let Some(kernel) = libraries().kernels.get_mut(&(kernel as u64)) {
        kernel.settings = settings;
    }
    for context in current::all() {
        let mut state = context.lock_faulted();
        let ContextState { libraries, modules, functions, .. } = &mut *state;
        let module = libraries.get(&found.library).and_then(|module| modules.get(module));
        let function = module.and_then(|module| module.functions[found.index]);
        if let Some(function) = function.and_then(|function| functions.get_mut(&function)) {
            function.settings = settings;
        }
    }
    Ok(())
}

/// A hint.
pub(crate) unsafe fn set_kernel_cache_config(kernel: CUkernel, _config: c_uint, device: CUdevice) -> CallResult {
    device::check(device)?;
    libraries().kernel(kernel).map(drop)
}

pub(crate) unsafe fn kernel_parameter(
    kernel: CUkernel,
    index: usize,
    offset: *mut usize,
    bytes: *mut usize,
) -> CallResult {
    let found = libraries().found(kernel)?;
    // SAFETY: out-pointers of the caller.
    unsafe { give_parameter(found.kernel(), index, offset, bytes) }
}
