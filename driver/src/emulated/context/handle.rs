//! Handles are numbers in a table, never addresses: null, stale, foreign and made-up ones are told apart without
//! touching memory. A number is never used twice, and never for two kinds of object.

use super::Context;
use crate::emulated::base::outcome::CallResult;
use cust_raw::CUresult;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, RwLock, Weak};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HandleKind {
    Module,
    Function,
    Stream,
    Event,
    Array,
    MipmappedArray,
    Texture,
    Surface,
}

static OWNERS: RwLock<BTreeMap<u64, (HandleKind, Weak<Context>)>> = RwLock::new(BTreeMap::new());

/// The first handle. CUDA gives 0, 1 and 2 meanings of their own; no other number near this one has any.
const FIRST: u64 = 0x0E00_0010;
/// The distance of handles, as if they were addresses of objects.
const STEP: u64 = 0x10;

/// A number that no handle has had.
pub(crate) fn fresh() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    FIRST + STEP * NEXT.fetch_add(1, Ordering::Relaxed)
}

/// A new handle of an object that `context` owns.
pub(crate) fn register(kind: HandleKind, context: &Arc<Context>) -> u64 {
    let handle = fresh();
    OWNERS.write().expect("no panic holds this lock").insert(handle, (kind, Arc::downgrade(context)));
    handle
}

/// The context that owns this handle, if it is one of this kind.
pub(crate) fn owner(kind: HandleKind, handle: u64) -> CallResult<Arc<Context>> {
    let owners = OWNERS.read().expect("no panic holds this lock");
    match owners.get(&handle) {
        Some((found, context)) if *found == kind => context.upgrade().ok_or(CUresult::CUDA_ERROR_CONTEXT_IS_DESTROYED),
        _ => Err(CUresult::CUDA_ERROR_INVALID_HANDLE),
    }
}

/// The object is gone.
pub(crate) fn forget(handle: u64) {
    OWNERS.write().expect("no panic holds this lock").remove(&handle);
}

/// All objects of a context are gone with it.
pub(crate) fn forget_all(context: &Context) {
    let of_context = |owner: &Weak<Context>| std::ptr::eq(owner.as_ptr(), context);
    OWNERS.write().expect("no panic holds this lock").retain(|_, (_, owner)| !of_context(owner));
}
