//! All contexts, and the calling thread's current one.

use super::{Context, handle};
use crate::emulated::base::outcome::CallResult;
use crate::emulated::base::process::may_call;
use crate::emulated::base::thread::with_stack;
use cust_raw::{CUcontext, CUresult};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

/// The contexts by handle.
static CONTEXTS: RwLock<BTreeMap<u64, Arc<Context>>> = RwLock::new(BTreeMap::new());

pub(crate) fn add(context: Arc<Context>) {
    CONTEXTS.write().expect("no panic holds this lock").insert(context.handle, context);
}

pub(crate) fn remove(handle: u64) -> Option<Arc<Context>> {
    CONTEXTS.write().expect("no panic holds this lock").remove(&handle)
}

pub(crate) fn find(handle: u64) -> Option<Arc<Context>> {
    CONTEXTS.read().expect("no panic holds this lock").get(&handle).cloned()
}

pub(crate) fn all() -> Vec<Arc<Context>> {
    CONTEXTS.read().expect("no panic holds this lock").values().cloned().collect()
}

/// True if the context of this number has not been destroyed or reset.
pub(crate) fn is_alive(number: u64) -> bool {
    all().iter().any(|context| context.number == number)
}

/// The calling thread's current context.
pub(crate) fn current() -> CallResult<Arc<Context>> {
    may_call()?;
    match with_stack(|stack| stack.current()) {
        0 => Err(CUresult::CUDA_ERROR_INVALID_CONTEXT),
        handle => find(handle).ok_or(CUresult::CUDA_ERROR_CONTEXT_IS_DESTROYED),
    }
}

/// The calling thread's current context, or the only one: calls that name memory or a pool need none to be current
/// (seen on an H200).
pub(crate) fn current_or_only() -> CallResult<Arc<Context>> {
    match (current(), &all()[..]) {
        (Err(CUresult::CUDA_ERROR_INVALID_CONTEXT), [only]) => Ok(only.clone()),
        (found, _) => found,
    }
}

/// Holds the objects of calls made without any context. The first context created takes it over ([`take_early`]).
static EARLY: Mutex<Option<Arc<Context>>> = Mutex::new(None);

/// As [`current_or_only`], also where there is no context at all: addresses and physical memory belong to the process
/// (seen on an H200).
pub(crate) fn current_or_early() -> CallResult<Arc<Context>> {
    match current_or_only() {
        Err(CUresult::CUDA_ERROR_INVALID_CONTEXT) if all().is_empty() => {
            let mut early = EARLY.lock().unwrap_or_else(PoisonError::into_inner);
            Ok(early.get_or_insert_with(|| Context::new(handle::fresh(), 0)).clone())
        }
        found => found,
    }
}

/// Takes the context that holds objects created before there was any context.
pub(crate) fn take_early() -> Option<Arc<Context>> {
    EARLY.lock().unwrap_or_else(PoisonError::into_inner).take()
}

/// Null stands for the current context.
pub(crate) fn this_or_current(context: CUcontext) -> CallResult<Arc<Context>> {
    may_call()?;
    if context.is_null() { current() } else { find(context as u64).ok_or(CUresult::CUDA_ERROR_INVALID_CONTEXT) }
}
