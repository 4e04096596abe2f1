//! Tasks of a stream or of a node of a graph. Unlike queued work, a task can be done more than once.

pub(crate) mod conditional;
pub(crate) mod copy;
pub(crate) mod fill;
mod graph_memory;
pub(crate) mod graphs;
pub(crate) mod launch;
pub(crate) mod steps;
mod transfer;
pub(crate) mod user_objects;

use crate::emulated::base::outcome::CallResult;
use crate::emulated::context::graph_memory::MemoryNode;
use crate::emulated::context::state::StreamWork;
use crate::emulated::queue::HostCall;
use cust_raw::CUDA_HOST_NODE_PARAMS;
use cust_raw::CUgraphNodeType_enum::*;
use cust_raw::CUresult::CUDA_ERROR_INVALID_VALUE;
use std::collections::BTreeMap;
use std::ffi::{c_uint, c_void};

pub(crate) use conditional::Conditional;
pub(crate) use copy::MemoryCopy;
pub(crate) use fill::Fill;
pub(crate) use launch::Launch;

#[derive(Clone)]
pub(crate) enum StreamTask {
    Kernel(Kernel),
    Copy(MemoryCopy),
    Fill(Fill),
    Host(HostFunction),
    /// A graph of its own, by handle.
    Child(u64),
    Empty,
    Record(u64),
    Wait(u64),
    Memory(MemoryNode),
    Conditional(Conditional),
}

/// `CU_GRAPH_NODE_TYPE_CONDITIONAL`, which is newer than the bindings.
pub(crate) const CONDITIONAL: c_uint = 13;

/// A launch, and which kernel it is of.
#[derive(Clone)]
pub(crate) struct Kernel {
    pub(crate) context: u64,
    pub(crate) launch: Launch,
    pub(crate) function: u64,
    /// Addresses of the parameters in `launch`, as `cuGraphKernelNodeGetParams` gave them out.
    pub(crate) addresses: Vec<usize>,
    /// The attributes that the program has set and that have no effect here, by number.
    pub(crate) attributes: BTreeMap<c_uint, [u32; 16]>,
}

impl Kernel {
    pub(crate) fn new(context: u64, launch: Launch, function: u64) -> Kernel {
        Kernel { context, launch, function, addresses: vec![], attributes: BTreeMap::new() }
    }

    /// Takes the attributes of another kernel node.
    pub(crate) fn take_attributes(&mut self, other: &Kernel) {
        self.attributes = other.attributes.clone();
        self.launch.set_cooperative(other.launch.config().cooperative);
        self.launch.set_cluster(other.launch.config().cluster);
    }
}

/// A function of the program's, and its argument.
#[derive(Clone, Copy)]
pub(crate) struct HostFunction {
    pub(crate) function: unsafe extern "C" fn(*mut c_void),
    pub(crate) data: u64,
}

impl HostFunction {
    pub(crate) fn call(self) -> HostCall {
        let call = move |_| {
            // SAFETY: the caller gave the function and its argument for exactly this.
            unsafe { (self.function)(self.data as *mut c_void) }
        };
        HostCall { call: Box::new(call), always: false }
    }

    pub(crate) fn parameters(self) -> CUDA_HOST_NODE_PARAMS {
        CUDA_HOST_NODE_PARAMS { fn_: Some(self.function), userData: self.data as *mut c_void }
    }
}

impl StreamTask {
    /// Takes the parameters of a task of the same type. A kernel keeps its attributes.
    pub(crate) fn replace(&mut self, mut task: StreamTask) -> CallResult {
        if self.kind() != task.kind() {
            return Err(CUDA_ERROR_INVALID_VALUE);
        }
        if let (StreamTask::Kernel(old), StreamTask::Kernel(new)) = (&*self, &mut task) {
            new.take_attributes(old);
            if old.launch.is_dependent() {
                new.launch.depend();
            }
        }
        *self = task;
        Ok(())
    }

    /// The number of its type: `CUgraphNodeType`.
    pub(crate) fn kind(&self) -> c_uint {
        let kind = match self {
            StreamTask::Kernel(_) => CU_GRAPH_NODE_TYPE_KERNEL,
            StreamTask::Copy(_) => CU_GRAPH_NODE_TYPE_MEMCPY,
            StreamTask::Fill(_) => CU_GRAPH_NODE_TYPE_MEMSET,
            StreamTask::Host(_) => CU_GRAPH_NODE_TYPE_HOST,
            StreamTask::Child(_) => CU_GRAPH_NODE_TYPE_GRAPH,
            StreamTask::Empty => CU_GRAPH_NODE_TYPE_EMPTY,
            StreamTask::Record(_) => CU_GRAPH_NODE_TYPE_EVENT_RECORD,
            StreamTask::Wait(_) => CU_GRAPH_NODE_TYPE_WAIT_EVENT,
            StreamTask::Memory(MemoryNode::Allocate(_)) => CU_GRAPH_NODE_TYPE_MEM_ALLOC,
            StreamTask::Memory(MemoryNode::Free(_)) => CU_GRAPH_NODE_TYPE_MEM_FREE,
            StreamTask::Conditional(_) => return CONDITIONAL,
        };
        kind as c_uint
    }

    /// The graphs inside it, which are its own.
    pub(crate) fn inner(&self) -> &[u64] {
        match self {
            StreamTask::Child(graph) => std::slice::from_ref(graph),
            StreamTask::Conditional(node) => &node.bodies,
            _ => &[],
        }
    }

    /// The number of the only context in which it can run, if there is one.
    pub(crate) fn context(&self) -> Option<u64> {
        match self {
            StreamTask::Kernel(kernel) => Some(kernel.context),
            StreamTask::Copy(copy) => Some(copy.context),
            StreamTask::Fill(fill) => Some(fill.context),
            StreamTask::Memory(MemoryNode::Allocate(memory) | MemoryNode::Free(memory)) => Some(memory.context),
            StreamTask::Conditional(node) => Some(node.condition.context),
            _ => None,
        }
    }

    pub(crate) fn memory(&self) -> Option<MemoryNode> {
        if let StreamTask::Memory(node) = self { Some(*node) } else { None }
    }

    /// As one queues it, but for a launch. What only a graph has is no work by itself.
    pub(crate) fn work(self) -> StreamWork {
        match self {
            StreamTask::Copy(copy) => StreamWork::device(move |state, order| copy.run(state, order)),
            StreamTask::Fill(fill) => StreamWork::device(move |state, order| fill.run(state, order)),
            StreamTask::Memory(memory) => StreamWork::device(move |state, order| memory.run(state, order)),
            StreamTask::Host(host) => StreamWork::Host(host.call()),
            StreamTask::Kernel(_)
            | StreamTask::Child(_)
            | StreamTask::Empty
            | StreamTask::Record(_)
            | StreamTask::Wait(_)
            | StreamTask::Conditional(_) => StreamWork::nothing(),
        }
    }
}
