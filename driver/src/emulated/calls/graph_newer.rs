//! Later forms of the calls for graphs (CUDA Driver API, "Graph Management"): a node may name a kernel of a library,
//! and an edge has data. Two kinds of edges are known here: without data a node waits for the whole of another, and by
//! a programmatic one a kernel is a dependent launch after another.

use super::graph;
use super::graph_exec;
use super::graph_node;
use super::library;
use crate::emulated::base::outcome::{CallResult, out};
use crate::emulated::task::graphs::graphs;
use crate::types::{CUDA_GRAPH_INSTANTIATE_PARAMS, CUDA_KERNEL_NODE_PARAMS_v2, CUgraphEdgeData};
use cust_raw::CUresult::*;
use cust_raw::{CUDA_KERNEL_NODE_PARAMS, CUgraph, CUgraphExec, CUgraphNode};
use std::ptr::null_mut;

/// The older form, whose function is that of the kernel where none is given.
///
/// # Safety
/// `parameters` is null or the caller's.
pub(super) unsafe fn older(parameters: *const CUDA_KERNEL_NODE_PARAMS_v2) -> CallResult<CUDA_KERNEL_NODE_PARAMS> {
    if parameters.is_null() {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    // SAFETY: as above.
    let CUDA_KERNEL_NODE_PARAMS_v2 { mut v1, kern, ctx } = unsafe { parameters.read_unaligned() };
    if v1.func.is_null() {
        v1.func = library::function_of(kern, ctx)?;
    }
    Ok(v1)
}

pub(crate) unsafe fn add_kernel_node(
    node: *mut CUgraphNode,
    graph: CUgraph,
    dependencies: *const CUgraphNode,
    count: usize,
    parameters: *const CUDA_KERNEL_NODE_PARAMS_v2,
) -> CallResult {
    // SAFETY: pointers of the caller.
    unsafe { graph_node::add_kernel(node, graph, dependencies, count, &older(parameters)?) }
}

pub(crate) unsafe fn kernel_node_params(node: CUgraphNode, parameters: *mut CUDA_KERNEL_NODE_PARAMS_v2) -> CallResult {
    // SAFETY: an out-pointer of the caller.
    let place = unsafe { out(parameters)? };
    let mut v1 = CUDA_KERNEL_NODE_PARAMS::default();
    // SAFETY: an out-pointer to a local.
    unsafe { graph_node::kernel_params(node, &mut v1)? };
    place.set(CUDA_KERNEL_NODE_PARAMS_v2 { v1, kern: null_mut(), ctx: null_mut() });
    Ok(())
}

pub(crate) unsafe fn set_kernel_node_params(
    node: CUgraphNode,
    parameters: *const CUDA_KERNEL_NODE_PARAMS_v2,
) -> CallResult {
    // SAFETY: a pointer of the caller.
    unsafe { graph_node::set_kernel_params(node, &older(parameters)?) }
}

pub(crate) unsafe fn set_executable_kernel_params(
    executable: CUgraphExec,
    node: CUgraphNode,
    parameters: *const CUDA_KERNEL_NODE_PARAMS_v2,
) -> CallResult {
    // SAFETY: a pointer of the caller.
    unsafe { graph_exec::set_kernel_params(executable, node, &older(parameters)?) }
}

/// `CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD` and `_USE_NODE_PRIORITY`: there is nothing to send ahead, and no priority has
/// an effect.
const WITHOUT_EFFECT: u64 = 2 | 8;

/// The last two members say that all went well, or why not.
pub(crate) unsafe fn instantiate(
    executable: *mut CUgraphExec,
    graph: CUgraph,
    parameters: *mut CUDA_GRAPH_INSTANTIATE_PARAMS,
) -> CallResult {
    if parameters.is_null() {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    // SAFETY: the caller's struct.
    let wanted = unsafe { parameters.read_unaligned() };
    // SAFETY: passed on as they came.
    unsafe {
        let made = graph_exec::instantiate_or_say(executable, graph, wanted.flags & !WITHOUT_EFFECT);
        let (result_out, node) = made.map_or_else(|refusal| (refusal.result, refusal.node), |()| (0, 0));
        let said = CUDA_GRAPH_INSTANTIATE_PARAMS { hErrNode_out: node as CUgraphNode, result_out, ..wanted };
        out(parameters)?.set(said);
        made.map_err(|refusal| refusal.code)
    }
}

/// Gives the data of as many edges as were given; `ends` returns the two nodes of one.
///
/// # Safety
/// `data` is null or has as many places as `count` says, which is readable.
unsafe fn give_data(
    data: *mut CUgraphEdgeData,
    count: *const usize,
    ends: impl Fn(usize) -> (CUgraphNode, CUgraphNode),
) {
    if data.is_null() {
        return;
    }
    let graphs = graphs();
    // SAFETY: as above.
    for edge in 0..unsafe { count.read_unaligned() } {
        let (before, after) = ends(edge);
        // SAFETY: as above.
        unsafe { data.add(edge).write_unaligned(graphs.data(before as u64, after as u64)) };
    }
}

/// Data without lists to belong to has no length.
fn check_data(data: *mut CUgraphEdgeData, list: *mut CUgraphNode) -> CallResult {
    if !data.is_null() && list.is_null() { Err(CUDA_ERROR_INVALID_VALUE) } else { Ok(()) }
}

pub(crate) unsafe fn edges(
    graph: CUgraph,
    from: *mut CUgraphNode,
    to: *mut CUgraphNode,
    data: *mut CUgraphEdgeData,
    count: *mut usize,
) -> CallResult {
    check_data(data, from)?;
    // SAFETY: the caller's lists.
    unsafe {
        graph::edges(graph, from, to, count)?;
        give_data(data, count, |edge| (from.add(edge).read(), to.add(edge).read()));
    }
    Ok(())
}

pub(crate) unsafe fn dependencies(
    node: CUgraphNode,
    list: *mut CUgraphNode,
    data: *mut CUgraphEdgeData,
    count: *mut usize,
) -> CallResult {
    check_data(data, list)?;
    // SAFETY: the caller's lists.
    unsafe {
        graph::dependencies(node, list, count)?;
        give_data(data, count, |edge| (list.add(edge).read(), node));
    }
    Ok(())
}

pub(crate) unsafe fn dependent_nodes(
    node: CUgraphNode,
    list: *mut CUgraphNode,
    data: *mut CUgraphEdgeData,
    count: *mut usize,
) -> CallResult {
    check_data(data, list)?;
    // SAFETY: the caller's lists.
    unsafe {
        graph::dependent_nodes(node, list, count)?;
        give_data(data, count, |edge| (node, list.add(edge).read()));
    }
    Ok(())
}

/// Returns the data of edges, if a node waits for the whole of another by each, or is a dependent launch after it.
///
/// # Safety
/// `data` is null or has `count` entries.
pub(super) unsafe fn known_data(data: *const CUgraphEdgeData, count: usize) -> CallResult<Vec<CUgraphEdgeData>> {
    if data.is_null() {
        return Ok(vec![]);
    }
    if count > graph::MOST {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    // SAFETY: as above.
    let all: Vec<CUgraphEdgeData> = (0..count).map(|edge| unsafe { data.add(edge).read_unaligned() }).collect();
    let is_known = |edge: &CUgraphEdgeData| *edge == CUgraphEdgeData::default() || edge.is_programmatic();
    if all.iter().all(is_known) { Ok(all) } else { Err(CUDA_ERROR_NOT_SUPPORTED) }
}

pub(crate) unsafe fn add_dependencies(
    graph: CUgraph,
    from: *const CUgraphNode,
    to: *const CUgraphNode,
    data: *const CUgraphEdgeData,
    count: usize,
) -> CallResult {
    // SAFETY: the caller's lists.
    let (data, [before, after]) =
        unsafe { (known_data(data, count)?, [graph::handles(from, count)?, graph::handles(to, count)?]) };
    let pairs: Vec<(u64, u64)> = before.into_iter().zip(after).collect();
    pairs.iter().zip(&data).try_for_each(|(pair, data)| graphs().check_data(*pair, *data))?;
    // SAFETY: the caller's lists.
    unsafe { graph::add_dependencies(graph, from, to, count)? };
    pairs.iter().zip(data).for_each(|(pair, data)| graphs().set_data(*pair, data));
    Ok(())
}

/// An edge is named with its data.
pub(crate) unsafe fn remove_dependencies(
    graph: CUgraph,
    from: *const CUgraphNode,
    to: *const CUgraphNode,
    data: *const CUgraphEdgeData,
    count: usize,
) -> CallResult {
    // SAFETY: the caller's lists.
    unsafe {
        known_data(data, count)?;
        graph::remove_dependencies(graph, from, to, count)
    }
}
