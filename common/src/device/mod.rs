//! The device that a lesson runs on: contexts, memory, launches, times.

pub(crate) mod beside;
pub(crate) mod buffer;
pub(crate) mod context;
pub(crate) mod dependent;
pub mod device_runtime;
pub(crate) mod function;
pub(crate) mod launch;
pub(crate) mod tensor_map;
pub(crate) mod timing;
