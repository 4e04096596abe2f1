//! Conditional nodes of graphs (CUDA C++ Programming Guide, "Conditional Graph Nodes").
//!
//! Which body runs, and how often, is known only once the node's turn comes, and later work has its place in the order
//! by then. So a launch reserves a part of that order for each step of each body. The node's turn runs the steps in
//! these parts. So steps that no edge orders are unordered for the race checker too. Each iteration comes after the one
//! before, and what waits for the node comes after all of them.

use super::StreamTask;
use super::steps::ExecNode;
use crate::emulated::base::observer::{self, Event};
use crate::emulated::base::settings;
use crate::emulated::context::conditions::Condition;
use crate::emulated::context::state::{ContextState, StreamWork};
use crate::emulated::queue::{Reserved, StreamMark, VectorClock, join};
use emulator::Fault;
use std::ffi::c_uint;
use std::sync::Arc;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ConditionalKind {
    If,
    While,
    Switch,
}

impl ConditionalKind {
    /// The kind with this number in CUDA, for that many bodies.
    pub(crate) fn of(number: c_uint, bodies: c_uint) -> Option<ConditionalKind> {
        match (number, bodies) {
            (0, 1 | 2) => Some(ConditionalKind::If),
            (1, 1) => Some(ConditionalKind::While),
            (2, 1..) => Some(ConditionalKind::Switch),
            _ => None,
        }
    }

    /// Returns its number in CUDA.
    pub(crate) fn number(self) -> c_uint {
        match self {
            ConditionalKind::If => 0,
            ConditionalKind::While => 1,
            ConditionalKind::Switch => 2,
        }
    }

    /// Returns the body that runs for this value, of as many as there are.
    fn body(self, value: u32, bodies: usize) -> Option<usize> {
        let body = match self {
            ConditionalKind::If => usize::from(value == 0),
            ConditionalKind::While if value == 0 => return None,
            ConditionalKind::While => 0,
            ConditionalKind::Switch => value as usize,
        };
        (body < bodies).then_some(body)
    }
}

#[derive(Clone)]
pub(crate) struct Conditional {
    pub(crate) condition: Condition,
    pub(crate) kind: ConditionalKind,
    /// Graphs by handle, at an address that the program keeps.
    pub(crate) bodies: Arc<[u64]>,
}

/// The operations of one step in a loop that get a place of their own in the order.
const ITERATIONS: u32 = 1 << 16;

/// Thread instructions that an iteration of a loop counts as, beside those that it takes.
const ITERATION: u64 = 1 << 20;

/// The most that a loop may take in these. A device whose launches may take less allows its loops no more either. One
/// without a limit waits for a proof that a kernel never ends, and there is no such proof for a loop of a graph.
const LIMIT: u64 = 1 << 34;

/// The parts of the order that are reserved for a step, and for the steps of its bodies.
struct StepPart {
    own: Reserved,
    bodies: Vec<Vec<StepPart>>,
}

/// Adds the number of operations that a step and those in it can have: the step first.
fn operations(step: &ExecNode, is_in_loop: bool, all: &mut Vec<u32>) {
    let is_loop = matches!(&step.task, StreamTask::Conditional(node) if node.kind == ConditionalKind::While);
    let is_repeated = is_in_loop || is_loop;
    all.push(if is_repeated { ITERATIONS } else { 1 });
    step.bodies.iter().flatten().for_each(|inner| operations(inner, is_repeated, all));
}

/// Takes the parts of a step and of those in it, in the same order. `None` if there are too few.
fn parts(step: &ExecNode, reserved: &mut impl Iterator<Item = Reserved>) -> Option<StepPart> {
    let own = reserved.next()?;
    let mut bodies = Vec::with_capacity(step.bodies.len());
    for body in &step.bodies {
        bodies.push(body.iter().map(|inner| parts(inner, reserved)).collect::<Option<Vec<StepPart>>>()?);
    }
    Some(StepPart { own, bodies })
}

/// Appends the parameters of all kernels in the bodies, each from a multiple of eight bytes on.
fn parameters(step: &ExecNode, all: &mut Vec<u8>) {
    for inner in step.bodies.iter().flatten() {
        if let StreamTask::Kernel(kernel) = &inner.task {
            all.extend(kernel.launch.parameters());
            all.resize(all.len().next_multiple_of(8), 0);
        }
        parameters(inner, all);
    }
}

