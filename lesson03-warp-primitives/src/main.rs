//! Lesson 03: what the threads of a warp can tell each other, and who is there to hear it.
//! Run: cargo run -p lesson03-warp-primitives      Look for: `absent-lane`, and who was absent.
//!
//! A row of the table in `lib.rs` is one job for several kernels, broken ones first: the same input, the same launch, and
//! two questions, kept apart. Is the answer right, and is it right by design?

use common::{Failure, Lesson};
use lesson03_warp_primitives::pictures::{self, Masks};
use lesson03_warp_primitives::{KERNELS, ROWS, jobs, starts};
use std::sync::{Mutex, PoisonError};

fn main() -> Result<(), Failure> {
    let lesson = Lesson::start("lesson03", KERNELS, ROWS)?;

    who_reads_whom(&lesson)?;
    who_says_what(&lesson)?;
    sums_of_a_warp(&lesson)?;
    who_is_there(&lesson)?;

    // Memory is not ordered: lanes that trade through shared memory instead of registers.
    lesson.run("transpose")?;
    lesson.run("lockstep_sum")?;

    // Beyond the warp: shuffles end there. Sums of a block, and of a grid.
    lesson.run("block_reduce_sum")?;
    lesson.run("block_reduce_tail")?;
    lesson.run("device_reduce")?;

    lesson.finish()
}

/// Four shuffles, every distance, every width.
fn who_reads_whom(lesson: &Lesson) -> anyhow::Result<()> {
    for kernel in lesson.kernels("exchange")? {
        lesson.run_kernel(&kernel)?;
        match kernel.name.as_str() {
            "exchange_broken" => lesson.say_of(&kernel, pictures::neighbours()),
            "exchange_correct" => {}
            each => lesson.say(pictures::shuffle(each)),
        }
    }
    Ok(())
}

/// One question to the lanes of a mask: votes, groups, reductions; and what the first masks replaced.
fn who_says_what(lesson: &Lesson) -> anyhow::Result<()> {
    for kernel in [lesson.kernels("vote")?, lesson.kernels("match")?].concat() {
        lesson.run_kernel(&kernel)?;
        match kernel.name.as_str() {
            "vote_ballot" => lesson.say(pictures::votes()),
            "match_any" => lesson.say(pictures::matches()),
            _ => {}
        }
    }
    lesson.run("redux")?;
    lesson.run("pre_volta")
}

/// A tree of shuffles, and a butterfly.
fn sums_of_a_warp(lesson: &Lesson) -> anyhow::Result<()> {
    for kernel in lesson.kernels("warp_sum")? {
        lesson.run_kernel(&kernel)?;
        if kernel.is_broken() {
            lesson.say_of(&kernel, pictures::half_warp());
        }
    }
    lesson.run("all_reduce")
}

/// Fewer elements than threads: a mask must name those who come, and the tree must ask nobody else.
fn who_is_there(lesson: &Lesson) -> anyhow::Result<()> {
    for kernel in lesson.kernels("ballot_sum")? {
        lesson.run_kernel(&kernel)?;
        if kernel.is_broken() {
            lesson.say_of(&kernel, pictures::twenty_lanes());
        }
    }
    for kernel in lesson.kernels("activemask_sum")? {
        let masks = Mutex::new(Masks::default());
        let keep = |seen: &[u32]| masks.lock().unwrap_or_else(PoisonError::into_inner).add(seen);
        lesson.trial(&kernel, |run| {
            // Runs beside the trial's own, such as attempts at smaller ones, are left out of the picture.
            jobs::activemask_sums(run, &starts(run), |seen| {
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
