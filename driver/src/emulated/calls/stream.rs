//! Streams and the host functions in them (CUDA Driver API, "Stream Management").

use super::pool;
use crate::emulated::base::outcome::{CallResult, out};
use crate::emulated::context::current::current;
use crate::emulated::context::handle;
use crate::emulated::context::objects::{GREATEST_PRIORITY, LEAST_PRIORITY, Stream};
use crate::emulated::context::state::StreamWork;
use crate::emulated::context::stream_handle::{self, CU_STREAM_PER_THREAD, LockedStream};
use crate::emulated::context::{Context, Locked, STACK};
use crate::emulated::queue::{HostCall, LEGACY, StreamMark};
use crate::emulated::task::{HostFunction, StreamTask};
use crate::types::CUgreenCtx;
use cust_raw::CUresult::*;
use cust_raw::*;
use std::ffi::{c_int, c_uint, c_ulonglong, c_void};
use std::sync::Arc;

pub(crate) unsafe fn create(stream: *mut CUstream, flags: c_uint) -> CallResult {
    // SAFETY: passed on as it came.
    unsafe { create_with_priority(stream, flags, 0) }
}

/// A priority outside the range is moved to its nearer end.
pub(crate) unsafe fn create_with_priority(stream: *mut CUstream, flags: c_uint, priority: c_int) -> CallResult {
    // SAFETY: an out-pointer of the caller.
    let stream = unsafe { out(stream)? };
    let context = current()?;
    let mut state = context.lock()?;
    let non_blocking = CUstream_flags_enum::CU_STREAM_NON_BLOCKING as u32;
    if flags & !non_blocking != 0 {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    let key = handle::register(handle::HandleKind::Stream, &context);
    let priority = priority.clamp(GREATEST_PRIORITY, LEAST_PRIORITY);
    state.queue.open(key, flags & non_blocking == 0);
    state.streams.insert(key, Stream { flags, priority });
    stream.set(key as CUstream);
    Ok(())
}

/// Returns at once; what the stream holds still runs.
pub(crate) unsafe fn destroy(stream: CUstream) -> CallResult {
    if (stream as u64) <= CU_STREAM_PER_THREAD {
        current()?;
        return Err(CUDA_ERROR_INVALID_HANDLE);
    }
    let LockedStream { context, key } = stream_handle::resolve(stream)?;
    let mut state = context.lock()?;
    state.captures.end_of(key);
    handle::forget(key);
    state.streams.remove(&key);
    state.queue.close(key);
    Ok(())
}

/// The default streams have default properties.
fn properties(state: &Locked<'_>, key: u64) -> Stream {
    state.streams.get(&key).copied().unwrap_or_default()
}

pub(crate) unsafe fn flags(stream: CUstream, flags: *mut c_uint) -> CallResult {
    // SAFETY: an out-pointer of the caller.
    let flags = unsafe { out(flags)? };
    let LockedStream { context, key } = stream_handle::resolve(stream)?;
    flags.set(properties(&context.lock()?, key).flags);
    Ok(())
}

pub(crate) unsafe fn priority(stream: CUstream, priority: *mut c_int) -> CallResult {
    // SAFETY: an out-pointer of the caller.
    let priority = unsafe { out(priority)? };
    let LockedStream { context, key } = stream_handle::resolve(stream)?;
    priority.set(properties(&context.lock()?, key).priority);
    Ok(())
}

pub(crate) unsafe fn context(stream: CUstream, context: *mut CUcontext) -> CallResult {
    // SAFETY: an out-pointer of the caller.
    let context = unsafe { out(context)? };
    context.set(stream_handle::resolve(stream)?.context.handle as CUcontext);
    Ok(())
}

/// No stream is of a green context.
pub(crate) unsafe fn contexts(stream: CUstream, context: *mut CUcontext, green: *mut CUgreenCtx) -> CallResult {
    // SAFETY: passed on as it came.
    unsafe { self::context(stream, context)? };
    if !green.is_null() {
        // SAFETY: an out-pointer of the caller.
        unsafe { out(green)? }.set(std::ptr::null_mut());
    }
    Ok(())
}

pub(crate) unsafe fn device(stream: CUstream, device: *mut CUdevice) -> CallResult {
    // SAFETY: an out-pointer of the caller.
    let device = unsafe { out(device)? };
    stream_handle::resolve(stream)?;
    device.set(0);
    Ok(())
}

/// A handle is never used twice, and so is an identity. The legacy stream has its context's.
pub(crate) unsafe fn id(stream: CUstream, id: *mut c_ulonglong) -> CallResult {
    // SAFETY: an out-pointer of the caller.
    let id = unsafe { out(id)? };
    let LockedStream { context, key } = stream_handle::resolve(stream)?;
    id.set(if key == LEGACY { context.handle } else { key });
    Ok(())
}

pub(crate) unsafe fn synchronize(stream: CUstream) -> CallResult {
    let LockedStream { context, key } = stream_handle::resolve(stream)?;
    let mut state = context.lock()?;
    state.not_captured(key)?;
    drop(context.wait_stream(state, key)?);
    pool::synchronized();
    Ok(())
}

/// Asking lets time pass: one operation runs at each call, and the stream is not ready until one finds it empty.
pub(crate) unsafe fn query(stream: CUstream) -> CallResult {
    let LockedStream { context, key } = stream_handle::resolve(stream)?;
    context.is_ready()?;
    let mut state = context.lock()?;
    state.not_captured(key)?;
    let (mut state, idle) = context.poll(state, move |queue| queue.step_to_idle(key))?;
    if !idle {
        return Err(CUDA_ERROR_NOT_READY);
    }
    state.queue.host_joins_stream(key);
    Ok(())
}

pub(crate) unsafe fn launch_host_function(stream: CUstream, function: CUhostFn, data: *mut c_void) -> CallResult {
    let function = HostFunction { function: function.ok_or(CUDA_ERROR_INVALID_VALUE)?, data: data as u64 };
    let LockedStream { context, key } = stream_handle::resolve(stream)?;
    let mut state = context.lock()?;
    if state.is_captured(key)? {
        return state.capture(key, StreamTask::Host(function));
    }
    drop(state);
    host(&context, key, function.call())
}

/// The older form, which is told the stream and its status, and runs even after an error.
pub(crate) unsafe fn add_callback(
    stream: CUstream,
    callback: CUstreamCallback,
    data: *mut c_void,
    flags: c_uint,
) -> CallResult {
    let callback = callback.ok_or(CUDA_ERROR_INVALID_VALUE)?;
    if flags != 0 {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    let (data, handle) = (data as u64, stream as u64);
    let call = move |status| {
        // SAFETY: the caller gave the function and its argument for exactly this.
        unsafe { callback(handle as CUstream, status, data as *mut c_void) }
    };
    let LockedStream { context, key } = stream_handle::resolve(stream)?;
    context.lock()?.not_captured(key)?;
    host(&context, key, HostCall { call: Box::new(call), always: true })
}

/// Queues a host function.
fn host(context: &Arc<Context>, key: u64, call: HostCall) -> CallResult {
    let mut state = context.lock()?;
    let mark = state.queue.submit(key, &[], StreamWork::Host(call));
    drop(state);
    run_without_wait(context, &mark);
    Ok(())
}

/// Runs the work up to a mark on a thread of ours. So host functions run even if the program never waits through CUDA
/// but, say, on a channel that the function sends to.
pub(super) fn run_without_wait(context: &Arc<Context>, mark: &StreamMark) {
    let (context, mark) = (context.clone(), mark.clone());
    let runner = std::thread::Builder::new().name("cuda host functions".to_string()).stack_size(STACK);
    // Without a thread it still runs when something waits for it.
    let _ = runner.spawn(move || context.lock().and_then(|state| context.reach(state, &mark).map(drop)));
}
