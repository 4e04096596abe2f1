//! Launches.

use super::{Device, LoadedModule, contents_of};
use crate::recording::{Base64Bytes, Command};
use checker::{HostRange, LaunchRecord};
use finding::{HostMemory, MemoryFor, ShapeError};
use machine::limits::{check_shape, cluster_of};
use machine::memory::{Memory, Region};
use machine::place;
use machine::profile::Profile;
use machine::run::grid_barrier::GRID_SYNC_BYTES;
use machine::run::grids::GridIdentity;
use machine::run::launch::{Launch, LaunchTree};
use machine::run::runtime::{Runtime, RuntimeLayout};
#[cfg(not(target_family = "wasm"))]
use machine::run::unwatched::run as fast;
use machine::run::worker::Ran;
use machine::schedule;
use machine::types::{Checks, HostOrder, Kernel, LaunchConfig, LaunchError, LaunchReport};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, PoisonError};

impl Device {
    /// Runs kernel number `kernel` of `module.program.kernels()` to its end.
    /// `parameters` is the packed parameter block, `Kernel::parameter_bytes` long.
    pub fn launch(
        &mut self,
        module: &LoadedModule,
        kernel: usize,
        config: &LaunchConfig,
        parameters: &[u8],
        order: &HostOrder,
    ) -> Result<LaunchReport, LaunchError> {
        let description = &module.program.kernels()[kernel];
        let code = module.program.code(kernel).as_ref().map_err(|what| LaunchError::Unsupported(what.clone()))?;
        let resident = check_shape(&self.profile, description, config, self.profile.shared_per_block_optin)?;
        let params = parameter_block(description, parameters)?;
        self.note_launch(module, kernel, config, parameters, order);
        let grid_sync = if config.cooperative { self.place_grid_sync()? } else { 0 };
        self.launches += 1;
        let layout = code.asks_runtime.then(|| RuntimeLayout::new(module.program.kernels(), self.pending_launches));
        let buffers = layout.as_ref().map(|layout| self.place_runtime(layout)).transpose()?;
        let explored = self.take_explored(config, code.asks_runtime);
        let tree = LaunchTree::new(self.config.fuel, self.launches + 1, self.clock, self.monitor.clone());
        let shape = Shape { module, kernel, config, profile: &self.profile, resident };
        let launch = shape.begin(&tree, &self.memory, params, self.launches, grid_sync);
        let runtime = layout.as_ref().zip(buffers);
        let runtime =
            runtime.map(|(layout, base)| Arc::new(Runtime::new(&launch, module.program.kernels(), layout, base)));
        let mut report = match self.config.checks {
            _ if let Some(run) = &explored => {
                self.state.forget_undefined();
                run.execute(&launch);
                diagnose::unwatched(Ran::default(), &launch)
            }
            Checks::Fast => {
                self.state.forget_undefined();
                diagnose::unwatched(fast(&launch, runtime.as_ref(), &self.config, self.launches), &launch)
            }
            Checks::Counters => {
                self.state.forget_undefined();
                let schedule = schedule::make(&self.config.policy, self.launches, 0);
                let (ran, counted) = checker::count(&launch, runtime.as_ref(), schedule);
                let mut report = diagnose::unwatched(ran, &launch);
                report.counters.counted = Some(counted);
                report
            }
            Checks::Full => {
                let (name, program) = (description.name.clone(), module.program.clone());
                let record =
                    LaunchRecord::launch(order.clone(), name, program, kernel, place::LaunchNames::of(&launch));
                let number = self.state.begin(record);
                let schedule = schedule::make(&self.config.policy, self.launches, 0);
                let (runtime, state) = (runtime.as_ref(), &mut self.state);
                let checked = match &mut self.tracer {
                    None => checker::check(&launch, runtime, state, number, schedule),
                    Some(tracer) => trace::check(&launch, runtime, state, number, schedule, tracer),
                };
                diagnose::finish(checked, &launch)
            }
        };
        self.launches = (tree.grid_ids.load(Relaxed) - 1).max(self.launches);
        report.time = self.profile.launch_time(tree.time.load(Relaxed), report.counters.warp_instructions);
        self.clock += report.time;
        report.fault = tree.fault.lock().unwrap_or_else(PoisonError::into_inner).take();
        report.ended_at = tree.ended_at.lock().unwrap_or_else(PoisonError::into_inner).take();
        if explored.is_some() {
            // The search tells how its runs end.
            (report.fault, report.ended_at) = (None, None);
        }
        match &mut self.tracer {
            Some(tracer) if self.config.checks == Checks::Full => tracer.finish(&report),
            Some(tracer) => tracer.skip(&launch, &report),
            None => {}
        }
        drop((runtime, launch));
        report.printed = tree.printed.into_inner().unwrap_or_else(PoisonError::into_inner);
        report.assertions = tree.assertions.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(buffers) = buffers {
            self.release(buffers).expect("placed for this launch");
        }
        for freed in self.memory.sweep() {
            self.state.forget_memory(freed.base);
        }
        if config.cooperative {
            self.release(grid_sync).expect("placed for this launch");
        }
        Ok(report)
    }

