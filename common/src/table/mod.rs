//! A lesson's table: its rows, their kernels and files, and which runs are made of each.

pub mod claims;
pub(crate) mod input;
pub(crate) mod kernel;
pub(crate) mod kernel_file;
pub(crate) mod plan;
pub(crate) mod row;
