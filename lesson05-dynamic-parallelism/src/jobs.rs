//! What the kernels of a row are asked: the CPU's answer, and whether the device gives the same.

use crate::plane::{Plane, View};
use crate::reference::{self, Division};
use crate::set::Shape;
use crate::{children, set, sort};
use common::{Run, check};

/// `mandelbrot`.
pub fn drawn(run: &Run, view: View, most: i32) -> anyhow::Result<()> {
    let expected = reference::mandelbrot(&view, most);
    run.moves(size_of_val(&expected[..]) as u64);
    run.each(|| check::equal(&set::by_pixel(run, &view, most)?, &expected))
}

/// `border_dwell`: what the pixels of a border have in common, for each of some blocks.
pub fn looked_along(run: &Run, plane: Plane, width: usize, blocks: usize, most: i32) -> anyhow::Result<()> {
    let expected = reference::borders(plane, width, blocks, most);
    run.each(|| check::equal(&set::borders(run, plane, width, blocks, most)?, &expected))
}

/// `mariani_silver`: pixel for pixel as on the CPU, and each by a grid of the same depth.
pub fn divided(run: &Run, view: View, division: Division, most: i32) -> anyhow::Result<()> {
    let expected = reference::mariani_silver(&view, &reference::mandelbrot(&view, most), division);
    run.moves(size_of_val(&expected.dwells[..]) as u64);
    run.each(|| {
        let picture = set::by_division(run, &view, division, most)?;
        check::equal(&picture.dwells, &expected.dwells)?;
        check::equal(&picture.depths, &expected.depths)
    })
}

/// `mandelbrot_queue`: pixel for pixel as the same method gives it on the CPU.
pub fn queued(run: &Run, view: View, shape: Shape, most: i32) -> anyhow::Result<()> {
    let expected = reference::by_boxes(&view, &reference::mandelbrot(&view, most), shape.tile as usize);
    run.moves(size_of_val(&expected[..]) as u64);
    run.each(|| check::equal(&set::by_queue(run, &view, shape, most)?, &expected))
}

/// `child_result`.
pub fn squared_by_a_child(run: &Run, n: u32) -> anyhow::Result<()> {
    let expected = reference::sum_of_squares(n);
    run.each(|| check::equal_value(children::sum_of_squares(run, n)?, expected))
}

/// `child_pointer`: `input` is whole blocks of 64.
pub fn reversed_by_children(run: &Run, input: &[i32]) -> anyhow::Result<()> {
    let expected = reference::reversed_blocks(input);
    run.each(|| check::equal(&children::reversed_blocks(run, input)?, &expected))
}

/// `launch_error`: a child of so many threads, which may be too many for a block.
pub fn counted_by_a_child(run: &Run, threads: usize) -> anyhow::Result<()> {
    let fits = threads <= 1024;
    let expected: Vec<i32> = (1..=threads as i32).map(|i| if fits { i } else { 0 }).collect();
    // cudaErrorInvalidConfiguration, if anybody asked.
    let code = if fits || run.kernel().is_broken() { 0 } else { 9 };
    run.each(|| {
        let (counted, error) = children::count_up(run, threads)?;
        check::equal(&counted, &expected)?;
        check::equal_value(error, code)
    })
}

/// `child_wait`.
pub fn doubled(run: &Run) -> anyhow::Result<()> {
    run.each(|| check::equal_value(children::doubled(run)?, 42))
}

/// `quicksort`.
pub fn sorted(run: &Run, input: &[i32]) -> anyhow::Result<()> {
    let expected = reference::sorted(input);
    run.each(|| check::equal(&sort::sorted(run, input)?, &expected))
}
