//! The registry of what a program's constructors register before `main`: fat binaries, and the kernels and variables in
//! them by the address of the host's stand-in for each (nvcc's `crt/host_runtime.h`).
//!
//! A binary becomes a module of the driver's when a context first needs something of it, and anew in a context made
//! later. As in CUDA, the same stand-in means another kernel handle in another context.

use crate::containers::{self, NoPtx};
use crate::cu::{self, Address, Handle};
use crate::fatbin;
use crate::runtime::{Error, RuntimeResult, check};
use driver::emulated::is_forked;
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::ffi::{CString, c_void};
use std::ptr::{null, null_mut};
use std::sync::{Mutex, MutexGuard};

struct Registry {
    binaries: BTreeMap<usize, Binary>,
    /// The number of binaries that there have ever been: no handle is given twice.
    count: usize,
    functions: BTreeMap<usize, RegisteredName>,
    variables: BTreeMap<usize, Variable>,
    /// Modules that are loaded, by binary and context.
    modules: BTreeMap<(usize, usize), usize>,
}

struct Binary {
    /// The fat binaries that nvcc's wrapper points to.
    parts: RuntimeResult<Vec<&'static [u8]>>,
    /// The PTX of each part for the emulated device, once something of it is needed: libraries have much that is not.
    sources: OnceCell<RuntimeResult<Vec<CString>>>,
    /// Managed variables: each with the program's pointer that is to hold its address.
    managed: Vec<(usize, CString)>,
}

#[derive(Clone)]
struct RegisteredName {
    binary: usize,
    name: CString,
}

#[derive(Clone)]
struct Variable {
    named: RegisteredName,
    bytes: usize,
}

fn registry() -> MutexGuard<'static, Registry> {
    static REGISTRY: Mutex<Registry> = Mutex::new(Registry {
        binaries: BTreeMap::new(),
        count: 0,
        functions: BTreeMap::new(),
        variables: BTreeMap::new(),
        modules: BTreeMap::new(),
    });
    REGISTRY.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Registers the fat binaries of a wrapper. Gives their handle, which is never 0.
///
/// # Safety
/// `wrapper` points to what nvcc has made, and stays as it is.
pub unsafe fn add(wrapper: *const u8) -> usize {
    // SAFETY: by the caller.
    let parts = unsafe { fatbin::wrapped(wrapper) }.ok_or(Error::INVALID_KERNEL_IMAGE);
    let mut registry = registry();
    registry.count += 1;
    let handle = registry.count;
    registry.binaries.insert(handle, Binary { parts, sources: OnceCell::new(), managed: Vec::new() });
    handle
}

/// The program, or a library of its own, goes away. What it has launched is done first.
pub fn remove(handle: usize) {
    if is_forked() {
        return;
    }
    driver::emulated::finish_all();
    let mut registry = registry();
    registry.binaries.remove(&handle);
    registry.functions.retain(|_, function| function.binary != handle);
    registry.variables.retain(|_, variable| variable.named.binary != handle);
    registry.modules.retain(|(binary, _), _| *binary != handle);
}

pub fn add_function(binary: usize, stand_in: usize, name: CString) {
    registry().functions.insert(stand_in, RegisteredName { binary, name });
}

pub fn add_variable(binary: usize, stand_in: usize, name: CString, bytes: usize) {
    registry().variables.insert(stand_in, Variable { named: RegisteredName { binary, name }, bytes });
}

pub fn add_managed(binary: usize, pointer: usize, name: CString, bytes: usize) {
    let mut registry = registry();
    if let Some(found) = registry.binaries.get_mut(&binary) {
        found.managed.push((pointer, name.clone()));
    }
    registry.variables.insert(pointer, Variable { named: RegisteredName { binary, name }, bytes });
}

/// The contexts' modules are gone.
pub fn forget_modules() {
    registry().modules.clear();
}

pub fn is_function(stand_in: usize) -> bool {
    registry().functions.contains_key(&stand_in)
}

/// A kernel's name in the PTX.
pub fn function_name(stand_in: usize) -> Option<CString> {
    registry().functions.get(&stand_in).map(|found| found.name.clone())
}

/// The host's stand-in for a kernel that the driver gave this handle.
pub fn stand_in(context: Handle, handle: Handle) -> RuntimeResult<usize> {
    let all: Vec<usize> = registry().functions.keys().copied().collect();
    let is_it = |one: &usize| function(context, *one).is_ok_and(|found| found == handle);
    all.into_iter().find(is_it).ok_or(Error::INVALID_DEVICE_FUNCTION)
}

/// True if the program was compiled by CUDA 12, whose PTX has versions up to 8. Some names mean another function there.
pub fn is_of_cuda_12() -> bool {
    let registry = registry();
    let mut sources = registry.binaries.values().filter_map(|binary| binary.sources().ok()).flatten();
    sources.next().is_some_and(|ptx| {
        let start = &ptx.as_bytes()[..ptx.as_bytes().len().min(1000)];
        String::from_utf8_lossy(start).lines().any(|line| line.trim().starts_with(".version 8."))
    })
}

/// The driver's handle of a kernel in this context.
pub fn function(context: Handle, stand_in: usize) -> RuntimeResult<Handle> {
    let mut registry = registry();
    let Some(RegisteredName { binary, name }) = registry.functions.get(&stand_in).cloned() else {
        return Err(Error::INVALID_DEVICE_FUNCTION);
    };
    let module = registry.module(context, binary)?;
    let mut function = null_mut();
    // SAFETY: an out-pointer to a local, and a name that ends with NUL.
    match unsafe { cu::cuModuleGetFunction(&mut function, module, name.as_ptr()) } {
        // CUDA_ERROR_NOT_FOUND
        500 => Err(Error::INVALID_DEVICE_FUNCTION),
        code => check(code).map(|()| function),
    }
}

