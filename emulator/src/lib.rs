//! A CUDA device that is a library: PTX in; results, findings and counters out.
//!
//! The emulator does no I/O and knows nothing of `cust` or of the lessons. Read
//! ARCHITECTURE.md first; then [`Device`] here, which is the whole public surface
//! that the driver layer needs.

pub mod counters;
mod decode;
mod device;
mod exec;
mod lanes;
mod machine;
mod memory;
pub mod profile;
mod program;
pub mod ptx;
mod registers;
pub mod report;
mod schedule;
mod watch;

pub use device::{
    Allocation, Checks, Config, Counters, Device, Fault, Kernel, LaunchConfig, LaunchError, LaunchReport, LoadError,
    LoadErrorKind, LoadedModule, MemoryError, Order, Parameter, Place, Policy, Unsupported, choice,
};
pub use profile::Profile;
pub use program::Program;
pub use schedule::split_mix;
