//! Nodes of any type, described by one struct (CUDA Driver API, `cuGraphAddNode`).
//!
//! Semaphores and batches of memory operations are refused. Bytes after the member of the union that
//! counts are not looked at.

use super::function;
use super::graph::handles;
use super::graph_condition;
use super::graph_exec;
use super::graph_memory;
use super::graph_newer::{self, known_data, older};
use super::graph_node::{self, place};
use crate::emulated::base::outcome::{CallResult, out};
use crate::emulated::context::current::current;
use crate::emulated::context::graph_memory::MemoryNode;
use crate::emulated::task::graphs::graphs;
use crate::emulated::task::{CONDITIONAL, Conditional, StreamTask};
use crate::types::*;
use cust_raw::CUgraphNodeType_enum::*;
use cust_raw::CUresult::*;
use cust_raw::{CUcontext, CUdeviceptr, CUevent, CUgraph, CUgraphExec, CUgraphNode};
use std::collections::BTreeSet;
use std::ffi::{c_uint, c_void};
use std::ptr::null_mut;
use std::sync::{Mutex, PoisonError};

/// The types of nodes by number, as a newer header may know more of them.
const KERNEL: c_uint = CU_GRAPH_NODE_TYPE_KERNEL as c_uint;
const COPY: c_uint = CU_GRAPH_NODE_TYPE_MEMCPY as c_uint;
const FILL: c_uint = CU_GRAPH_NODE_TYPE_MEMSET as c_uint;
const HOST: c_uint = CU_GRAPH_NODE_TYPE_HOST as c_uint;
const CHILD: c_uint = CU_GRAPH_NODE_TYPE_GRAPH as c_uint;
const EMPTY: c_uint = CU_GRAPH_NODE_TYPE_EMPTY as c_uint;
const WAIT: c_uint = CU_GRAPH_NODE_TYPE_WAIT_EVENT as c_uint;
const RECORD: c_uint = CU_GRAPH_NODE_TYPE_EVENT_RECORD as c_uint;
const ALLOCATION: c_uint = CU_GRAPH_NODE_TYPE_MEM_ALLOC as c_uint;
const FREE: c_uint = CU_GRAPH_NODE_TYPE_MEM_FREE as c_uint;

/// The bytes before the copy in the parameters of its node.
const COPY_OFFSET: usize = size_of::<CUDA_MEMCPY_NODE_PARAMS>() - size_of::<cust_raw::CUDA_MEMCPY3D>();

/// Says once for each type that there are no such nodes.
fn refuse(kind: c_uint) -> CallResult<StreamTask> {
    let name = match kind {
        8 => "CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL",
        9 => "CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT",
        12 => "CU_GRAPH_NODE_TYPE_BATCH_MEM_OP",
        _ => return Err(CUDA_ERROR_INVALID_VALUE),
    };
    static NAMED: Mutex<BTreeSet<&str>> = Mutex::new(BTreeSet::new());
    if NAMED.lock().unwrap_or_else(PoisonError::into_inner).insert(name) {
        words::complain(&say!("unsupported-node-type", name));
    }
    Err(CUDA_ERROR_NOT_SUPPORTED)
}

