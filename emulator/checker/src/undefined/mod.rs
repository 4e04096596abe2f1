//! Undefined bits, and their origins.

pub mod accesses;
pub mod bits;
mod bulk;
pub mod locals;
pub mod masks;
pub mod meetings;
pub mod memory;
pub mod origins;
pub mod registers;
pub mod report;
pub mod warp;