    /// With what memory of the host holds, which is written without a call.
    fn note_launch(
        &mut self,
        module: &LoadedModule,
        kernel: usize,
        config: &LaunchConfig,
        parameters: &[u8],
        order: &HostOrder,
    ) {
        let Some(recorder) = &mut self.recorder else { return };
        for (region, _) in self.memory.allocations().filter(|(_, place)| *place != HostMemory::Device) {
            recorder.note(Command::Host { address: region.base(), contents: contents_of(region) });
        }
        let module = recorder.module(&module.program, &module.addresses);
        let (config, parameters, order) = (config.clone(), Base64Bytes(parameters.to_vec()), order.clone());
        recorder.note(Command::Launch { module, kernel, config, parameters, order });
    }

    /// Buffers in which kernels write the arguments of their launches, and the texts of errors.
    fn place_runtime(&mut self, layout: &RuntimeLayout) -> Result<u64, LaunchError> {
        let no_memory = |_| LaunchError::OutOfResources(ShapeError::NoMemory { needed_for: MemoryFor::Launches });
        let address = self.provide(layout.bytes(), HostMemory::Device).map_err(no_memory)?;
        let region = self.memory.range(address, layout.bytes()).map_err(no_memory)?;
        let (offset, texts) = layout.texts();
        region.write_bytes(address + offset, texts);
        self.state.fill(HostRange { region, address: address + offset, bytes: texts.len() as u64 }, false);
        Ok(address)
    }

    /// The number of launches by kernels that may be pending (`cudaLimitDevRuntimePendingLaunchCount`).
    pub fn set_pending_launches(&mut self, most: usize) {
        self.pending_launches = most;
        self.note(|| Command::SetPendingLaunches { most });
    }

    pub fn pending_launches(&self) -> usize {
        self.pending_launches
    }

    /// Places the grid's workspace of a cooperative launch: two words of zero, the second for the barrier of the grid.
    fn place_grid_sync(&mut self) -> Result<u64, LaunchError> {
        let no_memory = |_| LaunchError::OutOfResources(ShapeError::NoMemory { needed_for: MemoryFor::GridBarrier });
        let address = self.provide(GRID_SYNC_BYTES, HostMemory::Device).map_err(no_memory)?;
        let region = self.memory.range(address, GRID_SYNC_BYTES).map_err(no_memory)?;
        region.write_bytes(address, &[0; GRID_SYNC_BYTES as usize]);
        self.state.fill(HostRange { region, address, bytes: GRID_SYNC_BYTES }, false);
        Ok(address)
    }
}

/// A kernel and the shape in which it is launched.
pub(super) struct Shape<'a> {
    pub module: &'a LoadedModule,
    pub kernel: usize,
    pub config: &'a LaunchConfig,
    pub profile: &'a Profile,
    /// Blocks that may run at once.
    pub resident: u64,
}

impl Shape<'_> {
    /// Makes the launch, as the host's own of `tree`. The kernel's code must have been found to be supported.
    pub fn begin<'l>(
        &'l self,
        tree: &'l LaunchTree,
        memory: &'l Memory,
        params: Region,
        grid_id: u64,
        grid_sync: u64,
    ) -> Arc<Launch<'l>> {
        let LaunchConfig { grid, block, dynamic_shared, cooperative, cluster: asked } = *self.config;
        let description = &self.module.program.kernels()[self.kernel];
        let cluster = cluster_of(description, self.config).expect("checked with the shape");
        let code = self.module.program.code(self.kernel).as_ref().expect("supported");
        let identity = Arc::new(GridIdentity { part: 0, grid, block, first_block: 0, origin: None });
        tree.grids.add(&identity);
        Arc::new(Launch {
            tree,
            code,
            memory,
            globals: &self.module.addresses,
            names: self.module.program.globals(),
            parameters: &description.parameters,
            params,
            profile: self.profile,
            kernel: &description.name,
            part: &code.parts[0],
            grid,
            block,
            cluster,
            is_explicit_cluster: description.required_cluster.is_some() || asked.is_some(),
            dynamic_shared,
            grid_id,
            resident: self.resident,
            cooperative,
            grid_sync,
            next_block: AtomicU64::new(0),
            number: 0,
            node: 0,
            depth: 0,
            identity,
        })
    }
}

/// Returns a kernel's parameter block with the given values in it.
pub(super) fn parameter_block(kernel: &Kernel, parameters: &[u8]) -> Result<Region, LaunchError> {
    let block = Region::owned(Some(0), u64::from(kernel.parameter_bytes))
        .ok_or(LaunchError::OutOfResources(ShapeError::NoMemory { needed_for: MemoryFor::Parameters }))?;
    let given = parameters.len().min(kernel.parameter_bytes as usize);
    block.write_bytes(0, &parameters[..given]);
    Ok(block)
}

/// A page asks for no fast run, and each kind of run has an interpreter of its own: that is one less to send.
#[cfg(target_family = "wasm")]
fn fast<'a>(
    launch: &Arc<Launch<'a>>,
    runtime: Option<&Arc<Runtime<'a>>>,
    config: &machine::types::Config,
    number: u64,
) -> Ran {
    checker::count(launch, runtime, schedule::make(&config.policy, number, 0)).0
}