/// Returns the address of a variable in this context, and its size in bytes.
pub fn variable(context: Handle, stand_in: usize) -> RuntimeResult<(Address, usize)> {
    let mut registry = registry();
    let Some(Variable { named: RegisteredName { binary, name }, bytes }) = registry.variables.get(&stand_in).cloned()
    else {
        return Err(Error::INVALID_SYMBOL);
    };
    let module = registry.module(context, binary)?;
    Ok((global(module, &name)?, bytes))
}

fn global(module: Handle, name: &CString) -> RuntimeResult<Address> {
    let mut address = 0;
    // SAFETY: an out-pointer to a local, and a name that ends with NUL.
    match unsafe { cu::cuModuleGetGlobal_v2(&mut address, null_mut(), module, name.as_ptr()) } {
        // CUDA_ERROR_NOT_FOUND
        500 => Err(Error::INVALID_SYMBOL),
        code => check(code).map(|()| address),
    }
}

/// Gives the managed variables of a binary their addresses: the host may read them before the first launch.
pub fn begin_managed(context: Handle, binary: usize) -> RuntimeResult {
    registry().module(context, binary).map(drop)
}

impl Binary {
    fn sources(&self) -> RuntimeResult<&[CString]> {
        let read = || self.parts.as_ref().map_err(|error| *error).and_then(|parts| sources(parts));
        self.sources.get_or_init(read).as_deref().map_err(|error| *error)
    }
}

impl Registry {
    fn module(&mut self, context: Handle, binary: usize) -> RuntimeResult<Handle> {
        if let Some(module) = self.modules.get(&(binary, context as usize)) {
            return Ok(*module as Handle);
        }
        let found = self.binaries.get(&binary).ok_or(Error::INVALID_DEVICE_FUNCTION)?;
        let module = load(found.sources()?)?;
        for (pointer, name) in &found.managed {
            let address = global(module, name)?;
            // SAFETY: the program registered this pointer of its own to be written here.
            unsafe { (*pointer as *mut Address).write(address) };
        }
        self.modules.insert((binary, context as usize), module as usize);
        Ok(module)
    }
}

/// Returns the PTX of each fat binary that the emulated device can run.
fn sources(binaries: &[&[u8]]) -> RuntimeResult<Vec<CString>> {
    let found = containers::ptx(binaries).or_else(|missing| match missing {
        // It is told when something is called: a program may load a library that it does not use.
        NoPtx::MachineCode => Ok(Vec::new()),
        NoPtx::Unreadable(_) => {
            missing.complain();
            Err(Error::INVALID_KERNEL_IMAGE)
        }
    })?;
    found.into_iter().map(|ptx| CString::new(ptx).map_err(|_| Error::INVALID_KERNEL_IMAGE)).collect()
}

/// Loads one source, or links several. In the current context.
fn load(sources: &[CString]) -> RuntimeResult<Handle> {
    match sources {
        [] => {
            NoPtx::MachineCode.complain();
            Err(Error::NO_KERNEL_IMAGE)
        }
        [one] => load_image(one.as_ptr().cast()),
        several => link(several),
    }
}

fn load_image(image: *const c_void) -> RuntimeResult<Handle> {
    let (mut module, mut log) = (null_mut(), [0_u8; 4096]);
    // CU_JIT_ERROR_LOG_BUFFER and its size.
    let mut options = [5, 6];
    let mut values = [log.as_mut_ptr().cast::<c_void>(), log.len() as *mut c_void];
    // SAFETY: an out-pointer to a local, text that ends with NUL, and two options with their values, the first of them
    // a buffer as long as the second says.
    let code = unsafe { cu::cuModuleLoadDataEx(&mut module, image, 2, options.as_mut_ptr(), values.as_mut_ptr()) };
    if code != 0 {
        let end = log.iter().position(|&byte| byte == 0).unwrap_or(log.len());
        words::complain(&say!("not-loaded", why = String::from_utf8_lossy(&log[..end]).into_owned()));
    }
    check(code).map(|()| module)
}

fn link(sources: &[CString]) -> RuntimeResult<Handle> {
    let (mut state, mut image, mut bytes) = (null_mut(), null_mut(), 0);
    // SAFETY: no options, and an out-pointer to a local.
    unsafe { check(cu::cuLinkCreate_v2(0, null_mut(), null_mut(), &mut state))? };
    let added = sources.iter().try_for_each(|source| {
        let (data, length) = (source.as_ptr().cast_mut().cast(), source.as_bytes_with_nul().len());
        // CU_JIT_INPUT_PTX
        // SAFETY: `length` bytes, which are only read.
        check(unsafe { cu::cuLinkAddData_v2(state, 1, data, length, null(), 0, null_mut(), null_mut()) })
    });
    // SAFETY: out-pointers to locals. The image belongs to the state, which goes after it has been loaded.
    let module = added
        .and_then(|()| unsafe { check(cu::cuLinkComplete(state, &mut image, &mut bytes)) })
        .and_then(|()| load_image(image));
    // SAFETY: made above, and not used again.
    unsafe { cu::cuLinkDestroy(state) };
    module
}
