//! Sums and a transpose that stay inside a warp.

use crate::WARP;
use common::{Run, launch};
use cust::memory::bytemuck::{Pod, Zeroable};
use cust::memory::{DeviceBuffer, DeviceCopy};
use cust::prelude::*;

/// `values` in pieces of `size`, the last filled up with zeros; at least one piece, since a launch has at least one block.
pub fn pieces<T: DeviceCopy + Zeroable>(values: &[T], size: usize) -> (Vec<T>, u32) {
    let count = values.len().div_ceil(size).max(1);
    let mut padded = values.to_vec();
    padded.resize(count * size, T::zeroed());
    (padded, count as u32)
}

/// `warp_sum_broken`, `_correct` and `_full`, `lockstep_sum_*`: one block of `size` threads for each `size` values, and
/// one sum each.
pub fn sums(run: &Run, values: &[i32], size: usize) -> anyhow::Result<Vec<i32>> {
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

/// `all_reduce_*` and `transpose_*`: a block of one warp for each 32 elements, which gives 32.
pub fn by_warp<T: DeviceCopy + Pod + Default>(run: &Run, values: &[T]) -> anyhow::Result<Vec<T>> {
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

/// Threads of a block that has at least one for each element, and a warp more than it needs if there is room for it.
fn one_warp_more(n: usize) -> u32 {
    ((n.div_ceil(WARP) + 1) * WARP).min(1024) as u32
}

/// `ballot_sum_*`: the sum of each warp that has elements.
pub fn ballot_sums(run: &Run, values: &[i32]) -> anyhow::Result<Vec<i32>> {
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

/// What `activemask_sum_*` gives.
pub struct Masked {
    /// For each warp that has elements.
    pub sums: Vec<i32>,
    /// The mask that each thread with an element gave to its shuffles.
    pub masks: Vec<u32>,
}

pub fn activemask_sums(run: &Run, values: &[u32]) -> anyhow::Result<Masked> {
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
    Ok(Masked { masks: head(&masks, values.len())?, sums: head(&sums, values.len().div_ceil(WARP))? })
}

/// The first elements of a buffer: those that a kernel writes.
fn head<T: DeviceCopy + Zeroable>(buffer: &DeviceBuffer<T>, count: usize) -> anyhow::Result<Vec<T>> {
    let mut elements = vec![T::zeroed(); count];
    buffer.index(0..count).copy_to(&mut elements)?;
    Ok(elements)
}
