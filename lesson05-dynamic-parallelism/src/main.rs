//! Lesson 05: a kernel can launch kernels, and cannot wait for them.
//! Run: cargo run -p lesson05-dynamic-parallelism      Look for: which launch each finding names.
//! Draw: cargo run -p lesson05-dynamic-parallelism --bin mandelbrot -- --help
//!
//! A row of the table in `lib.rs` is one job for several kernels, broken ones first: the same input, the same launch, and
//! two questions, kept apart. Is the answer right, and is it right by design?

use common::{Failure, Lesson, device_runtime};
use lesson05_dynamic_parallelism::{DEVICE_RUNTIME, KERNELS, ROWS};

fn main() -> Result<(), Failure> {
    device_runtime::carry(DEVICE_RUNTIME);
    let lesson = Lesson::start("lesson05", KERNELS, ROWS)?;

    // A thread a pixel: blocks cover more than the image.
    lesson.run("mandelbrot")?;

    // A border first: what its pixels have in common.
    lesson.run("border_dwell")?;

    // A grid for each part: Mariani and Silver's method, pixel for pixel as on the CPU.
    lesson.run("mariani_silver")?;

    // The same without launches by kernels: a queue, and borders that rectangles share.
    lesson.run("mandelbrot_queue")?;

    // Parents and children: what a parent may expect of its child, and what a child of its parent.
    lesson.run("child_result")?;
    lesson.run("child_pointer")?;
    lesson.run("child_wait")?;

    // When a launch fails: an error that nobody asks for.
    lesson.run("launch_error")?;

    // As the data wants: how deep it goes depends on the values.
    lesson.run("quicksort")?;

    lesson.finish()
}
