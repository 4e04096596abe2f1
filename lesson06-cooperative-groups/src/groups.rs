//! Blocks turned round behind every spelling of a barrier, groups taken apart, and one atomic for a group.

use crate::reference;
use common::{Run, launch};
use cust::memory::{DeviceBox, DeviceBuffer};
use cust::prelude::*;

/// The spellings of a block's barrier that today's header has.
pub const BARRIERS: &[&str] = &[
    "block_barrier_syncthreads",
    "block_barrier_block",
    "block_barrier_call",
    "block_barrier_this",
    "block_barrier_group",
    "block_barrier_split",
];

/// Ways to take a group apart, besides the pair.
pub const PARTITIONS: &[&str] =
    &["partition_tiled", "partition_sized", "partition_coalesced", "partition_binary", "partition_labeled"];

/// Threads and elements of a block of `block_barrier_*`.
pub const BARRIER_BLOCK: usize = 256;
/// The same of `partition_*`.
const PARTITION_BLOCK: usize = 64;
const WARP: usize = 32;

/// `block_barrier_*`: each 256 elements turned round.
pub fn turned(run: &Run, values: &[i32]) -> anyhow::Result<Vec<i32>> {
    let function = run.function()?;
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    let input = values.as_dbuf()?;
    let out = run.poisoned::<i32>(values.len())?;
    let blocks = (values.len() / BARRIER_BLOCK) as u32;
    // SAFETY: `input` and `out` hold an int for each thread.
    unsafe {
        launch!(function<<<blocks, BARRIER_BLOCK as u32, 0, stream>>>(input.as_device_ptr(), out.as_device_ptr()))?;
    }
    stream.synchronize()?;
    Ok(out.as_host_vec()?)
}

/// The sums that `kernel` makes of `values`, part by part.
pub fn sums_of_parts(kernel: &str, values: &[i32]) -> Vec<i32> {
    match kernel {
        "partition_tiled" => reference::sums(values, 8),
        "partition_sized" => reference::sums(values, 16),
        "partition_coalesced" => reference::sums(&reference::odd_only(values), WARP),
        "partition_binary" => reference::sums_by_label(values, WARP, 2, |value| (value & 1) as usize),
        "partition_labeled" => reference::sums_by_label(values, WARP, 4, |value| (value & 3) as usize),
        _ => reference::sums(values, WARP),
    }
}

/// `values` in whole blocks of `partition_*`, at least one; the last filled up with 0.
pub fn whole_blocks(values: &[i32]) -> Vec<i32> {
    let mut padded = values.to_vec();
    padded.resize(values.len().next_multiple_of(PARTITION_BLOCK).max(PARTITION_BLOCK), 0);
    padded
}

/// `partition_*`: the sums of so many parts of `values`, which are whole blocks.
pub fn parts(run: &Run, values: &[i32], count: usize) -> anyhow::Result<Vec<i32>> {
    let function = run.function()?;
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    let input = values.as_dbuf()?;
    let sums = DeviceBuffer::<i32>::zeroed(count)?;
    let blocks = (values.len() / PARTITION_BLOCK) as u32;
    // SAFETY: `input` holds an int for each thread, `sums` one for each part.
    unsafe {
        launch!(function<<<blocks, PARTITION_BLOCK as u32, 0, stream>>>(input.as_device_ptr(), sums.as_device_ptr()))?;
    }
    stream.synchronize()?;
    Ok(sums.as_host_vec()?)
}

/// What a thread without a ticket is left with.
pub const NONE: i32 = -1;

/// `agg_inc_*`: how many tickets there are, and each thread's, or [`NONE`]; from `agg_inc_filter` the values with one.
pub fn tickets(run: &Run, values: &[i32]) -> anyhow::Result<(usize, Vec<i32>)> {
    let function = run.function()?;
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    let n = u32::try_from(values.len())?;
    let input = values.as_dbuf()?;
    let count = DeviceBox::new(&0u32)?;
    let given = vec![NONE; values.len()].as_slice().as_dbuf()?;
    let blocks = n.div_ceil(256).max(1);
    // SAFETY: `input` and `given` hold n ints, `count` one unsigned.
    unsafe {
        launch!(function<<<blocks, 256, 0, stream>>>(
            input.as_device_ptr(), n, count.as_device_ptr(), given.as_device_ptr()
        ))?;
    }
    stream.synchronize()?;
    Ok((count.as_host_value()? as usize, given.as_host_vec()?))
}
