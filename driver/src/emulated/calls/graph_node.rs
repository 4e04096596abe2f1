//! Nodes of each kind, and what they are to do (CUDA Driver API, "Graph Management").

use super::event;
use super::function;
use super::graph::handles;
use crate::emulated::base::outcome::{CallResult, out};
use crate::emulated::context::current::this_or_current;
use crate::emulated::task::graphs::{Graphs, graphs};
use crate::emulated::task::user_objects::run_destructors;
use crate::emulated::task::{Fill, HostFunction, Kernel, Launch, MemoryCopy, StreamTask};
use cust_raw::CUresult::*;
use cust_raw::*;
use emulator::LaunchConfig;
use std::ffi::{c_uint, c_void};

/// Checks the place of a new node, and returns a function that adds a task there.
///
/// # Safety
/// Pointers of the caller: `dependencies` holds `count` handles.
pub(crate) unsafe fn place(
    node: *mut CUgraphNode,
    graph: CUgraph,
    dependencies: *const CUgraphNode,
    count: usize,
) -> CallResult<impl FnOnce(StreamTask) -> CallResult> {
    // SAFETY: as above.
    let (node, after) = unsafe { (out(node)?, handles(dependencies, count)?) };
    let graph = graphs().check(graph)?;
    Ok(move |task| {
        node.set(graphs().add(graph, after, task)? as CUgraphNode);
        Ok(())
    })
}

