//! A sum for each block: `block_sum_broken` and `_correct` are launched alike.

use crate::reference;
use common::check::{self, InputValues};
use common::{Row, Run, Slug, launch};
use cust::prelude::*;

/// A tree in shared memory: a barrier in every round.
pub const BLOCK_SUM: Row = Row::pair("block_sum", Slug::RaceShared)
    .sizes(1 << 18, 1000)
    .gpu(100_000_000)
    .from_zero()
    .job(|run| summed(run, &InputValues::seeded(2).ints(run.size(), -1000, 1000)));

/// Threads and elements of a block.
const BLOCK: usize = 256;

/// Each block has the sum of its elements.
pub fn summed(run: &Run, input: &[i32]) -> anyhow::Result<()> {
    let expected = reference::sums(input, BLOCK);
    run.moves(size_of_val(input) as u64);
    run.each(|| check::equal(&sums(run, input)?, &expected))
}

/// The sum of each 256 elements, and of those that are left.
fn sums(run: &Run, input: &[i32]) -> anyhow::Result<Vec<i32>> {
    let function = run.function()?;
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    let n = input.len();
    check::at_most(n, 1 << 30)?;
    let blocks = n.div_ceil(BLOCK);
    let data = input.as_dbuf()?;
    let sums = run.poisoned::<i32>(blocks)?;
    // A launch has at least one block; for no elements there is nothing to launch.
    if blocks > 0 {
        // SAFETY: `data` holds n ints, `sums` one for each block.
        unsafe {
            launch!(function<<<blocks as u32, BLOCK as u32, 0, stream>>>(
                data.as_device_ptr(), sums.as_device_ptr(), n as i32
            ))?;
        }
    }
    stream.synchronize()?;
    Ok(sums.as_host_vec()?)
}
