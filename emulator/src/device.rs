//! The emulated device: memory, loaded modules, launches.

use checker::{Range, Record, State};
use finding::{Finding, HostMemory, HostOperation, MemoryFor, ShapeError};
use machine::code::function_address;
use machine::limits::check_shape;
use machine::memory::{Memory, Missing, Region};
use machine::place;
use machine::profile::Profile;
use machine::program::{Program, Target};
use machine::run::grid_barrier::GRID_SYNC_BYTES;
use machine::run::grids::Identity;
use machine::run::launch::{Launch, Tree};
use machine::run::runtime::{Layout, PENDING_LAUNCHES, Runtime};
use machine::run::unwatched;
use machine::schedule;
use machine::types::{Allocation, Checks, Config, LaunchConfig, LaunchError, LaunchReport, MemoryError, Order};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, PoisonError};

/// A program's variables placed in one device's memory.
#[derive(Clone, Debug)]
pub struct LoadedModule {
    pub program: Arc<Program>,
    /// `.global` and `.const` variables by name: address, bytes.
    pub globals: Vec<(String, u64, u64)>,
    /// The allocations that hold them, one each.
    addresses: Vec<u64>,
}

impl LoadedModule {
    /// Another program with the same variables, where these lie: a kernel that was changed. `None` if its variables are others.
    pub fn with(&self, program: Program) -> Option<LoadedModule> {
        let variables = |program: &Program| -> Vec<_> {
            program.globals().iter().map(|variable| (variable.name.clone(), variable.bytes)).collect()
        };
        let is_same = variables(&program) == variables(&self.program);
        is_same.then(|| LoadedModule { program: Arc::new(program), ..self.clone() })
    }
}

/// One emulated GPU.
#[derive(Debug)]
pub struct Device {
    profile: Profile,
    memory: Memory,
    config: Config,
    launches: u64,
    pending_launches: usize,
    state: State,
}

impl Device {
    pub fn new(profile: Profile) -> Device {
        Device {
            memory: Memory::new(profile.memory),
            profile,
            config: Config::default(),
            launches: 0,
            pending_launches: PENDING_LAUNCHES,
            state: State::default(),
        }
    }

    /// A device with the same memory at the same addresses, to try a launch on: every byte counts as written, and nothing is known
    /// of earlier launches. `None` if that is more than `most` bytes.
    pub fn fork(&self, most: u64) -> Option<Device> {
        let fork = Device {
            profile: self.profile.clone(),
            memory: self.memory.fork(most)?,
            config: self.config.clone(),
            launches: 0,
            pending_launches: self.pending_launches,
            state: State::default(),
        };
        Some(fork)
    }

    /// All that its allocations hold, one after the other.
    pub fn contents(&self) -> Vec<u8> {
        self.memory.contents()
    }

    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// Takes effect at the next launch, which counts as the first of its schedule.
    pub fn configure(&mut self, config: Config) {
        self.config = config;
        self.launches = 0;
    }

    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Has full checks judge every access by itself, with no short ways for rows of memory and for words that many lanes
    /// touch: slower, and with the same findings. Tests hold the short ways to that.
    pub fn judge_one_by_one(&mut self) {
        self.state.judge_one_by_one();
    }

    /// From now on full checks also look for what is no bug by itself and may explain a wrong answer: strong accesses of one place
    /// that nothing orders, and what `__activemask()` gave. Slower: for one run whose answer is wrong, and which has no finding.
    pub fn look_for_hints(&mut self) {
        self.state.look_for_hints();
    }

    /// What was seen so far. No findings: to be shown as notes, without a slug.
    pub fn take_hints(&mut self) -> Vec<Finding> {
        self.state.take_hints()
    }

    /// How many words of memory accesses have raced for so far, with whatever there was, each time counted.
    pub fn racing_accesses(&self) -> u64 {
        self.state.racing_accesses()
    }

    /// Bytes not yet allocated.
    pub fn free_memory(&self) -> u64 {
        self.memory.free_bytes()
    }

