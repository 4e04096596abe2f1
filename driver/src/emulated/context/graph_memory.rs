//! Memory that graphs allocate (CUDA C++ Programming Guide, "Graph Memory Nodes").
//!
//! An address belongs to its node, from the creation of the node on. Each launch of the graph allocates there anew.
//! Whether memory is allocated follows the order of submission: a call after a launch may free memory that the launch
//! has yet to allocate.

use super::state::ContextState;
use crate::emulated::base::outcome::CallResult;
use cust_raw::CUresult::CUDA_ERROR_INVALID_VALUE;
use emulator::{Allocation, HostMemory};
use std::collections::{BTreeMap, BTreeSet};

/// The memory of a node that allocates, or that a node frees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GraphMemory {
    pub(crate) context: u64,
    pub(crate) address: u64,
    pub(crate) bytes: u64,
}

/// A node's effect on memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MemoryNode {
    Allocate(GraphMemory),
    Free(GraphMemory),
}

/// The memory of all graphs of a context.
#[derive(Default)]
pub(crate) struct GraphMemories {
    /// By address.
    reserved: BTreeMap<u64, GraphMemory>,
    /// The addresses that hold an allocation once all submitted work is done.
    allocated: BTreeSet<u64>,
}

impl GraphMemories {
    pub(crate) fn add(&mut self, memory: GraphMemory) {
        self.reserved.insert(memory.address, memory);
    }

    /// Returns the memory that begins at an address.
    pub(crate) fn at(&self, address: u64) -> Option<GraphMemory> {
        self.reserved.get(&address).copied()
    }

    /// Returns the memory that holds an address.
    fn around(&self, address: u64) -> Option<GraphMemory> {
        let (_, memory) = self.reserved.range(..=address).next_back()?;
        (address - memory.address < memory.bytes).then_some(*memory)
    }

    /// Records a free outside of a graph. `None`: no memory of a graph begins there. Memory that is not allocated is an
    /// error.
    pub(crate) fn free(&mut self, address: u64) -> Option<CallResult<GraphMemory>> {
        let memory = self.at(address)?;
        Some(if self.allocated.remove(&address) { Ok(memory) } else { Err(CUDA_ERROR_INVALID_VALUE) })
    }

    /// Records a launch of these nodes, in their order. Returns what is freed before it, which is nothing unless
    /// `frees_first`. It is an error if a node allocates what is still allocated, or frees what is not.
    pub(crate) fn launch(&mut self, nodes: &[MemoryNode], frees_first: bool) -> CallResult<Vec<GraphMemory>> {
        let mut allocated = self.allocated.clone();
        let kept = nodes.iter().filter_map(|node| match node {
            MemoryNode::Allocate(memory) => {
                Some(*memory).filter(|memory| frees_first && allocated.contains(&memory.address))
            }
            MemoryNode::Free(_) => None,
        });
        let freed: Vec<GraphMemory> = kept.collect();
        allocated.retain(|address| !freed.iter().any(|memory| memory.address == *address));
        let is_right = nodes.iter().all(|node| match node {
            MemoryNode::Allocate(memory) => allocated.insert(memory.address),
            MemoryNode::Free(memory) => allocated.remove(&memory.address),
        });
        if !is_right {
            return Err(CUDA_ERROR_INVALID_VALUE);
        }
        self.allocated = allocated;
        Ok(freed)
    }
}

impl ContextState {
    /// The live allocation that holds an address, or the one that a launch of a graph makes there.
    pub(crate) fn allocation(&self, address: u64) -> Option<Allocation> {
        let of_graph = || {
            let GraphMemory { address: base, bytes, .. } = self.graph_memories.around(address)?;
            Some(Allocation { base, bytes, place: HostMemory::Device })
        };
        self.device.allocation(address).or_else(of_graph)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_launch_allocates_only_what_is_free() {
        let memory = GraphMemory { context: 1, address: 512, bytes: 100 };
        let (allocate, free) = (MemoryNode::Allocate(memory), MemoryNode::Free(memory));
        let mut memories = GraphMemories::default();
        memories.add(memory);
        assert_eq!(memories.launch(&[free], false), Err(CUDA_ERROR_INVALID_VALUE));
        assert_eq!(memories.launch(&[allocate, free], false), Ok(vec![]));
        assert_eq!(memories.launch(&[allocate], false), Ok(vec![]));
        assert_eq!(memories.launch(&[allocate], false), Err(CUDA_ERROR_INVALID_VALUE));
        assert_eq!(memories.launch(&[allocate], true), Ok(vec![memory]));
        assert_eq!(memories.free(512), Some(Ok(memory)));
        assert_eq!(memories.free(512), Some(Err(CUDA_ERROR_INVALID_VALUE)));
        assert_eq!((memories.free(513), memories.around(611), memories.around(612)), (None, Some(memory), None));
    }
}
