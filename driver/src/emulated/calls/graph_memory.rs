//! Nodes that allocate and free memory (CUDA Driver API, "Graph Management").
//!
//! Such a graph is not copied, keeps its nodes and edges, and has one instantiation at a time, as on hardware.

use super::device;
use super::graph_node::place;
use super::pool;
use crate::emulated::base::outcome::{CallResult, code, out};
use crate::emulated::context::current::current;
use crate::emulated::context::graph_memory::{GraphMemory, MemoryNode};
use crate::emulated::context::state::ContextState;
use crate::emulated::task::StreamTask;
use crate::emulated::task::graphs::{Graphs, graphs};
use crate::types::*;
use cust_raw::CUresult::*;
use cust_raw::{CUDA_MEM_ALLOC_NODE_PARAMS, CUdevice, CUdeviceptr, CUgraph, CUgraphMem_attribute, CUgraphNode};
use std::ffi::c_void;

/// Device addresses start at multiples of this.
const ALIGN: u64 = 512;

impl Graphs {
    fn memory_nodes(&self) -> impl Iterator<Item = (u64, MemoryNode)> {
        self.nodes.values().filter_map(|node| Some((node.graph, node.task.memory()?)))
    }

    /// `CUDA_ERROR_NOT_SUPPORTED` for a graph that allocates or frees memory, or holds one that does.
    pub(crate) fn has_no_memory(&self, graph: u64) -> CallResult {
        for (_, node) in self.of(graph) {
            if node.task.memory().is_some() {
                return Err(CUDA_ERROR_NOT_SUPPORTED);
            }
            node.task.inner().iter().try_for_each(|&inner| self.has_no_memory(inner))?;
        }
        Ok(())
    }

    /// Checks a new node that frees memory. A graph frees it once; either the graph that allocates it does, or others.
    fn check_free(&self, graph: u64, memory: GraphMemory) -> CallResult {
        let owner = self.memory_nodes().find(|(_, node)| *node == MemoryNode::Allocate(memory)).map(|(owner, _)| owner);
        let is_owner = |graph: u64| Some(graph) == owner;
        let mut others = self.memory_nodes().filter(|(_, node)| *node == MemoryNode::Free(memory));
        match others.any(|(other, _)| other == graph || is_owner(other) != is_owner(graph)) {
            true => Err(CUDA_ERROR_INVALID_VALUE),
            false => Ok(()),
        }
    }
}

impl ContextState {
    /// Reserves the memory of a new node.
    fn reserve_for_graph(&mut self, context: u64, bytes: usize) -> CallResult<GraphMemory> {
        if bytes == 0 {
            return Err(CUDA_ERROR_INVALID_VALUE);
        }
        if bytes as u64 > self.device.profile().memory {
            return Err(CUDA_ERROR_OUT_OF_MEMORY);
        }
        let address = self.device.reserve(bytes as u64, ALIGN).map_err(code)?;
        let memory = GraphMemory { context, address, bytes: bytes as u64 };
        self.graph_memories.add(memory);
        Ok(memory)
    }

    /// An allocation in a captured stream becomes a node.
    pub(crate) fn capture_allocation(&mut self, context: u64, stream: u64, bytes: usize) -> CallResult<u64> {
        let memory = self.reserve_for_graph(context, bytes)?;
        self.capture(stream, StreamTask::Memory(MemoryNode::Allocate(memory)))?;
        Ok(memory.address)
    }

    /// Counts memory of a graph as freed by a call outside of graphs. Other memory is none of its business.
    pub(crate) fn free_of_graph(&mut self, address: u64) -> CallResult {
        if let Some(freed) = self.graph_memories.free(address) {
            let bytes = freed?.bytes;
            pool::with_graphs(|figures| figures.gives(bytes));
        }
        Ok(())
    }

    /// Records a launch of these nodes. Returns what is freed before it ([`GraphMemories::launch`]).
    pub(super) fn launch_memory(&mut self, nodes: &[MemoryNode], frees_first: bool) -> CallResult<Vec<GraphMemory>> {
        let freed = self.graph_memories.launch(nodes, frees_first)?;
        pool::with_graphs(|figures| {
            freed.iter().for_each(|memory| figures.gives(memory.bytes));
            nodes.iter().for_each(|node| match node {
                MemoryNode::Allocate(memory) => figures.takes(memory.bytes),
                MemoryNode::Free(memory) => figures.gives(memory.bytes),
            });
        });
        Ok(freed)
    }