    /// Fresh memory reads as undefined under [`Checks::Full`]. Aligned to 512 bytes.
    pub fn allocate(&mut self, bytes: u64, place: HostMemory) -> Result<u64, MemoryError> {
        let address = self.memory.allocate(bytes, place)?;
        // Host memory may hold what the host wrote without telling.
        self.state.add_memory(address, bytes, place == HostMemory::Device);
        Ok(address)
    }

    /// # Safety
    /// `address .. address + bytes` is readable and writable host memory until `free`d.
    pub unsafe fn register_host(&mut self, address: u64, bytes: u64) -> Result<(), MemoryError> {
        // SAFETY: passed on to the caller.
        unsafe { self.memory.register(address, bytes) }?;
        self.state.add_memory(address, bytes, false);
        Ok(())
    }

    /// `address` must be the start of a live allocation. The address range is never handed out again.
    pub fn free(&mut self, address: u64) -> Result<(), MemoryError> {
        self.memory.free(address)?;
        self.state.forget_memory(address);
        Ok(())
    }

    /// The allocation that began at `address` and has been freed.
    pub fn freed(&self, address: u64) -> Option<Allocation> {
        match self.memory.missing(address) {
            Missing::Freed(old) if old.base == address => Some(old),
            _ => None,
        }
    }

    /// The live allocation that holds `address`; what kernels allocate is not the host's.
    pub fn allocation(&self, address: u64) -> Option<Allocation> {
        self.memory.allocation(address).filter(|allocation| allocation.place != HostMemory::Heap)
    }

    /// Bytes that kernels may allocate, all blocks together. 8 MiB where nothing is said.
    pub fn limit_heap(&mut self, bytes: u64) {
        self.memory.heap.set_limit(bytes);
    }

    /// Device to host. Findings: a race with an unordered launch, undefined bytes reaching the host.
    pub fn read(&mut self, address: u64, to: &mut [u8], order: &Order) -> Result<Vec<Finding>, MemoryError> {
        let region = self.memory.range(address, to.len() as u64)?;
        region.read_bytes(address, to);
        if self.config.checks != Checks::Full {
            return Ok(Vec::new());
        }
        let range = Range { region, address, bytes: to.len() as u64 };
        let race = self.state.host_operation(range, false, order, HostOperation::CopyToHost);
        Ok(race.into_iter().chain(self.state.undefined_read(range)).collect())
    }

    /// Host to device.
    pub fn write(&mut self, address: u64, from: &[u8], order: &Order) -> Result<Vec<Finding>, MemoryError> {
        let region = self.memory.range(address, from.len() as u64)?;
        region.write_bytes(address, from);
        let range = Range { region, address, bytes: from.len() as u64 };
        Ok(host_write(&mut self.state, self.config.checks, range, order, HostOperation::CopyFromHost))
    }

    /// Repeats `pattern` `count` times.
    pub fn fill(
        &mut self,
        address: u64,
        pattern: &[u8],
        count: u64,
        order: &Order,
    ) -> Result<Vec<Finding>, MemoryError> {
        let bytes = count.checked_mul(pattern.len() as u64).ok_or(MemoryError::InvalidAddress)?;
        let region = self.memory.range(address, bytes)?;
        // Whole patterns at a time, some 64 KiB each.
        let chunk = pattern.repeat((65536 / pattern.len().max(1)).max(1));
        let mut at = 0;
        while at < bytes {
            let step = (bytes - at).min(chunk.len() as u64);
            region.write_bytes(address + at, &chunk[..step as usize]);
            at += step;
        }
        let range = Range { region, address, bytes };
        Ok(host_write(&mut self.state, self.config.checks, range, order, HostOperation::Fill))
    }

    /// Between two places of this device (overlap allowed).
    pub fn copy(&mut self, to: u64, from: u64, bytes: u64, order: &Order) -> Result<Vec<Finding>, MemoryError> {
        let source = self.memory.range(from, bytes)?;
        let target = self.memory.range(to, bytes)?;
        target.copy_bytes(to, source, from, bytes);
        let from = Range { region: source, address: from, bytes };
        let to = Range { region: target, address: to, bytes };
        let mut findings = Vec::new();
        if self.config.checks == Checks::Full {
            findings.extend(self.state.host_operation(from, false, order, HostOperation::CopyOnDevice));
        }
        findings.extend(host_write(&mut self.state, self.config.checks, to, order, HostOperation::CopyOnDevice));
        // After the write, which defined all of it: an undefined source stays undefined.
        self.state.copy(to, from);
        Ok(findings)
    }

