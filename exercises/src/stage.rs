//! One run on the emulated GPU: buffers, launches, what is left in the buffers.
//!
//! Every run has a device of its own, so nothing of one run reaches the next.

use crate::Language;
use crate::expression::Sizes;
use crate::spec::{Amount, BufferSpec, ElementType, FillSpec, LaunchDimensions, LaunchSpec, Spec};
use crate::values::{self, ValuePattern};
use emulator::counters::LaunchCounts;
use emulator::explore::{Bounds, Summary};
use emulator::finding::Finding;
use emulator::{
    Checks, Command, Config, Device, EndedAt, Fault, HostMemory, HostOrder, Kernel, LaunchConfig, LaunchError,
    LaunchExecution, LoadedModule, Observe, Observed, Parameter, Policy, Profile, Program, Recording,
};
use std::ops::ControlFlow;
use std::sync::Arc;

/// The agent of the stream that all launches are in; the host's is 0.
const STREAM: u32 = 1;

/// The results of a run.
#[derive(Debug, Default)]
pub struct RunResults {
    pub findings: Vec<Finding>,
    pub fault: Option<Fault>,
    /// That threads have executed.
    pub instructions: u64,
    /// The place where the kernel ended itself, if it did.
    pub ended_at: Option<EndedAt>,
    /// In the order of the exercise's buffers; empty where the run was ended early.
    pub buffers: Vec<Vec<u8>>,
    /// With `Checks::Counters`.
    pub counted: Option<LaunchCounts>,
    /// Threads that wrote to each buffer; with `Checks::Counters`.
    pub writers: Vec<u64>,
    /// The output of `printf`.
    pub printed: Vec<u8>,
    /// The messages of assertions that failed.
    pub assertions: Vec<u8>,
    /// Findings that fail nothing and are worth a word.
    pub notes: Vec<Finding>,
    /// Observations, where asked for. A recording that ends too early to be of use is dropped.
    pub observed: Observed,
}

/// Why a run could not be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoRun {
    /// The kernel is not there, or has other parameters.
    Signature(String),
    /// The launch asks for more than a device has.
    Launch(String),
    /// The emulator does not do what the kernel wants.
    Unsupported(String),
    /// The exercise is at fault.
    Exercise(String),
}

impl NoRun {
    pub fn words(self) -> String {
        let (NoRun::Signature(why) | NoRun::Launch(why) | NoRun::Unsupported(why) | NoRun::Exercise(why)) = self;
        why
    }
}

/// The settings of a run.
pub struct RunSettings {
    pub config: Config,
    pub observe: Observe,
}

/// The buffers' contents before the first launch.
pub fn inputs(spec: &Spec, sizes: &Sizes, seed: u64) -> Result<Vec<Vec<u8>>, NoRun> {
    let make = |(number, buffer): (u64, &BufferSpec)| {
        let length = buffer.len.whole(sizes)?;
        let length = usize::try_from(length).ok().filter(|length| *length <= 1 << 24);
        let length = length.ok_or_else(|| say!("buffer-length", name = &buffer.name))?;
        values::fill(&buffer.fill, buffer.ty, length, ValuePattern::of(seed, number), sizes)
    };
    (0..).zip(&spec.buffers).map(make).collect::<Result<_, _>>().map_err(NoRun::Exercise)
}