/// Returns a copy of the struct that the caller's pointer points to.
///
/// # Safety
/// Null or a pointer of the caller.
unsafe fn given<T: Copy>(parameters: *const T) -> CallResult<T> {
    if parameters.is_null() {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    // SAFETY: as above.
    Ok(unsafe { parameters.read_unaligned() })
}

/// Checks a launch as `cuLaunchKernel` does and copies its parameters.
///
/// # Safety
/// `parameters` is null or as the API has it.
pub(crate) unsafe fn kernel(parameters: *const CUDA_KERNEL_NODE_PARAMS) -> CallResult<StreamTask> {
    // SAFETY: the caller's struct.
    let wanted = unsafe { given(parameters)? };
    let config = LaunchConfig {
        grid: [wanted.gridDimX, wanted.gridDimY, wanted.gridDimZ],
        block: [wanted.blockDimX, wanted.blockDimY, wanted.blockDimZ],
        dynamic_shared: wanted.sharedMemBytes,
        cooperative: false,
        cluster: None,
    };
    let (context, handle) = function::resolve(wanted.func)?;
    let state = context.lock()?;
    let function = state.function(handle)?;
    // SAFETY: the caller's parameters.
    let launch = unsafe { Launch::new(function, state.device.profile(), config, wanted.kernelParams, wanted.extra)? };
    Ok(StreamTask::Kernel(Kernel::new(context.number, launch, handle)))
}

/// # Safety
/// `parameters` is null or as the API has it.
pub(crate) unsafe fn copy(parameters: *const CUDA_MEMCPY3D, place: CUcontext) -> CallResult<StreamTask> {
    let context = this_or_current(place)?;
    let state = context.lock()?;
    // SAFETY: the caller's struct and memory.
    Ok(StreamTask::Copy(unsafe { MemoryCopy::of(&state, context.number, parameters)? }))
}

/// # Safety
/// `parameters` is null or as the API has it.
pub(crate) unsafe fn fill(parameters: *const CUDA_MEMSET_NODE_PARAMS, place: CUcontext) -> CallResult<StreamTask> {
    let context = this_or_current(place)?;
    let state = context.lock()?;
    // SAFETY: the caller's struct.
    Ok(StreamTask::Fill(Fill::of(&state, context.number, unsafe { given(parameters)? })?))
}

/// # Safety
/// `parameters` is null or as the API has it.
pub(crate) unsafe fn host(parameters: *const CUDA_HOST_NODE_PARAMS) -> CallResult<StreamTask> {
    // SAFETY: the caller's struct.
    let CUDA_HOST_NODE_PARAMS { fn_, userData } = unsafe { given(parameters)? };
    Ok(StreamTask::Host(HostFunction { function: fn_.ok_or(CUDA_ERROR_INVALID_VALUE)?, data: userData as u64 }))
}

/// Checks an event of a node.
pub(super) fn event(event: CUevent) -> CallResult<u64> {
    event::owner(event)?;
    Ok(event as u64)
}

pub(crate) unsafe fn add_kernel(
    node: *mut CUgraphNode,
    graph: CUgraph,
    dependencies: *const CUgraphNode,
    count: usize,
    parameters: *const CUDA_KERNEL_NODE_PARAMS,
) -> CallResult {
    // SAFETY: pointers of the caller.
    unsafe { place(node, graph, dependencies, count)?(kernel(parameters)?) }
}

pub(crate) unsafe fn add_copy(
    node: *mut CUgraphNode,
    graph: CUgraph,
    dependencies: *const CUgraphNode,
    count: usize,
    parameters: *const CUDA_MEMCPY3D,
    context: CUcontext,
) -> CallResult {
    // SAFETY: pointers of the caller.
    unsafe { place(node, graph, dependencies, count)?(copy(parameters, context)?) }
}

pub(crate) unsafe fn add_fill(
    node: *mut CUgraphNode,
    graph: CUgraph,
    dependencies: *const CUgraphNode,
    count: usize,
    parameters: *const CUDA_MEMSET_NODE_PARAMS,
    context: CUcontext,
) -> CallResult {
    // SAFETY: pointers of the caller.
    unsafe { place(node, graph, dependencies, count)?(fill(parameters, context)?) }
}

pub(crate) unsafe fn add_host(
    node: *mut CUgraphNode,
    graph: CUgraph,
    dependencies: *const CUgraphNode,
    count: usize,
    parameters: *const CUDA_HOST_NODE_PARAMS,
) -> CallResult {
    // SAFETY: pointers of the caller.
    unsafe { place(node, graph, dependencies, count)?(host(parameters)?) }
}

/// The graph is copied: what happens to it later does not change the node.
pub(crate) unsafe fn add_child(
    node: *mut CUgraphNode,
    graph: CUgraph,
    dependencies: *const CUgraphNode,
    count: usize,
    child: CUgraph,
) -> CallResult {
    // SAFETY: pointers of the caller.
    let add = unsafe { place(node, graph, dependencies, count)? };
    if child == graph {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    let inner = graphs().copy_child(child)?;
    add(StreamTask::Child(inner)).inspect_err(|_| graphs().remove(inner))
}

/// Replaces the graph of a node by a copy of another, which gets a handle of its own. That may be the graph around the
/// node, as it is now, but not the node's own (seen on an H200).
pub(super) fn set_child(node: CUgraphNode, child: CUgraph) -> CallResult {
    let mut graphs = graphs();
    let StreamTask::Child(old) = graphs.node(node)?.task else { return Err(CUDA_ERROR_INVALID_VALUE) };
    if child as u64 == old {
        return Err(CUDA_ERROR_NOT_SUPPORTED);
    }
    let new = graphs.copy_child(child)?;
    graphs.node(node)?.task = StreamTask::Child(new);
    graphs.remove(old);
    drop(graphs);
    run_destructors();
    Ok(())
}

/// The graph becomes the node's own, with the handle that it has.
pub(super) unsafe fn move_child(
    node: *mut CUgraphNode,
    graph: CUgraph,
    dependencies: *const CUgraphNode,
    count: usize,
    child: CUgraph,
) -> CallResult {
    // SAFETY: pointers of the caller.
    let add = unsafe { place(node, graph, dependencies, count)? };
    {
        let graphs = graphs();
        let child = graphs.check(child)?;
        graphs.has_no_condition(child)?;
        if graphs.is_owned(child) || graphs.is_inside(graph as u64, child) {
            return Err(CUDA_ERROR_INVALID_VALUE);
        }
    }
    add(StreamTask::Child(child as u64))
}

pub(crate) unsafe fn add_empty(
    node: *mut CUgraphNode,
    graph: CUgraph,
    dependencies: *const CUgraphNode,
    count: usize,
) -> CallResult {
    // SAFETY: pointers of the caller.
    unsafe { place(node, graph, dependencies, count)?(StreamTask::Empty) }
}

pub(crate) unsafe fn add_record(
    node: *mut CUgraphNode,
    graph: CUgraph,
    dependencies: *const CUgraphNode,
    count: usize,
    event: CUevent,
) -> CallResult {
    event::owner(event)?;
    // SAFETY: pointers of the caller.
    unsafe { place(node, graph, dependencies, count)?(StreamTask::Record(event as u64)) }
}

pub(crate) unsafe fn add_wait(
    node: *mut CUgraphNode,
    graph: CUgraph,
    dependencies: *const CUgraphNode,
    count: usize,
    event: CUevent,
) -> CallResult {
    event::owner(event)?;
    // SAFETY: pointers of the caller.
    unsafe { place(node, graph, dependencies, count)?(StreamTask::Wait(event as u64)) }
}

/// The parameters' memory is the node's and lives as long.
pub(crate) unsafe fn kernel_params(node: CUgraphNode, parameters: *mut CUDA_KERNEL_NODE_PARAMS) -> CallResult {
    // SAFETY: an out-pointer of the caller.
    let parameters = unsafe { out(parameters)? };
    let mut graphs = graphs();
    let StreamTask::Kernel(kernel) = &mut graphs.node(node)?.task else { return Err(CUDA_ERROR_INVALID_VALUE) };
    kernel.addresses = kernel.launch.parameter_addresses();
    let config = kernel.launch.config();
    parameters.set(CUDA_KERNEL_NODE_PARAMS {
        func: kernel.function as CUfunction,
        gridDimX: config.grid[0],
        gridDimY: config.grid[1],
        gridDimZ: config.grid[2],
        blockDimX: config.block[0],
        blockDimY: config.block[1],
        blockDimZ: config.block[2],
        sharedMemBytes: config.dynamic_shared,
        kernelParams: kernel.addresses.as_mut_ptr().cast::<*mut c_void>(),
        extra: std::ptr::null_mut(),
    });
    Ok(())
}

pub(crate) unsafe fn copy_params(node: CUgraphNode, parameters: *mut CUDA_MEMCPY3D) -> CallResult {
    // SAFETY: an out-pointer of the caller.
    let parameters = unsafe { out(parameters)? };
    let mut graphs = graphs();
    let StreamTask::Copy(copy) = &graphs.node(node)?.task else { return Err(CUDA_ERROR_INVALID_VALUE) };
    parameters.set(copy.parameters());
    Ok(())
}

pub(crate) unsafe fn fill_params(node: CUgraphNode, parameters: *mut CUDA_MEMSET_NODE_PARAMS) -> CallResult {
    // SAFETY: an out-pointer of the caller.
    let parameters = unsafe { out(parameters)? };
    let mut graphs = graphs();
    let StreamTask::Fill(fill) = &graphs.node(node)?.task else { return Err(CUDA_ERROR_INVALID_VALUE) };
    parameters.set(fill.parameters());
    Ok(())
}

pub(crate) unsafe fn host_params(node: CUgraphNode, parameters: *mut CUDA_HOST_NODE_PARAMS) -> CallResult {
    // SAFETY: an out-pointer of the caller.
    let parameters = unsafe { out(parameters)? };
    let StreamTask::Host(host) = graphs().node(node)?.task else { return Err(CUDA_ERROR_INVALID_VALUE) };
    parameters.set(host.parameters());
    Ok(())
}

/// The graph inside is the node's own, and may be changed.
pub(crate) unsafe fn child(node: CUgraphNode, graph: *mut CUgraph) -> CallResult {
    // SAFETY: an out-pointer of the caller.
    let graph = unsafe { out(graph)? };
    let StreamTask::Child(inner) = graphs().node(node)?.task else { return Err(CUDA_ERROR_INVALID_VALUE) };
    graph.set(inner as CUgraph);
    Ok(())
}

impl Graphs {
    /// Returns a copy of a graph for a node.
    fn copy_child(&mut self, child: CUgraph) -> CallResult<u64> {
        let child = self.check(child)?;
        self.has_no_memory(child)?;
        self.has_no_condition(child)?;
        Ok(self.copy(child))
    }

    /// A node keeps its kind.
    pub(super) fn replace(&mut self, node: CUgraphNode, task: StreamTask) -> CallResult {
        self.node(node)?.task.replace(task)
    }
}

pub(crate) unsafe fn set_kernel_params(node: CUgraphNode, parameters: *const CUDA_KERNEL_NODE_PARAMS) -> CallResult {
    // SAFETY: a pointer of the caller.
    let task = unsafe { kernel(parameters)? };
    graphs().replace(node, task)
}

pub(crate) unsafe fn set_copy_params(node: CUgraphNode, parameters: *const CUDA_MEMCPY3D) -> CallResult {
    // SAFETY: a pointer of the caller.
    let task = unsafe { copy(parameters, std::ptr::null_mut())? };
    graphs().replace(node, task)
}

pub(crate) unsafe fn set_fill_params(node: CUgraphNode, parameters: *const CUDA_MEMSET_NODE_PARAMS) -> CallResult {
    // SAFETY: a pointer of the caller.
    let task = unsafe { fill(parameters, std::ptr::null_mut())? };
    graphs().replace(node, task)
}

pub(crate) unsafe fn set_host_params(node: CUgraphNode, parameters: *const CUDA_HOST_NODE_PARAMS) -> CallResult {
    // SAFETY: a pointer of the caller.
    let task = unsafe { host(parameters)? };
    graphs().replace(node, task)
}

/// The event of a node of either kind.
fn event_of(node: CUgraphNode, kind: CUgraphNodeType) -> CallResult<u64> {
    match &graphs().node(node)?.task {
        task @ (StreamTask::Record(event) | StreamTask::Wait(event)) if task.kind() == kind as c_uint => Ok(*event),
        _ => Err(CUDA_ERROR_INVALID_VALUE),
    }
}

pub(crate) unsafe fn record_event(node: CUgraphNode, event: *mut CUevent) -> CallResult {
    // SAFETY: an out-pointer of the caller.
    let event = unsafe { out(event)? };
    event.set(event_of(node, CUgraphNodeType_enum::CU_GRAPH_NODE_TYPE_EVENT_RECORD)? as CUevent);
    Ok(())
}

pub(crate) unsafe fn wait_event(node: CUgraphNode, event: *mut CUevent) -> CallResult {
    // SAFETY: an out-pointer of the caller.
    let event = unsafe { out(event)? };
    event.set(event_of(node, CUgraphNodeType_enum::CU_GRAPH_NODE_TYPE_WAIT_EVENT)? as CUevent);
    Ok(())
}

pub(crate) unsafe fn set_record_event(node: CUgraphNode, event: CUevent) -> CallResult {
    event::owner(event)?;
    graphs().replace(node, StreamTask::Record(event as u64))
}

pub(crate) unsafe fn set_wait_event(node: CUgraphNode, event: CUevent) -> CallResult {
    event::owner(event)?;
    graphs().replace(node, StreamTask::Wait(event as u64))
}
