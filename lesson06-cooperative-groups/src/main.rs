//! Lesson 06: say who takes part.
//! Run: cargo run -p lesson06-cooperative-groups      Look for: which barrier waits for whom, and what a launch must promise.

use common::check::{self, Values};
use common::{Failure, Lesson};
use cust::device::{Device, DeviceAttribute};
use lesson06_cooperative_groups::{KERNELS, ROWS, copies, groups, names, reduce, reverse, sum};
use std::sync::Mutex;

fn main() -> Result<(), Failure> {
    let lesson = Lesson::start("lesson06", KERNELS, ROWS)?;

    sums_of_a_group(&lesson)?;
    barriers_of_a_block(&lesson)?;
    who_am_i(&lesson)?;
    parts_of_a_group(&lesson)?;
    copies_of_a_group(&lesson)?;
    the_whole_grid(&lesson)?;
    lesson.finish()
}

/// One function for any group, and the sum of a long vector made with it.
fn sums_of_a_group(lesson: &Lesson) -> anyhow::Result<()> {
    for kernel in lesson.kernels("reduce_sum")? {
        lesson.trial(&kernel, |run| {
            let values = Values::seeded(1).ints(run.size(), -1000, 1000);
            run.each(|| reduce::job(run, &kernel.name, &values))
        })?;
    }
    for kernel in [lesson.kernels("sum_kernel_block")?, lesson.kernels("sum_unified")?].concat() {
        lesson.trial(&kernel, |run| {
            let values = Values::seeded(2).ints(run.size(), -1000, 1000);
            sum::job(run, &kernel.name, &values)
        })?;
    }
    Ok(())
}

/// Six spellings that are one barrier, and those that are gone.
fn barriers_of_a_block(lesson: &Lesson) -> anyhow::Result<()> {
    for kernel in lesson.kernels("block_barrier")? {
        lesson.trial(&kernel, |run| {
            let values = check::ramp(run.size());
            run.each(|| groups::turned(run, &values))
        })?;
    }
    Ok(())
}

/// Rank, size and place, in blocks, tiles and the grid.
fn who_am_i(lesson: &Lesson) -> anyhow::Result<()> {
    for kernel in lesson.kernels("names")? {
        lesson.trial(&kernel, |run| run.each(|| names::job(run, &kernel.name)))?;
    }
    Ok(())
}

/// Tiles, the threads that are together, two halves, many labels; and one atomic for all of a group.
fn parts_of_a_group(lesson: &Lesson) -> anyhow::Result<()> {
    for kernel in lesson.kernels("partition")? {
        lesson.trial(&kernel, |run| {
            let values = Values::seeded(3).ints(run.size(), 0, 1000);
            run.each(|| groups::parts(run, &kernel.name, &values))
        })?;
    }
    for kernel in lesson.kernels("agg_inc")? {
        lesson.trial(&kernel, |run| {
            let values = Values::seeded(4).with_positive_share(run.size(), 0.5);
            run.each(|| groups::tickets(run, &kernel.name, &values))
        })?;
    }
    Ok(())
}

/// Copies that a group starts, and has to wait for.
fn copies_of_a_group(lesson: &Lesson) -> anyhow::Result<()> {
    let kernels = lesson.kernels("async_copy")?;
    if !kernels.is_empty() && Device::get_device(0)?.get_attribute(DeviceAttribute::ComputeCapabilityMajor)? < 8 {
        eprintln!("skipped: async_copy needs a device of compute capability 8.0");
        return Ok(());
    }
    for kernel in kernels {
        lesson.trial(&kernel, |run| {
            let values = Values::seeded(6).ints(run.size(), -1000, 1000);
            copies::job(run, &values)
        })?;
    }
    Ok(())
}

/// A barrier for all blocks, and the launch that it needs.
fn the_whole_grid(lesson: &Lesson) -> anyhow::Result<()> {
    for kernel in lesson.kernels("grid_reverse")? {
        let refusal = Mutex::new(None);
        lesson.trial(&kernel, |run| {
            let values = Values::seeded(5).ints(run.size(), -1000, 1000);
            if !kernel.is_broken() {
                *refusal.lock().expect("nobody panics with it") = Some(reverse::too_large(run)?);
            }
            reverse::job(run, &kernel.name, &values)
        })?;
        if let Some((blocks, refused)) = refusal.into_inner().expect("nobody panics with it") {
            lesson.say(format!("  {blocks} blocks, one more than can be there at once: {refused}"));
        }
    }
    Ok(())
}
