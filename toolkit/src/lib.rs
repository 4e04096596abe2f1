//! nvcc without an installer: the parts of NVIDIA's toolkit that turn CUDA C++ into PTX, from Python wheels.
//!
//! `cargo toolkit install` asks `pip` for six wheels by name and version, so the user's own mirror and proxy settings
//! hold. It checks every file against the sha256 pinned in [`wheels`], unzips them beside the target, and renames the
//! finished tree into place. Whatever goes wrong on the way, a folder is a toolkit only once it is whole. A toolkit
//! that was installed when there were fewer wheels gets those that it lacks.

#[macro_use]
mod speech;

pub mod command;
mod fetch;
mod install;
mod status;
mod unpack;
pub mod wheels;

pub use fetch::{Fetch, Pip};
pub use install::{Installed, install, uninstall};
#[doc(hidden)]
pub use speech::WORDS;
pub use status::{status, usage};