    /// A free in a captured stream becomes a node. Only memory of a graph can be freed so.
    pub(crate) fn capture_free(&mut self, stream: u64, address: u64) -> CallResult {
        let memory = self.graph_memories.at(address).ok_or(CUDA_ERROR_INVALID_VALUE)?;
        let graph = self.captures.of(stream).ok_or(CUDA_ERROR_INVALID_VALUE)?.graph;
        graphs().check_free(graph, memory)?;
        self.capture(stream, StreamTask::Memory(MemoryNode::Free(memory)))
    }
}

/// The properties that memory of a graph can have: on the device, and not shared with other processes.
fn check_properties(wanted: &CUDA_MEM_ALLOC_NODE_PARAMS_v2) -> CallResult {
    let CUmemPoolPropsValues { allocType, handleTypes, location, .. } = wanted.poolProps;
    if allocType != CU_MEM_ALLOCATION_TYPE_PINNED || location.kind != CU_MEM_LOCATION_TYPE_DEVICE || handleTypes != 0 {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    device::check(location.id)
}

/// The address is returned in the parameters.
pub(crate) unsafe fn add_allocation(
    node: *mut CUgraphNode,
    graph: CUgraph,
    dependencies: *const CUgraphNode,
    count: usize,
    parameters: *mut CUDA_MEM_ALLOC_NODE_PARAMS,
) -> CallResult {
    let parameters = parameters.cast::<CUDA_MEM_ALLOC_NODE_PARAMS_v2>();
    // SAFETY: pointers of the caller; the struct is in and out.
    let (add, place, mut wanted) =
        unsafe { (place(node, graph, dependencies, count)?, out(parameters)?, parameters.read_unaligned()) };
    check_properties(&wanted)?;
    let context = current()?;
    let memory = context.lock()?.reserve_for_graph(context.number, wanted.bytesize)?;
    add(StreamTask::Memory(MemoryNode::Allocate(memory)))?;
    wanted.dptr = memory.address;
    place.set(wanted);
    Ok(())
}

pub(crate) unsafe fn add_free(
    node: *mut CUgraphNode,
    graph: CUgraph,
    dependencies: *const CUgraphNode,
    count: usize,
    address: CUdeviceptr,
) -> CallResult {
    // SAFETY: pointers of the caller.
    let add = unsafe { place(node, graph, dependencies, count)? };
    let memory = current()?.lock()?.graph_memories.at(address).ok_or(CUDA_ERROR_INVALID_VALUE)?;
    graphs().check_free(graph as u64, memory)?;
    add(StreamTask::Memory(MemoryNode::Free(memory)))
}

fn memory_of(node: CUgraphNode) -> CallResult<MemoryNode> {
    graphs().node(node)?.task.memory().ok_or(CUDA_ERROR_INVALID_VALUE)
}

/// The list of other devices with access is empty: there is one device.
pub(crate) unsafe fn allocation_params(node: CUgraphNode, parameters: *mut CUDA_MEM_ALLOC_NODE_PARAMS) -> CallResult {
    // SAFETY: an out-pointer of the caller.
    let place = unsafe { out(parameters.cast::<CUDA_MEM_ALLOC_NODE_PARAMS_v2>())? };
    let MemoryNode::Allocate(memory) = memory_of(node)? else { return Err(CUDA_ERROR_INVALID_VALUE) };
    place.set(CUDA_MEM_ALLOC_NODE_PARAMS_v2::of(memory.address, memory.bytes as usize));
    Ok(())
}

pub(crate) unsafe fn free_params(node: CUgraphNode, address: *mut CUdeviceptr) -> CallResult {
    // SAFETY: an out-pointer of the caller.
    let address = unsafe { out(address)? };
    let MemoryNode::Free(memory) = memory_of(node)? else { return Err(CUDA_ERROR_INVALID_VALUE) };
    address.set(memory.address);
    Ok(())
}

pub(crate) unsafe fn trim(device: CUdevice) -> CallResult {
    device::check(device)?;
    pool::with_graphs(|figures| figures.trim(0));
    Ok(())
}

/// All attributes are 64 bits wide.
pub(crate) unsafe fn attribute(device: CUdevice, attribute: CUgraphMem_attribute, value: *mut c_void) -> CallResult {
    device::check(device)?;
    // SAFETY: the caller gives a place of the attribute's type.
    let value = unsafe { out(value.cast::<u64>())? };
    value.set(pool::with_graphs(|figures| figures.of_graphs(attribute as u32))?);
    Ok(())
}

/// The two that are the most since they were set back can be set back.
pub(crate) unsafe fn set_attribute(
    device: CUdevice,
    attribute: CUgraphMem_attribute,
    value: *mut c_void,
) -> CallResult {
    device::check(device)?;
    if value.is_null() {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    // SAFETY: the caller gives a value of the attribute's type.
    let value = unsafe { value.cast::<u64>().read_unaligned() };
    pool::with_graphs(|figures| figures.set_back(attribute as u32, value))
}
