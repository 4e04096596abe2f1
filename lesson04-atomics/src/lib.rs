//! Lesson 04: many threads, one place in memory.
//!
//! `main.rs` tells the story, and each topic has its file: its rows, what their kernels are asked, and how they are
//! launched with `cust`. `reference` has the answers, computed the slow way.

use common::Row;

// Before the others, which use its macro.
#[macro_use]
mod speech;

pub mod catalogue;
pub mod counter;
pub mod figure;
pub mod filter;
pub mod grid;
pub mod histogram;
pub mod inc;
pub mod last_block;
pub mod lock;
pub mod maximum;
pub mod reference;
pub mod sample;
pub mod sum;

pub use speech::WORDS;

include!(concat!(env!("OUT_DIR"), "/kernels.rs"));

/// Every row, in the order in which the lesson tells them.
pub static ROWS: &[Row] = &[
    counter::COUNTER,
    counter::SCOPE,
    sum::VECTOR_SUM,
    catalogue::ADD,
    catalogue::ADD_SM90,
    catalogue::ARITHMETIC,
    catalogue::BITS,
    inc::ATOMIC_INC,
    maximum::ATOMIC_MAX_FLOAT,
    lock::LOCK,
    lock::SCOPE,
    lock::SYNCWARP,
    lock::ORDER,
    maximum::ARRAY_MAX,
    last_block::LAST_BLOCK,
    histogram::HISTOGRAM,
    histogram::BARRIER,
    filter::FILTER,
    filter::ACTIVEMASK,
];
