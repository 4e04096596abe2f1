//! Lesson 05: a kernel can launch kernels, and cannot wait for them.
//! Run: cargo run -p lesson05-dynamic-parallelism      Look for: which launch each finding names.
//! Draw: cargo run -p lesson05-dynamic-parallelism --bin mandelbrot -- --help
//!
//! A row is one job for several kernels, broken ones first: the same input, the same launch, and two questions, kept
//! apart. Is the answer right, and is it right by design? Each row is whole in the file of its topic, as `MANDELBROT`
//! in `set.rs`.

use common::{Failure, Lesson, device_runtime};
use lesson05_dynamic_parallelism::{DEVICE_RUNTIME, KERNELS, ROWS, children, set, sort};

fn main() -> Result<(), Failure> {
    device_runtime::carry(DEVICE_RUNTIME);
    let lesson = Lesson::start("lesson05", KERNELS, ROWS)?;

    // A thread a pixel: blocks cover more than the image.
    lesson.run(&set::MANDELBROT)?;

    // A border first: what its pixels have in common.
    lesson.run(&set::BORDER_DWELL)?;

    // A grid for each part: Mariani and Silver's method, pixel for pixel as on the CPU.
    lesson.run(&set::MARIANI_SILVER)?;

    // That method without launches by kernels: a queue, and borders that rectangles share.
    lesson.run(&set::MANDELBROT_QUEUE)?;

    // Parents and children: what a parent may expect of its child, and what a child of its parent.
    lesson.run(&children::CHILD_RESULT)?;
    lesson.run(&children::CHILD_POINTER)?;
    lesson.run(&children::CHILD_WAIT)?;

    // When a launch fails: an error that nobody asks for.
    lesson.run(&children::LAUNCH_ERROR)?;

    // As the data wants: how deep it goes depends on the values.
    lesson.run(&sort::QUICKSORT)?;

    lesson.finish()
}
