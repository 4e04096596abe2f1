//! The emulated GPU behind the CUDA Driver API.
//!
//! One file for each topic of the API. [`context`] holds what a context owns; [`queue`] holds its streams and runs
//! their work when something waits for it; [`clock`] says which operations are ordered, so that the emulator can
//! find races between those that are not. The functions below act on the calling thread's current context.

pub(crate) mod array;
pub(crate) mod clock;
pub(crate) mod context;
pub(crate) mod copy;
pub(crate) mod copy_shaped;
pub(crate) mod device;
pub(crate) mod error;
pub(crate) mod event;
pub(crate) mod fill;
pub(crate) mod function;
pub(crate) mod graph;
pub(crate) mod graph_exec;
mod handle;
mod image;
mod jit_log;
pub(crate) mod launch;
pub(crate) mod link;
pub(crate) mod memory;
pub(crate) mod module;
pub(crate) mod occupancy;
mod ownership;
pub(crate) mod pointer;
pub(crate) mod pool;
pub(crate) mod queue;
mod report;
pub(crate) mod state;
pub(crate) mod stream;
mod tried;

pub use ownership::{Owned, say_leaks};
pub use report::Report;

use cust_raw::CUresult;
use emulator::{Config, Observe, Observed, Profile};

/// What a call of the emulated device returns to the table.
pub(crate) type Outcome<T = ()> = Result<T, CUresult>;

/// A place that the caller gave for a result.
pub(crate) struct Out<T>(*mut T);

/// Checks an out-pointer; null is `CUDA_ERROR_INVALID_VALUE`.
///
/// # Safety
/// `place` is null or stays writable for one `T` until the call returns.
pub(crate) unsafe fn out<T>(place: *mut T) -> Outcome<Out<T>> {
    if place.is_null() { Err(CUresult::CUDA_ERROR_INVALID_VALUE) } else { Ok(Out(place)) }
}

impl<T> Out<T> {
    pub(crate) fn set(&self, value: T) {
        // SAFETY: `out` was told that the place is writable; a C caller may have misaligned it.
        unsafe { self.0.write_unaligned(value) }
    }
}

/// The device that is emulated.
pub fn profile() -> Profile {
    Profile::default()
}

/// How the next launches in the current context run. Waits for the work already submitted.
pub fn configure(config: Config) -> Result<(), CUresult> {
    let context = state::current()?;
    let mut state = context.drain(context.lock()?)?;
    state.reports.hear();
    state.device.configure(config);
    Ok(())
}

/// From here on this is looked for in the current context ([`emulator::Device::observe`]). Waits for the work already submitted.
pub fn observe(observe: Observe) -> Result<(), CUresult> {
    let context = state::current()?;
    context.drain(context.lock()?)?.device.observe(observe);
    Ok(())
}

/// What has been seen ([`emulator::Device::observed`]). Waits for the work already submitted.
pub fn observed() -> Result<Observed, CUresult> {
    let context = state::current()?;
    Ok(context.finish(context.lock_faulted()).device.observed())
}

/// Takes what the launches and copies of the current context have reported since last asked. Waits for them first.
/// A fault does not hide the reports: they say why it happened.
pub fn take_reports() -> Result<Vec<Report>, CUresult> {
    let context = state::current()?;
    let mut state = context.finish(context.lock_faulted());
    Ok(state.reports.take())
}

/// From here on these bytes count as never written: poison before a launch.
pub fn mark_undefined(address: u64, bytes: u64) -> Result<(), CUresult> {
    let context = state::current()?;
    let mut state = context.drain(context.lock()?)?;
    state.device.mark_undefined(address, bytes).map_err(memory::code)
}

/// What the program has allocated in the current context and not freed, after all work submitted so far.
pub fn live_allocations() -> Result<Vec<Owned>, CUresult> {
    let context = state::current()?;
    Ok(context.finish(context.lock_faulted()).live())
}

/// Keeps what kernels print out of stdout; it is in [`Report::printed`] either way.
pub fn capture_output(capture: bool) -> Result<(), CUresult> {
    state::current()?.lock_faulted().reports.capture(capture);
    Ok(())
}

/// The parameters of a kernel of the current context, by `CUfunction`.
pub fn kernel(function: cust_raw::CUfunction) -> Result<emulator::Kernel, CUresult> {
    let (context, handle) = function::resolve(function)?;
    let state = context.lock()?;
    Ok(state.function(handle)?.kernel().clone())
}
