//! Nodes of any type, described by one struct (`cudaGraphAddNode`): the driver's, but for kernels, which are named by
//! the host's stand-in, and copies.

use super::call::{Error, RuntimeResult, check, context};
use super::copy::{Parameters3D, described};
use super::graph::{Edges, Place};
use super::launch::resolve;
use crate::cu::{Code, Copy3D, Handle};
use crate::registry::is_of_cuda_12;
use std::ffi::{c_int, c_uint, c_void};

/// `cudaGraphNodeParams` and `CUgraphNodeParams`. The values are a union.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct NodeParameters {
    kind: c_uint,
    reserved: [c_int; 3],
    values: [usize; 29],
    reserved_too: i64,
}

unsafe extern "C" {
    fn cuGraphAddNode_v2(
        node: *mut Handle,
        graph: Handle,
        after: *const Handle,
        data: *const c_void,
        count: usize,
        wanted: *mut NodeParameters,
    ) -> Code;
    fn cuGraphConditionalHandleCreate(
        handle: *mut u64,
        graph: Handle,
        context: Handle,
        default: c_uint,
        flags: c_uint,
    ) -> Code;
    fn cuGraphNodeSetParams(node: Handle, wanted: *mut NodeParameters) -> Code;
    fn cuGraphExecNodeSetParams(executable: Handle, node: Handle, wanted: *mut NodeParameters) -> Code;
    fn cuGraphExecChildGraphNodeSetParams(executable: Handle, node: Handle, graph: Handle) -> Code;
}

/// The types whose parameters differ from the driver's.
const KERNEL: c_uint = 0;
const COPY: c_uint = 1;
const FILL: c_uint = 2;
/// The type with an output, and which of the values it is.
const ALLOCATION: c_uint = 10;
const ADDRESS: usize = 14;

/// The type whose bodies are an output, and which of the values they and the context are.
const CONDITIONAL: c_uint = 13;
const BODIES: usize = 2;
const CONDITION_CONTEXT: usize = 3;

/// A copy's parameters begin at this value, and those of the driver's too.
const COPIED: usize = 2;
/// The context of a copy, and that of a fill.
const COPY_CONTEXT: usize = 1;
const FILL_CONTEXT: usize = 5;

/// The same for the driver.
///
/// # Safety
/// `wanted` is null or the caller's.
unsafe fn for_driver(wanted: *const NodeParameters) -> RuntimeResult<NodeParameters> {
    let context = context()?;
    if wanted.is_null() {
        return Err(Error::INVALID_VALUE);
    }
    // SAFETY: as above.
    let mut all = unsafe { wanted.read_unaligned() };
    match all.kind {
        KERNEL => {
            all.values[0] = resolve(all.values[0] as *const c_void)? as usize;
            // A kernel of a library and a context, which the driver's struct has behind what is the same in both.
            all.values[7..9].fill(0);
        }
        COPY => {
            let values = all.values.as_mut_ptr();
            // SAFETY: the parameters of a copy are as long in neither form as the values are.
            unsafe {
                let copy = described(values.add(COPIED).cast::<Parameters3D>())?;
                values.add(COPIED).cast::<Copy3D>().write(copy);
            }
            all.values[COPY_CONTEXT] = context as usize;
        }
        FILL => all.values[FILL_CONTEXT] = context as usize,
        CONDITIONAL => all.values[CONDITION_CONTEXT] = context as usize,
        _ => {}
    }
    Ok(all)
}

const _: () = assert!(size_of::<NodeParameters>() == 256);
const _: () = assert!(size_of::<Copy3D>() <= 27 * 8 && size_of::<Parameters3D>() <= 27 * 8);

/// With data of edges since CUDA 12.3, under the plain name since CUDA 13.
pub unsafe fn add(place: Place, data: *const c_void, wanted: *mut NodeParameters) -> RuntimeResult {
    let Place { node, graph, after, count } = place;
    // SAFETY: the caller's parameters and lists.
    unsafe {
        let mut all = for_driver(wanted)?;
        check(cuGraphAddNode_v2(node, graph, after, data, count, &mut all))?;
        let output = match all.kind {
            ALLOCATION => ADDRESS,
            CONDITIONAL => BODIES,
            _ => return Ok(()),
        };
        let mut told = wanted.read_unaligned();
        told.values[output] = all.values[output];
        wanted.write_unaligned(told);
    }
    Ok(())
}

/// The handle of a condition, for the current context.
pub unsafe fn create_condition(handle: *mut u64, graph: Handle, default: c_uint, flags: c_uint) -> RuntimeResult {
    let context = context()?;
    // SAFETY: an out-pointer of the caller.
    check(unsafe { cuGraphConditionalHandleCreate(handle, graph, context, default, flags) })
}

/// As `add`, under the name that had no data of edges in CUDA 12. Its last three arguments, as they came.
pub unsafe fn add_of_version(
    node: *mut Handle,
    graph: Handle,
    after: *const Handle,
    (data, count, wanted): (*mut c_void, usize, *mut NodeParameters),
) -> RuntimeResult {
    let wanted = if is_of_cuda_12() { count as *mut NodeParameters } else { wanted };
    let Edges { data, count } = Edges::of(data, count);
    // SAFETY: the caller's parameters and lists.
    unsafe { add(Place { node, graph, after, count }, data, wanted) }
}

pub unsafe fn set(node: Handle, wanted: *const NodeParameters) -> RuntimeResult {
    // SAFETY: the caller's parameters.
    unsafe { check(cuGraphNodeSetParams(node, &mut for_driver(wanted)?)) }
}

pub unsafe fn set_in(executable: Handle, node: Handle, wanted: *const NodeParameters) -> RuntimeResult {
    // SAFETY: the caller's parameters.
    unsafe { check(cuGraphExecNodeSetParams(executable, node, &mut for_driver(wanted)?)) }
}

pub unsafe fn set_child_in(executable: Handle, node: Handle, graph: Handle) -> RuntimeResult {
    context()?;
    // SAFETY: handles, which are looked up.
    check(unsafe { cuGraphExecChildGraphNodeSetParams(executable, node, graph) })
}
