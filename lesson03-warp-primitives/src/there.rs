//! Fewer elements than threads: who is there, and who is asked.

use crate::{WARP, reference};
use common::check::{self, InputValues};
use common::{Row, Run, Slug, launch};
use cust::memory::DeviceCopy;
use cust::memory::bytemuck::Zeroable;
use cust::prelude::*;

/// A mask by a vote, and a tree that asks nobody else.
pub const BALLOT_SUM: Row = Row::pair("ballot_sum", Slug::AbsentLane)
    .fixed(20)
    .job(|run| ballot_sums(run, &InputValues::seeded(2).ints(run.size(), -1000, 1000)));

/// `ballot_sum`: each warp that has elements has their sum.
pub fn ballot_sums(run: &Run, values: &[i32]) -> anyhow::Result<()> {
    let sums = reference::sums(values, WARP);
    let expected = &sums[..values.len().div_ceil(WARP)];
    run.each(|| check::equal(&sums_by_ballot(run, values)?, expected))
}

/// `ballot_sum_*`: the sum of each warp that has elements.
fn sums_by_ballot(run: &Run, values: &[i32]) -> anyhow::Result<Vec<i32>> {
    let function = run.function()?;
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    let threads = one_warp_more(values.len());
    let input = values.as_dbuf()?;
    let sums = run.poisoned::<i32>(threads as usize / WARP)?;
    // SAFETY: `input` holds n ints, and no thread from n on looks at it; `sums` has one for each warp of the block.
    unsafe {
        launch!(function<<<1, threads, 0, stream>>>(
            input.as_device_ptr(), values.len() as u32, sums.as_device_ptr()
        ))?;
    }
    stream.synchronize()?;
    head(&sums, values.len().div_ceil(WARP))
}

/// A mask that is only what happens to be there.
pub const ACTIVEMASK_SUM: Row = Row::pair("activemask_sum", Slug::AbsentLane)
    .ladder(&["activemask_sum_ballot"])
    .fixed(64)
    .job(|run| activemask_sums(run, &starts(run), |_| ()));

/// Returns the numbers at which the threads of `activemask_sum` start to count their steps.
pub fn starts(run: &Run) -> Vec<u32> {
    InputValues::seeded(4).ints(run.size(), 1, 10_000).iter().map(|&x| x as u32).collect()
}

/// `activemask_sum`; `see` gets the masks that each run's threads found.
pub fn activemask_sums(run: &Run, values: &[u32], see: impl Fn(&[u32])) -> anyhow::Result<()> {
    let steps: Vec<i32> = values.iter().map(|&x| reference::steps(x)).collect();
    let sums = reference::sums(&steps, WARP);
    let expected = &sums[..values.len().div_ceil(WARP)];
    run.each(|| {
        let (got, masks) = sums_by_activemask(run, values)?;
        see(&masks);
        check::equal(&got, expected)
    })
}

/// `activemask_sum_*`: the sum of each warp that has elements, and the mask that each thread with an element gave to
/// its shuffles.
fn sums_by_activemask(run: &Run, values: &[u32]) -> anyhow::Result<(Vec<i32>, Vec<u32>)> {
    let function = run.function()?;
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    let threads = one_warp_more(values.len());
    let input = values.as_dbuf()?;
    let sums = run.poisoned::<i32>(threads as usize / WARP)?;
    let masks = run.poisoned::<u32>(threads as usize)?;
    // SAFETY: `input` holds n elements, and no thread from n on looks at it; `masks` has one for each thread of the
    // block, `sums` for each warp.
    unsafe {
        launch!(function<<<1, threads, 0, stream>>>(
            input.as_device_ptr(), values.len() as u32, sums.as_device_ptr(), masks.as_device_ptr()
        ))?;
    }
    stream.synchronize()?;
    let masks = head(&masks, values.len())?;
    Ok((head(&sums, values.len().div_ceil(WARP))?, masks))
}

/// Threads of a block that has at least one for each element, and a warp more than it needs if there is room for it.
fn one_warp_more(n: usize) -> u32 {
    ((n.div_ceil(WARP) + 1) * WARP).min(1024) as u32
}

/// The first elements of a buffer: those that a kernel writes.
fn head<T: DeviceCopy + Zeroable>(buffer: &DeviceBuffer<T>, count: usize) -> anyhow::Result<Vec<T>> {
    let mut elements = vec![T::zeroed(); count];
    buffer.index(0..count).copy_to(&mut elements)?;
    Ok(elements)
}
