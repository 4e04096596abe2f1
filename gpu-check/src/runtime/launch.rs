//! Registration and launches: what nvcc makes of `__global__` functions and `<<<>>>` ("Execution Control").

use super::call::{Error, RuntimeResult, check, context, give};
use crate::cu::{self, Handle, HostFunction};
use crate::registry;
use driver::types::{CUlaunchAttribute, CUlaunchConfig};
use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char, c_uint, c_void};
use std::mem::ManuallyDrop;

/// `dim3`
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dim3 {
    pub x: c_uint,
    pub y: c_uint,
    pub z: c_uint,
}

/// The arguments between `<<<` and `>>>`.
#[derive(Clone, Copy)]
pub struct Call {
    pub grid: Dim3,
    pub block: Dim3,
    pub shared: usize,
    pub stream: Handle,
}

thread_local! {
    /// Launches that are being written down: an argument of one may launch another. Without a destructor, as exit
    /// handlers may launch too.
    static CALLS: RefCell<ManuallyDrop<Vec<Call>>> = const { RefCell::new(ManuallyDrop::new(Vec::new())) };
}

pub fn push(call: Call) {
    CALLS.with_borrow_mut(|calls| calls.push(call));
}

pub unsafe fn pop(grid: *mut Dim3, block: *mut Dim3, shared: *mut usize, stream: *mut c_void) -> RuntimeResult {
    let call = CALLS.with_borrow_mut(|calls| calls.pop()).ok_or(Error(52))?;
    // SAFETY: out-pointers of the caller.
    unsafe {
        give(grid, call.grid)?;
        give(block, call.block)?;
        give(shared, call.shared)?;
        give(stream.cast(), call.stream)
    }
}

/// A name of the caller's.
unsafe fn text(name: *const c_char) -> RuntimeResult<CString> {
    if name.is_null() {
        return Err(Error::INVALID_VALUE);
    }
    // SAFETY: NUL-terminated, by the caller.
    Ok(unsafe { CStr::from_ptr(name) }.to_owned())
}

pub unsafe fn register_function(
    binary: *mut *mut c_void,
    stand_in: *const c_void,
    name: *const c_char,
) -> RuntimeResult {
    // SAFETY: NUL-terminated, by the caller.
    registry::add_function(binary as usize, stand_in as usize, unsafe { text(name)? });
    Ok(())
}

pub unsafe fn register_variable(
    binary: *mut *mut c_void,
    stand_in: *const c_void,
    name: *const c_char,
    bytes: usize,
) -> RuntimeResult {
    // SAFETY: NUL-terminated, by the caller.
    registry::add_variable(binary as usize, stand_in as usize, unsafe { text(name)? }, bytes);
    Ok(())
}

pub unsafe fn register_managed(
    binary: *mut *mut c_void,
    pointer: *mut *mut c_void,
    name: *const c_char,
    bytes: usize,
) -> RuntimeResult {
    // SAFETY: NUL-terminated, by the caller.
    registry::add_managed(binary as usize, pointer as usize, unsafe { text(name)? }, bytes);
    Ok(())
}

pub unsafe fn begin_managed(binary: *mut *mut c_void) -> RuntimeResult {
    registry::begin_managed(context()?, binary as usize)
}

/// A kernel's handle is the host's stand-in for it.
pub unsafe fn get_kernel(kernel: *mut Handle, stand_in: *const c_void) -> RuntimeResult {
    if !registry::is_function(stand_in as usize) {
        return Err(Error::INVALID_DEVICE_FUNCTION);
    }
    // SAFETY: an out-pointer of the caller.
    unsafe { give(kernel, stand_in.cast_mut()) }
}

/// Returns the driver's handle of a kernel in the current context. A kernel of a library is no stand-in, but the
/// driver's already.
pub fn resolve(stand_in: *const c_void) -> RuntimeResult<Handle> {
    let context = context()?;
    if !registry::is_function(stand_in as usize) {
        let mut function = std::ptr::null_mut();
        // SAFETY: an out-pointer to a local. A handle is looked up, whatever it is.
        if unsafe { cu::cuKernelGetFunction(&mut function, stand_in.cast_mut()) } == 0 {
            return Ok(function);
        }
    }
    registry::function(context, stand_in as usize)
}

