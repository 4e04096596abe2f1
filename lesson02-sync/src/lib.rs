//! Lesson 02: a barrier is an order, not a delay.
//!
//! `main.rs` tells the story. Here are its kernels and its table; each module below says how one job is
//! launched with `cust`, and `reference` what its answer is.

use common::{Expect, Row, Slug};

pub mod barrier;
pub mod block_sum;
pub mod flag;
pub mod reference;
pub mod reverse;

include!(concat!(env!("OUT_DIR"), "/kernels.rs"));

/// Elements for timing on a GPU: enough that a launch lasts far longer than its start.
const GPU: usize = 100_000_000;

/// The lesson's table, in the order in which it is told.
pub static ROWS: &[Row] = &[
    Row::pair("reverse", Slug::RaceShared).fixed(64),
    Row::pair("block_sum", Slug::RaceShared).sizes(1 << 18, 1000).gpu(GPU).from_zero(),
    Row::pair("globalreverse", Slug::RaceGlobal).sizes(1 << 18, 1000).gpu(GPU).from_zero().shows_from(65),
    Row::pair("barrier_sides", Slug::BarrierDivergence).correct(&["barrier_sides_returns"]).fixed(200).isolated(),
    Row::pair("barrier_elsewhere", Slug::Deadlock).fixed(128).isolated(),
    Row::pair("flag", Slug::RaceGlobal).ladder(&["flag_acquire"]).sizes(100_000, 500).from_zero().shows_from(1),
    Row::pair("flag_scope", Slug::RaceScope)
        .broken(&[("flag_scope_atomic", Expect::Finding(Slug::RaceScope))])
        .sizes(100_000, 500)
        .from_zero()
        .shows_from(1)
        .isolated(),
];
