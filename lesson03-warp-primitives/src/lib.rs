//! Lesson 03: what the threads of a warp can tell each other, and who is there to hear it.
//!
//! `main.rs` tells the story. Here are its kernels and its table; each module below says how one job is
//! launched with `cust`, and `reference` what its answer is.

use common::{Row, Slug};

pub mod blocks;
pub mod exchange;
pub mod members;
pub mod pictures;
pub mod reference;
pub mod warps;

include!(concat!(env!("OUT_DIR"), "/kernels.rs"));

/// Threads of a warp.
pub const WARP: usize = 32;

/// Elements for timing on a GPU: enough that a launch lasts far longer than its start.
const GPU: usize = 100_000_000;

/// The lesson's table, in the order in which it is told.
pub static ROWS: &[Row] = &[
    Row::pair("exchange", Slug::AbsentLane).correct(exchange::EACH).fixed(WARP).seeds(8),
    Row::pair("vote", Slug::MaskMismatch).correct(members::VOTES).fixed(WARP).seeds(8).isolated(),
    Row::of("match").correct(members::MATCHES).fixed(WARP).seeds(8),
    Row::of("redux").correct(members::REDUCTIONS).fixed(WARP).seeds(8),
    Row::of("pre_volta").compile_fail(REFUSED).correct(&["pre_volta_correct"]).sizes(100_000, 1000).from_zero(),
    Row::pair("warp_sum", Slug::AbsentLane).ladder(&["warp_sum_full"]).sizes(4096, 256).from_zero(),
    Row::wrong_result_pair("all_reduce").sizes(4096, 256).from_zero(),
    Row::pair("ballot_sum", Slug::AbsentLane).fixed(20),
    Row::pair("activemask_sum", Slug::AbsentLane).ladder(&["activemask_sum_ballot"]).fixed(64),
    Row::pair("transpose", Slug::RaceShared).sizes(4096, 256).from_zero(),
    Row::pair("lockstep_sum", Slug::RaceShared).ladder(&["lockstep_sum_shuffle"]).sizes(4096, 256).from_zero(),
    Row::pair("block_reduce_sum", Slug::RaceShared).sizes(1 << 16, 1024).from_zero(),
    Row::wrong_result_pair("block_reduce_tail").fixed(100),
    Row::pair("device_reduce", Slug::UndefinedValue).sizes(100_000, 4096).gpu(GPU).from_zero(),
];
