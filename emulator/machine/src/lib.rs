//! The machine: PTX in; what its kernels do is told to a watcher.
//!
//! It is generic over [`watch::Watch`]: who has a watcher runs a [`run::worker::Worker`] with it, and
//! [`run::unwatched`] runs without one. What may be found at the end of the way (a fault, a deadlock) it reports itself.

pub mod code;
pub mod counters;
pub mod decode;
pub mod exec;
pub mod lanes;
pub mod limits;
pub mod memory;
pub mod place;
pub mod profile;
pub mod program;
pub mod registers;
pub mod run;
pub mod schedule;
pub mod types;
pub mod watch;

/// Of what an instruction works on, as PTX names it.
pub use ptx::ast::Type;
