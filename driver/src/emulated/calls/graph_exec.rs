//! Instantiated graphs: a copy of the nodes, launched as often as one likes (CUDA Driver API, "Graph Management").
//!
//! In a launch every node gets a stream of its own that waits for the nodes it depends on, and for nothing else. So two
//! kernels that no edge orders are unordered for the race checker too. A launch waits for the last one of the same
//! graph.
//!
//! A kernel whose only edge is programmatic is launched as a dependent one in the stream of the kernel before it. One
//! with further edges waits for the whole of each (towards silence).

use super::graph_node;
use crate::emulated::base::outcome::{CallResult, out};
use crate::emulated::base::process::may_call;
use crate::emulated::context::current::is_alive;
use crate::emulated::context::graph_memory::{GraphMemory, MemoryNode};
use crate::emulated::context::handle;
use crate::emulated::context::state::StreamWork;
use crate::emulated::context::stream_handle::{self, LockedStream};
use crate::emulated::context::{Context, Locked};
use crate::emulated::queue::{HostCall, StreamMark};
use crate::emulated::task::StreamTask;
use crate::emulated::task::graphs::{Graphs, graphs};
use crate::emulated::task::user_objects::{UserObject, run_destructors};
use crate::types::CUgraphExecUpdateResultInfo;
use cust_raw::CUgraphExecUpdateResult_enum::{self, *};
use cust_raw::CUresult::*;
use cust_raw::*;
use std::collections::BTreeMap;
use std::ffi::{c_char, c_ulonglong};
use std::sync::{Arc, Mutex, MutexGuard, Weak};

/// A node, with the places of what it depends on in the same list.
#[derive(Clone)]
struct ExecNode {
    node: u64,
    task: StreamTask,
    after: Vec<usize>,
}

#[derive(Clone)]
struct Executable {
    /// Each after those it depends on. What is inside a child graph stands between its node's two steps.
    steps: Vec<ExecNode>,
    /// The user objects of the graph. A launch refers to them until it ends.
    objects: Vec<Arc<UserObject>>,
    /// True if a launch frees first what the last one has allocated and nothing has freed.
    frees_first: bool,
    /// The context of the last launch, and its end. After a reset the primary context has its handle and another queue.
    last: Option<(Weak<Context>, StreamMark)>,
}

impl Executable {
    fn memory_nodes(&self) -> impl Iterator<Item = (u64, MemoryNode)> {
        self.steps.iter().filter_map(|step| Some((step.node, step.task.memory()?)))
    }

    /// True if both are of one graph that allocates or frees memory.
    fn shares_memory_nodes(&self, other: &Executable) -> bool {
        self.memory_nodes().any(|(node, _)| other.memory_nodes().any(|(its, _)| its == node))
    }
}

/// By handle. Whoever holds this takes no context's lock.
fn executables() -> MutexGuard<'static, BTreeMap<u64, Executable>> {
    static EXECUTABLES: Mutex<BTreeMap<u64, Executable>> = Mutex::new(BTreeMap::new());
    EXECUTABLES.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

fn with<T>(executable: CUgraphExec, body: impl FnOnce(&mut Executable) -> CallResult<T>) -> CallResult<T> {
    may_call()?;
    body(executables().get_mut(&(executable as u64)).ok_or(CUDA_ERROR_INVALID_VALUE)?)
}

impl Graphs {
    /// Appends the steps of a graph, the first ones after `start`.
    fn steps(&self, graph: u64, start: Option<usize>, executable: &mut Executable) -> CallResult {
        executable.objects.extend(self.held(graph));
        let mut places: BTreeMap<u64, usize> = BTreeMap::new();
        for (node, inside) in self.sorted(graph)? {
            let mut after: Vec<usize> = inside.after.iter().filter_map(|node| places.get(node).copied()).collect();
            if after.is_empty() {
                after.extend(start);
            }
            if let StreamTask::Child(child) = inside.task {
                let first = executable.steps.len();
                executable.steps.push(ExecNode { node: 0, task: StreamTask::Empty, after });
                self.steps(child, Some(first), executable)?;
                after = (first..executable.steps.len()).collect();
            }
            places.insert(node, executable.steps.len());
            let mut task = inside.task.clone();
            if let (StreamTask::Kernel(kernel), [before]) = (&mut task, &inside.after[..])
                && inside.programmatic.contains_key(before)
            {
                kernel.launch.depend();
            }
            executable.steps.push(ExecNode { node, task, after });
        }
        Ok(())
    }

