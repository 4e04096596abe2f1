//! Which file a call of the driver comes from.

use std::ffi::{CStr, OsStr, c_int, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Frames that are looked at: our own, and the first that is not.
const MOST_FRAMES: usize = 32;

#[cfg(target_env = "gnu")]
unsafe extern "C" {
    fn backtrace(buffer: *mut *mut c_void, size: c_int) -> c_int;
}

/// Returns the file that the innermost frame outside of this library belongs to, if the C library can tell.
#[cfg(target_env = "gnu")]
fn file() -> Option<PathBuf> {
    let mut frames = [std::ptr::null_mut(); MOST_FRAMES];
    // SAFETY: the buffer has room for as many frames.
    let count = unsafe { backtrace(frames.as_mut_ptr(), MOST_FRAMES as c_int) };
    let own = file_of(file as *const () as *mut c_void)?;
    let mut files = frames[..count.max(0) as usize].iter().filter_map(|&frame| file_of(frame));
    files.find(|file| *file != own)
}

#[cfg(not(target_env = "gnu"))]
fn file() -> Option<PathBuf> {
    None
}

#[cfg(target_env = "gnu")]
fn file_of(address: *mut c_void) -> Option<PathBuf> {
    // SAFETY: plain data, which the call fills in.
    let mut info: libc::Dl_info = unsafe { std::mem::zeroed() };
    // SAFETY: an out-pointer to a local. The name lives as long as the file is loaded, and is copied.
    let name = unsafe {
        if libc::dladdr(address, &mut info) == 0 || info.dli_fname.is_null() {
            return None;
        }
        CStr::from_ptr(info.dli_fname)
    };
    Some(Path::new(OsStr::from_bytes(name.to_bytes())).to_path_buf())
}

/// Returns the name of that file without its folders.
pub(crate) fn name() -> Option<String> {
    Some(file()?.file_name()?.to_string_lossy().into_owned())
}

/// Returns true if one of NVIDIA's compilers makes the call, which is in a library of its own or inside another file.
/// They ask whether a driver has something, and do without it. A file whose runtime was replaced calls through nothing
/// else.
pub(crate) fn is_compiler() -> bool {
    const COMPILERS: &[&str] = &["libnvrtc", "libnvJitLink", "libnvvm", "libnvptxcompiler"];
    let Some(file) = file() else { return false };
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    COMPILERS.iter().any(|compiler| name.starts_with(compiler)) || crate::emulated::is_replaced(&file)
}
