//! Lesson 06: say who takes part.
//! Run: cargo run -p lesson06-cooperative-groups      Look for: which barrier waits for whom, and what a launch must promise.
//!
//! A row of the table in `lib.rs` is one job for several kernels, broken ones first: the same input, the same launch, and
//! two questions, kept apart. Is the answer right, and is it right by design?

use common::{Failure, Lesson};
use lesson06_cooperative_groups::{KERNELS, ROWS, reverse};
use std::sync::Mutex;

fn main() -> Result<(), Failure> {
    let lesson = Lesson::start("lesson06", KERNELS, ROWS)?;

    // Sums of a group: one function for any group, and the sum of a long vector made with it.
    lesson.run("reduce_sum")?;
    lesson.run("sum_kernel_block")?;
    lesson.run("sum_unified")?;

    // Barriers of a block: six spellings that are one barrier, and those that are gone.
    lesson.run("block_barrier")?;

    // And what barriers cost, by how many threads they wait for.
    lesson.run("barrier_cost")?;

    // Who am I? Rank, size and place, in blocks, tiles and the grid.
    lesson.run("names")?;

    // Parts of a group: tiles, the threads that are together, two halves, many labels; and one atomic for all of a group.
    lesson.run("partition")?;
    lesson.run("agg_inc")?;

    // Copies that a group starts, and has to wait for.
    lesson.run("async_copy")?;

    the_whole_grid(&lesson)?;
    lesson.finish()
}

/// A barrier for all blocks, and the launch that it needs.
fn the_whole_grid(lesson: &Lesson) -> anyhow::Result<()> {
    for kernel in lesson.kernels("grid_reverse")? {
        let (refusal, job) = (Mutex::new(None), kernel.job()?);
        lesson.trial(&kernel, |run| {
            if !kernel.is_broken() {
                *refusal.lock().expect("nobody panics with it") = Some(reverse::too_large(run)?);
            }
            job(run)
        })?;
        if let Some(refused) = refusal.into_inner().expect("nobody panics with it") {
            lesson.say(reverse::told(refused) + "\n");
        }
    }
    Ok(())
}
