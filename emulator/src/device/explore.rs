//! Launches of which every execution is visited.

use super::explored::{ExploredLaunch, LaunchExecution};
use super::launch::{Shape, parameter_block};
use super::{Device, LoadedModule};
use explore::launch::{GivenRun, LaunchSearch};
use explore::{Bounds, Feature, Location, Refusal, Summary, Visited, Visitor};
use finding::{MemoryFor, ShapeError};
use machine::limits::check_shape;
use machine::memory::Memory;
use machine::run::launch::LaunchTree;
use machine::types::{Fault, LaunchConfig, LaunchError};
use std::cell::RefCell;
use std::ops::ControlFlow;
use std::sync::{Arc, PoisonError};

/// Memory in bytes up to which a launch is explored: each run has a copy of its own.
pub(super) const MOST_BYTES: u64 = 1 << 20;
/// Thread instructions of a run at most.
const FUEL: u64 = 1 << 20;

impl Device {
    /// Has the launch after the next `before` ones run as `run` says, in place of the configured schedule and checks.
    /// Allocations from here on get the addresses that they got for the last such run.
    pub fn explore_launch(&mut self, before: u64, run: Arc<GivenRun>) {
        self.memory.reuse_addresses();
        self.explored = Some(ExploredLaunch { before, run });
    }

    /// Returns the run that the launch which begins now is to make.
    pub(super) fn take_explored(&mut self, config: &LaunchConfig, asks_runtime: bool) -> Option<Arc<GivenRun>> {
        let explored = self.explored.as_mut()?;
        if let Some(less) = explored.before.checked_sub(1) {
            explored.before = less;
            return None;
        }
        let run = self.explored.take()?.run;
        if asks_runtime || config.cooperative {
            run.refuse(Feature::DeviceRuntime);
            return None;
        }
        Some(run)
    }

    /// Visits every execution of a launch that the PTX memory model allows, within bounds and until `visit` breaks. The
    /// device stays as it is.
    ///
    /// Fails as [`Device::launch`] does where the launch itself is refused. What is not explored is in
    /// [`Summary::refused`].
    pub fn explore(
        &self,
        module: &LoadedModule,
        kernel: usize,
        config: &LaunchConfig,
        parameters: &[u8],
        bounds: Bounds,
        visit: &mut dyn FnMut(&LaunchExecution) -> ControlFlow<()>,
    ) -> Result<Summary, LaunchError> {
        let mut visitor = EachEnd { visit, round: 0, number: 0, is_enough: false };
        let launch = self.to_explore(module, kernel, config, parameters)?;
        launch.search(&LaunchSearch::new(bounds), &mut visitor)
    }

    pub(super) fn to_explore<'a>(
        &'a self,
        module: &'a LoadedModule,
        kernel: usize,
        config: &'a LaunchConfig,
        parameters: &'a [u8],
    ) -> Result<LaunchToExplore<'a>, LaunchError> {
        let description = &module.program.kernels()[kernel];
        let resident = check_shape(&self.profile, description, config, self.profile.shared_per_block_optin)?;
        let shape = Shape { module, kernel, config, profile: &self.profile, resident };
        parameter_block(description, parameters)?;
        let initial = self.memory.fork(MOST_BYTES).ok_or(NO_MEMORY)?;
        Ok(LaunchToExplore { shape, parameters, initial })
    }
}

pub(super) const NO_MEMORY: LaunchError =
    LaunchError::OutOfResources(ShapeError::NoMemory { needed_for: MemoryFor::Parameters });

/// A launch to be explored.
pub(super) struct LaunchToExplore<'a> {
    shape: Shape<'a>,
    parameters: &'a [u8],
    /// The memory that each run begins with. It stays as it is, even if the host writes its memory meanwhile.
    initial: Memory,
}