    /// From here on these bytes count as never written (poison before a launch).
    pub fn mark_undefined(&mut self, address: u64, bytes: u64) -> Result<(), MemoryError> {
        let region = self.memory.range(address, bytes)?;
        self.state.fill(Range { region, address, bytes }, true);
        Ok(())
    }

    /// Places the program's variables. Several loads of one program get separate variables.
    pub fn load(&mut self, program: &Arc<Program>) -> Result<LoadedModule, MemoryError> {
        let mut module = LoadedModule { program: program.clone(), globals: Vec::new(), addresses: Vec::new() };
        for variable in program.globals() {
            let place = if variable.managed { HostMemory::Unified } else { HostMemory::Device };
            match self.allocate(variable.bytes, place) {
                Ok(address) => module.addresses.push(address),
                Err(error) => {
                    self.unload(module);
                    return Err(error);
                }
            }
            let address = *module.addresses.last().expect("just placed");
            module.globals.push((variable.name.clone(), address, variable.bytes));
        }
        for (variable, &address) in program.globals().iter().zip(&module.addresses) {
            if variable.bytes == 0 {
                continue;
            }
            let mut image = variable.image.clone();
            for relocation in &variable.relocations {
                let base = match relocation.target {
                    Target::Function(index) => function_address(index),
                    Target::Global(index) => module.addresses[index],
                    Target::Shared(_) => 0,
                };
                let whole = base.wrapping_add_signed(relocation.offset);
                let value = (whole & relocation.mask) >> relocation.mask.trailing_zeros().min(63);
                let bytes = relocation.bytes.min(8) as usize;
                image[relocation.at..relocation.at + bytes].copy_from_slice(&value.to_le_bytes()[..bytes]);
            }
            let region = self.memory.range(address, variable.bytes)?;
            region.write_bytes(address, &image);
            // What has no initial value is zero (PTX ISA, "Initializers").
            self.state.fill(Range { region, address, bytes: variable.bytes }, false);
        }
        Ok(module)
    }

    pub fn unload(&mut self, module: LoadedModule) {
        for address in module.addresses {
            // The module owns them; a caller that freed one by hand has its own error.
            let _ = self.free(address);
        }
    }

