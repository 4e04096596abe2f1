//! Lesson 01: the same bytes in fewer loads.
//!
//! `main.rs` tells the story, and each topic has its file: its rows, what their kernels are asked, and how they are
//! launched with `cust`. `reference` has the answers, computed the slow way.

use common::Row;

// Before the others, which use its macro.
#[macro_use]
mod speech;

pub mod access;
pub mod copy;
pub mod figure;
pub mod reference;

pub use speech::WORDS;

include!(concat!(env!("OUT_DIR"), "/kernels.rs"));

/// Every row, in the order in which the lesson tells them.
pub static ROWS: &[Row] =
    &[copy::COPY, copy::INT2_TAIL, copy::INT4_TAIL, copy::INT4_OFFSET, copy::LADDER, access::ACCESS];
