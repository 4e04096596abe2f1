//! Every execution of a launch of the shipped kernel, each with its verdict.

use super::trial::AnswerTrial;
use crate::case::Case;
use crate::stage::{self, ExerciseStage, NoRun, RunResults};
use crate::values;
use emulator::LaunchExecution;
use emulator::explore::{Access, AccessKind, Bounds, Location, ThreadPlace, Visited};
use std::ops::ControlFlow;
use std::time::Duration;

/// Bounds of a search that is to visit all executions.
const ALL: Bounds = Bounds { executions: 1000, runs: u64::MAX, time: Duration::from_secs(8) };

/// An execution, in the terms of the exercise's buffers.
#[derive(Debug, Default)]
pub struct JudgedExecution {
    /// In program order, thread by thread.
    pub reads: Vec<ReadEvent>,
    /// Locations with several writes that are no atomic operations, with the writers in coherence order.
    pub orders: Vec<(String, Vec<ThreadPlace>)>,
    pub threads: Vec<ThreadPlace>,
    /// The number of accesses of each thread.
    pub accesses: Vec<u64>,
    /// The contents that the buffers may have after it.
    pub results: Vec<Vec<Vec<u8>>>,
    pub has_race: bool,
    pub is_endless: bool,
    /// An access is not allowed.
    pub is_misplaced: bool,
    /// One of the results is wrong.
    pub is_mistaken: bool,
}

/// A read with its source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadEvent {
    pub reader: ThreadPlace,
    /// The number of the access in its thread.
    pub index: usize,
    pub element: String,
    pub value: String,
    /// The new value, if it is an atomic operation that writes.
    pub written: Option<String>,
    /// The thread that has written the value. `None` stands for the initial value.
    pub writer: Option<ThreadPlace>,
}

impl ReadEvent {
    /// Describes the read: `*counter = 1 from thread 2`. `places` are those of all threads.
    pub fn describe(&self, places: &[ThreadPlace]) -> String {
        let ReadEvent { element, value, .. } = self;
        match (&self.written, self.writer) {
            (Some(written), _) => format!("{element} {value} -> {written}"),
            (None, Some(writer)) => say!("count-read", element, value, writer = thread_name(writer, places)),
            (None, None) => say!("count-read-initial", element, value),
        }
    }
}

/// Names a thread as short as its launch allows.
pub fn thread_name(place: ThreadPlace, all: &[ThreadPlace]) -> String {
    let ThreadPlace { block, thread } = place;
    if all.iter().all(|other| other.thread == 0) && all.iter().any(|other| other.block != block) {
        return say!("count-block", block);
    }
    match all.iter().all(|other| other.block == block) {
        true => say!("count-thread", thread),
        false => say!("count-thread-of-block", thread, block),
    }
}

impl JudgedExecution {
    pub fn is_wrong(&self) -> bool {
        self.has_race || self.is_endless || self.is_misplaced || self.is_mistaken
    }
}

impl AnswerTrial<'_> {
    /// Visits all executions of the first launch of `kernel`, from the buffers' first contents.
    pub fn executions(&mut self, kernel: &str) -> Result<Vec<JudgedExecution>, String> {
        let scene = self.at(&Case::largest(&self.exercise.spec))?;
        let spec = &self.exercise.spec;
        let launch = spec.launches.iter().find(|launch| launch.kernel == kernel);
        let launch = launch.ok_or_else(|| say!("count-unknown-kernel", kernel))?;
        let (mut all, mut round, mut failure) = (Vec::new(), 0, None);
        let mut visit = |stage: &ExerciseStage, execution: &LaunchExecution| {
            if std::mem::replace(&mut round, execution.round) != execution.round {
                all.clear();
            }
            if execution.number > all.len() as u64 {
                all.push(Described { stage, inputs: &scene.inputs, trial: self }.execution(execution));
            }
            let Some(judged) = all.last_mut() else { return ControlFlow::Continue(()) };
            let outcome = RunResults { buffers: stage.buffers_after(execution), ..RunResults::default() };
            match scene.result(self, &outcome) {
                Ok(mistake) => judged.is_mistaken |= mistake.is_some() && !judged.is_endless,
                Err(why) => failure = Some(why),
            }
            judged.results.push(outcome.buffers);
            ControlFlow::Continue(())
        };
        let (inputs, sizes) = (&scene.inputs, &scene.case.sizes);
        let explored = stage::explore(&self.answer, spec, launch, inputs, sizes, ALL, &mut visit);
        let is_complete = explored.map_err(NoRun::words)?.is_complete;
        self.runs += 1;
        match failure {
            Some(why) => Err(why),
            None if !is_complete => Err(say!("count-not-explored", kernel)),
            None => Ok(all),
        }
    }
}

