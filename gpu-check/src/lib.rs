//! Any CUDA program on the emulated GPU: the CUDA driver and runtime, in one shared library.
//!
//! A program finds it under the names `libcuda.so.1`, `libcudart.so.12`, `libcudart.so.13` and `libnvidia-ml.so.1`,
//! which are one file and so one state. The crate `driver` brings the driver's functions. [`runtime`] has the
//! runtime's, on top of them, and [`nvml`] answers what programs ask of the machine. [`registry`] keeps what the
//! program's constructors register, [`fatbin`] reads it, as [`containers`] reads what it loads later. A program with a
//! runtime of its own inside, nvcc's default, has it replaced by [`redirect`]. [`start`] runs when the library is
//! loaded, and again at the end. The command `gpu-check` (main.rs) compiles a program, runs it so, and judges what came
//! of it.
//!
//! Invariants: no panic leaves a C function. Handles are looked up, never followed. Nothing here has a destructor on
//! the way of a call, since exit handlers make calls too. What is not there says so by its name.

#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
compile_error!("this runs on Linux (WSL2 included), x86-64 or aarch64");

// Before the others, which use its macro.
#[macro_use]
pub mod speech;

mod compilers;
mod containers;
mod cu;
mod driver_names;
mod elf;
pub mod explored;
pub mod fatbin;
mod nvml;
mod nvml_names;
mod per_thread;
pub mod readable;
pub mod record;
mod redirect;
mod registry;
pub mod runtime;
mod start;

// For the linker: the driver's C functions.
use driver as _;
