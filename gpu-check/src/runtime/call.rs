//! The parts that all calls share: an outcome, the last error of a thread, and the context that a call acts on.

use super::error;
use crate::cu::{self, Code, Handle};
use crate::{record, registry};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::null_mut;
use std::sync::Mutex;

/// `cudaStreamPerThread`
pub const PER_THREAD: Handle = 2 as Handle;

/// The null stream of a program that is built for a default stream for each thread.
pub fn mine(stream: Handle) -> Handle {
    if stream.is_null() { PER_THREAD } else { stream }
}

/// The null stream of any other program: one for all threads.
pub fn legacy(stream: Handle) -> Handle {
    stream
}

/// `cudaErrorNotReady`: an answer, and no failure.
pub const NOT_READY: u32 = 600;

/// A `cudaError_t` that is no success. Most have the numbers of the driver's errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Error(pub u32);

impl Error {
    pub const INVALID_VALUE: Error = Error(1);
    pub const INITIALIZATION: Error = Error(3);
    pub const INVALID_SYMBOL: Error = Error(13);
    pub const INVALID_MEMCPY_DIRECTION: Error = Error(21);
    pub const INVALID_DEVICE_FUNCTION: Error = Error(98);
    pub const INVALID_DEVICE: Error = Error(101);
    pub const INVALID_KERNEL_IMAGE: Error = Error(200);
    pub const NO_KERNEL_IMAGE: Error = Error(209);
    pub const NOT_SUPPORTED: Error = Error(801);
    pub const UNKNOWN: Error = Error(999);
}

pub type RuntimeResult<T = ()> = Result<T, Error>;

/// Checks the answer of the driver. Its errors have the same numbers here.
pub fn check(code: Code) -> RuntimeResult {
    if code == 0 { Ok(()) } else { Err(Error(code)) }
}

thread_local! {
    /// The error of the last call that failed. Without a destructor: exit handlers make calls too.
    static LAST: Cell<u32> = const { Cell::new(0) };
}

/// Takes the error of this thread's last call that failed.
pub fn take_last() -> u32 {
    LAST.replace(0)
}

pub fn last() -> u32 {
    LAST.get()
}

/// Runs one call and notes its error. A panic is ours, never the caller's, and must not cross into C.
pub fn answer(name: &str, call: impl FnOnce() -> RuntimeResult) -> u32 {
    let in_runtime = record::in_runtime();
    let outcome = catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(|_| {
        words::complain(&say!("internal", name));
        Err(Error::UNKNOWN)
    });
    drop(in_runtime);
    match outcome {
        Ok(()) => 0,
        Err(Error(code)) => {
            // The answer of a query is no last error (seen on an H200 with CUDA 13.0).
            if code != NOT_READY {
                LAST.set(code);
            }
            let (name, error) = (name.trim_start_matches('_'), error::name_of(code));
            match Error(code) {
                Error(NOT_READY) => {}
                // Errors of ours: device code that cannot be read or has nothing to run, and what is missing.
                Error::NOT_SUPPORTED | Error::NO_KERNEL_IMAGE | Error::INVALID_KERNEL_IMAGE => {
                    record::unsupported(name, error);
                }
                _ => record::failed(name, error),
            }
            code
        }
    }
}

/// True if the runtime holds the primary context.
static RETAINED: Mutex<bool> = Mutex::new(false);

/// Returns the context that calls of this thread act on: the current one, else the primary one, which is made current.
pub fn context() -> RuntimeResult<Handle> {
    let mut current = null_mut();
    // SAFETY: an out-pointer to a local.
    match unsafe { cu::cuCtxGetCurrent(&mut current) } {
        // CUDA_ERROR_NOT_INITIALIZED
        // SAFETY: no pointers.
        3 => check(unsafe { cu::cuInit(0) })?,
        code => check(code)?,
    }
    let mut device = 0;
    // SAFETY: an out-pointer to a local. It fails where the context is gone.
    if !current.is_null() && unsafe { cu::cuCtxGetDevice(&mut device) } == 0 {
        return Ok(current);
    }
    let mut retained = RETAINED.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    // SAFETY: an out-pointer to a local; the context stays retained to the end of the process.
    unsafe { check(cu::cuDevicePrimaryCtxRetain(&mut current, 0))? };
    if std::mem::replace(&mut *retained, true) {
        // It was retained before: this one is given back.
        // SAFETY: no pointers.
        unsafe { check(cu::cuDevicePrimaryCtxRelease_v2(0))? };
    }
    // SAFETY: a handle that the driver gave.
    unsafe { check(cu::cuCtxSetCurrent(current))? };
    Ok(current)
}

/// Ends the primary context and all that it owns.
pub fn reset() -> RuntimeResult {
    context()?;
    // SAFETY: no pointers, and null is no context.
    let done = unsafe {
        // The context's error, if there is one, ends with it.
        cu::cuCtxSynchronize();
        check(cu::cuDevicePrimaryCtxReset_v2(0)).and_then(|()| check(cu::cuCtxSetCurrent(null_mut())))
    };
    registry::forget_modules();
    done
}

/// Writes to an out-pointer of the caller's.
///
/// # Safety
/// `pointer` is null or writable.
pub unsafe fn give<T>(pointer: *mut T, value: T) -> RuntimeResult {
    if pointer.is_null() {
        return Err(Error::INVALID_VALUE);
    }
    // SAFETY: as above.
    unsafe { pointer.write_unaligned(value) };
    Ok(())
}
