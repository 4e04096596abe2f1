//! Lesson 06: say who takes part.
//!
//! `main.rs` tells the story. Here are its kernels and its table; `jobs` asks each row's kernels for an answer, the
//! files behind it say how they are launched with `cust`, and `reference` what the answer is.

use common::check::{self, Values};
use common::words::Catalogue;
use common::{Counter, Expect, Metric, Peer, Row, Run, Slug, Unit};

/// `say!("key", name = value)`: this lesson's own words, in the reader's language.
macro_rules! say {
    ($($rest:tt)+) => { common::words::say!($crate::WORDS, common::words::Language::current(), $($rest)+) };
}

/// From `messages/`.
pub static WORDS: Catalogue = common::words::catalogue!["lesson"];

pub mod copies;
pub mod costs;
pub mod groups;
pub mod jobs;
pub mod names;
pub mod reduce;
pub mod reference;
pub mod reverse;
pub mod sum;

include!(concat!(env!("OUT_DIR"), "/kernels.rs"));

/// The lesson's table, in the order in which it is told. The job of a row has the same input for all its kernels.
pub static ROWS: &[Row] = &[
    Row::pair("reduce_sum", Slug::RaceShared)
        .broken(&[("reduce_sum_once", Expect::Finding(Slug::RaceShared)), ("reduce_sum_halving", Expect::WrongResult)])
        .ladder(&["reduce_sum_tile", "reduce_sum_coalesced"])
        .sizes(9600, 384)
        .from_zero()
        .shows_from(3)
        .job(|run| jobs::summed_by_group(run, &ints(run, 1))),
    Row::of("sum_kernel_block")
        .broken(&[("sum_kernel_block_bytes", Expect::Finding(Slug::OutOfBounds))])
        .correct(&["sum_kernel_block"])
        .ladder(&["sum_kernel_tile", "sum_kernel_reduce"])
        .sizes(1 << 24, 4096)
        .seeds(16)
        .gpu(1 << 28)
        .peer(Peer::Sum)
        .from_zero()
        .shows_from(0)
        .isolated()
        .job(|run| jobs::summed(run, &ints(run, 2))),
    Row::of("sum_unified")
        .correct(&["sum_unified"])
        .sizes(1 << 20, 4096)
        .seeds(16)
        .from_zero()
        .job(|run| jobs::summed_where_it_lies(run, &ints(run, 2))),
    Row::of("block_barrier")
        .compile_fail(REFUSED)
        .correct(groups::BARRIERS)
        .fixed(1024)
        .seeds(16)
        .charts(&[
            Metric::Sum(Counter::Barriers),
            Metric::Sum(Counter::BarrierArrivals),
            Metric::Sum(Counter::Instructions),
        ])
        .job(|run| jobs::turned(run, &check::ramp(run.size()))),
    Row::of("barrier_cost")
        .of_unit(Unit::Threads)
        .correct(&["barrier_cost_none", "barrier_cost_warp", "barrier_cost_block", "barrier_cost_grid"])
        .sizes(4096, 512)
        .from_zero()
        .seeds(16)
        .charts(&[Metric::Sum(Counter::Barriers), Metric::Sum(Counter::Instructions)])
        .job(|run| jobs::stepped(run, 8)),
    Row::of("names").correct(&["names_block", "names_tile", "names_grid"]).fixed(0).seeds(8).job(jobs::named),
    Row::pair("partition", Slug::Deadlock)
        .correct(groups::PARTITIONS)
        .sizes(4096, 256)
        .from_zero()
        .seeds(32)
        .isolated()
        .job(|run| jobs::parted(run, &Values::seeded(3).ints(run.size(), 0, 1000))),
    Row::pair("agg_inc", Slug::UndefinedValue)
        .ladder(&["agg_inc_filter"])
        .sizes(1 << 16, 1024)
        .from_zero()
        .isolated()
        .job(|run| jobs::ticketed(run, &Values::seeded(4).with_positive_share(run.size(), 0.5))),
    Row::pair("async_copy", Slug::RaceShared)
        .from_capability(8)
        .broken(&[("async_copy_reused", Expect::Finding(Slug::RaceShared))])
        .ladder(&["async_copy_loads", "async_copy_stages"])
        .sizes(1 << 16, 2048)
        .gpu(100_000_000)
        .from_zero()
        .shows_from(copies::TILE + 1)
        .charts(&[
            Metric::Sum(Counter::GlobalLoads),
            Metric::Sum(Counter::AsyncCopies),
            Metric::Sum(Counter::SharedStores),
            Metric::Sum(Counter::Instructions),
        ])
        .job(|run| jobs::copied(run, &ints(run, 6))),
    Row::of("grid_reverse")
        .broken(&[("grid_reverse_ordinary", Expect::Finding(Slug::CooperativeLaunch))])
        .correct(&["grid_reverse"])
        .sizes(100_000, 1000)
        .seeds(32)
        .gpu(100_000_000)
        .from_zero()
        .shows_from(0)
        .isolated()
        .job(|run| jobs::reversed(run, &ints(run, 5))),
];

fn ints(run: &Run, seed: u64) -> Vec<i32> {
    Values::seeded(seed).ints(run.size(), -1000, 1000)
}
