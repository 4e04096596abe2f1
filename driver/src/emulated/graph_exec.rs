//! Instantiated graphs: a copy of the nodes, launched as often as one likes (CUDA Driver API, "Graph Management").
//!
//! In a launch every node gets a stream of its own that waits for the nodes it depends on, and for nothing else. So two
//! kernels that no edge orders are unordered for the race checker too.

use super::graph::{self, Task};
use super::handle;
use super::launch::Launch;
use super::outcome::{Outcome, out};
use super::queue::Mark;
use super::state::Work;
use super::stream::{self, Found};
use cust_raw::CUresult::*;
use cust_raw::*;
use std::collections::BTreeMap;
use std::ffi::{c_char, c_ulonglong};
use std::sync::{Mutex, MutexGuard};

/// A node, with the places of what it depends on in the same list. `None` is an empty node.
#[derive(Clone)]
struct Step {
    launch: Option<(u64, Launch)>,
    after: Vec<usize>,
}

/// Steps by handle, each after those it depends on.
fn executables() -> MutexGuard<'static, BTreeMap<u64, Vec<Step>>> {
    static EXECUTABLES: Mutex<BTreeMap<u64, Vec<Step>>> = Mutex::new(BTreeMap::new());
    EXECUTABLES.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

fn find(executable: CUgraphExec) -> Outcome<Vec<Step>> {
    super::state::may_call()?;
    executables().get(&(executable as u64)).cloned().ok_or(CUDA_ERROR_INVALID_VALUE)
}

/// The last three arguments are for a node that cannot be instantiated; every node that can be added here can.
pub(crate) unsafe fn instantiate(
    executable: *mut CUgraphExec,
    graph: CUgraph,
    _error_node: *mut CUgraphNode,
    _log: *mut c_char,
    _log_bytes: usize,
) -> Outcome {
    // SAFETY: passed on as it came.
    unsafe { instantiate_with_flags(executable, graph, 0) }
}

pub(crate) unsafe fn instantiate_with_flags(
    executable: *mut CUgraphExec,
    graph: CUgraph,
    flags: c_ulonglong,
) -> Outcome {
    // SAFETY: an out-pointer of the caller.
    let executable = unsafe { out(executable)? };
    if flags & !(CUgraphInstantiate_flags_enum::CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH as u64) != 0 {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    let graphs = graph::graphs();
    let nodes = graphs.sorted(graph)?;
    let place = |node: &u64| nodes.iter().position(|(handle, _)| handle == node);
    let step = |(_, node): &(u64, &graph::Node)| Step {
        launch: match &node.task {
            Task::Kernel(kernel) => Some((kernel.context, kernel.launch.clone())),
            Task::Empty => None,
        },
        after: node.after.iter().filter_map(place).collect(),
    };
    let handle = handle::fresh();
    executables().insert(handle, nodes.iter().map(step).collect());
    executable.set(handle as CUgraphExec);
    Ok(())
}

/// There is nothing to send ahead.
pub(crate) unsafe fn upload(executable: CUgraphExec, stream: CUstream) -> Outcome {
    find(executable)?;
    stream::resolve_here(stream).map(drop)
}

pub(crate) unsafe fn launch(executable: CUgraphExec, stream: CUstream) -> Outcome {
    let steps = find(executable)?;
    let Found { context, key } = stream::resolve_here(stream)?;
    let mut state = context.lock()?;
    if steps.iter().flat_map(|step| &step.launch).any(|(owner, _)| *owner != context.handle) {
        return Err(CUDA_ERROR_INVALID_CONTEXT);
    }
    let start = state.queue.submit(key, &[], Work::nothing());
    let mut marks: Vec<Mark> = Vec::with_capacity(steps.len());
    for Step { launch, after } in steps {
        let branch = handle::fresh();
        state.queue.open(branch, false);
        let waits: Vec<&Mark> = std::iter::once(&start).chain(after.iter().map(|&step| &marks[step])).collect();
        let work = match launch {
            Some((_, launch)) => Work::device(move |state, order| launch.run(state, order)),
            None => Work::nothing(),
        };
        marks.push(state.queue.submit(branch, &waits, work));
        state.queue.close(branch);
    }
    state.queue.submit(key, &marks.iter().collect::<Vec<_>>(), Work::nothing());
    Ok(())
}

/// Launches that are under way keep what they need.
pub(crate) unsafe fn destroy(executable: CUgraphExec) -> Outcome {
    super::state::may_call()?;
    executables().remove(&(executable as u64)).map(drop).ok_or(CUDA_ERROR_INVALID_VALUE)
}
