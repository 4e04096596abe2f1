//! Standard output and standard error, which the host and its kernels write to.

use std::ffi::{c_int, c_void};
use std::io::Write;

unsafe extern "C" {
    /// `FILE *stdout` of the C library.
    #[link_name = "stdout"]
    static mut C_STDOUT: *mut c_void;
    fn fflush(stream: *mut c_void) -> c_int;
}

/// Writes what kernels printed, after what the host has written before: a C program keeps that back where stdout is a
/// pipe.
pub(crate) fn print(bytes: &[u8]) {
    let mut stdout = std::io::stdout().lock();
    // A closed stdout is no reason to fail a CUDA call.
    let _ = stdout.flush();
    flush_c();
    let _ = stdout.write_all(bytes).and_then(|()| stdout.flush());
}

/// Writes the messages of assertions, after what kernels printed before.
pub(crate) fn print_assertions(bytes: &[u8]) {
    // A closed stderr is no reason to fail a CUDA call.
    let _ = std::io::stderr().lock().write_all(bytes);
}

/// Flushes stdout alone: flushing every stream would wait for a thread that reads one.
fn flush_c() {
    // SAFETY: the C library's own stream; a program that closes it may not write to it again either. Null would mean
    // all streams.
    unsafe {
        let stream = C_STDOUT;
        if !stream.is_null() {
            fflush(stream);
        }
    }
}