    fn flat(&self, graph: CUgraph) -> CallResult<Executable> {
        let graph = self.check(graph)?;
        let mut executable = Executable { steps: vec![], objects: vec![], frees_first: false, last: None };
        self.steps(graph, None, &mut executable)?;
        Ok(executable)
    }

    /// The steps of a child graph, those of a node whose first step has the number `first`.
    fn child_steps(&self, graph: CUgraph, first: usize) -> CallResult<Vec<ExecNode>> {
        let child = self.check(graph)?;
        self.has_no_memory(child)?;
        let begin = ExecNode { node: 0, task: StreamTask::Empty, after: vec![] };
        let steps = vec![begin; first + 1];
        let mut inside = Executable { steps, objects: vec![], frees_first: false, last: None };
        self.steps(child, Some(first), &mut inside)?;
        Ok(inside.steps.split_off(first + 1))
    }

    /// A graph that does the same.
    fn of_steps(&mut self, steps: Vec<ExecNode>) -> CallResult<u64> {
        let graph = self.create();
        let mut nodes: Vec<u64> = Vec::with_capacity(steps.len());
        for ExecNode { task, after, .. } in steps {
            let task = if let StreamTask::Child(_) = task { StreamTask::Empty } else { task };
            let after = after.iter().map(|&step| nodes[step]).collect();
            nodes.push(self.add(graph, after, task)?);
        }
        Ok(graph)
    }
}

/// The last three arguments are for a node that cannot be instantiated; every node that can be added here can.
pub(crate) unsafe fn instantiate(
    executable: *mut CUgraphExec,
    graph: CUgraph,
    _error_node: *mut CUgraphNode,
    _log: *mut c_char,
    _log_bytes: usize,
) -> CallResult {
    // SAFETY: passed on as it came.
    unsafe { instantiate_with_flags(executable, graph, 0) }
}

