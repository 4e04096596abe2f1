//! Lesson 03: what the threads of a warp can tell each other, and who is there to hear it.
//!
//! `main.rs` tells the story, and `rows` has the table. Each topic has its file: its rows, what their kernels are
//! asked, and how they are launched with `cust`. `catalogue` has the rows with every function of a kind. `reference`
//! has the answers, computed the slow way.

// Before the others, which use its macro.
#[macro_use]
mod speech;

pub mod blocks;
pub mod catalogue;
pub mod pictures;
pub mod reference;
mod rows;
pub mod there;
pub mod tickets;
pub mod warps;

pub use rows::ROWS;
pub use speech::WORDS;

include!(concat!(env!("OUT_DIR"), "/kernels.rs"));

/// Threads of a warp.
pub const WARP: usize = 32;
