//! Inputs and outputs of a device: configuration, shapes, errors, reports.

use crate::counters::LaunchCounts;
use crate::schedule::choices::{ChoiceKind, ScheduleChoice, Stop};
use finding::{Finding, HostMemory, ShapeError, SourceLocation};
use std::sync::{Arc, OnceLock};

/// A live allocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allocation {
    pub base: u64,
    pub bytes: u64,
    pub place: HostMemory,
}

/// The checks that are made while a kernel runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Checks {
    /// Bounds and alignment only; blocks spread over cores.
    Fast,
    /// Everything; one core, deterministic for a seed.
    Full,
    /// Bounds and alignment, and everything is counted; one core.
    Counters,
}

/// Which runnable thread goes next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Policy {
    /// Converge as early as possible: what hardware mostly does.
    InOrder,
    /// The last block, warp and lanes first, each as far as it can go.
    Reverse,
    /// Turn by turn, each up to the next thing that other threads could see: for a person who chooses, with `Follow`.
    /// Without a seed, blocks, warps and lanes take turns. `free`: what `Adversarial` may do is a choice, too, and not
    /// made unless it is given.
    Steps { seed: Option<u64>, free: bool },
    /// These turns in the `launch`th launch since the device was configured, from 1. For the rest as `Steps` without a
    /// seed and free, so that its choices are choices of that one.
    Turns { launch: u64, turns: Arc<[ThreadTurn]> },
    /// Splits and interleaves by seed.
    Random { seed: u64 },
    /// Random priorities that change at `depth` - 1 moments.
    Pct { seed: u64, depth: u32 },
    /// Splits anywhere, lets readers overtake writers, gives loads older values, and puts stores behind
    /// others, where the memory model does.
    Adversarial { seed: u64 },
    /// These of another policy's choices ([`choice`]), and `InOrder`'s for the rest.
    Replay { of: Box<Policy>, keep: Arc<[u64]> },
    /// These choices, then another policy's, which also decides all that is no choice. All choices are recorded
    /// ([`LaunchReport::choices`]). `stops`: at the first one that is not given and of one of these kinds. Not for use
    /// inside `Replay`, which makes other choices than are asked for.
    Follow { choices: Arc<[ScheduleChoice]>, then: Box<Policy>, stops: Arc<[ChoiceKind]> },
}

/// A thread's turn: it runs until it has run so many instructions since the launch began. A read that it makes reads
/// so many writes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThreadTurn {
    pub block: u64,
    /// Its number in the block.
    pub thread: u32,
    pub until: u64,
    pub back: usize,
}

impl Policy {
    /// The same run, with its choices in the report.
    pub fn recorded(self) -> Policy {
        self.after(&[])
    }

    /// These choices first, then this policy's. They were made under it, or under it after others that were given:
    /// choices of another policy may not fit.
    pub fn after(self, choices: &[ScheduleChoice]) -> Policy {
        Policy::Follow { choices: choices.into(), then: Box::new(self), stops: Arc::default() }
    }

    /// These choices, and the launch stops at the next one that is about whose turn it is.
    pub fn asking_after(self, choices: &[ScheduleChoice]) -> Policy {
        self.asking_also(choices, &[])
    }

    /// And at the next one of these kinds.
    pub fn asking_also(self, choices: &[ScheduleChoice], also: &[ChoiceKind]) -> Policy {
        let stops = [&[ChoiceKind::Block, ChoiceKind::Warp, ChoiceKind::Group], also].concat();
        Policy::Follow { choices: choices.into(), then: Box::new(self), stops: stops.into() }
    }
}

/// The `number`th choice, from 0, in the `launch`th launch since the device was configured, from 1.
pub fn choice(launch: u32, number: u32) -> u64 {
    u64::from(launch) << 32 | u64::from(number)
}

/// The way in which full checks compare accesses with earlier ones. In each way one race at least is found of the same
/// bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Judgement {
    /// With a few accesses of each word, and for many lanes at once where that makes no difference.
    #[default]
    Fast,
    /// With a few accesses of each word, and each access by itself.
    OneByOne,
    /// With all earlier accesses of its word. Finds every pair that races, and is slow.
    Rule,
    /// As `Rule`, without earlier accesses that a later one covers, and without compare-and-swaps that fail: they have
    /// written nothing. Finds the pairs of which `Fast` must find one as well.
    RuleUncovered,
}

impl Judgement {
    /// Returns true if accesses are compared with all earlier ones.
    #[inline(always)]
    pub fn is_by_rule(self) -> bool {
        matches!(self, Judgement::Rule | Judgement::RuleUncovered)
    }
}

/// The configuration of the next launches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    pub checks: Checks,
    /// Set before the first launch of a device, whose accesses are not known otherwise.
    pub judgement: Judgement,
    pub policy: Policy,
    /// Worker threads in fast mode.
    pub workers: usize,
    /// Thread instructions that a launch may take before it is reported as a livelock without a proof; `u64::MAX` if
    /// only a proof ends it. Each thread that ends gives back a 1024th, so a launch in which no thread ends stops after
    /// so many, and a launch of 1024 threads after twice as many.
    pub fuel: u64,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            checks: Checks::Full,
            judgement: Judgement::Fast,
            policy: Policy::InOrder,
            workers: cores(),
            fuel: 1 << 34,
        }
    }
}

/// Returns the number of cores that this process may use. To count them is to read several files, so it is done once.
fn cores() -> usize {
    static CORES: OnceLock<usize> = OnceLock::new();
    *CORES.get_or_init(|| std::thread::available_parallelism().map_or(1, usize::from))
}