pub unsafe fn get_function(function: *mut Handle, stand_in: *const c_void) -> RuntimeResult {
    // SAFETY: an out-pointer of the caller.
    unsafe { give(function, resolve(stand_in)?) }
}

pub unsafe fn kernel(stand_in: *const c_void, call: Call, arguments: *mut *mut c_void) -> RuntimeResult {
    // SAFETY: passed on as it came.
    unsafe { launch(stand_in, call, arguments, Vec::new()) }
}

pub unsafe fn cooperative(stand_in: *const c_void, call: Call, arguments: *mut *mut c_void) -> RuntimeResult {
    // SAFETY: passed on as it came.
    unsafe { launch(stand_in, call, arguments, vec![CUlaunchAttribute::flag(COOPERATIVE, true)]) }
}

unsafe fn launch(
    stand_in: *const c_void,
    call: Call,
    arguments: *mut *mut c_void,
    attributes: Vec<CUlaunchAttribute>,
) -> RuntimeResult {
    let function = resolve(stand_in)?;
    for_driver(call, attributes, |config| {
        // SAFETY: a handle of the driver's, and the caller's list of arguments: one for each parameter.
        check(unsafe { cu::cuLaunchKernelEx(config, function, arguments, std::ptr::null_mut()) })
    })
}

/// Calls `with` with the driver's form of a launch.
fn for_driver(
    call: Call,
    mut attributes: Vec<CUlaunchAttribute>,
    with: impl FnOnce(&CUlaunchConfig) -> RuntimeResult,
) -> RuntimeResult {
    let Call { grid, block, shared, stream } = call;
    let shared = c_uint::try_from(shared).map_err(|_| Error::INVALID_VALUE)?;
    let config = CUlaunchConfig {
        gridDimX: grid.x,
        gridDimY: grid.y,
        gridDimZ: grid.z,
        blockDimX: block.x,
        blockDimY: block.y,
        blockDimZ: block.z,
        sharedMemBytes: shared,
        hStream: stream.cast(),
        attrs: attributes.as_mut_ptr(),
        numAttrs: attributes.len() as c_uint,
    };
    with(&config)
}

/// `cudaLaunchConfig_t`
#[repr(C)]
pub struct Config {
    grid: Dim3,
    block: Dim3,
    shared: usize,
    stream: Handle,
    /// `cudaLaunchAttribute` is the driver's type.
    attributes: *const CUlaunchAttribute,
    count: c_uint,
}

const COOPERATIVE: c_uint = 2;

/// The form with attributes, which are the driver's.
pub unsafe fn extended(
    config: *const Config,
    stand_in: *const c_void,
    arguments: *mut *mut c_void,
    null: Handle,
) -> RuntimeResult {
    // SAFETY: passed on as it came.
    let (call, attributes) = unsafe { read(config)? };
    let stream = if call.stream.is_null() { null } else { call.stream };
    // SAFETY: passed on as it came.
    unsafe { launch(stand_in, Call { stream, ..call }, arguments, attributes) }
}

/// Calls `with` with the driver's form of a configuration.
///
/// # Safety
/// `config` is null or a configuration of the caller.
pub unsafe fn with_driver_config(
    config: *const Config,
    with: impl FnOnce(&CUlaunchConfig) -> RuntimeResult,
) -> RuntimeResult {
    // SAFETY: as above.
    let (call, attributes) = unsafe { read(config)? };
    for_driver(call, attributes, with)
}

/// # Safety
/// `config` is null or a configuration of the caller.
unsafe fn read(config: *const Config) -> RuntimeResult<(Call, Vec<CUlaunchAttribute>)> {
    if config.is_null() {
        return Err(Error::INVALID_VALUE);
    }
    // SAFETY: as above.
    let Config { grid, block, shared, stream, attributes, count } = unsafe { config.read_unaligned() };
    let count = if attributes.is_null() { 0 } else { count as usize };
    // SAFETY: a list of `count` attributes, by the caller.
    let attributes = (0..count).map(|index| unsafe { attributes.add(index).read_unaligned() }).collect();
    Ok((Call { grid, block, shared, stream }, attributes))
}

pub unsafe fn host_function(stream: Handle, function: Option<HostFunction>, data: *mut c_void) -> RuntimeResult {
    context()?;
    // SAFETY: a function of the caller's for exactly this.
    check(unsafe { cu::cuLaunchHostFunc(stream, function, data) })
}
