//! Lesson 01: the same bytes in fewer loads.
//!
//! `main.rs` tells the story. Here are its kernels and its table; `jobs` asks each row's kernels for an answer, the
//! files behind it say how they are launched with `cust`, and `reference` what the answer is.

use common::check::Values;
use common::words::Catalogue;
use common::{Counter, Expect, Metric, Ratio, Row, Run, Slug};

/// `say!("key", name = value)`: this lesson's own words, in the reader's language.
macro_rules! say {
    ($($rest:tt)+) => { common::words::say!($crate::WORDS, common::words::Language::current(), $($rest)+) };
}

/// From `messages/`.
pub static WORDS: Catalogue = common::words::catalogue!["lesson"];

pub mod access;
pub mod copy;
pub mod figure;
pub mod jobs;
pub mod reference;

include!(concat!(env!("OUT_DIR"), "/kernels.rs"));

/// Ints for timing on a GPU: 1 GiB.
const GPU: usize = 1 << 28;

const UNDEFINED: Expect = Expect::Finding(Slug::UndefinedValue);

/// The lesson's table, in the order in which it is told. The job of a row has the same input for all its kernels.
pub static ROWS: &[Row] = &[
    Row::pair("copy", Slug::OutOfBounds)
        .sizes(300_000, 1000)
        .from_zero()
        .shows_from(0)
        .isolated()
        .job(|run| jobs::copied(run, &with_a_rest(run), 0)),
    Row::pair("int2_tail", Slug::UndefinedValue)
        .broken(&[("int2_tail_slide", UNDEFINED)])
        .sizes(300_000, 257)
        .from_zero()
        .shows_from(257)
        .job(|run| jobs::copied(run, &with_a_rest(run), 0)),
    Row::pair("int4_tail", Slug::UndefinedValue)
        .sizes(600_000, 515)
        .from_zero()
        .shows_from(515)
        .job(|run| jobs::copied(run, &with_a_rest(run), 0)),
    Row::pair("int4_offset", Slug::Misaligned)
        .sizes(300_000, 1000)
        .from_zero()
        .shows_from(4)
        .isolated()
        .job(|run| jobs::copied(run, &ints(2, run.size()), 1)),
    Row::of("ladder")
        .ladder(&["ladder_int", "ladder_int2", "ladder_int4", "ladder_each", "ladder_four"])
        .sizes(1 << 20, 4099)
        .gpu(GPU)
        .from_zero()
        .charts(&[
            Metric::Sum(Counter::GlobalLoads),
            Metric::Sum(Counter::LoopIterations),
            Metric::Per(Ratio::LoadBytesPerRequest),
            Metric::Per(Ratio::LoadSectorsPerRequest),
        ])
        .figure("sectors and bytes of a load, by width, stride and offset")
        .job(|run| {
            run.moves(8 * run.size() as u64); // Each int is read and written.
            jobs::copied(run, &ints(3, run.size()), 0)
        }),
    Row::of("access")
        .correct(&["access_strided", "access_offset"])
        .sizes(1 << 14, 1000)
        .from_zero()
        .figure("sectors and bytes of a load, by width, stride and offset")
        .job(|run| jobs::read(run, Values::seeded(4), access::distances(&run.kernel().name))),
];

fn ints(seed: u64, n: usize) -> Vec<i32> {
    Values::seeded(seed).ints(n, i32::MIN, i32::MAX)
}

/// So many that the row's broken kernels leave some over.
fn with_a_rest(run: &Run) -> Vec<i32> {
    ints(1, copy::with_a_rest(run.kernel().row.name, run.size()))
}
