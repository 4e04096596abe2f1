//! The steps of an instantiated graph: its nodes in an order that fits all edges, child graphs in their place.

use super::conditional;
use super::graphs::Graphs;
use super::user_objects::UserObject;
use super::{Conditional, StreamTask};
use crate::emulated::base::outcome::CallResult;
use crate::emulated::context::state::ContextState;
use crate::emulated::queue::StreamMark;
use cust_raw::CUgraphExecUpdateResult_enum::{self, *};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A node, with the places of what it depends on in the same list.
#[derive(Clone)]
pub(crate) struct ExecNode {
    pub(crate) node: u64,
    pub(crate) task: StreamTask,
    pub(crate) after: Vec<usize>,
    /// The steps of each body of a conditional node.
    pub(crate) bodies: Vec<Vec<ExecNode>>,
    /// True if `cuGraphNodeSetEnabled` has switched it off.
    pub(crate) is_disabled: bool,
}

/// A graph that holds a user object, and the object.
pub(crate) type HeldObject = (u64, Arc<UserObject>);

impl ExecNode {
    /// The begin of a child graph.
    pub(crate) fn begin(after: Vec<usize>) -> ExecNode {
        ExecNode { node: 0, task: StreamTask::Empty, after, bodies: vec![], is_disabled: false }
    }

    /// Makes steps that are switched off do nothing.
    pub(crate) fn leave_out_disabled(&mut self) {
        if self.is_disabled {
            self.task = StreamTask::Empty;
        }
        self.bodies.iter_mut().flatten().for_each(ExecNode::leave_out_disabled);
    }

    /// Returns the step and all those of its bodies.
    fn all(&self) -> Vec<&ExecNode> {
        let inner = self.bodies.iter().flatten().flat_map(ExecNode::all);
        std::iter::once(self).chain(inner).collect()
    }

    /// Takes the handles of nodes from the step in whose place it comes, and what is switched off.
    fn rename(&mut self, old: &ExecNode) {
        (self.node, self.is_disabled) = (old.node, old.is_disabled);
        let inner = self.bodies.iter_mut().flatten();
        inner.zip(old.bodies.iter().flatten()).for_each(|(new, old)| new.rename(old));
    }

    /// Queues a step that is more than its task: a conditional node.
    pub(crate) fn submit_conditional(self, state: &mut ContextState, branch: u64, waits: &[&StreamMark]) -> StreamMark {
        conditional::submit(state, branch, waits, self)
    }
}

/// Steps, each after those it depends on. What is inside a child graph stands between its node's two steps.
#[derive(Clone, Default)]
pub(crate) struct Steps {
    pub(crate) list: Vec<ExecNode>,
    /// The user objects of the graph and of those inside it.
    pub(crate) objects: Vec<HeldObject>,
    /// The graph and those inside it, in an order that depends on their shape alone.
    pub(crate) graphs: Vec<u64>,
}

impl Steps {
    /// Returns all steps, also those in bodies.
    pub(crate) fn all(&self) -> impl Iterator<Item = &ExecNode> {
        self.list.iter().flat_map(ExecNode::all)
    }

    /// Takes the handles of nodes and graphs from the steps in whose place these come.
    pub(crate) fn rename(&mut self, old: &Steps) {
        self.list.iter_mut().zip(&old.list).for_each(|(new, old)| new.rename(old));
        let names: BTreeMap<u64, u64> = self.graphs.iter().copied().zip(old.graphs.iter().copied()).collect();
        self.objects.iter_mut().for_each(|(owner, _)| *owner = names.get(owner).copied().unwrap_or(*owner));
        self.graphs.clone_from(&old.graphs);
    }
}

/// Returns the list with the step of a node, and its place there.
pub(crate) fn find(list: &mut Vec<ExecNode>, node: u64) -> Option<(&mut Vec<ExecNode>, usize)> {
    if let Some(place) = list.iter().position(|step| step.node == node) {
        return Some((list, place));
    }
    list.iter_mut().flat_map(|step| &mut step.bodies).find_map(|body| find(body, node))
}

/// Returns the change that forbids that `new` takes the place of `old`, and the node.
pub(crate) fn changed(old: &[ExecNode], new: &[ExecNode]) -> Option<(CUgraphExecUpdateResult_enum, u64)> {
    if old.len() != new.len() {
        return Some((CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, 0));
    }
    let kind = |step: &ExecNode| match &step.task {
        StreamTask::Conditional(Conditional { kind, bodies, .. }) => Some((*kind, bodies.len())),
        _ => None,
    };
    old.iter().zip(new).find_map(|(old, new)| {
        if old.task.kind() != new.task.kind() {
            Some((CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED, new.node))
        } else if old.after != new.after {
            Some((CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, new.node))
        } else if old.task.memory() != new.task.memory() {
            Some((CU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED, new.node))
        } else if kind(old) != kind(new) {
            Some((CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED, new.node))
        } else {
            old.bodies.iter().zip(&new.bodies).find_map(|(old, new)| changed(old, new))
        }
    })
}

impl Graphs {
    /// Appends the steps of a graph to `list`, the first ones after `start`.
    pub(crate) fn append_steps(&self, graph: u64, start: Option<usize>, steps: &mut Steps) -> CallResult {
        steps.graphs.push(graph);
        steps.objects.extend(self.held(graph).into_iter().map(|object| (graph, object)));
        let mut places: BTreeMap<u64, usize> = BTreeMap::new();
        for (node, inside) in self.sorted(graph)? {
            let mut after: Vec<usize> = inside.after.iter().filter_map(|node| places.get(node).copied()).collect();
            if after.is_empty() {
                after.extend(start);
            }
            let mut bodies = vec![];
            match &inside.task {
                StreamTask::Child(child) => {
                    let first = steps.list.len();
                    steps.list.push(ExecNode::begin(after));
                    self.append_steps(*child, Some(first), steps)?;
                    after = (first..steps.list.len()).collect();
                }
                StreamTask::Conditional(conditional) => {
                    for body in conditional.bodies.iter() {
                        let Steps { list, objects, graphs } = self.steps(*body)?;
                        bodies.push(list);
                        steps.objects.extend(objects);
                        steps.graphs.extend(graphs);
                    }
                }
                _ => {}
            }
            places.insert(node, steps.list.len());
            let mut task = inside.task.clone();
            if let (StreamTask::Kernel(kernel), [before]) = (&mut task, &inside.after[..])
                && inside.programmatic.contains_key(before)
            {
                kernel.launch.depend();
            }
            steps.list.push(ExecNode { node, task, after, bodies, is_disabled: false });
        }
        Ok(())
    }

    /// Returns the steps of a graph.
    pub(crate) fn steps(&self, graph: u64) -> CallResult<Steps> {
        let mut steps = Steps::default();
        self.append_steps(graph, None, &mut steps)?;
        Ok(steps)
    }
}