impl LaunchToExplore<'_> {
    /// Visits the launch's executions, as one worker of a search.
    pub(super) fn search(
        &self,
        search: &LaunchSearch,
        visitor: &mut dyn LaunchVisitor,
    ) -> Result<Summary, LaunchError> {
        let Shape { module, kernel, config, .. } = self.shape;
        let description = &module.program.kernels()[kernel];
        let code = module.program.code(kernel).as_ref().map_err(|what| LaunchError::Unsupported(what.clone()))?;
        let refused = |feature| Summary { refused: Some(Refusal { feature, pc: 0 }), ..Summary::default() };
        if code.asks_runtime || config.cooperative {
            return Ok(refused(Feature::DeviceRuntime));
        }
        if machine::limits::cluster_of(description, config)? != [1; 3] {
            return Ok(refused(Feature::ClusterBarrier));
        }
        let memory = self.initial.fork(MOST_BYTES).ok_or(NO_MEMORY)?;
        let last_run = RefCell::new(None);
        let start = |given: &Arc<GivenRun>| {
            restore(&memory, &self.initial);
            let tree = LaunchTree::new(FUEL, 1, 0, None);
            let params = parameter_block(description, self.parameters).expect("there was memory for it before");
            given.execute(&self.shape.begin(&tree, &memory, params, 1, 0));
            let fault = tree.fault.into_inner().unwrap_or_else(PoisonError::into_inner);
            last_run.replace(Some(LastRun { given: given.clone(), fault }));
        };
        let mut executions = Executions { memory: &memory, last_run: &last_run, visitor };
        Ok(search.work(start, &mut executions))
    }
}

/// Gives memory the contents that another one of the same shape has.
fn restore(memory: &Memory, from: &Memory) {
    for (region, source) in memory.regions().zip(from.regions()).filter(|(region, _)| region.bytes() > 0) {
        region.copy_bytes(region.base(), source, source.base(), source.bytes());
    }
}

/// The last run of a search: the one of the execution that is visited.
pub(super) struct LastRun {
    pub given: Arc<GivenRun>,
    pub fault: Option<Fault>,
}

/// The visitor of a launch's executions.
pub(super) trait LaunchVisitor {
    /// The search begins, or begins again: what was visited before does not count.
    fn begins(&mut self);
    fn visit(&mut self, graph: &Visited, memory: &Memory, run: &LastRun);
    /// Returns true to end the search.
    fn is_enough(&self) -> bool {
        false
    }
}

/// Hands on executions with their memory.
struct Executions<'a> {
    memory: &'a Memory,
    last_run: &'a RefCell<Option<LastRun>>,
    visitor: &'a mut dyn LaunchVisitor,
}

impl Visitor for Executions<'_> {
    fn begins(&mut self) {
        self.visitor.begins();
    }

    fn visit(&mut self, graph: &Visited) {
        if let Some(run) = self.last_run.borrow().as_ref() {
            self.visitor.visit(graph, self.memory, run);
        }
    }

    fn is_enough(&self) -> bool {
        self.visitor.is_enough()
    }
}

/// Visits each memory that an execution may leave.
struct EachEnd<'a> {
    visit: &'a mut dyn FnMut(&LaunchExecution) -> ControlFlow<()>,
    round: u64,
    number: u64,
    is_enough: bool,
}

impl LaunchVisitor for EachEnd<'_> {
    fn begins(&mut self) {
        self.round += 1;
        self.number = 0;
    }

    fn visit(&mut self, graph: &Visited, memory: &Memory, run: &LastRun) {
        self.number += 1;
        let (round, number, findings) = (self.round, self.number, run.given.findings());
        each_end(graph, memory, &mut || {
            let execution = LaunchExecution { round, number, graph, memory, findings: &findings };
            self.is_enough |= (self.visit)(&execution).is_break();
            !self.is_enough
        });
    }

    fn is_enough(&self) -> bool {
        self.is_enough
    }
}

/// Gives memory each of the contents that it may have after an execution, as long as `visit` returns true.
pub(super) fn each_end(graph: &Visited, memory: &Memory, visit: &mut dyn FnMut() -> bool) {
    let locations: Vec<Location> = graph.execution.accesses().into_keys().collect();
    choose_last(graph, memory, &locations, visit);
}

/// Gives each location the value of its last write. Where writes race there are several last ones, and each counts.
fn choose_last(graph: &Visited, memory: &Memory, locations: &[Location], visit: &mut dyn FnMut() -> bool) -> bool {
    let Some((location, rest)) = locations.split_first() else { return visit() };
    let last = graph.last_values(*location);
    let region = memory.region(location.address).filter(|_| location.block.is_none());
    let (Some(region), false) = (region, last.is_empty()) else { return choose_last(graph, memory, rest, visit) };
    last.into_iter().all(|value| {
        region.write_bytes(location.address, &value.to_le_bytes()[..location.bytes as usize]);
        choose_last(graph, memory, rest, visit)
    })
}
