//! Graphs of kernel nodes and empty nodes (CUDA Driver API, "Graph Management"), which is what `cust` builds. Other kinds
//! of node are not implemented.

use super::launch::Launch;
use super::outcome::{Outcome, out};
use super::{function, handle};
use cust_raw::CUgraphNodeType_enum::*;
use cust_raw::CUresult::*;
use cust_raw::*;
use emulator::LaunchConfig;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{CStr, OsStr, c_char, c_uint, c_void};
use std::os::unix::ffi::OsStrExt;
use std::sync::{Mutex, MutexGuard};

pub(crate) enum Task {
    Kernel(Kernel),
    Empty,
}

/// A launch, and its parameters as `cuGraphKernelNodeGetParams` shows them.
pub(crate) struct Kernel {
    pub(crate) context: u64,
    pub(crate) launch: Launch,
    function: u64,
    /// Addresses of the parameters in `launch`, which stay where they are as long as the node does.
    parameters: Vec<usize>,
}

pub(crate) struct Node {
    pub(crate) graph: u64,
    pub(crate) task: Task,
    pub(crate) after: Vec<u64>,
}

/// Nodes are in the order of their handles, which is the order in which they were added.
pub(crate) struct Graphs {
    graphs: BTreeSet<u64>,
    nodes: BTreeMap<u64, Node>,
}

pub(crate) fn graphs() -> MutexGuard<'static, Graphs> {
    static GRAPHS: Mutex<Graphs> = Mutex::new(Graphs { graphs: BTreeSet::new(), nodes: BTreeMap::new() });
    GRAPHS.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

impl Graphs {
    fn check(&self, graph: CUgraph) -> Outcome<u64> {
        super::state::may_call()?;
        if self.graphs.contains(&(graph as u64)) { Ok(graph as u64) } else { Err(CUDA_ERROR_INVALID_VALUE) }
    }

    fn node(&mut self, node: CUgraphNode) -> Outcome<&mut Node> {
        super::state::may_call()?;
        self.nodes.get_mut(&(node as u64)).ok_or(CUDA_ERROR_INVALID_VALUE)
    }

    fn of(&self, graph: u64) -> impl Iterator<Item = (u64, &Node)> {
        self.nodes.iter().filter(move |(_, node)| node.graph == graph).map(|(&handle, node)| (handle, node))
    }

    /// The nodes of a graph, each after those it depends on. A cycle has no such order.
    pub(crate) fn sorted(&self, graph: CUgraph) -> Outcome<Vec<(u64, &Node)>> {
        let mut left: Vec<(u64, &Node)> = self.of(self.check(graph)?).collect();
        let mut sorted: Vec<(u64, &Node)> = Vec::with_capacity(left.len());
        while !left.is_empty() {
            let placed = |handle: &u64| sorted.iter().any(|(known, _)| known == handle);
            let ready = left.iter().position(|(_, node)| node.after.iter().all(placed));
            sorted.push(left.remove(ready.ok_or(CUDA_ERROR_INVALID_VALUE)?));
        }
        Ok(sorted)
    }

    fn add(&mut self, graph: u64, after: Vec<u64>, task: Task) -> Outcome<u64> {
        let known = |node: &u64| self.nodes.get(node).is_some_and(|node| node.graph == graph);
        let twice = (1..after.len()).any(|index| after[..index].contains(&after[index]));
        if twice || !after.iter().all(known) {
            return Err(CUDA_ERROR_INVALID_VALUE);
        }
        let handle = handle::fresh();
        self.nodes.insert(handle, Node { graph, task, after });
        Ok(handle)
    }
}

/// Handles in a list: a number that is none must not fill the memory.
const MOST: usize = 1 << 20;

