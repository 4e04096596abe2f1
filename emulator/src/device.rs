//! The emulated device: memory, loaded modules, launches.

use crate::machine::code::function_address;
use crate::machine::grid::Worker;
use crate::machine::launch::Launch;
use crate::memory::{Memory, Region};
use crate::profile::Profile;
use crate::program::{Program, Target};
use crate::report::Finding;
use crate::schedule;
use crate::watch::full::{Full, Range, Record, State};
use crate::watch::{Off, Watch};
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::{Arc, Mutex, PoisonError};

/// Where an allocation lives, and so what its address means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Device memory: its addresses are never host addresses.
    Device,
    /// Page-locked host memory: device address and host address are the same.
    Pinned,
    /// Unified memory: likewise, and both sides own it.
    Managed,
    /// Ordinary host memory that the caller registered.
    Registered,
}

/// A live allocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allocation {
    pub base: u64,
    pub bytes: u64,
    pub place: Place,
}

/// What to check while a kernel runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Checks {
    /// Bounds and alignment only; blocks spread over cores.
    Fast,
    /// Everything; one core, deterministic for a seed.
    Full,
}

/// Which runnable thread goes next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Policy {
    /// Converge as early as possible: what hardware mostly does.
    InOrder,
    /// Splits and interleaves by seed.
    Random { seed: u64 },
}

/// How the next launches run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    pub checks: Checks,
    pub policy: Policy,
    /// Worker threads in fast mode.
    pub workers: usize,
    /// Thread instructions one launch may take before it is reported as a livelock.
    pub fuel: u64,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            checks: Checks::Full,
            policy: Policy::InOrder,
            workers: std::thread::available_parallelism().map_or(1, usize::from),
            fuel: 1 << 40,
        }
    }
}

/// The position of one operation in the host's order of things: a vector clock over
/// agents (0 is the host thread that owns the context, then one per stream).
/// Operation `a` is ordered before `b` iff `b.clock[a.agent] >= a.clock[a.agent]`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Order {
    pub agent: u32,
    pub clock: Vec<u32>,
}

/// Grid and block shape of a launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaunchConfig {
    pub grid: [u32; 3],
    pub block: [u32; 3],
    /// Bytes of dynamic shared memory.
    pub dynamic_shared: u32,
    pub cooperative: bool,
}

/// One `.param` of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    pub name: String,
    /// Bytes from the start of the parameter block.
    pub offset: u32,
    pub bytes: u32,
    pub align: u32,
    /// As declared: "u64", "b8[16]".
    pub ty: String,
}

/// A kernel's static properties.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kernel {
    pub name: String,
    pub parameters: Vec<Parameter>,
    /// Size of the whole parameter block in bytes.
    pub parameter_bytes: u32,
    /// Static shared memory in bytes.
    pub shared_bytes: u32,
    /// Local memory a thread in bytes.
    pub local_bytes: u32,
    pub const_bytes: u32,
    /// An estimate: PTX registers are virtual.
    pub registers: u32,
    /// `.maxntid` product, or the device's limit.
    pub max_threads: u32,
    /// `.reqntid`.
    pub required_block: Option<[u32; 3]>,
    /// `.version` x 10, `.target` x 10 as `cuFuncGetAttribute` gives them (90, 75, ...).
    pub ptx_version: u32,
    pub binary_version: u32,
}

/// PTX that cannot be loaded: the text is malformed or names what does not exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadError {
    /// Line in the PTX text, from 1; 0 where no line is to blame.
    pub line: u32,
    pub message: String,
    pub kind: LoadErrorKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoadErrorKind {
    /// Not PTX.
    Syntax,
    /// A symbol without a definition.
    Unresolved,
    /// A newer target or version than the device has.
    TooNew,
}

/// Something this emulator does not do. Never the kernel's fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    /// As written: "tex.2d.v4.f32.s32".
    pub what: String,
    pub kernel: String,
    pub line: u32,
}

/// What ends a kernel and, as on hardware, poisons its context.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    IllegalAddress,
    MisalignedAddress,
    /// `trap`.
    IllegalInstruction,
    /// Device `assert`.
    Assert,
    LaunchFailed,
    /// Deadlock, or out of fuel.
    Timeout,
    /// Local memory used up by calls.
    StackOverflow,
    /// A bug in the emulator itself; the text says where.
    Internal(String),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LaunchError {
    /// Shape or sizes outside the device's or the kernel's limits.
    InvalidConfiguration(String),
    /// More resources than a multiprocessor has.
    OutOfResources(String),
    /// Too many blocks for a cooperative launch.
    CooperativeTooLarge(String),
    Unsupported(Unsupported),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MemoryError {
    /// The device has not that much left.
    OutOfMemory,
    /// Not an allocation, or beyond its end.
    InvalidAddress,
}

/// What one launch did.
#[derive(Clone, Debug, Default)]
pub struct LaunchReport {
    pub findings: Vec<Finding>,
    /// What `printf` wrote, in order.
    pub printed: Vec<u8>,
    pub counters: Counters,
    pub fault: Option<Fault>,
}

/// Exact for a given schedule.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    pub warp_instructions: u64,
    pub thread_instructions: u64,
}

