//! A launch of a kernel: its checks, its parameters, and its run.

use crate::emulated::base::image::{of_version, unsupported_text};
use crate::emulated::base::observer::{self, Event};
use crate::emulated::base::outcome::CallResult;
use crate::emulated::base::saved_launch::SavedLaunch;
use crate::emulated::base::settings;
use crate::emulated::context::objects::Function;
use crate::emulated::context::state::{ContextState, StreamWork};
use crate::emulated::findings::again;
use crate::emulated::queue::StreamMark;
use cust_raw::CUresult::{self, *};
use emulator::{Checks, HostOrder, LaunchConfig, LaunchError, LoadedModule, Profile, cluster_of};
use std::ffi::c_void;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A launch that passed its checks.
#[derive(Clone)]
pub(crate) struct Launch {
    loaded: Arc<LoadedModule>,
    index: usize,
    config: LaunchConfig,
    parameters: Vec<u8>,
    /// True with programmatic stream serialization.
    is_dependent: bool,
}

impl ContextState {
    /// Records that a launch was not run. What it would have written is at its parameters and in its module's
    /// variables.
    pub(crate) fn miss_work(&mut self, loaded: &LoadedModule, parameters: &[u8]) {
        self.explorations.refused();
        if settings::follows_refused_launches() {
            let (words, _) = parameters.as_chunks::<8>();
            let pointers = words.iter().map(|word| u64::from_le_bytes(*word));
            let variables = loaded.program.globals().iter().zip(&loaded.globals);
            let variables = variables.filter(|(global, _)| !global.constant).map(|(_, (_, start, _))| *start);
            self.device.miss_work(pointers.chain(variables));
        }
    }
}

impl Launch {
    /// # Safety
    /// `parameters` points to as many values as the kernel has, or `extra` to a list as the API has it.
    pub(crate) unsafe fn new(
        function: &Function,
        profile: &Profile,
        mut config: LaunchConfig,
        parameters: *mut *mut c_void,
        extra: *mut *mut c_void,
    ) -> CallResult<Launch> {
        if let Some(unsupported) = function.loaded.program.unsupported(function.index) {
            words::complain(&of_version(unsupported_text(unsupported), &function.loaded.program));
            observer::tell(Event::Refused { kernel: &function.kernel().name });
            return Err(CUDA_ERROR_NOT_SUPPORTED);
        }
        config.cluster = function.settings.cluster(config.cluster)?;
        check(function, profile, &config)?;
        // SAFETY: as above.
        let parameters = unsafe { pack(function.kernel(), parameters, extra)? };
        Ok(Launch { loaded: function.loaded.clone(), index: function.index, config, parameters, is_dependent: false })
    }

    pub(crate) fn name(&self) -> &str {
        &self.loaded.program.kernels()[self.index].name
    }

    pub(crate) fn config(&self) -> &LaunchConfig {
        &self.config
    }

    /// The kernel and the shape of the launch.
    fn shape(&self) -> again::LaunchShape {
        (Arc::as_ptr(&self.loaded) as usize, self.index, self.config.grid, self.config.block)
    }

    /// Returns the addresses of its parameters, which are valid as long as it does not move.
    pub(crate) fn parameter_addresses(&self) -> Vec<usize> {
        let start = self.parameters.as_ptr() as usize;
        let parameters = &self.loaded.program.kernels()[self.index].parameters;
        parameters.iter().map(|parameter| start + parameter.offset as usize).collect()
    }

    /// Lets it overlap with a launch right before it in its stream.
    pub(crate) fn depend(&mut self) {
        self.is_dependent = true;
    }

    pub(crate) fn set_cooperative(&mut self, is_cooperative: bool) {
        self.config.cooperative = is_cooperative;
    }

    /// Sets the blocks of a cluster along each axis.
    pub(crate) fn set_cluster(&mut self, cluster: Option<[u32; 3]>) {
        self.config.cluster = cluster;
    }

    pub(crate) fn is_dependent(&self) -> bool {
        self.is_dependent
    }

    /// Queues it.
    pub(crate) fn submit(self, state: &mut ContextState, stream: u64, waits: &[&StreamMark]) -> StreamMark {
        let (parameters, is_dependent) = (self.parameters.clone(), self.is_dependent);
        let work = StreamWork::device(move |state, order| {
            self.run(state, order, stream);
        });
        let mark = state.queue.submit_launch(stream, waits, work, is_dependent);
        state.managed.submitted(&mark, &parameters);
        mark
    }

