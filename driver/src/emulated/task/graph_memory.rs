//! The begin and the end of memory in the order of a stream or a graph: each counts as a write of all of it.

use crate::emulated::base::outcome::code;
use crate::emulated::context::graph_memory::{GraphMemory, MemoryNode};
use crate::emulated::context::state::ContextState;
use cust_raw::CUresult::CUDA_ERROR_INVALID_VALUE;
use emulator::HostOrder;
use emulator::finding::HostOperation;

impl ContextState {
    /// A stream gets to the allocation of this memory.
    pub(crate) fn begins(&mut self, address: u64, order: &HostOrder) {
        // A free that the host did not wait for may have come before.
        if let Ok(findings) = self.device.begins_or_ends(address, HostOperation::Allocate, order) {
            self.reports.moved(findings);
        }
    }

    /// A stream gets to the free of this memory.
    pub(crate) fn ends(&mut self, address: u64, order: &HostOrder) {
        if let Ok(findings) = self.device.begins_or_ends(address, HostOperation::Free, order) {
            self.reports.moved(findings);
        }
        if self.device.free(address).is_err() {
            // Freed a second time before the first took effect.
            self.freed_again(address);
            self.fail(CUDA_ERROR_INVALID_VALUE);
        }
        self.shared.exported.remove(&address);
    }

    fn allocate_again(&mut self, memory: GraphMemory, order: &HostOrder) {
        match self.device.allocate_at(memory.address, memory.bytes, None) {
            Ok(()) => {
                self.own(memory.address);
                self.begins(memory.address, order);
            }
            Err(error) => self.fail(code(error)),
        }
    }
}

impl MemoryNode {
    pub(crate) fn run(self, state: &mut ContextState, order: &HostOrder) {
        match self {
            MemoryNode::Allocate(memory) => state.allocate_again(memory, order),
            MemoryNode::Free(memory) => state.ends(memory.address, order),
        }
    }
}