/// Returns a copy of the caller's struct.
///
/// # Safety
/// Null or a pointer of the caller.
unsafe fn given(parameters: *const CUgraphNodeParams) -> CallResult<CUgraphNodeParams> {
    if parameters.is_null() {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    // SAFETY: as above.
    let wanted = unsafe { parameters.read_unaligned() };
    let is_zero = wanted.reserved0 == [0; 3] && wanted.reserved2 == 0;
    if is_zero { Ok(wanted) } else { Err(CUDA_ERROR_INVALID_VALUE) }
}

/// The task of a node, but for memory and child graphs.
///
/// # Safety
/// Pointers inside are the caller's.
unsafe fn task(wanted: &CUgraphNodeParams) -> CallResult<StreamTask> {
    // SAFETY: the union's member of this type, and pointers of the caller in it.
    unsafe {
        match wanted.kind {
            KERNEL => graph_node::kernel(&older(wanted.member())?),
            COPY => {
                let CUDA_MEMCPY_NODE_PARAMS { flags: 0, copyCtx, .. } = *wanted.member() else {
                    return Err(CUDA_ERROR_INVALID_VALUE);
                };
                graph_node::copy(wanted.member::<u8>().add(COPY_OFFSET).cast(), copyCtx)
            }
            FILL => {
                let fill = wanted.member::<cust_raw::CUDA_MEMSET_NODE_PARAMS>();
                graph_node::fill(fill, fill.add(1).cast::<CUcontext>().read())
            }
            HOST => graph_node::host(wanted.member()),
            EMPTY => Ok(StreamTask::Empty),
            WAIT => graph_node::event(wanted.member::<CUevent>().read()).map(StreamTask::Wait),
            RECORD => graph_node::event(wanted.member::<CUevent>().read()).map(StreamTask::Record),
            kind => refuse(kind),
        }
    }
}

pub(crate) unsafe fn add(
    node: *mut CUgraphNode,
    graph: CUgraph,
    dependencies: *const CUgraphNode,
    count: usize,
    parameters: *mut CUgraphNodeParams,
) -> CallResult {
    // SAFETY: pointers of the caller.
    unsafe {
        let mut wanted = given(parameters)?;
        match wanted.kind {
            CHILD => {
                let CUDA_CHILD_GRAPH_NODE_PARAMS { graph: child, ownership } = *wanted.member();
                match ownership {
                    0 => graph_node::add_child(node, graph, dependencies, count, child),
                    1 => graph_node::move_child(node, graph, dependencies, count, child),
                    _ => Err(CUDA_ERROR_INVALID_VALUE),
                }
            }
            ALLOCATION => {
                let memory = (&raw mut wanted.values).cast();
                graph_memory::add_allocation(node, graph, dependencies, count, memory)?;
                // The address is an output.
                out(parameters)?.set(wanted);
                Ok(())
            }
            CONDITIONAL => {
                let condition = &mut *(&raw mut wanted.values).cast();
                graph_condition::add(node, graph, dependencies, count, condition)?;
                // The bodies are an output.
                out(parameters)?.set(wanted);
                Ok(())
            }
            FREE => graph_memory::add_free(node, graph, dependencies, count, wanted.member::<CUdeviceptr>().read()),
            _ => place(node, graph, dependencies, count)?(task(&wanted)?),
        }
    }
}

pub(crate) unsafe fn add_with_edges(
    node: *mut CUgraphNode,
    graph: CUgraph,
    dependencies: *const CUgraphNode,
    data: *const CUgraphEdgeData,
    count: usize,
    parameters: *mut CUgraphNodeParams,
) -> CallResult {
    // SAFETY: pointers of the caller.
    let (data, before) = unsafe { (known_data(data, count)?, handles(dependencies, count)?) };
    let is_plain = data.iter().all(|data| *data == CUgraphEdgeData::default());
    before.iter().zip(&data).try_for_each(|(before, data)| graphs().check_data((*before, *before), *data))?;
    // SAFETY: pointers of the caller.
    unsafe {
        if !is_plain && given(parameters)?.kind != KERNEL {
            return Err(CUDA_ERROR_INVALID_VALUE);
        }
        add(node, graph, dependencies, count, parameters)?;
        let added = node.read() as u64;
        before.into_iter().zip(data).for_each(|(before, data)| graphs().set_data((before, added), data));
    }
    Ok(())
}

/// A kernel that is given as a function, together with a context, must be of that context.
///
/// # Safety
/// `parameters` is null or the caller's.
unsafe fn check_context(parameters: *const CUgraphNodeParams) -> CallResult {
    // SAFETY: the caller's struct.
    let wanted = unsafe { given(parameters)? };
    if wanted.kind != KERNEL {
        return Ok(());
    }
    // SAFETY: the union's member of this type.
    let CUDA_KERNEL_NODE_PARAMS_v2 { v1, ctx, .. } = unsafe { *wanted.member() };
    let is_other = || CallResult::Ok(function::resolve(v1.func)?.0.handle != ctx as u64);
    match !v1.func.is_null() && !ctx.is_null() && is_other()? {
        true => Err(CUDA_ERROR_INVALID_CONTEXT),
        false => Ok(()),
    }
}

/// The form of CUDA 13.4.
pub(crate) unsafe fn add_in_context(
    node: *mut CUgraphNode,
    graph: CUgraph,
    dependencies: *const CUgraphNode,
    data: *const CUgraphEdgeData,
    count: usize,
    parameters: *mut CUgraphNodeParams,
) -> CallResult {
    // SAFETY: pointers of the caller.
    unsafe {
        check_context(parameters)?;
        add_with_edges(node, graph, dependencies, data, count, parameters)
    }
}

/// Memory that is allocated or freed stays what it is, and so do conditional nodes.
fn check_changeable(kind: c_uint) -> CallResult {
    if matches!(kind, ALLOCATION | FREE | CONDITIONAL) { Err(CUDA_ERROR_NOT_SUPPORTED) } else { Ok(()) }
}

/// Sets the parameters of any node. A child node gets a copy of the graph.
pub(crate) unsafe fn set_params(node: CUgraphNode, parameters: *mut CUgraphNodeParams) -> CallResult {
    // SAFETY: a pointer of the caller.
    let wanted = unsafe { given(parameters)? };
    check_changeable(wanted.kind)?;
    if wanted.kind == CHILD {
        // SAFETY: the union's member of this type.
        let CUDA_CHILD_GRAPH_NODE_PARAMS { graph, .. } = unsafe { *wanted.member() };
        return graph_node::set_child(node, graph);
    }
    // SAFETY: pointers of the caller.
    let task = unsafe { task(&wanted)? };
    graphs().replace(node, task)
}

/// Returns the type and the parameters of any node. What they point to is the node's.
pub(crate) unsafe fn params(node: CUgraphNode, parameters: *mut CUgraphNodeParams) -> CallResult {
    // SAFETY: an out-pointer of the caller.
    let place = unsafe { out(parameters)? };
    let task = graphs().node(node)?.task.clone();
    let mut found = CUgraphNodeParams { kind: task.kind(), reserved0: [0; 3], values: [0; 29], reserved2: 0 };
    let here = current().ok().filter(|context| task.context() == Some(context.number));
    let context = here.map_or(null_mut(), |context| context.handle as CUcontext);
    let values = (&raw mut found.values).cast::<c_void>();
    // SAFETY: the union's member of each type, which is as large at most.
    unsafe {
        match &task {
            StreamTask::Kernel(_) => {
                graph_newer::kernel_node_params(node, values.cast())?;
                (*values.cast::<CUDA_KERNEL_NODE_PARAMS_v2>()).ctx = context;
            }
            StreamTask::Copy(copy) => {
                (*values.cast::<CUDA_MEMCPY_NODE_PARAMS>()).copyCtx = context;
                values.byte_add(COPY_OFFSET).cast::<cust_raw::CUDA_MEMCPY3D>().write(copy.parameters());
            }
            StreamTask::Fill(fill) => {
                let place = values.cast::<cust_raw::CUDA_MEMSET_NODE_PARAMS>();
                place.write(fill.parameters());
                place.add(1).cast::<CUcontext>().write(context);
            }
            StreamTask::Host(host) => values.cast::<cust_raw::CUDA_HOST_NODE_PARAMS>().write(host.parameters()),
            StreamTask::Child(inner) => {
                let graph = *inner as CUgraph;
                values
                    .cast::<CUDA_CHILD_GRAPH_NODE_PARAMS>()
                    .write(CUDA_CHILD_GRAPH_NODE_PARAMS { graph, ownership: 0 });
            }
            StreamTask::Record(event) | StreamTask::Wait(event) => values.cast::<u64>().write(*event),
            StreamTask::Memory(MemoryNode::Allocate(memory)) => {
                let bytes = memory.bytes as usize;
                values
                    .cast::<CUDA_MEM_ALLOC_NODE_PARAMS_v2>()
                    .write(CUDA_MEM_ALLOC_NODE_PARAMS_v2::of(memory.address, bytes));
            }
            StreamTask::Memory(MemoryNode::Free(memory)) => values.cast::<CUdeviceptr>().write(memory.address),
            StreamTask::Conditional(Conditional { condition, kind, bodies }) => {
                values.cast::<CUDA_CONDITIONAL_NODE_PARAMS>().write(CUDA_CONDITIONAL_NODE_PARAMS {
                    handle: condition.address,
                    kind: kind.number(),
                    size: bodies.len() as c_uint,
                    phGraph_out: bodies.as_ptr() as *mut CUgraph,
                    ctx: context,
                });
            }
            StreamTask::Empty => {}
        }
    }
    place.set(found);
    Ok(())
}

/// The form of CUDA 13.4.
pub(crate) unsafe fn set_params_in_context(node: CUgraphNode, parameters: *mut CUgraphNodeParams) -> CallResult {
    // SAFETY: a pointer of the caller.
    unsafe {
        check_context(parameters)?;
        set_params(node, parameters)
    }
}

pub(crate) unsafe fn set_executable_params(
    executable: CUgraphExec,
    node: CUgraphNode,
    parameters: *mut CUgraphNodeParams,
) -> CallResult {
    // SAFETY: a pointer of the caller.
    let wanted = unsafe { given(parameters)? };
    check_changeable(wanted.kind)?;
    // SAFETY: pointers of the caller.
    unsafe {
        if wanted.kind == CHILD {
            let CUDA_CHILD_GRAPH_NODE_PARAMS { graph, .. } = *wanted.member();
            return graph_exec::set_child(executable, node, graph);
        }
        graph_exec::replace(executable, node, task(&wanted)?)
    }
}
