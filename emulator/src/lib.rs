//! A CUDA device that is a library: PTX in; results, findings and counters out.
//!
//! The emulator does no I/O and knows nothing of `cust` or of the lessons. Read
//! ARCHITECTURE.md first; then [`Device`] here, which is the whole public surface
//! that the driver layer needs.

mod device;

pub use device::{Device, LoadedModule};
pub use finding;
pub use machine::profile::Profile;
pub use machine::program::Program;
pub use machine::schedule::split_mix;
pub use machine::types::{
    Allocation, Checks, Config, Counters, Fault, Kernel, LaunchConfig, LaunchError, LaunchReport, LoadError,
    LoadErrorKind, MemoryError, Order, Parameter, Place, Policy, Unsupported, choice,
};
pub use machine::{counters, profile};
pub use ptx;