/// Queues a conditional node.
pub(super) fn submit(state: &mut ContextState, branch: u64, waits: &[&StreamMark], step: ExecNode) -> StreamMark {
    let start = state.queue.submit(branch, waits, StreamWork::nothing());
    let mut all = vec![];
    operations(&step, false, &mut all);
    let (reserved, end) = state.queue.reserve(&start, &all);
    let part = parts(&step, &mut reserved.into_iter());
    let mut touched = vec![];
    parameters(&step, &mut touched);
    let work = StreamWork::device(move |state, _| {
        let Some(mut part) = part else { return };
        Run { state, stream: branch, kernel: String::new(), instructions: 0 }.node(&step, &mut part, start.order.clock);
    });
    let mark = state.queue.submit(branch, &[&end], work);
    state.managed.submitted(&mark, &touched);
    mark
}

/// A run of a conditional node.
struct Run<'a> {
    state: &'a mut ContextState,
    stream: u64,
    /// The last kernel that ran.
    kernel: String,
    /// Thread instructions so far.
    instructions: u64,
}

impl Run<'_> {
    /// Runs the bodies of a conditional node that comes after `clock`. Returns the clock of what comes after the node;
    /// `None` if it was stopped.
    fn node(&mut self, step: &ExecNode, part: &mut StepPart, mut clock: VectorClock) -> Option<VectorClock> {
        let StreamTask::Conditional(node) = &step.task else { return None };
        let mut iterations = 0;
        loop {
            let order = part.own.next(clock);
            let value = self.state.read_condition(&node.condition, &order)?;
            clock = order.clock;
            let Some(body) = node.kind.body(value, step.bodies.len()) else { return Some(clock) };
            clock = self.body(&step.bodies[body], &mut part.bodies[body], clock)?;
            if node.kind != ConditionalKind::While {
                return Some(clock);
            }
            iterations += 1;
            self.check_limit(iterations)?;
        }
    }

    fn body(&mut self, steps: &[ExecNode], parts: &mut [StepPart], start: VectorClock) -> Option<VectorClock> {
        let mut done: Vec<VectorClock> = Vec::with_capacity(steps.len());
        for (step, part) in steps.iter().zip(parts) {
            let mut clock = start.clone();
            step.after.iter().for_each(|&before| join(&mut clock, &done[before]));
            done.push(self.step(step, part, clock)?);
        }
        let mut end = start;
        done.iter().for_each(|clock| join(&mut end, clock));
        Some(end)
    }

    fn step(&mut self, step: &ExecNode, part: &mut StepPart, clock: VectorClock) -> Option<VectorClock> {
        if let StreamTask::Conditional(_) = step.task {
            return self.node(step, part, clock);
        }
        let order = part.own.next(clock);
        match &step.task {
            StreamTask::Kernel(kernel) => {
                self.instructions += kernel.launch.run(self.state, &order, self.stream);
                kernel.launch.name().clone_into(&mut self.kernel);
            }
            StreamTask::Copy(copy) => copy.run(self.state, &order),
            StreamTask::Fill(fill) => fill.run(self.state, &order),
            // Nothing else is in a body, but for the ends of child graphs.
            _ => {}
        }
        if self.state.is_stopped() { None } else { Some(order.clock) }
    }

    /// Ends a loop that takes too long.
    fn check_limit(&mut self, iterations: u64) -> Option<()> {
        let is_over_limit = settings::instruction_limit().is_some_and(|limit| self.instructions > limit);
        let limit = self.state.device.config().fuel.min(LIMIT);
        let is_endless = self.instructions + iterations * ITERATION > limit;
        if !is_over_limit && !is_endless {
            return Some(());
        }
        words::complain(&say!("endless-conditional-node", iterations));
        let fault = if is_over_limit { Fault::InstructionLimit } else { Fault::Timeout };
        observer::tell(Event::Stopped { kernel: &self.kernel, fault: &fault });
        self.state.fail_with(&fault);
        None
    }
}

#[cfg(test)]
mod tests {
    use super::ConditionalKind::{self, *};

    #[test]
    fn a_value_chooses_a_body() {
        for (kind, value, bodies, body) in [
            (If, 0, 1, None),
            (If, 7, 1, Some(0)),
            (If, 0, 2, Some(1)),
            (While, 0, 1, None),
            (While, 7, 1, Some(0)),
            (Switch, 0, 3, Some(0)),
            (Switch, 2, 3, Some(2)),
            (Switch, 3, 3, None),
        ] {
            assert_eq!(kind.body(value, bodies), body, "{kind:?} {value} {bodies}");
        }
    }

    #[test]
    fn each_kind_has_its_numbers_of_bodies() {
        for (number, bodies, kind) in [
            (0, 0, None),
            (0, 2, Some(If)),
            (0, 3, None),
            (1, 1, Some(While)),
            (1, 2, None),
            (2, 0, None),
            (2, 9, Some(Switch)),
            (3, 1, None),
        ] {
            assert_eq!(ConditionalKind::of(number, bodies), kind, "{number} {bodies}");
        }
    }
}
