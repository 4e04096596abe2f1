//! Contexts: the primary one, further ones, and each thread's stack of them (CUDA Driver API, "Context Management",
//! "Primary Context Management").

use super::device::{L2_CACHE, MOST_PERSISTING_L2};
use super::{device, pool};
use crate::emulated::base::outcome::{CallResult, out};
use crate::emulated::base::process::{self, may_call};
use crate::emulated::base::thread::{Stack, is_in_host_function, with_stack};
use crate::emulated::context::Context;
use crate::emulated::context::current::{self, current, find, this_or_current};
use crate::emulated::context::handle;
use crate::emulated::context::objects::{GREATEST_PRIORITY, LEAST_PRIORITY};
use crate::emulated::context::virtual_memory::leave_behind;
use crate::types::CUctxCreateParams;
use cust_raw::CUresult::*;
use cust_raw::*;
use std::ffi::{c_int, c_uint, c_ulonglong};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard};

/// The primary context keeps its handle when it goes and comes back, as on a real driver.
struct Primary {
    handle: u64,
    retained: u32,
    flags: u32,
}

static PRIMARY: Mutex<Primary> = Mutex::new(Primary { handle: 0, retained: 0, flags: 0 });

/// The flags of CUDA 13 that a context may be made with: scheduling, map-host, resize, core dumps, synchronous copies.
const KNOWN_FLAGS: u32 = 0xff;

/// Real drivers have kept this number since CUDA 3.2.
const API_VERSION: c_uint = 3020;

fn primary() -> MutexGuard<'static, Primary> {
    PRIMARY.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Takes a context away and ends its work. False if there is none of this handle.
fn remove(handle: u64) -> bool {
    let removed = current::remove(handle);
    if let Some(context) = &removed {
        context.shut_down();
        leave_behind(&context.lock_faulted().virtual_memory);
        handle::forget_all(context);
        pool::context_ended(handle);
        context.lock_faulted().say_leaks();
    }
    removed.is_some()
}

/// A context for a new handle. The first one has what calls without a context have made.
fn first_or_new(flags: u32) -> Arc<Context> {
    let Some(early) = current::take_early() else { return Context::new(handle::fresh(), flags) };
    early.flags.store(flags, Ordering::Relaxed);
    early
}

