//! Graphs and the capture of streams ("Graph Management"). Parameters of nodes look as the driver's do, but for
//! kernels, which are named by the host's stand-in, and copies.

use super::call::{Error, RuntimeResult, check, context, give};
use super::copy::{Parameters3D, described, line, parameters};
use super::launch::resolve;
use crate::cu::{self, Copy3D, Handle, KernelNode};
use crate::registry;
use std::ffi::{c_int, c_uint, c_void};
use std::mem::MaybeUninit;
use std::ptr::null_mut;

/// A new node: where its handle goes, its graph, and what it comes after.
#[derive(Clone, Copy)]
pub struct Place {
    pub node: *mut Handle,
    pub graph: Handle,
    pub after: *const Handle,
    pub count: usize,
}

/// One call of the driver's that needs nothing but a context.
pub fn with_context(call: impl FnOnce() -> u32) -> RuntimeResult {
    context()?;
    check(call())
}

/// A kernel node for the driver.
///
/// # Safety
/// `wanted` is null or the caller's.
unsafe fn kernel(wanted: *const KernelNode) -> RuntimeResult<KernelNode> {
    if wanted.is_null() {
        return Err(Error::INVALID_VALUE);
    }
    // SAFETY: as above.
    let wanted = unsafe { wanted.read_unaligned() };
    Ok(KernelNode { function: resolve(wanted.function)?, ..wanted })
}

pub unsafe fn add_kernel(place: Place, wanted: *const KernelNode) -> RuntimeResult {
    // SAFETY: the caller's parameters and lists.
    unsafe {
        let wanted = kernel(wanted)?;
        check(cu::cuGraphAddKernelNode(place.node, place.graph, place.after, place.count, &wanted))
    }
}

pub unsafe fn set_kernel(node: Handle, wanted: *const KernelNode) -> RuntimeResult {
    // SAFETY: the caller's parameters.
    unsafe { check(cu::cuGraphKernelNodeSetParams(node, &kernel(wanted)?)) }
}

pub unsafe fn set_kernel_in(executable: Handle, node: Handle, wanted: *const KernelNode) -> RuntimeResult {
    // SAFETY: the caller's parameters.
    unsafe { check(cu::cuGraphExecKernelNodeSetParams(executable, node, &kernel(wanted)?)) }
}

pub unsafe fn get_kernel(node: Handle, found: *mut KernelNode) -> RuntimeResult {
    let context = context()?;
    let mut known = MaybeUninit::<KernelNode>::uninit();
    // SAFETY: an out-pointer to a local, which is filled if the call succeeds, and one of the caller.
    unsafe {
        check(cu::cuGraphKernelNodeGetParams(node, known.as_mut_ptr()))?;
        let known = known.assume_init();
        give(found, KernelNode { function: registry::stand_in(context, known.function)? as Handle, ..known })
    }
}

unsafe fn add(place: Place, copy: &Copy3D) -> RuntimeResult {
    let context = context()?;
    // SAFETY: the caller's lists and memory.
    check(unsafe { cu::cuGraphAddMemcpyNode(place.node, place.graph, place.after, place.count, copy, context) })
}

pub unsafe fn add_copy(place: Place, wanted: *const Parameters3D) -> RuntimeResult {
    // SAFETY: the caller's parameters.
    unsafe { add(place, &described(wanted)?) }
}

pub unsafe fn add_line(place: Place, to: *mut c_void, from: *const c_void, bytes: usize, kind: c_int) -> RuntimeResult {
    // SAFETY: the caller's memory.
    unsafe { add(place, &line(to, from, bytes, kind)?) }
}

pub unsafe fn set_copy(node: Handle, copy: RuntimeResult<Copy3D>) -> RuntimeResult {
    context()?;
    // SAFETY: the caller's memory.
    check(unsafe { cu::cuGraphMemcpyNodeSetParams(node, &copy?) })
}

pub unsafe fn set_copy_in(executable: Handle, node: Handle, copy: RuntimeResult<Copy3D>) -> RuntimeResult {
    let context = context()?;
    // SAFETY: the caller's memory.
    check(unsafe { cu::cuGraphExecMemcpyNodeSetParams(executable, node, &copy?, context) })
}

pub unsafe fn get_copy(node: Handle, found: *mut Parameters3D) -> RuntimeResult {
    context()?;
    let mut known = MaybeUninit::<Copy3D>::uninit();
    // SAFETY: an out-pointer to a local, which is filled if the call succeeds, and one of the caller.
    unsafe {
        check(cu::cuGraphMemcpyNodeGetParams(node, known.as_mut_ptr()))?;
        give(found, parameters(&known.assume_init()))
    }
}

pub unsafe fn add_fill(place: Place, fill: *const c_void) -> RuntimeResult {
    let context = context()?;
    // SAFETY: the caller's parameters and lists.
    check(unsafe { cu::cuGraphAddMemsetNode(place.node, place.graph, place.after, place.count, fill, context) })
}

pub unsafe fn set_fill_in(executable: Handle, node: Handle, fill: *const c_void) -> RuntimeResult {
    let context = context()?;
    // SAFETY: the caller's parameters.
    check(unsafe { cu::cuGraphExecMemsetNodeSetParams(executable, node, fill, context) })
}

/// Lists of edges got data with CUDA 12.3, and under the old names with CUDA 13: an argument more before the length.
#[derive(Clone, Copy)]
pub struct Edges {
    pub data: *mut c_void,
    pub count: usize,
}

impl Edges {
    /// Creates edges from two arguments, under a name that had only the first in CUDA 12.
    pub fn of(data_or_count: *mut c_void, count: usize) -> Edges {
        if registry::is_of_cuda_12() {
            Edges { data: null_mut(), count: data_or_count as usize }
        } else {
            Edges { data: data_or_count, count }
        }
    }

    /// Returns the pointer to the length, which is in and out.
    pub fn length(self) -> *mut usize {
        self.count as *mut usize
    }
}

/// The out-pointers of a query about a capture.
#[derive(Clone, Copy)]
pub struct Info {
    pub status: *mut c_int,
    pub id: *mut u64,
    pub graph: *mut Handle,
    pub after: *mut *const Handle,
    pub data: *mut *const c_void,
    pub count: *mut usize,
}

impl Info {
    /// Creates the query that asks for status and number alone.
    pub fn plain(status: *mut c_int, id: *mut u64) -> Info {
        Info { status, id, graph: null_mut(), after: null_mut(), data: null_mut(), count: null_mut() }
    }
}

pub unsafe fn capture_info(stream: Handle, info: Info) -> RuntimeResult {
    context()?;
    let Info { status, id, graph, after, data, count } = info;
    // SAFETY: out-pointers of the caller.
    check(unsafe { cu::cuStreamGetCaptureInfo_v3(stream, status, id, graph, after, data, count) })
}

pub unsafe fn update_dependencies(stream: Handle, after: *mut Handle, edges: Edges, flags: c_uint) -> RuntimeResult {
    context()?;
    let Edges { data, count } = edges;
    // SAFETY: the caller's list.
    check(unsafe { cu::cuStreamUpdateCaptureDependencies_v2(stream, after, data, count, flags) })
}
