//! Lesson 05: a kernel can launch kernels, and cannot wait for them.
//! Run: cargo run -p lesson05-dynamic-parallelism      Look for: which launch each finding names.
//! Draw: cargo run -p lesson05-dynamic-parallelism --bin mandelbrot -- --help

use common::check::{self, Values};
use common::{Failure, Lesson, device_runtime};
use lesson05_dynamic_parallelism::plane::{View, max_dwell};
use lesson05_dynamic_parallelism::reference::{self, Division};
use lesson05_dynamic_parallelism::{DEVICE_RUNTIME, KERNELS, ROWS, children, set, sort};

fn main() -> Result<(), Failure> {
    device_runtime::carry(DEVICE_RUNTIME);
    let lesson = Lesson::start("lesson05", KERNELS, ROWS)?;

    a_thread_a_pixel(&lesson)?;
    a_border_first(&lesson)?;
    a_grid_for_each_part(&lesson)?;
    parents_and_children(&lesson)?;
    when_a_launch_fails(&lesson)?;
    as_the_data_wants(&lesson)?;
    lesson.finish()
}

/// Blocks cover more than the image.
fn a_thread_a_pixel(lesson: &Lesson) -> anyhow::Result<()> {
    for kernel in lesson.pair("mandelbrot")? {
        lesson.trial(&kernel, |run| {
            let view = View::of_pixels(run.size());
            let most = max_dwell(run.size());
            let expected = reference::mandelbrot(&view, most);
            run.moves(size_of_val(&expected[..]) as u64);
            run.each(|| check::equal(&set::by_pixel(run, &view, most)?, &expected))
        })?;
    }
    Ok(())
}

/// What the pixels of a border have in common.
fn a_border_first(lesson: &Lesson) -> anyhow::Result<()> {
    for kernel in lesson.pair("border_dwell")? {
        lesson.trial(&kernel, |run| {
            let (width, blocks) = (run.size().div_ceil(8), 8);
            let plane = View::around(-0.5, 0.0, 2.0, width, 3 * blocks).plane;
            let most = max_dwell(run.size());
            let expected = reference::borders(plane, width, blocks, most);
            run.each(|| check::equal(&set::borders(run, plane, width, blocks, most)?, &expected))
        })?;
    }
    Ok(())
}

/// Mariani and Silver: pixel for pixel as on the CPU. Small pictures are divided more finely, or nothing would be divided.
fn a_grid_for_each_part(lesson: &Lesson) -> anyhow::Result<()> {
    for kernel in lesson.kernels("mariani_silver")? {
        lesson.trial(&kernel, |run| {
            let view = View::of_pixels(run.size());
            let division = match view.width.min(view.height) {
                side @ ..1024 => Division { first: side.clamp(1, 4), min_size: 4, max_depth: 4 },
                _ => Division::SLIDE,
            };
            let most = max_dwell(run.size());
            let each = reference::mandelbrot(&view, most);
            let expected = reference::mariani_silver(&view, &each, division);
            run.moves(size_of_val(&expected.dwells[..]) as u64);
            run.each(|| {
                let picture = set::by_division(run, &view, division, most)?;
                check::equal(&picture.dwells, &expected.dwells)?;
                check::equal(&picture.depths, &expected.depths)
            })
        })?;
    }
    Ok(())
}

/// What a parent may expect of its child, and what a child of its parent.
fn parents_and_children(lesson: &Lesson) -> anyhow::Result<()> {
    for kernel in lesson.pair("child_result")? {
        lesson.trial(&kernel, |run| {
            let n = u32::try_from(run.size())?;
            let expected = reference::sum_of_squares(n);
            run.each(|| check::equal_value(children::sum_of_squares(run, n)?, expected))
        })?;
    }
    for kernel in lesson.pair("child_pointer")? {
        lesson.trial(&kernel, |run| {
            let input = Values::seeded(6).ints(run.size().next_multiple_of(64), -1000, 1000);
            let expected = reference::reversed_blocks(&input);
            run.each(|| check::equal(&children::reversed_blocks(run, &input)?, &expected))
        })?;
    }
    for kernel in lesson.kernels("child_wait")? {
        lesson.trial(&kernel, |run| run.each(|| check::equal_value(children::doubled(run)?, 42)))?;
    }
    Ok(())
}

/// An error that nobody asks for.
fn when_a_launch_fails(lesson: &Lesson) -> anyhow::Result<()> {
    for kernel in lesson.pair("launch_error")? {
        lesson.trial(&kernel, |run| {
            let threads = run.size();
            run.each(|| {
                let (counted, error) = children::count_up(run, threads)?;
                check::equal(&counted, &vec![0; threads])?;
                // cudaErrorInvalidConfiguration, if anybody asked.
                check::equal_value(error, if kernel.is_broken() { 0 } else { 9 })
            })
        })?;
    }
    Ok(())
}

/// How deep it goes depends on the values.
fn as_the_data_wants(lesson: &Lesson) -> anyhow::Result<()> {
    for kernel in lesson.kernels("quicksort")? {
        lesson.trial(&kernel, |run| {
            let input = Values::seeded(7).ints(run.size(), -100_000, 100_000);
            let expected = reference::sorted(&input);
            run.each(|| check::equal(&sort::sorted(run, &input)?, &expected))
        })?;
    }
    Ok(())
}
