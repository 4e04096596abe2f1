//! Lesson 06: say who takes part.
//!
//! `main.rs` tells the story, and each topic has its file: its rows, what their kernels are asked, and how they are
//! launched with `cust`. `reference` has the answers, computed the slow way.

use common::Row;

// Before the others, which use its macro.
#[macro_use]
mod speech;

pub mod copies;
pub mod costs;
pub mod groups;
pub mod names;
pub mod reduce;
pub mod reference;
pub mod reverse;
pub mod sum;

pub use speech::WORDS;

include!(concat!(env!("OUT_DIR"), "/kernels.rs"));

/// Every row, in the order in which the lesson tells them.
pub static ROWS: &[Row] = &[
    reduce::REDUCE_SUM,
    sum::SUM_KERNEL_BLOCK,
    sum::SUM_UNIFIED,
    groups::BLOCK_BARRIER,
    costs::BARRIER_COST,
    names::NAMES,
    groups::PARTITION,
    groups::AGG_INC,
    copies::ASYNC_COPY,
    reverse::GRID_REVERSE,
];