    /// Explores all executions of the launch, if that is wanted.
    fn explore(&self, state: &mut ContextState) {
        let ContextState { explorations, device, .. } = state;
        let explored = explorations.explore(self.shape(), device, &self.loaded, &self.config, &self.parameters);
        if let Some(found) = &explored {
            let LaunchConfig { grid, block, .. } = self.config;
            observer::tell(Event::Explored { kernel: self.name(), grid, block, found });
        }
    }

    pub(crate) fn parameters(&self) -> &[u8] {
        &self.parameters
    }

    /// Runs it, and returns how many thread instructions that took.
    pub(crate) fn run(&self, state: &mut ContextState, order: &HostOrder, stream: u64) -> u64 {
        state.settle_read_back();
        state.left_elsewhere = None;
        let checks = state.device.config().checks;
        let is_checked = settings::is_wanted(self.name());
        if !is_checked {
            state.device.set_checks(Checks::Fast);
        }
        let before = || SavedLaunch::new(&state.device, &self.loaded, self.index, &self.config, &self.parameters);
        let may_run_again = is_checked && !settings::misses_work() && state.budget.is_open(self.shape());
        let wants_copy = may_run_again || state.reports.wants_launches();
        let mut before = if wants_copy { before() } else { None };
        observer::tell(Event::Begins { kernel: self.name() });
        if is_checked {
            self.explore(state);
        }
        state.device.set_monitor(settings::monitor(self.name()));
        let start = Instant::now();
        let launched = state.device.launch(&self.loaded, self.index, &self.config, &self.parameters, order);
        state.device.set_checks(checks);
        match launched {
            Ok(mut report) => {
                let (fault, elapsed) = (report.fault.clone(), start.elapsed());
                let instructions = report.counters.thread_instructions;
                state.queue.add_duration(stream, Duration::from_nanos(report.time));
                state.budget.took(elapsed);
                let mut schedules = usize::from(is_checked);
                if let Some(before) = before.as_mut().filter(|_| may_run_again) {
                    let again = again::run(&mut state.budget, self.shape(), before, &report, elapsed, &state.device);
                    if again.differs {
                        again::blame_volatile(&mut report, self.loaded.may_depend_on_schedule(self.index));
                    }
                    state.left_elsewhere = again.left;
                    schedules += again.schedules;
                    report.findings.extend(again.findings);
                    again.policy.into_iter().for_each(|policy| before.shown_under(policy));
                }
                let before = before.filter(|_| state.reports.wants_launches());
                state.reports.launched((self.name(), stream), report, elapsed, before, schedules);
                if let Some(fault) = fault {
                    state.fail_with(&fault);
                }
                instructions
            }
            Err(error) => {
                observer::tell(Event::Refused { kernel: self.name() });
                state.miss_work(&self.loaded, &self.parameters);
                state.refuse(refused(&error));
                0
            }
        }
    }
}

