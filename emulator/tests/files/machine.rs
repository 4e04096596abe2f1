//! The emulator as the device that runs a file's `// run:` lines.
//!
//! Six lines of a file say what a run cannot:
//!
//! - `// host: ...` is what the host does where it is not one launch: steps with commas between, `launch [kernel]`,
//!   `memset x`, `copy x to y` (each with `unordered` behind it where it is in a second stream), `free x`. A launch
//!   with `dependent` behind it has programmatic stream serialization.
//! - `// offset: x 4` passes an address four bytes into buffer `x`.
//! - `// image: x f32 2 4,3 linear wrap` passes a texture or surface object over buffer `x`.
//! - `// tensor: x f32 8,4 4,2 swizzle32` passes the address of a tensor map over buffer `x`.
//! - `// fuel: 50000 (why)` ends runs after so many thread instructions.
//! - `// notes: exits` asks for notes of threads that exit before a barrier.

use crate::conformance::{Job, JobOutcome, Machine, Parameter};
use emulator::choices::{ScheduleChoice, Stop};
use emulator::{
    Allocation, Checks, Config, Device, Fault, HostMemory, HostOrder, Judgement, LaunchConfig, LaunchError,
    LaunchReport, Observe, Observed, Policy, Profile, Program, Recording,
};
use finding::{Access, Action, Cause, Finding, Severity, Slug, Where};
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::Arc;

/// A file, loaded once for all its runs.
pub struct Loaded {
    pub text: String,
    program: Result<Arc<Program>, String>,
}

impl Loaded {
    pub fn new(text: String) -> Loaded {
        let program = Program::from_ptx(&[&text]).map_err(|error| format!("line {}: {}", error.line, error.message));
        Loaded { program: program.map(Arc::new), text }
    }
}

/// Gathers what all runs of a file show.
pub struct Emulated<'a> {
    loaded: &'a Loaded,
    config: Config,
    /// As `// run(name):` names it.
    pub name: &'static str,
    pub looks_for_hints: bool,
    /// Each access is judged by itself.
    pub judgement: Judgement,
    /// The bound of the trace that each run leaves, where one is wanted.
    pub traced: Option<trace::Bound>,
    pub traces: Vec<trace::Trace>,
    /// The commands of each run to its device, and their results, where they are wanted.
    pub records: bool,
    pub recorded: Vec<Recorded>,
    /// Under a policy that follows choices: all that were made, and the first stop.
    pub choices: Vec<ScheduleChoice>,
    pub stop: Option<Stop>,
    pub findings: Vec<Finding>,
    pub notes: Vec<Finding>,
    pub hints: Vec<Finding>,
}

/// A run to be made again.
pub struct Recorded {
    pub recording: Recording,
    pub launches: Vec<LaunchReport>,
    pub of_host: Vec<Finding>,
    pub reads: Vec<Vec<u8>>,
}

impl Emulated<'_> {
    /// With every check. A kernel that needs more than `fuel` thread instructions, or what the file says, counts as one
    /// that never ends.
    pub fn checked(loaded: &Loaded, policy: Policy, fuel: u64) -> Emulated<'_> {
        let fuel = stated_fuel(&loaded.text).unwrap_or(fuel);
        Emulated::new(loaded, Config { checks: Checks::Full, policy, workers: 1, fuel, ..Config::default() })
    }

    pub fn new(loaded: &Loaded, config: Config) -> Emulated<'_> {
        Emulated {
            loaded,
            config,
            name: "emulator",
            looks_for_hints: false,
            judgement: Judgement::Fast,
            traced: None,
            traces: vec![],
            records: false,
            recorded: vec![],
            choices: vec![],
            stop: None,
            findings: vec![],
            notes: vec![],
            hints: vec![],
        }
    }

    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Returns the differences from the file's lines.
    pub fn check(&mut self) -> Vec<String> {
        crate::conformance::check(&self.loaded.text, self).err().unwrap_or_default()
    }
}

/// Returns the fuel that `// fuel:` gives.
fn stated_fuel(ptx: &str) -> Option<u64> {
    let stated = ptx.lines().find_map(|line| line.strip_prefix("// fuel:"))?;
    let number = stated.trim().split(' ').next().and_then(|number| number.parse().ok());
    Some(number.unwrap_or_else(|| panic!("`{}` is no number of thread instructions", stated.trim())))
}

/// Returns the host's steps, in order.
fn steps(ptx: &str) -> Vec<Vec<&str>> {
    let script = ptx.lines().find_map(|line| line.strip_prefix("// host:")).unwrap_or("launch");
    script.split(',').map(|step| step.split_whitespace().collect()).collect()
}

