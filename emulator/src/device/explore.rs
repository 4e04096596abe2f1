//! Launches of which every execution is visited.

use super::explored::{ExploredLaunch, LaunchExecution};
use super::launch::{Shape, parameter_block};
use super::{Device, LoadedModule};
use explore::launch::{GivenRun, LaunchProgram};
use explore::{Bounds, Feature, Location, Refusal, Summary, Visited, Visitor};
use finding::{MemoryFor, ShapeError};
use machine::limits::check_shape;
use machine::memory::Memory;
use machine::run::launch::LaunchTree;
use machine::types::{LaunchConfig, LaunchError};
use std::cell::RefCell;
use std::sync::Arc;

/// Memory in bytes up to which a launch is explored: each run has a copy of its own.
const MOST_BYTES: u64 = 1 << 20;
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

    /// Visits every execution of a launch that the PTX memory model allows, within bounds. The device stays as it is.
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
        visit: &mut dyn FnMut(&LaunchExecution),
    ) -> Result<Summary, LaunchError> {
        let description = &module.program.kernels()[kernel];
        let code = module.program.code(kernel).as_ref().map_err(|what| LaunchError::Unsupported(what.clone()))?;
        let resident = check_shape(&self.profile, description, config, self.profile.shared_per_block_optin)?;
        let shape = Shape { module, kernel, config, profile: &self.profile, resident };
        let refused = |feature| Summary { refused: Some(Refusal { feature, pc: 0 }), ..Summary::default() };
        if code.asks_runtime || config.cooperative {
            return Ok(refused(Feature::DeviceRuntime));
        }
        let no_memory = LaunchError::OutOfResources(ShapeError::NoMemory { needed_for: MemoryFor::Parameters });
        let memory = self.memory.fork(MOST_BYTES).ok_or(no_memory)?;
        parameter_block(description, parameters)?;
        let last_run = RefCell::new(None);
        let start = |given: &Arc<GivenRun>| {
            restore(&memory, &self.memory);
            let tree = LaunchTree::new(FUEL, 1, 0, None);
            let params = parameter_block(description, parameters).expect("there was memory for it before");
            given.execute(&shape.begin(&tree, &memory, params, 1, 0));
            last_run.replace(Some(given.clone()));
        };
        let mut executions = Executions { memory: &memory, last_run: &last_run, visit, round: 0, number: 0 };
        Ok(explore::explore(&mut LaunchProgram::new(start), bounds, &mut executions))
    }
}

/// Gives memory the contents that another one of the same shape has.
fn restore(memory: &Memory, from: &Memory) {
    for (region, source) in memory.regions().zip(from.regions()).filter(|(region, _)| region.bytes() > 0) {
        region.copy_bytes(region.base(), source, source.base(), source.bytes());
    }
}

/// Hands on executions with their memory.
struct Executions<'a> {
    memory: &'a Memory,
    last_run: &'a RefCell<Option<Arc<GivenRun>>>,
    visit: &'a mut dyn FnMut(&LaunchExecution),
    round: u64,
    number: u64,
}

impl Visitor for Executions<'_> {
    fn begins(&mut self) {
        self.round += 1;
        self.number = 0;
    }

    fn visit(&mut self, graph: &Visited) {
        self.number += 1;
        let locations: Vec<Location> = graph.execution.accesses().into_keys().collect();
        self.choose_last(graph, &locations);
    }
}

impl Executions<'_> {
    /// Gives each location the value of its last write. Where writes race there are several last ones, and each counts.
    fn choose_last(&mut self, graph: &Visited, locations: &[Location]) {
        let Some((location, rest)) = locations.split_first() else {
            let findings = self.last_run.borrow().as_ref().map_or_else(Vec::new, |run| run.findings());
            let Executions { memory, round, number, .. } = *self;
            return (self.visit)(&LaunchExecution { round, number, graph, memory, findings: &findings });
        };
        let last = graph.last_values(*location);
        let region = self.memory.region(location.address).filter(|_| location.block.is_none());
        let (Some(region), false) = (region, last.is_empty()) else { return self.choose_last(graph, rest) };
        for value in last {
            let bytes = value.to_le_bytes();
            region.write_bytes(location.address, &bytes[..location.bytes as usize]);
            self.choose_last(graph, rest);
        }
    }
}
