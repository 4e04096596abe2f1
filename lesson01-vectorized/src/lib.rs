//! Lesson 01: the same bytes in fewer loads.
//!
//! `main.rs` tells the story. Here are its kernels and its table; each module below says how one job is
//! launched with `cust`, and `reference` what its answer is.

use common::{Counter, Expect, Metric, Ratio, Row, Slug};

pub mod access;
pub mod copy;
pub mod figure;
pub mod reference;

include!(concat!(env!("OUT_DIR"), "/kernels.rs"));

/// Ints for timing on a GPU: 1 GiB.
const GPU: usize = 1 << 28;

const UNDEFINED: Expect = Expect::Finding(Slug::UndefinedValue);

/// The lesson's table, in the order in which it is told.
pub static ROWS: &[Row] = &[
    Row::pair("copy", Slug::OutOfBounds).sizes(300_000, 1000).from_zero().shows_from(0).isolated(),
    Row::pair("int2_tail", Slug::UndefinedValue)
        .broken(&[("int2_tail_slide", UNDEFINED)])
        .sizes(300_000, 257)
        .from_zero()
        .shows_from(257),
    Row::pair("int4_tail", Slug::UndefinedValue).sizes(600_000, 515).from_zero().shows_from(515),
    Row::pair("int4_offset", Slug::Misaligned).sizes(300_000, 1000).from_zero().shows_from(4).isolated(),
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
        .figure("sectors and bytes of a load, by width, stride and offset"),
    Row::of("access")
        .correct(&["access_strided", "access_offset"])
        .sizes(1 << 14, 1000)
        .from_zero()
        .figure("sectors and bytes of a load, by width, stride and offset"),
];
