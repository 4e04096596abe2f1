//! The parts that need no context: results of calls, the calling process and thread, memory of the host, images of
//! code, and the listener of whoever runs the program.

pub(crate) mod host_memory;
pub(crate) mod image;
pub(crate) mod jit_log;
pub(crate) mod listen;
pub(crate) mod outcome;
pub(crate) mod output;
pub(crate) mod process;
pub(crate) mod thread;
