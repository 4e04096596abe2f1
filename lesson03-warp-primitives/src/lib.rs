//! Lesson 03: what the threads of a warp can tell each other, and who is there to hear it.
//!
//! `main.rs` tells the story. Here are its kernels and its table; `jobs` asks each row's kernels for an answer, the
//! files behind it say how they are launched with `cust`, and `reference` what the answer is.

use common::check::{self, Values};
use common::words::Catalogue;
use common::{Peer, Row, Run, Slug, Unit};

/// `say!("key", name = value)`: this lesson's own words, in the reader's language.
macro_rules! say {
    ($($rest:tt)+) => { common::words::say!($crate::WORDS, common::words::Language::current(), $($rest)+) };
}

/// From `messages/`.
pub static WORDS: Catalogue = common::words::catalogue!["lesson"];

pub mod blocks;
pub mod exchange;
pub mod jobs;
pub mod members;
pub mod pictures;
pub mod reference;
pub mod warps;

include!(concat!(env!("OUT_DIR"), "/kernels.rs"));

/// Threads of a warp.
pub const WARP: usize = 32;

/// Elements for timing on a GPU: enough that a launch lasts far longer than its start.
const GPU: usize = 100_000_000;

/// The lesson's table, in the order in which it is told. The job of a row has the same input for all its kernels.
pub static ROWS: &[Row] = &[
    Row::pair("exchange", Slug::AbsentLane)
        .correct(exchange::EACH)
        .fixed(WARP)
        .seeds(8)
        // Every lane holds another value, so that a wrong source shows.
        .job(|run| jobs::exchanged(run, &std::array::from_fn(|lane| 1000 + 7 * lane as i32))),
    Row::pair("vote", Slug::MaskMismatch)
        .correct(members::VOTES)
        .fixed(WARP)
        .seeds(8)
        .isolated()
        // Nobody wants, one wants, two want.
        .job(|run| jobs::voted(run, &members::ballots(1), &members::spread(&[0, 0x80, 0x4000_0080]))),
    Row::of("match")
        .correct(members::MATCHES)
        .fixed(WARP)
        .seeds(8)
        // From one kind of value to so many that hardly two lanes agree.
        .job(|run| jobs::matched(run, &[1, 2, 5, 64, 1000].map(|kinds| members::groups(kinds, 40, kinds)))),
    Row::of("redux").correct(members::REDUCTIONS).fixed(WARP).seeds(8).from_capability(8).job(|run| {
        let (members, _) = members::groups(7, 100, 2);
        jobs::reduced(run, &members, &members::held(8, members.len()))
    }),
    Row::of("pre_volta")
        .compile_fail(REFUSED)
        .correct(&["pre_volta_correct"])
        .sizes(100_000, 1000)
        .from_zero()
        .job(|run| jobs::ticketed(run, &members::one_in(3, 9, run.size()))),
    Row::pair("warp_sum", Slug::AbsentLane)
        .ladder(&["warp_sum_full"])
        .sizes(4096, 256)
        .from_zero()
        .job(|run| jobs::warp_sums(run, &ints(run))),
    Row::wrong_result_pair("all_reduce").sizes(4096, 256).from_zero().job(|run| jobs::sums_everywhere(run, &ints(run))),
    Row::pair("ballot_sum", Slug::AbsentLane).fixed(20).job(|run| jobs::ballot_sums(run, &ints(run))),
    Row::pair("activemask_sum", Slug::AbsentLane)
        .ladder(&["activemask_sum_ballot"])
        .fixed(64)
        .job(|run| jobs::activemask_sums(run, &starts(run), |_| ())),
    Row::pair("transpose", Slug::RaceShared)
        .of_unit(Unit::Floats)
        .sizes(4096, 256)
        .from_zero()
        .job(|run| jobs::transposed(run, &Values::seeded(5).floats(run.size()))),
    Row::pair("lockstep_sum", Slug::RaceShared)
        .ladder(&["lockstep_sum_shuffle"])
        .sizes(4096, 256)
        .from_zero()
        .job(|run| jobs::warp_sums(run, &ints(run))),
    Row::pair("block_reduce_sum", Slug::RaceShared)
        .sizes(1 << 16, 1024)
        .from_zero()
        .job(|run| jobs::block_sums(run, &ints(run), 256)),
    Row::wrong_result_pair("block_reduce_tail").fixed(100).job(|run| jobs::tail_sum(run, &check::ramp(run.size()))),
    Row::pair("device_reduce", Slug::UndefinedValue)
        .sizes(100_000, 4096)
        .gpu(GPU)
        .peer(Peer::Sum)
        .from_zero()
        .job(|run| jobs::device_sum(run, &Values::seeded(6).ints(run.size(), -5, 14))),
];

fn ints(run: &Run) -> Vec<i32> {
    Values::seeded(2).ints(run.size(), -1000, 1000)
}

/// Where the threads of `activemask_sum` start to count their steps.
pub fn starts(run: &Run) -> Vec<u32> {
    Values::seeded(4).ints(run.size(), 1, 10_000).iter().map(|&x| x as u32).collect()
}
