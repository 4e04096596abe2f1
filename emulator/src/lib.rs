//! A CUDA device that is a library: PTX in; results, findings and counters out.
//!
//! The emulator does no I/O and knows nothing of `cust` or of the lessons. This is its whole public surface:
//!
//! - [`Program`] is made of PTX; a [`Device`] with a [`Profile`] loads it ([`LoadedModule`]), has memory
//!   ([`Allocation`], [`HostMemory`]) and launches its kernels ([`Kernel`], [`Parameter`], [`LaunchConfig`]).
//!   [`HostOrder`] says what a launch or a copy comes after. An [`Image`] is a texture or surface object, with its
//!   [`MipLevel`]s, [`Sampler`], [`MipmapFilter`], [`AddressMode`] and [`Channel`].
//! - [`choices`] are a run's choices as data: [`Policy::Follow`] records them, makes given ones, and stops where one is
//!   missing.
//! - [`Config`] says what is looked for ([`Checks`]) and which thread goes next ([`Policy`]; [`choice`] and
//!   [`split_mix`] for those who draw in the same way).
//! - A [`LaunchReport`] has findings, [`Counters`] and perhaps a [`Fault`]; what is refused is a [`LoadError`], a
//!   [`LaunchError`], a [`MemoryError`], or [`Unsupported`] here.
//! - [`finding`] is what was found, as data; [`counters`] what was counted; [`trace`] what happened, in order, where it
//!   is asked for ([`Device::observe`] with [`Observe`], [`Observed`]); [`ptx`] the tree of a source.
//! - A [`Recording`] is what was asked of a device ([`Command`]s), to be asked again ([`Replayed`], [`ReplayError`]).

mod device;
mod observe;
mod recording;

pub use ::explore;
pub use device::{Device, LaunchExecution, LoadedModule};
pub use device::{ExecutionRank, ExecutionSketch, ExecutionStep, ExecutionSteps, StepKind, WordValue};
pub use device::{NotExplored, RacingAccess, RacingLine, RacingLines, Survey};
pub use finding;
pub use finding::HostMemory;
pub use machine::counters;
pub use machine::image::{AddressMode, Image, MipLevel, MipmapFilter, Sampler, texel::Channel};
pub use machine::limits::{MOST_IN_CLUSTER, cluster_of};
pub use machine::memory::PAGE;
pub use machine::monitor::{Monitor, Progress};
pub use machine::profile::{CLOCK_RATE, Profile};
pub use machine::program::{NEWEST as NEWEST_PTX, Program};
pub use machine::schedule::{choices, split_mix};
pub use machine::tensor::{Swizzle, TensorElement, TensorMap};
pub use machine::types::{
    Allocation, Checks, Config, Counters, EndedAt, Fault, HostOrder, Judgement, Kernel, LaunchConfig, LaunchError,
    LaunchReport, LoadError, LoadErrorKind, MemoryError, Parameter, Policy, ThreadTurn, Unsupported, choice,
};
pub use observe::{Observe, Observed};
pub use ptx;
pub use recording::{Base64Bytes, Command, Recording, ReplayError, Replayed};
pub use trace;
