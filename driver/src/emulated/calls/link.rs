//! The linker (CUDA Driver API, `cuLink…`): PTX sources, joined when the image is loaded.
//!
//! The device runtime library that nvcc brings (`libcudadevrt.a`) is taken and has no effect: its functions are part of
//! the emulated device. Other machine code is refused.

use crate::emulated::base::image;
use crate::emulated::base::image::Image;
use crate::emulated::base::jit_log::JitLog;
use crate::emulated::base::outcome::{CallResult, out};
use crate::emulated::base::process::may_call;
use crate::emulated::context::current::current;
use crate::emulated::context::handle;
use crate::emulated::context::state::profile;
use cust_raw::CUjitInputType_enum::*;
use cust_raw::CUresult::*;
use cust_raw::*;
use std::collections::BTreeMap;
use std::ffi::{CStr, CString, OsStr, c_char, c_uint, c_void};
use std::os::unix::ffi::OsStrExt;
use std::sync::{Mutex, MutexGuard};

struct Linker {
    sources: Vec<String>,
    log: JitLog,
    /// Owned by the link state, as the API says.
    image: Option<CString>,
}

fn linkers() -> MutexGuard<'static, BTreeMap<u64, Linker>> {
    static LINKERS: Mutex<BTreeMap<u64, Linker>> = Mutex::new(BTreeMap::new());
    LINKERS.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

pub(crate) unsafe fn create(
    option_count: c_uint,
    options: *mut CUjit_option,
    option_values: *mut *mut c_void,
    state: *mut CUlinkState,
) -> CallResult {
    // SAFETY: options and an out-pointer of the caller; the API has it keep the options until `cuLinkDestroy`.
    let (log, state) = unsafe { (JitLog::new(option_count, options, option_values)?, out(state)?) };
    current()?.lock().map(drop)?;
    let handle = handle::fresh();
    linkers().insert(handle, Linker { sources: vec![], log, image: None });
    state.set(handle as CUlinkState);
    Ok(())
}

#[expect(clippy::too_many_arguments, reason = "the API has them")]
pub(crate) unsafe fn add_data(
    state: CUlinkState,
    kind: CUjitInputType,
    data: *mut c_void,
    size: usize,
    _name: *const c_char,
    _option_count: c_uint,
    _options: *mut CUjit_option,
    _option_values: *mut *mut c_void,
) -> CallResult {
    if data.is_null() || size == 0 {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    // SAFETY: the caller gives `size` bytes.
    add(state, kind, unsafe { std::slice::from_raw_parts(data.cast(), size) })
}

pub(crate) unsafe fn add_file(
    state: CUlinkState,
    kind: CUjitInputType,
    path: *const c_char,
    _option_count: c_uint,
    _options: *mut CUjit_option,
    _option_values: *mut *mut c_void,
) -> CallResult {
    if path.is_null() {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    // SAFETY: the caller gives NUL-terminated text.
    let path = unsafe { CStr::from_ptr(path) };
    let bytes = std::fs::read(OsStr::from_bytes(path.to_bytes())).map_err(|_| CUDA_ERROR_FILE_NOT_FOUND)?;
    add(state, kind, &bytes)
}

fn add(state: CUlinkState, kind: CUjitInputType, bytes: &[u8]) -> CallResult {
    may_call()?;
    let mut linkers = linkers();
    let linker = linkers.get_mut(&(state as u64)).ok_or(CUDA_ERROR_INVALID_HANDLE)?;
    if linker.image.is_some() {
        return Err(CUDA_ERROR_INVALID_HANDLE);
    }
    match kind {
        CU_JIT_NUM_INPUT_TYPES => return Err(CUDA_ERROR_INVALID_VALUE),
        CU_JIT_INPUT_LIBRARY if is_device_runtime(bytes) => return Ok(()),
        _ => {}
    }
    // The bytes decide, not the kind: fat binaries, objects and archives are told apart from text.
    if let Some(found) = image::unpacked(bytes) {
        linker.sources.extend(found?);
        return Ok(());
    }
    if !matches!(kind, CU_JIT_INPUT_PTX | CU_JIT_INPUT_CUBIN) || bytes.starts_with(b"\x7fELF") {
        words::complain(&say!("unsupported-link", kind = format!("{kind:?}")));
        return Err(CUDA_ERROR_NO_BINARY_FOR_GPU);
    }
    // With or without its NUL. The linker's own output is text too.
    let text = bytes.strip_suffix(b"\0").unwrap_or(bytes);
    let text = std::str::from_utf8(text).ok().filter(|text| !text.contains('\0'));
    let image = image::split(text.ok_or(CUDA_ERROR_INVALID_PTX)?);
    linker.log.max_registers = linker.log.max_registers.into_iter().chain(image.max_registers).min();
    linker.sources.extend(image.sources);
    Ok(())
}

/// Returns true for the archive `libcudadevrt.a`, by its one member. The emulated GPU has these functions built in.
fn is_device_runtime(bytes: &[u8]) -> bool {
    let member = b"cuda_device_runtime.o";
    bytes.starts_with(b"!<arch>\n") && bytes.windows(member.len()).any(|window| window == member)
}

pub(crate) unsafe fn complete(state: CUlinkState, cubin: *mut *mut c_void, size: *mut usize) -> CallResult {
    // SAFETY: out-pointers of the caller.
    let (cubin, size) = unsafe { (out(cubin)?, out(size)?) };
    may_call()?;
    let mut linkers = linkers();
    let linker = linkers.get_mut(&(state as u64)).ok_or(CUDA_ERROR_INVALID_HANDLE)?;
    if linker.sources.is_empty() {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    // Linked here to report errors, and once more when the image is loaded.
    let image = Image { sources: linker.sources.clone(), max_registers: linker.log.max_registers };
    image::program(&image, &profile()).map_err(|refusal| linker.log.fail(&refusal))?;
    linker.log.write("", "");
    let image = linker.image.insert(image::join(&image)?);
    cubin.set(image.as_ptr().cast_mut().cast());
    size.set(image.as_bytes_with_nul().len());
    Ok(())
}

pub(crate) unsafe fn destroy(state: CUlinkState) -> CallResult {
    may_call()?;
    linkers().remove(&(state as u64)).map(drop).ok_or(CUDA_ERROR_INVALID_HANDLE)
}