    /// Runs kernel number `kernel` of `module.program.kernels()` to its end.
    /// `parameters` is the packed parameter block, `Kernel::parameter_bytes` long.
    pub fn launch(
        &mut self,
        module: &LoadedModule,
        kernel: usize,
        config: &LaunchConfig,
        parameters: &[u8],
        order: &Order,
    ) -> Result<LaunchReport, LaunchError> {
        let description = &module.program.kernels()[kernel];
        let code = module.program.code(kernel).as_ref().map_err(|what| LaunchError::Unsupported(what.clone()))?;
        let resident = check_shape(&self.profile, description, config, self.profile.shared_per_block_optin)?;
        let params = Region::owned(Some(0), u64::from(description.parameter_bytes))
            .ok_or(LaunchError::OutOfResources(ShapeError::NoMemory { needed_for: MemoryFor::Parameters }))?;
        let given = parameters.len().min(description.parameter_bytes as usize);
        params.write_bytes(0, &parameters[..given]);
        let grid_sync = if config.cooperative { self.place_grid_sync()? } else { 0 };
        self.launches += 1;
        let layout = code.launches.then(|| Layout::new(module.program.kernels(), self.pending_launches));
        let buffers = layout.as_ref().map(|layout| self.place_runtime(layout)).transpose()?;
        let tree = Tree::new(self.config.fuel, self.launches + 1);
        let part = &code.parts[0];
        let identity = Identity { part: 0, grid: config.grid, block: config.block, first_block: 0, origin: None };
        let identity = Arc::new(identity);
        tree.grids.add(&identity);
        let launch = Arc::new(Launch {
            tree: &tree,
            code,
            memory: &self.memory,
            globals: &module.addresses,
            names: module.program.globals(),
            parameters: &description.parameters,
            params,
            profile: &self.profile,
            kernel: &description.name,
            part,
            grid: config.grid,
            block: config.block,
            dynamic_shared: config.dynamic_shared,
            grid_id: self.launches,
            resident,
            cooperative: config.cooperative,
            grid_sync,
            next_block: AtomicU64::new(0),
            number: 0,
            node: 0,
            depth: 0,
            identity,
        });
        let runtime = layout.as_ref().zip(buffers);
        let runtime =
            runtime.map(|(layout, base)| Arc::new(Runtime::new(&launch, module.program.kernels(), layout, base)));
        let mut report = match self.config.checks {
            Checks::Fast => {
                self.state.forget_undefined();
                diagnose::unwatched(unwatched::run(&launch, runtime.as_ref(), &self.config, self.launches), &launch)
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
                let record = Record::launch(order.clone(), name, program, kernel, place::pointers(&launch));
                let number = self.state.begin(record);
                let schedule = schedule::make(&self.config.policy, self.launches, 0);
                let checked = checker::check(&launch, runtime.as_ref(), &mut self.state, number, schedule);
                diagnose::finish(checked, &launch)
            }
        };
        self.launches = (tree.grid_ids.load(Relaxed) - 1).max(self.launches);
        drop((runtime, launch));
        report.fault = tree.fault.into_inner().unwrap_or_else(PoisonError::into_inner);
        report.printed = tree.printed.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(buffers) = buffers {
            self.free(buffers).expect("placed for this launch");
        }
        for freed in self.memory.sweep() {
            self.state.forget_memory(freed.base);
        }
        if config.cooperative {
            self.free(grid_sync).expect("placed for this launch");
        }
        Ok(report)
    }

    /// Buffers in which kernels write the arguments of their launches, and the texts of errors.
    fn place_runtime(&mut self, layout: &Layout) -> Result<u64, LaunchError> {
        let no_memory = |_| LaunchError::OutOfResources(ShapeError::NoMemory { needed_for: MemoryFor::Launches });
        let address = self.allocate(layout.bytes(), HostMemory::Device).map_err(no_memory)?;
        let region = self.memory.range(address, layout.bytes()).map_err(no_memory)?;
        let (offset, texts) = layout.texts();
        region.write_bytes(address + offset, texts);
        self.state.fill(Range { region, address: address + offset, bytes: texts.len() as u64 }, false);
        Ok(address)
    }

    /// The number of launches by kernels that may be pending (`cudaLimitDevRuntimePendingLaunchCount`).
    pub fn set_pending_launches(&mut self, most: usize) {
        self.pending_launches = most;
    }

    pub fn pending_launches(&self) -> usize {
        self.pending_launches
    }

    /// What the driver gives a cooperative launch: two words of zero, the second for the barrier of the grid.
    fn place_grid_sync(&mut self) -> Result<u64, LaunchError> {
        let no_memory = |_| LaunchError::OutOfResources(ShapeError::NoMemory { needed_for: MemoryFor::GridBarrier });
        let address = self.allocate(GRID_SYNC_BYTES, HostMemory::Device).map_err(no_memory)?;
        let region = self.memory.range(address, GRID_SYNC_BYTES).map_err(no_memory)?;
        region.write_bytes(address, &[0; GRID_SYNC_BYTES as usize]);
        self.state.fill(Range { region, address, bytes: GRID_SYNC_BYTES }, false);
        Ok(address)
    }
}

/// The host has written a range: it is defined now, and may race.
fn host_write(
    state: &mut State,
    checks: Checks,
    range: Range,
    order: &Order,
    operation: HostOperation,
) -> Vec<Finding> {
    state.fill(range, false);
    match checks {
        Checks::Fast | Checks::Counters => Vec::new(),
        Checks::Full => state.host_operation(range, true, order, operation).into_iter().collect(),
    }
}
