//! Lesson 04: many threads, one place in memory.
//!
//! `main.rs` tells the story. Here are its kernels and its table; `jobs` asks each row's kernels for an answer, the
//! files behind it say how they are launched with `cust`, and `reference` what the answer is.

use common::check::Values;
use common::words::Catalogue;
use common::{Counter, Metric, Peer, Row, Run, Slug, Unit};

/// `say!("key", name = value)`: this lesson's own words, in the reader's language.
macro_rules! say {
    ($($rest:tt)+) => { common::words::say!($crate::WORDS, common::words::Language::current(), $($rest)+) };
}

/// From `messages/`.
pub static WORDS: Catalogue = common::words::catalogue!["lesson"];

pub mod catalogue;
pub mod counter;
pub mod figure;
pub mod filter;
pub mod grid;
pub mod histogram;
pub mod input;
pub mod jobs;
pub mod last_block;
pub mod lock;
pub mod maximum;
pub mod reference;
pub mod sample;
pub mod sum;

include!(concat!(env!("OUT_DIR"), "/kernels.rs"));

/// Elements for timing on a GPU: enough that a launch lasts far longer than its start.
const GPU: usize = 100_000_000;

/// The lesson's table, in the order in which it is told. The job of a row has the same input for all its kernels.
pub static ROWS: &[Row] = &[
    // The slide's blocks of 1000 threads; then smaller ones, and so more of them, where the blocks matter.
    Row::pair("counter", Slug::RaceGlobal)
        .of_unit(Unit::Threads)
        .sizes(1_000_000, 4000)
        .job(|run| jobs::counted(run, grid::of_blocks(run.size(), 1000)?)),
    Row::pair("counter_scope", Slug::RaceScope)
        .of_unit(Unit::Threads)
        .sizes(4000, 1000)
        .shows_from(251)
        .job(|run| jobs::counted(run, grid::of_blocks(run.size(), 250)?)),
    Row::pair("vector_sum", Slug::RaceGlobal)
        .ladder(&["vector_sum_warp", "vector_sum_block"])
        .charts(&[Metric::Sum(Counter::AtomicOperations)])
        .sizes(1 << 17, 2048)
        .gpu(GPU)
        .peer(Peer::Sum)
        .from_zero()
        .job(|run| jobs::summed(run, &Values::seeded(4).ints(run.size(), -5, 14))),
    catalogue::row(Row::of("atomic_add").correct(catalogue::ADD)),
    catalogue::row(Row::of("atomic_add_sm90").correct(catalogue::ADD_SM90).from_capability(9)),
    catalogue::row(Row::of("atomic_arithmetic").correct(catalogue::ARITHMETIC)),
    catalogue::row(Row::of("atomic_bits").correct(catalogue::BITS)),
    Row::wrong_result_pair("atomic_inc")
        .of_unit(Unit::Threads)
        .ladder(&["atomic_inc_ring"])
        .sizes(100_000, 2000)
        .from_zero()
        .job(|run| jobs::dealt(run, grid::count(run.size())?, 10)),
    Row::pair("atomic_max_float", Slug::RaceGlobal)
        .of_unit(Unit::Floats)
        .ladder(&["atomic_max_float_bits"])
        .sizes(1 << 14, 2048)
        .gpu(GPU)
        .from_zero()
        .job(|run| jobs::largest_float(run, &floats(run.size()))),
    Row::pair("lock", Slug::RaceGlobal)
        .ladder(&["lock_acquire", "lock_warp", "lock_atomic"])
        .sizes(100, 100)
        .gpu(20_000)
        .from_zero()
        .job(|run| jobs::summed_one_by_one(run, &few(run))),
    Row::pair("lock_scope", Slug::RaceScope)
        .sizes(72, 72)
        .from_zero()
        .shows_from(65)
        .job(|run| jobs::summed_one_by_one(run, &few(run))),
    Row::pair("lock_syncwarp", Slug::Livelock).fixed(48).isolated().job(|run| jobs::summed_one_by_one(run, &few(run))),
    Row::pair("lock_order", Slug::Livelock)
        .fixed(48)
        .isolated()
        .job(|run| jobs::transferred(run, &Values::seeded(8).ints(run.size(), 1, 100), 2)),
    Row::pair("array_max", Slug::RaceGlobal)
        .ladder(&["array_max_locals", "array_max_tree"])
        .sizes(1 << 17, 2048)
        .gpu(GPU)
        .peer(Peer::Max)
        .from_zero()
        .job(|run| jobs::largest(run, &Values::seeded(6).ints(run.size(), -1_000_000, 1_000_000), 1024)),
    // A few blocks of many loads each; then more and smaller ones.
    Row::pair("last_block", Slug::RaceGlobal)
        .ladder(&["last_block_packed", "last_block_max"])
        .sizes(1 << 18, 4096)
        .gpu(GPU)
        .peer(Peer::Sum)
        .own_peer("last_block_max", Peer::Max)
        .from_zero()
        .shows_from(1025)
        .job(|run| jobs::finished_by_the_last(run, &Values::seeded(10).ints(run.size(), -1000, 1000))),
    Row::pair("histogram", Slug::RaceShared)
        .of_unit(Unit::Bytes)
        .ladder(&["histogram_global", "histogram_lanes"])
        .charts(&[Metric::Sum(Counter::GlobalLoads), Metric::Sum(Counter::AtomicConflicts)])
        .sizes(0, 4096)
        .reads(sample::FILE)
        .gpu(GPU)
        .peer(Peer::Histogram)
        .from_zero()
        .shows_from(64)
        .job(|run| jobs::binned(run, &run.input())),
    Row::pair("histogram_barrier", Slug::RaceShared)
        .of_unit(Unit::Bytes)
        .sizes(0, 4096)
        .reads(sample::FILE)
        .from_zero()
        .shows_from(64)
        .job(|run| jobs::binned(run, &run.input())),
    Row::pair("filter", Slug::RaceGlobal)
        .of_unit(Unit::Bytes)
        .ladder(&["filter_shared", "filter_warp", "filter_groups", "filter_scan", "filter_lookback", "filter_tiles"])
        .charts(&[Metric::Sum(Counter::AtomicOperations)])
        .sizes(0, 4096)
        .figure("every filter against the share of elements kept")
        .reads(sample::FILE)
        .gpu(GPU)
        .peer(Peer::SelectIf)
        .from_zero()
        .shows_from(64)
        .job(|run| jobs::filtered(run, &input::above_average(&run.input()))),
    Row::wrong_result_pair("filter_activemask")
        .of_unit(Unit::Bytes)
        .sizes(0, 4096)
        .reads(sample::FILE)
        .from_zero()
        .shows_from(64)
        .job(|run| jobs::scattered(run, &input::above_average(&run.input()))),
];

/// What is added up behind a lock.
fn few(run: &Run) -> Vec<i32> {
    Values::seeded(7).ints(run.size(), -5, 14)
}

/// Both signs, and a NaN here and there.
fn floats(n: usize) -> Vec<f32> {
    let spread = Values::seeded(5).floats(n).into_iter().map(|value| 2000.0 * value - 1000.0);
    spread.enumerate().map(|(i, value)| if i % 7 == 3 { f32::NAN } else { value }).collect()
}
