//! The device's memory.

pub mod space;