/// Runs `launches` in order, with the buffers holding `inputs`.
pub fn run(
    program: &Arc<Program>,
    spec: &Spec,
    launches: &[LaunchSpec],
    inputs: &[Vec<u8>],
    sizes: &Sizes,
    manner: &RunSettings,
) -> Result<RunResults, NoRun> {
    // Under `reverse` the last block runs first. If it waits for an earlier one, both must be resident, which CUDA does
    // not promise. With room for a single block such a wait shows.
    let is_narrow = manner.config.policy == Policy::Reverse && !launches.iter().any(|launch| launch.cooperative);
    let profile = match is_narrow {
        true => Profile { multiprocessors: 1, blocks_per_multiprocessor: 1, ..Profile::default() },
        false => Profile::default(),
    };
    let mut stage = ExerciseStage::new(program, manner, profile)?;
    for (buffer, bytes) in spec.buffers.iter().zip(inputs) {
        stage.place(buffer.name.clone(), buffer.ty, bytes, matches!(buffer.fill, FillSpec::Undefined))?;
    }
    let mut outcome = RunResults::default();
    let mut counted = LaunchCounts::default();
    for (number, launch) in launches.iter().enumerate() {
        let report = stage.launch(launch, sizes)?;
        outcome.instructions += report.counters.thread_instructions;
        outcome.findings.extend(report.findings);
        outcome.notes.extend(report.notes);
        outcome.printed.extend(report.printed);
        outcome.assertions.extend(report.assertions);
        if let Some(more) = report.counters.counted {
            counted.absorb(&more);
        }
        if let Some(Fault::Internal(text)) = &report.fault {
            return Err(NoRun::Unsupported(say!("emulator-error", text)));
        }
        if report.fault.is_some() {
            outcome.fault = report.fault;
            outcome.ended_at = report.ended_at;
            // Under another schedule something would come after it.
            outcome.observed = stage.observed(spec, number + 1 == launches.len());
            outcome.writers = stage.writers(&counted);
            return Ok(outcome);
        }
    }
    for (number, buffer) in spec.buffers.iter().enumerate() {
        let (bytes, findings) = stage.read(number)?;
        outcome.buffers.push(bytes);
        // A buffer that nobody compares may stay unwritten.
        if buffer.check.is_some() {
            outcome.findings.extend(findings);
        }
    }
    outcome.observed = stage.observed(spec, true);
    if manner.config.checks == Checks::Counters {
        outcome.writers = stage.writers(&counted);
        outcome.counted = Some(counted);
    }
    Ok(outcome)
}

/// Runs one kernel as a single thread over `inputs`, all of which count as written; gives what is left, and what an
/// `int` after the other arguments holds then, if `verdict` asks for one.
pub fn reference(
    program: &Arc<Program>,
    spec: &Spec,
    kernel: &str,
    args: &[Amount],
    inputs: &[Vec<u8>],
    sizes: &Sizes,
    verdict: bool,
) -> Result<(Vec<Vec<u8>>, i32), NoRun> {
    let ours = |stop: NoRun| NoRun::Exercise(say!("check-stops", kernel, why = stop.words()));
    let config =
        Config { checks: Checks::Fast, policy: Policy::InOrder, workers: 1, fuel: 1 << 30, ..Config::default() };
    let manner = RunSettings { config, observe: Observe::default() };
    let mut stage = ExerciseStage::new(program, &manner, Profile::default()).map_err(ours)?;
    for (buffer, bytes) in spec.buffers.iter().zip(inputs) {
        stage.place(buffer.name.clone(), buffer.ty, bytes, false).map_err(ours)?;
    }
    let mut args = args.to_vec();
    if verdict {
        stage.place("verdict".into(), ElementType::I32, &[0; 4], false).map_err(ours)?;
        args.push(Amount::Expression("verdict".into()));
    }
    let one = || LaunchDimensions::One(Amount::Whole(1));
    let launch = LaunchSpec {
        kernel: kernel.into(),
        grid: one(),
        block: one(),
        shared: Amount::Whole(0),
        cooperative: false,
        dependent: false,
        args,
    };
    let report = stage.launch(&launch, sizes).map_err(ours)?;
    if let Some(fault) = report.fault {
        let why = say!("fault", name = fault.name());
        return Err(NoRun::Exercise(say!("check-stops", kernel, why)));
    }
    let mut buffers = Vec::new();
    for number in 0..spec.buffers.len() {
        buffers.push(stage.read(number).map_err(ours)?.0);
    }
    let said = if verdict { stage.read(spec.buffers.len()).map_err(ours)?.0 } else { vec![0; 4] };
    Ok((buffers, i32::from_le_bytes([said[0], said[1], said[2], said[3]])))
}

