//! Lesson 02: a barrier is an order, not a delay.
//!
//! `main.rs` tells the story. Here are its kernels and its table; `jobs` asks each row's kernels for an answer, the
//! files behind it say how they are launched with `cust`, and `reference` what the answer is.

use common::check::{self, Values};
use common::{Expect, Row, Run, Slug};

pub mod barrier;
pub mod block_sum;
pub mod flag;
pub mod jobs;
pub mod reference;
pub mod reverse;

include!(concat!(env!("OUT_DIR"), "/kernels.rs"));

/// Elements for timing on a GPU: enough that a launch lasts far longer than its start.
const GPU: usize = 100_000_000;

/// The lesson's table, in the order in which it is told. The job of a row has the same input for all its kernels.
pub static ROWS: &[Row] = &[
    Row::pair("reverse", Slug::RaceShared)
        .fixed(64)
        .job(|run| jobs::reversed_in_a_block(run, &check::ramp(run.size()))),
    Row::pair("block_sum", Slug::RaceShared)
        .sizes(1 << 18, 1000)
        .gpu(GPU)
        .from_zero()
        .job(|run| jobs::summed_by_block(run, &ints(run, 2))),
    Row::pair("globalreverse", Slug::RaceGlobal)
        .sizes(1 << 18, 1000)
        .gpu(GPU)
        .from_zero()
        .shows_from(65)
        .job(|run| jobs::reversed_by_a_grid(run, &check::ramp(run.size()))),
    Row::pair("barrier_sides", Slug::BarrierDivergence)
        .correct(&["barrier_sides_returns"])
        .fixed(200)
        .isolated()
        .job(|run| jobs::smoothed(run, &ints(run, 3), 56)),
    Row::pair("barrier_elsewhere", Slug::Deadlock)
        .fixed(128)
        .isolated()
        .job(|run| jobs::summed_by_warp(run, &ints(run, 4))),
    Row::pair("flag", Slug::RaceGlobal)
        .ladder(&["flag_acquire"])
        .sizes(100_000, 500)
        .from_zero()
        .shows_from(1)
        .job(|run| jobs::squared_elsewhere(run, &ints(run, 5))),
    Row::pair("flag_scope", Slug::RaceScope)
        .broken(&[("flag_scope_atomic", Expect::Finding(Slug::RaceScope))])
        .sizes(100_000, 500)
        .from_zero()
        .shows_from(1)
        .isolated()
        .job(|run| jobs::squared_elsewhere(run, &ints(run, 5))),
];

fn ints(run: &Run, seed: u64) -> Vec<i32> {
    Values::seeded(seed).ints(run.size(), -1000, 1000)
}
