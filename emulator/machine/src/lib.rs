//! The machine: PTX in; what its kernels do is told to a watcher.
//!
//! Begin with a launch. [`program`] has decoded a kernel's PTX into instructions ([`decode`]; arithmetic is in
//! [`exec`], a file for each family of the ISA). A [`run::worker::Worker`] owns the loop. Its `grid` part keeps the
//! resident blocks and asks the [`schedule`] which block, warp and group of threads goes next. Its `step` part runs
//! that group, one instruction after the other for all of its lanes, until the schedule takes over. What uses memory,
//! other threads or the program counter is a file in [`run`].
//!
//! It is generic over [`watch::Watch`]: who has a watcher runs a worker with it, and [`run::unwatched`] runs without
//! one. The watcher hears of an operation before it takes effect. What may be found at the end of the way (a fault, a
//! deadlock) the machine reports itself.
//!
//! Invariants: a warp is a list of groups, each with a program counter and a mask, and no instruction assumes that a
//! warp runs together. A watcher never changes a value. The same kernel, launch and schedule give the same run.

pub mod code;
pub mod counters;
pub mod decode;
pub mod exec;
pub mod image;
pub mod lanes;
pub mod limits;
pub mod memory;
pub mod monitor;
pub mod place;
pub mod profile;
pub mod program;
pub mod registers;
pub mod run;
pub mod schedule;
pub mod tensor;
pub mod types;
pub mod watch;

/// The type of an instruction's operands, by its name in PTX.
pub use ptx::ast::Type;