/// Describes events by the buffers that they access.
pub(super) struct Described<'a> {
    pub stage: &'a ExerciseStage,
    pub inputs: &'a [Vec<u8>],
    pub trial: &'a AnswerTrial<'a>,
}

impl Described<'_> {
    pub fn execution(&self, visited: &LaunchExecution) -> JudgedExecution {
        let graph = visited.graph;
        let events = 0..graph.execution.len();
        let count = |thread| {
            let is_access = |&event: &usize| graph.execution.actions[event].access().is_some();
            let is_its = |&event: &usize| graph.execution.ids[event].thread == thread;
            events.clone().filter(is_access).filter(is_its).count() as u64
        };
        JudgedExecution {
            reads: events.clone().filter_map(|event| self.read(graph, event)).collect(),
            orders: graph
                .execution
                .accesses()
                .into_iter()
                .filter_map(|(at, all)| self.order(graph, at, &all))
                .collect(),
            threads: graph.execution.threads.clone(),
            accesses: (0..graph.execution.threads.len()).map(count).collect(),
            results: Vec::new(),
            has_race: !graph.races.is_empty(),
            is_endless: graph.is_deadlock,
            is_misplaced: !visited.findings.is_empty(),
            is_mistaken: false,
        }
    }

    fn read(&self, graph: &Visited, event: usize) -> Option<ReadEvent> {
        let action = &graph.execution.actions[event];
        let access = action.access().filter(|access| !matches!(access.kind, AccessKind::Store(_)))?;
        let source = graph.execution.source[event];
        let value = match source {
            Some(write) => self.value(access, graph.execution.actions[write].written().unwrap_or(0)),
            None => self.initial(access),
        };
        Some(ReadEvent {
            reader: graph.execution.place(event),
            index: graph.execution.ids[event].index,
            element: self.element(access.location),
            value,
            written: action.written().map(|value| self.value(access, value)),
            writer: source.map(|write| graph.execution.place(write)),
        })
    }

    /// Returns a location's writers in coherence order. `None` where that follows from the reads, or is no total order.
    fn order(&self, graph: &Visited, location: Location, accesses: &[usize]) -> Option<(String, Vec<ThreadPlace>)> {
        let is_store =
            |&&event: &&usize| graph.execution.actions[event].writes() && !graph.execution.actions[event].is_update();
        let stores: Vec<usize> = accesses.iter().filter(is_store).copied().collect();
        let precedes = |a: usize, b: usize| graph.coherence.contains(&(graph.execution.ids[a], graph.execution.ids[b]));
        let before = |event: usize| stores.iter().filter(|&&other| precedes(other, event)).count();
        let mut ordered: Vec<(usize, usize)> = stores.iter().map(|&event| (before(event), event)).collect();
        ordered.sort_unstable();
        let is_total = (0..).zip(&ordered).all(|(place, &(before, _))| place == before);
        let places = ordered.iter().map(|&(_, event)| graph.execution.place(event)).collect();
        (stores.len() > 1 && is_total).then(|| (self.element(location), places))
    }

    fn element(&self, location: Location) -> String {
        let place = self.stage.element_at(location.address).filter(|_| location.block.is_none());
        let buffers = &self.trial.exercise.spec.buffers;
        place.map_or_else(
            || format!("shared+0x{:x}", location.address),
            |(buffer, element)| match self.inputs[buffer].len() == buffers[buffer].ty.bytes() {
                true => format!("*{}", buffers[buffer].name),
                false => format!("{}[{element}]", buffers[buffer].name),
            },
        )
    }

    fn value(&self, access: &Access, value: u64) -> String {
        match self.stage.element_at(access.location.address).filter(|_| access.location.block.is_none()) {
            Some((buffer, _)) => values::element(&value.to_le_bytes(), self.trial.exercise.spec.buffers[buffer].ty, 0),
            None => value.to_string(),
        }
    }

    fn initial(&self, access: &Access) -> String {
        match self.stage.element_at(access.location.address).filter(|_| access.location.block.is_none()) {
            Some((buffer, at)) => {
                values::element(&self.inputs[buffer], self.trial.exercise.spec.buffers[buffer].ty, at)
            }
            None => "0".to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_are_named_by_what_tells_them_apart() {
        let place = |block, thread| ThreadPlace { block, thread };
        let name = |all: &[ThreadPlace]| thread_name(all[1], all);
        assert_eq!(name(&[place(0, 0), place(1, 0)]), "block 1");
        assert_eq!(name(&[place(0, 0), place(0, 1)]), "thread 1");
        assert_eq!(name(&[place(0, 1), place(1, 2)]), "thread 2 of block 1");
    }
}