/// A program's variables placed in one device's memory.
#[derive(Clone, Debug)]
pub struct LoadedModule {
    pub program: Arc<Program>,
    /// `.global` and `.const` variables by name: address, bytes.
    pub globals: Vec<(String, u64, u64)>,
    /// The allocations that hold them, one each.
    addresses: Vec<u64>,
}

/// One emulated GPU.
#[derive(Debug)]
pub struct Device {
    profile: Profile,
    memory: Memory,
    config: Config,
    launches: u64,
    state: State,
}

impl Device {
    pub fn new(profile: Profile) -> Device {
        Device {
            memory: Memory::new(profile.memory),
            profile,
            config: Config::default(),
            launches: 0,
            state: State::default(),
        }
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

    /// Bytes not yet allocated.
    pub fn free_memory(&self) -> u64 {
        self.memory.free_bytes()
    }

    /// Fresh memory reads as undefined under [`Checks::Full`]. Aligned to 512 bytes.
    pub fn allocate(&mut self, bytes: u64, place: Place) -> Result<u64, MemoryError> {
        let address = self.memory.allocate(bytes, place)?;
        // Host memory may hold what the host wrote without telling.
        self.state.bits.add(address, bytes, place == Place::Device);
        Ok(address)
    }

    /// # Safety
    /// `address .. address + bytes` is readable and writable host memory until `free`d.
    pub unsafe fn register_host(&mut self, address: u64, bytes: u64) -> Result<(), MemoryError> {
        // SAFETY: passed on to the caller.
        unsafe { self.memory.register(address, bytes) }?;
        self.state.bits.add(address, bytes, false);
        Ok(())
    }

    /// `address` must be the start of a live allocation. The address range is never handed out again.
    pub fn free(&mut self, address: u64) -> Result<(), MemoryError> {
        self.memory.free(address)?;
        self.state.forget_memory(address);
        Ok(())
    }

    /// The live allocation that holds `address`.
    pub fn allocation(&self, address: u64) -> Option<Allocation> {
        self.memory.allocation(address)
    }

    /// Device to host. Findings: a race with an unordered launch, undefined bytes reaching the host.
    pub fn read(&mut self, address: u64, to: &mut [u8], order: &Order) -> Result<Vec<Finding>, MemoryError> {
        let region = self.memory.range(address, to.len() as u64)?;
        region.read_bytes(address, to);
        if self.config.checks == Checks::Fast {
            return Ok(Vec::new());
        }
        let range = Range { region, address, bytes: to.len() as u64 };
        let race = self.state.host_operation(range, false, order, "a copy to the host");
        Ok(race.into_iter().chain(self.state.undefined_read(range)).collect())
    }

    /// Host to device.
    pub fn write(&mut self, address: u64, from: &[u8], order: &Order) -> Result<Vec<Finding>, MemoryError> {
        let region = self.memory.range(address, from.len() as u64)?;
        region.write_bytes(address, from);
        let range = Range { region, address, bytes: from.len() as u64 };
        Ok(host_write(&mut self.state, self.config.checks, range, order, "a copy from the host"))
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
        Ok(host_write(&mut self.state, self.config.checks, range, order, "a fill"))
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
            findings.extend(self.state.host_operation(from, false, order, "a device-to-device copy"));
        }
        findings.extend(host_write(&mut self.state, self.config.checks, to, order, "a device-to-device copy"));
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
            let place = if variable.managed { Place::Managed } else { Place::Device };
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
        let resident = self.check_launch(description, config)?;
        let params = Region::owned(Some(0), u64::from(description.parameter_bytes))
            .ok_or_else(|| LaunchError::OutOfResources("the host has no memory left".into()))?;
        let given = parameters.len().min(description.parameter_bytes as usize);
        params.write_bytes(0, &parameters[..given]);
        self.launches += 1;
        let launch = Launch {
            code,
            memory: &self.memory,
            globals: &module.addresses,
            names: module.program.globals(),
            parameters: &description.parameters,
            params,
            profile: &self.profile,
            kernel: &description.name,
            grid: config.grid,
            block: config.block,
            dynamic_shared: config.dynamic_shared,
            grid_id: self.launches,
            resident,
            fuel: AtomicU64::new(self.config.fuel),
            next_block: AtomicU64::new(0),
            stop: AtomicBool::new(false),
            fault: Mutex::new(None),
            printed: Mutex::new(Vec::new()),
        };
        let mut report = match self.config.checks {
            Checks::Fast => {
                self.state.bits.forget();
                run_fast(&launch, &self.config, self.launches)
            }
            Checks::Full => {
                let kernel = Some((module.program.clone(), kernel));
                let record = Record { order: order.clone(), name: description.name.clone(), kernel };
                let number = self.state.begin(record);
                let watch = Full::new(&mut self.state, &launch, number);
                let mut worker = Worker::new(&launch, watch, schedule::make(&self.config.policy, self.launches, 0));
                worker.run();
                finish(worker)
            }
        };
        report.fault = launch.fault.into_inner().unwrap_or_else(PoisonError::into_inner);
        report.printed = launch.printed.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(report)
    }

