//! Lesson 03: what the threads of a warp can tell each other, and who is there to hear it.
//! Run: cargo run -p lesson03-warp-primitives      Look for: `absent-lane`, and who was absent.
//!
//! A row is one job for several kernels, broken ones first: the same input, the same launch, and two questions, kept
//! apart. Is the answer right, and is it right by design? Each row is whole in the file of its topic, as `WARP_SUM` in
//! `warps.rs`.

use common::{Failure, Lesson};
use lesson03_warp_primitives::pictures::{self, Masks};
use lesson03_warp_primitives::{KERNELS, ROWS, blocks, catalogue, there, tickets, warps};
use std::sync::{Mutex, PoisonError};

fn main() -> Result<(), Failure> {
    let lesson = Lesson::start("lesson03", KERNELS, ROWS)?;

    // Which lane reads which, and which says what: every shuffle, vote, match and reduction, and what the first masks
    // replaced.
    catalogue::run(&lesson)?;
    lesson.run(&tickets::PRE_VOLTA)?;

    sums_of_a_warp(&lesson)?;
    who_is_there(&lesson)?;

    // Memory is not ordered: lanes that trade through shared memory instead of registers.
    lesson.run(&warps::TRANSPOSE)?;
    lesson.run(&warps::LOCKSTEP_SUM)?;

    // Beyond the warp: shuffles end there. Sums of a block, and of a grid.
    lesson.run(&blocks::BLOCK_REDUCE_SUM)?;
    lesson.run(&blocks::BLOCK_REDUCE_TAIL)?;
    lesson.run(&blocks::DEVICE_REDUCE)?;

    lesson.finish()
}

/// A tree of shuffles, and a butterfly.
fn sums_of_a_warp(lesson: &Lesson) -> anyhow::Result<()> {
    for kernel in lesson.kernels(&warps::WARP_SUM)? {
        lesson.run_kernel(&kernel)?;
        if kernel.is_broken() {
            lesson.say_of(&kernel, pictures::half_warp());
        }
    }
    lesson.run(&warps::ALL_REDUCE)
}

/// Fewer elements than threads: a mask must name those who come, and the tree must ask nobody else.
fn who_is_there(lesson: &Lesson) -> anyhow::Result<()> {
    for kernel in lesson.kernels(&there::BALLOT_SUM)? {
        lesson.run_kernel(&kernel)?;
        if kernel.is_broken() {
            lesson.say_of(&kernel, pictures::twenty_lanes());
        }
    }
    for kernel in lesson.kernels(&there::ACTIVEMASK_SUM)? {
        let masks = Mutex::new(Masks::default());
        let keep = |seen: &[u32]| masks.lock().unwrap_or_else(PoisonError::into_inner).add(seen);
        lesson.trial(&kernel, |run| {
            // Runs beside the trial's own, such as attempts at smaller ones, are left out of the picture.
            there::activemask_sums(run, &there::starts(run), |seen| {
                if !run.is_extra() {
                    keep(seen);
                }
            })
        })?;
        if kernel.is_broken() {
            lesson.say_of(&kernel, masks.into_inner().unwrap_or_else(PoisonError::into_inner).told());
        }
    }
    Ok(())
}
