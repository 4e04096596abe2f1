//! From the warp to the block, and from the block to the grid.

use crate::reference;
use crate::warps::pieces;
use common::check::{self, InputValues};
use common::{Peer, PeerCall, Row, Run, Slug, launch};
use cust::memory::DeviceBox;
use cust::prelude::*;

/// A sum for each block: its warps meet in shared memory.
pub const BLOCK_REDUCE_SUM: Row = Row::pair("block_reduce_sum", Slug::RaceShared)
    .sizes(1 << 16, 1024)
    .from_zero()
    .job(|run| block_sums(run, &InputValues::seeded(2).ints(run.size(), -1000, 1000), 256));

/// Blocks of `threads`, a multiple of 32.
pub fn block_sums(run: &Run, values: &[i32], threads: usize) -> anyhow::Result<()> {
    let expected = reference::sums(values, threads);
    run.each(|| check::equal(&sum_each(run, values, threads as u32)?, &expected))
}

/// `block_reduce_sum_*`: one sum for each `threads` values, a multiple of 32.
fn sum_each(run: &Run, values: &[i32], threads: u32) -> anyhow::Result<Vec<i32>> {
    let function = run.function()?;
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    let (padded, blocks) = pieces(values, threads as usize);
    let input = padded.as_slice().as_dbuf()?;
    let sums = run.poisoned::<i32>(blocks as usize)?;
    // SAFETY: `input` holds an int for each thread, `sums` one for each block.
    unsafe {
        launch!(function<<<blocks, threads, 0, stream>>>(input.as_device_ptr(), sums.as_device_ptr()))?;
    }
    stream.synchronize()?;
    Ok(sums.as_host_vec()?)
}

/// A block whose last warp is not full.
pub const BLOCK_REDUCE_TAIL: Row =
    Row::wrong_result_pair("block_reduce_tail").fixed(100).job(|run| tail_sum(run, &check::ramp(run.size())));

/// A block of as many threads as values.
pub fn tail_sum(run: &Run, values: &[i32]) -> anyhow::Result<()> {
    let expected = reference::total(values)?;
    run.each(|| check::equal_value(sum_one(run, values)?, expected))
}

/// `block_reduce_tail_*`: one block, as many threads as values.
fn sum_one(run: &Run, values: &[i32]) -> anyhow::Result<i32> {
    let function = run.function()?;
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    let input = values.as_dbuf()?;
    let sum = run.poisoned::<i32>(1)?;
    // SAFETY: `input` holds an int for each thread, `sum` one.
    unsafe {
        launch!(function<<<1, values.len() as u32, 0, stream>>>(input.as_device_ptr(), sum.as_device_ptr()))?;
    }
    stream.synchronize()?;
    Ok(sum.as_host_vec()?[0])
}

/// A sum of the grid, in two launches.
pub const DEVICE_REDUCE: Row = Row::pair("device_reduce", Slug::UndefinedValue)
    .sizes(100_000, 4096)
    .gpu(100_000_000)
    .peer(Peer::Sum)
    .from_zero()
    .job(|run| device_sum(run, &InputValues::seeded(6).ints(run.size(), -5, 14)));

/// The second launch has the sum of all.
pub fn device_sum(run: &Run, values: &[i32]) -> anyhow::Result<()> {
    let expected = reference::total(values)?;
    run.moves(size_of_val(values) as u64);
    run.each(|| check::equal_value(sum_all(run, values)?, expected))
}

/// Threads of a block of `device_reduce_blocks`, as on the slide.
const REDUCE_THREADS: u32 = 512;
/// Its blocks at most: half of what the second launch has room for.
const REDUCE_BLOCKS: u32 = 512;
/// Threads of the second launch, and elements of the buffer between the two.
const PARTIALS: u32 = 1024;

/// `device_reduce_*`: the sum of all values, in two launches.
fn sum_all(run: &Run, values: &[i32]) -> anyhow::Result<i32> {
    let n = count(values.len())?;
    let blocks = n.div_ceil(REDUCE_THREADS).clamp(1, REDUCE_BLOCKS);
    let (first, second) = (run.function_named("device_reduce_blocks")?, run.function()?);
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    let input = values.as_dbuf()?;
    let partial = run.poisoned::<i32>(PARTIALS as usize)?;
    let sum = DeviceBox::new(&0i32)?;
    // SAFETY: `input` holds n ints; `partial` has one for each block of the first launch and each thread of the second.
    unsafe {
        launch!(first<<<blocks, REDUCE_THREADS, 0, stream>>>(input.as_device_ptr(), n, partial.as_device_ptr()))?;
        launch!(second<<<1, PARTIALS, 0, stream>>>(partial.as_device_ptr(), blocks, sum.as_device_ptr()))?;
    }
    stream.synchronize()?;
    let answer = sum.as_host_value()?;
    let call = PeerCall { from: input.as_device_ptr().as_raw(), to: sum.as_device_ptr().as_raw(), kept: 0, n };
    // SAFETY: `input` holds n ints, and `sum` one.
    unsafe { run.beside(&stream, call, || check::equal_value(sum.as_host_value()?, answer)) };
    Ok(answer)
}

/// The kernels' `unsigned n`: an index and a stride of the grid on top of it must not wrap.
fn count(n: usize) -> anyhow::Result<u32> {
    check::at_most(n, (1 << 31) - (REDUCE_BLOCKS * REDUCE_THREADS) as usize)?;
    Ok(n as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_that_could_wrap_is_refused() {
        assert!(count((1 << 31) - (1 << 18)).is_ok());
        assert!(count(1 << 31).is_err() && count(usize::MAX).is_err());
    }
}
