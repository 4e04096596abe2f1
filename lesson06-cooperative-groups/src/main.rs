//! Lesson 06: say who takes part. Run: cargo run -p lesson06-cooperative-groups      Look for: which barrier waits for
//! whom, and what a launch must promise.
//!
//! A row is one job for several kernels, broken ones first: the same input, the same launch, and two questions, kept
//! apart. Is the answer right, and is it right by design? Each row is whole in the file of its topic, as `REDUCE_SUM`
//! in `reduce.rs`.

use common::{Failure, Lesson};
use lesson06_cooperative_groups::{KERNELS, ROWS, copies, costs, groups, names, reduce, reverse, sum};
use std::sync::Mutex;

fn main() -> Result<(), Failure> {
    let lesson = Lesson::start("lesson06", KERNELS, ROWS)?;

    // Sums of a group: one function for any group, and the sum of a long vector made with it.
    lesson.run(&reduce::REDUCE_SUM)?;
    lesson.run(&sum::SUM_KERNEL_BLOCK)?;
    lesson.run(&sum::SUM_UNIFIED)?;

    // Barriers of a block: six spellings that are one barrier, and those that are gone.
    lesson.run(&groups::BLOCK_BARRIER)?;

    // And what barriers cost, by how many threads they wait for.
    lesson.run(&costs::BARRIER_COST)?;

    // The names of a thread: rank, size and place, in blocks, tiles and the grid.
    lesson.run(&names::NAMES)?;

    // Parts of a group: tiles, the threads that are together, two halves, many labels; and one atomic for all of a
    // group.
    lesson.run(&groups::PARTITION)?;
    lesson.run(&groups::AGG_INC)?;

    // Copies that a group starts, and has to wait for.
    lesson.run(&copies::ASYNC_COPY)?;

    the_whole_grid(&lesson)?;
    lesson.finish()
}

/// A barrier for all blocks, and the launch that it needs.
fn the_whole_grid(lesson: &Lesson) -> anyhow::Result<()> {
    for kernel in lesson.kernels(&reverse::GRID_REVERSE)? {
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
