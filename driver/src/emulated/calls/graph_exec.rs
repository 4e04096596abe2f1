//! Instantiated graphs: a copy of the nodes, launched as often as one likes (CUDA Driver API, "Graph Management").
//!
//! In a launch every node gets a stream of its own that waits for the nodes it depends on, and for nothing else. So two
//! kernels that no edge orders are unordered for the race checker too. A launch waits for the last one of the same
//! graph.
//!
//! A kernel whose only edge is programmatic is launched as a dependent one in the stream of the kernel before it. One
//! with further edges waits for the whole of each (towards silence).

use super::graph_condition::Refusal;
use super::graph_node;
use super::stream;
use crate::emulated::base::outcome::{CallResult, out};
use crate::emulated::base::process::may_call;
use crate::emulated::context::conditions::Condition;
use crate::emulated::context::current::is_alive;
use crate::emulated::context::graph_memory::{GraphMemory, MemoryNode};
use crate::emulated::context::handle;
use crate::emulated::context::state::StreamWork;
use crate::emulated::context::stream_handle::{self, LockedStream};
use crate::emulated::context::{Context, Locked};
use crate::emulated::queue::{HostCall, StreamMark};
use crate::emulated::task::StreamTask;
use crate::emulated::task::graphs::{Graphs, graphs};
use crate::emulated::task::steps::{ExecNode, HeldObject, Steps, changed, find};
use crate::emulated::task::user_objects::run_destructors;
use crate::types::CUgraphExecUpdateResultInfo;
use cust_raw::CUgraphExecUpdateResult_enum::{self, *};
use cust_raw::CUresult::*;
use cust_raw::*;
use std::collections::BTreeMap;
use std::ffi::{c_char, c_ulonglong};
use std::sync::{Arc, Mutex, MutexGuard, Weak};

#[derive(Clone)]
pub(super) struct Executable {
    /// A launch refers to the user objects in it until it ends.
    steps: Steps,
    /// True if a launch frees first what the last one has allocated and nothing has freed.
    frees_first: bool,
    /// The context of the last launch, and its end. After a reset the primary context has its handle and another queue.
    last: Option<(Weak<Context>, StreamMark)>,
}

impl Executable {
    pub(super) fn steps(&mut self) -> &mut Vec<ExecNode> {
        &mut self.steps.list
    }

    fn memory_nodes(&self) -> impl Iterator<Item = MemoryNode> {
        self.steps.list.iter().filter_map(|step| step.task.memory())
    }

    /// The nodes because of which a graph has one instantiation at a time.
    fn single_nodes(&self) -> impl Iterator<Item = u64> {
        let is_single = |task: &StreamTask| matches!(task, StreamTask::Memory(_) | StreamTask::Conditional(_));
        self.steps.list.iter().filter(move |step| is_single(&step.task)).map(|step| step.node)
    }

    /// True if both are of one graph that can have only one of them.
    fn excludes(&self, other: &Executable) -> bool {
        self.single_nodes().any(|node| other.single_nodes().any(|its| its == node))
    }

    /// The conditions of conditional nodes, also of those in bodies.
    fn conditions(&self) -> Vec<Condition> {
        let condition = |task: &StreamTask| match task {
            StreamTask::Conditional(node) => Some(node.condition),
            _ => None,
        };
        self.steps.all().filter_map(|step| condition(&step.task)).collect()
    }
}

const AUTO_FREE_ON_LAUNCH: u64 = CUgraphInstantiate_flags_enum::CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH as u64;
/// The host launches such a graph like any other. A kernel that launches it is refused.
const DEVICE_LAUNCH: u64 = 4;
/// No priority has an effect.
const USE_NODE_PRIORITY: u64 = 8;

/// By handle. Whoever holds this takes no context's lock.
fn executables() -> MutexGuard<'static, BTreeMap<u64, Executable>> {
    static EXECUTABLES: Mutex<BTreeMap<u64, Executable>> = Mutex::new(BTreeMap::new());
    EXECUTABLES.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

