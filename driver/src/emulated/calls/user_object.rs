//! User objects and the references of graphs to them (CUDA Driver API, "Graph Management").

use crate::emulated::base::outcome::{CallResult, out};
use crate::emulated::base::process::may_call;
use crate::emulated::context::handle;
use crate::emulated::task::HostFunction;
use crate::emulated::task::graphs::graphs;
use crate::emulated::task::user_objects::{UserObject, run_destructors};
use cust_raw::CUresult::*;
use cust_raw::*;
use std::collections::BTreeMap;
use std::ffi::{c_uint, c_void};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

/// An object by its handle, and the program's own references to it.
struct Known {
    object: Weak<UserObject>,
    own: Option<Arc<UserObject>>,
    count: u64,
}

fn objects() -> MutexGuard<'static, BTreeMap<u64, Known>> {
    static OBJECTS: Mutex<BTreeMap<u64, Known>> = Mutex::new(BTreeMap::new());
    OBJECTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// `CU_USER_OBJECT_NO_DESTRUCTOR_SYNC`: no call waits for the destructor. There is no other kind.
const NO_DESTRUCTOR_SYNC: c_uint = 1;
/// `CU_GRAPH_USER_OBJECT_MOVE`: the references are the program's until now.
const MOVE: c_uint = 1;

fn check_count(count: c_uint) -> CallResult<u64> {
    if (1..=i32::MAX as c_uint).contains(&count) { Ok(count.into()) } else { Err(CUDA_ERROR_INVALID_VALUE) }
}

fn find(object: CUuserObject) -> CallResult<Arc<UserObject>> {
    may_call()?;
    let found = objects().get(&(object as u64)).and_then(|known| known.object.upgrade());
    found.ok_or(CUDA_ERROR_INVALID_VALUE)
}

/// Adds references of the program's.
fn own(object: &Arc<UserObject>, count: u64) {
    if let Some(known) = objects().get_mut(&object.handle) {
        known.own = Some(object.clone());
        known.count += count;
    }
}

/// Takes references of the program's away. It is an error if it has fewer.
fn disown(object: u64, count: u64) -> CallResult {
    let mut objects = objects();
    let known = objects.get_mut(&object).ok_or(CUDA_ERROR_INVALID_VALUE)?;
    known.count = known.count.checked_sub(count).ok_or(CUDA_ERROR_INVALID_VALUE)?;
    if known.count == 0 {
        known.own = None;
    }
    Ok(())
}

pub(crate) unsafe fn create(
    place: *mut CUuserObject,
    data: *mut c_void,
    destroy: CUhostFn,
    count: c_uint,
    flags: c_uint,
) -> CallResult {
    may_call()?;
    // SAFETY: an out-pointer of the caller.
    let place = unsafe { out(place)? };
    let (count, function) = (check_count(count)?, destroy.ok_or(CUDA_ERROR_INVALID_VALUE)?);
    if flags != NO_DESTRUCTOR_SYNC {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    let destructor = HostFunction { function, data: data as u64 };
    let object = Arc::new(UserObject { handle: handle::fresh(), destructor });
    let handle = object.handle;
    objects().insert(handle, Known { object: Arc::downgrade(&object), own: Some(object), count });
    place.set(handle as CUuserObject);
    Ok(())
}

pub(crate) unsafe fn retain(object: CUuserObject, count: c_uint) -> CallResult {
    own(&find(object)?, check_count(count)?);
    Ok(())
}

pub(crate) unsafe fn release(object: CUuserObject, count: c_uint) -> CallResult {
    find(object)?;
    disown(object as u64, check_count(count)?)?;
    run_destructors();
    Ok(())
}

pub(crate) unsafe fn graph_retain(graph: CUgraph, object: CUuserObject, count: c_uint, flags: c_uint) -> CallResult {
    let graph = graphs().check(graph)?;
    let (object, count) = (find(object)?, check_count(count)?);
    if flags & !MOVE != 0 {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    if flags == MOVE {
        disown(object.handle, count)?;
    }
    graphs().hold(graph, &object, count);
    Ok(())
}

pub(crate) unsafe fn graph_release(graph: CUgraph, object: CUuserObject, count: c_uint) -> CallResult {
    let graph = graphs().check(graph)?;
    let (object, count) = (find(object)?.handle, check_count(count)?);
    if !graphs().let_go(graph, object, count) {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    run_destructors();
    Ok(())
}
