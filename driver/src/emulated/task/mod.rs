//! Tasks of a stream or of a node of a graph. Unlike queued work, a task can be done more than once.

pub(crate) mod copy;
pub(crate) mod fill;
pub(crate) mod graphs;
pub(crate) mod launch;
mod transfer;

use crate::emulated::context::state::StreamWork;
use crate::emulated::queue::HostCall;
use cust_raw::CUDA_HOST_NODE_PARAMS;
use cust_raw::CUgraphNodeType_enum::{self, *};
use std::ffi::c_void;

pub(crate) use copy::Copy;
pub(crate) use fill::Fill;
pub(crate) use launch::Launch;

#[derive(Clone)]
pub(crate) enum Task {
    Kernel(Kernel),
    Copy(Copy),
    Fill(Fill),
    Host(HostFunction),
    /// A graph of its own, by handle.
    Child(u64),
    Empty,
    Record(u64),
    Wait(u64),
}

/// A launch, and which kernel it is of.
#[derive(Clone)]
pub(crate) struct Kernel {
    pub(crate) context: u64,
    pub(crate) launch: Launch,
    pub(crate) function: u64,
    /// Addresses of the parameters in `launch`, as `cuGraphKernelNodeGetParams` gave them out.
    pub(crate) addresses: Vec<usize>,
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

impl Task {
    pub(crate) fn kind(&self) -> CUgraphNodeType_enum {
        match self {
            Task::Kernel(_) => CU_GRAPH_NODE_TYPE_KERNEL,
            Task::Copy(_) => CU_GRAPH_NODE_TYPE_MEMCPY,
            Task::Fill(_) => CU_GRAPH_NODE_TYPE_MEMSET,
            Task::Host(_) => CU_GRAPH_NODE_TYPE_HOST,
            Task::Child(_) => CU_GRAPH_NODE_TYPE_GRAPH,
            Task::Empty => CU_GRAPH_NODE_TYPE_EMPTY,
            Task::Record(_) => CU_GRAPH_NODE_TYPE_EVENT_RECORD,
            Task::Wait(_) => CU_GRAPH_NODE_TYPE_WAIT_EVENT,
        }
    }

    /// The only context in which it can run, if there is one.
    pub(crate) fn context(&self) -> Option<u64> {
        match self {
            Task::Kernel(kernel) => Some(kernel.context),
            Task::Copy(copy) => Some(copy.context),
            Task::Fill(fill) => Some(fill.context),
            _ => None,
        }
    }

    /// As one queues it, but for a launch. What only a graph has is no work by itself.
    pub(crate) fn work(self) -> StreamWork {
        match self {
            Task::Copy(copy) => StreamWork::device(move |state, order| copy.run(state, order)),
            Task::Fill(fill) => StreamWork::device(move |state, order| fill.run(state, order)),
            Task::Host(host) => StreamWork::Host(host.call()),
            Task::Kernel(_) | Task::Child(_) | Task::Empty | Task::Record(_) | Task::Wait(_) => StreamWork::nothing(),
        }
    }
}