pub(super) fn with<T>(executable: CUgraphExec, body: impl FnOnce(&mut Executable) -> CallResult<T>) -> CallResult<T> {
    may_call()?;
    body(executables().get_mut(&(executable as u64)).ok_or(CUDA_ERROR_INVALID_VALUE)?)
}

impl Graphs {
    fn flat(&self, graph: CUgraph) -> Result<Executable, Refusal> {
        let graph = self.check(graph)?;
        self.check_conditions(graph)?;
        Ok(Executable { steps: self.steps(graph)?, frees_first: false, last: None })
    }

    /// The steps of a child graph, those of a node whose first step has the number `first`, and its user objects.
    fn child_steps(&self, graph: CUgraph, first: usize) -> CallResult<(Vec<ExecNode>, Vec<HeldObject>)> {
        let child = self.check(graph)?;
        self.has_no_memory(child)?;
        self.has_no_condition(child)?;
        let mut inside = Steps { list: vec![ExecNode::begin(vec![]); first + 1], ..Steps::default() };
        self.append_steps(child, Some(first), &mut inside)?;
        Ok((inside.list.split_off(first + 1), inside.objects))
    }
}

/// The last three arguments are for a node that cannot be instantiated, and are left as they are.
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
    // SAFETY: passed on as it came.
    unsafe { instantiate_or_say(executable, graph, flags) }.map_err(|refusal| refusal.code)
}

