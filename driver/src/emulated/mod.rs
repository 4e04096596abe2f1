//! The emulated GPU behind the CUDA Driver API.
//!
//! One file for each topic of the API, and a ground that knows none of them. [`state`] holds what a context owns
//! ([`objects`]) and which context is current. [`queue`] holds its streams and runs their work when something waits for
//! it. [`clock`] says which operations are ordered, so that the emulator can find races between those that are not.
//! [`handle`] finds the context of an object. The functions below act on the calling thread's current context.

mod again;
pub(crate) mod array;
pub(crate) mod capture;
mod captures;
mod clock;
pub(crate) mod context;
mod contexts;
pub(crate) mod copy;
pub(crate) mod copy_shaped;
mod current;
pub(crate) mod device;
pub(crate) mod error;
pub(crate) mod event;
pub(crate) mod fill;
pub(crate) mod function;
pub(crate) mod graph;
pub(crate) mod graph_exec;
pub(crate) mod graph_newer;
pub(crate) mod graph_node;
mod handle;
mod host_memory;
mod image;
mod jit_log;
mod late;
pub(crate) mod launch;
pub(crate) mod launch_attributes;
pub(crate) mod library;
pub(crate) mod link;
mod listen;
mod managed;
pub(crate) mod memory;
pub(crate) mod module;
mod objects;
pub(crate) mod occupancy;
pub(crate) mod outcome;
mod output;
mod ownership;
pub(crate) mod pointer;
pub(crate) mod pool;
mod process;
pub(crate) mod queue;
mod read_back;
mod report;
pub(crate) mod state;
pub(crate) mod stream;
mod stream_handle;
mod task;
mod thread;
mod timeline;
mod tried;

pub use again::check_again;
pub use context::{finish_all, say_all_leaks};
pub(crate) use listen::unserved;
pub use listen::{
    Heard, Wanted, check_only, configure_new, find_unserved, follow_launches, listen, miss_work, name_kernels,
    note_partial_copies,
};
pub use managed::watch as watch_managed;
pub(crate) use outcome::Outcome;
pub use ownership::{Owned, say_leaks};
pub use process::is_forked;
pub use report::Report;
pub(crate) use report::{refused, unsupported};
pub use state::profile;

use current::current;
use cust_raw::CUresult;
use emulator::{Config, Observe, Observed};

/// Sets the configuration of the next launches in the current context. Waits for the work already submitted.
pub fn configure(config: Config) -> Result<(), CUresult> {
    let context = current()?;
    let mut state = context.drain(context.lock()?)?;
    state.reports.hear();
    state.device.configure(config);
    Ok(())
}

/// From here on this is looked for in the current context ([`emulator::Device::observe`]). Waits for the work already
/// submitted.
pub fn observe(observe: Observe) -> Result<(), CUresult> {
    let context = current()?;
    context.drain(context.lock()?)?.device.observe(observe);
    Ok(())
}

/// Returns the observations ([`emulator::Device::observed`]). Waits for the work already submitted.
pub fn observed() -> Result<Observed, CUresult> {
    let context = current()?;
    Ok(context.finish(context.lock_faulted()).device.observed())
}

/// Takes what the launches and copies of the current context have reported since last asked. Waits for them first.
/// A fault does not hide the reports: they say why it happened.
pub fn take_reports() -> Result<Vec<Report>, CUresult> {
    let context = current()?;
    let mut state = context.finish(context.lock_faulted());
    Ok(state.reports.take())
}

/// From here on these bytes count as never written: poison before a launch.
pub fn mark_undefined(address: u64, bytes: u64) -> Result<(), CUresult> {
    let context = current()?;
    let mut state = context.drain(context.lock()?)?;
    state.device.mark_undefined(address, bytes).map_err(outcome::code)
}

/// Returns the allocations of the program in the current context that are not freed, after all work submitted so far.
pub fn live_allocations() -> Result<Vec<Owned>, CUresult> {
    let context = current()?;
    Ok(context.finish(context.lock_faulted()).live())
}

/// Keeps what kernels print out of stdout; it is in [`Report::printed`] either way.
pub fn capture_output(capture: bool) -> Result<(), CUresult> {
    current()?.lock_faulted().reports.capture(capture);
    Ok(())
}

/// The parameters of a kernel of the current context, by `CUfunction`.
pub fn kernel(function: cust_raw::CUfunction) -> Result<emulator::Kernel, CUresult> {
    let (context, handle) = function::resolve(function)?;
    let state = context.lock()?;
    Ok(state.function(handle)?.kernel().clone())
}
