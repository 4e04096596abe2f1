//! The CUDA Driver API, from one table, for two devices.
//!
//! `cust` calls `extern "C"` functions named `cu…`. This crate defines all 353 that `cust_raw` 0.11.3 declares
//! ([`api`]), and [`newer`] ones that other programs call; each call goes to the machine's `libcuda.so.1` ([`native`])
//! or to the emulated GPU ([`emulated`]), whichever [`choose`] settled on. A program needs `use driver as _` (or
//! a crate that uses it) for the linker to find them.
//!
//! A call that the emulated GPU does not implement returns `CUDA_ERROR_NOT_SUPPORTED` and names itself once on
//! stderr. No call may crash on a handle it was given: handles are numbers looked up in tables. Pointers
//! that a caller passes to be read or written are the caller's responsibility, as with a real driver.
//!
//! Findings go to an observer ([`emulated::Observer`]). The one that says them on stderr is the crate `observer`: a
//! program that should hear of its bugs needs `use observer as _` instead.

#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
compile_error!("these lessons run on Linux (WSL2 included), x86-64 or aarch64");

// Before the others, which use its macro.
#[macro_use]
mod speech;

mod api;
mod caller;
mod choose;
pub mod device_runtime;
pub mod emulated;
mod native;
pub mod nvrtc;
pub mod refused;
pub mod types;

pub use api::{Entry, more_entries, newer, unsupported};
pub use choose::{Choice, ChooseError, Chosen, ChosenDevice, choose};
pub use emulator;

/// All exported functions, in the order of their tables.
pub fn exported() -> Vec<Entry> {
    api::TABLES.concat()
}
