//! The parts that need no context: results of calls, the calling process and thread, memory of the host, images of
//! code, the observer, and the settings of whoever runs the program.

pub(crate) mod host_memory;
pub(crate) mod image;
pub(crate) mod jit_log;
pub(crate) mod observer;
pub(crate) mod outcome;
pub(crate) mod output;
pub(crate) mod process;
pub(crate) mod saved_launch;
pub(crate) mod settings;
pub(crate) mod thread;