/// As `instantiate_with_flags`, and says why there is no instantiation.
pub(super) unsafe fn instantiate_or_say(
    executable: *mut CUgraphExec,
    graph: CUgraph,
    flags: c_ulonglong,
) -> Result<(), Refusal> {
    // SAFETY: an out-pointer of the caller.
    let executable = unsafe { out(executable)? };
    if flags & !(AUTO_FREE_ON_LAUNCH | DEVICE_LAUNCH | USE_NODE_PRIORITY) != 0 {
        return Err(CUDA_ERROR_INVALID_VALUE.into());
    }
    let mut made = graphs().flat(graph)?;
    if made.memory_nodes().next().is_some() && graphs().is_owned(graph as u64) {
        return Err(CUDA_ERROR_INVALID_VALUE.into());
    }
    made.frees_first = flags & AUTO_FREE_ON_LAUNCH != 0;
    let handle = handle::fresh();
    let mut executables = executables();
    if executables.values().any(|other| other.excludes(&made)) {
        return Err(CUDA_ERROR_NOT_SUPPORTED.into());
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

/// A launch is no node: in a stream that is captured it ends the capture in an error (seen on an H200).
pub(crate) unsafe fn launch(executable: CUgraphExec, stream: CUstream) -> CallResult {
    let found = with(executable, |found| Ok(found.clone()))?;
    let memory: Vec<MemoryNode> = found.memory_nodes().collect();
    let conditions = found.conditions();
    let calls_host = found.steps.all().any(|step| matches!(step.task, StreamTask::Host(_)));
    let Executable { steps, frees_first, last } = found;
    let LockedStream { context, key } = stream_handle::resolve_here(stream)?;
    let mut state = context.lock()?;
    if let Some(other) = steps.all().filter_map(|step| step.task.context()).find(|owner| *owner != context.number) {
        let is_alive = is_alive(other);
        return Err(if is_alive { CUDA_ERROR_INVALID_CONTEXT } else { CUDA_ERROR_CONTEXT_IS_DESTROYED });
    }
    state.not_captured(key)?;
    for GraphMemory { address, .. } in state.launch_memory(&memory, frees_first)? {
        state.submit(key, move |state, order| state.ends(address, order))?;
    }
    let is_here = |owner: &Weak<Context>| std::ptr::eq(owner.as_ptr(), Arc::as_ptr(&context));
    let before = last.filter(|(owner, _)| is_here(owner)).map(|(_, mark)| mark);
    let Steps { mut list, objects, .. } = steps;
    list.iter_mut().for_each(ExecNode::leave_out_disabled);
    let begun = conditions.clone();
    let begin = StreamWork::device(move |state, _| state.begin_conditions(&begun));
    let start = state.queue.submit(key, &before.iter().collect::<Vec<_>>(), begin);
    let mut marks: Vec<StreamMark> = Vec::with_capacity(list.len());
    // The branch that each step is the last of.
    let mut branches: Vec<Option<u64>> = Vec::with_capacity(list.len());
    for step in list {
        let ExecNode { task, after, .. } = &step;
        // A dependent launch, captured or by a programmatic edge, may overlap with the step before it, if that is a
        // launch, too.
        let same = match (task, &after[..]) {
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
        marks.push(submit(&mut state, branch, waits, step));
        branches.push(Some(branch));
    }
    branches.into_iter().flatten().for_each(|branch| state.queue.close(branch));
    let has_objects = !objects.is_empty();
    // Destructors are the program's, and may wait for a thread that is in a call: the context is unlocked for them.
    let destroy = move |_| {
        drop(objects);
        run_destructors();
    };
    let ended = StreamWork::Host(HostCall { call: Box::new(destroy), always: true });
    let waits: Vec<&StreamMark> = marks.iter().collect();
    let ends = StreamWork::device(move |state, _| state.end_conditions(&conditions));
    let ends = state.queue.submit(key, &waits, ends);
    let end = if has_objects { state.queue.submit(key, &waits, ended) } else { ends };
    drop(state);
    if calls_host {
        stream::run_without_wait(&context, &end);
    }
    with(executable, |found| {
        found.last = Some((Arc::downgrade(&context), end));
        Ok(())
    })
}

fn submit(state: &mut Locked<'_>, branch: u64, mut waits: Vec<StreamMark>, step: ExecNode) -> StreamMark {
    if let StreamTask::Wait(event) = step.task {
        waits.extend(state.events.get(&event).and_then(|event| event.recorded.clone()));
    }
    let waits: Vec<&StreamMark> = waits.iter().collect();
    match step.task {
        StreamTask::Conditional(_) => step.submit_conditional(state, branch, &waits),
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

/// Updates a graph, and returns the result. Nodes keep the handles of the first graph.
fn updated(executable: CUgraphExec, graph: CUgraph) -> CallResult<(CUgraphExecUpdateResult_enum, u64)> {
    let mut new = graphs().flat(graph).map_err(|refusal| refusal.code)?.steps;
    with(executable, |found| {
        if let Some(why) = changed(&found.steps.list, &new.list) {
            return Ok(why);
        }
        new.rename(&found.steps);
        found.steps = new;
        Ok((CU_GRAPH_EXEC_UPDATE_SUCCESS, 0))
    })
    .inspect(|_| run_destructors())
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
        let (list, place) = find(&mut found.steps.list, node as u64).ok_or(CUDA_ERROR_INVALID_VALUE)?;
        list[place].task.replace(task)
    })
}

/// The new graph has the shape of the one that the node was instantiated with.
pub(crate) unsafe fn set_child(executable: CUgraphExec, node: CUgraphNode, graph: CUgraph) -> CallResult {
    let StreamTask::Child(own) = graphs().node(node)?.task else { return Err(CUDA_ERROR_INVALID_VALUE) };
    with(executable, |found| {
        let (list, last) = find(&mut found.steps.list, node as u64).ok_or(CUDA_ERROR_INVALID_VALUE)?;
        // The last step of a child comes after all of its others.
        let first = *list[last].after.first().ok_or(CUDA_ERROR_INVALID_VALUE)?;
        let (new, objects) = graphs().child_steps(graph, first)?;
        let old = &mut list[first + 1..last];
        if changed(old, &new).is_some() {
            return Err(CUDA_ERROR_INVALID_VALUE);
        }
        old.iter_mut().zip(new).for_each(|(old, new)| old.task = new.task);
        found.steps.objects.retain(|(owner, _)| !graphs().is_inside(*owner, own));
        found.steps.objects.extend(objects.into_iter().map(|(_, object)| (own, object)));
        Ok(())
    })
    .inspect(|()| run_destructors())
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