    /// Refuses what a real device would refuse; returns the blocks that can be resident at once.
    fn check_launch(&self, kernel: &Kernel, config: &LaunchConfig) -> Result<u64, LaunchError> {
        let profile = &self.profile;
        let invalid = |text: String| Err(LaunchError::InvalidConfiguration(text));
        let LaunchConfig { grid, block, dynamic_shared, cooperative } = config;
        for axis in 0..3 {
            let name = ["x", "y", "z"][axis];
            if grid[axis] == 0 || grid[axis] > profile.max_grid[axis] {
                return invalid(format!("grid.{name} is {}, allowed are 1 to {}", grid[axis], profile.max_grid[axis]));
            }
            if block[axis] == 0 || block[axis] > profile.max_block[axis] {
                return invalid(format!(
                    "block.{name} is {}, allowed are 1 to {}",
                    block[axis], profile.max_block[axis]
                ));
            }
        }
        let threads: u64 = block.iter().map(|&n| u64::from(n)).product();
        let most = profile.threads_per_block.min(kernel.max_threads);
        if threads > u64::from(most) {
            return invalid(format!("the block has {threads} threads, `{}` allows {most}", kernel.name));
        }
        if let Some(required) = kernel.required_block.filter(|required| required != block) {
            return invalid(format!("`{}` requires blocks of {required:?}", kernel.name));
        }
        let shared = u64::from(kernel.shared_bytes) + u64::from(*dynamic_shared);
        if shared > u64::from(profile.shared_per_block_optin) {
            let most = profile.shared_per_block_optin;
            return invalid(format!("the block needs {shared} bytes of shared memory, the device has {most}"));
        }
        let each = profile.resident_blocks(threads as u32, kernel.registers, shared as u32);
        if each == 0 {
            return Err(LaunchError::OutOfResources(format!(
                "not one block of `{}` fits a multiprocessor",
                kernel.name
            )));
        }
        let resident = u64::from(each) * u64::from(profile.multiprocessors);
        let blocks: u64 = grid.iter().map(|&n| u64::from(n)).product();
        if *cooperative && blocks > resident {
            let text = format!("{blocks} blocks in a cooperative launch, where {resident} can be resident");
            return Err(LaunchError::CooperativeTooLarge(text));
        }
        Ok(resident)
    }
}

/// Unchecked, blocks spread over the host's cores.
fn run_fast(launch: &Launch, config: &Config, number: u64) -> LaunchReport {
    let workers = (config.workers.max(1) as u64).min(launch.blocks()) as usize;
    let run = |worker: usize| {
        let mut worker = Worker::new(launch, Off, schedule::make(&config.policy, number, worker));
        worker.run();
        finish(worker)
    };
    let parts: Vec<LaunchReport> = if workers == 1 {
        vec![run(0)]
    } else {
        std::thread::scope(|scope| {
            let handles: Vec<_> = (0..workers).map(|worker| scope.spawn(move || run(worker))).collect();
            handles.into_iter().map(|handle| handle.join().unwrap_or_else(|_| panicked(launch))).collect()
        })
    };
    let mut whole = LaunchReport::default();
    for part in parts {
        whole.findings.extend(part.findings);
        whole.counters.warp_instructions += part.counters.warp_instructions;
        whole.counters.thread_instructions += part.counters.thread_instructions;
    }
    whole
}

/// The host has written a range: it is defined now, and may race.
fn host_write(state: &mut State, checks: Checks, range: Range, order: &Order, name: &'static str) -> Vec<Finding> {
    state.fill(range, false);
    match checks {
        Checks::Fast => Vec::new(),
        Checks::Full => state.host_operation(range, true, order, name).into_iter().collect(),
    }
}

fn finish<W: Watch>(worker: Worker<W>) -> LaunchReport {
    let mut findings = worker.watch.findings();
    findings.extend(worker.fatal);
    let counters = Counters { warp_instructions: worker.instructions, thread_instructions: worker.thread_instructions };
    LaunchReport { findings, counters, ..LaunchReport::default() }
}

/// A worker's panic is the emulator's error, never the kernel's.
fn panicked(launch: &Launch) -> LaunchReport {
    launch.fail(Fault::Internal("a worker thread of the emulator panicked".into()));
    LaunchReport::default()
}