/// Visits all executions of one launch, with the buffers holding `inputs`, within bounds and until `visit` breaks.
pub fn explore(
    program: &Arc<Program>,
    spec: &Spec,
    launch: &LaunchSpec,
    inputs: &[Vec<u8>],
    sizes: &Sizes,
    bounds: Bounds,
    visit: &mut dyn FnMut(&ExerciseStage, &LaunchExecution) -> ControlFlow<()>,
) -> Result<Summary, NoRun> {
    let manner = RunSettings { config: Config::default(), observe: Observe::default() };
    let mut stage = ExerciseStage::new(program, &manner, Profile::default())?;
    for (buffer, bytes) in spec.buffers.iter().zip(inputs) {
        stage.place(buffer.name.clone(), buffer.ty, bytes, false)?;
    }
    let Prepared { kernel, shape, parameters } = stage.prepare(launch, sizes)?;
    let mut visit = |execution: &LaunchExecution| visit(&stage, execution);
    stage.device.explore(&stage.module, kernel, &shape, &parameters, bounds, &mut visit).map_err(not_launched)
}

/// Returns the number of threads of a launch.
pub fn threads(launch: &LaunchSpec, sizes: &Sizes) -> Result<u64, String> {
    let axes = [axes(&launch.grid, sizes)?, axes(&launch.block, sizes)?].concat();
    Ok(axes.into_iter().fold(1, |all, axis| all.saturating_mul(u64::from(axis))))
}

/// A launch with the kernel's number in its module.
struct Prepared {
    kernel: usize,
    shape: LaunchConfig,
    parameters: Vec<u8>,
}

struct Placed {
    name: String,
    ty: ElementType,
    address: u64,
    bytes: usize,
}

/// A device with an exercise's buffers.
pub struct ExerciseStage {
    device: Device,
    module: LoadedModule,
    placed: Vec<Placed>,
    /// Launches so far, all in one stream.
    launched: u32,
}

impl ExerciseStage {
    fn new(program: &Arc<Program>, manner: &RunSettings, profile: Profile) -> Result<ExerciseStage, NoRun> {
        let mut device = Device::new(profile);
        device.configure(manner.config.clone());
        device.observe(manner.observe);
        let module = device.load(program).map_err(|_| NoRun::Launch(say!("no-memory-left")))?;
        Ok(ExerciseStage { device, module, placed: Vec::new(), launched: 0 })
    }

    fn place(&mut self, name: String, ty: ElementType, bytes: &[u8], undefined: bool) -> Result<(), NoRun> {
        let full = |_| NoRun::Launch(say!("no-memory-left"));
        // There are no allocations of nothing; one byte is too few for any access but a byte's.
        let address = self.device.allocate(bytes.len().max(1) as u64, HostMemory::Device).map_err(full)?;
        self.device.write(address, bytes, &HostOrder::default()).map_err(full)?;
        if undefined {
            self.device.mark_undefined(address, bytes.len() as u64).map_err(full)?;
        }
        self.placed.push(Placed { name, ty, address, bytes: bytes.len() });
        Ok(())
    }

    fn read(&mut self, number: usize) -> Result<(Vec<u8>, Vec<Finding>), NoRun> {
        let Placed { address, bytes, .. } = self.placed[number];
        let mut held = vec![0; bytes];
        let findings = self.device.read(address, &mut held, &self.after_all_launches());
        Ok((held, findings.map_err(|error| NoRun::Exercise(say!("buffer-unread", why = format!("{error:?}"))))?))
    }

    /// Returns the buffer that has an address, and the element in it.
    pub fn element_at(&self, address: u64) -> Option<(usize, usize)> {
        let has = |placed: &Placed| (placed.address..placed.address + placed.bytes as u64).contains(&address);
        let number = self.placed.iter().position(has)?;
        let placed = &self.placed[number];
        Some((number, (address - placed.address) as usize / placed.ty.bytes()))
    }

    /// Returns the contents of all buffers after an execution.
    pub fn buffers_after(&self, execution: &LaunchExecution) -> Vec<Vec<u8>> {
        let contents = |placed: &Placed| {
            let mut bytes = vec![0; placed.bytes];
            if let Some(region) = execution.memory.region(placed.address) {
                region.read_bytes(placed.address, &mut bytes);
            }
            bytes
        };
        self.placed.iter().map(contents).collect()
    }

    /// Returns how many threads wrote to each buffer.
    fn writers(&self, counted: &LaunchCounts) -> Vec<u64> {
        self.placed.iter().map(|placed| counted.writers.get(&placed.address).copied().unwrap_or(0)).collect()
    }

