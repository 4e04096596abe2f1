//! Lesson 05: a kernel can launch kernels, and cannot wait for them.
//!
//! `main.rs` tells the story, and `bin/mandelbrot.rs` draws. Here are the kernels and the table; each module below says how
//! one job is launched with `cust`, and `reference` what its answer is.

use common::{Row, Slug};

pub mod children;
pub mod draw;
pub mod plane;
pub mod reference;
pub mod set;
pub mod sort;

include!(concat!(env!("OUT_DIR"), "/kernels.rs"));

/// The lesson's table, in the order in which it is told. Sizes are pixels or elements.
pub static ROWS: &[Row] = &[
    Row::pair("mandelbrot", Slug::OutOfBounds).sizes(10_000, 1_000).gpu(4096 * 4096).isolated(),
    Row::pair("border_dwell", Slug::RaceShared).sizes(4_000, 500),
    Row::of("mariani_silver").correct(&["mariani_silver_correct"]).sizes(65_536, 1_600).seeds(16).gpu(4096 * 4096),
    Row::pair("child_result", Slug::RaceGlobal).sizes(5_000, 500),
    Row::pair("child_pointer", Slug::DeviceLaunch).sizes(4096, 512).isolated(),
    Row::pair("launch_error", Slug::DeviceLaunch).fixed(1025),
    Row::of("child_wait").compile_fail(REFUSED).correct(&["child_wait_correct"]).fixed(1),
    Row::of("quicksort").correct(&["quicksort_correct"]).sizes(5_000, 300).seeds(16),
];
