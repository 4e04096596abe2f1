//! The parts that every lesson shares.
//!
//! A lesson is an ordinary `cust` program. This crate brings what it would otherwise repeat. It opens the device (a
//! real GPU or the emulator), loads the kernels and checks launch arguments. It runs a kernel over many schedules or
//! many launches, compares with the CPU, and prints one report. A lesson's `main.rs` reads so:
//!
//! ```no_run
//! use common::{Failure, KernelFile, Lesson, Row, Run, Slug, check, launch};
//! use cust::prelude::{CopyDestination, DeviceBuffer, Stream, StreamFlags};
//!
//! // In a lesson: include!(concat!(env!("OUT_DIR"), "/kernels.rs")), made by build.rs.
//! static KERNELS: &[KernelFile] = &[];
//!
//! // The table: every row, in the order in which the lesson tells them.
//! static ROWS: &[Row] = &[COUNTER];
//!
//! // A row: which kernels, what is expected of them, at which sizes, and what each of them does.
//! const COUNTER: Row = Row::pair("counter", Slug::RaceGlobal).sizes(1_000_000, 4096).job(counted);
//!
//! fn counted(run: &Run) -> anyhow::Result<()> {
//!     // Once for every size (and, on the emulator, for every worker thread): what all runs of it share.
//!     let function = run.function()?;
//!     let stream = Stream::new(StreamFlags::DEFAULT, None)?;
//!     let blocks = (run.size() as u32).div_ceil(256);
//!     run.each(|| {
//!         // Once for every schedule or launch.
//!         let counter = DeviceBuffer::from_slice(&[0i32])?;
//!         // SAFETY: `counter` is one int, and the kernel touches no more.
//!         unsafe { launch!(function<<<blocks, 256, 0, stream>>>(counter.as_device_ptr()))?; }
//!         stream.synchronize()?;
//!         check::equal(&counter.as_host_vec()?, &[blocks as i32 * 256])
//!     })
//! }
//!
//! fn main() -> Result<(), Failure> {
//!     let lesson = Lesson::start("lesson04", KERNELS, ROWS)?;
//!     lesson.run(&COUNTER)?;
//!     lesson.finish()
//! }
//! ```
//!
//! A size of `--n 0` is refused in words by every row that has not said [`Row::from_zero`]; so is a size at which a
//! broken kernel cannot go wrong ([`Row::shows_from`]).
//!
//! `launch!` here is `cust::launch!` behind a check of the arguments, and takes the [`Function`] that [`Run::function`]
//! gives, which is also a `cust` function.

// Before the others, which use its macro.
#[macro_use]
mod speech;

pub mod check;
mod device;
pub mod diagram;
mod failure;
mod lesson;
mod report;
mod table;
pub mod testing;

pub use crate::device::buffer::POISON;
pub use crate::device::context::{DeviceChoice, DeviceKind};
pub use crate::device::dependent::launch_dependent;
pub use crate::device::device_runtime;
pub use crate::device::function::{Function, allow_shared};
pub use crate::device::launch::{Argument, LaunchRefused};
pub use crate::device::tensor_map::TensorMap;
pub use crate::failure::Failure;
#[cfg(feature = "schema")]
pub use crate::lesson::trace_schema;
pub use crate::lesson::{Lesson, Run, RunTime, Stage};
pub use crate::report::bars::chart;
#[cfg(feature = "schema")]
pub use crate::report::json::schema;
pub use crate::table::claims;
pub use crate::table::input::{Input, InputKind};
pub use crate::table::kernel::Kernel;
pub use crate::table::kernel_file::KernelFile;
pub use crate::table::row::{Capability, Expect, Job, OnGpu, RefusedSource, Row, Sizes, Unit, Variant};
#[doc(hidden)]
pub use cust; // For `launch!`.
#[doc(hidden)]
pub use cust_raw; // For `launch_cooperative!`.
pub use driver::emulator::counters::{Counter, LaunchCounts, Metric, Ratio};
pub use driver::emulator::finding::Slug;
pub use figure::{Figure, Panel, Pixels, Point, Series};
pub use peers::{Peer, PeerCall};
pub use tell::arguments::{Refusal, speak, translated, usage};
pub use tell::{in_a_line, say};
pub use trial::{CountedLaunch, Counts, FULL_CHECKS_UP_TO, Fix, ReplayToken, Schedule};
pub use words;

// For the linker: it says what a program has not taken, and why a launch is refused.
use observer as _;
