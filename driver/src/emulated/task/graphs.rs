//! The graphs of the process, whose nodes are tasks (CUDA Driver API, "Graph Management").

use super::StreamTask;
use super::user_objects::Held;
use crate::emulated::base::outcome::CallResult;
use crate::emulated::base::process::may_call;
use crate::emulated::context::conditions::Condition;
use crate::emulated::context::handle;
use crate::emulated::context::state::ContextState;
use crate::types::CUgraphEdgeData;
use cust_raw::CUresult::*;
use cust_raw::{CUgraph, CUgraphNode};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard};

pub(crate) struct GraphNode {
    pub(crate) graph: u64,
    pub(crate) task: StreamTask,
    pub(crate) after: Vec<u64>,
    /// The data of the edges from those of `after` that it does not wait for as a whole.
    pub(crate) programmatic: BTreeMap<u64, CUgraphEdgeData>,
    /// The node that it is a copy of.
    pub(crate) original: Option<u64>,
}

/// Nodes are in the order of their handles, which is the order in which they were added.
pub(crate) struct Graphs {
    graphs: BTreeSet<u64>,
    pub(crate) nodes: BTreeMap<u64, GraphNode>,
    /// The references of each graph to user objects.
    pub(crate) objects: BTreeMap<u64, Vec<Held>>,
    /// The conditions of each graph: in the order in which they were made.
    conditions: BTreeMap<u64, Vec<Condition>>,
}

/// Whoever holds this takes no context's lock.
pub(crate) fn graphs() -> MutexGuard<'static, Graphs> {
    const NONE: Graphs = Graphs {
        graphs: BTreeSet::new(),
        nodes: BTreeMap::new(),
        objects: BTreeMap::new(),
        conditions: BTreeMap::new(),
    };
    static GRAPHS: Mutex<Graphs> = Mutex::new(NONE);
    GRAPHS.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

impl Graphs {
    pub(crate) fn create(&mut self) -> u64 {
        let handle = handle::fresh();
        self.graphs.insert(handle);
        handle
    }

    pub(crate) fn check(&self, graph: CUgraph) -> CallResult<u64> {
        may_call()?;
        if self.graphs.contains(&(graph as u64)) { Ok(graph as u64) } else { Err(CUDA_ERROR_INVALID_VALUE) }
    }

    pub(crate) fn node(&mut self, node: CUgraphNode) -> CallResult<&mut GraphNode> {
        may_call()?;
        self.nodes.get_mut(&(node as u64)).ok_or(CUDA_ERROR_INVALID_VALUE)
    }

    pub(crate) fn of(&self, graph: u64) -> impl Iterator<Item = (u64, &GraphNode)> {
        self.nodes.iter().filter(move |(_, node)| node.graph == graph).map(|(&handle, node)| (handle, node))
    }

    /// The nodes of a graph, each after those it depends on. A cycle has no such order.
    pub(crate) fn sorted(&self, graph: u64) -> CallResult<Vec<(u64, &GraphNode)>> {
        let mut left: Vec<(u64, &GraphNode)> = self.of(graph).collect();
        let mut placed = BTreeSet::new();
        let mut sorted = Vec::with_capacity(left.len());
        while !left.is_empty() {
            let before = left.len();
            left.retain(|&(handle, node)| {
                let is_ready = node.after.iter().all(|before| placed.contains(before));
                if is_ready {
                    placed.insert(handle);
                    sorted.push((handle, node));
                }
                !is_ready
            });
            if left.len() == before {
                return Err(CUDA_ERROR_INVALID_VALUE);
            }
        }
        Ok(sorted)
    }

    pub(crate) fn add(&mut self, graph: u64, after: Vec<u64>, task: StreamTask) -> CallResult<u64> {
        let known = |node: &u64| self.nodes.get(node).is_some_and(|node| node.graph == graph);
        let twice = after.iter().collect::<BTreeSet<_>>().len() < after.len();
        if twice || !after.iter().all(known) {
            return Err(CUDA_ERROR_INVALID_VALUE);
        }
        let handle = handle::fresh();
        self.nodes.insert(handle, GraphNode { graph, task, after, programmatic: BTreeMap::new(), original: None });
        Ok(handle)
    }

    /// An edge that a node does not wait for as a whole must be one between two kernels.
    pub(crate) fn check_data(&self, (before, after): (u64, u64), data: CUgraphEdgeData) -> CallResult {
        let is_kernel = |node: u64| self.nodes.get(&node).is_some_and(|it| matches!(it.task, StreamTask::Kernel(_)));
        match data == CUgraphEdgeData::default() || is_kernel(before) && is_kernel(after) {
            true => Ok(()),
            false => Err(CUDA_ERROR_INVALID_VALUE),
        }
    }

    /// Gives an edge its data.
    pub(crate) fn set_data(&mut self, (before, after): (u64, u64), data: CUgraphEdgeData) {
        if let Some(node) = self.nodes.get_mut(&after).filter(|_| data != CUgraphEdgeData::default()) {
            node.programmatic.insert(before, data);
        }
    }

    /// Returns the data of an edge.
    pub(crate) fn data(&self, before: u64, after: u64) -> CUgraphEdgeData {
        self.nodes.get(&after).and_then(|node| node.programmatic.get(&before)).copied().unwrap_or_default()
    }

