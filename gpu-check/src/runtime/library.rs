//! Libraries of kernels that a program loads itself ("Library Management"): the driver's, whose options have the same
//! numbers.

use super::call::{RuntimeResult, check, context};
use crate::cu::{self, Handle};
use std::ffi::{c_char, c_int, c_uint, c_void};

/// JitOptions: their numbers, their values, and how many there are.
pub type JitOptions = (*mut c_int, *mut *mut c_void, c_uint);

pub unsafe fn load(library: *mut Handle, code: *const c_void, jit: JitOptions, options: JitOptions) -> RuntimeResult {
    context()?;
    // SAFETY: an out-pointer, an image and options of the caller.
    check(unsafe { cu::cuLibraryLoadData(library, code, jit.0, jit.1, jit.2, options.0, options.1, options.2) })
}

pub unsafe fn load_file(
    library: *mut Handle,
    file: *const c_char,
    jit: JitOptions,
    options: JitOptions,
) -> RuntimeResult {
    context()?;
    // SAFETY: an out-pointer, a name and options of the caller.
    check(unsafe { cu::cuLibraryLoadFromFile(library, file, jit.0, jit.1, jit.2, options.0, options.1, options.2) })
}

pub unsafe fn unload(library: Handle) -> RuntimeResult {
    // SAFETY: a handle, which is looked up.
    check(unsafe { cu::cuLibraryUnload(library) })
}

pub unsafe fn kernel(kernel: *mut Handle, library: Handle, name: *const c_char) -> RuntimeResult {
    // SAFETY: an out-pointer and a name of the caller.
    check(unsafe { cu::cuLibraryGetKernel(kernel, library, name) })
}

pub unsafe fn kernel_count(count: *mut c_uint, library: Handle) -> RuntimeResult {
    // SAFETY: an out-pointer of the caller.
    check(unsafe { cu::cuLibraryGetKernelCount(count, library) })
}

pub unsafe fn kernels(kernels: *mut Handle, count: c_uint, library: Handle) -> RuntimeResult {
    // SAFETY: room for `count` handles, by the caller.
    check(unsafe { cu::cuLibraryEnumerateKernels(kernels, count, library) })
}

pub unsafe fn global(
    address: *mut *mut c_void,
    bytes: *mut usize,
    library: Handle,
    name: *const c_char,
) -> RuntimeResult {
    context()?;
    // SAFETY: out-pointers and a name of the caller; an address has 64 bits.
    check(unsafe { cu::cuLibraryGetGlobal(address.cast(), bytes, library, name) })
}

pub unsafe fn managed(
    address: *mut *mut c_void,
    bytes: *mut usize,
    library: Handle,
    name: *const c_char,
) -> RuntimeResult {
    context()?;
    // SAFETY: out-pointers and a name of the caller; an address has 64 bits.
    check(unsafe { cu::cuLibraryGetManaged(address.cast(), bytes, library, name) })
}

pub unsafe fn set_attribute(kernel: Handle, attribute: c_int, value: c_int, device: c_int) -> RuntimeResult {
    // SAFETY: a handle, which is looked up.
    check(unsafe { cu::cuKernelSetAttribute(attribute, value, kernel, device) })
}
