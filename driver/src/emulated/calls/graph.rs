//! Graphs, their nodes and edges (CUDA Driver API, "Graph Management").

use crate::emulated::base::outcome::{CallResult, out};
use crate::emulated::base::process::may_call;
use crate::emulated::context::graph_memory::MemoryNode;
use crate::emulated::task::StreamTask;
use crate::emulated::task::graphs::{Graphs, graphs};
use crate::emulated::task::user_objects::run_destructors;
use cust_raw::CUresult::*;
use cust_raw::*;
use std::ffi::{CStr, OsStr, c_char, c_uint};
use std::os::unix::ffi::OsStrExt;

/// Handles in a list: a number that is none must not fill the memory.
pub(super) const MOST: usize = 1 << 20;

/// # Safety
/// `list` holds `count` handles.
pub(crate) unsafe fn handles(list: *const CUgraphNode, count: usize) -> CallResult<Vec<u64>> {
    if (count > 0 && list.is_null()) || count > MOST {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    // SAFETY: as above.
    Ok((0..count).map(|index| unsafe { list.add(index).read() } as u64).collect())
}

pub(crate) unsafe fn create(graph: *mut CUgraph, flags: c_uint) -> CallResult {
    // SAFETY: an out-pointer of the caller.
    let graph = unsafe { out(graph)? };
    may_call()?;
    if flags != 0 {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    graph.set(graphs().create() as CUgraph);
    Ok(())
}

pub(crate) unsafe fn destroy(graph: CUgraph) -> CallResult {
    let mut graphs = graphs();
    let handle = graphs.check(graph)?;
    if graphs.is_owned(handle) {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    graphs.remove(handle);
    drop(graphs);
    run_destructors();
    Ok(())
}

pub(crate) unsafe fn clone(copy: *mut CUgraph, graph: CUgraph) -> CallResult {
    // SAFETY: an out-pointer of the caller.
    let copy = unsafe { out(copy)? };
    let mut graphs = graphs();
    let graph = graphs.check(graph)?;
    graphs.has_no_memory(graph)?;
    graphs.has_no_condition(graph)?;
    copy.set(graphs.copy(graph) as CUgraph);
    Ok(())
}

pub(crate) unsafe fn node_in_clone(found: *mut CUgraphNode, node: CUgraphNode, copy: CUgraph) -> CallResult {
    // SAFETY: an out-pointer of the caller.
    let found = unsafe { out(found)? };
    let graphs = graphs();
    let copy = graphs.check(copy)?;
    let same = graphs.of(copy).find(|(_, other)| other.original == Some(node as u64));
    found.set(same.ok_or(CUDA_ERROR_INVALID_VALUE)?.0 as CUgraphNode);
    Ok(())
}

pub(crate) unsafe fn node_type(node: CUgraphNode, kind: *mut CUgraphNodeType) -> CallResult {
    // SAFETY: an out-pointer of the caller.
    let kind = unsafe { out(kind.cast::<c_uint>())? };
    kind.set(graphs().node(node)?.task.kind());
    Ok(())
}

/// Answers a query for a list: its length where `list` is null, else as much as there is room for, then nulls.
///
/// # Safety
/// `list` is null or holds as many entries as `count` says.
unsafe fn give(found: &[u64], list: *mut CUgraphNode, count: *mut usize) -> CallResult {
    // SAFETY: in and out.
    let (place, room) = unsafe { (out(count)?, if list.is_null() { 0 } else { count.read_unaligned() }) };
    for index in 0..room {
        let node = found.get(index).copied().unwrap_or(0);
        // SAFETY: inside the caller's list.
        unsafe { list.add(index).write(node as CUgraphNode) };
    }
    place.set(if list.is_null() { found.len() } else { found.len().min(room) });
    Ok(())
}

pub(crate) unsafe fn nodes(graph: CUgraph, list: *mut CUgraphNode, count: *mut usize) -> CallResult {
    let graphs = graphs();
    let found: Vec<u64> = graphs.of(graphs.check(graph)?).map(|(handle, _)| handle).collect();
    // SAFETY: the caller's list.
    unsafe { give(&found, list, count) }
}

pub(crate) unsafe fn root_nodes(graph: CUgraph, list: *mut CUgraphNode, count: *mut usize) -> CallResult {
    let graphs = graphs();
    let roots = graphs.of(graphs.check(graph)?).filter(|(_, node)| node.after.is_empty());
    let found: Vec<u64> = roots.map(|(handle, _)| handle).collect();
    // SAFETY: the caller's list.
    unsafe { give(&found, list, count) }
}

pub(crate) unsafe fn edges(
    graph: CUgraph,
    from: *mut CUgraphNode,
    to: *mut CUgraphNode,
    count: *mut usize,
) -> CallResult {
    let graphs = graphs();
    let nodes = graphs.of(graphs.check(graph)?);
    let (sources, targets): (Vec<u64>, Vec<u64>) =
        nodes.flat_map(|(handle, node)| node.after.iter().map(move |&before| (before, handle))).unzip();
    if from.is_null() != to.is_null() {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    // SAFETY: the caller's lists, both of the length that `count` says.
    unsafe {
        let mut room = out(count).map(|_| count.read_unaligned())?;
        give(&sources, from, &mut room)?;
        give(&targets, to, count)
    }
}

pub(crate) unsafe fn dependencies(node: CUgraphNode, list: *mut CUgraphNode, count: *mut usize) -> CallResult {
    let found = graphs().node(node)?.after.clone();
    // SAFETY: the caller's list.
    unsafe { give(&found, list, count) }
}

pub(crate) unsafe fn dependent_nodes(node: CUgraphNode, list: *mut CUgraphNode, count: *mut usize) -> CallResult {
    let mut graphs = graphs();
    let graph = graphs.node(node)?.graph;
    let dependents = graphs.of(graph).filter(|(_, other)| other.after.contains(&(node as u64)));
    let found: Vec<u64> = dependents.map(|(handle, _)| handle).collect();
    // SAFETY: the caller's list.
    unsafe { give(&found, list, count) }
}

/// Pairs of nodes of this graph.
///
/// # Safety
/// Both lists hold `count` handles.
unsafe fn pairs(
    graphs: &Graphs,
    graph: CUgraph,
    from: *const CUgraphNode,
    to: *const CUgraphNode,
    count: usize,
) -> CallResult<Vec<(u64, u64)>> {
    let graph = graphs.check(graph)?;
    // SAFETY: the caller's lists.
    let (from, to) = unsafe { (handles(from, count)?, handles(to, count)?) };
    let inside = |node: &u64| graphs.nodes.get(node).is_some_and(|node| node.graph == graph);
    if !from.iter().chain(&to).all(inside) {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    Ok(from.into_iter().zip(to).collect())
}

pub(crate) unsafe fn add_dependencies(
    graph: CUgraph,
    from: *const CUgraphNode,
    to: *const CUgraphNode,
    count: usize,
) -> CallResult {
    let mut graphs = graphs();
    // SAFETY: the caller's lists.
    let pairs = unsafe { pairs(&graphs, graph, from, to, count)? };
    let is_new = |(before, after): &(u64, u64)| before != after && !graphs.nodes[after].after.contains(before);
    if !pairs.iter().all(is_new) {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    for (before, after) in pairs {
        graphs.nodes.get_mut(&after).ok_or(CUDA_ERROR_INVALID_VALUE)?.after.push(before);
    }
    Ok(())
}

pub(crate) unsafe fn remove_dependencies(
    graph: CUgraph,
    from: *const CUgraphNode,
    to: *const CUgraphNode,
    count: usize,
) -> CallResult {
    let mut graphs = graphs();
    // SAFETY: the caller's lists.
    let pairs = unsafe { pairs(&graphs, graph, from, to, count)? };
    graphs.has_no_memory(graph as u64)?;
    if !pairs.iter().all(|(before, after)| graphs.nodes[after].after.contains(before)) {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    for (before, after) in pairs {
        let node = graphs.nodes.get_mut(&after).ok_or(CUDA_ERROR_INVALID_VALUE)?;
        node.after.retain(|node| *node != before);
        node.programmatic.remove(&before);
    }
    Ok(())
}

/// Edges to and from it go too.
pub(crate) unsafe fn destroy_node(node: CUgraphNode) -> CallResult {
    let mut graphs = graphs();
    let graph = graphs.node(node)?.graph;
    graphs.has_no_memory(graph)?;
    graphs.remove_node(node as u64);
    for other in graphs.nodes.values_mut() {
        other.after.retain(|before| *before != node as u64);
        other.programmatic.remove(&(node as u64));
    }
    drop(graphs);
    run_destructors();
    Ok(())
}

/// The graph in the DOT language: kernels by name, other nodes by kind, and the edges.
pub(crate) unsafe fn dot_print(graph: CUgraph, path: *const c_char, _flags: c_uint) -> CallResult {
    if path.is_null() {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    // SAFETY: the caller gives NUL-terminated text.
    let path = unsafe { CStr::from_ptr(path) };
    let graphs = graphs();
    let mut text = "digraph graph_of_kernels {\n".to_string();
    for (handle, node) in graphs.of(graphs.check(graph)?) {
        let label = match &node.task {
            StreamTask::Kernel(kernel) => kernel.launch.name(),
            StreamTask::Copy(_) => "copy",
            StreamTask::Fill(_) => "fill",
            StreamTask::Host(_) => "host function",
            StreamTask::Child(_) => "graph",
            StreamTask::Empty => "empty",
            StreamTask::Record(_) => "event record",
            StreamTask::Wait(_) => "event wait",
            StreamTask::Memory(MemoryNode::Allocate(_)) => "allocation",
            StreamTask::Memory(MemoryNode::Free(_)) => "free",
            StreamTask::Conditional(_) => "condition",
        };
        text.push_str(&format!("  n{handle} [label={label:?}];\n"));
        node.after.iter().for_each(|before| text.push_str(&format!("  n{before} -> n{handle};\n")));
    }
    text.push_str("}\n");
    std::fs::write(OsStr::from_bytes(path.to_bytes()), text).map_err(|_| CUDA_ERROR_OPERATING_SYSTEM)
}