/// # Safety
/// `list` holds `count` handles.
unsafe fn handles(list: *const CUgraphNode, count: usize) -> Outcome<Vec<u64>> {
    if (count > 0 && list.is_null()) || count > MOST {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    // SAFETY: as above.
    Ok((0..count).map(|index| unsafe { list.add(index).read() } as u64).collect())
}

pub(crate) unsafe fn create(graph: *mut CUgraph, flags: c_uint) -> Outcome {
    // SAFETY: an out-pointer of the caller.
    let graph = unsafe { out(graph)? };
    super::state::may_call()?;
    if flags != 0 {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    let handle = handle::fresh();
    graphs().graphs.insert(handle);
    graph.set(handle as CUgraph);
    Ok(())
}

/// Its nodes go with it.
pub(crate) unsafe fn destroy(graph: CUgraph) -> Outcome {
    let mut graphs = graphs();
    let handle = graphs.check(graph)?;
    graphs.graphs.remove(&handle);
    graphs.nodes.retain(|_, node| node.graph != handle);
    Ok(())
}

/// Checks a launch as `cuLaunchKernel` does and copies its parameters.
///
/// # Safety
/// `parameters` is null or as the API has it.
unsafe fn kernel(parameters: *const CUDA_KERNEL_NODE_PARAMS) -> Outcome<Kernel> {
    if parameters.is_null() {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    // SAFETY: the caller's struct.
    let wanted = unsafe { parameters.read() };
    let config = LaunchConfig {
        grid: [wanted.gridDimX, wanted.gridDimY, wanted.gridDimZ],
        block: [wanted.blockDimX, wanted.blockDimY, wanted.blockDimZ],
        dynamic_shared: wanted.sharedMemBytes,
        cooperative: false,
    };
    let (context, handle) = function::resolve(wanted.func)?;
    let state = context.lock()?;
    let function = state.function(handle)?;
    // SAFETY: the caller's parameters.
    let launch = unsafe { Launch::new(function, state.device.profile(), config, wanted.kernelParams, wanted.extra)? };
    let start = launch.parameters().as_ptr() as usize;
    let parameters = function.kernel().parameters.iter().map(|parameter| start + parameter.offset as usize).collect();
    Ok(Kernel { context: context.handle, launch, function: handle, parameters })
}

pub(crate) unsafe fn add_kernel_node(
    node: *mut CUgraphNode,
    graph: CUgraph,
    dependencies: *const CUgraphNode,
    count: usize,
    parameters: *const CUDA_KERNEL_NODE_PARAMS,
) -> Outcome {
    // SAFETY: pointers of the caller.
    let (node, after) = unsafe { (out(node)?, handles(dependencies, count)?) };
    let graph = graphs().check(graph)?;
    // SAFETY: a pointer of the caller.
    let task = Task::Kernel(unsafe { kernel(parameters)? });
    node.set(graphs().add(graph, after, task)? as CUgraphNode);
    Ok(())
}

pub(crate) unsafe fn add_empty_node(
    node: *mut CUgraphNode,
    graph: CUgraph,
    dependencies: *const CUgraphNode,
    count: usize,
) -> Outcome {
    // SAFETY: pointers of the caller.
    let (node, after) = unsafe { (out(node)?, handles(dependencies, count)?) };
    let mut graphs = graphs();
    let graph = graphs.check(graph)?;
    node.set(graphs.add(graph, after, Task::Empty)? as CUgraphNode);
    Ok(())
}

/// The parameters' memory is the node's and lives as long.
pub(crate) unsafe fn kernel_node_params(node: CUgraphNode, parameters: *mut CUDA_KERNEL_NODE_PARAMS) -> Outcome {
    // SAFETY: an out-pointer of the caller.
    let parameters = unsafe { out(parameters)? };
    let mut graphs = graphs();
    let Task::Kernel(kernel) = &mut graphs.node(node)?.task else { return Err(CUDA_ERROR_INVALID_VALUE) };
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
        kernelParams: kernel.parameters.as_mut_ptr().cast::<*mut c_void>(),
        extra: std::ptr::null_mut(),
    });
    Ok(())
}

pub(crate) unsafe fn set_kernel_node_params(node: CUgraphNode, parameters: *const CUDA_KERNEL_NODE_PARAMS) -> Outcome {
    // SAFETY: a pointer of the caller.
    let new = unsafe { kernel(parameters)? };
    let mut graphs = graphs();
    match &mut graphs.node(node)?.task {
        Task::Kernel(kernel) => *kernel = new,
        Task::Empty => return Err(CUDA_ERROR_INVALID_VALUE),
    }
    Ok(())
}

pub(crate) unsafe fn node_type(node: CUgraphNode, kind: *mut CUgraphNodeType) -> Outcome {
    // SAFETY: an out-pointer of the caller.
    let kind = unsafe { out(kind)? };
    kind.set(match graphs().node(node)?.task {
        Task::Kernel(_) => CU_GRAPH_NODE_TYPE_KERNEL,
        Task::Empty => CU_GRAPH_NODE_TYPE_EMPTY,
    });
    Ok(())
}

/// Answers a query for a list: its length where `list` is null, else as much as there is room for, then nulls.
///
/// # Safety
/// `list` is null or holds as many entries as `count` says.
unsafe fn give(found: &[u64], list: *mut CUgraphNode, count: *mut usize) -> Outcome {
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

pub(crate) unsafe fn nodes(graph: CUgraph, list: *mut CUgraphNode, count: *mut usize) -> Outcome {
    let graphs = graphs();
    let found: Vec<u64> = graphs.of(graphs.check(graph)?).map(|(handle, _)| handle).collect();
    // SAFETY: the caller's list.
    unsafe { give(&found, list, count) }
}

pub(crate) unsafe fn root_nodes(graph: CUgraph, list: *mut CUgraphNode, count: *mut usize) -> Outcome {
    let graphs = graphs();
    let roots = graphs.of(graphs.check(graph)?).filter(|(_, node)| node.after.is_empty());
    let found: Vec<u64> = roots.map(|(handle, _)| handle).collect();
    // SAFETY: the caller's list.
    unsafe { give(&found, list, count) }
}

pub(crate) unsafe fn edges(graph: CUgraph, from: *mut CUgraphNode, to: *mut CUgraphNode, count: *mut usize) -> Outcome {
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

pub(crate) unsafe fn dependencies(node: CUgraphNode, list: *mut CUgraphNode, count: *mut usize) -> Outcome {
    let found = graphs().node(node)?.after.clone();
    // SAFETY: the caller's list.
    unsafe { give(&found, list, count) }
}

pub(crate) unsafe fn dependent_nodes(node: CUgraphNode, list: *mut CUgraphNode, count: *mut usize) -> Outcome {
    let mut graphs = graphs();
    let graph = graphs.node(node)?.graph;
    let dependents = graphs.of(graph).filter(|(_, other)| other.after.contains(&(node as u64)));
    let found: Vec<u64> = dependents.map(|(handle, _)| handle).collect();
    // SAFETY: the caller's list.
    unsafe { give(&found, list, count) }
}

pub(crate) unsafe fn add_dependencies(
    graph: CUgraph,
    from: *const CUgraphNode,
    to: *const CUgraphNode,
    count: usize,
) -> Outcome {
    let mut graphs = graphs();
    let graph = graphs.check(graph)?;
    // SAFETY: the caller's lists.
    let (from, to) = unsafe { (handles(from, count)?, handles(to, count)?) };
    let inside = |node: &u64| graphs.nodes.get(node).is_some_and(|node| node.graph == graph);
    let fresh = |(before, after): (&u64, &u64)| before != after && !graphs.nodes[after].after.contains(before);
    if !from.iter().chain(&to).all(inside) || !from.iter().zip(&to).all(fresh) {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    for (before, after) in from.iter().zip(&to) {
        graphs.nodes.get_mut(after).ok_or(CUDA_ERROR_INVALID_VALUE)?.after.push(*before);
    }
    Ok(())
}

/// Edges to and from it go too.
pub(crate) unsafe fn destroy_node(node: CUgraphNode) -> Outcome {
    let mut graphs = graphs();
    graphs.node(node)?;
    graphs.nodes.remove(&(node as u64));
    graphs.nodes.values_mut().for_each(|other| other.after.retain(|before| *before != node as u64));
    Ok(())
}

/// The graph in the DOT language: kernels by name, and the edges.
pub(crate) unsafe fn dot_print(graph: CUgraph, path: *const c_char, _flags: c_uint) -> Outcome {
    if path.is_null() {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    // SAFETY: the caller gives NUL-terminated text.
    let path = unsafe { CStr::from_ptr(path) };
    let graphs = graphs();
    let mut text = "digraph graph_of_kernels {\n".to_string();
    for (handle, node) in graphs.of(graphs.check(graph)?) {
        let label = match &node.task {
            Task::Kernel(kernel) => kernel.launch.name(),
            Task::Empty => "empty",
        };
        text.push_str(&format!("  n{handle} [label={label:?}];\n"));
        node.after.iter().for_each(|before| text.push_str(&format!("  n{before} -> n{handle};\n")));
    }
    text.push_str("}\n");
    std::fs::write(OsStr::from_bytes(path.to_bytes()), text).map_err(|_| CUDA_ERROR_OPERATING_SYSTEM)
}
