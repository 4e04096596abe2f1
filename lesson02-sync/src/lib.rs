//! Lesson 02: a barrier is an order, not a delay.
//!
//! `main.rs` tells the story, and each topic has its file: its rows, what their kernels are asked, and how they are
//! launched with `cust`. `reference` has the answers, computed the slow way.

use common::Row;

pub mod barrier;
pub mod block_sum;
pub mod flag;
pub mod reference;
pub mod reverse;

include!(concat!(env!("OUT_DIR"), "/kernels.rs"));

/// Every row, in the order in which the lesson tells them.
pub static ROWS: &[Row] = &[
    reverse::REVERSE,
    block_sum::BLOCK_SUM,
    reverse::GLOBALREVERSE,
    barrier::SIDES,
    barrier::ELSEWHERE,
    flag::FLAG,
    flag::SCOPE,
];