/// The position of one operation in the host's order of things: a vector clock over
/// agents (0 is the host, whose threads count as one, then one per stream).
/// Operation `a` is ordered before `b` iff `b.clock[a.agent] >= a.clock[a.agent]`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
pub struct HostOrder {
    pub agent: u32,
    pub clock: Vec<u32>,
    /// Set for a launch with programmatic stream serialization that follows another launch: the latest operation of its
    /// stream that it comes after by more than the stream. It may overlap with the launches after that one.
    #[cfg_attr(feature = "json", serde(default, skip_serializing_if = "Option::is_none"))]
    pub overlaps: Option<u32>,
}

/// Grid and block shape of a launch.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
pub struct LaunchConfig {
    pub grid: [u32; 3],
    pub block: [u32; 3],
    /// Bytes of dynamic shared memory.
    pub dynamic_shared: u32,
    pub cooperative: bool,
    /// The blocks of a cluster along each axis, where the launch says so.
    #[cfg_attr(feature = "json", serde(default, skip_serializing_if = "Option::is_none"))]
    pub cluster: Option<[u32; 3]>,
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
    /// Registers of a thread, estimated since those of PTX are virtual. The kernel's largest block fits with them.
    pub registers: u32,
    /// `.maxntid` product, or the device's limit.
    pub max_threads: u32,
    /// `.reqntid`.
    pub required_block: Option<[u32; 3]>,
    /// `.reqnctapercluster`.
    pub required_cluster: Option<[u32; 3]>,
    /// `.explicitcluster` without a size: the launch says it.
    pub needs_cluster: bool,
    /// `.maxclusterrank`.
    pub most_in_cluster: Option<u32>,
    /// The number in `.target`: 75 for `sm_75`.
    pub architecture: u32,
    /// The greatest number in `.target`. It is another one in code for a newer device that runs all the same, which
    /// `gpu-check` gives a second target.
    pub written_for: u32,
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
    /// For a kind of device that this is not.
    NoBinary,
}

/// Something this emulator does not do, or PTX that it does not understand: a newer nvcc may write it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    /// As written: "tex.2d.v4.f32.s32". If it is not understood, what was found and what was expected.
    pub what: String,
    /// It is known what this is. If not, it may also be no PTX at all.
    pub is_understood: bool,
    pub kernel: String,
    /// Line in the PTX.
    pub line: u32,
    /// The user's own line, as far as the PTX tells.
    pub location: Option<SourceLocation>,
}

/// An error that ends a kernel and, as on hardware, poisons its context.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    IllegalAddress,
    MisalignedAddress,
    /// A barrier or `.sync` instruction that no hardware carries out.
    IllegalInstruction,
    /// Device `assert`.
    Assert,
    /// `trap`, or a call to nowhere.
    LaunchFailed,
    /// Deadlock, or out of fuel.
    Timeout,
    /// The limit of instructions that the host has set ([`crate::monitor::Monitor`]).
    InstructionLimit,
    /// Local memory used up by calls.
    StackOverflow,
    /// A bug in the emulator itself; the text says where.
    Internal(String),
}

impl Fault {
    /// In a trace and in a page's answers.
    pub fn name(&self) -> &'static str {
        match self {
            Fault::IllegalAddress => "illegal-address",
            Fault::MisalignedAddress => "misaligned-address",
            Fault::IllegalInstruction => "illegal-instruction",
            Fault::Assert => "assert",
            Fault::LaunchFailed => "launch-failed",
            Fault::Timeout => "timeout",
            Fault::InstructionLimit => "instruction-limit",
            Fault::StackOverflow => "stack-overflow",
            Fault::Internal(_) => "internal",
        }
    }
}

/// The place where a thread came to a `trap` of the kernel's own, or to an assertion that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndedAt {
    /// The user's own line, as far as the PTX tells.
    pub location: Option<SourceLocation>,
    pub block: [u32; 3],
    /// The first of those that came to it together.
    pub thread: [u32; 3],
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LaunchError {
    /// Shape or sizes outside the device's or the kernel's limits.
    InvalidConfiguration(ShapeError),
    /// More resources than a multiprocessor has, or more memory than is left.
    OutOfResources(ShapeError),
    /// Too many blocks for a cooperative launch.
    CooperativeTooLarge(ShapeError),
    Unsupported(Unsupported),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MemoryError {
    /// The device has not that much left.
    OutOfMemory,
    /// Not an allocation, or beyond its end.
    InvalidAddress,
}

/// The results of one launch.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LaunchReport {
    pub findings: Vec<Finding>,
    /// Uses that PTX allows and the CUDA programming guide does not: to be shown as notes, and nothing fails by them.
    pub notes: Vec<Finding>,
    /// The output of `printf`, in order.
    pub printed: Vec<u8>,
    /// The messages of assertions that failed.
    pub assertions: Vec<u8>,
    pub counters: Counters,
    /// Nanoseconds of the device's clock that it took; see
    /// [`Profile::launch_time`](crate::profile::Profile::launch_time).
    pub time: u64,
    pub fault: Option<Fault>,
    /// The place where the kernel ended itself, if it did.
    pub ended_at: Option<EndedAt>,
    /// Under [`Policy::Follow`]: all choices that were made, in order. Those of a run are its launches', one list after
    /// the other.
    pub choices: Vec<ScheduleChoice>,
    /// Under [`Policy::Follow`]: why the launch is not at its end. Memory has what was written up to there.
    pub stop: Option<Stop>,
}

/// Exact for a given schedule.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    pub warp_instructions: u64,
    pub thread_instructions: u64,
    /// Everything else there is to count, under [`Checks::Counters`].
    pub counted: Option<Box<LaunchCounts>>,
}