    /// Its nodes go with it, and the graphs inside them.
    pub(crate) fn remove(&mut self, graph: u64) {
        self.graphs.remove(&graph);
        self.objects.remove(&graph);
        self.conditions.remove(&graph);
        let inside: Vec<u64> = self.of(graph).map(|(handle, _)| handle).collect();
        inside.into_iter().for_each(|node| self.remove_node(node));
    }

    pub(crate) fn remove_node(&mut self, node: u64) {
        if let Some(node) = self.nodes.remove(&node) {
            node.task.inner().iter().for_each(|&graph| self.remove(graph));
        }
    }

    /// True if the graph belongs to a node.
    pub(crate) fn is_owned(&self, graph: u64) -> bool {
        self.nodes.values().any(|node| node.task.inner().contains(&graph))
    }

    /// True if the graph is a body of a conditional node.
    pub(crate) fn is_body(&self, graph: u64) -> bool {
        let has_it = |task: &StreamTask| matches!(task, StreamTask::Conditional(node) if node.bodies.contains(&graph));
        self.nodes.values().any(|node| has_it(&node.task))
    }

    pub(crate) fn add_condition(&mut self, graph: u64, condition: Condition) {
        self.conditions.entry(graph).or_default().push(condition);
    }

    /// Returns the condition with this handle that a new node of `graph` can use: of the graph, or of one around it.
    pub(crate) fn condition(&self, graph: u64, handle: u64) -> Option<Condition> {
        let mut owners = self.conditions.iter().filter(|(owner, _)| self.is_inside(graph, **owner));
        owners.find_map(|(_, conditions)| conditions.iter().find(|it| it.address == handle).copied())
    }

    /// True if a node has this condition.
    pub(crate) fn is_used(&self, condition: &Condition) -> bool {
        let uses = |task: &StreamTask| matches!(task, StreamTask::Conditional(node) if node.condition == *condition);
        self.nodes.values().any(|node| uses(&node.task))
    }

    /// The conditions of a graph and of those inside it.
    pub(crate) fn conditions_in(&self, graph: u64) -> Vec<Condition> {
        let mut all = self.conditions.get(&graph).cloned().unwrap_or_default();
        let inner = self.of(graph).flat_map(|(_, node)| node.task.inner());
        inner.for_each(|&inner| all.extend(self.conditions_in(inner)));
        all
    }

    /// True if a graph is `outer`, or lies in one of its nodes, however deep.
    pub(crate) fn is_inside(&self, graph: u64, outer: u64) -> bool {
        let inner = |node: &GraphNode| node.task.inner().iter().any(|&inner| self.is_inside(graph, inner));
        graph == outer || self.of(outer).any(|(_, node)| inner(node))
    }

    /// A copy of a graph, of the graphs inside it too.
    pub(crate) fn copy(&mut self, graph: u64) -> u64 {
        let copy = self.create();
        if let Some(held) = self.objects.get(&graph).cloned() {
            self.objects.insert(copy, held);
        }
        type Copied = (u64, StreamTask, Vec<u64>, BTreeMap<u64, CUgraphEdgeData>);
        let parts = |(handle, node): (u64, &GraphNode)| -> Copied {
            (handle, node.task.clone(), node.after.clone(), node.programmatic.clone())
        };
        let nodes: Vec<Copied> = self.of(graph).map(parts).collect();
        let fresh: BTreeMap<u64, u64> = nodes.iter().map(|&(handle, ..)| (handle, handle::fresh())).collect();
        for (handle, task, after, data) in nodes {
            let task = match task {
                StreamTask::Child(inner) => StreamTask::Child(self.copy(inner)),
                other => other,
            };
            let after = after.iter().filter_map(|node| fresh.get(node).copied()).collect();
            let programmatic = data.iter().filter_map(|(node, data)| Some((*fresh.get(node)?, *data))).collect();
            let node = GraphNode { graph: copy, task, after, programmatic, original: Some(handle) };
            self.nodes.insert(fresh[&handle], node);
        }
        copy
    }

    /// True if every one of `nodes` comes before, or is, one of `ends`.
    pub(crate) fn lead_to(&self, nodes: &[u64], ends: &[u64]) -> bool {
        let mut reached: BTreeSet<u64> = BTreeSet::new();
        let mut open: Vec<u64> = ends.to_vec();
        while let Some(node) = open.pop() {
            if reached.insert(node)
                && let Some(node) = self.nodes.get(&node)
            {
                open.extend(&node.after);
            }
        }
        nodes.iter().all(|node| reached.contains(node))
    }
}

impl ContextState {
    /// Adds a node behind what the stream has done so far.
    pub(crate) fn capture(&mut self, stream: u64, task: StreamTask) -> CallResult {
        let capture = self.captures.of(stream).ok_or(CUDA_ERROR_INVALID_VALUE)?;
        let after = capture.streams.get_mut(&stream).ok_or(CUDA_ERROR_INVALID_VALUE)?;
        let is_dependent = matches!(&task, StreamTask::Kernel(kernel) if kernel.launch.is_dependent());
        let mut graphs = graphs();
        let node = graphs.add(capture.graph, after.clone(), task)?;
        if let (true, &[before]) = (is_dependent, &after[..])
            && graphs.check_data((before, node), CUgraphEdgeData::PROGRAMMATIC).is_ok()
        {
            graphs.set_data((before, node), CUgraphEdgeData::PROGRAMMATIC);
        }
        *after = vec![node];
        Ok(())
    }
}