    /// Returns the observations. At the end of a recording the host reads what is compared, and nothing else.
    fn observed(&mut self, spec: &Spec, is_whole: bool) -> Observed {
        let mut observed = self.device.observed();
        let recording = observed.recording.take().filter(|_| is_whole);
        Observed { recording: recording.map(|recording| self.read_at_end(recording, spec)), ..observed }
    }

    fn read_at_end(&self, mut recording: Recording, spec: &Spec) -> Recording {
        while recording.commands.pop_if(|last| matches!(last, Command::Read { .. })).is_some() {}
        let read = |placed: &Placed| Command::Read {
            address: placed.address,
            bytes: placed.bytes as u64,
            order: self.after_all_launches(),
        };
        let compared = self.placed.iter().zip(&spec.buffers).filter(|(_, buffer)| buffer.check.is_some());
        recording.commands.extend(compared.map(|(placed, _)| read(placed)));
        recording
    }

    fn launch(&mut self, launch: &LaunchSpec, sizes: &Sizes) -> Result<emulator::LaunchReport, NoRun> {
        let Prepared { kernel, shape, parameters } = self.prepare(launch, sizes)?;
        // A dependent launch may overlap with all launches before it.
        let overlaps = (launch.dependent && self.launched > 0).then_some(0);
        self.launched += 1;
        let order = HostOrder { agent: STREAM, overlaps, ..self.after_all_launches() };
        self.device.launch(&self.module, kernel, &shape, &parameters, &order).map_err(not_launched)
    }

    /// Returns the order of an operation of the host that waits for the stream.
    fn after_all_launches(&self) -> HostOrder {
        HostOrder { clock: vec![0, self.launched], ..HostOrder::default() }
    }

    /// Checks a launch against its kernel, and evaluates its arguments.
    fn prepare(&self, launch: &LaunchSpec, sizes: &Sizes) -> Result<Prepared, NoRun> {
        let wrong = |why: String| NoRun::Exercise(say!("launch-unreadable", kernel = &launch.kernel, why));
        let kernels = self.module.program.kernels();
        let Some(kernel) = kernels.iter().position(|kernel| kernel.name == launch.kernel) else {
            return Err(NoRun::Signature(missing(&launch.kernel, kernels)));
        };
        let declared = &kernels[kernel];
        if declared.parameters.len() != launch.args.len() {
            let (has, given) = (declared.parameters.len(), launch.args.len());
            let text = say!("parameters-differ", kernel = &launch.kernel, has, given);
            return Err(NoRun::Signature(text));
        }
        let mut parameters = vec![0; declared.parameter_bytes as usize];
        for (number, (argument, parameter)) in (1u64..).zip(launch.args.iter().zip(&declared.parameters)) {
            let value = self.argument(argument, parameter, sizes).map_err(|why| match why {
                NoRun::Signature(why) => {
                    NoRun::Signature(say!("parameter-differs", number, kernel = &launch.kernel, why))
                }
                other => other,
            })?;
            parameters[parameter.offset as usize..][..value.len()].copy_from_slice(&value);
        }
        let shape = LaunchConfig {
            grid: axes(&launch.grid, sizes).map_err(wrong)?,
            block: axes(&launch.block, sizes).map_err(wrong)?,
            dynamic_shared: u32::try_from(launch.shared.whole(sizes).map_err(wrong)?)
                .map_err(|_| wrong(say!("launch-shared")))?,
            cooperative: launch.cooperative,
            cluster: None,
        };
        Ok(Prepared { kernel, shape, parameters })
    }

