//! The calls, one file for each topic of the API.

pub(crate) mod array;
pub(crate) mod capture;
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
pub(crate) mod graph_newer;
pub(crate) mod graph_node;
pub(crate) mod image;
pub(crate) mod launch;
pub(crate) mod launch_attributes;
pub(crate) mod library;
pub(crate) mod link;
pub(crate) mod memory;
pub(crate) mod module;
pub(crate) mod occupancy;
pub(crate) mod pointer;
pub(crate) mod pool;
pub(crate) mod profiler;
pub(crate) mod stream;
