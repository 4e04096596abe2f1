//! The emulated GPU behind the CUDA Driver API.
//!
//! Six layers. Each uses itself and those before it, never a later one:
//!
//! 1. [`base`] needs no context: results of calls, the calling process and thread, host memory, images of code, the
//!    observer, and the settings of whoever runs the program.
//! 2. [`queue`]: the streams of a context and the work that waits in them, which operations are ordered, and when each
//!    begins and ends.
//! 3. [`findings`]: reports, which findings are handed to the observer, launches that are run again.
//! 4. [`context`]: its objects and its state, which owns a queue and reports. The lock around the state, and the loop
//!    that runs queued work. Which context is current, and which one a handle belongs to.
//! 5. [`task`]: the launches, copies and fills that streams and graphs do, and the graphs.
//! 6. [`calls`]: one file for each topic of the API.
//!
//! A lower layer returns what a higher one is to do. Programs around this crate register an
//! observer ([`base::observer`]). The functions below act on the calling thread's current context.

pub(crate) mod base;
pub(crate) mod calls;
mod context;
mod findings;
mod queue;
mod task;

pub use base::image::{Unpacked, Unpacker, unpack_with};
pub use base::observer::{Event, Found, Observer, OwnedAllocation, Unexplored, observe_with};
pub(crate) use base::outcome::CallResult;
pub use base::process::is_forked;
pub use base::saved_launch::SavedLaunch;
pub use base::settings::{
    InnerRuntimes, KernelFilter, LaunchLimits, Wanted, check_only, configure_new, explore_launches, follow_launches,
    follow_refused_launches, is_time_up, know_inner_runtimes, miss_work, note_partial_copies,
};
pub(crate) use base::settings::{is_replaced, unserved};
pub use calls::context::{end_process, finish_all, say_all_leaks};
pub use context::managed::watch as watch_managed;
pub use context::ownership::say_leaks;
pub use context::state::profile;
pub use findings::again::check_again;
pub use findings::report::Report;

use base::outcome::code;
use calls::function;
use context::current::current;
use cust_raw::CUresult;
use emulator::explore::launch::GivenRun;
use emulator::{Config, Observe, Observed};
use std::sync::Arc;

/// Reports a call that returned an error.
pub(crate) fn refused(call: &str, code: CUresult) {
    miss_order(call, code);
    findings::report::refused(call, code);
}

/// Reports a call that the emulated device cannot carry out: its caller is not to blame.
pub(crate) fn unsupported(call: &str, code: CUresult) {
    miss_order(call, code);
    findings::report::unsupported(call, code);
}

/// Lets the current context report no missing order, if the call would have made one.
fn miss_order(call: &str, code: CUresult) {
    if code == CUresult::CUDA_ERROR_NOT_SUPPORTED && findings::report::orders(call) {
        current().iter().for_each(|context| context.lock_faulted().reports.misses_order = true);
    }
}

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

/// Has one launch of the current context run with given values ([`emulator::Device::explore_launch`]): the one that
/// comes after `before` others. Waits for the work already submitted.
pub fn explore_launch(before: u64, run: Arc<GivenRun>) -> Result<(), CUresult> {
    let context = current()?;
    context.drain(context.lock()?)?.device.explore_launch(before, run);
    Ok(())
}

/// Takes the current context back from a fault, with its memory. No GPU does so: this is for a search that runs a
/// launch again after executions that end in a fault.
pub fn recover() -> Result<(), CUresult> {
    current()?.lock_faulted().recover();
    Ok(())
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
    state.device.mark_undefined(address, bytes).map_err(code)
}

/// Returns the allocations of the program in the current context that are not freed, after all work submitted so far.
pub fn live_allocations() -> Result<Vec<OwnedAllocation>, CUresult> {
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
