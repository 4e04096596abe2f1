//! What the kernels of a row are asked: the CPU's answer, and whether the device gives the same.

use crate::{barrier, block_sum, flag, reference, reverse};
use common::{Run, check};

/// `reverse`.
pub fn reversed_in_a_block(run: &Run, input: &[i32]) -> anyhow::Result<()> {
    let expected = reference::reversed(input);
    run.each(|| check::equal(&reverse::in_one_block(run, input)?, &expected))
}

/// `block_sum`.
pub fn summed_by_block(run: &Run, input: &[i32]) -> anyhow::Result<()> {
    let expected = reference::sums(input, block_sum::BLOCK);
    run.moves(size_of_val(input) as u64);
    run.each(|| check::equal(&block_sum::sums(run, input)?, &expected))
}

/// `globalreverse`: the correct kernel is the second of two.
pub fn reversed_by_a_grid(run: &Run, input: &[i32]) -> anyhow::Result<()> {
    let expected = reference::reversed(input);
    run.moves(4 * size_of_val(input) as u64); // Each element is read and written twice.
    run.each(|| {
        let reversed = match run.kernel().is_broken() {
            true => reverse::in_one_kernel(run, input)?,
            false => reverse::in_two_kernels(run, input)?,
        };
        check::equal(&reversed, &expected)
    })
}

/// `barrier_sides`: where threads may return before the barrier there are `spare` more of them than elements.
pub fn smoothed(run: &Run, input: &[i32], spare: usize) -> anyhow::Result<()> {
    let expected = reference::smoothed(input);
    let spare = if run.kernel().name == "barrier_sides_returns" { spare } else { 0 };
    let threads = (input.len() + spare).min(256) as u32;
    run.each(|| check::equal(&barrier::smoothed(run, input, threads)?, &expected))
}

/// `barrier_elsewhere`.
pub fn summed_by_warp(run: &Run, input: &[i32]) -> anyhow::Result<()> {
    let expected = reference::sums(input, 32);
    run.each(|| check::equal(&barrier::warp_sums(run, input)?, &expected))
}

/// `flag` and `flag_scope`.
pub fn squared_elsewhere(run: &Run, input: &[i32]) -> anyhow::Result<()> {
    let expected = reference::squares(input);
    run.each(|| check::equal(&flag::squares(run, input)?, &expected))
}