/// Bytes from the beginning of buffer `name` to the address that is passed.
fn offset(ptx: &str, name: &str) -> u64 {
    let offsets = ptx.lines().filter_map(|line| line.strip_prefix("// offset:")?.trim().split_once(' '));
    offsets.filter(|(buffer, _)| *buffer == name).map(|(_, bytes)| bytes.parse::<u64>().expect("bytes")).sum()
}

/// The place of the next operation in a stream (1 or 2); operations of one stream follow each other.
fn next(clocks: &mut [u32; 3], stream: usize) -> HostOrder {
    clocks[stream] += 1;
    let mut clock = vec![clocks[0], 0, 0];
    clock[stream] = clocks[stream];
    HostOrder { agent: stream as u32, clock, overlaps: None }
}

/// Returns the order of what the host does itself, after it has waited for both streams.
fn host(clocks: &mut [u32; 3]) -> HostOrder {
    clocks[0] += 1;
    HostOrder { agent: 0, clock: clocks.to_vec(), overlaps: None }
}

fn said(error: impl Debug) -> String {
    format!("{error:?}")
}

impl Machine for Emulated<'_> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn run(&mut self, job: &Job) -> Result<JobOutcome, String> {
        let mut device = Device::new(Profile::default());
        device.configure(Config { judgement: self.judgement, ..self.config.clone() });
        let (hints, trace, records) = (self.looks_for_hints, self.traced, self.records);
        device.observe(Observe { hints, trace, records, ..Observe::default() });
        if job.ptx.lines().any(|line| line == "// notes: exits") {
            device.note_exits_before_barriers();
        }
        let program = match &self.loaded.program {
            Ok(program) => program,
            Err(error) => return Ok(JobOutcome::Refused(error.clone())),
        };
        let module = device.load(program).map_err(said)?;
        let kernel = |name: &str| {
            let index = program.kernels().iter().position(|kernel| kernel.name == name);
            index.ok_or(format!("there is no kernel `{name}`"))
        };

        let mut clocks = [0; 3];
        let launched = &program.kernels()[kernel(job.kernel)?];
        if launched.parameters.len() != job.parameters.len() {
            return Err(format!("{} arguments for {} parameters", job.parameters.len(), launched.parameters.len()));
        }
        let mut block = vec![0; launched.parameter_bytes as usize];
        let mut buffers: BTreeMap<&str, (u64, Vec<u8>)> = BTreeMap::new();
        let mut reads = Vec::new();
        for (parameter, declared) in job.parameters.iter().zip(&launched.parameters) {
            let name = declared.name.as_str();
            let value = match parameter {
                Parameter::Scalar(value) => value.clone(),
                Parameter::Buffer { bytes, defined, reads: wanted } => {
                    let length = bytes.len() as u64;
                    let into = offset(job.ptx, name);
                    let address = device.allocate(into + length, HostMemory::Device).map_err(said)? + into;
                    device.write(address, bytes, &host(&mut clocks)).map_err(said)?;
                    if !defined {
                        device.mark_undefined(address, length).map_err(said)?;
                    }
                    buffers.insert(name, (address, bytes.clone()));
                    reads.push((name, wanted));
                    let image = crate::image::over(job.ptx, name, address);
                    let handle = image.map(|image| crate::image::make(&mut device, image)).transpose().map_err(said)?;
                    let map = match crate::tensor::over(job.ptx, name, address) {
                        Some(map) => {
                            let bytes = map.encode();
                            let place = device.allocate(bytes.len() as u64, HostMemory::Device).map_err(said)?;
                            device.write(place, &bytes, &host(&mut clocks)).map_err(said)?;
                            Some(place)
                        }
                        None => None,
                    };
                    handle.or(map).unwrap_or(address).to_le_bytes().to_vec()
                }
            };
            if value.len() != declared.bytes as usize {
                return Err(format!("`{name}` has {} bytes, the argument {}", declared.bytes, value.len()));
            }
            block[declared.offset as usize..][..value.len()].copy_from_slice(&value);
        }

        let shape = LaunchConfig {
            grid: job.grid,
            block: job.block,
            dynamic_shared: job.shared,
            cooperative: job.cooperative,
            cluster: None,
        };
        let (mut findings, mut notes, mut printed) = (Vec::new(), Vec::new(), Vec::new());
        let (mut launches, mut of_host, mut read) = (Vec::new(), Vec::new(), Vec::new());
        let mut fault = None;
        let mut freed = Vec::new();
        for step in steps(job.ptx) {
            let order = next(&mut clocks, if step.last() == Some(&"unordered") { 2 } else { 1 });
            match step.as_slice() {
                ["launch", more @ ..] => {
                    let name =
                        more.first().filter(|name| !["unordered", "dependent"].contains(name)).unwrap_or(&job.kernel);
                    let overlaps = (more.last() == Some(&"dependent")).then_some(0);
                    let order = HostOrder { overlaps, ..order };
                    let report = match device.launch(&module, kernel(name)?, &shape, &block, &order) {
                        Ok(report) => report,
                        Err(LaunchError::Unsupported(unsupported)) => {
                            let refusal = format!("line {}: {}", unsupported.line, unsupported.what);
                            return Ok(JobOutcome::Refused(refusal));
                        }
                        Err(LaunchError::CooperativeTooLarge(why)) => {
                            return Ok(JobOutcome::Refused(report::shape_error(&why, &report::Reader::default())));
                        }
                        Err(other) => return Err(said(other)),
                    };
                    launches.push(report.clone());
                    findings.extend(report.findings);
                    notes.extend(report.notes);
                    printed.extend(report.printed);
                    fault = fault.or(report.fault);
                    self.choices.extend(report.choices);
                    self.stop = self.stop.take().or(report.stop);
                }
                ["free", name] => {
                    let address = buffers[name].0;
                    match (device.free(address), device.freed(address)) {
                        (Err(_), Some(first)) => {
                            let number = 1 + reads.iter().position(|(buffer, _)| buffer == name).expect("a buffer");
                            findings.push(freed_again(first, number as u64));
                        }
                        (result, _) => result.map_err(said)?,
                    }
                    freed.push(*name);
                }
                ["memset", name, ..] => {
                    let (address, bytes) = &buffers[name];
                    of_host.extend(device.fill(*address, &[0], bytes.len() as u64, &order).map_err(said)?);
                }
                ["copy", from, "to", to, ..] => {
                    let bytes = buffers[from].1.len() as u64;
                    of_host.extend(device.copy(buffers[to].0, buffers[from].0, bytes, &order).map_err(said)?);
                }
                other => return Err(format!("`{}` is no step", other.join(" "))),
            }
        }
        for (name, ranges) in reads.iter().filter(|_| fault.is_none()) {
            let (address, bytes) = buffers.get_mut(name).expect("just made");
            for range in ranges.iter().filter(|_| !freed.contains(name)) {
                let order = host(&mut clocks);
                let found = device.read(*address + range.start as u64, &mut bytes[range.clone()], &order);
                of_host.extend(found.map_err(said)?);
                read.push(bytes[range.clone()].to_vec());
            }
        }
        findings.extend(of_host.iter().cloned());
        let Observed { hints, trace, recording } = device.observed();
        self.recorded.extend(recording.map(|recording| Recorded { recording, launches, of_host, reads: read }));
        // It is the schedule's luck if racing stores store one value besides.
        let races = findings.iter().any(|finding| finding.is_error());
        let names = findings.iter().filter(|finding| !races || finding.is_error()).map(finding_name);
        let names = names
            .chain(notes.iter().map(|note| match note.cause {
                Cause::BarrierInBranch { .. } | Cause::LeftBeforeBarrier => finding_name(note),
                _ => format!("note: {}", report::message(note, &report::Reader::default())),
            }))
            .collect();
        self.findings.extend(findings);
        self.notes.extend(notes);
        self.hints.extend(hints);
        self.traces.extend(trace);
        Ok(JobOutcome::Ran {
            buffers: reads.iter().map(|(name, _)| buffers[name].1.clone()).collect(),
            printed: Some(String::from_utf8_lossy(&printed).into_owned()),
            fault: fault.as_ref().map(fault_name),
            findings: names,
        })
    }
}

/// Returns the driver's finding for a second free; the driver is the host's side.
fn freed_again(first: Allocation, number: u64) -> Finding {
    Finding {
        slug: Slug::UseAfterFree,
        severity: Severity::Error,
        kernel: String::new(),
        accesses: vec![Access::of_host(Action::FreedAgain)],
        headline: None,
        place: Where::Allocation { bytes: first.bytes, memory: first.place, number },
        cause: Cause::HostFreedTwice,
        remedies: Vec::new(),
        count: 1,
    }
}

/// A slug; two equal values written to one place are `race-global-note`.
fn finding_name(finding: &Finding) -> String {
    if !finding.is_error() { format!("{}-note", finding.slug) } else { finding.slug.to_string() }
}

fn fault_name(fault: &Fault) -> String {
    match fault {
        Fault::Internal(text) => format!("an error of the emulator: {text}"),
        other => other.name().into(),
    }
}