pub(crate) unsafe fn instantiate_with_flags(
    executable: *mut CUgraphExec,
    graph: CUgraph,
    flags: c_ulonglong,
) -> CallResult {
    // SAFETY: an out-pointer of the caller.
    let executable = unsafe { out(executable)? };
    if flags & !(CUgraphInstantiate_flags_enum::CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH as u64) != 0 {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    let mut made = graphs().flat(graph)?;
    if made.memory_nodes().next().is_some() && graphs().is_owned(graph as u64) {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    made.frees_first = flags != 0;
    let handle = handle::fresh();
    let mut executables = executables();
    if executables.values().any(|other| other.shares_memory_nodes(&made)) {
        return Err(CUDA_ERROR_NOT_SUPPORTED);
    }
    executables.insert(handle, made);
    executable.set(handle as CUgraphExec);
    Ok(())
}

/// There is nothing to send ahead.
pub(crate) unsafe fn upload(executable: CUgraphExec, stream: CUstream) -> CallResult {
    with(executable, |_| Ok(()))?;
    stream_handle::resolve_here(stream).map(drop)
}

/// In a stream that is being captured the graph becomes a node.
pub(crate) unsafe fn launch(executable: CUgraphExec, stream: CUstream) -> CallResult {
    let found = with(executable, |found| Ok(found.clone()))?;
    let memory: Vec<MemoryNode> = found.memory_nodes().map(|(_, node)| node).collect();
    let Executable { steps, objects, frees_first, last } = found;
    let LockedStream { context, key } = stream_handle::resolve_here(stream)?;
    let mut state = context.lock()?;
    if let Some(other) = steps.iter().filter_map(|step| step.task.context()).find(|owner| *owner != context.number) {
        let is_alive = is_alive(other);
        return Err(if is_alive { CUDA_ERROR_INVALID_CONTEXT } else { CUDA_ERROR_CONTEXT_IS_DESTROYED });
    }
    if state.is_captured(key)? {
        if !memory.is_empty() {
            // Seen on an H200: the capture ends in an error too.
            state.not_captured(key)?;
        }
        let inner = graphs().of_steps(steps)?;
        objects.iter().for_each(|object| graphs().hold(inner, object, 1));
        return state.capture(key, StreamTask::Child(inner));
    }
    for GraphMemory { address, .. } in state.launch_memory(&memory, frees_first)? {
        state.submit(key, move |state, order| state.ends(address, order))?;
    }
    let is_here = |owner: &Weak<Context>| std::ptr::eq(owner.as_ptr(), Arc::as_ptr(&context));
    let before = last.filter(|(owner, _)| is_here(owner)).map(|(_, mark)| mark);
    let start = state.queue.submit(key, &before.iter().collect::<Vec<_>>(), StreamWork::nothing());
    let mut marks: Vec<StreamMark> = Vec::with_capacity(steps.len());
    // The branch that each step is the last of.
    let mut branches: Vec<Option<u64>> = Vec::with_capacity(steps.len());
    for ExecNode { task, after, .. } in steps {
        // A dependent launch, captured or by a programmatic edge, may overlap with the step before it, if that is a
        // launch, too.
        let same = match (&task, &after[..]) {
            (StreamTask::Kernel(kernel), &[before]) if kernel.launch.is_dependent() => branches[before].take(),
            _ => None,
        };
        let branch = same.unwrap_or_else(|| {
            let branch = handle::fresh();
            state.queue.open(branch, false);
            branch
        });
        let mut waits: Vec<StreamMark> =
            after.iter().map(|&step| marks[step].clone()).filter(|_| same.is_none()).collect();
        waits.push(start.clone());
        marks.push(submit(&mut state, branch, waits, task));
        branches.push(Some(branch));
    }
    branches.into_iter().flatten().for_each(|branch| state.queue.close(branch));
    let has_objects = !objects.is_empty();
    // Destructors are the program's, and may wait for a thread that is in a call: the context is unlocked for them.
    let destroy = move |_| {
        drop(objects);
        run_destructors();
    };
    let ended = match has_objects {
        true => StreamWork::Host(HostCall { call: Box::new(destroy), always: true }),
        false => StreamWork::nothing(),
    };
    let end = state.queue.submit(key, &marks.iter().collect::<Vec<_>>(), ended);
    drop(state);
    with(executable, |found| {
        found.last = Some((Arc::downgrade(&context), end));
        Ok(())
    })
}

fn submit(state: &mut Locked<'_>, branch: u64, mut waits: Vec<StreamMark>, task: StreamTask) -> StreamMark {
    if let StreamTask::Wait(event) = task {
        waits.extend(state.events.get(&event).and_then(|event| event.recorded.clone()));
    }
    let waits: Vec<&StreamMark> = waits.iter().collect();
    match task {
        StreamTask::Record(event) => state.record(event, branch, &waits),
        StreamTask::Kernel(kernel) => kernel.launch.submit(state, branch, &waits),
        other => state.queue.submit(branch, &waits, other.work()),
    }
}

/// Launches that are under way keep what they need.
pub(crate) unsafe fn destroy(executable: CUgraphExec) -> CallResult {
    may_call()?;
    let removed = executables().remove(&(executable as u64));
    removed.map(drop).ok_or(CUDA_ERROR_INVALID_VALUE)?;
    run_destructors();
    Ok(())
}

/// Returns the change that forbids that `new` takes the place of `old`, and the node.
fn changed(old: &[ExecNode], new: &[ExecNode]) -> Option<(CUgraphExecUpdateResult_enum, u64)> {
    if old.len() != new.len() {
        return Some((CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, 0));
    }
    old.iter().zip(new).find_map(|(old, new)| {
        if old.task.kind() != new.task.kind() {
            Some((CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED, new.node))
        } else if old.after != new.after {
            Some((CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, new.node))
        } else if old.task.memory() != new.task.memory() {
            Some((CU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED, new.node))
        } else {
            None
        }
    })
}

/// Updates a graph, and returns the result. Nodes keep the handles of the first graph.
fn updated(executable: CUgraphExec, graph: CUgraph) -> CallResult<(CUgraphExecUpdateResult_enum, u64)> {
    let mut new = graphs().flat(graph)?;
    with(executable, |found| {
        if let Some(why) = changed(&found.steps, &new.steps) {
            return Ok(why);
        }
        for (step, old) in new.steps.iter_mut().zip(&found.steps) {
            step.node = old.node;
        }
        found.steps = new.steps;
        found.objects.extend(new.objects);
        Ok((CU_GRAPH_EXEC_UPDATE_SUCCESS, 0))
    })
}

fn update_result(result: CUgraphExecUpdateResult_enum) -> CallResult {
    if result == CU_GRAPH_EXEC_UPDATE_SUCCESS { Ok(()) } else { Err(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE) }
}

pub(crate) unsafe fn update(
    executable: CUgraphExec,
    graph: CUgraph,
    error_node: *mut CUgraphNode,
    result: *mut CUgraphExecUpdateResult,
) -> CallResult {
    // SAFETY: out-pointers of the caller.
    let (error_node, result) = unsafe { (out(error_node)?, out(result)?) };
    let (became, node) = updated(executable, graph)?;
    error_node.set(node as CUgraphNode);
    result.set(became);
    update_result(became)
}

pub(crate) unsafe fn update_and_tell(
    executable: CUgraphExec,
    graph: CUgraph,
    result: *mut CUgraphExecUpdateResultInfo,
) -> CallResult {
    // SAFETY: an out-pointer of the caller.
    let result = unsafe { out(result)? };
    let (became, node) = updated(executable, graph)?;
    result.set(CUgraphExecUpdateResultInfo {
        result: became as u32,
        errorNode: node as CUgraphNode,
        errorFromNode: std::ptr::null_mut(),
    });
    update_result(became)
}

/// The node is one of the graph that was instantiated.
pub(super) fn replace(executable: CUgraphExec, node: CUgraphNode, task: StreamTask) -> CallResult {
    with(executable, |found| {
        let step = found.steps.iter_mut().find(|step| step.node == node as u64).ok_or(CUDA_ERROR_INVALID_VALUE)?;
        if step.task.kind() != task.kind() {
            return Err(CUDA_ERROR_INVALID_VALUE);
        }
        let was_dependent = matches!(&step.task, StreamTask::Kernel(kernel) if kernel.launch.is_dependent());
        step.task = task;
        if let (StreamTask::Kernel(kernel), true) = (&mut step.task, was_dependent) {
            kernel.launch.depend();
        }
        Ok(())
    })
}

/// The new graph has the shape of the one that the node was instantiated with.
pub(crate) unsafe fn set_child(executable: CUgraphExec, node: CUgraphNode, graph: CUgraph) -> CallResult {
    let StreamTask::Child(_) = graphs().node(node)?.task else { return Err(CUDA_ERROR_INVALID_VALUE) };
    with(executable, |found| {
        let last = found.steps.iter().position(|step| step.node == node as u64).ok_or(CUDA_ERROR_INVALID_VALUE)?;
        // The last step of a child comes after all of its others.
        let first = *found.steps[last].after.first().ok_or(CUDA_ERROR_INVALID_VALUE)?;
        let new = graphs().child_steps(graph, first)?;
        let old = &mut found.steps[first + 1..last];
        if changed(old, &new).is_some() {
            return Err(CUDA_ERROR_INVALID_VALUE);
        }
        old.iter_mut().zip(new).for_each(|(old, new)| old.task = new.task);
        Ok(())
    })
}

pub(crate) unsafe fn set_kernel_params(
    executable: CUgraphExec,
    node: CUgraphNode,
    parameters: *const CUDA_KERNEL_NODE_PARAMS,
) -> CallResult {
    // SAFETY: a pointer of the caller.
    replace(executable, node, unsafe { graph_node::kernel(parameters)? })
}

pub(crate) unsafe fn set_copy_params(
    executable: CUgraphExec,
    node: CUgraphNode,
    parameters: *const CUDA_MEMCPY3D,
    context: CUcontext,
) -> CallResult {
    // SAFETY: a pointer of the caller.
    replace(executable, node, unsafe { graph_node::copy(parameters, context)? })
}

pub(crate) unsafe fn set_fill_params(
    executable: CUgraphExec,
    node: CUgraphNode,
    parameters: *const CUDA_MEMSET_NODE_PARAMS,
    context: CUcontext,
) -> CallResult {
    // SAFETY: a pointer of the caller.
    replace(executable, node, unsafe { graph_node::fill(parameters, context)? })
}

pub(crate) unsafe fn set_host_params(
    executable: CUgraphExec,
    node: CUgraphNode,
    parameters: *const CUDA_HOST_NODE_PARAMS,
) -> CallResult {
    // SAFETY: a pointer of the caller.
    replace(executable, node, unsafe { graph_node::host(parameters)? })
}

pub(crate) unsafe fn set_record_event(executable: CUgraphExec, node: CUgraphNode, event: CUevent) -> CallResult {
    super::event::owner(event)?;
    replace(executable, node, StreamTask::Record(event as u64))
}

pub(crate) unsafe fn set_wait_event(executable: CUgraphExec, node: CUgraphNode, event: CUevent) -> CallResult {
    super::event::owner(event)?;
    replace(executable, node, StreamTask::Wait(event as u64))
}
