//! Lesson 05: a kernel can launch kernels, and cannot wait for them.
//!
//! `main.rs` tells the story, and `bin/mandelbrot.rs` draws. Here are the kernels and the table; `jobs` asks each row's
//! kernels for an answer, the files behind it say how they are launched with `cust`, and `reference` what the answer is.

use common::check::Values;
use common::words::Catalogue;
use common::{Row, Slug, Unit};
use plane::{View, max_dwell};
use reference::Division;
use set::Shape;

/// `say!("key", name = value)`: this lesson's own words, in the reader's language. Also for `bin/`.
#[macro_export]
macro_rules! say {
    ($($rest:tt)+) => { common::words::say!($crate::WORDS, common::words::Language::current(), $($rest)+) };
}

/// From `messages/`.
pub static WORDS: Catalogue = common::words::catalogue!["lesson"];

pub mod children;
pub mod draw;
pub mod jobs;
pub mod plane;
pub mod reference;
pub mod set;
pub mod sort;

include!(concat!(env!("OUT_DIR"), "/kernels.rs"));

/// The lesson's table, in the order in which it is told. Sizes are pixels or elements. The job of a row has the same input for
/// all its kernels.
pub static ROWS: &[Row] = &[
    Row::pair("mandelbrot", Slug::OutOfBounds)
        .of_unit(Unit::Pixels)
        .sizes(10_000, 1_000)
        .gpu(4096 * 4096)
        .isolated()
        .job(|run| jobs::drawn(run, View::of_pixels(run.size()), max_dwell(run.size()))),
    Row::pair("border_dwell", Slug::RaceShared).of_unit(Unit::Pixels).sizes(4_000, 500).job(|run| {
        let (width, blocks) = (run.size().div_ceil(8), 8);
        let plane = View::around(-0.5, 0.0, 2.0, width, 3 * blocks).plane;
        jobs::looked_along(run, plane, width, blocks, max_dwell(run.size()))
    }),
    Row::of("mariani_silver")
        .of_unit(Unit::Pixels)
        .correct(&["mariani_silver_correct"])
        .sizes(65_536, 1_600)
        .seeds(16)
        .gpu(4096 * 4096)
        .job(|run| {
            let view = View::of_pixels(run.size());
            jobs::divided(run, view, division(&view), max_dwell(run.size()))
        }),
    Row::of("mandelbrot_queue")
        .of_unit(Unit::Pixels)
        .correct(&["mandelbrot_queue_correct"])
        .sizes(65_536, 1_600)
        .seeds(16)
        .gpu(4096 * 4096)
        .job(|run| {
            let view = View::of_pixels(run.size());
            jobs::queued(run, view, Shape::of(&view), max_dwell(run.size()))
        }),
    Row::pair("child_result", Slug::RaceGlobal)
        .sizes(5_000, 500)
        .job(|run| jobs::squared_by_a_child(run, u32::try_from(run.size())?)),
    Row::pair("child_pointer", Slug::DeviceLaunch).sizes(4096, 512).isolated().job(|run| {
        jobs::reversed_by_children(run, &Values::seeded(6).ints(run.size().next_multiple_of(64), -1000, 1000))
    }),
    Row::pair("launch_error", Slug::DeviceLaunch)
        .of_unit(Unit::Threads)
        .fixed(1025)
        .job(|run| jobs::counted_by_a_child(run, run.size())),
    Row::of("child_wait").compile_fail(REFUSED).correct(&["child_wait_correct"]).fixed(1).job(jobs::doubled),
    Row::of("quicksort")
        .correct(&["quicksort_correct"])
        .sizes(5_000, 300)
        .seeds(16)
        .job(|run| jobs::sorted(run, &Values::seeded(7).ints(run.size(), -100_000, 100_000))),
];

/// Small pictures are divided more finely than on the slide, or nothing would be divided.
fn division(view: &View) -> Division {
    match view.width.min(view.height) {
        side @ ..1024 => Division { first: side.clamp(1, 4), min_size: 4, max_depth: 4 },
        _ => Division::SLIDE,
    }
}
