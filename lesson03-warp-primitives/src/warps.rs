//! Sums and a transpose that stay inside a warp: by shuffles, and in shared memory.

use crate::{WARP, reference};
use common::check::{self, InputValues};
use common::{Row, Run, Slug, Unit, launch};
use cust::memory::DeviceCopy;
use cust::memory::bytemuck::{Pod, Zeroable};
use cust::prelude::*;

/// A tree of shuffles, in half a warp and in a whole one.
pub const WARP_SUM: Row = Row::pair("warp_sum", Slug::AbsentLane)
    .ladder(&["warp_sum_full"])
    .sizes(4096, 256)
    .from_zero()
    .job(|run| warp_sums(run, &ints(run)));

/// A warp's sum in shared memory, as code did when warps ran in lockstep.
pub const LOCKSTEP_SUM: Row = Row::pair("lockstep_sum", Slug::RaceShared)
    .ladder(&["lockstep_sum_shuffle"])
    .sizes(4096, 256)
    .from_zero()
    .job(|run| warp_sums(run, &ints(run)));

fn ints(run: &Run) -> Vec<i32> {
    InputValues::seeded(2).ints(run.size(), -1000, 1000)
}

/// `warp_sum` and `lockstep_sum`: one sum for each warp, or for each half of one.
pub fn warp_sums(run: &Run, values: &[i32]) -> anyhow::Result<()> {
    let kernel = run.kernel();
    let is_whole = kernel.name == "warp_sum_full" || kernel.row.name == "lockstep_sum";
    let size = if is_whole { WARP } else { WARP / 2 };
    let expected = reference::sums(values, size);
    run.each(|| check::equal(&sums(run, values, size)?, &expected))
}

/// `warp_sum_broken`, `_correct` and `_full`, `lockstep_sum_*`: one block of `size` threads for each `size` values, and
/// one sum each.
fn sums(run: &Run, values: &[i32], size: usize) -> anyhow::Result<Vec<i32>> {
    let function = run.function()?;
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    let (padded, blocks) = pieces(values, size);
    let input = padded.as_slice().as_dbuf()?;
    let sums = run.poisoned::<i32>(blocks as usize)?;
    // SAFETY: `input` holds a value for each thread, `sums` an element for each block.
    unsafe {
        launch!(function<<<blocks, size as u32, 0, stream>>>(input.as_device_ptr(), sums.as_device_ptr()))?;
    }
    stream.synchronize()?;
    Ok(sums.as_host_vec()?)
}

/// `values` in pieces of `size`, the last filled up with zeros; at least one piece, since a launch has at least one
/// block.
pub(crate) fn pieces<T: DeviceCopy + Zeroable>(values: &[T], size: usize) -> (Vec<T>, u32) {
    let count = values.len().div_ceil(size).max(1);
    let mut padded = values.to_vec();
    padded.resize(count * size, T::zeroed());
    (padded, count as u32)
}

/// A butterfly: every lane has the sum.
pub const ALL_REDUCE: Row =
    Row::wrong_result_pair("all_reduce").sizes(4096, 256).from_zero().job(|run| sums_everywhere(run, &ints(run)));

/// `all_reduce`: each lane has the sum of its warp.
pub fn sums_everywhere(run: &Run, values: &[i32]) -> anyhow::Result<()> {
    let expected = reference::sums_everywhere(values);
    run.each(|| check::equal(&by_warp(run, values)?, &expected))
}

/// Tiles that a warp turns: lanes that trade through shared memory.
pub const TRANSPOSE: Row = Row::pair("transpose", Slug::RaceShared)
    .of_unit(Unit::Floats)
    .sizes(4096, 256)
    .from_zero()
    .job(|run| transposed(run, &InputValues::seeded(5).floats(run.size())));

/// `transpose`: rows have become columns.
pub fn transposed(run: &Run, values: &[f32]) -> anyhow::Result<()> {
    let expected = reference::transposed(values);
    run.each(|| check::equal(&by_warp(run, values)?, &expected))
}

/// `all_reduce_*`, `transpose_*` and the `vote` pair: a block of one warp for each 32 elements, which gives 32.
pub(crate) fn by_warp<T: DeviceCopy + Pod + Default>(run: &Run, values: &[T]) -> anyhow::Result<Vec<T>> {
    let function = run.function()?;
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    let (padded, blocks) = pieces(values, WARP);
    let input = padded.as_slice().as_dbuf()?;
    let output = run.poisoned::<T>(padded.len())?;
    // SAFETY: `input` and `output` hold an element for each thread.
    unsafe {
        launch!(function<<<blocks, WARP as u32, 0, stream>>>(input.as_device_ptr(), output.as_device_ptr()))?;
    }
    stream.synchronize()?;
    Ok(output.as_host_vec()?)
}