    /// A buffer's address, moved by elements in `name + 3`, or a number.
    fn argument(&self, given: &Amount, parameter: &Parameter, sizes: &Sizes) -> Result<Vec<u8>, NoRun> {
        let size = parameter.bytes as usize;
        let text = match given {
            Amount::Expression(text) => text.as_str(),
            Amount::Real(value) if size == 4 => return Ok((*value as f32).to_le_bytes().to_vec()),
            Amount::Real(value) if size == 8 => return Ok(value.to_le_bytes().to_vec()),
            Amount::Real(_) => return Err(NoRun::Signature(say!("takes-not-float", size))),
            Amount::Whole(value) => return fit(*value, size),
        };
        let (name, behind) = text.split_once('+').unwrap_or((text, "0"));
        if let Some(placed) = self.placed.iter().find(|placed| placed.name == name.trim()) {
            let moved = crate::expression::evaluate(behind, sizes).map_err(NoRun::Exercise)?;
            if size != 8 {
                return Err(NoRun::Signature(say!("takes-not-pointer", size)));
            }
            let moved = moved.wrapping_mul(placed.ty.bytes() as i64);
            return Ok(placed.address.wrapping_add_signed(moved).to_le_bytes().to_vec());
        }
        let (text, ty) = match text.split_once(':') {
            Some((text, name)) => {
                let ty = ElementType::named(name.trim())
                    .ok_or_else(|| NoRun::Exercise(say!("type-unknown", name = name.trim())))?;
                (text, Some(ty))
            }
            None => (text, None),
        };
        match ty {
            Some(ty) if ty.bytes() != size => {
                Err(NoRun::Signature(say!("takes-not-type", size, ty = format!("{ty:?}"), bytes = ty.bytes())))
            }
            Some(ty) if ty.is_float() => {
                let value =
                    text.trim().parse().or_else(|_| crate::expression::evaluate(text, sizes).map(|it| it as f64));
                Ok(values::encode(value.map_err(NoRun::Exercise)?, ty))
            }
            _ => fit(crate::expression::evaluate(text, sizes).map_err(NoRun::Exercise)?, size),
        }
    }
}

/// Names the reason why a launch is refused.
fn not_launched(error: LaunchError) -> NoRun {
    match error {
        LaunchError::Unsupported(what) if !what.is_understood => {
            NoRun::Unsupported(say!("not-understood", what = what.what, kernel = what.kernel, line = what.line))
        }
        LaunchError::Unsupported(what) => {
            NoRun::Unsupported(say!("unsupported", what = what.what, kernel = what.kernel))
        }
        LaunchError::InvalidConfiguration(why)
        | LaunchError::OutOfResources(why)
        | LaunchError::CooperativeTooLarge(why) => {
            let why = report::shape_error(&why, &report::Reader::new(Language::current()));
            NoRun::Launch(say!("launch-refused", why))
        }
    }
}

/// Which kernels are there in its place.
fn missing(kernel: &str, all: &[Kernel]) -> String {
    // As a compiler of C++ names it, with its length and the types of its parameters.
    let mangled = format!("{}{kernel}", kernel.len());
    let names_it = |name: &str| {
        let mut found = name.match_indices(&mangled);
        found.any(|(at, _)| !name[..at].ends_with(|before: char| before.is_ascii_digit()))
    };
    if all.iter().any(|other| other.name.starts_with("_Z") && names_it(&other.name)) {
        return say!("kernel-mangled", kernel);
    }
    let names: Vec<String> = all.iter().map(|other| format!("`{}`", other.name)).collect();
    say!("kernel-missing", kernel, count = names.len(), others = names.join(", "))
}

/// The bytes of a number, signed or not, for a parameter of `size` bytes.
fn fit(value: i64, size: usize) -> Result<Vec<u8>, NoRun> {
    if size > 8 {
        return Err(NoRun::Signature(say!("takes-not-number", size)));
    }
    let fits = |bits: usize| value >= -1 << (bits - 1) && value < 1 << bits;
    if (1..8).contains(&size) && !fits(8 * size) {
        return Err(NoRun::Signature(say!("takes-too-small-number", size, value)));
    }
    Ok(value.to_le_bytes()[..size].to_vec())
}

fn axes(shape: &LaunchDimensions, sizes: &Sizes) -> Result<[u32; 3], String> {
    let given = match shape {
        LaunchDimensions::One(amount) => std::slice::from_ref(amount),
        LaunchDimensions::Several(amounts) if amounts.len() <= 3 => amounts,
        LaunchDimensions::Several(_) => return Err(say!("launch-dimensions")),
    };
    let mut axes = [1; 3];
    for (axis, amount) in axes.iter_mut().zip(given) {
        let value = amount.whole(sizes)?;
        *axis = u32::try_from(value).map_err(|_| say!("launch-extent", value))?;
    }
    Ok(axes)
}
