//! Lesson 04: many threads, one place in memory.
//!
//! `main.rs` tells the story. Here are its kernels and its table; each module below says how one job is
//! launched with `cust`, and `reference` what its answer is.

use common::{Row, Slug};

pub mod catalogue;
pub mod counter;
pub mod figure;
pub mod filter;
pub mod grid;
pub mod histogram;
pub mod history;
pub mod input;
pub mod lock;
pub mod maximum;
pub mod reference;
pub mod sample;
pub mod sum;

include!(concat!(env!("OUT_DIR"), "/kernels.rs"));

/// Elements for timing on a GPU: enough that a launch lasts far longer than its start.
const GPU: usize = 100_000_000;

/// The lesson's table, in the order in which it is told.
pub static ROWS: &[Row] = &[
    Row::pair("counter", Slug::RaceGlobal).sizes(1_000_000, 4000),
    Row::pair("counter_scope", Slug::RaceScope).sizes(4000, 1000).shows_from(251),
    Row::pair("vector_sum", Slug::RaceGlobal)
        .ladder(&["vector_sum_warp", "vector_sum_block"])
        .sizes(1 << 17, 2048)
        .gpu(GPU)
        .from_zero(),
    Row::of("atomic_add").correct(catalogue::ADD).sizes(2000, 500).seeds(8).from_zero(),
    Row::of("atomic_add_sm90").correct(catalogue::ADD_SM90).sizes(2000, 500).seeds(8).from_zero(),
    Row::of("atomic_arithmetic").correct(catalogue::ARITHMETIC).sizes(2000, 500).seeds(8).from_zero(),
    Row::of("atomic_bits").correct(catalogue::BITS).sizes(2000, 500).seeds(8).from_zero(),
    Row::wrong_result_pair("atomic_inc").ladder(&["atomic_inc_ring"]).sizes(100_000, 2000).from_zero(),
    Row::pair("atomic_max_float", Slug::RaceGlobal)
        .ladder(&["atomic_max_float_bits"])
        .sizes(1 << 14, 2048)
        .gpu(GPU)
        .from_zero(),
    Row::pair("lock", Slug::RaceGlobal)
        .ladder(&["lock_acquire", "lock_warp", "lock_atomic"])
        .sizes(100, 100)
        .gpu(20_000)
        .from_zero(),
    Row::pair("lock_scope", Slug::RaceScope).sizes(72, 72).from_zero().shows_from(65),
    Row::pair("lock_syncwarp", Slug::Livelock).fixed(48).isolated(),
    Row::pair("lock_order", Slug::Livelock).fixed(48).isolated(),
    Row::pair("array_max", Slug::RaceGlobal)
        .ladder(&["array_max_locals", "array_max_tree"])
        .sizes(1 << 17, 2048)
        .gpu(GPU)
        .from_zero(),
    Row::pair("histogram", Slug::RaceShared)
        .ladder(&["histogram_global"])
        .sizes(0, 4096)
        .reads(sample::FILE)
        .gpu(GPU)
        .from_zero()
        .shows_from(64),
    Row::pair("histogram_barrier", Slug::RaceShared).sizes(0, 4096).reads(sample::FILE).from_zero().shows_from(64),
    Row::pair("filter", Slug::RaceGlobal)
        .ladder(&["filter_shared", "filter_warp", "filter_groups", "filter_scan"])
        .sizes(0, 2048)
        .figure("every filter against the share of elements kept")
        .reads(sample::FILE)
        .gpu(GPU)
        .from_zero()
        .shows_from(64),
    Row::wrong_result_pair("filter_activemask").sizes(0, 4096).reads(sample::FILE).from_zero().shows_from(64),
];