/// Checks the shape and the sizes, in the order in which a driver looks at them.
fn check(function: &Function, profile: &Profile, config: &LaunchConfig) -> CallResult {
    let kernel = function.kernel();
    let within = |sizes: [u32; 3], most: [u32; 3]| sizes.iter().zip(most).all(|(&size, most)| size > 0 && size <= most);
    if !within(config.grid, profile.max_grid) || !within(config.block, profile.max_block) {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    let threads = config.block.iter().map(|&side| u64::from(side)).product::<u64>();
    if threads > u64::from(profile.threads_per_block.min(kernel.max_threads)) {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    if kernel.required_block.is_some_and(|required| required != config.block) {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    check_cluster(function, config)?;
    if config.dynamic_shared > function.settings.max_dynamic_shared(kernel, profile) {
        return Err(CUDA_ERROR_INVALID_VALUE);
    }
    let shared = kernel.shared_bytes + config.dynamic_shared;
    let resident = profile.resident_blocks(threads as u32, kernel.registers, shared);
    if resident == 0 {
        return Err(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
    }
    let blocks = config.grid.iter().map(|&side| u128::from(side)).product::<u128>();
    if config.cooperative && blocks > u128::from(resident) * u128::from(profile.multiprocessors) {
        return Err(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
    }
    Ok(())
}

/// Checks the clusters: of the size that is compiled in, no larger than the function allows. The grid is a whole
/// number of them. `CUDA_ERROR_INVALID_CLUSTER_SIZE` is newer than the bindings: a wrong size is an invalid value too.
fn check_cluster(function: &Function, config: &LaunchConfig) -> CallResult {
    let cluster = cluster_of(function.kernel(), config).map_err(|_| CUDA_ERROR_INVALID_VALUE)?;
    match cluster.iter().product::<u32>() > function.settings.most_in_cluster() {
        true => Err(CUDA_ERROR_INVALID_VALUE),
        false => Ok(()),
    }
}

/// Reports the emulator's refusal of a launch that passed the checks above: a limit of ours, or a disagreement.
fn refused(error: &LaunchError) -> CUresult {
    match error {
        LaunchError::Unsupported(unsupported) => {
            words::complain(&unsupported_text(unsupported));
            CUDA_ERROR_NOT_SUPPORTED
        }
        LaunchError::InvalidConfiguration(error) => {
            observer::tell(Event::InvalidShape { error });
            CUDA_ERROR_INVALID_VALUE
        }
        LaunchError::OutOfResources(error) => {
            observer::tell(Event::InvalidShape { error });
            CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES
        }
        LaunchError::CooperativeTooLarge(error) => {
            observer::tell(Event::InvalidShape { error });
            CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE
        }
    }
}

/// Keys of the `extra` list (`CU_LAUNCH_PARAM_…` in `cuda.h`).
pub(crate) const END: usize = 0;
pub(crate) const BUFFER_POINTER: usize = 1;
pub(crate) const BUFFER_SIZE: usize = 2;

/// Returns the parameter block, from one pointer per parameter or from a block that the caller packed.
pub(crate) unsafe fn pack(
    kernel: &emulator::Kernel,
    parameters: *mut *mut c_void,
    extra: *mut *mut c_void,
) -> CallResult<Vec<u8>> {
    match (parameters.is_null(), extra.is_null()) {
        (false, false) => Err(CUDA_ERROR_INVALID_VALUE),
        // SAFETY: one pointer for each parameter, by the caller.
        (false, true) => unsafe { gather(kernel, parameters) },
        // SAFETY: a list as the API has it, by the caller.
        (true, false) => unsafe { take_buffer(kernel, extra) },
        (true, true) if kernel.parameters.is_empty() => Ok(vec![]),
        (true, true) => Err(CUDA_ERROR_INVALID_VALUE),
    }
}

unsafe fn gather(kernel: &emulator::Kernel, parameters: *mut *mut c_void) -> CallResult<Vec<u8>> {
    let mut block = vec![0; kernel.parameter_bytes as usize];
    for (index, parameter) in kernel.parameters.iter().enumerate() {
        // SAFETY: the list has an entry for each parameter.
        let value = unsafe { parameters.add(index).read_unaligned() };
        if value.is_null() {
            return Err(CUDA_ERROR_INVALID_VALUE);
        }
        let place = &mut block[parameter.offset as usize..][..parameter.bytes as usize];
        // SAFETY: the entry points to a value as wide as the parameter. The API gives no length to check.
        unsafe { std::ptr::copy_nonoverlapping(value.cast(), place.as_mut_ptr(), place.len()) };
    }
    Ok(block)
}

unsafe fn take_buffer(kernel: &emulator::Kernel, extra: *mut *mut c_void) -> CallResult<Vec<u8>> {
    let (mut buffer, mut size) = (std::ptr::null::<u8>(), None);
    let mut at = 0;
    loop {
        // SAFETY: the list goes on to its end mark, two entries at a time.
        match unsafe { extra.add(at).read() } as usize {
            END => break,
            // SAFETY: a key is followed by its value.
            BUFFER_POINTER => buffer = unsafe { extra.add(at + 1).read() }.cast(),
            BUFFER_SIZE => {
                // SAFETY: a key is followed by its value, here a pointer to the size.
                let pointer = unsafe { extra.add(at + 1).read() }.cast::<usize>();
                if pointer.is_null() {
                    return Err(CUDA_ERROR_INVALID_VALUE);
                }
                // SAFETY: as above.
                size = Some(unsafe { pointer.read_unaligned() });
            }
            _ => return Err(CUDA_ERROR_INVALID_VALUE),
        }
        at += 2;
    }
    let needed = kernel.parameter_bytes as usize;
    match size {
        Some(size) if size >= needed && (needed == 0 || !buffer.is_null()) => {
            let mut block = vec![0; needed];
            if needed > 0 {
                // SAFETY: the caller's buffer holds `size` bytes, at least as many as are copied.
                unsafe { std::ptr::copy_nonoverlapping(buffer, block.as_mut_ptr(), needed) };
            }
            Ok(block)
        }
        _ => Err(CUDA_ERROR_INVALID_VALUE),
    }
}
