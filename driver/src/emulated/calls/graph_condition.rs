//! Conditional nodes of graphs, and the handles of their conditions (CUDA Driver API, "Graph Management").
//!
//! A graph that has such a node is not copied, and has one instantiation at a time, as on hardware. Its bodies may hold
//! kernels, copies that need no pageable memory, fills, empty nodes, child graphs, and conditional nodes.

use super::graph_node::place;
use crate::emulated::base::outcome::{CallResult, out};
use crate::emulated::context::conditions::Condition;
use crate::emulated::context::current::this_or_current;
use crate::emulated::task::conditional::ConditionalKind;
use crate::emulated::task::graphs::{Graphs, graphs};
use crate::emulated::task::{Conditional, StreamTask};
use crate::types::CUDA_CONDITIONAL_NODE_PARAMS;
use cust_raw::CUresult::{self, *};
use cust_raw::{CUcontext, CUgraph, CUgraphNode};
use std::ffi::c_uint;
use std::sync::Arc;

/// The most bodies of a node: a number that is none must not fill the memory.
const MOST_BODIES: c_uint = 1 << 16;

/// The reason for which a graph is not instantiated.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Refusal {
    pub(crate) code: CUresult,
    /// A number of `CUgraphInstantiateResult`.
    pub(crate) result: c_uint,
    /// The node to blame, or 0.
    pub(crate) node: u64,
}

/// `CUDA_GRAPH_INSTANTIATE_ERROR` and others.
const ERROR: c_uint = 1;
const NODE_OPERATION_NOT_SUPPORTED: c_uint = 3;
const MULTIPLE_CONTEXTS_NOT_SUPPORTED: c_uint = 4;
const HANDLE_UNUSED: c_uint = 5;

impl From<CUresult> for Refusal {
    fn from(code: CUresult) -> Refusal {
        Refusal { code, result: ERROR, node: 0 }
    }
}

pub(crate) unsafe fn create_handle(
    handle: *mut u64,
    graph: CUgraph,
    context: CUcontext,
    default: c_uint,
    flags: c_uint,
) -> CallResult {
    // SAFETY: an out-pointer of the caller.
    let handle = unsafe { out(handle)? };
    let graph = graphs().check(graph)?;
    if flags > 1 {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    if context.is_null() {
        return Err(CUDA_ERROR_INVALID_CONTEXT);
    }
    let context = this_or_current(context)?;
    let address = context.lock()?.reserve_condition()?;
    let default = (flags == 1).then_some(default);
    graphs().add_condition(graph, Condition { context: context.number, address, default });
    handle.set(address);
    Ok(())
}

/// The bodies are returned in the parameters: empty graphs, to which nodes are added.
pub(crate) unsafe fn add(
    node: *mut CUgraphNode,
    graph: CUgraph,
    dependencies: *const CUgraphNode,
    count: usize,
    parameters: &mut CUDA_CONDITIONAL_NODE_PARAMS,
) -> CallResult {
    // SAFETY: pointers of the caller.
    let add = unsafe { place(node, graph, dependencies, count)? };
    let CUDA_CONDITIONAL_NODE_PARAMS { handle, kind, size, ctx, .. } = *parameters;
    let kind = ConditionalKind::of(kind, size).filter(|_| size <= MOST_BODIES).ok_or(CUDA_ERROR_INVALID_VALUE)?;
    let context = this_or_current(ctx)?.number;
    let (condition, bodies) = {
        let mut graphs = graphs();
        let condition = graphs.condition(graph as u64, handle).ok_or(CUDA_ERROR_INVALID_VALUE)?;
        if graphs.is_used(&condition) || condition.context != context {
            return Err(CUDA_ERROR_INVALID_VALUE);
        }
        let bodies: Arc<[u64]> = (0..size).map(|_| graphs.create()).collect();
        (condition, bodies)
    };
    parameters.phGraph_out = bodies.as_ptr() as *mut CUgraph;
    add(StreamTask::Conditional(Conditional { condition, kind, bodies: bodies.clone() }))
        .inspect_err(|_| bodies.iter().for_each(|&body| graphs().remove(body)))
}

impl Graphs {
    /// `CUDA_ERROR_NOT_SUPPORTED` for a graph that has a conditional node, or is a body of one.
    pub(crate) fn has_no_condition(&self, graph: u64) -> CallResult {
        if self.is_body(graph) || self.has_conditional_node(graph) {
            return Err(CUDA_ERROR_NOT_SUPPORTED);
        }
        Ok(())
    }

    fn has_conditional_node(&self, graph: u64) -> bool {
        self.of(graph).any(|(_, node)| match &node.task {
            StreamTask::Conditional(_) => true,
            StreamTask::Child(inner) => self.has_conditional_node(*inner),
            _ => false,
        })
    }

    /// Checks the conditional nodes of a graph that is to be instantiated.
    pub(crate) fn check_conditions(&self, graph: u64) -> Result<(), Refusal> {
        if self.is_body(graph) {
            return Err(CUDA_ERROR_NOT_SUPPORTED.into());
        }
        self.check_bodies(graph, false)?;
        match self.conditions_in(graph).iter().all(|condition| self.is_used(condition)) {
            true => Ok(()),
            false => Err(Refusal { code: CUDA_ERROR_INVALID_VALUE, result: HANDLE_UNUSED, node: 0 }),
        }
    }

    fn check_bodies(&self, graph: u64, is_body: bool) -> Result<(), Refusal> {
        for (handle, node) in self.of(graph) {
            let refusal = |result| Err(Refusal { code: CUDA_ERROR_INVALID_VALUE, result, node: handle });
            match &node.task {
                StreamTask::Child(inner) => self.check_bodies(*inner, is_body)?,
                StreamTask::Conditional(node) => {
                    node.bodies.iter().try_for_each(|&body| self.check_bodies(body, true))?;
                }
                StreamTask::Copy(copy) if is_body && copy.needs_pageable => {
                    return refusal(MULTIPLE_CONTEXTS_NOT_SUPPORTED);
                }
                StreamTask::Kernel(_) | StreamTask::Copy(_) | StreamTask::Fill(_) | StreamTask::Empty => {}
                _ if is_body => return refusal(NODE_OPERATION_NOT_SUPPORTED),
                _ => {}
            }
        }
        Ok(())
    }
}
