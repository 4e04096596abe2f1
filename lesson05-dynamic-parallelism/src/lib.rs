//! Lesson 05: a kernel can launch kernels, and cannot wait for them.
//!
//! `main.rs` tells the story, `bin/mandelbrot.rs` draws, and each topic has its file: its rows, what their kernels are
//! asked, and how they are launched with `cust`. `reference` has the answers, computed the slow way.

use common::Row;

// Before the others, which use its macro.
#[macro_use]
mod speech;

pub mod children;
pub mod draw;
pub mod plane;
pub mod reference;
pub mod set;
pub mod sort;

pub use speech::WORDS;

include!(concat!(env!("OUT_DIR"), "/kernels.rs"));

/// Every row, in the order in which the lesson tells them.
pub static ROWS: &[Row] = &[
    set::MANDELBROT,
    set::BORDER_DWELL,
    set::MARIANI_SILVER,
    set::MANDELBROT_QUEUE,
    children::CHILD_RESULT,
    children::CHILD_POINTER,
    children::LAUNCH_ERROR,
    children::CHILD_WAIT,
    sort::QUICKSORT,
];