fn check_flags(flags: u32) -> CallResult {
    let scheduling = flags & CUctx_flags_enum::CU_CTX_SCHED_MASK as u32;
    if flags & !KNOWN_FLAGS != 0 || !matches!(scheduling, 0 | 1 | 2 | 4) {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    Ok(())
}

pub(crate) unsafe fn primary_retain(context: *mut CUcontext, device: CUdevice) -> CallResult {
    device::check(device)?;
    // SAFETY: an out-pointer of the caller.
    let context = unsafe { out(context)? };
    let mut primary = primary();
    if primary.handle == 0 {
        let context = first_or_new(primary.flags);
        primary.handle = context.handle;
        current::add(context);
    } else if find(primary.handle).is_none() {
        let mut context = first_or_new(primary.flags);
        // The handle is the one of before. Nobody else has what was made early, except in the middle of a call.
        match Arc::get_mut(&mut context) {
            Some(own) => own.handle = primary.handle,
            None => context = Context::new(primary.handle, primary.flags),
        }
        current::add(context);
    }
    primary.retained += 1;
    context.set(primary.handle as CUcontext);
    Ok(())
}

pub(crate) unsafe fn primary_release(device: CUdevice) -> CallResult {
    device::check(device)?;
    let mut primary = primary();
    if primary.retained == 0 {
        return Err(CUDA_ERROR_INVALID_CONTEXT);
    }
    primary.retained -= 1;
    let (handle, is_last) = (primary.handle, primary.retained == 0);
    // The work that is still to do runs without the lock.
    drop(primary);
    if is_last {
        remove(handle);
    }
    Ok(())
}

/// Destroys what the primary context owns; who retained it still has to release it.
pub(crate) unsafe fn primary_reset(device: CUdevice) -> CallResult {
    device::check(device)?;
    // Without the lock: what is still to do runs now, host functions too.
    let handle = primary().handle;
    remove(handle);
    Ok(())
}

pub(crate) unsafe fn primary_set_flags(device: CUdevice, flags: c_uint) -> CallResult {
    device::check(device)?;
    check_flags(flags)?;
    let mut primary = primary();
    primary.flags = flags;
    if let Some(context) = find(primary.handle) {
        context.flags.store(flags, Ordering::Relaxed);
    }
    Ok(())
}

pub(crate) unsafe fn primary_state(device: CUdevice, flags: *mut c_uint, active: *mut c_int) -> CallResult {
    device::check(device)?;
    // SAFETY: out-pointers of the caller.
    let (flags, active) = unsafe { (out(flags)?, out(active)?) };
    let primary = primary();
    flags.set(primary.flags);
    active.set(find(primary.handle).is_some().into());
    Ok(())
}

/// The new context becomes the calling thread's current one.
pub(crate) unsafe fn create(context: *mut CUcontext, flags: c_uint, device: CUdevice) -> CallResult {
    device::check(device)?;
    // SAFETY: an out-pointer of the caller.
    let context = unsafe { out(context)? };
    check_flags(flags)?;
    let made = first_or_new(flags);
    let handle = made.handle;
    current::add(made);
    with_stack(|stack| stack.push(handle));
    context.set(handle as CUcontext);
    Ok(())
}

pub(crate) unsafe fn destroy(context: CUcontext) -> CallResult {
    may_call()?;
    let handle = context as u64;
    // The primary context is not the caller's to destroy.
    if handle == primary().handle || !remove(handle) {
        return Err(CUDA_ERROR_INVALID_CONTEXT);
    }
    // Other threads keep it on their stacks, where it reads as destroyed.
    with_stack(|stack| {
        if stack.current() == handle {
            stack.pop();
        }
    });
    Ok(())
}

/// Counts one more user of the current context (deprecated).
pub(crate) unsafe fn attach(context: *mut CUcontext, flags: c_uint) -> CallResult {
    if flags != 0 {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    // SAFETY: an out-pointer of the caller.
    let context = unsafe { out(context)? };
    let attached = current()?;
    attached.attached.fetch_add(1, Ordering::Relaxed);
    context.set(attached.handle as CUcontext);
    Ok(())
}

/// Counts one user less, and destroys a context that has none (deprecated). It must be the current one.
pub(crate) unsafe fn detach(context: CUcontext) -> CallResult {
    let detached = current()?;
    if detached.handle != context as u64 {
        return Err(CUDA_ERROR_INVALID_CONTEXT);
    }
    let one_less = |users: u32| users.checked_sub(1);
    if detached.attached.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_less).is_ok() {
        return Ok(());
    }
    // SAFETY: as it came.
    unsafe { destroy(context) }
}

fn known(context: CUcontext) -> CallResult<u64> {
    find(context as u64).map(|context| context.handle).ok_or(CUDA_ERROR_INVALID_CONTEXT)
}

pub(crate) unsafe fn push_current(context: CUcontext) -> CallResult {
    may_call()?;
    let handle = known(context)?;
    with_stack(|stack| stack.push(handle));
    Ok(())
}

pub(crate) unsafe fn pop_current(context: *mut CUcontext) -> CallResult {
    may_call()?;
    let popped = with_stack(Stack::pop).ok_or(CUDA_ERROR_INVALID_CONTEXT)?;
    if !context.is_null() {
        // SAFETY: an out-pointer of the caller.
        unsafe { out(context)? }.set(popped as CUcontext);
    }
    Ok(())
}

/// Replaces the top of the stack; null takes it away.
pub(crate) unsafe fn set_current(context: CUcontext) -> CallResult {
    may_call()?;
    let handle = if context.is_null() { None } else { Some(known(context)?) };
    with_stack(|stack| {
        stack.pop();
        if let Some(handle) = handle {
            stack.push(handle);
        }
    });
    Ok(())
}

pub(crate) unsafe fn get_current(context: *mut CUcontext) -> CallResult {
    may_call()?;
    // SAFETY: an out-pointer of the caller.
    unsafe { out(context)? }.set(with_stack(|stack| stack.current()) as CUcontext);
    Ok(())
}

pub(crate) unsafe fn device(device: *mut CUdevice) -> CallResult {
    // SAFETY: an out-pointer of the caller.
    let device = unsafe { out(device)? };
    current()?;
    device.set(0);
    Ok(())
}

pub(crate) unsafe fn flags(flags: *mut c_uint) -> CallResult {
    // SAFETY: an out-pointer of the caller.
    let flags = unsafe { out(flags)? };
    flags.set(current()?.flags.load(Ordering::Relaxed));
    Ok(())
}

fn synchronized(context: &Context) -> CallResult {
    let mut state = context.lock()?;
    state.captures.not_while_capturing()?;
    drop(context.drain(state)?);
    pool::synchronized();
    Ok(())
}

pub(crate) unsafe fn synchronize() -> CallResult {
    synchronized(&*current()?)
}

pub(crate) unsafe fn device_of(device: *mut CUdevice, context: CUcontext) -> CallResult {
    // SAFETY: an out-pointer of the caller.
    let device = unsafe { out(device)? };
    this_or_current(context)?;
    device.set(0);
    Ok(())
}

pub(crate) unsafe fn synchronize_one(context: CUcontext) -> CallResult {
    synchronized(&*this_or_current(context)?)
}

/// A handle is never used twice, and so is an identity.
pub(crate) unsafe fn id(context: CUcontext, id: *mut c_ulonglong) -> CallResult {
    // SAFETY: an out-pointer of the caller.
    let id = unsafe { out(id)? };
    id.set(this_or_current(context)?.handle);
    Ok(())
}

/// Which multiprocessors a context gets cannot be chosen here, nor a graphics interface to share them with.
pub(crate) unsafe fn create_with(
    context: *mut CUcontext,
    parameters: *mut CUctxCreateParams,
    flags: c_uint,
    device: CUdevice,
) -> CallResult {
    if !parameters.is_null() {
        // SAFETY: the caller's struct.
        let parameters = unsafe { parameters.read_unaligned() };
        if parameters.numExecAffinityParams != 0 {
            return Err(CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY);
        }
        if !parameters.cigParams.is_null() {
            return Err(CUDA_ERROR_NOT_SUPPORTED);
        }
    }
    // SAFETY: passed on as it came.
    unsafe { create(context, flags, device) }
}

pub(crate) unsafe fn create_with_affinity(
    context: *mut CUcontext,
    _affinity: *mut CUexecAffinityParam,
    count: c_int,
    flags: c_uint,
    device: CUdevice,
) -> CallResult {
    if count != 0 {
        return Err(CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY);
    }
    // SAFETY: passed on as it came.
    unsafe { create(context, flags, device) }
}

/// Null asks for the current context.
pub(crate) unsafe fn api_version(context: CUcontext, version: *mut c_uint) -> CallResult {
    may_call()?;
    // SAFETY: an out-pointer of the caller.
    let version = unsafe { out(version)? };
    if context.is_null() {
        current().map(drop)?
    } else {
        known(context).map(drop)?
    }
    version.set(API_VERSION);
    Ok(())
}

/// `CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT`.
const PENDING_LAUNCHES: u32 = 4;
/// More than the emulated device has use for.
const MOST_PENDING_LAUNCHES: usize = 1 << 20;

/// `CU_LIMIT_MALLOC_HEAP_SIZE`.
const MALLOC_HEAP_SIZE: u32 = 2;

/// `CU_LIMIT_MAX_L2_FETCH_GRANULARITY`, in bytes: 128 at most.
const L2_FETCH_GRANULARITY: u32 = 5;
/// `CU_LIMIT_PERSISTING_L2_CACHE_SIZE`: a number of sixteenths of the cache, as on an H200.
const PERSISTING_L2_SIZE: u32 = 6;
const PERSISTING_L2_STEP: usize = L2_CACHE as usize / 16;

/// Returns a limit of a fresh context; `None` for one that this device does not have. The heap of device code and the
/// launches of kernels keep to their limits; the emulator itself needs no others.
fn default_limit(limit: u32) -> Option<usize> {
    match limit {
        0 => Some(1024),    // CU_LIMIT_STACK_SIZE
        1 => Some(1 << 20), // CU_LIMIT_PRINTF_FIFO_SIZE
        MALLOC_HEAP_SIZE => Some(8 << 20),
        PENDING_LAUNCHES => Some(2048),
        L2_FETCH_GRANULARITY => Some(64),
        PERSISTING_L2_SIZE => Some(3 * PERSISTING_L2_STEP),
        _ => None, // The synchronisation depth went with device-side cudaDeviceSynchronize.
    }
}

pub(crate) unsafe fn set_limit(limit: c_uint, value: usize) -> CallResult {
    let context = current()?;
    let mut state = context.lock()?;
    default_limit(limit).ok_or(CUDA_ERROR_UNSUPPORTED_LIMIT)?;
    let value = match limit {
        L2_FETCH_GRANULARITY if value > 128 => return Err(CUDA_ERROR_INVALID_VALUE),
        PERSISTING_L2_SIZE if value > MOST_PERSISTING_L2 as usize => return Err(CUDA_ERROR_INVALID_VALUE),
        PERSISTING_L2_SIZE => value.next_multiple_of(PERSISTING_L2_STEP),
        _ => value,
    };
    if limit == PENDING_LAUNCHES {
        // A limit of none would leave no room for the memory that the device runtime keeps.
        let value = value.clamp(1, MOST_PENDING_LAUNCHES);
        state.device.set_pending_launches(value);
    }
    state.limits.insert(limit, value);
    if limit == MALLOC_HEAP_SIZE {
        state.device.limit_heap(value as u64);
    }
    Ok(())
}

pub(crate) unsafe fn limit(value: *mut usize, limit: c_uint) -> CallResult {
    // SAFETY: an out-pointer of the caller.
    let value = unsafe { out(value)? };
    let context = current()?;
    let state = context.lock()?;
    let default = default_limit(limit).ok_or(CUDA_ERROR_UNSUPPORTED_LIMIT)?;
    value.set(state.limits.get(&limit).copied().unwrap_or(default));
    Ok(())
}

pub(crate) unsafe fn cache_config(config: *mut CUfunc_cache) -> CallResult {
    // SAFETY: an out-pointer of the caller.
    let config = unsafe { out(config)? };
    config.set(current()?.lock()?.cache_config);
    Ok(())
}

pub(crate) unsafe fn set_cache_config(config: CUfunc_cache) -> CallResult {
    current()?.lock()?.cache_config = config;
    Ok(())
}

pub(crate) unsafe fn shared_config(config: *mut CUsharedconfig) -> CallResult {
    // SAFETY: an out-pointer of the caller.
    let config = unsafe { out(config)? };
    config.set(current()?.lock()?.shared_config);
    Ok(())
}

/// Bank size is fixed since Maxwell; the setting is kept and has no effect, as on hardware.
pub(crate) unsafe fn set_shared_config(config: CUsharedconfig) -> CallResult {
    current()?.lock()?.shared_config = config;
    Ok(())
}

/// Either pointer may be null.
pub(crate) unsafe fn stream_priority_range(least: *mut c_int, greatest: *mut c_int) -> CallResult {
    current()?.lock().map(drop)?;
    for (place, value) in [(least, LEAST_PRIORITY), (greatest, GREATEST_PRIORITY)] {
        if !place.is_null() {
            // SAFETY: an out-pointer of the caller.
            unsafe { out(place)? }.set(value);
        }
    }
    Ok(())
}

pub(crate) unsafe fn reset_persisting_l2_cache() -> CallResult {
    current()?.lock().map(drop)
}

/// There is one device, and it is no peer of itself.
pub(crate) unsafe fn enable_peer_access(peer: CUcontext, flags: c_uint) -> CallResult {
    let own = current()?.handle;
    if flags != 0 {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    if known(peer)? == own {
        return Err(CUDA_ERROR_INVALID_CONTEXT);
    }
    Err(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED)
}

pub(crate) unsafe fn disable_peer_access(peer: CUcontext) -> CallResult {
    current()?;
    known(peer)?;
    Err(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED)
}

/// Does all work that was submitted, as [`finish_all`], but for functions of the program: what they need may be gone,
/// as an interpreter is. For the end of a process.
pub fn end_process() {
    process::begin_end();
    finish_all();
}

/// Does all work that was submitted, in every context, and says what there is to say: a program need not wait for what
/// it has launched. A host function of a stream that ends the program cannot wait for itself.
pub fn finish_all() {
    if is_in_host_function() {
        return;
    }
    for context in current::all() {
        context.shut_down();
    }
}

/// Says what is still allocated in every context, if that was asked for.
pub fn say_all_leaks() {
    current::all().iter().for_each(|context| context.lock_faulted().say_leaks());
}
