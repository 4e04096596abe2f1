//! Lesson 02: a barrier is an order, not a delay.
//! Run: cargo run -p lesson02-sync      Look for: which two lines each broken kernel leaves unordered.

use common::check::{self, Values};
use common::{Failure, Lesson};
use lesson02_sync::{KERNELS, ROWS, barrier, block_sum, flag, reference, reverse};

fn main() -> Result<(), Failure> {
    let lesson = Lesson::start("lesson02", KERNELS, ROWS)?;

    inside_a_block(&lesson)?;
    between_blocks(&lesson)?;
    in_a_branch(&lesson)?;
    by_a_flag(&lesson)?;
    lesson.finish()
}

/// __syncthreads() between a store and another thread's load, once or in every round.
fn inside_a_block(lesson: &Lesson) -> anyhow::Result<()> {
    for kernel in lesson.pair("reverse")? {
        lesson.trial(&kernel, |run| {
            let input = check::ramp(run.size());
            let expected = reference::reversed(&input);
            run.each(|| check::equal(&reverse::in_one_block(run, &input)?, &expected))
        })?;
    }
    for kernel in lesson.pair("block_sum")? {
        lesson.trial(&kernel, |run| {
            let input = Values::seeded(2).ints(run.size(), -1000, 1000);
            let expected = reference::sums(&input, block_sum::BLOCK);
            run.moves(size_of_val(&input[..]) as u64);
            run.each(|| check::equal(&block_sum::sums(run, &input)?, &expected))
        })?;
    }
    Ok(())
}

/// No barrier reaches beyond its block; the end of a kernel does.
fn between_blocks(lesson: &Lesson) -> anyhow::Result<()> {
    for kernel in lesson.pair("globalreverse")? {
        lesson.trial(&kernel, |run| {
            let input = check::ramp(run.size());
            let expected = reference::reversed(&input);
            run.moves(4 * size_of_val(&input[..]) as u64); // Each element is read and written twice.
            run.each(|| {
                let reversed = match kernel.is_broken() {
                    true => reverse::in_one_kernel(run, &input)?,
                    false => reverse::in_two_kernels(run, &input)?,
                };
                check::equal(&reversed, &expected)
            })
        })?;
    }
    Ok(())
}

/// Two barriers where one is meant, and a barrier for lanes that wait elsewhere.
fn in_a_branch(lesson: &Lesson) -> anyhow::Result<()> {
    for kernel in lesson.kernels("barrier_sides")? {
        lesson.trial(&kernel, |run| {
            let input = Values::seeded(3).ints(run.size(), -1000, 1000);
            let expected = reference::smoothed(&input);
            let threads = if kernel.name == "barrier_sides_returns" { 256 } else { run.size() as u32 };
            run.each(|| check::equal(&barrier::smoothed(run, &input, threads)?, &expected))
        })?;
    }
    for kernel in lesson.pair("barrier_elsewhere")? {
        lesson.trial(&kernel, |run| {
            let input = Values::seeded(4).ints(run.size(), -1000, 1000);
            let expected = reference::sums(&input, 32);
            run.each(|| check::equal(&barrier::warp_sums(run, &input)?, &expected))
        })?;
    }
    Ok(())
}

/// A block waits for another: what the flag must bring along, and how far.
fn by_a_flag(lesson: &Lesson) -> anyhow::Result<()> {
    for kernel in [lesson.kernels("flag")?, lesson.kernels("flag_scope")?].concat() {
        lesson.trial(&kernel, |run| {
            let input = Values::seeded(5).ints(run.size(), -1000, 1000);
            let expected = reference::squares(&input);
            run.each(|| check::equal(&flag::squares(run, &input)?, &expected))
        })?;
    }
    Ok(())
}
