//! The emulated device: memory, loaded modules, launches.

mod explore;
mod explored;
#[cfg(not(target_family = "wasm"))]
mod image;
mod launch;
mod memory;
mod module;
mod steps;
mod survey;

use explored::ExploredLaunch;

pub use explored::LaunchExecution;
pub use module::LoadedModule;
pub use steps::{ExecutionRank, ExecutionSketch, ExecutionStep, ExecutionSteps, StepKind, WordValue};
pub use survey::{NotExplored, RacingAccess, RacingLine, RacingLines, Survey};

use crate::recording::{Base64Bytes, Command, Recorder, Recording};
use checker::DeviceState;
use finding::{Finding, HostMemory};
use machine::memory::{Memory, Region};
use machine::monitor::Monitor;
use machine::profile::Profile;
use machine::run::runtime::PENDING_LAUNCHES;
use machine::types::{Checks, Config};
use std::sync::Arc;
use trace::{Trace, Tracer};

/// One emulated GPU.
#[derive(Debug)]
pub struct Device {
    profile: Profile,
    memory: Memory,
    config: Config,
    launches: u64,
    /// Nanoseconds that all launches took together.
    clock: u64,
    pending_launches: usize,
    state: DeviceState,
    /// The tracer, if a trace is wanted.
    tracer: Option<Box<Tracer>>,
    /// The recorder, if a recording is wanted.
    recorder: Option<Box<Recorder>>,
    monitor: Option<Arc<Monitor>>,
    explored: Option<ExploredLaunch>,
}

impl Device {
    pub fn new(profile: Profile) -> Device {
        Device {
            memory: Memory::new(profile.memory),
            profile,
            config: Config::default(),
            launches: 0,
            clock: 0,
            pending_launches: PENDING_LAUNCHES,
            state: DeviceState::default(),
            tracer: None,
            recorder: None,
            monitor: None,
            explored: None,
        }
    }

    /// A device with the same memory at the same addresses, to try a launch on: what nothing has written counts as
    /// unwritten there too, and nothing is known of earlier launches. `None` if that is more than `most` bytes.
    pub fn fork(&self, most: u64) -> Option<Device> {
        let fork = Device {
            profile: self.profile.clone(),
            memory: self.memory.fork(most)?,
            config: self.config.clone(),
            launches: 0,
            clock: self.clock,
            pending_launches: self.pending_launches,
            state: self.state.fork(),
            tracer: None,
            recorder: None,
            monitor: None,
            explored: None,
        };
        Some(fork)
    }

    /// All that its allocations hold, one after the other.
    pub fn contents(&self) -> Vec<u8> {
        self.memory.contents()
    }

    /// Contents of all allocations except page-locked and registered host memory.
    pub fn own_contents(&self) -> Vec<u8> {
        let own =
            self.memory.allocations().filter(|(_, place)| matches!(place, HostMemory::Device | HostMemory::Unified));
        own.flat_map(|(region, _)| contents_of(region).0).collect()
    }

    /// Bytes of its allocations into which kernels have stored what comes of undefined values: a finding where the host
    /// copies them.
    pub fn stored_undefined(&self) -> u64 {
        self.memory.regions().map(|region| self.state.stored_undefined(region)).sum()
    }

    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// Takes effect at the next launch, which counts as the first of its schedule.
    pub fn configure(&mut self, config: Config) {
        self.state.set_judgement(config.judgement);
        self.config = config;
        self.launches = 0;
    }

    /// Sets the checks of the launches from here on.
    pub fn set_checks(&mut self, checks: Checks) {
        self.config.checks = checks;
    }

    /// Reports a copy of partly written memory to the host as a note instead of an error.
    pub fn note_partial_copies(&mut self) {
        self.state.note_partial_copies();
    }

    /// Adds a note to a launch for conflicting volatile accesses that are unordered.
    pub fn note_volatile_pairs(&mut self) {
        self.state.note_volatile_pairs();
    }

    /// Adds a note to a launch for threads that exit before a `__syncthreads()` that others of their block reach.
    pub fn note_exits_before_barriers(&mut self) {
        self.state.note_exits_before_barriers();
    }

    /// Makes `monitor` follow all later launches.
    pub fn set_monitor(&mut self, monitor: Option<Arc<Monitor>>) {
        self.monitor = monitor;
    }

    pub fn config(&self) -> &Config {
        &self.config
    }

    pub(crate) fn look_for(&mut self, hints: bool, suspects_own: bool) {
        self.state.look_for(hints, suspects_own);
    }

    pub(crate) fn take_hints(&mut self) -> Vec<Finding> {
        self.state.take_hints()
    }

    pub(crate) fn trace(&mut self, bound: Option<trace::Bound>) {
        self.tracer = bound.map(|bound| Box::new(Tracer::new(bound)));
    }

    pub(crate) fn take_trace(&mut self) -> Option<Trace> {
        self.tracer.take().map(|tracer| tracer.into_trace())
    }

    pub(crate) fn record(&mut self, records: bool) {
        self.recorder = records.then(|| {
            let mut recorder = Recorder::default();
            recorder.recording.next = self.memory.next();
            for (region, place) in self.memory.allocations() {
                let (address, bytes) = (region.base(), region.bytes());
                recorder.note(Command::Allocate { address, bytes, place, contents: Some(contents_of(region)) });
            }
            #[cfg(not(target_family = "wasm"))]
            for (handle, image) in self.memory.images.all() {
                recorder.note(Command::AddImage { handle, image: image.clone() });
            }
            Box::new(recorder)
        });
    }

    pub(crate) fn take_recording(&mut self) -> Option<Recording> {
        self.recorder.take().map(|recorder| recorder.recording)
    }

    fn note(&mut self, command: impl FnOnce() -> Command) {
        if let Some(recorder) = &mut self.recorder {
            recorder.note(command());
        }
    }

    /// Returns the number of words for which memory accesses have raced so far, each time counted.
    pub fn racing_accesses(&self) -> u64 {
        self.state.racing_accesses()
    }
}

fn contents_of(region: &Region) -> Base64Bytes {
    let mut bytes = vec![0; region.bytes() as usize];
    if !bytes.is_empty() {
        region.read_bytes(region.base(), &mut bytes);
    }
    Base64Bytes(bytes)
}
